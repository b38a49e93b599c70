# SPDX-License-Identifier: Apache-2.0
"""Statistics of a few noisy rounds. All results are exact or have a stated error.

Two runs are compared in hundreds of rows at once. With Holm's correction of exact tests, at least nine rounds would
be needed to detect a difference of any size: with five rounds no p-value is below 2/252. So the rows are corrected
together (Westfall and Young's step-down procedure, which respects the dependence between rows): rounds are exchanged
between the runs as a whole, in every possible way, and a row counts as different if its difference exceeds the
largest difference that any undecided row shows after such an exchange.
"""
import itertools
import math
import random
import statistics

ALL = 20_000  # up to this number of exchanges, all are tried; otherwise DRAWN of them are chosen at random
DRAWN = 5_000


def interval_of_median(values, wanted=0.95):
    """Returns (low, high, coverage): order statistics around the median. If there are too few values for the wanted
    coverage, returns their whole range and its coverage."""
    values, n = sorted(values), len(values)
    outside = [sum(math.comb(n, i) for i in range(k + 1)) * 2 / 2**n for k in range(n)]
    k = max((k for k in range((n + 1) // 2) if 1 - outside[k] >= wanted), default=0)
    return values[k], values[n - 1 - k], max(0.0, 1 - outside[k])


def rank_sum_counts(n, m):
    """Returns the number of orderings of n and m values for each value of the Mann-Whitney U."""
    counts = [1]
    for i in range(1, n + 1):  # computes the Gaussian binomial coefficient as a product of (1 - q^(m+i)) / (1 - q^i)
        step = m + i
        counts = [c - (counts[u - step] if u >= step else 0) for u, c in enumerate(counts + [0] * m)]
        for u in range(i, len(counts)):
            counts[u] += counts[u - i]
    return counts


def ratio_of_medians(before, after, wanted=0.95):
    """Returns (ratio, low, high) of positive values. The interval is the inversion of the Mann-Whitney test, over
    all pairwise ratios; the whole range if there are too few values for the wanted coverage."""
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
    """Returns ways to choose n of n + m rounds for the first side; the actual choice is (0, ..., n-1)."""
    if math.comb(n + m, n) <= ALL:
        return list(itertools.combinations(range(n + m), n))
    chance = random.Random(1)
    drawn = [tuple(sorted(chance.sample(range(n + m), n))) for _ in range(DRAWN)]
    return [tuple(range(n))] + drawn


def standardised(values):
    """Returns logarithms with the mean subtracted, in units of their standard deviation. A missing round is 0."""
    logs = [math.log(value) for value in values if value is not None]
    mean = statistics.fmean(logs)
    spread = math.sqrt(math.fsum((log - mean) ** 2 for log in logs))
    if spread < 1e-12:
        return [0.0] * len(values)
    return [0.0 if value is None else (math.log(value) - mean) / spread for value in values]


def corrected_p(rows, n):
    """Returns a p-value for each row, corrected for the number of rows. A row holds n positive values of the first
    run by round, followed by those of the second run; None marks a missing round."""
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
