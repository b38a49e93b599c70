#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Misuse of the API results in compile errors with a comprehensible sentence.

Each must_fail/*.cpp is compiled twice. With -DOK it must compile, which shows that the mistake is its only error;
cases with equal includes are compiled together for this, each in its own namespace. Without -DOK, compilation must
fail, and the compiler must print the sentence after "error:" in the second line, and the text after "names:" in the
third line if there is one, ignoring how templates are qualified. The flags are those of a project
(apus_application.cmake). Headers that several cases include are precompiled.
"""

import collections
import pathlib
import re
import sys
import tempfile

import compilers

INCLUDE = re.compile("^#include <.*>", re.M)
NOT_JOINED = re.compile("^(namespace (apus|std)\\b|template <>|extern |#define )", re.M)


def precompiled(source, compiler, folder):
    """Precompiles a header with exactly the includes of a case."""
    return compilers.precompile(compiler, INCLUDE.findall(source.read_text()), folder)


def without_scopes(text):
    """Removes namespaces, since compilers differ in where they print the namespace of a template."""
    return text.replace("apus::detail::", "")


def flags_of_projects():
    """Returns the flags of apus_application, which turn some warnings into errors."""
    listed = re.search(r"apus_project_flags INTERFACE (-W.*)\)",
                       (compilers.ROOT / "cmake/apus_application.cmake").read_text())
    return [flag for flag in compilers.FLAGS if not flag.startswith("-W")] + listed[1].split()


def correct_together(headers, compiler, folder):
    """Returns the cases that compile without their mistakes, of those that can be compiled together."""
    groups = collections.defaultdict(list)
    for source, header in headers.items():
        if not NOT_JOINED.search(source.read_text()):
            groups[header].append(source)
    found = set()
    for header, sources in groups.items():
        parts = [f'namespace {source.stem} {{\n#line 1 "{source}"\n{INCLUDE.sub("", source.read_text())}\n}}'
                 for source in sources]
        unit = pathlib.Path(folder, "together.cpp")
        unit.write_text("\n".join(parts))
        status, _, _, _ = compilers.run(compiler, "-fsyntax-only", "-DOK", "-include", header, unit)
        found |= set(sources if status == 0 else [])
    return found


def faults(source, compiler, header, is_correct):
    """Returns the errors of one case, as sentences. `is_correct`: the case is known to compile without its mistake."""
    lines = source.read_text().splitlines()
    sentences = [lines[1].removeprefix("// error: ")]
    if lines[2].startswith("// names: "):
        sentences.append(lines[2].removeprefix("// names: "))
    if not is_correct:  # compiled by itself, so that its messages are printed
        status, _, messages, _ = compilers.run(compiler, "-fsyntax-only", "-DOK", "-include", header, source)
        if status != 0:
            yield f"does not compile without the mistake:\n{messages}"
    status, _, messages, _ = compilers.run(compiler, "-fsyntax-only", "-include", header, source,
                                           flags=flags_of_projects())
    if status == 0:
        yield "compiles with the mistake"
    for sentence in sentences:
        if status != 0 and without_scopes(sentence) not in without_scopes(messages):
            yield f"is refused without saying: {sentence}\n{messages}"


def main():
    sources = sorted((compilers.ROOT / "tests/compile/must_fail").glob("*.cpp"))
    failed = 0
    for compiler in compilers.available():
        with tempfile.TemporaryDirectory() as folder:
            headers = {source: precompiled(source, compiler, folder) for source in sources}
            correct = correct_together(headers, compiler, folder)
            for source, header in headers.items():
                for fault in faults(source, compiler, header, source in correct):
                    print(f"{source.name}, {compiler}: {fault}")
                    failed += 1
        print(f"{compiler}: {len(sources)} cases, {len(correct)} of them compiled together without their mistakes")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
