# SPDX-License-Identifier: Apache-2.0
"""Computes results.json: medians and spread of a run, and ratios to the cost of the kernel alone."""
import math
import statistics

import significance

from .records import is_apus, limits, number
from .scale import nines

APART = ("round", "percentiles")
GRID = (0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 99.999, 100)
NEAR = 0.12  # largest distance to interpolate over, in nines; `load` prints 13 points between 90 % and 99 %


def make(run, samples, unread=0):
    by_place = {}
    for sample in samples:
        by_place.setdefault((sample["scenario"], sample["peer"]), []).append(sample)
    yardsticks = limits(run)
    scenarios = [of_scenario(run, scenario, by_place, yardsticks) for scenario in run["scenarios"]]
    return {
        "schema": 1, "name": run.get("name", ""), "machine": run["machine"],
        "samples": len(samples), "failed_samples": sum(not s.get("ok") for s in samples),
        "expected_samples": expected(run), "unread_lines": unread,
        "yardsticks": yardsticks, "scenarios": scenarios, "not_yet": run["not_yet"],
    }


def expected(run):
    """Returns the maximum number of measurements of a run; a peer may take part in fewer scenarios than it supports."""
    rounds = run["settings"].get("rounds") or 0
    return sum((scenario.get("rounds") or rounds) * sum(takes_part(peer, scenario) for peer in run["peers"])
               for scenario in run["scenarios"])


def takes_part(peer, scenario):
    needs = {scenario.get("endpoint"), *scenario.get("also", [])} - {None}
    return peer.get("state") == "ready" and needs <= set(peer.get("offers") or [])


def of_scenario(run, scenario, by_place, yardsticks):
    name, figure = scenario["name"], scenario["figure"]
    if scenario.get("group") == "database":  # the limits have no database
        yardsticks = [peer["name"] for peer in run["peers"] if peer["name"] == "apus"]
    limits_by_round = {limit: by_round(by_place.get((name, limit), []), figure) for limit in yardsticks}
    rows = []
    for peer in run["peers"]:
        samples = by_place.get((name, peer["name"]), [])
        row = of_peer(peer, samples)
        row["over_time"] = over_time(samples) if scenario.get("group") == "soak" else []
        row["state"] = state(peer, scenario, samples)
        row["ratio"] = {limit: ratio for limit in yardsticks
                        if (ratio := to_limit(by_round(samples, figure), limits_by_round[limit]))}
        rows.append(row)
    rows.sort(key=lambda row: rank(row, figure, scenario.get("better", "less")))
    return {key: scenario.get(key) for key in ("name", "title", "group", "figure", "unit", "better",
                                               "connections")} | {"peers": rows}


def rank(row, figure, better):
    value = median(row, figure)
    if value is None:
        return (1, 0, row["name"])
    return (0, -value if better == "more" else value, row["name"])


def state(peer, scenario, samples):
    """Returns the outcome of a peer in a scenario."""
    if any(sample.get("ok") for sample in samples):
        return "measured"
    if samples or peer.get("state") == "failed":
        return "failed"
    if peer.get("state") != "ready":
        return peer.get("state") or "unknown"
    return "not measured" if takes_part(peer, scenario) else "not offered"


def of_peer(peer, samples):
    good = [sample for sample in samples if sample.get("ok")]
    bad = [sample for sample in samples if not sample.get("ok")]
    columns = {}
    for sample in good:
        for key, value in flattened(sample):
            columns.setdefault(key, []).append(value)
    return {
        "name": peer["name"], "title": peer.get("title") or peer["name"], "kind": peer.get("kind"),
        "apus": is_apus(peer["name"]), "rounds": len(good), "failed_rounds": len(bad),
        "why": sorted({str(sample.get("why") or "no recorded reason") for sample in bad}),
        "client_bound_rounds": sum(bool(sample.get("client_bound")) for sample in good),
        "errors_total": sum(columns.get("errors", [])), "requests_total": sum(columns.get("requests", [])),
        "keys": {key: spread(values) for key, values in sorted(columns.items())},
        "percentiles": percentiles(good),
    }


def flattened(sample, prefix=""):
    for key, value in sample.items():
        if key in APART or isinstance(value, bool):
            continue
        if isinstance(value, dict):
            yield from flattened(value, f"{prefix}{key}.")
        elif isinstance(value, (int, float)) and math.isfinite(value):
            yield prefix + key, value


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "n": len(values)}


def median(row, key):
    """Returns the median of a key of a peer's row; as in samples, `p99` means `latency.p99`."""
    found = row["keys"].get(key) or row["keys"].get(f"latency.{key}")
    return found["median"] if found else None


def by_round(samples, figure):
    values = {sample["round"]: number(sample, figure) for sample in samples if sample.get("ok")}
    return {at: value for at, value in values.items() if value is not None}


def to_limit(mine, limit):
    """Returns median and interval of the ratio, computed within each round, since the machine's speed drifts."""
    ratios = [value / limit[at] for at, value in mine.items() if limit.get(at, 0) > 0]
    if not ratios:
        return None
    low, high, coverage = significance.interval_of_median(ratios)
    return {"median": statistics.median(ratios), "low": low, "high": high, "coverage": round(coverage, 4),
            "n": len(ratios)}


def percentiles(samples):
    """Returns [[percentile, microseconds]]: the median over the rounds, at each percentile that every round has."""
    curves = [sorted(map(tuple, sample["percentiles"])) for sample in samples if sample.get("percentiles")]
    if not curves:
        return []
    points = []
    for p in GRID:
        at = [latency_at(p, curve) for curve in curves]
        if None not in at:
            points.append([p, statistics.median(at)])
    return points


def latency_at(p, curve):
    """Returns the latency at a percentile: a point of the curve, or an interpolation between two close points. Returns
    None if the nearest points are too far apart."""
    above = next(((q, us) for q, us in curve if q >= p), None)
    below = next(((q, us) for q, us in reversed(curve) if q <= p), None)
    if not above or not below:
        return None
    if above[0] == below[0]:
        return above[1]
    gap = nines(above[0]) - nines(below[0])
    if gap > NEAR:
        return None
    return below[1] + (above[1] - below[1]) * (nines(p) - nines(below[0])) / gap


def over_time(samples):
    """Returns figures over time in a long run, whose rounds are consecutive slices: one point per slice, at its end."""
    points, second = [], 0.0
    for sample in sorted((sample for sample in samples if sample.get("ok")), key=lambda sample: sample["round"]):
        second += number(sample, "seconds") or 0.0
        points.append({"second": round(second, 1), **{key: number(sample, key) for key in ("rss_kib", "p99", "rate")}})
    return points
