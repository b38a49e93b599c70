#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each public header compiles alone, and the headers that users include stay cheap.

The limits are on lines after preprocessing, which do not depend on the machine, and on the CPU time of an additional
route, which normally uses a third of its limit. Other CPU times are only printed.
"""

import pathlib
import re
import sys
import tempfile

import compilers

LINES = 30_000  # of examples/hello.cpp
WHOLE_LINES = 42_000  # of a source that includes <apus/apus.hpp>
TODOS_LINES = 42_000  # of examples/todos.cpp, which has JSON, rules, a map and a lock
COSTLY = ["algorithm", "atomic", "chrono", "functional", "iostream", "map", "memory", "mutex", "regex", "thread",
          "unordered_map"]
ROUTE_SECONDS = 0.060  # CPU time at -O2 of an additional route in a program with similar ones
ROUTES_HEAD = """#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
struct item { std::string name; apus::integer<1, 5> stars{3}; bool done = false; };
struct page { apus::integer<1, 100> limit{20}; std::string after; };
apus::app make_app() {
    apus::app app;
"""
ROUTES = """    app.get("/plain/N", [] { return "route N"; });
    app.post("/json/N", [](apus::json<item> in) { in->name += "N"; return *std::move(in); });
    app.get("/query/N/{id}", [](std::uint32_t id, apus::query<page> of) { return of->after + std::to_string(id + N); });
"""


def costly_includes(header):
    """Returns the lines of a header that include headers which slow down every user's build."""
    wanted = {f"#include <{name}>" for name in COSTLY}
    return [line for line in header.read_text().splitlines() if line in wanted]


def not_in_whole(headers):
    """Returns the public headers that <apus/apus.hpp> does not include."""
    whole = (compilers.ROOT / "include/apus/apus.hpp").read_text()
    return [each for each in headers if each.parent.name == "apus" and each.name not in ("apus.hpp", "test.hpp")
            and f"#include <apus/{each.name}>" not in whole]


def not_alone(compiler, headers, folder):
    """Yields an error for each header that does not compile alone. Standard headers are
    precompiled, except costly ones: tools/tidy checks that each header includes the precompiled ones that it uses."""
    listed = re.findall(r"<(\w+)>", (compilers.ROOT / "cmake/precompile.cmake").read_text())
    standard = compilers.precompile(compiler, [f"#include <{name}>" for name in listed if name not in COSTLY], folder)
    for header in headers:
        status, _, messages, _ = compilers.run(compiler, "-fsyntax-only", "-x", "c++", "-include", standard,
                                               "-include", header, "/dev/null")
        if status != 0:
            yield f"{header.relative_to(compilers.ROOT)} does not compile alone with {compiler}:\n{messages}"


def over_budget(compiler, source):
    """Returns an error if a program with JSON, compiled for a release, exceeds its limit."""
    _, text, _, _ = compilers.run(compiler, "-E", "-P", source)
    status, _, messages, seconds = compilers.run(compiler, "-O2", "-c", "-o", "/dev/null", source)
    lines = text.count("\n")
    print(f"{compiler}: {source.name} has {lines} lines after preprocessing, compiles with -O2 in {seconds:.2f} s of "
          f"CPU time")
    if status != 0:
        yield f"{source.name} does not compile with {compiler}:\n{messages}"
    if lines > TODOS_LINES:
        yield f"{source.name} has {lines} lines after preprocessing with {compiler}, more than {TODOS_LINES}"


def over_route_budget(compiler, folder):
    """Returns an error if an additional route in a program with similar ones (text, JSON of one struct, a query)
    exceeds its limit."""
    spent = {}
    for rounds in (1, 11):
        source = pathlib.Path(folder, f"routes_{rounds}.cpp")
        routes = "".join(ROUTES.replace("N", str(number)) for number in range(rounds))
        source.write_text(f"{ROUTES_HEAD}{routes}    return app;\n}}\n")
        status, _, messages, spent[rounds] = compilers.run(compiler, "-O2", "-c", "-o", "/dev/null", source)
        if status != 0:
            yield f"the routes do not compile with {compiler}:\n{messages}"
    each = (spent[11] - spent[1]) / 30
    print(f"{compiler}: a further route compiles with -O2 in {each * 1000:.0f} ms of CPU time")
    if each > ROUTE_SECONDS:
        yield (f"a further route takes {each * 1000:.0f} ms of CPU time with {compiler}, more than "
               f"{ROUTE_SECONDS * 1000:.0f}")


def main():
    root, failed = compilers.ROOT, []
    headers = sorted((root / "include").rglob("*.hpp"))
    for header in headers:
        failed += [f"{header.relative_to(root)}: {line}" for line in costly_includes(header)]
    failed += [f"include/apus/apus.hpp does not include <apus/{each.name}>" for each in not_in_whole(headers)]
    included = [each for each in headers if "detail" not in each.parts]  # users include these; they include the others
    hello = root / "examples/hello.cpp"
    for compiler in compilers.available():
        with tempfile.TemporaryDirectory() as folder:
            failed += not_alone(compiler, included, folder)
        _, text, _, _ = compilers.run(compiler, "-E", "-P", hello)
        lines = text.count("\n")
        status, _, messages, seconds = compilers.run(compiler, "-O0", "-c", "-o", "/dev/null", hello)
        print(f"{compiler}: hello.cpp has {lines} lines after preprocessing, compiles in {seconds:.2f} s of CPU time")
        if status != 0:
            failed.append(f"hello.cpp does not compile with {compiler}:\n{messages}")
        if lines > LINES:
            failed.append(f"hello.cpp has {lines} lines after preprocessing with {compiler}, more than {LINES}")
        _, text, _, _ = compilers.run(compiler, "-E", "-P", root / "include/apus/apus.hpp")
        print(f"{compiler}: <apus/apus.hpp> has {text.count(chr(10))} lines after preprocessing")
        if text.count("\n") > WHOLE_LINES:
            failed.append(f"<apus/apus.hpp> has {text.count(chr(10))} lines with {compiler}, more than {WHOLE_LINES}")
        failed += over_budget(compiler, root / "examples/todos.cpp")
        with tempfile.TemporaryDirectory() as folder:
            failed += over_route_budget(compiler, folder)
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
