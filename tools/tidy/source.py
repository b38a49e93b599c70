# SPDX-License-Identifier: Apache-2.0
"""A source file, and its C++ code without comments and contents of literals."""
import bisect
import os
import re

CPP = (".hpp", ".cpp")
SCRIPT = (".py", ".sh", ".cmake", ".cmake.in")
SKIPPED_FOLDERS = {".git", "build", "__pycache__", ".cache", "corpus"}
SKIPPED_TREES = ("tests/tools/cases", "tests/cli/diagnosis/cases")  # test samples, which violate the rules on purpose

# Matches comments and literals from left to right: a quote inside a comment does not start a string, and a slash inside
# a string does not start a comment.
LITERAL = re.compile(
    r'//(?:\\\n|[^\n])*'
    r'|/\*.*?\*/'
    r'|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'", re.S)


def blank(text):
    """Replaces every character by a space, except line breaks."""
    return re.sub(r"[^\n]", " ", text)


def without_literals(match):
    text = match[0]
    if text.startswith(("//", "/*")):
        return blank(text)
    return text[0] + blank(text[1:-1]) + text[-1] if len(text) > 1 else text


class Source:
    """A file. `path` is relative to the root, with slashes. Offsets in `code` equal those in `text`."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), "rb") as file:
            self.bytes = file.read()
        self.text = self.bytes.decode("utf-8", "replace")
        self.lines = self.text.split("\n")
        if self.lines and self.lines[-1] == "":
            self.lines.pop()
        self.name = os.path.basename(path)
        self.is_cpp = path.endswith(CPP)
        self.is_script = path.endswith(SCRIPT) or self.text.startswith("#!") or self.name == "CMakeLists.txt"
        self.is_python = path.endswith(".py") or re.match(r"#!.*python", self.text) is not None
        self.is_document = path.endswith(".md")
        self.generated = "GENERATED" in self.text[:400] and (self.is_cpp or self.is_script)
        self.code = LITERAL.sub(without_literals, self.text) if self.is_cpp else self.text
        self._breaks = [m.start() for m in re.finditer("\n", self.text)]

    def line_at(self, offset):
        return bisect.bisect_left(self._breaks, offset) + 1


def tree(root):
    """Returns all files of the tree to which rules apply, sorted by path."""
    found = []
    for folder, folders, files in os.walk(root):
        here = os.path.relpath(folder, root).replace(os.sep, "/")
        here = "" if here == "." else here + "/"
        folders[:] = sorted(f for f in folders
                            if f not in SKIPPED_FOLDERS and here + f not in SKIPPED_TREES)
        found += [here + f for f in files if not f.endswith((".pyc", ".orig", ".rej"))]
    return [Source(root, path) for path in sorted(found)]
