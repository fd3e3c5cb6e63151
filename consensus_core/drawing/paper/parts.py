"""Parts that several figures have: an axis, a legend, a scale of colours, a tree."""

from __future__ import annotations

import numpy as np

from ...numbers import number
from ...partition.dendrogram import Dendrogram
from ...text import visible
from .marks import Image, Line, Rect
from .sheet import Sheet, text_width
from .style import Style

GAP = 1.2  # millimetres between things that stand side by side
THIN, HAIR = 0.25, 0.12


def titled(style: Style, title: str) -> float:
    """The room a title takes."""
    return style.mm * 1.9 if title else GAP


def put_title(sheet: Sheet, title: str, x: float = GAP) -> None:
    if title:
        size, room = sheet.style.size * 1.15, sheet.width - 2 * x
        most = len(title)
        while most > 8 and text_width(visible(title, most), size) * 1.08 > room:  # bold takes a little more
            most -= 1
        sheet.text(x, sheet.style.mm * 1.25, visible(title, most), size, bold=True)


def ticks(low: float, high: float, most: int = 5) -> np.ndarray:
    """Round numbers between two ends."""
    if not np.isfinite(high - low) or high <= low:
        return np.array([low])
    rough = (high - low) / most
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= rough)
    first = np.ceil(low / step - 1e-9)
    return np.arange(first, np.floor(high / step + 1e-9) + 1) * step


def legend_rows(entries: list[tuple[str, str]], style: Style, width: float) -> list[list[tuple[str, str]]]:
    """(colour, name) set in lines that fit."""
    rows, used = [[]], 0.0
    for colour, name in entries:
        takes = style.mm * 1.4 + text_width(name, style.size) + 2 * GAP
        if rows[-1] and used + takes > width:
            rows.append([])
            used = 0.0
        rows[-1].append((colour, name))
        used += takes
    return rows


def put_legend(sheet: Sheet, rows: list[list[tuple[str, str]]], x: float, y: float) -> None:
    style = sheet.style
    for line, entries in enumerate(rows):
        at, base = x, y + line * style.mm * 1.5
        for colour, name in entries:
            sheet.add(Rect(at, base - style.mm * 0.8, style.mm * 0.9, style.mm * 0.9, colour))
            sheet.text(at + style.mm * 1.25, base, name)
            at += style.mm * 1.4 + text_width(name, style.size) + 2 * GAP


def put_scale(sheet: Sheet, x: float, y: float, height: float, low: float, high: float, title: str, **look) -> None:
    """A bar of colours with its numbers, the least at the bottom."""
    style, width = sheet.style, style_bar(sheet.style)
    values = np.linspace(high, low, 128)[:, None]
    beyond = look.pop("beyond", (False, False))
    sheet.add(Image(x, y, width, height, style.coloured(values, low, high, **look)))
    sheet.add(Rect(x, y, width, height, stroke=style.ink, line=HAIR))
    for value in ticks(low, high, 4):
        at = y + height * (1 - (value - low) / (high - low)) if high > low else y + height / 2
        sheet.line([(x + width, at), (x + width + 0.7, at)], THIN)
        ends = ("≤ " if beyond[0] and value == low else "") + ("≥ " if beyond[1] and value == high else "")
        sheet.text(x + width + 1.1, at + style.mm * 0.35, ends + number(float(value)))
    sheet.text(x, y - GAP, title, italic=len(title) <= 2)


def style_bar(style: Style) -> float:
    return style.mm * 1.1


def put_tree(sheet: Sheet, tree: Dendrogram, places: np.ndarray, x: float, width: float, least: float) -> None:
    """Branches to the left of rows; `places` (q,) is where each leaf stands. Branches shorter than `least` are cut."""
    q = tree.leaves
    at = np.concatenate([places, np.zeros(q - 1)])
    high = np.concatenate([np.zeros(q), tree.heights - min(0.0, float(tree.heights.min(initial=0.0)))])
    top = float(high.max(initial=0.0)) or 1.0
    reach = lambda height: x + width * (1 - height / top)  # noqa: E731
    points = []
    for t, (a, b) in enumerate(tree.merges):
        at[q + t] = (at[a] + at[b]) / 2
        if abs(at[a] - at[b]) < least and width * (high[q + t]) / top < least:
            continue
        here = reach(high[q + t])
        points += [(reach(high[a]), at[a]), (here, at[a]), (here, at[b]), (reach(high[b]), at[b]), (np.nan, np.nan)]
    if points:
        sheet.add(Line(np.array(points), sheet.style.ink, HAIR))
