# SPDX-License-Identifier: Apache-2.0
"""Bar charts as rows of HTML, so that names can wrap and letters keep their size on a phone."""
from html import escape


def bars(rows):
    """Returns the rows of a chart. `rows` is [(label, kind, [(class, value, tip)], text)]; the parts of a row are
    drawn side by side."""
    longest = max((sum(value for _, value, _ in parts) for _, _, parts, _ in rows), default=0) or 1
    items = []
    for label, kind, parts, text in rows:
        strips = "".join(
            f'<i class="{name}" style="width:{value / longest * 100:.2f}%"{tooltip(tip)}></i>'
            for name, value, tip in parts)
        items.append(f'<li class="{kind}"><span class="name">{escape(label)}</span>'
                     f'<span class="track">{strips}</span><span class="number">{escape(text)}</span></li>')
    return '<ol class="bars">' + "".join(items) + "</ol>"


def tooltip(tip):
    return f' title="{escape(tip)}"' if tip else ""
