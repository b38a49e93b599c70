# SPDX-License-Identifier: Apache-2.0
"""A run, from its options to its report."""
import os
import resource
import shlex
import sys

import fixtures
import flags
import machine
import measure
import peers as known_peers
import places
import plan as plans
import priority
import rounds
import run_folder
import scenarios
import summary
from tools import LoadTarget

DESCRIPTORS = 65536
QUICK_SETUP_SECONDS = 30
LEFT_OUT = "left out"


def say(line):
    print(line, file=sys.stderr, flush=True)


def allow_many_connections():
    """Raises the limit of descriptors to the maximum: 10,000 connections need as many descriptors on both sides."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in ((DESCRIPTORS, max(DESCRIPTORS, hard)), (hard, hard)):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, wanted)
            return
        except (OSError, ValueError):
            continue


def settings_for(options):
    server, client = priority.cores(sorted(os.sched_getaffinity(0)))
    return {"rounds": None, "seconds": None, "realtime": options.realtime and priority.permitted(),
            "server_cores": server, "client_cores": client, "quick": options.quick}


def chosen_peers(options):
    """Returns (peers to measure, other peers). A quick run selects peers by importance."""
    everyone = known_peers.read_all()
    if options.scenarios and "flags" in options.scenarios:
        everyone += flags.variants()
    if options.peers:
        by_name = {peer.name: peer for peer in everyone}
        if unknown := [name for name in options.peers if name not in by_name]:
            raise places.Unknown(unknown[0])
        wanted = [by_name[name] for name in options.peers]
    elif options.quick:
        wanted = [peer for name in scenarios.QUICK_PEERS for peer in everyone if peer.name == name]
        if not wanted:
            wanted = everyone
    else:
        wanted = everyone
    return wanted, [peer for peer in everyone if peer not in wanted]


def set_up(wanted, others, quick):
    """Sets up the wanted peers, and returns those that are ready. Only determines the state of the other peers."""
    if wanted:
        say(f"setting up {len(wanted)} peers; logs are in {places.shown(places.BUILD)}/peers")
    # Apus is built first, without a time limit.
    ours = [peer for peer in wanted if peer.name.startswith("apus")]
    known_peers.set_up_all(ours, say)
    known_peers.set_up_all([peer for peer in wanted if peer not in ours], say, QUICK_SETUP_SECONDS if quick else None)
    for peer in others:
        known_peers.look(peer)
        if peer.state == known_peers.READY:
            peer.mark_unavailable(LEFT_OUT, "this run does not measure it")
    return [peer for peer in wanted if peer.state == known_peers.READY]


def make_plan(options, ready):
    chosen = scenarios.choose(options.scenarios, options.quick)
    if options.scenarios is None and not options.quick and not any("database" in p.offers for p in ready):
        chosen = [s for s in chosen if s["group"] != "database"]
    quick = options.quick
    plan = plans.Plan(ready, chosen, options.rounds or (plans.QUICK_ROUNDS if quick else 5),
                      options.seconds or (plans.QUICK_SECONDS if quick else priority.SECONDS))
    named = options.peers or options.scenarios or options.rounds or options.seconds
    minutes = options.budget or (plans.QUICK_MINUTES if quick else None if named else plans.FULL_MINUTES)
    if minutes:
        plans.fit(plan, minutes - (QUICK_SETUP_SECONDS / 60 if quick else 0), may_drop=quick)
    return plan


def command_of(entry, plan, settings):
    """Returns the command line of a scenario's tool, as a user would type it."""
    if entry["tool"] not in measure.TOOLS:
        return ""
    placement = measure.Placement(settings, entry["pinned"], entry["threads"])
    aim = LoadTarget("PORT", "TLS_PORT", entry["connections"], plan.seconds_of(entry), placement.client_threads,
                     entry["args"], entry["rate"])
    words = measure.TOOLS[entry["tool"]].command(aim)
    words[0] = os.path.basename(words[0])
    line = " ".join(shlex.quote(places.shown(word) if os.path.isabs(word) else word) for word in words)
    return line + (" --rate RATE" if entry["share"] else "")


def scenario_entry(entry, plan, settings):
    keys = ("name", "title", "group", "endpoint", "tool", "pinned", "connections", "figure", "better", "unit", "about",
            "threads", "routes", "also")
    return {key: entry[key] for key in keys} | {
        "rounds": plan.rounds[entry["name"]], "seconds": plan.seconds_of(entry),
        "command": command_of(entry, plan, settings)}


def not_yet(plan, everyone):
    """Returns the scenarios that Apus does not support, with the reasons from [not_yet] of its peer.toml."""
    apus = next((peer for peer in everyone if peer.name == "apus"), None)
    if apus is None:
        return []
    reasons = apus.known.get("not_yet", {})
    return [{"scenario": s["name"], "why": reasons.get(s["endpoint"], f"Apus does not offer `{s['endpoint']}` yet")}
            for s in plan.scenarios if not scenarios.offered(s, apus.offers)]


def describe(name, plan, settings, everyone, command):
    settings = settings | {"rounds": plan.all_rounds(), "seconds": plan.seconds,
                           "lesser_seconds": plan.lesser_seconds, "cuts": plan.cuts,
                           "estimated_seconds": round(plan.estimate())}
    used = {entry["tool"] for entry in plan.scenarios if entry["tool"] in measure.TOOLS}
    return {
        "schema": 1, "name": name, "started": run_folder.now(), "finished": None, "command": command,
        "machine": machine.describe() | {"compilers": machine.compilers()}, "settings": settings,
        "tools": {tool: measure.TOOLS[tool].version() for tool in sorted(used)},
        "peers": [peer.entry() for peer in everyone],
        "scenarios": [scenario_entry(entry, plan, settings) for entry in plan.scenarios],
        "not_yet": not_yet(plan, everyone),
    }


def start(options, command):
    """Starts a new run. Returns the exit status."""
    allow_many_connections()
    name = options.name or run_folder.fresh_name()
    folder = os.path.join(places.RUNS, name)
    if os.path.exists(os.path.join(folder, run_folder.RUN)):
        raise FileExistsError(f"a run `{name}` already exists: choose another --name, or continue it with "
                              f"--resume {name}")
    chosen = scenarios.choose(options.scenarios, options.quick)  # raises for an unknown name, before anything is built
    settings = settings_for(options)
    wanted, others = chosen_peers(options)
    if not options.peers:
        takes_part = plans.Plan([], chosen, 1, 1.0).takes_part
        idle = [peer for peer in wanted if peer.known and not any(takes_part(peer, entry) for entry in chosen)]
        wanted, others = [peer for peer in wanted if peer not in idle], others + idle
    fixtures.folder()
    ready = set_up(wanted, others, options.quick)
    everyone = sorted([*wanted, *others], key=lambda peer: peer.name)
    plan = make_plan(options, ready)
    places.made(folder)
    run = describe(name, plan, settings, everyone, command)
    run_folder.write_run(folder, run)
    return measure_rest(folder, run, plan)


def resume(name):
    """Continues a run that was stopped."""
    allow_many_connections()
    folder = run_folder.find(name)
    run = run_folder.read_run(folder)
    settings = run["settings"]
    fixtures.folder()
    by_name = {peer.name: peer for peer in [*known_peers.read_all(), *flags.variants()]}
    wanted = [by_name[p["name"]] for p in run["peers"] if p["state"] == known_peers.READY and p["name"] in by_name]
    ready = set_up(wanted, [], False)
    plan = plans.Plan(ready, [scenarios.BY_NAME[s["name"]] for s in run["scenarios"]], 0, settings["seconds"])
    plan.rounds = {s["name"]: s["rounds"] for s in run["scenarios"]}
    plan.lesser_seconds = settings["lesser_seconds"]
    if settings["realtime"] and not priority.permitted():
        raise PermissionError("this run uses SCHED_RR, which is not permitted now: run as root")
    return measure_rest(folder, run, plan)


def measure_rest(folder, run, plan):
    """Takes the missing measurements, then writes the report. After Ctrl-C, reports the measurements so far."""
    data = fixtures.folder()
    minutes = plan.estimate() / 60
    say(f"{len(plan.peers)} peers, {len(plan.scenarios)} scenarios, {plan.measurements()} measurements of "
        f"{plan.seconds:g} s: about {minutes:.0f} min")
    for cut in plan.cuts:
        say(f"  {cut}")
    status = 0
    try:
        rounds.Rounds(folder, run["settings"], data, say).measure_all(plan)
        run_folder.write_run(folder, run | {"finished": run_folder.now()})
    except KeyboardInterrupt:
        say(f"stopped; `./apus bench --resume {run['name']}` continues")
        status = 130
    finish(folder)
    return status


def finish(folder):
    """Creates the reports, and prints a short table and their paths."""
    import report
    paths = report.write(folder)
    print(summary.table(run_folder.read_run(folder), run_folder.samples(folder)))
    for path in paths:
        print(places.shown(str(path)))
