# SPDX-License-Identifier: Apache-2.0
"""Plans of a run: scenarios, their order, and those omitted for lack of time."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "suite"))

import plan as plans
import rounds
import scenarios
from peers import Peer
from places import Unknown


def peer(name, language="C", offers=("text", "close", "routes")):
    return Peer(os.path.join("peers", name), {"language": language, "offers": list(offers)})


def named(*names):
    return [scenarios.BY_NAME[name] for name in names]


class Table(unittest.TestCase):
    def test_names_are_unique_and_figures_known(self):
        names = [s["name"] for s in scenarios.SCENARIOS]
        self.assertEqual(len(names), len(set(names)))
        for entry in scenarios.SCENARIOS:
            with self.subTest(entry["name"]):
                self.assertIn(entry["better"], ("less", "more"))
                self.assertTrue(entry["about"].endswith((".", "compared")), entry["about"])
                self.assertLessEqual(set(entry["needs"]), set(names))

    def test_groups_and_needs(self):
        self.assertEqual([s["name"] for s in scenarios.choose(["steady-800"], False)], ["text-800", "steady-800"])
        self.assertEqual([s["name"] for s in scenarios.choose(["steady"], False)],
                         ["text-800", "steady-1-800", "steady-10-800", "steady-40-800", "steady-800", "steady-90-800",
                          "steady-1024"])
        self.assertEqual({s["group"] for s in scenarios.choose(["close", "tls"], False)}, {"close", "tls"})
        self.assertNotIn("flags", [s["name"] for s in scenarios.choose(None, False)])
        with self.assertRaises(Unknown):
            scenarios.choose(["text-51"], False)


class Order(unittest.TestCase):
    def test_peers_take_turns_in_being_first(self):
        plan = plans.Plan([peer("a"), peer("b"), peer("c")], named("text-50"), 3, 1.0)
        first = {}
        for number, one, _ in plan.visits():
            first.setdefault(number, one.name)
        self.assertEqual(first, {0: "a", 1: "b", 2: "c"})

    def test_scenarios_with_the_same_server_share_a_start(self):
        plan = plans.Plan([peer("a")], named("text-1", "close-50", "two-threads-800", "routes", "cold-start"), 1, 1.0)
        (_, _, batches), = plan.visits()
        self.assertEqual([[entry["name"] for entry in batch] for batch in batches.values()],
                         [["text-1", "close-50"], ["two-threads-800"], ["routes"], ["cold-start"]])

    def test_a_constant_rate_comes_after_all_rounds(self):
        plan = plans.Plan([peer("a"), peer("b")], scenarios.choose(["steady-800"], False), 2, 1.0)
        order = [entry["name"] for _, _, batches in plan.visits() for batch in batches.values() for entry in batch]
        self.assertEqual(order, ["text-800"] * 4 + ["steady-800"] * 4)

    def test_scenarios_that_a_peer_does_not_support_are_omitted(self):
        plan = plans.Plan([peer("a", offers=["text"]), peer("b")], named("text-50", "close-50"), 1, 1.0)
        self.assertEqual(plan.measurements(), 3)
        plan = plans.Plan([peer("a", offers=["text", "h2c"]), peer("b", offers=["h2c", "body-64k"])],
                          named("h2c-body-64k", "h2c-1-50"), 1, 1.0)
        self.assertEqual(plan.measurements(), 3)


class Time(unittest.TestCase):
    def test_less_important_scenarios_are_shortened_first_and_listed(self):
        plan = plans.Plan([peer("a"), peer("b")], named("text-50", "text-100"), 5, 1.0)
        plans.fit(plan, plan.estimate() / 60 - 0.05, may_drop=False)
        self.assertEqual(plan.rounds, {"text-50": 5, "text-100": 3})
        self.assertIn("text-100", plan.cuts[0])

    def test_a_quick_run_fits_for_any_number_of_peers(self):
        many = [peer(f"p{i}", "Python") for i in range(40)]
        plan = plans.Plan(many, scenarios.choose(None, True), plans.QUICK_ROUNDS, plans.QUICK_SECONDS)
        plans.fit(plan, plans.QUICK_MINUTES, may_drop=True)
        self.assertLessEqual(plan.estimate(), plans.QUICK_MINUTES * 60)
        self.assertGreaterEqual(min(plan.rounds.values()), 3)
        self.assertTrue(plan.cuts)


class ConstantRate(unittest.TestCase):
    def test_it_is_a_share_of_the_slowest_serious_median(self):
        lines = [{"scenario": "text-800", "peer": name, "ok": ok, "rate": rate} for name, ok, rate in (
            ("c", True, 1000.0), ("c", True, 3000.0), ("c", True, 2000.0), ("go", True, 1500.0),
            ("go", False, 1.0), ("python", True, 10.0))]
        peers = [peer("c"), peer("go", "Go"), peer("python", "Python")]
        for scenario, rate in (("steady-1-800", 15), ("steady-800", 1050), ("steady-90-800", 1350)):
            self.assertEqual(rounds.steady_rate(lines, peers, scenarios.BY_NAME[scenario]), (rate, None))
        rate, why = rounds.steady_rate(lines, [peer("python", "Python")], scenarios.BY_NAME["steady-800"])
        self.assertEqual(rate, 0.0)
        self.assertIn("Rust", why)


if __name__ == "__main__":
    unittest.main()
