# SPDX-License-Identifier: Apache-2.0
"""Formats numbers for readers: three significant digits and a suitable unit."""

NOTHING = "\u2013"
MICRO = "\u00b5s"
TIMES = "\u00d7"
THIN = "\u2009"


def digits(value):
    """Formats a number with at most three significant digits and thousands separators: 0.0456, 1.23, 45.6, 1,234."""
    if value is None:
        return NOTHING
    size = abs(value)
    if size >= 100 or value == 0:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 1 else f"{value:.3g}"


def latency(us):
    if us is None:
        return NOTHING
    for limit, divisor, unit in ((1e3, 1, MICRO), (1e6, 1e3, "ms")):
        if us < limit:
            return f"{digits(us / divisor)} {unit}"
    return f"{digits(us / 1e6)} s"


def latency_tick(us):
    return f"{us:.3g} {MICRO}" if us < 1e3 else f"{us / 1e3:.3g} ms" if us < 1e6 else f"{us / 1e6:.3g} s"


def rate(per_second):
    if per_second is None:
        return NOTHING
    return f"{per_second:,.0f}" if per_second >= 100 else digits(per_second)


def size(count):
    """Formats a number of bytes."""
    if count is None:
        return NOTHING
    for divisor, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if abs(count) >= divisor:
            return f"{digits(count / divisor)} {unit}"
    return f"{digits(count)} B"


def memory(kib):
    return NOTHING if kib is None else size(kib * 1024)


def share(part):
    return f"{part * 100:.0f} %" if part >= 0.1 else f"{part * 100:.1f} %"


def short(value):
    """Formats a number for an axis: 10k, 2.5M."""
    for divisor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= divisor:
            return f"{value / divisor:.3g}{letter}"
    return f"{value:.3g}"


def of_figure(value, figure, unit=""):
    """Formats a scenario's figure with its unit."""
    kind = figure.split(".")[-1]
    if figure.startswith("latency") or kind in ("mean", "p50", "p90", "p99", "p999", "max"):
        return latency(value)
    if kind == "rss_kib":
        return memory(value)
    if kind.startswith("cpu") and value is not None:
        return f"{digits(value)} {MICRO}"
    if kind.startswith("bytes_per") and value is not None:
        return f"{size(value)}/s"
    if kind == "rate":
        return rate(value) if value is None else f"{rate(value)}/s"
    if unit in ("bytes", "B", "byte"):
        return size(value)
    return digits(value) if value is None or not unit else f"{digits(value)} {unit}"


def name_of_figure(figure, unit=""):
    known = {"cpu_us": "Server CPU per request", "rate": "Requests per second", "rss_kib": "Memory (RSS)",
             "p50": "p50", "p99": "p99", "p999": "p99.9", "max": "Longest response",
             "bytes_per_second": "Bytes per second", "bytes_per_cpu_second": "Bytes per CPU second"}
    plain = {"ms": "Time", "s": "Time", "us": "Time", "bytes": "Memory", "B": "Memory", "byte": "Memory"}
    kind = figure.split(".")[-1]
    return known.get(kind) or (plain.get(unit, "Value") if kind == "value" else kind)
