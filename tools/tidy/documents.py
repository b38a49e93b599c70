# SPDX-License-Identifier: Apache-2.0
"""Links in documents must refer to existing files and headings. Code in documents must be quoted from built files."""
import os
import re

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
MARKER = re.compile(r"<!-- from ([\w./-]+) -->$")
FENCE = re.compile(r"```(\w*)$")
BUILT = ("examples/", "tests/", "include/")
CPP_FENCES = {"cpp", "c++", "cc", "hpp", "cxx"}


def check(source, by_path):
    if not source.is_document:
        return
    prose = []
    blocks = list(fenced(source.lines, prose))
    for number, line in prose:
        for m in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            if finding := dead(source.path, m[1], by_path):
                yield number, finding
    for number, language, marker, body in blocks:
        if language in CPP_FENCES or marker:
            if finding := not_built(marker, body, by_path):
                yield number, finding


def fenced(lines, prose):
    """Yields each fenced block as (line, language, source file, its lines); other lines are appended to `prose`."""
    i = 0
    while i < len(lines):
        m = FENCE.match(lines[i].strip())
        if not m:
            prose.append((i + 1, lines[i]))
            i += 1
            continue
        before = MARKER.match(lines[i - 1].strip()) if i else None
        end = next((k for k in range(i + 1, len(lines)) if lines[k].strip() == "```"), len(lines))
        yield i + 1, m[1], before[1] if before else None, lines[i + 1:end]
        i = end + 1


def dead(path, target, by_path):
    if re.match(r"[a-z]+:", target):
        return None
    file, _, anchor = target.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
    folder = file.rstrip("/") + "/"
    if file not in by_path:
        return None if any(p.startswith(folder) for p in by_path) else f"broken link: `{target}` does not exist"
    if anchor and by_path[file].is_document and anchor not in anchors(by_path[file]):
        return f"`{file}` has no heading `#{anchor}`"
    return None


def anchors(document):
    for line in document.lines:
        if m := re.match(r"#+ +(.*)", line):
            yield re.sub(r"[^\w\- ]", "", m[1].lower()).replace(" ", "-")


def not_built(marker, body, by_path):
    if marker is None:
        return "code that no build compiles: put it into a file and name it by `<!-- from examples/... -->`"
    if marker not in by_path or not marker.startswith(BUILT):
        return f"`{marker}` is not built: quote a file of {', '.join(BUILT)}"
    if "\n".join(body) not in "\n".join(by_path[marker].lines):
        return f"these lines are missing in {marker}"
    return None
