#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The images of README.md show the current figures and output of docs."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Images(unittest.TestCase):
    def test_up_to_date(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/draw_images.py", "--check"], stderr=subprocess.PIPE,
                              text=True)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
