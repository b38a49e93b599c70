# SPDX-License-Identifier: Apache-2.0
"""Executes a plan: starts each server in turn, checks it, measures it under load, stops it, and saves the sample."""
import os
import statistics
import time

import database
import measure
import priority
import process
import run_folder
import scenarios
import special
import verify
from plan import WARMUP_SECONDS

PAUSE_SECONDS = 0.03
DATABASE_WARMUP_SECONDS = 0.5


class Progress:
    """Prints one line on stderr for each measurement, with the remaining time."""

    def __init__(self, say, plan, done):
        self.say, self.plan = say, plan
        self.total = plan.measurements()
        self.count = sum(1 for number, peer, batches in plan.visits() for batch in batches.values()
                         for entry in batch if (entry["name"], peer.name, number) in done)
        self.first, self.begun = self.count, time.monotonic()
        self.estimate = plan.estimate()

    def left(self):
        made, share = self.count - self.first, max(1, self.total)
        planned = self.estimate / share
        passed = time.monotonic() - self.begun
        pace = passed / made if made >= 10 else planned
        return pace * (self.total - self.count)

    def print_line(self, line):
        self.count += 1
        seconds = round(self.left())
        left = f"{seconds // 60} min {seconds % 60:02} s left" if seconds >= 60 else f"{seconds} s left"
        self.say(f"[{self.count}/{self.total}, {left}] round {line['round'] + 1} {line['peer']} "
                 f"{line['scenario']}: {outcome(line)}")


def outcome(line):
    """Describes a measurement in a few words."""
    if not line["ok"]:
        return "FAILED: " + line["why"]
    if line.get("value") is not None:
        return f"{line['value']:.3g}"
    if "rate" not in line:
        return f"{line['rss_kib']:,} KiB"
    parts = [f"{line['rate']:,.0f}/s"]
    if line["cpu_us"] is not None:
        parts.append(f"{line['cpu_us']:.2f} us CPU")
    if line.get("database_cpu_us") is not None:
        parts.append(f"{line['database_cpu_us']:.2f} us of PostgreSQL")
    latency = line["latency"] or line["latency_uncorrected"]
    if latency and latency.get("p99") is not None:
        parts.append(f"p99 {latency['p99']:,.0f} us")
    if line["errors"]:
        parts.append(f"{line['errors']:,} errors")
    if line["client_bound"]:
        parts.append("the client was the bottleneck")
    return ", ".join(parts)


class Rounds:
    """State of a run, shared by all starts of servers."""

    def __init__(self, folder, settings, data, say):
        self.folder, self.settings, self.data, self.say = folder, settings, data, say
        self.done = run_folder.done(folder)
        self.progress = None
        self.database = database.Database()

    def measure_all(self, plan):
        self.progress = Progress(self.say, plan, self.done)
        priority.raise_own_priority(self.settings)
        try:
            for number, peer, batches in plan.visits():
                for key, batch in batches.items():
                    missing = [entry for entry in batch if (entry["name"], peer.name, number) not in self.done]
                    if missing:
                        self.visit(plan, number, peer, key, missing)
        finally:
            self.database.stop()

    def save(self, line):
        run_folder.append(self.folder, line)
        self.done.add((line["scenario"], line["peer"], line["round"]))
        self.progress.print_line(line)

    def log(self, peer):
        return os.path.join(self.folder, f"{peer.name}.stderr")

    def start(self, peer, entry, placement):
        stores = entry["endpoint"] in database.ENDPOINTS
        more = self.database.environment() if stores else None
        server = process.start(peer, placement.server_threads, entry["routes"], placement.server, placement.realtime,
                               self.log(peer), more)
        server.database = self.database if stores else None
        return server

    def visit(self, plan, number, peer, key, batch):
        if key[0] == "no server":
            for entry in batch:
                self.save(special.compile_time(entry, peer, number, self.settings["client_cores"]))
            return
        placement = measure.Placement(self.settings, batch[0]["pinned"], batch[0]["threads"])
        server = None
        try:
            for entry in batch:
                if server is None or server.ended():
                    server = self.start(peer, entry, placement)
                    if key[0] == "load":
                        self.warm(server, placement)
                self.save(self.one(plan, number, peer, key, entry, server, placement))
                time.sleep(PAUSE_SECONDS)
        except process.ServerError as error:
            for entry in batch:
                if (entry["name"], peer.name, number) not in self.done:
                    self.save(measure.failure(entry["name"], peer.name, number, str(error)))
        finally:
            if server:
                process.stop(server)

    def warm(self, server, placement):
        entry = scenarios.BY_NAME["text-10"]
        measure.sample(entry, "", 0, server, placement, WARMUP_SECONDS)

    def one(self, plan, number, peer, key, entry, server, placement):
        if key[0] == "own start":
            how = {"cold_start": special.cold_start, "start_memory": special.start_memory}
            if entry["tool"] in how:
                return how[entry["tool"]](entry, peer, number, server)
            return special.idle(entry, peer, number, server, placement)
        if wrong := verify.check(server, entry, self.data):
            return measure.failure(entry["name"], peer.name, number, server.ended(within=1.0) or wrong)
        if server.database:  # this load opens the connections to PostgreSQL and prepares the statements
            measure.sample(entry, peer.name, number, server, placement, DATABASE_WARMUP_SECONDS)
        rate = entry["rate"]
        if entry["share"]:
            rate, why = steady_rate(run_folder.samples(self.folder), plan.peers, entry)
            if why:
                return measure.failure(entry["name"], peer.name, number, why)
        return measure.sample(entry, peer.name, number, server, placement, plan.seconds_of(entry), rate)


def steady_rate(lines, peers, entry):
    """Returns (constant rate for all peers, None), or (0, reason why the rate is unknown)."""
    scenario = entry["needs"][0]
    serious = {peer.name for peer in peers if peer.language in scenarios.SERIOUS_LANGUAGES}
    rates = {}
    for line in lines:
        if line["scenario"] == scenario and line["ok"] and line["peer"] in serious:
            rates.setdefault(line["peer"], []).append(line["rate"])
    if not rates:
        return 0.0, f"no peer in {', '.join(sorted(scenarios.SERIOUS_LANGUAGES))} has a rate in {scenario}"
    slowest = min(statistics.median(values) for values in rates.values())
    return round(slowest * entry["share"]), None
