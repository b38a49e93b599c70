# SPDX-License-Identifier: Apache-2.0
"""Prints blocks as one self-contained HTML file."""
import pathlib
from html import escape

from .lines import markers

STYLE = pathlib.Path(__file__).with_name("page.css")


def write(blocks, title):
    blocks = list(blocks)
    style = STYLE.read_text(encoding="utf-8").split("\n", 1)[1]
    body = "\n".join(contents(blocks) if one[0] == "contents" else block(one) for one in blocks)
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
            f"{markers()}{body}\n</main>\n</body>\n</html>\n")


def block(one):
    kind, *rest = one
    if kind == "heading":
        level, text, anchor = rest
        return f'<h{level} id="{escape(anchor)}">{escape(text)}</h{level}>'
    if kind == "text":
        return f"<p>{escape(rest[0])}</p>"
    if kind == "note":
        return f'<p class="note">{escape(rest[0])}</p>'
    if kind == "list":
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in rest[0]) + "</ul>"
    if kind == "table":
        return table(*rest)
    if kind == "code":
        return f'<pre tabindex="0">{escape(rest[0])}</pre>'
    if kind == "fold":
        return f'<details><summary>{escape(rest[0])}</summary><pre tabindex="0">{escape(rest[1])}</pre></details>'
    return '<div class="figures">' + "".join(f"<figure><figcaption>{escape(caption)}</figcaption>{html}</figure>"
                                             for caption, html in rest[0]) + "</div>"


def contents(blocks):
    """Returns links to the sections and their contents."""
    sections = []
    for one in blocks:
        if one[0] == "heading" and one[1] == 2:
            sections.append((one, []))
        elif one[0] == "heading" and one[1] == 3 and sections:
            sections[-1][1].append(one)
    top = " \u00b7 ".join(link(heading) for heading, _ in sections)
    items = "".join(f"<li>{link(heading)}: {', '.join(map(link, inner))}</li>" for heading, inner in sections if inner)
    return (f'<nav aria-label="Contents"><p>{top}</p><details><summary>Everything in them</summary>'
            f'<ul>{items}</ul></details></nav>')


def link(heading):
    _, _, text, anchor = heading
    return f'<a href="#{escape(anchor)}">{escape(text)}</a>'


def table(caption, heads, rows):
    head = "".join(f'<th scope="col"{left(side)}>{escape(text)}</th>' for text, side in heads)
    body = "".join(row(heads, kind, cells) for kind, cells in rows)
    return (f'<div class="scroll" tabindex="0" role="region" '
            f'aria-label="{escape(caption)}"><table><caption>{escape(caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")


def row(heads, kind, cells):
    first = f'<th scope="row">{escape(cells[0])}</th>'
    rest = "".join(f"<td{left(side, cell)}>{escape(cell)}</td>"
                   for (_, side), cell in list(zip(heads, cells))[1:])
    return f'<tr class="{escape(kind)}">{first}{rest}</tr>' if kind else f"<tr>{first}{rest}</tr>"


def left(side, cell=""):
    """Returns the class attribute of left-aligned cells; cells are right-aligned by default, for numbers."""
    if side == "right":
        return ""
    return ' class="left long"' if len(cell) > 24 else ' class="left"'
