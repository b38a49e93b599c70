#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each public header compiles alone, and what users include stays cheap.

The bound is on lines after preprocessing, which do not depend on the machine. CPU seconds are
printed for people to read.
"""

import sys

import compilers

LINES = 30_000  # of examples/hello.cpp
COSTLY = ["algorithm", "chrono", "functional", "iostream", "map", "memory", "regex", "thread", "unordered_map"]


def costly_includes(header):
    """The lines of a header that include what makes every user's build slow."""
    wanted = {f"#include <{name}>" for name in COSTLY}
    return [line for line in header.read_text().splitlines() if line in wanted]


def main():
    root, failed = compilers.ROOT, []
    headers = sorted((root / "include").rglob("*.hpp"))
    for header in headers:
        failed += [f"{header.relative_to(root)}: {line}" for line in costly_includes(header)]
    hello = root / "examples/hello.cpp"
    for compiler in compilers.available():
        for header in headers:
            status, _, messages, _ = compilers.run(compiler, "-fsyntax-only", "-x", "c++", "-include", header, "/dev/null")
            if status != 0:
                failed.append(f"{header.relative_to(root)} does not compile alone with {compiler}:\n{messages}")
        _, text, _, _ = compilers.run(compiler, "-E", "-P", hello)
        lines = text.count("\n")
        status, _, messages, seconds = compilers.run(compiler, "-O0", "-c", "-o", "/dev/null", hello)
        print(f"{compiler}: hello.cpp has {lines} lines after preprocessing, compiles in {seconds:.2f} s of CPU time")
        if status != 0:
            failed.append(f"hello.cpp does not compile with {compiler}:\n{messages}")
        if lines > LINES:
            failed.append(f"hello.cpp has {lines} lines after preprocessing with {compiler}, more than {LINES}")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
