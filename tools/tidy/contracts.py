# SPDX-License-Identifier: Apache-2.0
"""Every public declaration has a contract.

A comment covers the declarations that follow it up to the next empty line; a plain `//` marks internal
ones. Exempt: contents of detail/ and namespace detail, forward declarations, accessors named after their
member, and members whose meaning the language fixes.
"""
import re

from outline import outline, without_template

EMPTY = re.compile(r"^\s*///<?\s*$|///<\s*$|/\*\*[\s*]*\*/")
FIXED = re.compile(
    r"(?:^|\s)~|\boperator\b|=\s*(?:delete|default)\s*$|^(?:using|typedef|friend|static_assert)\b"
    r"|\bawait_(?:ready|suspend|resume|transform)\b|\b(?:struct|class)\s+(?:awaiter|promise_type)\b")
ELSEWHERE = re.compile(r"^[^(]*\w(?:<[^()]*>)?::~?\w+\s*\(|^(?:class|struct)\s+\w+(?:<[^{}]*>)?::|^\w+\s*\([^()]*\)\s*->")
ACCESSOR = re.compile(r"(\w+)\s*\(\)\s*const\s*(?:noexcept)?\s*\{\s*return \1_;\s*$")


def check(source):
    if not source.path.startswith("include/apus/"):
        return
    for number, line in enumerate(source.lines, 1):
        if EMPTY.search(line) and not between_comment_lines(source.lines, number - 1):
            yield number, "an empty doc comment"
    if "/detail/" not in source.path:
        yield from undocumented(source, outline(source.code), None)


def between_comment_lines(lines, at):
    """An empty `///` may part two paragraphs."""
    around = [lines[i].strip() for i in (at - 1, at + 1) if 0 <= i < len(lines)]
    return lines[at].strip() == "///" and len(around) == 2 and all(l.startswith("/// ") for l in around)


def undocumented(source, items, parent):
    for item in items:
        head = without_template(item.head)
        if item.kind == "namespace":
            if not re.search(r"\bdetail\b", head):
                yield from undocumented(source, item.inside, None)
            continue
        if item.access != "public" or exempt(source, item, head, parent):
            continue
        if not covered(source, item):
            yield source.line_at(item.start), f"`{title(head)}` has no doc comment"
        if item.kind == "type":
            yield from undocumented(source, item.inside, head)


def exempt(source, item, head, parent):
    if item.kind != "type" and re.match(r"(?:class|struct|union)\s+\w+$", head):
        return True  # a forward declaration
    if re.match(r"(?:class|struct)\s+\w+<[^>]*>", head):
        return True  # a case of a template that is documented
    if FIXED.search(head) or ELSEWHERE.search(head):
        return True
    if ACCESSOR.search(source.code[item.start:item.end]):
        return True
    return parent is not None and is_plain_constructor(head, parent)


def is_plain_constructor(head, parent):
    """One that only stores the few things it is given needs no words."""
    name = re.match(r"(?:class|struct|union)\s+(\w+)", parent)
    return name is not None and re.search(rf"(?:^|\s){name[1]}\s*\(", head) is not None and head.count(",") <= 2


def covered(source, item):
    first, last = source.line_at(item.start), source.line_at(item.end)
    if any("///<" in source.lines[i] for i in (first - 1, last - 1)):
        return True
    at = first - 2
    while at >= 0 and source.lines[at].strip():
        if source.lines[at].strip().startswith("//"):
            return True
        at -= 1
    return False


def title(head):
    words = re.sub(r"\s+", " ", head)
    return words if len(words) <= 60 else words[:57] + "..."
