# SPDX-License-Identifier: Apache-2.0
"""Each source must have a test with the name of the source, or a test that includes its header.

Indirect includes count: a test of the loop also tests its timers. Examples do not count, since a run of an example
tests little of the headers that it includes.
"""
import re

INCLUDE = re.compile(r'^#include ["<]([\w./]+\.hpp)[">]', re.M)
ROOT = re.compile(r"tests/(?!tools/).*\.cpp$")


def reached(sources):
    """Returns every header of the project that tests include, directly or indirectly."""
    includes = {s.path: INCLUDE.findall(s.text) for s in sources if s.is_cpp}
    waiting = [name for path, names in includes.items() if ROOT.match(path) for name in names]
    found = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            for folder in ("src/", "include/", "tests/"):
                waiting += includes.get(folder + name, [])
    return found


def check(sources):
    paths = {s.path for s in sources}
    included = reached(sources)
    for source in sources:
        m = re.match(r"src/(.*)\.cpp$", source.path)
        if not m or f"tests/{m[1]}_test.cpp" in paths:
            continue
        own = f"{m[1]}.hpp"
        # A source without a header of its own implements the first header that it includes.
        if f"src/{own}" not in paths:
            own = next(iter(INCLUDE.findall(source.text)), "")
        if own not in included:
            yield source, 1, f"no test: add tests/{m[1]}_test.cpp, or include the header in a test"
