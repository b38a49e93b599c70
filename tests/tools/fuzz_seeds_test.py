#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The seeds of fuzz targets are text that can be reviewed. Unpacked seeds have exactly the bytes that were added."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/fuzz_seeds"
INPUTS = {
    "empty": b"", "line": b"GET / HTTP/1.1\r\n\r\n", "no_line_end": b"abc", "every_byte": bytes(range(256)),
    "looks_like_a_name": b"== name\n== other", "spaces": b" a  b \n \n  ", "escapes": b"\\n \\x41 \\\\",
    "long": b"x" * 1000 + b" " * 300 + b"\n" * 3,
}


def run(*words):
    return subprocess.run([sys.executable, "-B", TOOL, *map(str, words)], capture_output=True, text=True, check=False)


class Seeds(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def unpacked(self, file):
        """Returns the seeds of a file, as they are unpacked."""
        to = self.folder / "unpacked" / file.name
        done = run("unpack", file, to)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {path.name: path.read_bytes() for path in to.iterdir()}

    def test_any_bytes_are_kept(self):
        for name, data in INPUTS.items():
            (self.folder / name).write_bytes(data)
        file = self.folder / "target.txt"
        self.assertEqual(run("add", file, *(self.folder / name for name in INPUTS)).returncode, 0)
        text = file.read_text(encoding="ascii")
        self.assertEqual([line for line in text.splitlines() if len(line) > 120 or line.endswith(" ")], [])
        self.assertEqual(self.unpacked(file), INPUTS)
        self.assertEqual(run("add", file, self.folder / "line").returncode, 0)
        self.assertEqual(file.read_text(encoding="ascii"), text)

    def test_mistakes_are_named(self):
        file = self.folder / "target.txt"
        for text, why in (("abc\n", "before the first name"), ("== a\n\\q\n", "invalid escape"),
                          ("== ../a\nx\n", "invalid or duplicate"), ("== a\n== a\n", "invalid or duplicate"),
                          ("== a\ncaf\u00e9\n", "invalid escape or byte"), ("== a\n\\x4\n", "invalid escape")):
            file.write_text(text, encoding="utf-8")
            done = run("unpack", file, self.folder / "to")
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(why, done.stderr)
        self.assertEqual(run("unpack", self.folder / "missing.txt", self.folder / "to").returncode, 1)
        self.assertEqual(run().returncode, 2)

    def test_each_file_belongs_to_a_target(self):
        for file in sorted((ROOT / "fuzz/corpus").iterdir()):
            self.assertTrue((ROOT / "fuzz" / f"{file.stem}.cpp").exists(), file)
            self.assertGreater(len(self.unpacked(file)), 0, file)


if __name__ == "__main__":
    unittest.main()
