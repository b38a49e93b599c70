# SPDX-License-Identifier: Apache-2.0
"""Expressions with co_await that g++ compiles wrongly. docs/compilers.md tells the story."""
import re

from outline import partners

CONTROL = re.compile(r"(?:if|for|while|switch|catch)\b\s*(?:constexpr\b)?\s*(?=\()")
PREFIX = re.compile(r"(?:else|do|try)\b|(?:case\b[^:;{}]*|default\s*):(?!:)|(?:public|private|protected)\s*:")
INTRODUCER = re.compile(r"(?<![\w\])])\[([^\[\]]*)\]\s*(?=[({<]|mutable\b|noexcept\b|->)")
LAMBDA_HEAD = re.compile(r"(?<![\w\])])\[[^\[\]]*\]\s*(?:<[^<>]*>)?\s*(?:\([^{};]*\))?[^{};()]*(?:\([^(){};]*\)[^{};()]*)*$")
BY_REFERENCE = re.compile(r"\s*(?:&\s*\w*|this)?\s*")
BINDING = re.compile(r"\bauto\s*&{0,2}\s*\[[^\]]*\]\s*=[^;]*\bco_await\b")
LOOPED = re.compile(r"\bwhile\s*\([^;{}]*\)\s*\{?\s*if\s*\(\s*co_await\b")
TRAPS = (
    (re.compile(r"[(,]\s*\{"), "a braced list"),
    (re.compile(r"\b(?!return\b|co_return\b)[A-Za-z_][\w:]*(?:<[^;{}()]*>)?\s*\{"), "a braced temporary"),
    (re.compile(r"\?"), "a `?:`"),
)


def statements(code, begin, end, pairs):
    """Each full expression between two offsets, as (offset, text); bodies of lambdas are apart."""
    i = begin
    while i < end:
        if code[i].isspace() or code[i] in ";}":
            i += 1
        elif code[i] == "{":
            close = pairs.get(i, end)
            yield from statements(code, i + 1, close, pairs)
            i = close + 1
        elif m := CONTROL.match(code, i):
            close = pairs.get(m.end(), end)
            yield from statements(code, m.end() + 1, close, pairs)
            i = close + 1
        elif m := PREFIX.match(code, i):
            i = m.end()
        else:
            i = yield from expression(code, i, end, pairs)


def expression(code, begin, end, pairs):
    """One statement up to its semicolon or, for a declaration, its body. Returns where it ends."""
    text, i, depth = [], begin, 0
    while i < end:
        c = code[i]
        if c == ";" and depth == 0:
            break
        if c == "{":
            close = pairs.get(i, end)
            head = "".join(text)
            if LAMBDA_HEAD.search(head):
                yield from statements(code, i + 1, close, pairs)
                text.append("{}")
                i = close + 1
                continue
            if depth == 0 and is_definition(head):
                yield from statements(code, i + 1, close, pairs)
                return close + 1
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            break
        text.append(c)
        i += 1
    yield begin, "".join(text)
    return i + 1


def is_definition(head):
    """The brace after this opens a body: of a namespace, a type or a function."""
    if re.search(r"\b(?:co_await|co_return|return|co_yield)\b|(?<![=!<>])=(?!=)\s*\S*$", head):
        return False
    if re.match(r"\s*(?:inline\s+)?(?:namespace|class|struct|union|enum|template|extern)\b", head):
        return True
    return ")" in head and not re.search(r"[(,]\s*$", head)


def trap_in(text):
    for m in INTRODUCER.finditer(text):
        if not all(BY_REFERENCE.fullmatch(capture) for capture in m[1].split(",")):
            return "a lambda that captures by value"
    bare = INTRODUCER.sub(" ", text)
    bare = re.sub(r"(\)|mutable|noexcept|->[^{}]*)?\s*\{\}", " ", bare)
    for pattern, what in TRAPS:
        if pattern.search(bare):
            return what
    return None


def check(source):
    if not source.is_cpp or "co_await" not in source.code:
        return
    code = re.sub(r"^[ \t]*#[^\n]*", lambda m: " " * len(m[0]), source.code, flags=re.M)
    pairs = partners(code)
    for m in LOOPED.finditer(code):
        yield source.line_at(m.end()), "co_await in the condition of an `if` that a loop begins with: name it on the line above"
    for offset, text in statements(code, 0, len(code), pairs):
        if "co_await" not in text:
            continue
        line = source.line_at(offset + text.index("co_await"))
        if BINDING.search(text):
            yield line, "co_await in a structured binding: bind a name first"
        elif trap := trap_in(text):
            yield line, f"co_await with {trap} in one expression: name it on the line above"
