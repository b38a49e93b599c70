#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each public header compiles alone, and what users include stays cheap.

The bound is on lines after preprocessing, which do not depend on the machine. CPU seconds are
printed for people to read.
"""

import sys

import compilers

LINES = 30_000  # of examples/hello.cpp
TODOS_LINES = 42_000  # of examples/todos.cpp, which has JSON, rules, a map and a lock
COSTLY = ["algorithm", "chrono", "functional", "iostream", "map", "memory", "regex", "thread", "unordered_map"]


def costly_includes(header):
    """The lines of a header that include what makes every user's build slow."""
    wanted = {f"#include <{name}>" for name in COSTLY}
    return [line for line in header.read_text().splitlines() if line in wanted]


def over_budget(compiler, source):
    """What a program with JSON costs, as it is compiled for a release."""
    _, text, _, _ = compilers.run(compiler, "-E", "-P", source)
    status, _, messages, seconds = compilers.run(compiler, "-O2", "-c", "-o", "/dev/null", source)
    lines = text.count("\n")
    print(f"{compiler}: {source.name} has {lines} lines after preprocessing, compiles with -O2 in {seconds:.2f} s of CPU time")
    if status != 0:
        yield f"{source.name} does not compile with {compiler}:\n{messages}"
    if lines > TODOS_LINES:
        yield f"{source.name} has {lines} lines after preprocessing with {compiler}, more than {TODOS_LINES}"


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
        failed += over_budget(compiler, root / "examples/todos.cpp")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
