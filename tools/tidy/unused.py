# SPDX-License-Identifier: Apache-2.0
"""Checks that sources use the names that they declare by `using`. clang-tidy checks this only in sources that it reads
by themselves, but `./apus check lint` reads several sources as one (tools/lint_units)."""
import re

USING = re.compile(r"^[ \t]*using (?:::)?(?:\w+::)+(\w+);", re.M)


def check(source):
    if not source.path.endswith(".cpp"):
        return
    for m in USING.finditer(source.code):
        rest = source.code[:m.start()] + source.code[m.end():]
        if not re.search(rf"\b{m[1]}\b", rest):
            yield source.line_at(m.start(1)), f"`{m[1]}` is not used: delete this declaration"
