#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds the same mistakes in sources that tools/lint_units joins as in each source by itself."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = """#pragma once
struct words {
    words();
    words(const words&);
    ~words();
    bool empty() const;
    unsigned long size() const;
    const words* begin() const;
    const words* end() const;
    virtual void change();
};
struct error {};
extern "C" int atoi(const char*);
"""
# The mistakes of each file, with the checks that find them.
MISTAKES = {
    "src/one/first.cpp": [("namespace one { char* none() { return 0; } }", "modernize-use-nullptr"),
                          ("#define TWICE(x) x * 2", "bugprone-macro-parentheses")],
    "src/one/second.cpp": [("bool nothing(words w) { return w.size() == 0; }", "performance-unnecessary-value-param"),
                           ("bool none(const words& w) { return w.size() == 0; }", "readability-container-size-empty")],
    "src/one/alone.cpp": [("namespace one { namespace { void first() { throw new error; } } }",
                           "misc-throw-by-value-catch-by-reference")],
    "src/two/third.cpp": [("int number(const char* text) { return atoi(text); }", "cert-err34-c"),
                          ('#include "one/words.hpp"', "readability-duplicate-include")],
    "src/three/held.hpp": [("int held = 0;", "misc-definitions-in-headers")],
    "src/three/held.cpp": [("void drop(words* w) { if (w) delete w; }", "readability-delete-null-pointer")],
    "cli/main.cpp": [("struct more : words { virtual void change(); };", "modernize-use-override")],
    "cli/health/main.cpp": [("void each(const words& all) { for (const words w : all) w.size(); }",
                             "performance-for-range-copy")],
    "examples/kept.cpp": [("void keep(const words& w) { const words copy = w; copy.size(); }",
                           "performance-unnecessary-copy-initialization")],
    "examples/shop/main.cpp": [("bool odd(int n) { return sizeof(n) == sizeof(sizeof(n)); }",
                                "bugprone-sizeof-expression")],
}
# The sources of each object that the build joins by a file of includes, and of one that tools/join_sources writes.
JOINED = {"apus_one.dir/Unity/unity_one_cxx.cxx": ["src/one/first.cpp", "src/one/second.cpp"],
          "apus_three.dir/Unity/unity_three_cxx.cxx": ["src/three/held.cpp"]}
EXAMPLES = ["examples/kept.cpp"]


class Lint(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-tidy-19"), "clang-tidy-19 is not installed")
    def test_finds_the_same_in_joined_sources(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name).resolve()
            write_tree(root)
            commands = write_build(root)
            units = lint_units(root)
            self.assertLess(len(units), len(commands))
            expected = {(path, check) for path, mistakes in MISTAKES.items() for _, check in mistakes}
            self.assertEqual(findings(root, root / "build/ci", commands), expected)
            self.assertEqual(findings(root, root / "build/ci/lint", units), expected)

    def test_separates_sources_of_a_folder_that_are_not_joined_and_definitions_of_main(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name).resolve()
            write_tree(root)
            write_build(root)
            texts = [pathlib.Path(unit).read_text(encoding="utf-8") for unit in lint_units(root)]
            for text in texts:
                self.assertLessEqual(text.count("main.cpp"), 1)
                self.assertFalse("unity_one" in text and "one/alone.cpp" in text, text)
            self.assertEqual(sum(text.count("#include") for text in texts), 8)  # each source once; tests are not read
            self.assertIn("-DONLY_TWO", (root / "build/ci/lint/compile_commands.json").read_text(encoding="utf-8"))


def lint_units(root):
    return subprocess.run([ROOT / "tools/lint_units", root / "build/ci", "1"], capture_output=True, text=True,
                          check=True).stdout.split()


def write_tree(root):
    shutil.copy(ROOT / ".clang-tidy", root)
    for path, mistakes in MISTAKES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        begin = "#pragma once" if path.endswith(".hpp") else '#include "one/words.hpp"'
        includes = ['#include "three/held.hpp"'] if path == "src/three/held.cpp" else []
        main = ["int main() { return 0; }"] if path.endswith("main.cpp") else []
        file.write_text("\n".join([begin, *includes, *(mistake for mistake, _ in mistakes), *main, ""]))
    (root / "src/one/words.hpp").write_text(WORDS)
    (root / "tests").mkdir()
    (root / "tests/one_test.cpp").write_text("char* none() { return 0; }\n")


def write_build(root):
    """Writes a build folder as CMake does, and returns the sources that it compiles, except for tests."""
    build = root / "build/ci"
    objects = {}
    for path, sources in JOINED.items():
        file = build / "CMakeFiles" / path
        file.parent.mkdir(parents=True)
        file.write_text("".join(f'#include "{root / source}"\n' for source in sources))
        objects[file] = path
    (build / "joined").mkdir()
    subprocess.run([ROOT / "tools/join_sources", build / "joined/programs", *(root / path for path in EXAMPLES)],
                   check=True, stdout=subprocess.DEVNULL)
    objects[build / "joined/programs_0.cpp"] = "apus_examples_joined.dir/joined/programs_0.cpp"
    for path in MISTAKES:
        if path.endswith(".cpp") and not any(path in sources for sources in [*JOINED.values(), EXAMPLES]):
            objects[root / path] = f"apus_other.dir/{path}"
    entries = [{"directory": str(build), "file": str(file), "command":
                f"clang++-19 -std=c++23 -I{root}/src {'-DONLY_TWO' * ('two' in path)} "
                f"-o CMakeFiles/{path}.o -c {file}"}
               for file, path in {**objects, root / "tests/one_test.cpp": "apus_one_test.dir/one_test.cpp"}.items()]
    (build / "compile_commands.json").write_text(json.dumps(entries))
    return list(map(str, objects))


def findings(root, build, sources):
    """Returns the findings of clang-tidy, each as file and check."""
    checks = "--checks=-clang-analyzer-*,-bugprone-suspicious-include"  # as `./apus check lint`
    ran = subprocess.run(["clang-tidy-19", "-p", build, "--quiet", checks, *sources], capture_output=True, text=True,
                         check=False)
    found = re.findall(r"^(\S+?):\d+:\d+: .* \[([\w.-]+)", ran.stdout, re.M)
    shown = {(path.removeprefix(f"{root}/"), check) for path, check in found}
    return {(EXAMPLES[0] if "joined/" in path else path, check) for path, check in shown}


if __name__ == "__main__":
    unittest.main()
