#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each error code in the sources is in the catalogue and vice versa; each command and each of its options is used in
a session of cases/."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = os.path.join(os.environ.get("APUS_BIN", ROOT / "build/dev/bin"), "apus")
CATALOGUE = [f"cli/errors/entries_of_{part}.hpp" for part in ("work", "packages", "products")]
ELSEWHERE = {  # options that a session cannot use, with the test that uses them
    "package --base debian": "packages_run.py, since mmdebstrap asks the distribution's server",
    "package --target x86_64": "the session `flags` names the machine that it runs on",
    "package --target aarch64": "aarch64_run.py, since it compiles all of Apus for another machine",
    **{f"restart{option}": "e2e/restart_test.py, which has a server to restart"
       for option in ("", " --pid", " --pid-file", " --wait")},
    **{f"top{option}": "watching_test.py, which has a server to watch"
       for option in ("", " --admin", " --once", " --sort rate", " --sort requests", " --sort errors",
                      " --sort latency")},
}
NOT_YET = set()  # commands that documents name before they exist


def said(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True).stdout


class Catalogue(unittest.TestCase):
    def test_codes(self):
        sources = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "cli").rglob("*.?pp")}
        listed = [code for part in CATALOGUE for code in re.findall(r'\{"(E\d{4})"', sources.pop(part))]
        thrown = {code for text in sources.values() for code in re.findall(r'"(E\d{4})"', text)}
        self.assertEqual(listed, sorted(set(listed)), "the catalogue is in order, and each code in it once")
        self.assertEqual(sorted(thrown), listed, "codes of the source, and of the catalogue")

    def test_document(self):
        self.assertEqual((ROOT / "docs/errors.md").read_text(), said("explain", "--markdown"),
                         "docs/errors.md is old; build/dev/bin/apus explain --markdown > docs/errors.md")


class Manifest(unittest.TestCase):
    def test_each_key_is_documented(self):
        page = (ROOT / "docs/manifest.md").read_text()
        asked = re.compile(r'(?:from\.(?:text|needed_text|integer|boolean|texts|inner|each|choice)\(|'
                           r'put_lines?\([\w.]+, from, )"(\w+)"')
        keys = {key for path in (ROOT / "cli/manifest").glob("*.cpp") for key in asked.findall(path.read_text())}
        self.assertGreater(len(keys), 20)
        self.assertEqual({key for key in keys if f"`{key}`" not in page and f".{key}]" not in page}, set(),
                         "keys without a line in docs/manifest.md")


class Commands(unittest.TestCase):
    def test_document(self):
        self.assertEqual((ROOT / "docs/commands.md").read_text(), said("help", "--markdown"),
                         "docs/commands.md is old; build/dev/bin/apus help --markdown > docs/commands.md")

    def test_documents_name_only_existing_commands_and_options(self):
        listing = said("help")
        everywhere = set(re.findall(r"--([a-z-]+)", listing))
        commands = commands_in_help()
        options = {command: set(re.findall(r"^  (?:-\w, |    )--([a-z-]+)", said("help", *command.split()), re.M))
                   for command in commands}
        # `apus help module` covers the whole group
        options["db"] = options["module"] = options["sdk"] = options["registry"] = set()
        for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]:
            for words in re.findall(r"(?:`|^|[$&|] )apus ([a-z][^`\n#&|]*)", page.read_text(), re.M):
                with self.subTest(page=page.name, words=words):
                    own, two = words.split(" -- ")[0], " ".join(words.split()[:2])
                    command = two if two in options else words.split()[0]
                    self.assertIn(command, options.keys() | NOT_YET, "there is no such command")
                    if command in options:
                        self.assertLessEqual(set(re.findall(r" --([a-z-]+)", own)), options[command] | everywhere,
                                             "there is no such option")

    def test_help_fits_a_terminal(self):
        for page in [(), *(tuple(command.split()) for command in commands_in_help())]:
            text = said("help", *page).partition("\nExamples:\n")[0]  # examples must be complete command lines
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [], page)

    def test_each_is_used_in_a_session(self):
        """Each command, each of its options, and each choice of an option's value is used in a line that succeeds."""
        uses = list(uses_that_end_well())
        commands = commands_in_help()
        self.assertGreater(len(commands), 3)
        missing = set()
        for command in commands:
            own = [f" {use} " for use in uses if re.match(rf"(?:-\S+ )*{command}(?![\w-])", use)]
            if not own:
                missing.add(command)
            options = said("help", *command.split()).partition("\nOptions:\n")[2].partition("\n\n")[0]
            for letter, name, value in re.findall(r"^  (?:-(\w), |    )--([a-z-]+)(?: (\S+))?", options, re.M):
                for word in value.split("|") if "|" in value else [""]:
                    used = re.compile(rf" (?:--{name}" + (rf"|-{letter}" if letter else "") + ")[ =]" + re.escape(word))
                    if not any(used.search(use) for use in own):
                        missing.add(f"{command} --{name} {word}".rstrip())
        self.assertEqual(missing, set(ELSEWHERE), "what no session uses well, and what is tried elsewhere")


def commands_in_help():
    return re.findall(r"^  ([a-z][a-z ]*?)(?:  +)\S", said("help").split("Options of all commands")[0], re.M)


def uses_that_end_well():
    """Yields the arguments of `apus` in session lines that succeed."""
    for path in ROOT.glob("tests/cli/cases/*/session"):
        for block in ("\n" + path.read_text()).split("\n$ ")[1:]:
            line, _, seen = block.partition("\n")
            if not re.search(r"^(?:! |< )?error[\[:]|^= ", seen, re.M):
                yield from re.findall(r"""\bapus\)? ((?:[^;&|`'"\n]|'[^']*'|"[^"]*")*)""", line)


if __name__ == "__main__":
    sys.exit(unittest.main())
