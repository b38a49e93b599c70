#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the CPU time of a request without and with a part of Apus, in interleaved rounds.

Usage: costs_run.py [--starts 5] [--rounds 3] [--seconds 1] [--connections 16] [--backend uring] [--most 0.01]
                    [--sample 0.01] COST...
       costs_run.py [...] --builds WITHOUT WITH

COST: tracing (1 % of the requests are recorded and exported; `--sample`: another share), admin (metrics, tasks and
lists of requests are served, and scraped once per round), sandbox. `--builds` compares a program of two build folders,
such as those of part_cost.py. A third server, equal to the first, shows the noise.

The servers run on the first CPU, and all else on the last: the load generator, and the receiver of traces, which only
stores them. The servers are started `--starts` times, since the place of a process in memory changes its speed. Prints
the medians of the rounds of all starts, of the ratios within each round, and of the ratios of the fastest quarter of
the rounds of a start, which other programs have disturbed least. Fails if the ratio within rounds is larger than 1 +
`--most`. On a busy machine, use short rounds: --rounds 16 --seconds 0.15.

Optimized as for users: cmake --preset bench -DAPUS_TESTS=ON; targets tracing_server conformance bench_load;
APUS_BUILD=build/bench.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys

import server
from administration import LOOPBACK, scrape
from otlp_receiver import Receiver, items_of

server.PROGRAMS["tracing"] = server.BUILD / "tests/tracing_server"
COSTS = {"tracing": ("tracing", "/hello", 0.02), "admin": ("conformance", "/", 0.01),
         "sandbox": ("conformance", "/", 0.01)}
FIELDS = ["User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Accept: */*",
          "Accept-Language: en-US,en;q=0.5", "Accept-Encoding: gzip, deflate, br, zstd", "Cache-Control: no-cache"]


FIRST, LAST = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))


class Measured:
    """A server on the first CPU, under the load of one client process on the last."""

    def __init__(self, of, load, options):
        self.server, self.load, self.options, self.times = of, load, options, []
        for thread in self.threads():
            os.sched_setaffinity(int(thread.name), {FIRST})
        self.before = self.cpu_seconds()

    def threads(self):
        return list(pathlib.Path(f"/proc/{self.server.process.pid}/task").iterdir())

    def cpu_seconds(self):
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in self.threads()) / 1e9

    def measure(self, path):
        """Measures a round. What the server has done since the last round belongs to it, such as an export."""
        words = [self.load, "--port", str(self.server.port), "--connections", str(self.options.connections),
                 "--seconds", str(self.options.seconds), "--path", path, "--expect-status", "2xx",
                 *(word for field in FIELDS for word in ("--header", field))]
        told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        if told["errors"]:
            sys.exit(f"{told['errors']} errors: {told}")
        if self.server.admin:
            scrape(self.server)
        before, self.before = self.before, self.cpu_seconds()
        self.times.append((self.before - before) / told["requests"] * 1e6)


@contextlib.contextmanager
def servers(name, options):
    """Yields the servers without, with, and without the part again, and the path of the requests."""
    with contextlib.ExitStack() as stack:
        def start(with_part):
            environment, words, program = {}, [], COSTS.get(name, ("conformance",))[0]
            if name == "builds":
                server.PROGRAMS["other"] = pathlib.Path(options.builds[with_part]).resolve() / "bin/conformance"
                program = "other"
            elif name == "tracing":
                environment = {"TEST_TRACING": str(int(with_part)), "TEST_SAMPLE": str(options.sample),
                               "TEST_INTERVAL_MS": "2000", "OTEL_EXPORTER_OTLP_ENDPOINT": options.receiver.url}
            elif name == "sandbox":
                words = ["--sandbox"] if with_part else []
            return stack.enter_context(server.Server(options.backend, *words, program=program, environment=environment,
                                                     admin=LOOPBACK if name == "admin" and with_part else None))

        load = pathlib.Path(options.builds[0] if options.builds else server.BUILD).resolve() / "bench/load"
        yield [Measured(start(with_part), load, options) for with_part in (False, True, False)]


def fastest_quarter(times):
    return statistics.mean(sorted(times)[:max(1, len(times) // 4)])


def compare(name, options):
    path, most = COSTS.get(name, ("", "/", 0.01))[1:]
    most = most if options.most is None else options.most
    times, quarters = [[], [], []], [[], []]
    for _ in range(options.starts):
        with servers(name, options) as all_servers:
            for number in range(options.rounds + 1):
                for each in all_servers if number % 2 else reversed(all_servers):
                    each.measure(path)
            kept = [each.times[1:] for each in all_servers]  # the first round warms up
        for all_times, some in zip(times, kept):
            all_times.extend(some)
        for ratios, other in zip(quarters, kept[1:]):
            ratios.append(fastest_quarter(other) / fastest_quarter(kept[0]))
    without, having, again = times
    ratio, noise = (statistics.median(b / a for a, b in zip(without, other)) for other in (having, again))
    print(f"| {name} | {statistics.median(without):.3f} | {statistics.median(having):.3f} | {ratio - 1:+.2%} "
          f"| {noise - 1:+.2%} | {statistics.median(quarters[0]) - 1:+.2%} | {statistics.median(quarters[1]) - 1:+.2%} "
          f"| {most:.1%} |", flush=True)
    return ratio <= 1 + most


def main():
    given = argparse.ArgumentParser(usage=__doc__)
    given.add_argument("--starts", type=int, default=5)
    given.add_argument("--rounds", type=int, default=3)
    given.add_argument("--seconds", type=float, default=1)
    given.add_argument("--connections", type=int, default=16)
    given.add_argument("--backend", default="uring")
    given.add_argument("--sample", type=float, default=0.01)
    given.add_argument("--most", type=float)
    given.add_argument("--builds", nargs=2)
    given.add_argument("costs", nargs="*", choices=[*COSTS, []])
    given = given.parse_args()
    names = given.costs or (["builds"] if given.builds else list(COSTS))
    os.sched_setaffinity(0, {LAST})  # inherited by the load generator and the threads of the receiver
    columns = ["Part", "Without (us of CPU time)", "With", "Difference", "Two equal servers",
               "Difference, fastest quarter", "Two equal servers, fastest quarter", "Limit"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    with Receiver(decode=False) as given.receiver:
        fine = all([compare(name, given) for name in names])
        if "tracing" in names:
            spans = sum(1 for body in given.receiver.bodies for _ in items_of(body, lambda *_: None))
            print(f"The receiver got {spans} spans.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
