# SPDX-License-Identifier: Apache-2.0
"""A report as a list of blocks: tuples whose first item is the kind of block. markdown.py and page.py print them."""
import re

from . import plots, sentences, tables
from .plot_choice import families, styles

NAMES = {"json": "JSON", "tls": "TLS", "http2": "HTTP/2", "websocket": "WebSocket"}
READING = (
    "Each number is the median of the rounds that worked; \"rounds from \u2013 to\" is the lowest and the highest of "
    "them for the first figure. "
    "CPU is the server's, of its whole process tree, for one request: user is its own code, system the kernel's.",
    "\u00d7 a limit: the first figure divided by that limit's, within each round, and then the median; in brackets "
    "what the rounds allow it to be. "
    "Above 1 is worse than the limit where less is better, and better where more is.",
    "Plots show Apus, the limits and the next best eight; the tables have all.",
)
CLIENT = ("client-bound: in most rounds the load generator used up its cores, so requests per second say what it "
          "could ask for, "
          "not what the server can do. Trust CPU per request there.")


def blocks(run, results):
    style = styles(results)
    yield "heading", 1, f"Benchmark {run.get('name', '')}", "top"
    yield "contents",
    yield from summary(run, results)
    for group, scenarios in groups(results):
        yield from of_group(group, scenarios, run, style)
    yield from not_yet(run, results)
    yield "heading", 2, "Peers", "peers"
    yield "table", "Every peer of the suite", *tables.peers(run, results)
    yield from faults(run["peers"])
    yield from exactly(run)


def summary(run, results):
    yield "heading", 2, "What was measured, and how far to trust it", "summary"
    for sentence in sentences.measured(run, results):
        yield "text", sentence
    yield "list", list(sentences.caveats(run, results))
    yield "heading", 3, "How to read the tables", "reading"
    yield "list", list(READING)
    heads, rows = tables.rank_table(results)
    if rows:
        yield "heading", 3, "Apus in each scenario", "standings"
        yield "table", "Apus, and the best of the others by the same figure; limits have no place", heads, rows


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
        yield "text", "Nothing was measured here."
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
    yield "heading", 2, "What Apus cannot do yet", "not-yet"
    yield "text", "Its peers were measured in these scenarios all the same; Apus joins when it can."
    yield "table", "Scenarios without Apus", [("Scenario", "left"), ("Why", "left"), ("Peers measured", "right")], [
        ("", [titles.get(entry["scenario"]) or entry["scenario"], entry.get("why") or "",
              str(measured(results, entry["scenario"]))])
        for entry in run["not_yet"]]


def measured(results, name):
    return sum(row["state"] == "measured" for scenario in results["scenarios"] if scenario["name"] == name
               for row in scenario["peers"])


def faults(peers):
    """Returns the known defects of the peers that took part."""
    known = [f"{peer.get('title') or peer['name']}: {fault}" for peer in peers
             if peer.get("state") == "ready" for fault in peer.get("faults") or []]
    if known:
        yield "heading", 3, "Known faults of peers", "faults"
        yield "list", known


def exactly(run):
    yield "heading", 2, "Exactly what ran, and how to run it again", "again"
    yield "text", "In a clone of the repository, as root where real-time scheduling and packages are wanted:"
    yield "code", run.get("command") or "./apus bench"
    yield "text", "A run that was stopped goes on with `--resume` and its name. Two runs of one machine are compared by"
    yield "code", f"./apus bench compare {run.get('name', 'A')} OTHER"
    versions = {**run["tools"], **(run["machine"].get("compilers") or {})}
    if versions:
        yield "text", "Load tools, compilers and run times:"
        yield "list", [f"{name}: {version}" for name, version in versions.items()]
    for peer in run["peers"]:
        if peer.get("start"):
            yield "fold", f"How {peer.get('title') or peer['name']} is started", peer["start"]


def capital(text):
    return NAMES.get(text) or text[:1].upper() + text[1:]


def anchor(text):
    return re.sub(r"[^a-z0-9]+", "-", str(text).lower()).strip("-")
