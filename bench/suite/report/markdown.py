# SPDX-License-Identifier: Apache-2.0
"""Prints blocks as GitHub's Markdown."""
import re


def write(blocks):
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(filter(None, map(block, blocks)))).rstrip("\n") + "\n"


def block(one):
    kind, *rest = one
    if kind == "heading":
        return f"{'#' * rest[0]} {plain(rest[1])}"
    if kind in ("text", "note"):
        return plain(rest[0])
    if kind == "list":
        return "\n".join(f"- {plain(item)}" for item in rest[0])
    if kind == "table":
        return table(*rest[1:])
    if kind == "code":
        return fence(rest[0])
    if kind == "fold":
        return f"<details><summary>{plain(rest[0])}</summary>\n\n{fence(rest[1])}\n\n</details>"
    return ""  # omits plots and the table of contents, which GitHub creates itself


def plain(text):
    """Returns one line with Markdown's special characters escaped."""
    text = re.sub(r"\s+", " ", str(text)).strip()
    return re.sub(r"([\\`*_\[\]|#~])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def fence(text):
    ticks = "`" * max([2, *(len(run) for run in re.findall(r"`+", text))]) + "`"
    return f"{ticks}\n{text.rstrip()}\n{ticks}"


def table(heads, rows):
    lines = ["| " + " | ".join(plain(text) for text, _ in heads) + " |",
             "|" + "|".join("---:" if side == "right" else "---" for _, side in heads) + "|"]
    for kind, cells in rows:
        cells = [plain(cell) for cell in cells]
        if kind == "apus":
            cells[0] = f"**{cells[0]}**"
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
