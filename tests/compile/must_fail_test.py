#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Misuse of the API results in compile errors with a comprehensible sentence.

Each must_fail/*.cpp is compiled twice. With -DOK it must compile, which shows that the mistake is its only error.
Without it, compilation must fail, and the compiler must print the sentence after "error:" in the second line, and
the text after "names:" in the third line if there is one, ignoring how templates are qualified. The flags are those
of a project (apus_application.cmake). Headers that several cases include are precompiled.
"""

import re
import sys
import tempfile

import compilers


def precompiled(source, compiler, folder):
    """Precompiles a header with exactly the includes of a case."""
    return compilers.precompile(compiler, re.findall("^#include <.*>", source.read_text(), re.M), folder)


def without_scopes(text):
    """Removes namespaces, since compilers differ in where they print the namespace of a template."""
    return text.replace("apus::detail::", "")


def flags_of_projects():
    """Returns the flags of apus_application, which turn some warnings into errors."""
    listed = re.search(r"apus_project_flags INTERFACE (-W.*)\)",
                       (compilers.ROOT / "cmake/apus_application.cmake").read_text())
    return [flag for flag in compilers.FLAGS if not flag.startswith("-W")] + listed[1].split()


def faults(source, compiler, header):
    """Returns the errors of one case, as sentences."""
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
