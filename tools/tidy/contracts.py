# SPDX-License-Identifier: Apache-2.0
"""Public declarations must have a doc comment, and no doc comment may restate its declaration.

A comment covers the declarations that follow it, up to the next empty line. A plain `//` comment marks internal
declarations. Exempt are contents of detail/ and of namespace detail, forward declarations, members whose meaning the
language defines, and member functions without parameters, whose names describe the result.
"""
import re

from outline import outline, without_template

EMPTY = re.compile(r"^\s*///<?\s*$|///<\s*$|/\*\*[\s*]*\*/")
FIXED = re.compile(
    r"(?:^|\s)~|\boperator\b|=\s*(?:delete|default)\s*$|^(?:using|typedef|friend|static_assert)\b"
    r"|\bawait_(?:ready|suspend|resume|transform)\b|\b(?:struct|class)\s+(?:awaiter|promise_type)\b")
ELSEWHERE = re.compile(r"^[^(]*\w(?:<[^()]*>)?::~?\w+\s*\(|^(?:class|struct)\s+\w+(?:<[^{}]*>)?::"
                       r"|^\w+\s*\([^()]*\)\s*->")
GETTER = re.compile(r"\b\w+\s*\(\s*\)\s*(?:const\s*)?(?:&{1,2}\s*)?(?:noexcept)?\s*$")

# Words of a comment that add nothing to the declaration.
FILLER = frozenset("""
    a an the of to for in on at by with from as is are be it its this that these and or whether one each which if all
    any has have new given value values returns gets sets number type kind class struct s""".split())


def check(source):
    if source.is_cpp and source.path.startswith(("include/", "src/", "cli/")):
        yield from restating(source.lines)
    if not source.path.startswith("include/apus/"):
        return
    for number, line in enumerate(source.lines, 1):
        if EMPTY.search(line) and not between_comment_lines(source.lines, number - 1):
            yield number, "an empty doc comment"
    if "/detail/" not in source.path:
        yield from undocumented(source, outline(source.code), None)


def restating(lines):
    """Finds one-line doc comments whose words all occur in the declaration. Types are exempt."""
    for at, line in enumerate(lines):
        before, beside, comment = line.partition("///<")
        if not beside:
            before, beside, comment = line.partition("///")
            if not beside or before.strip() or is_doc(lines, at - 1) or is_doc(lines, at + 1) or at + 1 == len(lines):
                continue
            before = lines[at + 1]
        if re.match(r"\s*(?:template\b|class\b|struct\b|enum\b|#|$)", before):
            continue  # a type needs a comment even if its name is clear
        words = [w for w in words_of(comment) if w not in FILLER]
        if comment.strip() and "`" not in comment and set(map(stem, words)) <= set(map(stem, words_of(before))):
            yield at + 1, "the comment restates the declaration: delete it"


def is_doc(lines, at):
    return 0 <= at < len(lines) and lines[at].lstrip().startswith("///")


def words_of(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def stem(word):
    return re.sub(r"(?<=\w{3})(?:ing|ed|es|s|e)$", "", word)


def between_comment_lines(lines, at):
    """An empty `///` may separate two paragraphs."""
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
        return True  # a specialization of a documented template
    if FIXED.search(head) or ELSEWHERE.search(head):
        return True
    return parent is not None and (bool(GETTER.search(head)) or is_plain_constructor(head, parent))


def is_plain_constructor(head, parent):
    """A constructor that only stores its few arguments needs no comment."""
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
