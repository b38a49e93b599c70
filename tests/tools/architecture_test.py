# SPDX-License-Identifier: Apache-2.0
"""The table "Where to change what" of ARCHITECTURE.md names only existing files, commands and identifiers."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {"build", ".git", "__pycache__"}
# Names that are created by following the table, or that are not a file, command or identifier.
NEW_OR_OTHER = {"peer.toml", "start", "build", "check", "NAME_detail"}


def files():
    found = {}
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if not SKIPPED.intersection(parts) and path.is_file():
            found.setdefault(path.name, []).append(path)
    return found


def rows():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    table = text[text.index("| To add | Touch | Copy | Checked by |"):]
    table = table[:table.index("\n\n")]
    for line in table.splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


class Architecture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = files()
        cls.code = "\n".join(path.read_text(errors="replace") for paths in cls.files.values() for path in paths
                             if path.suffix in (".hpp", ".cpp", ".py"))

    def exists(self, word):
        if word in NEW_OR_OTHER or word.startswith(("./apus ", "apus ", "--", ".cpp")):
            return True
        if "*" in word:
            return any(path.match(word) for paths in self.files.values() for path in paths)
        if (ROOT / word).exists() or ("/" not in word and word in self.files):
            return True
        last = re.split(r"::|\.", word)[-1]
        return "/" not in word and re.search(rf"\b{re.escape(last)}\b", self.code) is not None

    def test_files_and_names_in_the_table_exist(self):
        named = 0
        for row in rows():
            for word in re.findall(r"`([^`]+)`", " ".join(row)):
                with self.subTest(to_add=row[0], names=word):
                    self.assertTrue(self.exists(word))
                named += 1
        self.assertGreater(named, 50)

    def test_each_row_has_something_to_copy_and_a_check(self):
        for row in rows():
            with self.subTest(to_add=row[0]):
                self.assertEqual(len(row), 4)
                self.assertTrue(all(row))

    def test_tests_of_the_table_are_tests(self):
        known = subprocess.run(["grep", "-rhoE", r"tests/[a-z0-9_/]+_test\.(py|cpp)", "ARCHITECTURE.md"], cwd=ROOT,
                               capture_output=True, text=True, check=True).stdout.split()
        self.assertTrue(known)
        for path in known:
            with self.subTest(path=path):
                self.assertTrue((ROOT / path).is_file())


if __name__ == "__main__":
    unittest.main()
