#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares Apus with River (Go) and graphile-worker (Node.js) on one PostgreSQL server. Not part of the test suite.

python3 -B tests/e2e/jobs_compared.py [--jobs 50000] [--rounds 5] [--delays 500] [--rate 50] [--only NAME ...]

bench/jobs/README.md describes the programs and the measurements. Builds the programs, and then measures each of them
once per round. Prints the medians of the rounds. With `--rounds 0`, measures delays only.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from faulty_databases import Postgres

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/jobs"
FIRST, LAST = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
TICK = os.sysconf("SC_CLK_TCK")
APUS = ROOT / "build/bench/bench/jobs_worker"
# The command, the environment, and a query for the number of jobs that are not completed.
IN_APUS = "select count(*) from apus_jobs"
PEERS = {
    "Apus (io_uring)": ([APUS], {"APUS_IO": "uring"}, IN_APUS),
    "Apus (epoll)": ([APUS], {"APUS_IO": "epoll"}, IN_APUS),
    "River": ([BUILD / "river/worker"], {}, "select count(*) from river_job where state <> 'completed'"),
    "graphile-worker": (["node", BUILD / "graphile-worker/worker.js"], {"NODE_ENV": "production"},
                        "select count(*) from graphile_worker._private_jobs"),
}


def build():
    for words in (["cmake", "--preset", "bench"], ["cmake", "--build", "build/bench", "--target", "bench_jobs_worker"]):
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for name in ("river", "graphile-worker"):
        (BUILD / name).mkdir(parents=True, exist_ok=True)
        subprocess.run(["./build"], cwd=ROOT / "bench/jobs" / name, check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, OUT=str(BUILD / name)))


def postgres_seconds(of):
    """CPU time of the server and of its processes, also of ended ones."""
    def fields(process):
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
        return [int(each) for each in text.rpartition(")")[2].split()[11:15]]

    main = of.process.pid
    ticks = sum(fields(main))
    for child in pathlib.Path(f"/proc/{main}/task/{main}/children").read_text().split():
        try:
            ticks += sum(fields(child)[:2])
        except OSError:
            pass
    return ticks / TICK


def seconds_of(process):
    """CPU time of all threads of a process."""
    threads = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((each / "schedstat").read_text().split()[0]) for each in threads) / 1e9


class Peer:
    def __init__(self, name, database):
        self.name, self.database = name, database
        self.command, self.environment, self.unfinished = PEERS[name]
        self.rounds = []

    def start(self, *arguments, cpu=FIRST):
        url = self.database.url("jobs")
        return subprocess.Popen([*self.command, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                env=dict(os.environ, DATABASE_URL=url, **self.environment), text=True,
                                preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))

    def run(self, *arguments):
        """Runs a program beside PostgreSQL."""
        process = self.start(*arguments, cpu=LAST)
        process.communicate(timeout=300)
        if process.returncode != 0:
            sys.exit(f"{self.name}: {arguments} ended with status {process.returncode}")

    def prepare(self):
        self.database.run("drop database if exists jobs")
        self.database.run("create database jobs")
        self.run("migrate")

    def left(self):
        return int(self.database.run(self.unfinished, "jobs"))

    def ready(self, what, count):
        process = self.start(what, count)
        if process.stdout.readline() != "ready\n":
            sys.exit(f"{self.name}: `{what}` does not start")
        return process

    def work(self, count):
        """Returns jobs/s, and the CPU times of the worker and of PostgreSQL per job in microseconds."""
        self.prepare()
        self.run("fill", count)
        if self.left() != count:
            sys.exit(f"{self.name}: `fill` has not added {count} jobs")
        self.database.run("vacuum analyze", "jobs")
        self.database.run("checkpoint")
        process = self.ready("work", count)
        time.sleep(0.2)
        worker, server, begun = seconds_of(process), postgres_seconds(self.database), time.monotonic()
        process.stdin.write("\n")
        process.stdin.flush()
        usage = os.wait4(process.pid, 0)[2]
        elapsed = time.monotonic() - begun
        process.returncode = 0
        worker = usage.ru_utime + usage.ru_stime - worker
        time.sleep(0.2)  # the server's processes end
        server = postgres_seconds(self.database) - server
        if (left := self.left()) != 0:
            sys.exit(f"{self.name}: {left} jobs are left")
        self.rounds.append((count / elapsed, worker / count * 1e6, server / count * 1e6))

    def delays(self, count, rate):
        """Returns the times from the call that adds a job to the start of its handler, in milliseconds."""
        self.prepare()
        process = self.ready("delays", count + rate)
        process.stdin.write("\n")
        process.stdin.flush()
        time.sleep(1)
        self.run("produce", count + rate, rate)
        out = process.communicate(timeout=60)[0]
        return sorted(each / 1000 for each in json.loads(out)[rate:])  # the jobs of the first second warm up


@contextlib.contextmanager
def on_postgres(*options):
    """A server on the last processor. Automatic vacuuming would disturb single measurements."""
    database = Postgres(("-c", "autovacuum=off", *options), cpu=LAST)
    try:
        yield database
    finally:
        database.remove()


def measure_rates(given):
    with on_postgres() as database:
        peers = [Peer(name, database) for name in given.only]
        for number in range(given.rounds):
            for peer in peers if number % 2 else reversed(peers):
                peer.work(given.jobs)
                rate, worker, server = peer.rounds[-1]
                print(f"round {number + 1}: {peer.name}: {rate:,.0f} jobs/s, worker {worker:.2f} us, PostgreSQL "
                      f"{server:.2f} us", file=sys.stderr, flush=True)
    print("| Queue | Jobs/s | Worker: CPU time per job (us) | PostgreSQL: CPU time per job (us) | Jobs per CPU second "
          "of the worker | of both |")
    print("|---|---|---|---|---|---|")
    for peer in peers:
        rate, worker, server = (statistics.median(each) for each in zip(*peer.rounds))
        print(f"| {peer.name} | {rate:,.0f} | {worker:.1f} | {server:.1f} | {1e6 / worker:,.0f} "
              f"| {1e6 / (worker + server):,.0f} |")


def measure_delays(given):
    rows = {name: [] for name in given.only}
    for options in ((), ("-F",)):
        with on_postgres(*options) as database:
            for name, row in rows.items():
                delays = Peer(name, database).delays(given.delays, given.rate)
                row += [statistics.median(delays), delays[int(len(delays) * 0.99)]]
    print("| Queue | Delay p50 (ms) | p99 | p50 with fsync = off | p99 |")
    print("|---|---|---|---|---|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(f"{each:.2f}" for each in row) + " |")


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--jobs", type=int, default=50_000)
    given.add_argument("--rounds", type=int, default=5)
    given.add_argument("--delays", type=int, default=500)
    given.add_argument("--rate", type=int, default=50)
    given.add_argument("--only", nargs="*", choices=list(PEERS), default=list(PEERS))
    given = given.parse_args()
    build()
    if given.rounds:
        measure_rates(given)
    measure_delays(given)


if __name__ == "__main__":
    main()
