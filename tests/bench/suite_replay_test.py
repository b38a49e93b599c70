# SPDX-License-Identifier: Apache-2.0
"""Tests replays of published tables and the resulting page, with a fake wrk that sends one request and invents its
figures."""
import json
import os
import subprocess
import sys
import unittest

import suite_run_test as runs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench", "suite"))
import machine

WRK = """\
#!{python}
import json, socket, sys
if "-v" in sys.argv:
    print("wrk 4.1.0 [epoll]")
    sys.exit(1)
port = int(sys.argv[-1].split(":")[2].split("/")[0])
with socket.create_connection(("127.0.0.1", port), 5) as connection:
    connection.sendall(b"GET /bench HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    connection.recv(65536)
print("apus " + json.dumps({{
    "requests": 30000, "microseconds": 1000000, "bytes": 2000000, "max": 7890,
    "percentiles": [[50, 1500], [90, 2000], [99, 4500], [99.9, 6000]], "errors": {{"read": 3, "status": 0}}}}))
"""


class Replays(runs.Suite):
    def setUp(self):
        super().setUp()
        tools = os.path.join(self.root, "tools")
        runs.write(os.path.join(tools, "wrk"), WRK.format(python=sys.executable), True)
        self.environment["PATH"] = tools + os.pathsep + self.environment["PATH"]
        runs.add_peer(self.root, "apus", more='faults = ["no fault at all"]\n')
        runs.add_peer(self.root, "wrong", text=b"Goodbye, World!")
        runs.add_peer(self.root, "absent",
                      more='[found]\nvariable = "APUS_BENCH_ABSENT"\nhow = "set APUS_BENCH_ABSENT to its prefix"\n')

    def replayed(self):
        return self.bench("replay", "vix", "--seconds", "1", "--peers", "apus,wrong,absent")

    def test_the_table_has_a_row_for_each_peer(self):
        ran = self.replayed()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("SHORTENED: 1 s instead of 30 s", ran.stdout)
        for row in (r"apus +30,000 +1.50 ms +4.50 ms +2.00 MB/s +3\n", r"wrong +failed", r"absent +\(not installed\)"):
            self.assertRegex(ran.stdout, row)

    def test_the_page_says_where_how_and_why_not(self):
        self.assertEqual(self.replayed().returncode, 0)
        ran = self.bench("published")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for text in ("# Published tables", "Machine: ", "./apus bench replay vix --seconds=1 --peers=apus,wrong,absent",
                     "SHORTENED: less than the published 30 s", "| **apus** | ", "wrk -t8 -c800 -d1s",
                     "- apus: no fault at all",
                     "- absent: not installed: set APUS\\_BENCH\\_ABSENT to its prefix",
                     "- wrong, 800 connections: GET /bench answered", "3 errors (3 x read)", "- wrk: 4.1.0"):
            self.assertIn(text, ran.stdout)
        self.assertNotIn(self.root, ran.stdout)

    def test_the_page_names_the_commit(self):
        self.assertEqual(self.replayed().returncode, 0)
        record = os.path.join(self.root, "build/replays/vix.json")
        with open(record, encoding="utf-8") as file:
            saved = json.load(file)
        self.assertEqual(saved["commit"], machine.commit(ROOT))
        for commit, shown in ("2c2524d", "core, with Apus at commit 2c2524d, SHORT"), ("", "core, SHORT"):
            with open(record, "w", encoding="utf-8") as file:
                json.dump(saved | {"commit": commit}, file)
            self.assertIn(shown, self.bench("published").stdout.replace("cores", "core"))

    def test_the_commit_of_a_folder(self):
        folder = os.path.join(self.root, "repository")

        def git(*words):
            return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", *words],
                                  check=True, capture_output=True, text=True).stdout.strip()
        runs.write(os.path.join(folder, "file"), "one\n")
        self.assertEqual(machine.commit(folder), "")
        git("init", "-q")
        git("add", ".")
        git("commit", "-qm", "one")
        self.assertEqual(machine.commit(folder), git("rev-parse", "--short", "HEAD"))
        runs.write(os.path.join(folder, "file"), "two\n")
        self.assertEqual(machine.commit(folder), git("rev-parse", "--short", "HEAD") + " with uncommitted changes")

    def test_the_page_goes_to_a_file(self):
        self.assertEqual(self.replayed().returncode, 0)
        page = os.path.join(self.root, "page.md")
        self.assertEqual(self.bench("published", page).returncode, 0)
        with open(page, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("# Published tables\n"))

    def test_without_a_replay_there_is_no_page(self):
        ran = self.bench("published")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("error: no replay has been measured", ran.stderr)


if __name__ == "__main__":
    unittest.main()
