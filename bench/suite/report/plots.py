# SPDX-License-Identifier: Apache-2.0
"""Creates the plots of a report, as (caption, HTML)."""
from . import lines, scale
from .bars import bars
from .number_format import MICRO, digits, latency, latency_tick, name_of_figure, of_figure, rate, short
from .plot_choice import chosen, chosen_of, curve
from .results import median

PERCENTILES_WITH_MARKERS = (50, 90, 99, 99.9, 100)


def of_scenario(scenario, styles):
    names = chosen(scenario["peers"])
    rows = [row for name in names for row in scenario["peers"] if row["name"] == name]
    if not rows:
        return
    figure, unit = scenario["figure"], scenario["unit"] or ""
    if figure not in ("cpu_us", "rate"):
        yield direction(name_of_figure(figure, unit), scenario["better"]), figure_bars(rows, figure, unit)
    if any(median(row, "cpu_us") for row in rows):
        yield f"Server CPU per request, {MICRO} (less is better)", cpu_bars(rows)
    rates = [value for row in rows if (value := median(row, "rate"))]
    if rates and max(rates) > 1.05 * min(rates):  # a constant rate is the same for all peers
        yield "Requests per second (more is better)", figure_bars(rows, "rate", "")
    if any(row["percentiles"] for row in rows):
        yield "Latency by percentile", by_percentile(rows, styles)
    for caption, key, shown in (("Memory over time (RSS)", "rss_kib", mebibytes), ("p99 over time", "p99", latency),
                                ("Requests per second over time", "rate", rate)):
        if series := over_time(scenario, key, styles):
            yield caption, with_legend(caption, series, *time_axes(series, shown), "seconds since the start")


def direction(name, better):
    return f"{name} ({'more' if better == 'more' else 'less'} is better)"


def kind_of(row):
    return "apus" if row["apus"] else "limit" if row["kind"] == "limit" else "other"


def ordered(rows, key, less):
    with_value = [row for row in rows if median(row, key) is not None]
    return sorted(with_value, key=lambda row: median(row, key) * (1 if less else -1))


def figure_bars(rows, key, unit):
    return bars([(row["title"], kind_of(row), [("whole", median(row, key), "")],
                  of_figure(median(row, key), key, unit) if key != "rate" else rate(median(row, key)))
                 for row in ordered(rows, key, less=key != "rate" and not key.startswith("bytes_per"))])


def cpu_bars(rows):
    shown = []
    for row in ordered(rows, "cpu_us", less=True):
        whole, user, system = (median(row, key) for key in ("cpu_us", "cpu_user_us", "cpu_system_us"))
        if user is None or system is None:
            parts = [("whole", whole, "")]
        else:
            parts = [("user", user, f"{digits(user)} {MICRO} of its own code"),
                     ("system", system, f"{digits(system)} {MICRO} in the kernel")]
        shown.append((row["title"], kind_of(row), parts, digits(whole)))
    return bars(shown) + ('<p class="key-of-bars"><span><i class="user"></i> user</span> <span><i '
                          'class="system"></i> system</span></p>')


def with_legend(title, series, x_axis, y_axis, x_name):
    return lines.plot(title, series, x_axis, y_axis, x_name) + lines.legend([(label, style) for label, style,
                                                                             _ in series])


def latency_axis(values):
    return *scale.logarithmic(min(values), max(values), lines.BOTTOM, lines.TOP), TICKS[latency]


def by_percentile(rows, styles):
    series = []
    for row in rows:
        points = [(p, max(us, 1), f"{'the longest' if p == 100 else f'{p:g} % within'} {latency(us)}"
                   if p in PERCENTILES_WITH_MARKERS else "")
                  for p, us in row["percentiles"]]
        if points:
            series.append((row["title"], styles[row["name"]], points))
    highest = max(max((p for p, _, _ in points if p < 100), default=0) for _, _, points in series)
    at, ticks = scale.percentile_axis(highest, lines.LEFT, lines.RIGHT)
    y_axis = latency_axis([us for _, _, points in series for _, us, _ in points])
    return with_legend("Latency by percentile", series, (at, ticks, lambda p: "max" if p == 100 else f"{p:g} %"),
                       y_axis,
                       "share of the requests with a response within")


def over_time(scenario, key, styles):
    series, few = [], chosen(scenario["peers"], others=3)  # lines over time fluctuate, so few are shown
    for row in scenario["peers"]:
        if row["name"] not in few:
            continue
        points = [(at["second"], in_unit(at[key], key)) for at in row["over_time"] if at.get(key) is not None]
        if points:
            shown = SHOWN[key]
            last = len(points) - 1
            series.append((row["title"], styles[row["name"]],
                           [(x, y, f"{shown(y)} at the end" if i == last else "") for i, (x, y) in enumerate(points)]))
    return series


def in_unit(value, key):
    """Converts a value; memory is in MiB, so that the ticks of an axis are round numbers."""
    return value / 1024 if key == "rss_kib" else value


def mebibytes(value):
    return f"{digits(value)} MiB"


def time_axes(series, shown):
    points = [point for _, _, points in series for point in points]
    x = scale.linear(0, max(x for x, _, _ in points), lines.LEFT, lines.RIGHT)
    y = scale.logarithmic(min(y for _, y, _ in points), max(y for _, y, _ in points), lines.BOTTOM, lines.TOP)
    return (*x, lambda tick: f"{tick:g}"), (*y, TICKS[shown])


SHOWN = {"rss_kib": mebibytes, "p99": latency, "rate": rate}
# Ticks are round numbers, so decimals would only take up space.
TICKS = {rate: short, latency: latency_tick, mebibytes: lambda tick: f"{tick:g} MiB", digits: lambda tick: f"{tick:g}"}


def of_family(members, styles):
    """Returns plots of figures by the number of connections."""
    names = chosen_of(members)
    titles = {row["name"]: row["title"] for scenario in members for row in scenario["peers"]}
    counts = [scenario["connections"] for scenario in members]
    at, _ = scale.logarithmic(counts[0], counts[-1], lines.LEFT + 8, lines.RIGHT - 8)
    x_axis = (at, counts, short)
    for caption, key, shown in (("Requests per second (more is better)", "rate", rate),
                                (f"Server CPU per request, {MICRO} (less is better)", "cpu_us", digits),
                                ("Latency: half of the responses within (p50)", "latency.p50", latency),
                                ("Latency: 99 of 100 within (p99)", "latency.p99", latency),
                                ("Memory of the server (RSS)", "rss_kib", mebibytes)):
        series = [(titles[name], styles[name], [(x, in_unit(y, key), f"{shown(in_unit(y, key))} at {x:,} connections")
                                                for x, y in points])
                  for name in names if len(points := curve(members, name, key)) > 1]
        values = [y for _, _, points in series for _, y, _ in points]
        if not values or max(values) <= 0:
            continue
        if key == "rate":
            y_axis = (*scale.linear(0, max(values), lines.BOTTOM, lines.TOP), short)
        else:
            y_axis = (*scale.logarithmic(min(values), max(values), lines.BOTTOM, lines.TOP), TICKS[shown])
        yield caption, with_legend(caption, series, x_axis, y_axis, "connections")
