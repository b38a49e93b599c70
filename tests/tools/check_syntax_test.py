#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/check_syntax finds the errors that a compiler finds when it generates code."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]
TASK = """
#include <coroutine>
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
"""
MISTAKES = {
    "syntax": "int main() { return 0 }",
    "missing header": '#include "none.hpp"\nint main() {}',
    "body of an instantiated template": "template <class T> void f(T t) { t.none(); }\nint main() { f(1); }",
    "template instantiated by a template": "template <class T> auto f(T t) { return t.none(); }\n"
                                           "template <class T> struct s { void g() { f(T()); } };\n"
                                           "int main() { s<int>().g(); }",
    "assertion in a template": "template <class T> int f() { static_assert(sizeof(T) > 100); return 0; }\n"
                               "int main() { return f<int>(); }",
    "constant expression": "constexpr int f(int n) { return n ? 1 : throw 1; }\nconstexpr int n = f(0);\nint main() {}",
    "coroutine": TASK + "task f() { co_return 1; }\nint main() { f(); }",
    "await in a template": TASK + "template <class T> task f(T t) { co_await t; }\nint main() { f(1); }",
    "warning": "int main() { int unused = 0; }",
    "conversion": "int f(long n) { return n; }\nint main() { return f(1); }",
}


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check(self, compiler, text, *options):
        source = self.folder / "source.cpp"
        source.write_text(text)
        (self.folder / "source.o").unlink(missing_ok=True)
        return subprocess.run(
            [ROOT / "tools/check_syntax", compiler, "-std=c++23", "-Wall", "-Wextra", "-Wconversion", "-Werror",
             *options, "-o", "source.o", "-c", "source.cpp"],
            cwd=self.folder, capture_output=True, text=True, check=False)

    def test_finds_the_mistakes_that_a_compiler_finds(self):
        self.assertTrue(COMPILERS)
        for compiler in COMPILERS:
            for name, text in MISTAKES.items():
                with self.subTest(compiler=compiler, mistake=name):
                    done = self.check(compiler, text)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn("error:", done.stderr)
                    self.assertFalse((self.folder / "source.o").exists())

    def test_makes_an_empty_object_and_names_the_included_files(self):
        (self.folder / "header.hpp").write_text("inline int f() { return 0; }\n")
        for compiler in COMPILERS:
            done = self.check(compiler, '#include "header.hpp"\nint main() { return f(); }\n', "-MD", "-MF", "source.d")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual((self.folder / "source.o").read_bytes(), b"")
            self.assertIn("header.hpp", (self.folder / "source.d").read_text())

    def test_makes_precompiled_headers(self):
        (self.folder / "header.hpp").write_text("inline int f() { return 0; }\n")
        for compiler in COMPILERS:
            subprocess.run([ROOT / "tools/check_syntax", compiler, "-x", "c++-header", "-o", "header.hpp.gch",
                            "-c", "header.hpp"], cwd=self.folder, check=True)
            self.assertGreater((self.folder / "header.hpp.gch").stat().st_size, 1000)


if __name__ == "__main__":
    unittest.main()
