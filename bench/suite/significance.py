# SPDX-License-Identifier: Apache-2.0
"""Statistics of a few noisy rounds. All results are exact or have a stated error.

Whether two runs differ is asked for hundreds of rows at once. Holm's correction of exact tests would
then need nine rounds or more to find anything, however large: with five rounds no p-value is below
2/252. So the rows are corrected together: rounds change sides as a whole, in every possible way, and
a row counts as different when it stands out from the largest difference that any row still in
question shows by such a change (Westfall and Young's step-down; Holm's order with the dependence of
the rows kept).
"""
import itertools
import math
import random
import statistics

ALL = 20_000  # up to this number, all ways to exchange rounds are tried; above it, as many are drawn
DRAWN = 5_000


def interval_of_median(values, wanted=0.95):
    """(low, high, coverage): order statistics around the median. Too few values for what is wanted
    give their whole range and the coverage that has."""
    values, n = sorted(values), len(values)
    outside = [sum(math.comb(n, i) for i in range(k + 1)) * 2 / 2**n for k in range(n)]
    k = max((k for k in range((n + 1) // 2) if 1 - outside[k] >= wanted), default=0)
    return values[k], values[n - 1 - k], max(0.0, 1 - outside[k])


def rank_sum_counts(n, m):
    """Returns how many orders of n and m values have each Mann-Whitney U."""
    counts = [1]
    for i in range(1, n + 1):  # the Gaussian binomial, as a product of (1 - q^(m+i)) / (1 - q^i)
        step = m + i
        counts = [c - (counts[u - step] if u >= step else 0) for u, c in enumerate(counts + [0] * m)]
        for u in range(i, len(counts)):
            counts[u] += counts[u - i]
    return counts


def ratio_of_medians(before, after, wanted=0.95):
    """(ratio, low, high) of positive values. The interval is that of Mann and Whitney's test turned
    round, on all pairwise ratios; the whole range where there are too few for what is wanted."""
    ratio = statistics.median(after) / statistics.median(before)
    pairs = sorted(b / a for a in before for b in after)
    counts = rank_sum_counts(len(before), len(after))
    total, below, k = math.comb(len(before) + len(after), len(before)), 0, 0
    while k < len(pairs) // 2 and 2 * (below + counts[k]) / total <= 1 - wanted:
        below += counts[k]
        k += 1
    k = max(k - 1, 0)
    return ratio, min(pairs[k], ratio), max(pairs[-1 - k], ratio)


def least_p(n, m):
    """Returns the smallest possible p-value of n rounds against m."""
    return (2 if n == m else 1) / math.comb(n + m, n)


def sides(n, m):
    """Returns ways to choose which n of n + m rounds are on the first side; the actual one is (0, ..., n-1)."""
    if math.comb(n + m, n) <= ALL:
        return list(itertools.combinations(range(n + m), n))
    chance = random.Random(1)
    drawn = [tuple(sorted(chance.sample(range(n + m), n))) for _ in range(DRAWN)]
    return [tuple(range(n))] + drawn


def standardised(values):
    """Returns logarithms around their mean, in units of their spread. A missing round is 0."""
    logs = [math.log(value) for value in values if value is not None]
    mean = statistics.fmean(logs)
    spread = math.sqrt(math.fsum((log - mean) ** 2 for log in logs))
    if spread < 1e-12:
        return [0.0] * len(values)
    return [0.0 if value is None else (math.log(value) - mean) / spread for value in values]


def corrected_p(rows, n):
    """A p-value for each row, corrected for all of them. A row holds n positive values of the first
    run, by round, and then those of the second; None where a round has none."""
    if not rows:
        return []
    table = [standardised(row) for row in rows]
    ways = sides(n, len(rows[0]) - n)
    true = [abs(sum(row[:n])) for row in table]
    order = sorted(range(len(rows)), key=lambda i: -true[i])
    by_round = list(zip(*(table[i] for i in order)))
    reached = [0] * len(rows)
    for way in ways:
        sums = map(sum, zip(*(by_round[round] for round in way)))
        largest = 0.0
        for place, value in reversed(list(enumerate(map(abs, sums)))):
            largest = max(largest, value)
            reached[place] += largest >= true[order[place]] - 1e-9
    p, so_far = [1.0] * len(rows), 0.0
    for place, i in enumerate(order):
        so_far = max(so_far, reached[place] / len(ways))
        p[i] = so_far
    return p
