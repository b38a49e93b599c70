#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replaces the program of a server repeatedly under load, and compares the latencies with latencies without restarts.

Usage: restarts_run.py [--restarts 20] [--requests 1000000] [--backend uring]. Prints a table; fails if a request is
lost, if there were fewer requests, or if the 99th percentile rises by more than 5 ms.
"""

import argparse
import sys
import time

from restart_load import Load
from restarting import Restarting

LARGEST_RISE = 5.0  # milliseconds
CALM = 10  # seconds without restarts


def clients(running):
    plain, secure = running.ports
    return {"http1": (2, plain), "http2": (1, secure), "websocket": (1, plain), "pausing": (1, plain)}


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--restarts", type=int, default=20)
    given.add_argument("--requests", type=int, default=1_000_000)
    given.add_argument("--backend", default="uring")
    given = given.parse_args()
    with Restarting(given.backend, ("http://127.0.0.1:0", "https://127.0.0.1:0"), tls=True) as running:
        load = Load(clients(running), running.authority.file)
        time.sleep(CALM)
        before = load.end()
        rate = sum(r.requests for r in before.values()) / CALM
        pause = max(1.0, given.requests * 1.1 / rate / given.restarts)
        load, took = Load(clients(running), running.authority.file), []
        for _ in range(given.restarts):
            time.sleep(pause)
            took.append(running.restart())
        time.sleep(pause)
        during = load.end()
    print(f"{given.restarts} restarts, {given.backend}; new process serves after {sorted(took)[len(took) // 2]:.3f} s "
          f"(median), {max(took):.3f} s (maximum)")
    print("| Clients | Requests | Connections | Lost | p50 (ms) | p99 (ms) | p99.9 (ms) | p99 without restarts (ms) |")
    print("|---|---|---|---|---|---|---|---|")
    rises = []
    for kind, r in during.items():
        calm = before[kind].percentile(0.99)
        rises.append(r.percentile(0.99) - calm)
        print(f"| {kind} | {r.requests:,} | {r.connections:,} | {len(r.failures)} | {r.percentile(0.5):.1f} "
              f"| {r.percentile(0.99):.1f} | {r.percentile(0.999):.1f} | {calm:.1f} |")
    requests, failures = sum(r.requests for r in during.values()), [f for r in during.values() for f in r.failures]
    print(f"{requests:,} requests, {len(failures)} lost")
    for failure in failures:
        print(failure)
    return 1 if failures or requests < given.requests or max(rises) > LARGEST_RISE else 0


if __name__ == "__main__":
    sys.exit(main())
