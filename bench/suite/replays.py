# SPDX-License-Identifier: Apache-2.0
"""Repeats published benchmarks with the same tool and parameters, and prints the results in the same form.

Server and client share all cores and are not pinned, as in the original benchmarks.
"""
import json
import os
import shlex
import shutil
import sys
import tempfile

import fixtures
import machine
import measure
import peers
import places
import priority
import process
import run
import run_folder
import summary
import verify
from tools import LoadTarget, bombardier

LIVELY = ["apus", "nginx", "h2o", "go-net-http", "actix-web"]

# columns: (heading, connections, args of the tool); figures: the content of each column, see CELLS.
REPLAYS = {
    "vix": {
        "title": "800 connections by wrk",
        "said": "wrk -t8 -c800 -d30s /bench, as published by Vix.cpp, Drogon and Crow",
        "tool": "wrk", "threads": 8, "seconds": 30, "columns": [("", 800, {})],
        "figures": ["rate", "mean", "p99", "transfer", "errors"],
        "peers": ["apus", "vix", "drogon", "crow", "lithium", "uwebsockets", "aeronet", "userver"],
    },
    "bombardier": {
        "title": "10 to 10,000 connections by bombardier",
        "said": "bombardier with 10, 100, 1,000 and 10,000 connections, as published by Crow, Lithium and Bun",
        "tool": "bombardier", "threads": 2, "seconds": 10,
        "columns": [(f"{c:,}", c, {}) for c in (10, 100, 1000, 10000)], "figures": ["rate", "error rate"],
        "peers": ["apus", "crow", "lithium", "bun", "drogon", "uwebsockets", "vix"],
    },
    "keepalive": {
        "title": "With and without keep-alive",
        "said": "100, 1,000 and 10,000 connections, with keep-alive (kept) and with Connection: close (closed), "
            "as in Drogon's comparison with nginx",
        "tool": "wrk", "threads": 2, "seconds": 10,
        "columns": [(f"{c:,} {how}", c, {"close": how == "closed"})
                    for how in ("kept", "closed") for c in (100, 1000, 10000)], "figures": ["rate", "error rate"],
        "peers": ["apus", "drogon", "nginx"],
    },
    "ab": {
        "title": "50 connections by ab",
        "said": "ab -k -c 50 -n 100000, as in a comparison of libuv, libevent, Node, aiohttp and Flask",
        "tool": "ab", "threads": 1, "seconds": 30, "requests": 100_000, "columns": [("", 50, {})],
        "figures": ["rate", "p50", "p99", "errors"],
        "peers": ["apus", "libuv-http-parser", "libevent-http-parser", "libevent", "node-http", "aiohttp", "flask"],
    },
}


def error_rate(line):
    asked = line["requests"] + line["errors"]
    return f"{100 * line['errors'] / asked:.2f} %" if asked else "-"


def milliseconds(key):
    def cell(line):
        value = (line["latency"] or line["latency_uncorrected"] or {}).get(key)
        return "-" if value is None else f"{value / 1000:.2f} ms"
    return cell


CELLS = {
    "rate": ("requests/s", lambda line: f"{line['rate']:,.0f}"),
    "mean": ("median latency", milliseconds("p50")),
    "p50": ("p50", milliseconds("p50")),
    "p99": ("p99", milliseconds("p99")),
    "transfer": ("transfer", lambda line: f"{(line['bytes_per_second'] or 0) / 1e6:.2f} MB/s"),
    "errors": ("errors", lambda line: f"{line['errors']:,}"),
    "error rate": ("errors", error_rate),
}


def main(options):
    """Measures a replay, saves the record, and prints the table. Returns the exit status."""
    replay = REPLAYS[options.name]
    if replay["tool"] == "bombardier" and (why := bombardier.build()):
        print(f"error: {why}", file=sys.stderr)
        return 1
    run.allow_many_connections()
    fixtures.folder()
    names = [peer.name for peer in peers.read_all()]
    wanted = options.peers or [name for name in dict.fromkeys(replay["peers"] + LIVELY[:2]) if name in names]
    chosen = peers.named(wanted)
    peers.set_up_all(chosen, run.say)
    settings = run.settings_for(options_of(options))
    priority.raise_own_priority(settings)
    record = begun(options, settings)
    folder = tempfile.mkdtemp(prefix="apus-replay-")
    try:
        for peer in chosen:
            record["rows"].append(row(peer, replay, options, settings, folder))
    finally:
        shutil.rmtree(folder)
    save(record | {"finished": run_folder.now()})
    print(replay["said"])
    if options.seconds:
        print(f"SHORTENED: {options.seconds:g} s instead of {published(replay)}")
    print(f"on {record['shared_cores']} cores, which server and client share")
    print()
    print(summary.grid([headings(replay), *(cells(replay, entry) for entry in record["rows"])]))
    return 0


def options_of(options):
    options.quick = options.realtime = False  # see priority.SECONDS
    return options


def published(replay):
    return f"{replay['requests']:,} requests" if replay.get("requests") else f"{replay['seconds']} s"


def begun(options, settings):
    """Returns the record of a replay without its rows."""
    replay = REPLAYS[options.name]
    tool = measure.TOOLS[replay["tool"]]
    return {
        "schema": 1, "replay": options.name, "started": run_folder.now(),
        "command": shlex.join(["./apus", "bench", "replay", options.name]
                              + ([f"--seconds={options.seconds:g}"] if options.seconds else [])
                              + ([f"--peers={','.join(options.peers)}"] if options.peers else [])),
        "machine": machine.describe() | {"compilers": machine.compilers()}, "commit": machine.commit(places.ROOT),
        "tool": {"name": replay["tool"], "version": tool.version()},
        "loads": [load_of(replay, options, column) for column in replay["columns"]], "shortened": bool(options.seconds),
        "shared_cores": len({*settings["server_cores"], *settings["client_cores"]}), "rows": [],
    }


def load_of(replay, options, column):
    """Returns the command line of a column's tool, as a user would type it."""
    _, connections, args = column
    aim = LoadTarget("PORT", "TLS_PORT", connections, options.seconds or replay["seconds"], replay["threads"], args,
              requests=0 if options.seconds else replay.get("requests", 0))
    words = measure.TOOLS[replay["tool"]].command(aim)
    return shlex.join([os.path.basename(words[0]), *map(shown, words[1:])])


def shown(word):
    """Returns an argument without paths of this machine."""
    if not os.path.isabs(word):
        return word
    return places.shown(word) if word.startswith(places.ROOT) else os.path.basename(word)


def record_path(name):
    return os.path.join(places.BUILD, "replays", f"{name}.json")


def save(record):
    places.made(places.BUILD, "replays")
    with open(record_path(record["replay"]), "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)


def headings(replay):
    return [""] + [" ".join(filter(None, (heading, CELLS[figure][0])))
                   for heading, _, _ in replay["columns"] for figure in replay["figures"]]


def cells(replay, entry):
    """Returns a row as text: its figures, or the reason for missing figures."""
    width = len(replay["columns"]) * len(replay["figures"])
    if not entry["lines"]:
        return [entry["peer"]["title"], f"({entry['peer']['state']})", *[""] * (width - 1)]
    return [entry["peer"]["title"]] + [CELLS[figure][1](line) if line["ok"] else "failed"
                                       for line in entry["lines"] for figure in replay["figures"]]


def row(peer, replay, options, settings, folder):
    """Returns a peer and a sample for each column; no samples if the peer is not ready."""
    entry = {"peer": peer.entry(), "lines": []}
    if peer.state != peers.READY:
        return entry
    placement = measure.Placement(settings, False)
    placement.client_threads = replay["threads"]
    for heading, connections, args in replay["columns"]:
        seconds = options.seconds or replay["seconds"]
        requests = 0 if options.seconds else replay.get("requests", 0)
        scenario = {"name": options.name, "tool": replay["tool"], "connections": connections, "args": args,
                    "endpoint": "close" if args.get("close") else "text"}
        line = one(scenario, peer, placement, seconds, requests, os.path.join(folder, peer.name))
        run.say(f"{peer.name} {heading or connections}: {line['why'] or 'measured'}")
        entry["lines"].append(line)
    return entry


def one(entry, peer, placement, seconds, requests, log):
    try:
        server = process.start(peer, placement.server_threads, 0, placement.server, placement.realtime, log)
    except process.ServerError as error:
        return measure.failure(entry["name"], peer.name, 0, str(error))
    try:
        if wrong := verify.check(server, entry, None):
            return measure.failure(entry["name"], peer.name, 0, wrong)
        return measure.sample(entry, peer.name, 0, server, placement, seconds, requests=requests)
    finally:
        process.stop(server)
