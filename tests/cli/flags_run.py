#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The flags of `apus test` and `apus run` with a real project that has a bug: sanitizer reports and their
explanations, coverage, JUnit XML, and tests that run again after an edit. Takes a minute:

    tests/cli/flags_run.py [BUILD]      (build/dev)
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BUILD = pathlib.Path("build/dev")
APP = "src/app.cpp"
TEST = "tests/app_test.cpp"
BUG = """
int sum_of(const std::vector<int>& numbers) {
    int sum = 0;
    for (std::size_t i = 0; i <= numbers.size(); ++i) sum += numbers[i];
    return sum;
}
"""
RACE = """
TEST_CASE("two threads") {
    int count = 0;
    std::thread other([&count] { for (int i = 0; i < 1000; ++i) ++count; });
    for (int i = 0; i < 1000; ++i) ++count;
    other.join();
    CHECK(count > 0);
}
"""


class Flags(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="apus-flags-")
        self.addCleanup(self.scratch.cleanup)
        folder = pathlib.Path(self.scratch.name)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", folder / "sdk"], check=True, stdout=subprocess.DEVNULL)
        self.environment = {"PATH": f"{BUILD.resolve() / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(folder),
                            "APUS_SDK": str(folder / "sdk")}
        self.project = folder
        self.said("new", "shop", "-t", "empty", "--no-git")
        self.project = folder / "shop"

    def run_tool(self, *words):
        return subprocess.run(["apus", *words], cwd=self.project, env=self.environment, text=True, capture_output=True,
                              timeout=300)

    def said(self, *words):
        done = self.run_tool(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def change(self, name, before, after):
        path = self.project / name
        text = path.read_text()
        self.assertIn(before, text)
        path.write_text(text.replace(before, after, 1))

    def has_bug(self):
        self.change(APP, '#include "app.hpp"\n', '#include "app.hpp"\n#include <vector>\n' + BUG)
        self.change(APP, "return app;",
                    'app.get("/sum", [] { return std::to_string(sum_of({1, 2, 3, 4})); });\n    return app;')
        (self.project / TEST).write_text((self.project / TEST).read_text() + '''
TEST_CASE("a sum") {
    apus::test::client client(make_app());
    CHECK(client.get("/sum").status == 200);
}
''')

    def explained(self, text, what, where):
        known = text.index("error: " + what)
        self.assertIn("at: " + where, text[known:].splitlines()[1])
        return known

    def test_address(self):
        self.has_bug()
        done = self.run_tool("test", "--sanitize", "address", "sum")
        self.assertEqual(done.returncode, 1)
        known = self.explained(done.stderr, "an element beyond the end or before the beginning is used (heap)",
                               "src/app.cpp:6:")
        self.assertLess(known, done.stderr.index("ERROR: AddressSanitizer: heap-buffer-overflow"),
                        "the report itself follows")
        self.change(APP, "return app;", "sum_of({1, 2, 3, 4});\n    return app;")
        done = self.run_tool("run", "--sanitize", "address", "--", "--routes")
        self.assertEqual(done.returncode, 1)
        known = self.explained(done.stderr, "an element beyond the end", "src/app.cpp:6:")
        self.assertLess(known, done.stderr.index("ERROR: AddressSanitizer"))
        self.assertEqual(list((self.project / "build/asan").glob(".reports*")), [], "nothing is left of it")

    def test_thread(self):
        self.change(TEST, "#include <doctest/doctest.h>", "#include <doctest/doctest.h>\n#include <thread>")
        (self.project / TEST).write_text((self.project / TEST).read_text() + RACE)
        done = self.run_tool("test", "--sanitize", "thread", "two threads")
        self.assertEqual(done.returncode, 1)
        self.explained(done.stderr, "two threads use the same memory at a time", "tests/app_test.cpp:")

    def test_coverage_and_junit(self):
        self.change(APP, "return app;", 'app.get("/never", [] {\n        return "never";\n    });\n    return app;')
        self.said("module", "new", "notes", "--prefix", "/notes")
        self.assertRegex(self.said("test", "--coverage").stdout,
                         r"(?s)[0-9.]+ %  modules/notes/src/\S+.*  src/app.cpp: not \d+-\d+\n.* %  of \d+ lines\n$")
        self.assertIn("SF:" + str(self.project / APP), (self.project / "build/coverage/coverage.info").read_text())
        self.change(TEST, "== ", "== 1 + ")
        done = self.run_tool("test", "--junit", "results.xml")
        self.assertEqual(done.returncode, 1, done.stderr)
        suite = xml.etree.ElementTree.parse(self.project / "results.xml").getroot()
        self.assertEqual((suite.tag, suite.get("failures")), ("testsuite", "1"))
        self.assertIn("ERROR: CHECK", "".join(suite.itertext()))

    def test_watch(self):
        watching = subprocess.Popen(["apus", "test", "--watch"], cwd=self.project, env=self.environment, text=True,
                                    stderr=subprocess.PIPE)
        self.addCleanup(watching.stderr.close)
        self.addCleanup(watching.wait)
        self.addCleanup(watching.kill)

        def wait_for(word):
            while word not in (line := watching.stderr.readline()):
                self.assertTrue(line, "it ended")

        wait_for("Passed 1 of 1 tests")
        self.change(TEST, "== ", "== 1 + ")
        wait_for("Changed " + TEST)
        wait_for("Failed 1 of 1 tests")
        self.change(TEST, "== 1 + ", "== ")
        wait_for("Passed 1 of 1 tests")
        watching.terminate()
        wait_for("Stopped shop")
        self.assertEqual(watching.wait(), 0)

    def test_words_for_the_program(self):
        self.assertIn("says", self.said("test", "--", "--list-test-cases").stdout)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        BUILD = pathlib.Path(sys.argv.pop(1))
    sys.exit(unittest.main())
