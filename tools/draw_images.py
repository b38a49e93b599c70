#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the images of README.md into docs/images, from text in docs. usage: draw_images.py [--check]

published.svg: the first table of published-tables.md; bars are requests per second.
diagnosis.svg: the first output in diagnosis.md, as a terminal shows it.
--check compares the files and exits with 1 if a file differs. The same text results in the same file.
"""
import pathlib
import re
import sys
from xml.sax.saxutils import escape

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
LEFT, WIDTH, ROW, TOP = 110, 420, 28, 64  # pixels


def rows(text):
    """Returns (server, requests/s, p99, errors) for each row of the table below the first level 2 heading."""
    section = text.split("\n## ")[1]
    for line in section.splitlines():
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if len(cells) == 6 and re.fullmatch(r"[\d,]+", cells[1]):
            yield cells[0], int(cells[1].replace(",", "")), cells[3], int(cells[5])


def bar(number, row, longest):
    server, rate, p99, errors = row
    y = TOP + number * ROW
    width = WIDTH * rate / longest
    color = "#2563eb" if server == "Apus" else "#94a3b8"
    note = f"{rate:,}/s, p99 {p99}" + (f", {errors} errors" if errors else "")
    return (f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(server)}</text>\n'
            f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="20" rx="2" fill="{color}"/>\n'
            f'<text x="{LEFT + width + 6:.1f}" y="{y + 15}" class="note">{escape(note)}</text>')


def plot(text):
    table = list(rows(text))
    longest = max(rate for _, rate, _, _ in table)
    height = TOP + len(table) * ROW + 12
    bars = "\n".join(bar(number, row, longest) for number, row in enumerate(table))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 {height}" width="740" height="{height}">\n'
            "<style>text { font: 14px sans-serif; fill: #1e293b } .title { font-weight: bold; font-size: 16px } "
            ".note { font-size: 12px; fill: #475569 }</style>\n"
            f'<rect width="740" height="{height}" fill="#ffffff"/>\n'
            '<text x="16" y="26" class="title">Requests per second, 800 connections</text>\n'
            '<text x="16" y="46" class="note">wrk -t8 -c800 -d30s, client and server share 2 cores; '
            "docs/published-tables.md</text>\n"
            f"{bars}\n</svg>")


COLORS = (("$", "#1d4ed8"), ("error", "#b91c1c"), ("   at: ", "#15803d"), ("  fix: ", "#15803d"))


def terminal(text):
    lines = ["$ apus build"]
    for line in re.search(r"```text\n(.*?)```", text, re.S)[1].splitlines():
        lines += [line] if len(line) <= 96 else split(line)
    spans = []
    color = COLORS[0][1]
    for number, line in enumerate(lines):
        color = next((hue for start, hue in COLORS if line.startswith(start)), color)
        spans.append(f'<text x="18" y="{58 + 22 * number}" fill="{color}" xml:space="preserve">{escape(line)}</text>')
    height = 58 + 22 * len(lines)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" width="860" height="{height}">\n'
            "<style>text { font: 14px monospace }</style>\n"
            f'<rect width="860" height="{height}" rx="8" fill="#f8fafc" stroke="#cbd5e1"/>\n'
            '<circle cx="20" cy="18" r="5" fill="#cbd5e1"/><circle cx="38" cy="18" r="5" fill="#cbd5e1"/>'
            '<circle cx="56" cy="18" r="5" fill="#cbd5e1"/>\n' + "\n".join(spans) + "\n</svg>")


def split(line):
    """Splits a line in two. Indents the second line to the column of the text after the label."""
    at = line.rindex(" ", 0, 96)
    return [line[:at], " " * 7 + line[at + 1:]]


def main():
    images = {"published.svg": plot((DOCS / "published-tables.md").read_text()),
              "diagnosis.svg": terminal((DOCS / "diagnosis.md").read_text())}
    stale = []
    for name, drawn in images.items():
        path = DOCS / "images" / name
        if "--check" not in sys.argv:
            path.write_text(drawn + "\n")
        elif not path.exists() or path.read_text() != drawn + "\n":
            stale.append(name)
    for name in stale:
        print(f"docs/images/{name} is out of date: run tools/draw_images.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
