# SPDX-License-Identifier: Apache-2.0
"""Line plots as SVG, without scripts; the colors are custom properties of the page."""
import itertools
from html import escape

from . import scale

# The drawing has few units, so that letters are readable on a phone.
WIDTH, HEIGHT = 400, 260
LEFT, RIGHT, TOP, BOTTOM = 60, 390, 12, 214
MARKERS = {
    "circle": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "square": "M-2.7-2.7h5.4v5.4h-5.4z",
    "triangle": "M0-3.6l3.6 6.4h-7.2z",
    "diamond": "M0-4l4 4l-4 4l-4-4z",
    "cross": "M-3.4-1.2h2.2v-2.2h2.4v2.2h2.2v2.4h-2.2v2.2h-2.4v-2.2h-2.2z",
}
unique = itertools.count(1)


def plot(title, series, x_axis, y_axis, x_name):
    """Returns a plot. `series` is [(label, style, [(x, y, tip)])]; an axis is (function, ticks, function for the
    label of a tick). A point without a tip has no marker."""
    number = next(unique)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t{number}">',
             f'<title id="t{number}">{escape(title)}</title>']
    parts += [*across(*y_axis), *upright(*x_axis)]
    parts.append(f'<text class="axis" x="{(LEFT + RIGHT) / 2:.0f}" y="{HEIGHT - 8}" '
                 f'text-anchor="middle">{escape(x_name)}</text>')
    # Apus and the limits are drawn last, on top of the other lines.
    for label, style, points in sorted(series, key=lambda one: ("limit", "apus").index(one[1][0])
                                       if one[1][0] in ("limit", "apus") else -1):
        parts += line(label, style, [(x_axis[0](x), y_axis[0](y), tip) for x, y, tip in points])
    return "".join(parts) + "</svg>"


def across(at, ticks, label):
    yield f'<path class="grid" d="{"".join(f"M{LEFT} {at(tick):.1f}H{RIGHT}" for tick in ticks)}"/>'
    labelled = scale.non_overlapping([at(tick) for tick in ticks], 13)
    for tick in ticks:
        y = at(tick)
        if y in labelled:
            yield f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label(tick))}</text>'


def upright(at, ticks, label):
    # Powers of ten get their labels first, then the first and the last tick.
    order = sorted(ticks, key=lambda tick: (not is_power(tick), tick not in (ticks[0], ticks[-1])))
    labelled = scale.non_overlapping([at(tick) for tick in order], 46)
    yield f'<path class="grid" d="{"".join(f"M{at(tick):.1f} {TOP}V{BOTTOM}" for tick in ticks)}"/>'
    for tick in ticks:
        x = at(tick)
        if x in labelled:
            anchor = "end" if x > RIGHT - 12 else "middle"
            yield (f'<text class="tick" x="{min(x, RIGHT + 6):.1f}" y="{BOTTOM + 17}" text-anchor="{anchor}">'
                   f'{escape(label(tick))}</text>')


def is_power(tick):
    return tick > 0 and f"{tick:.0e}".startswith("1e") and abs(tick / float(f"{tick:.0e}") - 1) < 1e-9


def line(label, style, points):
    name, dash, marker = style
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    yield f'<g class="{name}"><title>{escape(label)}</title>'
    if len(points) > 1:
        yield f'<polyline points="{path}"{dashes}/>'
    for x, y, tip in points:
        if tip:
            yield f'<use href="#{marker}" x="{x:.1f}" y="{y:.1f}"><title>{escape(label)}: {escape(tip)}</title></use>'
    yield "</g>"


def markers():
    """Returns the definitions that all plots of a page share, placed once at its beginning."""
    shapes = "".join(f'<path id="{name}" d="{path}"/>' for name, path in MARKERS.items())
    return f'<svg class="markers" width="0" height="0" aria-hidden="true"><defs>{shapes}</defs></svg>'


def legend(entries):
    """Returns a legend; `entries` is [(label, style)]."""
    items = []
    for label, (name, dash, marker) in entries:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        items.append(f'<li><svg class="key" viewBox="0 0 30 12" aria-hidden="true"><g class="{name}">'
                     f'<polyline points="1,6 29,6"{dashes}/><use href="#{marker}" x="15" '
                     f'y="6"/></g></svg>{escape(label)}</li>')
    return '<ul class="legend">' + "".join(items) + "</ul>"
