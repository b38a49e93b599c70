#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Correct code has no findings: from `apus check lint` for a template, and from ThreadSanitizer for a program that uses
other threads and a library compiled without ThreadSanitizer. APUS_TEMPLATES=all checks every template, with both
sanitizers."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ.get("APUS_BUILD", "build/dev")
TOOL = os.path.abspath(os.path.join(BUILD, "bin/apus"))
ALL = os.environ.get("APUS_TEMPLATES") == "all"
EVERY = ("api", "web", "realtime", "worker", "empty", "library")
TEMPLATES = EVERY if ALL else ("realtime",)
ROUNDS = 12  # runs of a program that used to fail in every second run
NEEDED = ("cmake", "ninja", "clang++-19", "clang-tidy-19", "clang-query-19", "llvm-symbolizer-19")
BLOCKING = """#include "app.hpp"
#include <apus/blocking.hpp>
#include <string>
apus::app make_app() {
    apus::app app;
    app.get("/{name}", [](std::string name) -> apus::task<std::string> {
        co_return co_await apus::blocking([](std::string to) { return "hello " + to; }, name);
    });
    return app;
}
"""
DANGLING = """static apus::task<> wait() { co_return; }
static std::vector<std::string> all_words;
apus::task<std::size_t> dangling() {
    std::string& first = all_words.front();
    co_await wait();
    co_return first.size();
}
"""
ASKED_OFTEN = """#include "app.hpp"
#include <apus/test.hpp>
#include <doctest/doctest.h>
TEST_CASE("other threads work for requests") {
    apus::test::client client(make_app());
    for (int i = 0; i < 20; ++i) CHECK(client.get("/x").body == "hello x");
}
"""


class CorrectCode(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="apus-correct-"))
        self.addCleanup(shutil.rmtree, self.folder)
        install = ["cmake", "--install", BUILD, "--prefix", self.folder / "sdk"]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
        self.env = os.environ | {"APUS_SDK": str(self.folder / "sdk"), "HOME": str(self.folder)}

    def new(self, template):
        words = [TOOL, "-q", "new", template, "-t", template, "--no-git"]
        subprocess.run(words, cwd=self.folder, env=self.env, check=True)
        return self.folder / template

    def passes(self, project, *words):
        done = subprocess.run(words, cwd=project, env=self.env, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_every_template_passes_the_checks_that_compile_nothing(self):
        for template in EVERY:
            with self.subTest(template=template):
                self.passes(self.new(template), TOOL, "check", "format", "rules", "modules")

    def test_templates_pass(self):
        for template in TEMPLATES:
            with self.subTest(template=template):
                project = self.new(template)
                self.passes(project, TOOL, "check", "lint", "lifetimes")
                if template != "library":  # its code does not include Apus
                    self.finds_a_dangling_view(project)
                for sanitizer in ("address", "thread") if ALL else ():
                    self.passes(project, TOOL, "test", "--sanitize", sanitizer)

    def finds_a_dangling_view(self, project):
        source = project / "src/app.cpp"
        before = source.read_text()
        source.write_text(before + DANGLING)
        done = subprocess.run([TOOL, "check", "lifetimes"], cwd=project, env=self.env, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, "[E0316]" in done.stdout), (1, True), done)
        self.assertIn(f"src/app.cpp:{len(before.splitlines()) + 4}: `first` is a reference to a part of", done.stdout)
        source.write_text(before)

    def test_no_race_is_reported_of_work_for_other_threads(self):
        project = self.new("empty")
        (project / "src/app.cpp").write_text(BLOCKING)
        (project / "tests/app_test.cpp").write_text(ASKED_OFTEN)
        self.passes(project, TOOL, "test", "--sanitize", "thread")
        for _ in range(ROUNDS):
            self.passes(project, project / "build/tsan/empty_tests")


if __name__ == "__main__":
    if missing := [program for program in NEEDED if not shutil.which(program)]:
        print(f"skipped: there is no {', '.join(missing)}")
        sys.exit(77)
    sys.exit(unittest.main())
