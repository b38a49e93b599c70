# SPDX-License-Identifier: Apache-2.0
"""Rules on the characters of files and on file names."""
import re

TEXT = (".hpp", ".cpp", ".py", ".sh", ".cmake", ".md", ".txt", ".json", ".in", ".yml")
LICENCE = "SPDX-License-Identifier: Apache-2.0"
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
MACHINE = re.compile(r"(?<![\w.])/(?:root|home|work)/|\.librar[y]/")
HOST = re.compile(r"\b(?:deb\.debian\.org|security\.debian\.org|pypi\.org|files\.pythonhosted\.org|crates\.io"
                  r"|proxy\.golang\.org|registry\.npmjs\.org|repo\d?\.maven\.)", re.I)
EMPTY_NAME = re.compile(r"(?:^|_)(?:utils?|common|misc|helpers?|managers?|part\d+|stuff)(?:$|_)")


def check(source):
    yield from name(source)
    if not (source.path.endswith(TEXT) or source.is_script):
        return
    yield from characters(source)
    if source.is_cpp or source.is_script:
        yield from licence(source)
    for number, line in enumerate(source.lines, 1):
        if not source.is_document and UNFINISHED.search(line):
            yield number, "unfinished: complete it or file an issue"
        if MACHINE.search(line):
            yield number, "a path that exists only on one machine"
        if HOST.search(line):
            yield number, "the host of a package registry"


def name(source):
    for part in source.path.split("/"):
        if EMPTY_NAME.search(part.split(".")[0].lower()):
            yield 1, f"`{part}` does not describe its contents"
            return


def characters(source):
    if b"\r" in source.bytes:
        yield source.line_at(source.text.index("\r")), "a carriage return; lines end in LF"
    for number, line in enumerate(source.lines, 1):
        if not line.isascii():
            yield number, "a character that is not ASCII"
        if line != line.rstrip(" \t"):
            yield number, "white space at the end of the line"
        if "\t" in line:
            yield number, "a tab"
    if source.bytes and not source.bytes.endswith(b"\n"):
        yield len(source.lines), "no line break at the end"
    if source.bytes.endswith(b"\n\n"):
        yield len(source.lines), "empty lines at the end"


def licence(source):
    if source.is_cpp:
        if not source.lines or source.lines[0] != "// " + LICENCE:
            yield 1, f"the first line is not `// {LICENCE}`"
    elif not any(line == "# " + LICENCE for line in source.lines[:2]):
        yield 1, f"the first lines lack `# {LICENCE}`"
