# SPDX-License-Identifier: Apache-2.0
"""Each source has a test: one under its own name, or one that includes its header."""
import re

OWN_HEADER = re.compile(r'^#include ["<]([\w./]+\.hpp)[">]', re.M)


def check(sources):
    paths = {s.path for s in sources}
    included = set()
    for source in sources:
        if re.match(r"tests/.*_test\.cpp$", source.path):
            included.update(OWN_HEADER.findall(source.text))
    for source in sources:
        m = re.match(r"src/(.*)\.cpp$", source.path)
        if not m or f"tests/{m[1]}_test.cpp" in paths:
            continue
        first = OWN_HEADER.search(source.text)
        if not first or first[1] not in included:
            yield source, 1, f"no test: neither tests/{m[1]}_test.cpp nor one that includes its header"
