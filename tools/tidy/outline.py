# SPDX-License-Identifier: Apache-2.0
"""Finds the declarations of a C++ file by its brackets: sufficient to count them and to check their comments."""
import re
from dataclasses import dataclass, field

OPEN = {"(": ")", "[": "]", "{": "}"}
TYPE = re.compile(r"^(?:class|struct|union)\b(?!.*\)\s*(?:const|noexcept|->|$))", re.S)
ATTRIBUTE = re.compile(r"\[\[[^\]]*\]\]|\balignas\s*\([^)]*\)")
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)


@dataclass
class Item:
    """One declaration. `head` is its text up to the body or the semicolon."""
    kind: str  # namespace, type, enum, function, other
    head: str
    start: int
    end: int
    access: str
    body: tuple = None
    inside: list = field(default_factory=list)


def partners(code):
    """Returns {offset of each opening bracket: offset of its closing bracket}."""
    pairs, stack = {}, []
    for m in re.finditer(r"[()\[\]{}]", code):
        c, at = m[0], m.start()
        if c in OPEN:
            stack.append((c, at))
            continue
        while stack:
            opened, where = stack.pop()
            if OPEN[opened] == c:
                pairs[where] = at
                break
    return pairs


def without_template(head):
    """Returns the head without `template <...>` and the parameters of `requires` clauses."""
    head = ATTRIBUTE.sub(" ", head).strip()
    while m := re.match(r"template\s*<", head):
        depth, i = 1, m.end()
        while i < len(head) and depth:
            depth += {"<": 1, ">": -1}.get(head[i], 0)
            i += 1
        head = head[i:].strip()
    return head


def kind_of(head):
    head = without_template(head)
    if re.match(r"(?:inline\s+)?namespace\b|extern\s*\"", head):
        return "namespace"
    if re.match(r"enum\b", head):
        return "enum"
    if TYPE.match(head):
        return "type"
    if re.search(r"(?<![=!<>+*/-])=\s*$", head):
        return "other"
    return "function" if ")" in head else "other"


def part_of_head(code, close, head):
    """Returns whether a braced part precedes the body: a member initializer or a requires-expression."""
    rest = code[close + 1:close + 200].lstrip()
    if re.search(r"\brequires\s*(?:\([^{}]*\))?\s*$", head):
        return True
    return ")" in head and rest[:1] in (",", "{") and re.search(r"[\w>]\s*$", head) is not None


def outline(code, begin=0, end=None, pairs=None, access="public"):
    """Returns the declarations between two offsets, including those inside namespaces and types."""
    if pairs is None:
        code = PREPROCESSOR.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), code)
        pairs = partners(code)
    end = len(code) if end is None else end
    items, start, i = [], begin, begin
    while i < end:
        c = code[i]
        if c in "([":
            i = pairs.get(i, i)
        elif c == ":" and (m := re.search(r"\b(public|private|protected)\s*$", code[start:i])):
            access, start = m[1], i + 1
        elif c == ";":
            head = code[start:i]
            if head.strip():
                items.append(make(code, "other", start, i, access))
            start = i + 1
        elif c == "{":
            close = pairs.get(i, end)
            head = code[start:i]
            if part_of_head(code, close, head):
                i = close
            else:
                items.append(body_item(code, head, start, i, close, access, pairs))
                i = close
                if items[-1].kind in ("type", "enum", "other"):
                    semicolon = code.find(";", close)
                    i = semicolon if 0 <= semicolon < end else close
                start = i + 1
        i += 1
    return items


def make(code, kind, start, end, access):
    text = code[start:end]
    skipped = len(text) - len(text.lstrip())
    return Item(kind, text.strip(), start + skipped, end, access)


def body_item(code, head, start, opened, close, access, pairs):
    kind = kind_of(head)
    item = make(code, kind, start, opened, access)
    item.end, item.body = close, (opened, close)
    if kind in ("namespace", "type"):
        inner = "private" if re.match(r"class\b", without_template(head)) else "public"
        item.inside = outline(code, opened + 1, close, pairs, inner)
    return item


def all_items(items):
    for item in items:
        yield item
        yield from all_items(item.inside)
