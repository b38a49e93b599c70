# SPDX-License-Identifier: Apache-2.0
"""Tests the verdicts of bench/suite/compare.py, and the statistics of significance.py that they are based on."""
import contextlib
import io
import itertools
import math
import pathlib
import random
import tempfile
import unittest

import synthetic_run  # adds the suite to the import path

import compare
import significance


def compared(*args):
    """Returns (exit status, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = compare.main([str(arg) for arg in args])
    return status, out.getvalue(), err.getvalue()


def verdicts(printed):
    """Returns the table as {(scenario, peer): verdict}."""
    found = {}
    for line in printed.splitlines()[3:]:
        if not line:
            break
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        found[cells[0], cells[1]] = cells[-1]
    return found


class Significance(unittest.TestCase):
    def test_rank_sums_are_those_of_all_orders(self):
        for n, m in ((1, 1), (2, 3), (3, 2), (4, 4), (5, 2)):
            counts = [0] * (n * m + 1)
            for first in itertools.combinations(range(n + m), n):
                counts[sum(first) - n * (n - 1) // 2] += 1
            self.assertEqual(significance.rank_sum_counts(n, m), counts)

    def test_the_interval_of_a_median_has_its_confidence_level(self):
        self.assertEqual(significance.interval_of_median([3]), (3, 3, 0.0))
        self.assertEqual(significance.interval_of_median([5, 1, 4, 2, 3]), (1, 5, 0.9375))
        self.assertEqual(significance.interval_of_median(range(1, 10))[:2], (2, 8))

    def test_the_interval_of_a_ratio_has_its_confidence_level(self):
        chance, held = random.Random(5), 0
        for _ in range(400):
            a, b = ([chance.lognormvariate(shift, 0.1) for _ in range(6)] for shift in (0, math.log(1.5)))
            _, low, high = significance.ratio_of_medians(a, b)
            held += low <= 1.5 <= high
        self.assertGreater(held / 400, 0.92)

    def test_one_row_has_the_p_value_of_the_plain_permutation_test(self):
        self.assertEqual(significance.corrected_p([[1, 2, 3, 4, 11, 12, 13, 14]], 4), [2 / 70])
        self.assertEqual(significance.corrected_p([[5, 5, 5, 5, 5, 5]], 3), [1.0])
        self.assertEqual(significance.least_p(3, 3), 0.1)
        self.assertEqual(significance.least_p(4, 3), 1 / 35)

    def test_missing_rounds_are_neither_high_nor_low(self):
        self.assertEqual(significance.corrected_p([[1, 1.01, None, 1.02, None, 1, 1.01, 1.02]], 4), [1.0])

    def test_many_rows_without_a_difference_seldom_show_one(self):
        chance, false = random.Random(7), 0
        for _ in range(60):
            rows = [[chance.lognormvariate(0, 0.05) for _ in range(10)] for _ in range(40)]
            false += min(significance.corrected_p(rows, 5)) < 0.05
        self.assertLessEqual(false, 8)  # 3 false positives are expected

    def test_a_large_difference_is_seen_among_hundreds_of_rows(self):
        chance = random.Random(9)
        rows = [[chance.lognormvariate(0, 0.02) * (1.2 if row == 0 and at >= 5 else 1) for at in range(10)]
                for row in range(500)]
        p = significance.corrected_p(rows, 5)
        self.assertLess(p[0], 0.05)
        self.assertGreater(min(p[1:]), 0.05)

    def test_permutations_are_sampled_if_there_are_too_many(self):
        chance = random.Random(11)
        row = [chance.lognormvariate(0, 0.02) * (1.1 if at >= 12 else 1) for at in range(24)]
        self.assertLess(significance.corrected_p([row], 12)[0], 0.001)


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def made(self, name, about, seed, shift=None):
        return synthetic_run.write(self.root / name, about, synthetic_run.samples(about, seed, shift))

    def pair(self, rounds, shift=None, scenarios=("text-50", "close-100", "upload-500k", "replay-a")):
        about = synthetic_run.run("pair", rounds)
        about["scenarios"] = [one for one in about["scenarios"] if one["name"] in scenarios]
        return self.made("a", about, 1), self.made("b", about, 2, shift)

    def test_nothing_changed(self):
        status, printed, _ = compared(*self.pair(7), "--all")
        self.assertEqual(status, 0)
        self.assertEqual(set(verdicts(printed).values()), {"no difference shown", "too few rounds"})
        few = [row for row, verdict in verdicts(printed).items() if verdict == "too few rounds"]
        self.assertEqual(few, [("upload-500k", "uWebSockets, io_uring")])  # this peer failed after three rounds

    def test_a_tenth_more_cpu_at_two_percent_noise_is_worse(self):
        status, printed, _ = compared(*self.pair(7, {"apus": 1.1}), "--fail-on-worse")
        found = verdicts(printed)
        self.assertEqual([row for row, verdict in found.items() if verdict == "worse"], list(found)[:4], printed)
        self.assertEqual({peer for (_, peer), verdict in found.items() if verdict == "worse"}, {"Apus"})
        self.assertEqual(status, 1)
        self.assertIn("as ratios to limit-uring of the same round", printed)

    def test_less_cpu_is_better_whatever_way_the_figure_goes(self):
        _, printed, _ = compared(*self.pair(7, {"apus": 0.88}), "--peer", "apus", "--fail-on-worse")
        self.assertEqual(set(verdicts(printed).values()), {"better"})
        self.assertEqual(len(verdicts(printed)), 4)

    def test_three_rounds_are_too_few_for_a_verdict(self):
        _, printed, _ = compared(*self.pair(3, {"apus": 2.0}), "--peer", "apus")
        self.assertEqual(set(verdicts(printed).values()), {"too few rounds"})

    def test_a_slower_machine_is_not_a_slower_server(self):
        about = synthetic_run.run("drift", 7)
        about["scenarios"] = about["scenarios"][:1]
        everyone = {entry[0]: 1.4 for entry in synthetic_run.PEERS}
        _, printed, _ = compared(self.made("a", about, 1), self.made("b", about, 2, everyone), "--all")
        effects = [float(line.split("  less")[0].split()[-4]) for line in printed.splitlines() if "  less  " in line]
        self.assertEqual(len(effects), 21)
        self.assertTrue(all(0.93 < effect < 1.07 for effect in effects), printed)

    def test_memory_is_compared_without_scaling(self):
        one, other = self.pair(7, {"limit-uring": 2.0}, ("idle-10000",))
        _, printed, _ = compared(one, other)
        self.assertEqual(verdicts(printed)["idle-10000", "Limit, io_uring"], "worse")
        self.assertEqual(verdicts(printed)["idle-10000", "Apus"], "no difference shown")
        self.assertIn("because they are counts: idle-10000", printed)

    def test_another_machine_is_refused(self):
        one, other = synthetic_run.run("one", 4), synthetic_run.run("other", 4)
        for about in (one, other):
            about["scenarios"] = about["scenarios"][:1]
        other["machine"] = dict(other["machine"], cpu="Intel Xeon")
        folders = self.made("a", one, 1), self.made("b", other, 2)
        status, printed, complaint = compared(*folders)
        self.assertEqual((status, printed), (2, ""))
        self.assertEqual(complaint, "The runs were made with different processors: AMD EPYC and Intel Xeon. Figures "
            "of two machines are not comparable. `--anyway` compares them nevertheless.\n")
        status, printed, _ = compared(*folders, "--anyway")
        self.assertEqual(status, 0)
        self.assertTrue(printed.startswith("Beware: "))

    def test_a_missing_run(self):
        status, _, complaint = compared(self.root / "nothing", self.root / "nothing")
        self.assertEqual(status, 2)
        self.assertIn("Unknown run", complaint)

    def test_runs_without_common_rows(self):
        about = synthetic_run.run("none", 4)
        empty = dict(about, scenarios=[])
        self.assertEqual(compared(self.made("a", empty, 1), self.made("b", empty, 1)),
                         (0, "The runs have no scenario and peer in common.\n", ""))


if __name__ == "__main__":
    unittest.main()
