#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each error's code stands in the catalogue and in the code; each command and each of its options is
used in a session of cases/."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = os.path.join(os.environ.get("APUS_BIN", ROOT / "build/dev/bin"), "apus")
CATALOGUE = "cli/errors/catalogue.cpp"
NOT_YET = set()  # named in documents before they are there


def said(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True).stdout


class Catalogue(unittest.TestCase):
    def test_codes(self):
        sources = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "cli").rglob("*.?pp")}
        listed = re.findall(r'\{"(E\d{4})"', sources.pop(CATALOGUE))
        thrown = {code for text in sources.values() for code in re.findall(r'"(E\d{4})"', text)}
        self.assertEqual(listed, sorted(set(listed)), "the catalogue is in order, and each code in it once")
        self.assertEqual(sorted(thrown), listed, "codes of the source, and of the catalogue")

    def test_document(self):
        self.assertEqual((ROOT / "docs/errors.md").read_text(), said("explain", "--markdown"),
                         "docs/errors.md is old; build/dev/bin/apus explain --markdown > docs/errors.md")


class Manifest(unittest.TestCase):
    def test_each_key_is_documented(self):
        page = (ROOT / "docs/manifest.md").read_text()
        asked = re.compile(r'(?:from\.(?:text|needed_text|integer|boolean|texts|inner|each|choice)\(|put_lines?\([\w.]+, from, )"(\w+)"')
        keys = {key for path in (ROOT / "cli/manifest").glob("*.cpp") for key in asked.findall(path.read_text())}
        self.assertGreater(len(keys), 20)
        self.assertEqual({key for key in keys if f"`{key}`" not in page and f".{key}]" not in page}, set(), "keys without a line in docs/manifest.md")


class Commands(unittest.TestCase):
    def test_document(self):
        self.assertEqual((ROOT / "docs/commands.md").read_text(), said("help", "--markdown"),
                         "docs/commands.md is old; build/dev/bin/apus help --markdown > docs/commands.md")

    def test_documents_name_what_there_is(self):
        listing = said("help")
        everywhere = set(re.findall(r"--([a-z-]+)", listing))
        commands = re.findall(r"^  ([a-z][a-z ]*?)(?:  +)\S", listing.split("Options of all commands")[0], re.M)
        options = {command: set(re.findall(r"^  (?:-\w, |    )--([a-z-]+)", said("help", *command.split()), re.M)) for command in commands}
        options["module"] = options["sdk"] = options["registry"] = set()  # `apus help module` is about all of them
        for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]:
            for words in re.findall(r"(?:`|^|[$&|] )apus ([a-z][^`\n#&|]*)", page.read_text(), re.M):
                with self.subTest(page=page.name, words=words):
                    own, two = words.split(" -- ")[0], " ".join(words.split()[:2])
                    command = two if two in options else words.split()[0]
                    self.assertIn(command, options.keys() | NOT_YET, "there is no such command")
                    if command in options:
                        self.assertLessEqual(set(re.findall(r" --([a-z-]+)", own)), options[command] | everywhere, "there is no such option")

    def test_each_is_used_in_a_session(self):
        lines = [line for path in ROOT.glob("tests/cli/cases/*/session") for line in path.read_text().splitlines()
                 if line.startswith("$ ")]
        listing = said("help").split("Options of all commands")[0]
        commands = re.findall(r"^  ([a-z][a-z ]*?)(?:  +)\S", listing, re.M)
        self.assertGreater(len(commands), 3)
        for command in commands:
            uses = [line for line in lines if re.search(rf"\bapus (?:-\S+ )*{command}\b", line)]
            self.assertTrue(uses, f"no session uses `apus {command}`")
            options = said("help", *command.split()).partition("\nOptions:\n")[2].partition("\n\n")[0]
            for letter, name in re.findall(r"^  (?:-(\w), |    )--([a-z-]+)", options, re.M):
                used = re.compile(rf" --{name}\b" + (rf"| -{letter}\b" if letter else ""))
                self.assertTrue(any(used.search(line) for line in uses), f"no session uses `apus {command} --{name}`")


if __name__ == "__main__":
    sys.exit(unittest.main())
