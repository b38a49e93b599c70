# SPDX-License-Identifier: Apache-2.0
"""A constant load for a long time: detects drift of latency, rate and memory."""
import math
import os

import fixtures
import measure
import peers
import places
import plan as plans
import priority
import process
import run
import run_folder
import scenarios

SLICES = 60
SHARE = 0.7  # fraction of the peer's maximum rate, so that it is busy but not overloaded
PEAK_SECONDS = 3


def entry_of(minutes, seconds):
    return scenarios.scenario(
        "soak", f"{minutes:g} minutes at 800 connections", "soak", "text",
        f"70 % of the peer's peak rate for {minutes:g} minutes, in slices of {seconds:.0f} s: each round is a "
        f"slice.",
        connections=800, figure="p99", ranks=("less", "us"))


def main(options):
    """Measures consecutive slices after a single start of each server. Returns the exit status."""
    run.allow_many_connections()
    fixtures.folder()
    options.quick = options.realtime = False  # see priority.SECONDS
    settings = run.settings_for(options)
    chosen = peers.named(options.peers)
    peers.set_up_all(chosen, run.say)
    seconds = max(1.0, options.minutes * 60 / SLICES)
    slices = max(1, math.ceil(options.minutes * 60 / seconds))
    entry = entry_of(options.minutes, seconds)
    plan = plans.Plan([p for p in chosen if p.state == peers.READY], [entry], slices, seconds)
    name = options.name or run_folder.fresh_name()
    folder = places.made(places.RUNS, name)
    record = run.describe(name, plan, settings, chosen, f"./apus bench soak --minutes {options.minutes:g}")
    run_folder.write_run(folder, record)
    status = 0
    priority.raise_own_priority(settings)
    try:
        for peer in plan.peers:
            soak(peer, entry, measure.Placement(settings, True), folder, seconds, slices)
        run_folder.write_run(folder, record | {"finished": run_folder.now()})
    except KeyboardInterrupt:
        status = 130
    print(drift(run_folder.samples(folder)))
    run.finish(folder)
    return status


def soak(peer, entry, placement, folder, seconds, slices):
    log = os.path.join(folder, f"{peer.name}.stderr")
    try:
        server = process.start(peer, placement.server_threads, 0, placement.server, placement.realtime, log)
    except process.ServerError as error:
        run_folder.append(folder, measure.failure("soak", peer.name, 0, str(error)))
        return
    try:
        peak = measure.sample(entry, peer.name, 0, server, placement, PEAK_SECONDS)
        rate = round(peak.get("rate", 0) * SHARE)
        for number in range(slices):
            line = measure.sample(entry, peer.name, number, server, placement, seconds, rate) if rate else peak
            run_folder.append(folder, line)
            run.say(f"[{number + 1}/{slices}] {peer.name}: {told(line)}")
            if not line["ok"]:
                return
    finally:
        process.stop(server)


def told(line):
    if not line["ok"]:
        return "FAILED: " + line["why"]
    latency = line["latency"] or {}
    return (f"{line['rate']:,.0f}/s, p99 {latency.get('p99') or 0:,.0f} us, {line['rss_kib'] or 0:,} KiB, "
            f"{line['errors']:,} errors")


def drift(lines):
    """Returns the first and the last slice of each peer as text."""
    rows = []
    for name in dict.fromkeys(line["peer"] for line in lines):
        mine = [line for line in lines if line["peer"] == name and line["ok"]]
        if mine:
            rows.append(f"{name}: first {told(mine[0])}; last {told(mine[-1])}")
    return "\n".join(rows)
