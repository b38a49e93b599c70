# SPDX-License-Identifier: Apache-2.0
"""Generates runs that resemble real ones; the same seed gives the same run. usage: synthetic_run.py FOLDER"""
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "suite"))

# name, title, language, kind, CPU of a text request, memory, state
PEERS = [
    ("limit-uring", "Limit, io_uring", "C", "limit", 5.0, 1500, "ready"),
    ("limit-epoll", "Limit, epoll", "C", "limit", 6.1, 1500, "ready"),
    ("apus", "Apus", "C++", "framework", 5.2, 4000, "ready"), ("apus-epoll", "Apus, epoll", "C++", "framework", 6.3,
                                                               4000, "ready"),
    ("nginx", "nginx", "C", "server", 8.3, 5000, "ready"), ("h2o", "h2o", "C", "server", 9.3, 9000, "ready"),
    ("libevent", "libevent's own HTTP", "C", "library", 16.3, 5000, "ready"),
    ("llhttp-libuv", "llhttp on libuv", "C", "library", 9.0, 3000, "ready"),
    ("llhttp-libevent", "llhttp on libevent", "C", "library", 9.4, 3000, "ready"),
    ("go", "Go net/http", "Go", "library", 19.0, 14000, "ready"),
    ("fiber", "Fiber", "Go", "framework", 9.7, 12000, "ready"), ("actix", "actix-web", "Rust", "framework", 8.4, 8000,
                                                                 "ready"),
    ("axum", "axum", "Rust", "framework", 9.0, 7000, "ready"), ("may", "may_minihttp", "Rust", "library", 7.1, 6000,
                                                                "ready"),
    ("bun", "Bun", "JavaScript", "framework", 9.8, 60000, "ready"), ("deno", "Deno", "JavaScript", "framework", 14.0,
                                                                     90000, "ready"),
    ("node", "Node http", "JavaScript", "library", 26.0, 70000, "ready"),
    ("fastify", "Fastify", "JavaScript", "framework", 29.0, 75000, "ready"),
    ("fastapi", "FastAPI on uvicorn", "Python", "framework", 125.0, 60000, "ready"),
    ("flask", "Flask on gunicorn", "Python", "framework", 303.0, 50000, "failed"),
    ("aiohttp", "aiohttp", "Python", "framework", 55.0, 40000, "ready"),
    ("slim", "PHP Slim", "PHP", "framework", 293.0, 60000, "not installed"),
    ("drogon", "Drogon", "C++", "framework", 10.7, 9000, "not installed"),
    ("lithium", "Lithium", "C++", "framework", 7.2, 60000, "ready"),
    ("uwebsockets", "uWebSockets, io_uring", "C++", "library", 5.1, 4000, "ready"),
    ("userver", "userver", "C++", "framework", 12.0, 30000, "not installed"),
]


def peer(entry):
    name, title, language, kind, _, _, state = entry
    why = {"ready": "", "not installed": f"build {title}, install it somewhere and set APUS_BENCH_{name.upper()} to "
                                         f"that prefix",
           "failed": "its build ended with status 1: error: externally-managed-environment"}[state]
    return {"name": name, "title": title, "language": language, "kind": kind, "state": state, "why": why,
            "version": f"{title} 1.{len(name)}.2" if state == "ready" else "",
            "flags": "-O3 -DNDEBUG" if language.startswith("C") else "",
            "start": f"exec {name} --port \"$PORT\" --threads \"$THREADS\"",
            "offers": ["text", "close", "pipeline", "upload", "idle", "body-64k"]
            + ["tls"] * (not name.startswith("apus"))}


def scenario(name, title, group, endpoint, figure="cpu_us", unit="us", better="less", connections=50, **more):
    return {"name": name, "title": title, "group": group, "endpoint": endpoint, "tool": "load", "pinned": True,
            "connections": connections,
            "command": f"load --connections {connections} --seconds 1.0 --path /bench 127.0.0.1:8080", "figure": figure,
            "better": better, "unit": unit,
            "about": "A short answer, asked for again as soon as it is there.", **more}


def scenarios():
    found = [scenario(f"text-{n}", f"Text, {n:,} connections", "text", "text", connections=n)
             for n in (1, 10, 50, 100, 800, 1000, 10000)]
    found += [scenario(f"close-{n}", f"A connection for each request, {n:,} at a time", "close", "close", connections=n)
              for n in (10, 100, 1000)]
    found += [scenario("pipeline", "16 requests at once", "text", "pipeline"),
              scenario("text-800-2", "Text, 800 connections, 2 threads", "text", "text", connections=800, pinned=False),
              scenario("text-800-rate", "Text at a constant rate", "text", "text", "latency.p99", "us",
                       connections=800),
              scenario("upload-500k", "Uploads of 500 KiB", "bodies", "upload", "bytes_per_cpu_second", "bytes/s",
                       "more"),
              scenario("idle-10000", "Memory of an idle connection", "memory", "idle", "value", "bytes",
                       connections=10000),
              scenario("start", "Cold start", "start", "text", "value", "ms", connections=None),
              scenario("soak", "30 minutes", "soak", "text", "latency.p99", "us", rounds=60),
              scenario("tls-50", "TLS, 50 connections", "tls", "tls")]
    for i in range(30 - len(found)):
        found.append(scenario(f"replay-{chr(97 + i)}", f"Replay {chr(65 + i)}: wrk -t8 -c800", "replay", "text", "rate",
                              "1/s", "more", connections=800))
    return found


def run(name="synthetic", rounds=5):
    return {"schema": 1, "name": name, "started": "2026-11-22T10:00:00Z", "finished": "2026-11-22T11:02:11Z",
            "command": f"./apus bench --name {name}",
            "machine": {"cpu": "AMD EPYC", "cores": 2, "memory_mib": 24000, "kernel": "6.18.5", "governor": "none",
                        "distribution": "Debian 12", "virtual": "kvm"},
            "settings": {"rounds": rounds, "seconds": 1.0, "realtime": True, "server_cores": [0], "client_cores": [1]},
            "tools": {"wrk": "4.1.0", "load": "the suite's own"},
            "peers": [peer(entry) for entry in PEERS], "scenarios": scenarios(),
            "not_yet": [{"scenario": "tls-50", "why": "Apus has no TLS yet"}]}


def sample(chance, about, entry, at, speed, factor=1.0):
    """Returns one measurement. `speed` is the machine's speed in this round."""
    name, _, _, _, cost, rss, _ = entry
    connections = about["connections"] or 1
    weight = {"close": 4.5, "pipeline": 0.08, "upload": 30.0, "tls": 1.6}.get(about["endpoint"], 1.0)
    weight *= 1 + 0.05 * math.log10(connections)
    cost *= factor
    cpu = cost * weight * speed * chance.lognormvariate(0, 0.02)
    bound = name in ("limit-uring", "uwebsockets")
    rate = 0.97e6 / cpu * (0.9 if bound else 1.0) * chance.lognormvariate(0, 0.01)
    p50 = connections * 1e6 / rate
    tail = p50 * chance.lognormvariate(0.3, 0.15)
    curve = [[0, p50 * 0.4], [25, p50 * 0.8], [50, p50], [75, p50 * 1.1], [90, p50 * 1.2], [99, tail],
             [99.9, tail * 2.2], [99.99, tail * 4], [100, tail * 9]]
    latency = {"p50": p50, "p90": p50 * 1.2, "p99": tail, "p999": tail * 2.2, "max": tail * 9}
    errors = int(connections * cost / 40) if connections == 10000 and cost > 20 else 0
    made = {"scenario": about["name"], "peer": name, "round": at, "ok": True, "why": "", "requests": int(rate),
            "seconds": 1.0, "rate": rate, "errors": errors,
            "latency": latency, "latency_uncorrected": latency, "percentiles": curve, "cpu_us": cpu,
            "cpu_user_us": cpu * 0.1 + (cost - 5) * 0.3 * 0.1, "cpu_system_us": cpu * 0.9 - (cost - 5) * 0.03,
            "server_busy": 0.99, "client_busy": 0.99 if bound else 0.8, "client_bound": bound,
            "rss_kib": int(rss + connections * cost / 8),
            "bytes_per_second": rate * 5e5 / 1e2, "bytes_per_cpu_second": 4e9 / cpu, "value": None}
    if about["figure"] == "value":
        made.update({key: None for key in made if key not in ("scenario", "peer", "round", "ok", "why", "rss_kib",
                                                              "client_bound")})
        made["value"] = cost * 50 * chance.lognormvariate(0, 0.02) if about["unit"] == "bytes" \
                else cost * 0.7 * chance.lognormvariate(0, 0.05)
    if about["name"] == "soak":
        made["seconds"], made["rss_kib"] = 30.0, int(rss * (1 + 0.1 * math.log1p(at)))
    return made


def samples(about, seed=1, shift=None):
    """Returns the samples of a run. `shift` is {peer: factor of its cost}."""
    chance = random.Random(seed)
    rounds = about["settings"]["rounds"]
    for at, one in [(at, one) for one in about["scenarios"] for at in range(one.get("rounds", rounds))]:
        speed = chance.lognormvariate(0, 0.15)
        for entry in PEERS:
            known = next(known for known in about["peers"] if known["name"] == entry[0])
            if known["state"] != "ready" or one["endpoint"] not in known["offers"]:
                continue
            if entry[0] == "may" and one["endpoint"] == "close" or \
                    entry[0] == "uwebsockets" and one["endpoint"] == "upload" and at > 2:
                yield {"scenario": one["name"], "peer": entry[0], "round": at, "ok": False,
                       "why": "it answered 400 instead of 200 to the second request", "rate": None}
                continue
            yield sample(chance, one, entry, at, speed, (shift or {}).get(entry[0], 1.0))


def write(folder, about, lines):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(about))
    (folder / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


if __name__ == "__main__":
    import report

    whole = run(pathlib.Path(sys.argv[1]).name)
    print(*report.write(write(sys.argv[1], whole, samples(whole))), sep="\n")
