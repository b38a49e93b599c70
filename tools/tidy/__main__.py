# SPDX-License-Identifier: Apache-2.0
"""Checks house rules that no compiler checks. usage: tidy [ROOT]

Prints `file:line: what` for each finding, and exits with 1 if there is one.
"""
import os
import sys

import clones
import contracts
import documents
import includes
import layers
import plain
import size
import tested
import unused
import wording
from source import tree


def findings(root):
    sources = tree(root)
    by_path = {s.path: s for s in sources}
    table = layers.Table(by_path["ARCHITECTURE.md"].text if "ARCHITECTURE.md" in by_path else "")
    if not table.number:
        yield "ARCHITECTURE.md", 1, "no table of layers"
    for source in sources:
        for rule in (plain.check, size.check, contracts.check, unused.check, wording.check):
            for line, what in rule(source):
                yield source.path, line, what
        for line, what in layers.check(source, table, by_path):
            yield source.path, line, what
        for rule in (documents.check, includes.check):
            for line, what in rule(source, by_path):
                yield source.path, line, what
    for rule in (clones.check, tested.check):
        for source, line, what in rule(sources):
            yield source.path, line, what


def main():
    if len(sys.argv) > 2:
        print(__doc__, file=sys.stderr)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) == 2 else os.path.dirname(os.path.dirname(here))
    found = sorted(set(findings(root)))
    for path, line, what in found:
        print(f"{path}:{line}: {what}")
    return 1 if found else 0


sys.exit(main())
