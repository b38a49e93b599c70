# SPDX-License-Identifier: Apache-2.0
"""Describes a run in prose: its subject, its conditions, and its reliability."""
import statistics

from .number_format import NOTHING, share, size


def measured(run, results):
    settings, machine = run["settings"], run["machine"]
    ready = [peer for peer in run["peers"] if peer.get("state") == "ready" and peer.get("kind") != "limit"]
    known = [peer for peer in run["peers"] if peer.get("state") == "ready" and peer.get("kind") == "limit"]
    yield (f"{counted(len(run['scenarios']), 'scenario')}, {counted(len(ready), 'peer')} and "
           f"{counted(len(known), 'limit')}, in {rounds(run)} of {settings.get('seconds', '?')} s each: "
           f"{results['samples']:,} measurements of at most {results['expected_samples']:,}"
           + (f", of which {results['failed_samples']:,} failed." if results["failed_samples"] else "."))
    yield machine_of(machine)
    yield (f"In pinned scenarios, the server uses {cores(settings.get('server_cores'))} and the load generator "
           f"{cores(settings.get('client_cores'))}"
           f"{', both under real-time scheduling' if settings.get('realtime') else ''}. In other scenarios, both may "
           "use all cores.")
    yield f"Started {run.get('started') or NOTHING}, " + (f"finished {run['finished']}." if run.get("finished")
                                                          else "not finished.")


def machine_of(machine):
    memory = f", {size(machine['memory_mib'] * 2**20)} of memory" if machine.get("memory_mib") else ""
    return (f"Machine: {machine.get('cpu', 'unknown processor')}, {machine.get('cores', '?')} cores{memory}; "
            f"{machine.get('distribution', 'unknown distribution')}, "
            f"Linux {machine.get('kernel', '?')}, CPU governor: {machine.get('governor') or 'unknown'}, "
            + (f"virtualized: {machine['virtual']}." if is_virtual(machine)
               else "no virtualization detected."))


def is_virtual(machine):
    return machine.get("virtual") not in (None, "", "none")


def counted(number, word):
    return f"{number} {word}{'' if number == 1 else 's'}"


def rounds(run):
    number = run["settings"].get("rounds") or 0
    if run["scenarios"] and all(scenario.get("group") == "soak" for scenario in run["scenarios"]):
        return f"{counted(number, 'slice')}, one peer after another,"
    return counted(number, "interleaved round")


def cores(numbers):
    if not numbers:
        return "every core"
    return f"core{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def caveats(run, results):
    if not run.get("finished"):
        yield ("This run is incomplete: medians are those of the rounds so far, and the number of rounds differs "
            "between peers. `./apus bench --resume NAME` continues it.")
    for cut in run["settings"].get("cuts") or []:
        yield f"{str(cut)[:1].upper()}{str(cut)[1:]}."
    if results["unread_lines"]:
        yield (f"{counted(results['unread_lines'], 'line')} of samples.jsonl could not be read and were skipped, as "
            "happens when a run is killed while writing.")
    yield ("Server CPU per request is the most reliable figure. Requests per second also depend on the load "
        "generator, on other programs on the machine, and on shared caches.")
    yield from noise(results)
    yield ("Compare only figures of one run, preferably as ratios to a limit. A limit is a server that does not "
        "parse requests and sends a fixed response: its cost is that of the kernel alone. Ratios are computed within "
            "each round; the confidence interval of their median is in brackets "
           "(at least 95 % with 6 rounds or more, less with fewer).")
    bound, rows = client_bound(results)
    if bound:
        yield (f"In {bound} of {rows} rows the load generator was the bottleneck (marked client-bound): the server "
               f"can handle more requests per second "
               "than the table shows. CPU per request is not affected.")
    if is_virtual(run["machine"]):
        yield ("This was a virtual machine or a container: other guests of the host take CPU time, which cannot be "
               "measured here.")
    yield ("Latencies are corrected for coordinated omission: a request that should have been sent while the server "
           "stalled counts with its whole waiting time.")


def noise(results):
    """Yields a sentence about the variation of the limits between rounds."""
    moved = []
    for scenario in results["scenarios"]:
        for row in scenario["peers"]:
            is_key = "cpu" in scenario["figure"] or scenario["figure"] == "rate"
            found = row["keys"].get(scenario["figure"]) if is_key else None
            if row["kind"] == "limit" and found and found["n"] > 1 and found["median"] > 0:
                moved.append((found["max"] - found["min"]) / found["median"])
    if moved:
        yield (f"Noise of the machine: between rounds, the figures of the limits differed by "
               f"{share(statistics.median(moved))} in the median scenario, "
               f"and by {share(max(moved))} in the worst one. Smaller differences between figures are "
               f"not significant.")


def client_bound(results):
    rows = [row for scenario in results["scenarios"] for row in scenario["peers"] if row["rounds"]]
    return sum(row["client_bound_rounds"] * 2 > row["rounds"] for row in rows), len(rows)


def absent(scenario):
    """Returns the peers without a row in a scenario's table."""
    without = [row for row in scenario["peers"] if not row["rounds"] and not row["failed_rounds"]]
    for state, words in (("failed", "Could not be built or started (see Peers)"),
                         ("not offered", "Do not offer this endpoint"), ("not installed", "Not installed (see Peers)"),
                         ("left out", "Not part of this run"), ("not measured", "Not measured yet")):
        if titles := [row["title"] for row in without if row["state"] == state]:
            yield f"{words}: {'; '.join(titles)}."
