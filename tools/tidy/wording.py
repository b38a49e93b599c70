# SPDX-License-Identifier: Apache-2.0
"""Plain technical English: refuses phrases that need a second reading in prose, comments and strings.

The word table of CONTRIBUTING.md lists the words to use. The rule applies to the files of COVERED, which grows as
folders are rewritten. Code blocks and `code` in documents are exempt.
"""
import re

from source import LITERAL

# Files and folders without these phrases. Add a folder after rewriting it; never remove one.
COVERED = (
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "bench/load/",
    "bench/micro/",
    "cli/",
    "cmake/",
    "docs/",
    "examples/compared/",
    "examples/greeter/",
    "fuzz/",
    "include/",
    "libraries/",
    "src/",
    "templates/api/",
    "templates/empty/",
    "templates/library/",
    "templates/web/src/",
    "templates/worker/",
    "tools/tidy/",
)

REFUSED = (
    (r"(?<!there )(?:is|are) none\b", "say invalid, missing, unknown or unsupported"),
    (r"(?<!there )(?:is|are) no\b(?! (?:longer|more|less)\b)", "say that it is not one, or name the fault"),
    (r"what (?:is|are|was|were) (?:no|not|none)\b", "begin with the noun"),
    (r"(?:nobody|whoever|anybody|everybody|those who|who is|who are)\b",
     "name the actor: client, peer, caller, user, operator"),
    (r"(?<!than )those that\b", "begin with the noun"),
    (r"(?<![#|] )(?-i:What)\b(?![^.|]*\?)", "a sentence begins with its noun"),
    (r"as there\b(?! (?:is|are|was|were)\b)", "repeat the contract or delete the comment"),
    (r"needs not\b", "say `need not`"),
)
PHRASE = re.compile(r"\b(?:" + "|".join(f"(?P<p{i}>{phrase})" for i, (phrase, _) in enumerate(REFUSED)) + ")", re.I)

# Permitted occurrences: (file, the phrase with adjacent words, the reason).
ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("src/testing/postgres_server.cpp", "nobody", "the user of this name in /etc/passwd"),
)

FIRST_LINE = 100  # maximum length of the first line of a doc comment, including the marker


def check(source):
    if not source.path.startswith(COVERED):
        return
    for start, text in spans(source):
        for m in PHRASE.finditer(text):
            around = " ".join(text[max(0, m.start() - 20):m.end() + 20].split())
            if any(source.path == path and words in around for path, words, _ in ALLOWED):
                continue
            advice = REFUSED[int(m.lastgroup[1:])][1]
            yield source.line_at(start + m.start()), f"`{' '.join(m[0].split())}` needs a second reading: {advice}"
    if source.is_cpp:
        yield from first_lines(source.lines)


def spans(source):
    """Yields (offset, text) of text for readers: prose, comments and strings; line breaks are replaced by spaces."""
    if source.is_document:
        text = re.sub(r"^```.*?^```", blank, source.text, flags=re.M | re.S)
        text = re.sub(r"`[^`\n]*`", blank, text)
        yield 0, re.sub(r"\n(?!\n)", " ", text)
    elif source.is_cpp:
        for m in LITERAL.finditer(source.text):
            yield m.start(), m[0].replace("\n", " ")
    else:
        for m in re.finditer(r'#[^\n]*|""".*?"""', source.text, re.S):
            yield m.start(), m[0].replace("\n", " ")


def blank(match):
    """Returns blanks of the same length with the same line breaks."""
    return re.sub(r"[^\n]", "`", match[0])


def first_lines(lines):
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("///") and not lines[number - 2].lstrip().startswith("///"):
            if len(line.strip()) > FIRST_LINE:
                yield number, f"the first line of a doc comment has {len(line.strip())} characters of {FIRST_LINE}"
