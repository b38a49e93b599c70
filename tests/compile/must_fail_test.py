#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the use of the API are compile errors that read like sentences.

Each must_fail/*.cpp is compiled twice: with -DOK it must compile, which shows that only the mistake
is in the way; without, it must not, and the compiler must print the sentence after "error:" in the
second line, and what a third line has after "names:", however its templates are qualified. The flags are those of
a project (apus_application.cmake). What several cases include is compiled once.
"""

import pathlib
import re
import sys
import tempfile

import compilers


def precompiled(source, compiler, folder):
    """A header with what a case includes, and no more, which the compiler finds in its own form beside it."""
    includes = re.findall("^#include <.*>", source.read_text(), re.M)
    header = pathlib.Path(folder) / (re.sub(r"\W+", "_", "".join(includes)) + ".hpp")
    if not header.exists():
        header.write_text("\n".join(includes))
        compiled = f"{header}.pch" if "clang" in compiler else f"{header}.gch"
        status, _, messages, _ = compilers.run(compiler, "-x", "c++-header", header, "-o", compiled)
        assert status == 0, messages
    return header


def without_scopes(text):
    """The compilers do not agree where the namespace of a template is spelled out."""
    return text.replace("apus::detail::", "")


def flags_of_projects():
    """The flags of apus_application: some warnings are errors."""
    listed = re.search(r"apus_project_flags INTERFACE (-W.*)\)",
                       (compilers.ROOT / "cmake/apus_application.cmake").read_text())
    return [flag for flag in compilers.FLAGS if not flag.startswith("-W")] + listed[1].split()


def faults(source, compiler, header):
    """Errors of one case, as sentences."""
    lines = source.read_text().splitlines()
    sentences = [lines[1].removeprefix("// error: ")]
    if lines[2].startswith("// names: "):
        sentences.append(lines[2].removeprefix("// names: "))
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
            for source in sources:
                for fault in faults(source, compiler, precompiled(source, compiler, folder)):
                    print(f"{source.name}, {compiler}: {fault}")
                    failed += 1
        print(f"{compiler}: {len(sources)} cases")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
