#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the CPU time of a request without and with a part of Apus, in interleaved rounds.

Usage: costs_run.py [--rounds 15] [--seconds 1] [--connections 16] [--backend uring] [--most 0.01] COST...
       costs_run.py [...] --builds WITHOUT WITH

COST: tracing (1 % of the requests are recorded and exported), admin (metrics, tasks and lists of requests are served,
and scraped once per round), sandbox. `--builds` compares a program of two build folders, such as those of part_cost.py.
A third server, equal to the first, shows the noise. Prints the medians of the rounds, and of the ratios within each
round. Fails if a ratio is larger than 1 + `--most`.
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
from otlp_receiver import Receiver

server.PROGRAMS["tracing"] = server.BUILD / "tests/tracing_server"
COSTS = {"tracing": ("tracing", "/hello", 0.02), "admin": ("conformance", "/", 0.01),
         "sandbox": ("conformance", "/", 0.01)}
FIELDS = ["User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Accept: */*",
          "Accept-Language: en-US,en;q=0.5", "Accept-Encoding: gzip, deflate, br, zstd", "Cache-Control: no-cache"]


class Measured:
    """A server on the first CPU, under the load of one client process on the last."""

    def __init__(self, of, load, options):
        self.server, self.load, self.options, self.times = of, load, options, []
        os.sched_setaffinity(of.process.pid, {min(os.sched_getaffinity(0))})
        for thread in pathlib.Path(f"/proc/{of.process.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {min(os.sched_getaffinity(0))})

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/schedstat").read_text().split()
        threads = pathlib.Path(f"/proc/{self.server.process.pid}/task").iterdir()
        return sum(int((t / "schedstat").read_text().split()[0]) for t in threads) / 1e9 if fields else 0.0

    def measure(self, path):
        words = [self.load, "--port", str(self.server.port), "--connections", str(self.options.connections),
                 "--seconds", str(self.options.seconds), "--path", path, "--expect-status", "2xx",
                 *(word for field in FIELDS for word in ("--header", field))]
        last = max(os.sched_getaffinity(0))
        before = self.cpu_seconds()
        done = subprocess.run(words, capture_output=True, text=True, check=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, {last}))
        told = json.loads(done.stdout)
        if told["errors"]:
            sys.exit(f"{told['errors']} errors: {told}")
        if self.server.admin:
            scrape(self.server)
        self.times.append((self.cpu_seconds() - before) / told["requests"] * 1e6)


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
                environment = {"TEST_TRACING": str(int(with_part)), "TEST_SAMPLE": "0.01", "TEST_INTERVAL_MS": "2000",
                               "OTEL_EXPORTER_OTLP_ENDPOINT": stack.enter_context(Receiver()).url}
            elif name == "sandbox":
                words = ["--sandbox"] if with_part else []
            return stack.enter_context(server.Server(options.backend, *words, program=program, environment=environment,
                                                     admin=LOOPBACK if name == "admin" and with_part else None))

        load = pathlib.Path(options.builds[0] if options.builds else server.BUILD).resolve() / "bench/load"
        yield [Measured(start(with_part), load, options) for with_part in (False, True, False)]


def compare(name, options):
    path, most = COSTS.get(name, ("", "/", 0.01))[1:]
    most = most if options.most is None else options.most
    with servers(name, options) as all_servers:
        for number in range(options.rounds + 1):
            for each in all_servers if number % 2 else reversed(all_servers):
                each.measure(path)
        without, having, again = (each.times[1:] for each in all_servers)  # the first round warms up
    ratio, noise = (statistics.median(b / a for a, b in zip(without, other)) for other in (having, again))
    print(f"| {name} | {statistics.median(without):.3f} | {statistics.median(having):.3f} | {ratio - 1:+.2%} "
          f"| {noise - 1:+.2%} | {most:.1%} |", flush=True)
    return ratio <= 1 + most


def main():
    given = argparse.ArgumentParser(usage=__doc__)
    given.add_argument("--rounds", type=int, default=15)
    given.add_argument("--seconds", type=float, default=1)
    given.add_argument("--connections", type=int, default=16)
    given.add_argument("--backend", default="uring")
    given.add_argument("--most", type=float)
    given.add_argument("--builds", nargs=2)
    given.add_argument("costs", nargs="*", choices=[*COSTS, []])
    given = given.parse_args()
    names = given.costs or (["builds"] if given.builds else list(COSTS))
    print("| Part | Without (us of CPU time) | With | Difference | Two equal servers | Limit |")
    print("|---|---|---|---|---|---|")
    return 0 if all([compare(name, given) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
