# SPDX-License-Identifier: Apache-2.0
"""Creates the tables of a report, as (heads, rows): a head is (text, alignment), a row is (kind, texts of the
cells)."""
from .number_format import NOTHING, TIMES, digits, latency, memory, name_of_figure, of_figure, rate, share, size
from .plot_choice import chosen_of, curve
from .plots import kind_of
from .records import is_apus
from .results import median, takes_part

CLIENT = "client-bound"


def of_scenario(scenario):
    """Returns a table of every peer that was measured or has failed in a scenario, best first. Empty columns are
    omitted."""
    rows = [row for row in scenario["peers"] if row["rounds"] or row["failed_rounds"]]
    rounds = max((row["rounds"] + row["failed_rounds"] for row in rows), default=0)
    columns = [("Peer", "left", lambda row: row["title"])]
    columns += [*figure_columns(scenario), *load_columns(scenario)]
    columns.append(("Remarks", "left", lambda row: remarks(row, rounds)))
    cells = [(head, side, [shown(row) for row in rows]) for head, side, shown in columns]
    kept = [column for column in cells if column[0] == "Peer" or any(cell not in (NOTHING, "") for cell in column[2])]
    return [(head, side) for head, side, _ in kept], [(kind_of(row), [column[2][i] for column in kept]) for i,
                                                      row in enumerate(rows)]


def figure_columns(scenario):
    figure, unit = scenario["figure"], scenario["unit"] or ""
    if figure == "cpu_us":
        yield "CPU, \u00b5s", "right", lambda row: digits(median(row, "cpu_us"))
        yield "user + system", "right", user_and_system
    else:
        yield name_of_figure(figure, unit), "right", lambda row: of_figure(median(row, figure), figure, unit)
    yield "rounds from \u2013 to", "right", lambda row: low_to_high(row, figure, unit)
    for limit in sorted({limit for row in scenario["peers"] for limit in row["ratio"]},
                        key=lambda name: ("uring" not in name, name)):
        yield f"{TIMES} {limit}", "right", lambda row, limit=limit: ratio(row["ratio"].get(limit))


def load_columns(scenario):
    figure = scenario["figure"]
    if scenario["group"] == "database":
        yield "CPU of PostgreSQL, \u00b5s", "right", lambda row: digits(median(row, "database_cpu_us"))
    if figure != "rate":
        yield "requests/s", "right", lambda row: rate(median(row, "rate"))
    if figure != "cpu_us":
        yield "CPU, \u00b5s", "right", lambda row: digits(median(row, "cpu_us"))
        yield "user + system", "right", user_and_system
    for head, key in (("mean", "latency.mean"), ("p50", "latency.p50"), ("p99", "latency.p99"),
                      ("p99.9", "latency.p999"), ("max", "latency.max")):
        if key.split(".")[-1] != figure.split(".")[-1]:
            yield head, "right", lambda row, key=key: latency(median(row, key))
    yield "errors", "right", errors
    for head, key in (("bytes/s", "bytes_per_second"), ("bytes/CPU s", "bytes_per_cpu_second")):
        if key != figure and "byte" in figure:
            yield head, "right", lambda row, key=key: size(median(row, key))
    if figure != "rss_kib":
        yield "RSS", "right", lambda row: memory(median(row, "rss_kib"))


def user_and_system(row):
    user, system = median(row, "cpu_user_us"), median(row, "cpu_system_us")
    return NOTHING if user is None or system is None else f"{hundredths(user)} + {hundredths(system)}"


def low_to_high(row, figure, unit):
    found = row["keys"].get(figure) or row["keys"].get(f"latency.{figure}")
    if not found or found["n"] < 2:
        return NOTHING
    low, high = (of_figure(found[end], figure, unit) for end in ("min", "max"))
    number, _, its_unit = low.rpartition(" ")
    return f"{number if number and high.endswith(' ' + its_unit) else low} \u2013 {high}"


def ratio(found):
    if not found:
        return NOTHING
    if found["n"] < 2:
        return hundredths(found["median"])
    return f"{hundredths(found['median'])} ({hundredths(found['low'])}\u2013{hundredths(found['high'])})"


def hundredths(value):
    return f"{value:.2f}" if value < 10 else digits(value)


def errors(row):
    """Returns the number of errors, and the error rate if the number of requests is known, as other benchmarks
    publish it."""
    if "errors" not in row["keys"]:
        return NOTHING
    total = row["errors_total"] + row["requests_total"]
    many = f"{row['errors_total']:,}"
    return f"{many} ({share(row['errors_total'] / total)})" if row["errors_total"] and total else many


def remarks(row, rounds):
    said = []
    if row["client_bound_rounds"] * 2 > row["rounds"]:
        said.append(CLIENT)
    if row["failed_rounds"]:
        rounds = row["failed_rounds"] + row["rounds"]
        failed = f"{row['failed_rounds']} of {rounds} rounds failed" if row["rounds"] else "failed"
        said.append(f"{failed}: {'; '.join(row['why'])}")
    elif 0 < row["rounds"] < rounds:
        said.append(f"{row['rounds']} of {rounds} rounds")
    return ", ".join(said)


def of_family(members):
    """Returns a table of requests per second, with a column for each number of connections."""
    rows = {row["name"]: row for scenario in members for row in scenario["peers"]}
    heads = [("Peer", "left")] + [(f"{scenario['connections']:,}", "right") for scenario in members]
    body = []
    for name in chosen_of(members, others=len(rows)):
        found = dict(curve(members, name, "rate"))
        body.append((kind_of(rows[name]), [rows[name]["title"]] + [rate(found.get(scenario["connections"]))
                                                                   for scenario in members]))
    return heads, [row for row in body if any(cell != NOTHING for cell in row[1][1:])]


def rank_table(results):
    """Returns a table of the ranks of Apus, with a row for each scenario in which it was measured."""
    heads = [("Scenario", "left"), ("Figure", "left"), ("Apus", "right"), (f"{TIMES} limit", "right"),
             ("Best other peer", "left"), ("its figure", "right"), ("Apus' place", "right")]
    body = []
    for scenario in results["scenarios"]:
        measured = [row for row in scenario["peers"] if row["state"] == "measured"
                    and median(row, scenario["figure"]) is not None]
        ours = min((row for row in measured if row["apus"]), key=lambda row: row["name"] != "apus", default=None)
        if not ours:
            continue
        others = [row for row in measured if not row["apus"] and row["kind"] != "limit"]
        ahead = next((place for place, row in enumerate([row for row in measured if row["kind"] != "limit"], 1)
                      if row is ours))
        figure, unit = scenario["figure"], scenario["unit"] or ""
        show = lambda row: of_figure(median(row, figure), figure, unit)
        limit = next(iter(ours["ratio"].values()), None)
        body.append(("", [scenario["title"], name_of_figure(figure, unit), show(ours), ratio(limit), others[0]["title"]
                          if others else NOTHING,
                          show(others[0]) if others else NOTHING,
                          f"{ahead} of {len(measured) - sum(row['kind'] == 'limit' for row in measured)}"]))
    return heads, body


def peers(run, results):
    """Returns a table of all peers with their outcome."""
    heads = [("Peer", "left"), ("Language", "left"), ("Version", "left"), ("Built with", "left"), ("State", "left"),
             ("Reason and fix", "left")]
    measured = {}
    for scenario in results["scenarios"]:
        for row in scenario["peers"]:
            measured[row["name"]] = measured.get(row["name"], 0) + (row["state"] == "measured")
    body = []
    for peer in run["peers"]:
        offered = sum(takes_part(peer, scenario) for scenario in run["scenarios"])
        state = peer.get("state") or "unknown"
        if state == "ready":
            state = f"measured in {measured.get(peer['name'], 0)} of {offered} scenarios"
        body.append((kind_of({"apus": is_apus(peer["name"]), "kind": peer.get("kind")}), [
            peer.get("title") or peer["name"], peer.get("language") or NOTHING, peer.get("version") or NOTHING,
            peer.get("flags") or NOTHING, state, peer.get("why") or ""]))
    return heads, body
