# SPDX-License-Identifier: Apache-2.0
"""Finds ten equal lines in two places; such lines should become a function."""
import re

LINES = 10
OLDER = "examples/compared/apus-f4774be/"  # the programs of examples/compared/apus for an older version of Apus
# Insignificant lines. Contents of strings are removed first, so that a row of a table of texts is insignificant.
NOISE = re.compile(r"[{}()\[\];,\s\"]*(?:#.*|(?:using|namespace|import|from)\b.*|public:|private:|else|break;|\.\w+ "
                   r"= |\"\"\")?[{}();,\s\"]*")


def significant(source):
    """Returns (line number, line without white space) of the significant lines."""
    for number, line in enumerate(source.code.split("\n"), 1):
        if not NOISE.fullmatch(line):
            yield number, re.sub(r"\s+", "", line)


def check(sources):
    seen = {}
    for source in sources:
        if source.generated or source.path.startswith(OLDER) or not (source.is_cpp or source.path.endswith(".py")):
            continue
        lines = list(significant(source))
        quiet_until = 0
        for i in range(len(lines) - LINES + 1):
            window = tuple(text for _, text in lines[i:i + LINES])
            if len(set(window)) <= 2:
                continue  # a table of equal rows is not a clone
            where = seen.setdefault(window, (source.path, lines[i][0]))
            if where == (source.path, lines[i][0]) or lines[i][0] < quiet_until:
                continue
            quiet_until = lines[i + LINES - 1][0] + 1
            yield source, lines[i][0], f"{LINES} lines or more are copies of {where[0]}:{where[1]}"
