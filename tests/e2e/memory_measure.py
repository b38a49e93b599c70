#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much memory clients can make a server use. Checks that the server stays within its budget, and serves
other clients meanwhile.

usage: memory_measure.py [--connections N] [--budget MIB] [--bodies BYTES] [--seconds S] [--rest S] [--backend B]
[--p99 SECONDS] [--table FILE] [ATTACK...]

By default all attacks of memory_attacks.py run with 1,000 connections for 15 s each on both backends, against a server
with one core and against one with two, which takes half an hour. `--table` also measures the memory of a connection
without memory pressure, and writes the table between the markers in that file, such as docs/limits.md. If only some
attacks run, only their rows are replaced. The exit status is 1 if a server exceeds its budget by more than a tenth, or
does not return the memory in time, or if a request of the other client fails or the p99 of its requests is too high.
"""

import argparse
import pathlib
import re
import resource
import sys

from memory_attacks import ATTACKS
from memory_run import KEPT, MEBI, run

BACKENDS = ["uring", "epoll"]
ALONE = 40                 # number of connections for the measurement without memory pressure
NO_PRESSURE = 3000         # budget in MiB for that measurement
CONNECTIONS = 65536        # the default of limits::connections
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
CORES = [1, 2]
COLUMNS = ["Attack", "One connection", "65,536 connections, no budget", "1,000 connections, with budget",
           "10 s afterwards", "p99 of others", "p99 of others, two cores", "Failed requests of others"]


def shown(size):
    for unit, step in (("GB", 1e9), ("MB", 1e6)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return f"{size / 1e3:.1f} KB"


def row(what, alone, crowds):
    """Returns a row of the table; `crowds` holds the results of each backend, by number of cores."""
    def each(values):
        return " / ".join(dict.fromkeys(values))
    one = max((r.last - r.before) / ALONE for r in alone)
    first, second = (crowds[cores] for cores in CORES)
    return "| " + " | ".join([
        what, shown(one), shown(one * CONNECTIONS), each(f"{r.peak / 1e6:.0f} MB" for r in first),
        each(f"{r.after / 1e6:.0f} MB" for r in first), each(f"{r.p99 * 1000:.0f} ms" for r in first),
        each(f"{r.p99 * 1000:.0f} ms" for r in second),
        f"{sum(r.failed for r in first + second)} of {sum(r.requests for r in first + second):,}"]) + " |"


def faults(r, budget, p99):
    """Returns what is wrong with a result."""
    wrong = []
    if r.peak > budget * 1.1:
        wrong.append("over the budget")
    if r.after > r.before + KEPT * r.cores:
        wrong.append("keeps memory")
    if r.p99 > p99:
        wrong.append("slow")
    if r.failed:
        wrong.append("failed requests")
    return wrong


def put(path, rows):
    """Replaces the table rows of these attacks in a file; `rows` is keyed by name."""
    text = path.read_text()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    known = {line.split(" | ")[0][2:]: line for line in old.splitlines()[2:]}
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for attack in ATTACKS.values():
        what = attack.__doc__.rstrip(".")
        if line := rows.get(what) or known.get(what):
            lines.append(line)
    whole = path.with_suffix(".new")
    whole.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + tail)
    whole.replace(path)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--connections", type=int, default=1000)
    options.add_argument("--budget", type=int, default=256)
    options.add_argument("--bodies", type=int, default=0)
    options.add_argument("--seconds", type=float, default=15)
    options.add_argument("--rest", type=float, default=10)
    options.add_argument("--backend", action="append")
    options.add_argument("--p99", type=float, default=0.1)
    options.add_argument("--table", type=pathlib.Path)
    options.add_argument("attacks", nargs="*")
    chosen = options.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (chosen.connections + 1000,) * 2)
    good = True
    print("attack            io    cores  before   peak    last  10 s after  closed  p99 ms  max ms  failed, refused "
          "of requests")
    for name in chosen.attacks or ATTACKS:
        crowds, alone = {cores: [] for cores in CORES}, []
        for backend in chosen.backend or BACKENDS:
            for cores in CORES:
                r = run(name, backend, chosen.connections, chosen.budget * MEBI, chosen.seconds, chosen.rest,
                        size=chosen.bodies, cores=cores)
                crowds[cores].append(r)
                wrong = faults(r, chosen.budget * MEBI, chosen.p99)
                good = good and not wrong
                print(f"{name:17} {backend:5} {cores:5} {r.before / MEBI:7.1f} {r.peak / MEBI:6.1f} "
                      f"{r.last / MEBI:7.1f} {r.after / MEBI:11.1f} {r.closed:7} {r.p99 * 1000:7.1f} "
                      f"{r.longest * 1000:7.1f}  {r.failed}, {r.refused} of {r.requests} {', '.join(wrong)}",
                      flush=True)
            if chosen.table:
                alone.append(run(name, backend, ALONE, NO_PRESSURE * MEBI, 4, 0))
                print(f"{'':17} one connection: {shown((alone[-1].last - alone[-1].before) / ALONE)}", flush=True)
        if chosen.table:
            what = ATTACKS[name].__doc__.rstrip(".")
            put(chosen.table, {what: row(what, alone, crowds)})
    return not good


if __name__ == "__main__":
    sys.exit(main())
