#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every case of h1_cases.json against the example `conformance`. Without TLS, each case is sent whole, byte by
byte, and split in two at every position. Over TLS, each case is sent whole and in records of random sizes; with
--thorough also with one byte per record and split in two at every position, which takes a minute.

usage: conformance_test.py [--thorough] [REGEX of cases to run]
"""

import collections
import concurrent.futures
import json
import pathlib
import re
import sys
import time

import cases
import h1_exchange
import h1_grading
from server import Server
from tls_wire import SecureConnection, SecureServer

CASES = json.loads((pathlib.Path(__file__).parent / "h1_cases.json").read_text())
AT_ONCE = 16

# Deliberate behavior that the RFC permits, although the case prefers another response.
LENIENT = {
    "ho-long": "a host is bounded by the limit on field bytes; names in DNS are shorter, but not all hosts are in DNS",
    "ch-end-two-bytes": "bytes other than CR LF begin a trailer line, and are rejected when that line is complete",
    "rl-all-bare-cr": "only byte by byte: a head is parsed when a line is complete or too long, so that slow clients "
                      "cost little",
}


def over_the_other_scheme(case):
    """Returns the case with http targets changed to https and vice versa, since a target must have the scheme of its
    connection."""
    other = {"http": "https", "https": "http"}

    def turned(part):
        return re.sub(r" (https?)://", lambda found: f" {other[found[1].lower()]}://", part,
                      flags=re.I) if isinstance(part, str) else part

    send = case["send"]
    return case | {"send": [turned(part) for part in send] if isinstance(send, list) else turned(send)}


def runs(only, modes, known):
    """Returns every (mode, case, cut) to test."""
    for case in known:
        if case.get("slow") or not re.search(only, case["id"]):
            continue
        yield "whole", case, 0
        # If a case waits for the end of the connection or for silence, sending its input in pieces tests nothing
        # else.
        if case["expect"] != "close" and not case["expect"].get("wait"):
            yield from ((mode, case, 0) for mode in ("bytes", "records") if mode in modes)
        if case.get("split") and "split" in modes:
            size = sum(len(p) for p in h1_exchange.parts_of(case["send"]) if isinstance(p, bytes))
            yield from (("split", case, cut) for cut in range(1, size))


def try_all(address, only, modes=("bytes", "split"), known=CASES):
    """Returns the number of verdicts for each mode, and a text for each unexpected result."""
    counts, complaints = collections.defaultdict(collections.Counter), []

    def one(run):
        mode, case, cut = run
        return run, h1_grading.run(address, case, mode, cut)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for (mode, case, cut), (verdict, reason) in pool.map(one, runs(only, modes, known)):
            counts[mode][verdict] += 1
            if verdict == h1_grading.PASS or (verdict == h1_grading.LENIENT and case["id"] in LENIENT):
                continue
            at = f" cut at {cut}" if mode == "split" else ""
            complaints.append(f"{verdict} {mode}{at}: {case['id']} ({case['level']}, {case['rfc']}): {reason}\n"
                              f"     {case['why']}; it sends {case['send']!r:.300}")
    return counts, complaints


def over_tls(backend, only, thorough):
    with SecureServer(backend) as server:
        context = server.trusting()
        modes = ("records", "bytes", "split") if thorough else ("records",)
        known = [over_the_other_scheme(case) for case in CASES]
        counts, complaints = try_all(lambda: SecureConnection(("127.0.0.1", server.port), context), only, modes, known)
        return {f"{mode} over TLS": count for mode, count in counts.items()}, complaints


def main():
    thorough = "--thorough" in sys.argv[1:]
    only, failed = next((word for word in sys.argv[1:] if not word.startswith("-")), ""), False
    for backend in cases.BACKENDS:
        began = time.monotonic()
        with Server(backend, program="conformance") as server:
            counts, complaints = {}, []
            try:
                counts, complaints = try_all(("127.0.0.1", server.port), only)
                if server.get("/").body != b"ok\n":
                    complaints.append("the response to GET / has changed")
            except OSError as error:
                complaints.append(f"the server no longer responds: {error}\n{server.errors()}")
        more, others = over_tls(backend, only, thorough)
        counts, complaints = counts | more, complaints + others
        for text in complaints[:40]:
            print(text)
        for mode, count in counts.items():
            print(f"{backend} {mode}: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(count.items())))
        print(f"{backend}: {time.monotonic() - began:.1f} s", flush=True)
        failed = failed or bool(complaints) or not counts
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
