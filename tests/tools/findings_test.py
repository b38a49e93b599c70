# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/findings.md name files and test cases that exist."""
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/findings.md"
PATH = re.compile(r"`([\w./-]+)`")


def rows(page):
    """Yields the cells of each row of the tables with a column for tests."""
    for table in re.findall(r"^\| Finding \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, re.M):
        for line in table.splitlines():
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def has_case(path, title):
    """Returns whether a test file or a folder of cases contains the case with this title."""
    if path.is_dir():
        return any(each.stem == title for each in path.iterdir())
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".cpp":
        return f'TEST_CASE("{title}")' in text
    if path.suffix == ".py":
        return re.search(rf"^\s*(?:def {re.escape(title)}\(|{re.escape(title)} = )|\"{re.escape(title)}\"", text, re.M)
    return title in text


def faults(row, root=ROOT):
    """Yields what is wrong with a row: a finding, how it was reproduced, the mended files, and the tests."""
    if len(row) != 4:
        yield f"{row}: {len(row)} cells"
        return
    finding, _, mended, tests = row
    for name in PATH.findall(mended):
        if not (root / name).exists():
            yield f"{finding}: no file {name}"
    if tests.startswith("none: "):
        return
    for test in tests.split("; "):
        name, *titles = re.findall(r"`([^`]+)`|\"([^\"]+)\"", test) or [("", "")]
        path = root / name[0]
        if not name[0] or not path.exists():
            yield f"{finding}: no test file in {test}"
            continue
        if path.suffix == ".cpp" and not titles:
            yield f"{finding}: no case of {name[0]}"
        for _, title in titles:
            if not has_case(path, title):
                yield f"{finding}: no case \"{title}\" in {name[0]}"


class Findings(unittest.TestCase):
    def test_files_and_cases_exist(self):
        found = list(rows(PAGE.read_text(encoding="utf-8")))
        self.assertGreater(len(found), 80)
        self.assertEqual([fault for row in found for fault in faults(row)], [])

    def test_wrong_names_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "a.cpp").write_text('TEST_CASE("ends") {}\nTEST_CASE("ends late") {}\n')
            (root / "b_test.py").write_text("def works(backend):\n    pass\n")
            (root / "cases").mkdir()
            (root / "cases/one.txt").write_text("")
            for mended, tests, fault in (
                    ("`a.cpp`", '`a.cpp`: "ends", "ends late"; `b_test.py`: "works"; `cases`: "one"', ""),
                    ("`a.cpp`", "none: prose", ""),
                    ("`gone.cpp`", "none: prose", "no file gone.cpp"),
                    ("", '`gone.cpp`: "ends"', "no test file in `gone.cpp`"),
                    ("", "prose", "no test file in prose"),
                    ("", "`a.cpp`", "no case of a.cpp"),
                    ("", '`a.cpp`: "ends", "end"', 'no case "end" in a.cpp'),
                    ("", '`b_test.py`: "work"', 'no case "work" in b_test.py'),
                    ("", '`cases`: "two"', 'no case "two" in cases')):
                with self.subTest(tests, mended=mended):
                    said = list(faults(["1", "reading", mended, tests], root))
                    self.assertEqual(len(said), bool(fault), said)
                    self.assertIn(fault, " ".join(said))


if __name__ == "__main__":
    unittest.main()
