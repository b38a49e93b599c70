#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An edit of an application of common size costs at most so much compile time (docs/decisions/0030).

Compiles bench/application/app.cpp as a project's preset dev does: clang, -O0 -g, with the headers precompiled that its
sources include (cmake/apus_precompile.cmake). Then the same with ten more routes, each of which takes a struct of its
own
as JSON. CPU seconds differ by machine and by what else it does, so the bounds are in units of a calibration: a source
of
the standard library only, compiled in the same rounds. Noise only adds time, so the least of the rounds counts, and
rounds
end when the bounds are kept, after two at the least. `application_test.py --seconds` prints seconds of all rounds.
"""

import json
import pathlib
import re
import sys
import tempfile

import compilers

APPLICATION = compilers.ROOT / "bench/application"
DEFAULTS = compilers.ROOT / "templates/every/CMakePresets.json"
ROUNDS = (2, 12)  # at least, and at most
# The goals, in units of the calibration, which takes CALIBRATION_SECONDS on the machine that they were set for. The
# goal of the application is 1.0. Beside other work it was measured at 0.986 to 1.015, which the bound has room for.
CALIBRATION_SECONDS = 0.90
SECONDS = {"the application": 1.1, "a further route": 0.025, "hello": 0.5}
MORE_ROUTES = 10

CALIBRATION = """#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
template <int N> struct one { std::string name; std::vector<std::optional<one<N - 1>>> inner;
                          std::map<std::string, int> counts; };
template <> struct one<0> {};
int use(std::vector<one<12>>& all) {
    std::ranges::sort(all, {}, [](const auto& each) { return each.name; });
    std::function<int(int)> count = [&](int n) { return static_cast<int>(all.size()) + n; };
    return count(1);
}
"""
ROUTE = """
struct more_N {
    std::int64_t id;
    apus::text<1, 40> name;
    std::optional<std::string> note;
    std::vector<std::string> tags;
    bool done = false;
};
"""
ADD_ROUTE = """    app.post("/more/N", [](apus::json<more_N> in) -> apus::result<more_N> {
        if (in->id < N) return apus::fail(422, "too small");
        return *std::move(in);
    });
"""


def flags():
    """Those of a project's preset dev."""
    presets = json.loads(DEFAULTS.read_text())["configurePresets"]
    debug = next(each for each in presets if each["name"] == "base")["cacheVariables"]["CMAKE_CXX_FLAGS_DEBUG"]
    warnings = re.search(r"apus_project_flags INTERFACE (-W.*)\)",
                         (compilers.ROOT / "cmake/apus_application.cmake").read_text())[1]
    return [f"-I{compilers.ROOT / 'include'}", f"-I{APPLICATION}", *warnings.split(), *debug.split(), "-std=c++23"]


def precompiled(compiler, folder):
    """The header that cmake/apus_precompile.cmake makes of the application's sources, in the compiler's form."""
    names = {"apus/app.hpp", "apus/json.hpp"}
    for source in APPLICATION.glob("*.[ch]pp"):
        names |= set(re.findall(r"^#include <(apus/[a-z0-9_]+\.hpp|[a-z_]+)>", source.read_text(), re.M))
    header = pathlib.Path(folder, "precompiled.hpp")
    header.write_text("".join(f"#include <{name}>\n" for name in sorted(names)))
    compiled = header.with_suffix(".hpp.pch")
    status, _, messages, seconds = compilers.run(compiler, "-x", "c++-header", "-fpch-instantiate-templates", header,
                                                 "-o", compiled, flags=flags())
    assert status == 0, messages
    print(f"{compiler}: precompiling what the application includes takes {seconds:.2f} s of CPU time")
    return ["-include", header]


def with_more_routes(folder):
    """The application with further structs and routes."""
    text = (APPLICATION / "app.cpp").read_text()
    numbers = range(MORE_ROUTES)
    text = text.replace("std::string new_code(", "".join(ROUTE.replace("N", str(n)) for n in numbers)
                        + "std::string new_code(", 1)
    text = text.replace('    app.get("/health"', "".join(ADD_ROUTE.replace("N", str(n)) for n in numbers)
                        + '    app.get("/health"', 1)
    source = pathlib.Path(folder, "more.cpp")
    source.write_text(text)
    return source


def spent(compiler, words):
    status, _, messages, seconds = compilers.run(compiler, "-c", "-o", "/dev/null", *words, flags=flags())
    assert status == 0, messages
    return seconds


def with_route(least):
    """The CPU seconds of each kind, and of a route as the difference of two."""
    each = dict(least)
    each["a further route"] = (each.pop("more routes") - least["the application"]) / MORE_ROUTES
    return each


def over(least):
    """The kinds that take more than their bound."""
    unit = least["calibration"] / CALIBRATION_SECONDS
    return [kind for kind, bound in SECONDS.items() if least[kind] / unit > bound]


def measure(compiler, folder):
    """CPU seconds of each kind: the least of some rounds, of which each takes all of them in turn."""
    calibration = pathlib.Path(folder, "calibration.cpp")
    calibration.write_text(CALIBRATION)
    header = precompiled(compiler, folder)
    kinds = {"calibration": [calibration], "the application": [*header, APPLICATION / "app.cpp"],
             "more routes": [*header, with_more_routes(folder)],
             "hello": [compilers.ROOT / "examples/hello.cpp"]}
    least = dict.fromkeys(kinds, 1e9)
    for number in range(1, ROUNDS[1] + 1):
        least = {kind: min(least[kind], spent(compiler, words)) for kind, words in kinds.items()}
        if number >= ROUNDS[0] and "--seconds" not in sys.argv and not over(with_route(least)):
            break
    print(f"{compiler}: rounds: {number}")
    return with_route(least)


def main():
    failed = 0
    for compiler in compilers.available():
        if "clang" not in compiler:
            continue
        with tempfile.TemporaryDirectory() as folder:
            least = measure(compiler, folder)
        unit = least["calibration"] / CALIBRATION_SECONDS
        for kind, seconds in least.items():
            bound = SECONDS.get(kind, 0)
            print(f"{compiler}: {kind}: {seconds:.3f} s of CPU time, {seconds / unit:.3f} units"
                  + (f", of {bound} at most" if bound else ""))
        for kind in over(least) if "--seconds" not in sys.argv else ():
            print(f"error: {kind} takes more than {SECONDS[kind]} units of CPU time with {compiler}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
