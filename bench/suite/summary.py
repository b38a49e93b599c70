# SPDX-License-Identifier: Apache-2.0
"""Prints a run as one table for a terminal: medians of the ranking figure, for the most informative scenarios."""
import statistics

COLUMNS = ("text-50", "text-800", "close-50", "pipeline-16", "two-threads-800", "steady-800", "json-50", "body-64k",
           "routes", "cold-start")
MOST = 7


def medians(run, samples):
    """Returns figure[scenario][peer], from valid measurements."""
    figures = {entry["name"]: entry["figure"] for entry in run["scenarios"]}
    values = {}
    for line in samples:
        figure = figures.get(line["scenario"])
        if line["ok"] and figure == "p99":
            value = (line["latency"] or {}).get("p99")
        else:
            value = line.get(figure) if line["ok"] else None
        if value is not None:
            values.setdefault(line["scenario"], {}).setdefault(line["peer"], []).append(value)
    return {scenario: {peer: statistics.median(all_of) for peer, all_of in peers.items()}
            for scenario, peers in values.items()}


def columns(run):
    names = [entry["name"] for entry in run["scenarios"]]
    telling = [name for name in COLUMNS if name in names]
    return (telling + [name for name in names if name not in telling])[:MOST]


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def grid(rows):
    """Returns rows of text with aligned columns; the first column is left-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def table(run, samples):
    found = medians(run, samples)
    shown = columns(run)
    units = {entry["name"]: ("p99 " if entry["figure"] == "p99" else "CPU " if entry["figure"] == "cpu_us" else "")
             + entry["unit"] for entry in run["scenarios"]}
    ready = [peer["name"] for peer in run["peers"] if peer["state"] == "ready"]
    least = found.get(shown[0], {}) if shown else {}
    ready.sort(key=lambda name: (least.get(name) is None, least.get(name, 0.0), name))
    rows = [["", *shown], ["", *(units[name] for name in shown)]]
    rows += [[name, *(number(found.get(scenario, {}).get(name)) for scenario in shown)] for name in ready]
    absent = [peer["name"] for peer in run["peers"] if peer["state"] not in ("ready", "left out")]
    return grid(rows) + (f"\nnot measured: {', '.join(absent)}" if absent else "")
