# SPDX-License-Identifier: Apache-2.0
"""A report as a list of blocks: tuples whose first item is the kind of block. markdown.py and page.py print them."""
import re

from . import plots, sentences, tables
from .plot_choice import families, styles

NAMES = {"json": "JSON", "tls": "TLS", "http2": "HTTP/2", "websocket": "WebSocket"}
READING = (
    "Each number is the median of the successful rounds; \"rounds from \u2013 to\" are the lowest and highest values "
        "of the first figure. CPU is the server's CPU time per request, of its whole process tree: user is its own "
            "code, system the kernel's.",
    "\u00d7 a limit: the ratio of the first figure to that of the limit in the same round; the median over the rounds, "
        "and in brackets its confidence interval. If less is better, a ratio above 1 is worse than the limit; if more "
            "is better, a ratio above 1 is better than the limit.",
    "Plots show Apus, the limits and the best eight other peers; the tables show all peers.",
)
CLIENT = ("client-bound: in most rounds the load generator fully used its cores, so requests per second show its "
    "maximum, not the server's. Compare CPU per request instead.")


def blocks(run, results):
    style = styles(results)
    yield "heading", 1, f"Benchmark {run.get('name', '')}", "top"
    yield "contents",
    yield from summary(run, results)
    for group, scenarios in groups(results):
        yield from of_group(group, scenarios, run, style)
    yield from not_yet(run, results)
    yield "heading", 2, "Peers", "peers"
    yield "table", "All peers of the suite", *tables.peers(run, results)
    yield from faults(run["peers"])
    yield from exactly(run)


def summary(run, results):
    yield "heading", 2, "Conditions and reliability", "summary"
    for sentence in sentences.measured(run, results):
        yield "text", sentence
    yield "list", list(sentences.caveats(run, results))
    yield "heading", 3, "How to read the tables", "reading"
    yield "list", list(READING)
    heads, rows = tables.rank_table(results)
    if rows:
        yield "heading", 3, "Apus in each scenario", "standings"
        yield "table", "Apus, and the best other peer by the same figure; limits are not ranked", heads, rows


def groups(results):
    found = {}
    for scenario in results["scenarios"]:
        found.setdefault(scenario["group"] or "other", []).append(scenario)
    return found.items()


def of_group(group, scenarios, run, style):
    about = {scenario["name"]: scenario for scenario in run["scenarios"]}
    yield "heading", 2, capital(str(group)), f"group-{anchor(group)}"
    for name, members in families(scenarios):
        figures = list(plots.of_family(members, style))
        if figures:
            yield ("heading", 3,
                   f"{capital(name)}: from {members[0]['connections']:,} to {members[-1]['connections']:,} connections",
                   f"family-{anchor(name)}")
            yield "figures", figures
            heads, rows = tables.of_family(members)
            if rows:
                yield "table", "Requests per second by number of connections", heads, rows
    for scenario in scenarios:
        yield from of_scenario(scenario, about[scenario["name"]], run, style)


def of_scenario(scenario, about, run, style):
    yield "heading", 3, scenario["title"] or scenario["name"], f"scenario-{anchor(scenario['name'])}"
    if about.get("about"):
        yield "text", about["about"]
    heads, rows = tables.of_scenario(scenario)
    if not rows:
        yield "text", "No peer was measured in this scenario."
    else:
        if figures := list(plots.of_scenario(scenario, style)):
            yield "figures", figures
        yield "table", f"{scenario['title']}, best first", heads, rows
        if any(tables.CLIENT in cells[-1] for _, cells in rows):
            yield "note", CLIENT
    for sentence in sentences.absent(scenario):
        yield "note", sentence
    if about.get("command"):
        yield ("fold", f"Command ({about.get('tool') or 'tool unknown'}, "
                       f"{'pinned' if about.get('pinned') else 'not pinned'})", about["command"])


def not_yet(run, results):
    if not run["not_yet"]:
        return
    titles = {scenario["name"]: scenario["title"] for scenario in results["scenarios"]}
    yield "heading", 2, "Scenarios that Apus does not support yet", "not-yet"
    yield "text", "The other peers were measured in these scenarios."
    yield "table", "Scenarios without Apus", [("Scenario", "left"), ("Why", "left"), ("Peers measured", "right")], [
        ("", [titles.get(entry["scenario"]) or entry["scenario"], entry.get("why") or "",
              str(measured(results, entry["scenario"]))])
        for entry in run["not_yet"]]


def measured(results, name):
    return sum(row["state"] == "measured" for scenario in results["scenarios"] if scenario["name"] == name
               for row in scenario["peers"])


def faults(peers):
    """Yields the known faults of the peers that were measured."""
    known = [f"{peer.get('title') or peer['name']}: {fault}" for peer in peers
             if peer.get("state") == "ready" for fault in peer.get("faults") or []]
    if known:
        yield "heading", 3, "Known faults of peers", "faults"
        yield "list", known


def exactly(run):
    yield "heading", 2, "Commands and versions", "again"
    yield "text", "In a clone of the repository, as root for real-time scheduling and for installing packages:"
    yield "code", run.get("command") or "./apus bench"
    yield "text", "`--resume NAME` continues a run that was stopped. To compare two runs of one machine:"
    yield "code", f"./apus bench compare {run.get('name', 'A')} OTHER"
    versions = {**run["tools"], **(run["machine"].get("compilers") or {})}
    if versions:
        yield "text", "Load tools, compilers and runtimes:"
        yield "list", [f"{name}: {version}" for name, version in versions.items()]
    for peer in run["peers"]:
        if peer.get("start"):
            yield "fold", f"How {peer.get('title') or peer['name']} is started", peer["start"]


def capital(text):
    return NAMES.get(text) or text[:1].upper() + text[1:]


def anchor(text):
    return re.sub(r"[^a-z0-9]+", "-", str(text).lower()).strip("-")
