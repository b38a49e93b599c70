# SPDX-License-Identifier: Apache-2.0
"""Compares two runs: `compare A B [--scenario NAME ...] [--peer NAME ...] [--all] [--anyway] [--fail-on-worse]`.

A and B are names of runs or their folders. B is the later run, which may be better or worse than A.
"""
import argparse
import sys

import significance
from report.records import Unreadable, find, is_apus, limits, load, number

CERTAIN = 0.05
WORSE, BETTER, SAME, FEW = "worse", "better", "no difference shown", "too few rounds"
# Units without a ratio to the limits: memory use does not depend on the machine's speed, and is almost 0 for the
# limits.
COUNTED = ("bytes", "B", "KiB", "MiB")


def main(argv):
    options = arguments(argv)
    try:
        before, after = (load(find(name)) for name in (options.a, options.b))
    except Unreadable as error:
        return refuse(str(error))
    for sentence in differences(before[0]["machine"], after[0]["machine"]):
        if not options.anyway:
            return refuse(f"{sentence} Figures of two machines are not comparable. `--anyway` compares them "
                          f"nevertheless.")
        print(f"Beware: {sentence}")
    rows = compared(before, after, options.scenario, options.peer)
    if not rows:
        print("The runs have no scenario and peer in common.")
        return 0
    print("\n".join(report(rows, options)))
    return 1 if options.fail_on_worse and any(row["verdict"] == WORSE for row in rows) else 0


def arguments(argv):
    parser = argparse.ArgumentParser(prog="compare",
                                     description="Reports differences between two runs, with their statistical "
                                         "significance.")
    parser.add_argument("a", metavar="A", help="the earlier run: its name or its folder")
    parser.add_argument("b", metavar="B", help="the later run")
    parser.add_argument("--scenario", action="append",
                        help="only this scenario; may be repeated. Fewer rows need fewer rounds")
    parser.add_argument("--peer", action="append", help="only this peer; may be repeated")
    parser.add_argument("--all", action="store_true", help="list rows of other peers without a difference, too")
    parser.add_argument("--anyway", action="store_true", help="compare runs of different machines")
    parser.add_argument("--fail-on-worse", action="store_true", help="end with status 1 if any row is worse")
    return parser.parse_args(argv)


def refuse(sentence):
    print(sentence, file=sys.stderr)
    return 2


def differences(one, other):
    """Returns the differences between two machines, including the kernel."""
    for key, name in (("cpu", "processors"), ("cores", "numbers of cores"), ("kernel", "kernels"),
                      ("virtual", "kinds of virtual machine")):
        if one.get(key) != other.get(key):
            yield f"The runs were made with different {name}: {one.get(key)} and {other.get(key)}."


def compared(before, after, only_scenarios, only_peers):
    """Returns a dictionary for each scenario and peer of both runs, sorted with the worst change first."""
    rows = []
    scenarios = {scenario["name"]: scenario for scenario in before[0]["scenarios"]}
    for scenario in after[0]["scenarios"]:
        if scenario["name"] not in scenarios or only_scenarios and scenario["name"] not in only_scenarios:
            continue
        if scenario["figure"] == scenarios[scenario["name"]]["figure"]:
            rows += of_scenario(scenario, before, after, only_peers)
    titles = {peer["name"]: peer.get("title") or peer["name"] for peer in after[0]["peers"]}
    for row, p in zip(rows, corrected(rows)):
        row["title"] = titles.get(row["peer"], row["peer"])
        judge(row, p)
    order = {WORSE: 0, BETTER: 1, SAME: 2, FEW: 3}
    return sorted(rows, key=lambda row: (order[row["verdict"]], -row["loss"], row["scenario"], row["peer"]))


def of_scenario(scenario, before, after, only_peers):
    one, other = (figures(samples, scenario) for _, samples, _ in (before, after))
    shared = [limit for limit in limits(after[0]) if limit in limits(before[0]) and limit in one and limit in other]
    yardstick = shared[0] if shared and scenario.get("unit") not in COUNTED else None
    for peer in sorted(one.keys() & other.keys()):
        if peer == yardstick or only_peers and peer not in only_peers:
            continue
        a, b = (ratios(run, peer, yardstick) for run in (one, other))
        if not a or not b:
            continue
        yield {"scenario": scenario["name"], "peer": peer, "yardstick": yardstick,
               "better": scenario.get("better", "less"), "a": a, "b": b}


def figures(samples, scenario):
    """Returns {peer: {round: figure}} of valid samples; omits figures that are not positive, since they have no
    ratio."""
    found = {}
    for sample in samples:
        if sample["scenario"] == scenario["name"] and sample.get("ok"):
            value = number(sample, scenario["figure"])
            if value is not None and value > 0:
                found.setdefault(sample["peer"], {})[sample["round"]] = value
    return found


def ratios(run, peer, yardstick):
    """Returns {round: figure}, divided by the reference's figure in the same round."""
    if yardstick is None:
        return run[peer]
    return {at: value / run[yardstick][at] for at, value in run[peer].items() if at in run[yardstick]}


def corrected(rows):
    """Returns a p-value for each row. The test exchanges whole rounds, so that the rows of one round stay together."""
    rounds_a = sorted({at for row in rows for at in row["a"]})
    rounds_b = sorted({at for row in rows for at in row["b"]})
    return significance.corrected_p([[row["a"].get(at) for at in rounds_a] + [row["b"].get(at) for at in rounds_b]
                                     for row in rows], len(rounds_a))


def judge(row, p):
    a, b = list(row["a"].values()), list(row["b"].values())
    row["p"] = p
    row["ratio"], row["low"], row["high"] = significance.ratio_of_medians(a, b)
    row["loss"] = row["ratio"] if row["better"] == "less" else 1 / row["ratio"]
    if significance.least_p(len(a), len(b)) >= CERTAIN:
        row["verdict"] = FEW
    elif p >= CERTAIN:
        row["verdict"] = SAME
    else:
        row["verdict"] = WORSE if row["loss"] > 1 else BETTER


def report(rows, options):
    listed = [row for row in rows if options.all or options.peer or is_apus(row["peer"])
              or row["verdict"] in (WORSE, BETTER)]
    yield f"A is {options.a}, B is {options.b}."
    yield ""
    if listed:
        yield from table(listed)
        yield ""
    if len(listed) < len(rows):
        yield (f"{len(rows) - len(listed)} rows of other peers without a significant difference are not listed; "
               "`--all` lists them.")
    yield from closing(rows)


def table(rows):
    cells = [("scenario", "peer", "B / A", "interval", "better", "rounds", "p", "verdict")]
    for row in rows:
        cells.append((row["scenario"], row["title"], f"{row['ratio']:.3f}", f"{row['low']:.3f} to {row['high']:.3f}",
                      row["better"],
                      f"{len(row['a'])} + {len(row['b'])}", f"{row['p']:.3f}", row["verdict"]))
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()


def closing(rows):
    counts = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in (WORSE, BETTER, SAME, FEW)}
    yield ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) + "."
    if any(row["yardstick"] for row in rows):
        used = ", ".join(sorted({row["yardstick"] for row in rows if row["yardstick"]}))
        yield (f"Speeds are compared as ratios to {used} of the same round, since the speed of the machine changes "
            "between runs.")
    if any(row["yardstick"] is None for row in rows):
        plain = sorted({row["scenario"] for row in rows if row["yardstick"] is None})
        yield ("Compared without such a ratio, because no limit was measured or because they are counts: "
               f"{', '.join(plain)}.")
    yield (f"p is corrected for all {len(rows)} rows together; a difference is significant below {CERTAIN}. The "
        "interval applies to one row alone.")
    if counts[FEW]:
        yield "At least four rounds of both runs are needed to detect a difference; for a complete run, seven."
    if {is_apus(row["peer"]) for row in rows} == {True, False}:
        yield "With `--peer` and `--scenario`, fewer rows are compared, so smaller differences can be detected."
    others = [row for row in rows if not is_apus(row["peer"])]
    differ = sum(row["verdict"] in (WORSE, BETTER) for row in others)
    if differ:
        yield (f"{differ} of {len(others)} rows of other peers differ. If their versions did not change, the machine "
            "did: ignore differences of that size in all rows.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
