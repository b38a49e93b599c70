# SPDX-License-Identifier: Apache-2.0
"""Tests the reports of bench/suite/report: hand-written runs for the numbers, generated runs for the sizes."""
import html.parser
import json
import pathlib
import re
import tempfile
import unittest

import synthetic_run  # adds the suite to the import path

import report
from report import markdown, number_format, plot_choice, scale

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """Checks that elements are nested correctly, and keeps the parts that a browser would show or load."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.attributes, self.ids, self.words, self.tables = [], [], [], [], [], []
        self.feed(text)
        self.close()
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        self.words.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


def peer(name, kind="server", **more):
    return {"name": name, "title": name, "language": "C", "kind": kind, "state": "ready", "why": "", "version": "1",
            "flags": "", "start": "", "offers": ["text"], **more}


def by_hand():
    """Returns a run of two rounds, the second twice as slow for all peers, with one peer that failed once and one
    that is absent."""
    about = synthetic_run.run("by-hand", 2)
    about["peers"] = [peer("limit-uring", "limit"), peer("apus"), peer("slow", faults=["answers late"]),
                      peer("absent", state="not installed", why="set APUS_BENCH_ABSENT to its prefix"),
                      peer("other", offers=["tls"])]
    about["scenarios"] = [synthetic_run.scenario("text-50", "Text", "text", "text")]
    about["not_yet"] = []
    rows = [("limit-uring", 0, 4.0), ("limit-uring", 1, 8.0), ("apus", 0, 5.0), ("apus", 1, 9.0), ("slow", 0, 12.0)]
    lines = [{"scenario": "text-50", "peer": name, "round": at, "ok": True, "why": "", "rate": 1e6 / cpu,
              "requests": 100, "errors": 1, "cpu_us": cpu,
              "cpu_user_us": 1.0, "cpu_system_us": cpu - 1, "latency": {"p50": 100 * cpu, "p99": 1500.0},
              "rss_kib": 2048, "client_bound": name == "apus", "value": None}
             for name, at, cpu in rows]
    return about, lines + [{"scenario": "text-50", "peer": "slow", "round": 1, "ok": False,
                            "why": "it died of signal 11", "rate": None}]


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "run"

    def made(self, about, lines):
        report.write(synthetic_run.write(self.folder, about, lines))
        return self.read()

    def read(self):
        """Returns (results, markdown, page); checks that the page is well-formed and self-contained."""
        results = json.loads((self.folder / "results.json").read_text())
        page = Page((self.folder / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(page.wrong, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for tag, name, value in page.attributes:
            if name in ("src", "href", "xlink:href", "srcset", "action", "poster", "data"):
                self.assertRegex(value, r"^#", f"<{tag} {name}> would load something")
                self.assertIn(value[1:], page.ids)
            self.assertFalse(name.startswith("on"), f"<{tag} {name}> is a script")
        text = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertNotRegex(text, r"(?i)<script|@import|url\(|<iframe|<link")
        return results, (self.folder / "report.md").read_text(encoding="utf-8"), page

    def test_numbers_are_those_of_the_samples(self):
        results, text, page = self.made(*by_hand())
        rows = {row["name"]: row for row in results["scenarios"][0]["peers"]}
        self.assertEqual([row["name"] for row in results["scenarios"][0]["peers"]],
                         ["limit-uring", "apus", "slow", "absent", "other"])
        self.assertEqual(rows["apus"]["keys"]["cpu_us"], {"median": 7.0, "min": 5.0, "max": 9.0, "n": 2})
        self.assertEqual(rows["apus"]["keys"]["latency.p50"]["median"], 700)
        self.assertEqual(rows["apus"]["ratio"]["limit-uring"], {"median": (5 / 4 + 9 / 8) / 2, "low": 9 / 8,
                                                                "high": 5 / 4, "coverage": 0.5, "n": 2})
        self.assertEqual(rows["slow"]["ratio"]["limit-uring"]["median"], 3.0)
        self.assertEqual((rows["slow"]["rounds"], rows["slow"]["failed_rounds"], rows["slow"]["why"]),
                         (1, 1, ["it died of signal 11"]))
        self.assertEqual((rows["absent"]["state"], rows["other"]["state"]), ("not installed", "not offered"))
        self.assertNotIn("value", rows["apus"]["keys"])
        apus = ["7.00", "1.00 + 6.00", "5.00 \u2013 9.00 \u00b5s", "1.19 (1.12\u20131.25)", "155,556", "700 \u00b5s",
                "1.50 ms", "2 (1.0 %)", "2.00 MiB", "client-bound"]
        self.assertIn(["apus", *apus], page.tables[1])
        self.assertIn("| **apus** | " + " | ".join(apus) + " |", text)
        slow = next(row for row in page.tables[1] if row[0] == "slow")
        self.assertEqual(slow[-1], "1 of 2 rounds failed: it died of signal 11")

    def test_each_peer_has_a_row_and_a_failed_one_a_fix(self):
        _, text, page = self.made(*by_hand())
        peers = {row[0]: row for row in page.tables[-1]}
        self.assertEqual(peers["absent"][-2:], ["not installed", "set APUS_BENCH_ABSENT to its prefix"])
        self.assertEqual(peers["other"][-2], "measured in 0 of 0 scenarios")
        self.assertIn("set APUS\\_BENCH\\_ABSENT to its prefix", text)
        self.assertIn("Not installed (see Peers): absent.", text)
        self.assertIn("- slow: answers late", text)
        self.assertIn("Do not offer this endpoint: other.", text)

    def test_a_run_without_samples(self):
        about, _ = by_hand()
        about["finished"] = None
        (synthetic_run.write(self.folder, about, []) / "samples.jsonl").unlink()
        report.write(self.folder)
        results, text, _ = self.read()
        self.assertEqual(results["samples"], 0)
        self.assertIn("This run is incomplete", text)
        self.assertIn("No peer was measured in this scenario.", text)

    def test_a_truncated_line_and_a_repeated_measurement(self):
        about, lines = by_hand()
        again = dict(lines[2], cpu_us=6.0)
        synthetic_run.write(self.folder, about, [*lines, again])
        with open(self.folder / "samples.jsonl", "a", encoding="utf-8") as file:
            file.write('{"scenario": "text-50", "pe')
        report.write(self.folder)
        results, text, _ = self.read()
        apus = next(row for row in results["scenarios"][0]["peers"] if row["name"] == "apus")
        self.assertEqual(apus["keys"]["cpu_us"]["min"], 6.0)
        self.assertIn("1 line of samples.jsonl could not be read", text)

    def test_percentiles_are_those_of_the_tool(self):
        about, lines = by_hand()
        lean = [[0, 10], [50, 20], [89.489, 30], [91.161, 40], [99, 50], [100, 90]]
        for line in lines[:2]:
            line["percentiles"] = lean
        lines[2]["percentiles"], lines[3]["percentiles"] = [[0, 1], [50, 2], [90, 4], [100, 8]], [[0, 3], [90, 6],
                                                                                                  [100, 10]]
        results, _, _ = self.made(about, lines)
        limit, apus = results["scenarios"][0]["peers"][:2]
        self.assertEqual([p for p, _ in limit["percentiles"]], [0, 50, 90, 99, 100])
        self.assertTrue(30 < limit["percentiles"][2][1] < 40)
        self.assertEqual(apus["percentiles"], [[0, 2], [90, 5], [100, 9]])

    def test_scenarios_without_apus_have_a_reason_and_show_the_peers(self):
        about = synthetic_run.run("not-yet", 2)
        about["scenarios"] = [one for one in about["scenarios"] if one["name"] in ("tls-50", "text-50")]
        _, text, page = self.made(about, synthetic_run.samples(about))
        self.assertIn("## Scenarios that Apus does not support yet", text)
        self.assertIn(["TLS, 50 connections", "Apus has no TLS yet", "20"], page.tables[-2])
        self.assertEqual(len(page.tables[0]), 2)  # the header row and text-50

    def test_hostile_strings_stay_text(self):
        about, lines = by_hand()
        evil = "</td><script>alert(1)</script><img src=x onerror=y> | ` & \" '"
        about.update(name=evil, command=evil + "\n```\n# heading")
        about["machine"]["cpu"] = about["scenarios"][0]["title"] = about["scenarios"][0]["group"] = evil
        for one in about["peers"]:
            one.update(title=evil, version=evil, flags=evil, why=evil, start=evil)
        for line in lines:
            line["why"] = evil
        _, text, page = self.made(about, lines)
        self.assertIn(evil, page.tables[-1][1][0])
        for line in text.splitlines():
            if line.startswith("|"):
                self.assertNotRegex(line, r"<(?:script|img|/td)")
                self.assertIn(len(re.findall(r"(?<!\\)\|", line)), (7, 8, 12, 13))

    def test_a_whole_run_is_small_and_complete(self):
        about = synthetic_run.run("whole", 5)
        results, text, page = self.made(about, synthetic_run.samples(about))
        self.assertEqual((len(results["scenarios"]), len(about["peers"])), (30, 26))
        self.assertLess((self.folder / "report.html").stat().st_size, 1_000_000)
        shown = " ".join(page.words)
        for one in about["peers"] + about["scenarios"]:
            self.assertIn(one["title"], shown)
            self.assertIn(markdown.plain(one["title"]), text)
        self.assertIn("it answered 400 instead of 200 to the second request", shown)
        self.assertIn("Memory over time (RSS)", shown)
        self.assertIn("Text: from 1 to 10,000 connections", shown)
        self.assertNotIn("nan", shown.lower().split())

    def test_every_figure_may_be_missing_or_zero(self):
        about, lines = by_hand()
        for line in lines:
            for key in ("rate", "cpu_us", "cpu_user_us", "latency", "rss_kib", "client_bound"):
                line[key] = None
        results, text, _ = self.made(about, lines)
        self.assertIn("failed: it died", text)
        for line in lines:
            line.update(rate=0, cpu_us=0, cpu_user_us=0, cpu_system_us=0, latency={"p50": 0},
                        percentiles=[[0, 0], [100, 0]])
        results, text, _ = self.made(about, lines)
        self.assertEqual(results["scenarios"][0]["peers"][0]["ratio"], {})

    def test_an_unreadable_run_is_rejected_with_a_message(self):
        self.folder.mkdir()
        for content, said in (("{", "is not JSON"), ('{"schema": 2}', "has schema 2")):
            (self.folder / "run.json").write_text(content)
            with self.assertRaisesRegex(report.Unreadable, said):
                report.write(self.folder)


class Parts(unittest.TestCase):
    def test_numbers_are_formatted(self):
        self.assertEqual([number_format.digits(v) for v in (None, 0, 0.0456, 1.234, 45.67, 123.4, 12345)],
                         ["\u2013", "0", "0.0456", "1.23", "45.7", "123", "12,345"])
        self.assertEqual([number_format.latency(v) for v in (6, 999, 1000, 2.5e6)],
                         ["6.00 \u00b5s", "999 \u00b5s", "1.00 ms", "2.50 s"])
        self.assertEqual([number_format.size(v) for v in (256, 65536, 3 * 2**30)], ["256 B", "64.0 KiB", "3.00 GiB"])
        self.assertEqual([number_format.short(v) for v in (0, 800, 10000, 2.5e6)], ["0", "800", "10k", "2.5M"])

    def test_axes_hold_their_values_and_have_ticks(self):
        for low, high in ((1, 1), (3, 7), (0.01, 5000), (1e-12, 2), (99, 101), (5, 60)):
            at, ticks = scale.logarithmic(low, high, 0, 100)
            self.assertGreaterEqual(len(ticks), 2 if high < 50 else 1, (low, high))
            self.assertTrue(all(-0.01 <= at(value) <= 100.01 for value in (low, high, *ticks)), (low, high))
            at, ticks = scale.linear(0, high, 0, 100)
            self.assertTrue(0 < at(high) <= 100.01 and 3 <= len(ticks) <= 8, ticks)

    def test_percentiles_are_placed_by_their_number_of_nines(self):
        at, ticks = scale.percentile_axis(99.9, 0, 400)
        self.assertEqual([round(at(p)) for p in (0, 90, 99, 99.9, 100)], [0, 100, 200, 300, 400])
        self.assertEqual(ticks, [0, 50, 90, 99, 99.9, 100])

    def test_no_two_peers_look_the_same(self):
        rows = [{"name": f"peer-{i}", "kind": "server", "apus": False, "state": "measured"} for i in range(40)]
        self.assertEqual(len(set(plot_choice.styles({"scenarios": [{"peers": rows}]}).values())), 40)
        limits = [dict(row, kind="limit") for row in rows[:2]]
        apus = dict(rows[2], apus=True, name="apus")
        self.assertEqual(plot_choice.chosen(rows[3:20] + [apus] + limits), [row["name"] for row in rows[3:11]]
                         + ["apus", "peer-0", "peer-1"])

    def test_curves_join_scenarios_that_differ_only_in_connections(self):
        names = (("text-1", 1), ("text-10", 10), ("text-800", 800), ("text-800-2", 800), ("idle-1000", 1000),
                 ("body-64", 50))
        found = plot_choice.families([{"name": name, "connections": count} for name, count in reversed(names)])
        self.assertEqual([(name, [one["connections"] for one in members]) for name, members in found],
                         [("text", [1, 10, 800])])


if __name__ == "__main__":
    unittest.main()
