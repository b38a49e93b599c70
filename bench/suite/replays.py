# SPDX-License-Identifier: Apache-2.0
"""Tables that people quote, made here: the same tool with the same numbers, in the same form.

Both sides share all cores and nothing is pinned, as where those tables come from.
"""
import os
import shutil
import sys
import tempfile

import fixtures
import measure
import peers
import priority
import process
import run
import summary
import verify
from tools import bombardier

LIVELY = ["apus", "nginx", "h2o", "go-net-http", "actix-web"]

# columns: (heading, connections, args of the tool); figures: what each column shows, see CELLS.
REPLAYS = {
    "vix": {
        "said": "wrk -t8 -c800 -d30s /bench, as Vix.cpp, Drogon and Crow publish it",
        "tool": "wrk", "threads": 8, "seconds": 30, "columns": [("", 800, {})],
        "figures": ["rate", "mean", "p99", "transfer", "errors"],
        "peers": ["apus", "vix", "drogon", "crow", "lithium", "uwebsockets"],
    },
    "bombardier": {
        "said": "bombardier with 10, 100, 1,000 and 10,000 simultaneous queries, as Crow, Lithium and Bun publish it",
        "tool": "bombardier", "threads": 2, "seconds": 10,
        "columns": [(f"{c:,}", c, {}) for c in (10, 100, 1000, 10000)], "figures": ["rate", "error rate"],
        "peers": ["apus", "crow", "lithium", "bun", "drogon", "uwebsockets"],
    },
    "keepalive": {
        "said": "100, 1,000 and 10,000 connections, kept and closed after each request, as Drogon against nginx",
        "tool": "wrk", "threads": 2, "seconds": 10,
        "columns": [(f"{c:,} {how}", c, {"close": how == "closed"})
                    for how in ("kept", "closed") for c in (100, 1000, 10000)], "figures": ["rate", "error rate"],
        "peers": ["apus", "drogon", "nginx"],
    },
    "ab": {
        "said": "ab -k -c 50 -n 100000, as libuv, libevent, Node, aiohttp and Flask are compared",
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
    """Prints the table. The status of the program."""
    replay = REPLAYS[options.name]
    if replay["tool"] == "bombardier" and (why := bombardier.build()):
        print(f"error: {why}", file=sys.stderr)
        return 1
    run.allow_many_connections()
    fixtures.folder()
    names = [peer.name for peer in peers.every()]
    wanted = options.peers or [name for name in dict.fromkeys(replay["peers"] + LIVELY[:2]) if name in names]
    chosen = peers.named(wanted)
    peers.set_up_all(chosen, run.say)
    settings = run.settings_for(options_of(options))
    priority.lead(settings)
    folder = tempfile.mkdtemp(prefix="apus-replay-")
    rows = [headings(replay)]
    try:
        rows += [row(peer, replay, options, settings, folder) for peer in chosen]
    finally:
        shutil.rmtree(folder)
    print(replay["said"])
    if options.seconds:
        print(f"SHORTENED: {options.seconds:g} s instead of {published(replay)}")
    print(f"on {len({*settings['server_cores'], *settings['client_cores']})} cores, which server and client share")
    print()
    print(summary.grid(rows))
    return 0


def options_of(options):
    options.quick = options.realtime = False  # see priority.SECONDS
    return options


def published(replay):
    return f"{replay['requests']:,} requests" if replay.get("requests") else f"{replay['seconds']} s"


def headings(replay):
    return [""] + [" ".join(filter(None, (heading, CELLS[figure][0])))
                   for heading, _, _ in replay["columns"] for figure in replay["figures"]]


def row(peer, replay, options, settings, folder):
    """A peer's line: its figures, or once why it has none."""
    width = len(replay["columns"]) * len(replay["figures"])
    if peer.state != peers.READY:
        return [peer.title, f"({peer.state})", *[""] * (width - 1)]
    place = measure.Place(settings, False)
    place.client_threads = replay["threads"]
    cells = [peer.title]
    for heading, connections, args in replay["columns"]:
        seconds = options.seconds or replay["seconds"]
        requests = 0 if options.seconds else replay.get("requests", 0)
        entry = {"name": options.name, "tool": replay["tool"], "connections": connections, "args": args,
                 "endpoint": "close" if args.get("close") else "text"}
        line = one(entry, peer, place, seconds, requests, os.path.join(folder, peer.name))
        run.say(f"{peer.name} {heading or connections}: {line['why'] or 'measured'}")
        cells += [CELLS[figure][1](line) if line["ok"] else "failed" for figure in replay["figures"]]
    return cells


def one(entry, peer, place, seconds, requests, log):
    try:
        server = process.start(peer, place.server_threads, 0, place.server, place.realtime, log)
    except process.ServerError as error:
        return measure.failure(entry["name"], peer.name, 0, str(error))
    try:
        if wrong := verify.check(server, entry, None):
            return measure.failure(entry["name"], peer.name, 0, wrong)
        return measure.sample(entry, peer.name, 0, server, place, seconds, requests=requests)
    finally:
        process.stop(server)
