# SPDX-License-Identifier: Apache-2.0
"""Maps values to positions on a plot, and selects ticks."""
import math


def linear(low, high, begin, end):
    """Returns (function, ticks) of an axis from 0, or from `low`, to a round number of at least `high`."""
    step = round_step((high - low) / 5 or 1)
    high = low + math.ceil((high - low) / step - 1e-9) * step if high > low else low + step
    ticks = [low + i * step for i in range(int(round((high - low) / step)) + 1)]
    return (lambda value: begin + (value - low) / (high - low) * (end - begin)), ticks


def round_step(rough):
    """Returns 1, 2 or 5 times a power of ten, at least `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next((power * factor for factor in (1, 2, 5) if power * factor >= rough * (1 - 1e-9)), power * 10)


def logarithmic(low, high, begin, end):
    """Returns (function, ticks) of a logarithmic axis from `low` to `high`; smaller values are drawn at its edge.
    Ticks are powers of ten, or 1, 2 and 5 times powers of ten if there would be too few."""
    low = max(low, 1e-9)
    first, last = math.log10(low), math.log10(max(high, low))
    if last - first < 0.3:
        middle = (first + last) / 2
        first, last = middle - 0.15, middle + 0.15
    factors = (1,) if last - first > 2.5 else (1, 2, 5) if last - first > 0.7 else (1, 1.5, 2, 3, 4, 5, 6, 8)
    ticks = [10.0**power * factor for power in range(math.floor(first), math.ceil(last) + 1) for factor in factors]
    ticks = [tick for tick in ticks if first - 1e-9 <= math.log10(tick) <= last + 1e-9]
    return (lambda value: begin + (max(math.log10(max(value, 1e-9)),
                                       first) - first) / (last - first) * (end - begin)), ticks


def nines(percentile):
    """Returns the number of nines in a percentile: 0 for 0 %, 1 for 90 %, 2 for 99 %, and so on."""
    return -math.log10(max(1 - percentile / 100, 1e-9))


def percentile_axis(highest, begin, end):
    """Returns (function, ticks) of an axis for percentiles up to `highest`; 100 % is drawn one step further."""
    last = nines(highest) + 1
    at = lambda p: begin + (nines(p) if p < 100 else last) / last * (end - begin)
    return at, [p for p in (0, 50, 90, 99, 99.9, 99.99, 99.999) if p <= highest] + [100]


def non_overlapping(places, room):
    """Returns the positions whose labels do not overlap. `places` is in order of importance."""
    kept = []
    for place in places:
        if all(abs(place - other) >= room for other in kept):
            kept.append(place)
    return set(kept)
