# SPDX-License-Identifier: Apache-2.0
"""Selects the peers in a plot, their colors, and the scenarios that form a curve."""
import re

from .lines import MARKERS
from .results import median

OTHERS = 8
COLOURS = 8
SHAPES = tuple(MARKERS)
DASHES = ("", "6 3", "2 2")


def chosen(rows, others=OTHERS):
    """Returns the names of the measured rows for a plot, best first: Apus, the limits, and the best others."""
    names, left = [], others
    for row in rows:
        if row["state"] != "measured":
            continue
        if row["apus"] or row["kind"] == "limit":
            names.append(row["name"])
        elif left > 0:
            names.append(row["name"])
            left -= 1
    return names


def chosen_of(scenarios, others=OTHERS):
    """Returns the names of the rows for a plot of several scenarios, ordered by their mean rank."""
    places, rows = {}, {}
    for scenario in scenarios:
        for place, row in enumerate(scenario["peers"]):
            if row["state"] == "measured":
                places.setdefault(row["name"], []).append(place)
                rows[row["name"]] = row
    # A peer with a figure in only one scenario has no line.
    curves = [name for name, found in places.items() if len(found) > 1]
    curves.sort(key=lambda name: (sum(places[name]) / len(places[name]), name))
    return chosen([rows[name] for name in curves], others)


def styles(results):
    """Returns {peer: (CSS class, dash, marker)}, the same for every plot; no two peers share all three. The peers
    that plots show most often come first, so that their colors differ."""
    shown = {}
    for scenario in results["scenarios"]:
        for name in chosen(scenario["peers"]):
            shown[name] = shown.get(name, 0) + 1
    rows = {row["name"]: row for scenario in results["scenarios"] for row in scenario["peers"]}
    found, count = {}, {"limit": 0, "apus": 0, "other": 0}
    for name in sorted(rows, key=lambda name: (-shown.get(name, 0), name)):
        kind = "apus" if rows[name]["apus"] else "limit" if rows[name]["kind"] == "limit" else "other"
        at = count[kind]
        count[kind] += 1
        if kind == "other":
            lap = at // COLOURS
            found[name] = (f"s{at % COLOURS}", DASHES[lap % 3], SHAPES[(at + lap) % 5])
        else:
            found[name] = (kind, ("4 3", "1 3")[at % 2] if kind == "limit" else DASHES[at % 3], SHAPES[at % 5])
    return found


def families(scenarios):
    """Returns [(title, [scenario, ...])] of scenarios that differ only in the number of connections, the last part
    of their names: text-1, text-10, ..."""
    found = {}
    for scenario in scenarios:
        m = re.fullmatch(r"(.+)-(\d+)", scenario["name"])
        if m and scenario.get("connections") == int(m[2]):
            found.setdefault(m[1], []).append(scenario)
    return [(name, sorted(members, key=lambda s: s["connections"])) for name, members in found.items()
            if len(members) > 2]


def curve(members, name, key):
    """Returns [(connections, median)] of a peer."""
    points = []
    for scenario in members:
        row = next((row for row in scenario["peers"] if row["name"] == name), None)
        value = median(row, key) if row else None
        if value is not None:
            points.append((scenario["connections"], value))
    return points
