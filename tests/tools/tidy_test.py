# SPDX-License-Identifier: Apache-2.0
"""Runs tools/tidy on each small tree of tests/tools/cases and compares all of its output.

A case is a text file: `@@ path` begins a file of the tree, `@@ expect` the expected output. `\\xNN` stands for a
byte that a text file should not contain.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TIDY = os.path.join(HERE, "..", "..", "tools", "tidy")
LAYERS = """\
| Number | Folder | May use | What it is |
|---|---|---|---|
| 0 | `src/base/` | | text |
| 1 | `src/codec/` | | pure |
| 1 | `src/runtime/` | `liburing.h`, `openssl/*.h` | loops |
| 5 | `src/server/` | | cores |
"""


def read_case(path):
    with open(path, encoding="ascii") as file:
        parts = re.split(r"^@@ (.+)\n", file.read(), flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    expected = sections.pop("expect")
    return sections, expected


def write_tree(root, sections):
    sections.setdefault("ARCHITECTURE.md", LAYERS)
    for path, text in sections.items():
        whole = os.path.join(root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        data = re.sub(rb"\\x(..)", lambda m: bytes([int(m[1], 16)]), text.encode())
        with open(whole, "wb") as file:
            file.write(data)


def tidy(root):
    return subprocess.run([sys.executable, "-B", TIDY, root], capture_output=True, text=True, check=False)


class Cases(unittest.TestCase):
    pass


def add_case(name):
    def run(self):
        sections, expected = read_case(os.path.join(HERE, "cases", name))
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, sections)
            ran = tidy(root)
        self.assertEqual(ran.stderr, "")
        self.assertEqual(ran.stdout, expected)
        self.assertEqual(ran.returncode, 1 if expected else 0)
    setattr(Cases, "test_" + name.removesuffix(".txt"), run)


for case in sorted(os.listdir(os.path.join(HERE, "cases"))):
    add_case(case)


class Lengths(unittest.TestCase):
    def findings(self, path, text):
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, {path: text})
            return tidy(root).stdout

    def test_file_length(self):
        head = "// SPDX-License-Identifier: Apache-2.0\n"
        rows = [f"int a{i};\n" for i in range(400)]
        self.assertEqual(self.findings("tests/a.cpp", head + "".join(rows[:399])), "")
        self.assertEqual(self.findings("tests/a.cpp", head + "".join(rows)),
                         "tests/a.cpp:401: 401 lines; a file has at most 400\n")
        self.assertEqual(self.findings("tests/a.cpp", head + "// GENERATED\n" + "".join(rows)), "")

    def test_function_length(self):
        def program(lines):
            body = "".join(f"    int a{i} = {i};\n" for i in range(lines - 2))
            return ("// SPDX-License-Identifier: Apache-2.0\nnamespace a {\nstruct b {\n    b(int c)\n"
                    ": c_{c}, d_(\"}\") {\n" + body + "}\n};\n}  // namespace a\n")
        self.assertEqual(self.findings("tests/a.cpp", program(59)), "")
        self.assertEqual(self.findings("tests/a.cpp", program(60)),
                         "tests/a.cpp:4: `b` has 61 lines; a function has at most 60\n")


if __name__ == "__main__":
    unittest.main()
