"""The figures: a consensus heat map with its bars and tree, a track plot, curves, a map, bars."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from ...data.naming import AS_NUMBERED, Naming
from ...ensemble import MISSING, Ensemble
from ...ensemble.truth import truth_codes
from ...errors import InputError
from ...method import Matrix, Step
from ...numbers import number
from ...partition import linkage
from ...partition.numbering import numbered
from ...similarity import coassociation
from ...text import visible
from ..arrangement import Arrangement, arranged
from ..figures import columns_of
from ..orders import FIRST, member_of
from ..owners import classes
from ..pixels import pack, reduced
from ..places import map_of
from ..plots import DASHES
from ..scales import reach_of, scale_of
from .marks import Dots, Image, Rect
from .parts import (
    GAP,
    HAIR,
    THIN,
    legend_rows,
    put_legend,
    put_scale,
    put_title,
    put_tree,
    style_bar,
    ticks,
    titled,
)  # fmt: skip
from .sheet import Sheet, text_width
from .style import NOTHING, Style

MOST_LEAVES = 4000  # beyond them no tree is drawn
MOST_LEGEND = 24  # clusters that are named in a legend
NAME = 18  # signs of a name that are shown


def heatmap(
    step: Step,
    name: str | None = None,
    style: Style = Style(),  # noqa: B008  frozen
    title: str = "",
    order: str = "",
    covariates: dict | None = None,
    truth: bool = True,
    borders: bool = True,
    dendrogram: bool = True,
    legend: bool = True,
    clusters: Naming = AS_NUMBERED,
) -> Sheet:
    """A similarity of the objects, by default what the method's first matrix shows: with bars for clusters, truth and
    covariates (name -> (n,)), lines between the clusters, the tree of the co-association, and a scale.

    The tree fits the order "leaf" alone, which is taken with it; without it objects stand by the consensus.
    `clusters`: as a person calls them.
    """
    method, ensemble, style = step.run.method, step.run.ensemble, replace(style, own=clusters.colours)
    quantity = method.quantity(name) if name else _first_matrix(method)
    labels = clusters.applied(numbered(ensemble, method.labels(ensemble, step.state)))
    tree = linkage(coassociation(ensemble), ensemble.counts) if dendrogram and 2 < ensemble.q <= MOST_LEAVES else None
    rows = arranged(ensemble, labels, order or ("leaf" if tree is not None else FIRST))
    if tree is not None and order not in ("", "leaf"):
        tree = None
    value = step.value(quantity.name)
    if value is None or quantity.axes != ("object", "object"):
        raise InputError(f"{quantity.name} is no matrix over two objects at iteration {step.iteration}.")
    picture = reduced(value, rows.objects, rows.objects)
    picture = np.where(picture > 0, np.log10(np.maximum(picture, 1e-300)), np.nan) if quantity.log else picture
    bars = _side_bars(rows, truth, covariates or {}, clusters)
    return _heat_sheet(rows, quantity, picture, bars, tree, style, title, borders, legend)


def _first_matrix(method):
    found = [q for q in method.quantities() if q.kind is Matrix and q.axes == ("object", "object") and not q.minor]
    if not found:
        raise InputError(f"{method.name()} shows no matrix over two objects; take a track plot, or name a quantity.")
    return found[0]


def _side_bars(
    rows: Arrangement, truth: bool, covariates: dict, clusters: Naming
) -> list[tuple[str, np.ndarray, list[str]]]:
    """(name, colour numbers (n,) in the order of the rows, names of the colours)."""
    ensemble, mine = rows.ensemble, rows.ensemble.expand(rows.labels)
    found = [("cluster", mine[rows.rows], _names(mine, clusters))]
    asked = [("truth", ensemble.truth)] if truth and ensemble.truth is not None else []
    for name, values in [*asked, *covariates.items()]:
        if len(values) != ensemble.n:
            raise InputError(f"The covariate {visible(name, 40)} has {len(values)} values for {ensemble.n} objects.")
        codes, known = _codes(ensemble, name, values)
        colours = classes(codes, mine, len(known))
        names = [""] * (int(colours.max(initial=-1)) + 1)
        for colour, text in zip(colours, known, strict=True):
            names[colour] = text
        found.append((name, np.where(codes < 0, -1, colours[np.maximum(codes, 0)])[rows.rows], names))
    return found


def _names(labels: np.ndarray, clusters: Naming) -> list[str]:
    """By the numbers of the clusters; "" of one that was merged into another."""
    there = np.bincount(labels) > 0
    return [visible(clusters.name(label), NAME) if there[label] else "" for label in range(len(there))]


def _codes(ensemble: Ensemble, name: str, values) -> tuple[np.ndarray, list[str]]:
    if values is ensemble.truth:
        return truth_codes(ensemble)
    values = np.asarray(values)
    if values.dtype.kind == "f" and len(np.unique(values[np.isfinite(values)])) > 12:  # a measurement: five parts
        edges = np.unique(np.nanquantile(values, np.linspace(0, 1, 6)))
        codes = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, max(len(edges) - 2, 0))
        known = [f"{number(a)} to {number(b)}" for a, b in itertools.pairwise(edges)]
        return np.where(np.isfinite(values), codes, MISSING), known
    written = np.array([visible(value, NAME) for value in values.tolist()])
    known, codes = np.unique(written, return_inverse=True)
    return codes, known.tolist()


def _heat_sheet(rows, quantity, picture, bars, tree, style, title, borders, legend) -> Sheet:
    bar, top = style.mm * 0.9, titled(style, title)
    label = max(text_width(visible(name, NAME), style.size) for name, _, _ in bars) * 0.72 + GAP
    left = GAP + style.mm * 1.3 + (12.0 if tree is not None else 0.0) + len(bars) * (bar + 0.4) + GAP
    right = style_bar(style) + text_width("−0.0001", style.size) + 2.5 * GAP
    side = style.width - left - right
    head = top + max(label, style.mm * 1.4)
    entries = _legend(bars, style) if legend else []
    lines = legend_rows(entries, style, style.width - 2 * GAP)
    height = style.height or head + side + style.mm * 2.4 + len(lines) * style.mm * 1.5 + GAP
    says = f"{title or quantity.meaning}: {rows.ensemble.n:,} objects in {len(np.unique(rows.labels))} clusters"
    sheet = Sheet(style, style.width, height, says)
    put_title(sheet, title)
    tall = height - head - style.mm * 2.4 - len(lines) * style.mm * 1.5 - GAP
    scale = scale_of(quantity, reach_of(pack(10**picture if quantity.log else picture, quantity.log)))
    pixels = style.coloured(picture, scale.low, scale.high, quantity.diverging)
    sheet.add(Image(left, head, side, tall, pixels))
    if borders:
        _put_borders(sheet, rows, left, head, side, tall)
    sheet.add(Rect(left, head, side, tall, stroke=style.ink, line=THIN))
    at = left - GAP
    for name, numbers, _ in bars:
        at -= bar + 0.4
        sheet.add(Image(at, head, bar, tall, style.painted(_thinned(numbers))[:, None, :]))
        sheet.text(at + bar * 0.75, head - 0.8, visible(name, NAME), turned=-50)
    if tree is not None:
        put_tree(sheet, tree, _leaf_places(rows) * tall + head, at - 12.4, 12.0, 0.15)
    sheet.text(GAP + style.mm * 0.7, head + tall / 2, f"objects (n = {rows.ensemble.n:,})", turned=-90, anchor="middle")
    sheet.text(left + side / 2, head + tall + style.mm * 1.35, "objects, in the same order", anchor="middle")
    letter = f"log₁₀ {quantity.letter}" if quantity.log else quantity.letter
    put_scale(
        sheet, left + side + GAP, head + style.mm, min(tall * 0.6, 40), scale.low, scale.high, letter,
        diverging=quantity.diverging, beyond=(scale.under, scale.over),
    )  # fmt: skip
    put_legend(sheet, lines, GAP, head + tall + style.mm * 3.3)
    return sheet


def _put_borders(sheet, rows, x, y, side, tall) -> None:
    """Around the blocks of the consensus: where neighbouring rows are in different clusters."""
    n = rows.ensemble.n
    mine = rows.ensemble.expand(rows.labels)[rows.rows]
    cuts = np.flatnonzero(np.diff(mine)) + 1
    if not len(cuts) or len(cuts) > 200:
        return
    ends = np.concatenate([[0], cuts, [n]]) / n
    for a, b in itertools.pairwise(ends):
        box = [(x + a * side, y + a * tall), (x + b * side, y + a * tall), (x + b * side, y + b * tall)]
        box += [(x + a * side, y + b * tall), box[0]]
        sheet.line(box, 0.5, "#ffffff")
        sheet.line(box, 0.22, sheet.style.ink)


def _leaf_places(rows: Arrangement) -> np.ndarray:
    """(q,): where the middle of each microcluster's objects stands, from 0 to 1."""
    place = np.empty(rows.ensemble.n)
    place[rows.rows] = (np.arange(rows.ensemble.n) + 0.5) / rows.ensemble.n
    return np.bincount(member_of(rows.ensemble), weights=place, minlength=rows.ensemble.q) / rows.ensemble.counts


def _legend(bars, style: Style) -> list[tuple[str, str]]:
    told, several = [], len(bars) > 1
    for name, numbers, names in bars:
        entries = [(style.cluster(c), f"{visible(name, NAME)}: {text}" if several and name != "cluster" else text)
                   for c, text in enumerate(names) if text]  # fmt: skip
        if len(entries) <= MOST_LEGEND:
            told += entries
        if (np.asarray(numbers) < 0).any():
            told.append((NOTHING, f"{visible(name, NAME)}: not known"))
    return told


def _thinned(numbers: np.ndarray, most: int = 2000) -> np.ndarray:
    """As many rows as a printer shows; each the row in the middle of what it stands for."""
    if len(numbers) <= most:
        return numbers
    return numbers[((np.arange(most) + 0.5) * len(numbers) / most).astype(int)]


def tracks(
    step: Step,
    style: Style = Style(),  # noqa: B008  frozen
    title: str = "",
    legend: bool = True,
    clusters: Naming = AS_NUMBERED,
) -> Sheet:
    """Consensus, truth and every base clustering as a column of stripes; a cluster of a base clustering has the colour
    of the consensus cluster most of its objects are in. `clusters`: as a person calls them."""
    ensemble, style = step.run.ensemble, replace(style, own=clusters.colours)
    labels = clusters.applied(numbered(ensemble, step.run.method.labels(ensemble, step.state)))
    columns = columns_of(arranged(ensemble, labels))
    names = [visible(name, NAME) for name in columns.names]
    top, left = titled(style, title), GAP + style.mm * 1.6
    entries = _entries(labels, clusters, style) if legend else []
    if legend and (columns.codes < 0).any():
        entries.append((NOTHING, "no label"))
    lines = legend_rows(entries, style, style.width - 2 * GAP)
    slant = style.width - left - 2 * GAP < len(names) * style.mm * 1.05
    room = 0.0 if slant and len(names) > 60 else max(text_width(name, style.size) for name in names) * 0.75 + GAP
    head, foot = top + room, len(lines) * style.mm * 1.5 + GAP
    height = style.height or head + style.width * 0.7 + foot
    sheet = Sheet(style, style.width, height, title or f"{len(names) - 1} clusterings of {ensemble.n:,} objects")
    put_title(sheet, title)
    wide = (style.width - left - max(room * 0.6, 2 * GAP)) / len(names)
    tall = height - head - foot - style.mm * 0.6
    numbers = columns.numbers()
    gap = min(wide * 0.12, 0.4)
    for i, name in enumerate(names):
        x = left + i * wide + (GAP if i else 0) * (wide > 2)
        sheet.add(Image(x, head, wide - gap, tall, style.painted(_thinned(numbers[:, i]))[:, None, :]))
        if room and (not slant or i % max(1, round(style.mm * 1.05 / wide)) == 0):
            sheet.text(x + wide / 2, head - 0.8, name, turned=-50, bold=i == 0)
    sheet.text(GAP + style.mm * 0.7, head + tall / 2, f"objects (n = {ensemble.n:,})", turned=-90, anchor="middle")
    put_legend(sheet, lines, GAP, head + tall + style.mm * 1.6)
    return sheet


def curves(
    series: dict,
    style: Style = Style(),  # noqa: B008  frozen
    title: str = "",
    x: str = "iteration",
    y: str = "",
    log: bool = False,
    along: np.ndarray | None = None,
    marker: float | None = None,
) -> Sheet:
    """Named courses over the iterations, or over `along`; each has a colour and a dash of its own."""
    courses = {visible(name, 40): np.asarray(values, dtype=float) for name, values in series.items()}
    if log:
        courses = {name: np.where(v > 0, np.log10(np.maximum(v, 1e-300)), np.nan) for name, v in courses.items()}
    along = np.arange(max(map(len, courses.values()), default=1)) if along is None else np.asarray(along, dtype=float)
    finite = np.concatenate([[], *(v[np.isfinite(v)] for v in courses.values())])
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    low, high = (low, high) if high > low else (low - (abs(low) or 1.0) * 0.5, high + (abs(high) or 1.0) * 0.5)
    entries = [(style.cluster(i), name) for i, name in enumerate(courses)] if len(courses) > 1 else []
    lines = legend_rows(entries, style, style.width - 2 * GAP)
    height = style.height or style.width * 0.62 + titled(style, title) + len(lines) * style.mm * 1.5
    sheet = Sheet(style, style.width, height, title or f"{', '.join(courses)} over {x}")
    put_title(sheet, title)
    told = [number(float(value)) for value in ticks(low, high)]
    left = GAP + (style.mm * 1.5 if y else 0) + max(text_width(text, style.size) for text in told) + 1.5
    head, wide = titled(style, title) + style.mm * 0.5, style.width - left - 2 * GAP
    tall = height - head - style.mm * 3.2 - len(lines) * style.mm * 1.5
    first, last = float(along.min()), float(along.max()) if len(along) > 1 else float(along.min()) + 1
    across = lambda value: left + wide * (np.asarray(value, dtype=float) - first) / ((last - first) or 1.0)  # noqa: E731
    down = lambda value: head + tall * (1 - (np.asarray(value, dtype=float) - low) / (high - low))  # noqa: E731
    for value, text in zip(ticks(low, high), told, strict=True):
        sheet.line([(left, down(value)), (left + wide, down(value))], HAIR, "#d5d8de")
        sheet.text(left - 1, float(down(value)) + style.mm * 0.35, text, anchor="end")
    for value in ticks(first, last):
        sheet.line([(across(value), head + tall), (across(value), head + tall + 0.7)], THIN)
        sheet.text(float(across(value)), head + tall + style.mm * 1.2, number(float(value)), anchor="middle")
    if marker is not None:
        sheet.line([(across(marker), head), (across(marker), head + tall)], THIN, "#7a7f87", (1.0, 0.8))
    for i, values in enumerate(courses.values()):
        points = np.column_stack([across(along[: len(values)]), down(values)])
        if len(values) == 1:
            sheet.add(Dots(points[np.isfinite(points).all(axis=1)], 0.6, style.cluster(i)))
        sheet.line(points, 0.45, style.cluster(i), _DASH[DASHES[i % len(DASHES)]])
    sheet.line([(left, head), (left, head + tall), (left + wide, head + tall)], THIN)
    sheet.text(left + wide / 2, head + tall + style.mm * 2.4, x, anchor="middle")
    if y:
        sheet.text(GAP + style.mm * 0.7, head + tall / 2, f"log₁₀ {y}" if log else y, turned=-90, anchor="middle")
    put_legend(sheet, lines, GAP, head + tall + style.mm * 4.0)
    return sheet


_DASH = {"solid": (), "dash": (1.6, 0.9), "dot": (0.4, 0.7), "dashdot": (1.6, 0.7, 0.4, 0.7), "longdash": (2.6, 1.0),
         "longdashdot": (2.6, 0.8, 0.4, 0.8)}  # fmt: skip


def object_map(
    ensemble: Ensemble,
    labels: np.ndarray,
    features: np.ndarray | None = None,
    style: Style = Style(),  # noqa: B008  frozen
    title: str = "",
    axes: tuple[str, str] | None = None,
    clusters: Naming = AS_NUMBERED,
) -> Sheet:
    """Every object where its features, or without them the ensemble, put it; labels (q,). `clusters`: as a person calls
    them."""
    labels, style = clusters.applied(labels), replace(style, own=clusters.colours)
    places, mine = map_of(ensemble, features), ensemble.expand(labels)
    if axes is None:
        shown = features is not None and np.shape(features)[1] == 2
        words = ("first feature", "second feature") if shown else ("first principal component", "second")
        axes = words if features is not None else ("first coordinate of the co-association", "second")
    k, entries = len(np.unique(mine)), _entries(mine, clusters, style)
    lines = legend_rows(entries, style, style.width - 2 * GAP)
    head, left = titled(style, title), GAP + style.mm * 1.6
    foot = style.mm * 2.2 + len(lines) * style.mm * 1.5 + GAP
    height = style.height or head + style.width * 0.75 + foot
    sheet = Sheet(style, style.width, height, title or f"map of {ensemble.n:,} objects in {k} clusters")
    put_title(sheet, title)
    wide, tall = style.width - left - GAP, height - head - foot
    low, reach = places.min(axis=0), np.ptp(places, axis=0)
    one = max(float((reach / (wide, tall)).max()), 1e-300) * 1.06  # the same length along both sides
    middle = low + reach / 2
    x = left + wide / 2 + (places[:, 0] - middle[0]) / one
    y = head + tall / 2 - (places[:, 1] - middle[1]) / one
    sheet.add(Rect(left, head, wide, tall, stroke=style.ink, line=THIN))
    radius = float(np.clip(9.0 / np.sqrt(max(ensemble.n, 1)), 0.22, 0.8))
    for label in np.unique(mine):
        here = mine == label
        sheet.add(Dots(np.column_stack([x[here], y[here]]), radius, style.cluster(int(label))))
    sheet.text(left + wide / 2, head + tall + style.mm * 1.35, axes[0], anchor="middle")
    sheet.text(GAP + style.mm * 0.7, head + tall / 2, axes[1], turned=-90, anchor="middle")
    put_legend(sheet, lines, GAP, head + tall + style.mm * 3.1)
    return sheet


def _entries(labels: np.ndarray, clusters: Naming, style: Style) -> list[tuple[str, str]]:
    """Of a legend, where there is room for one."""
    found = [(style.cluster(c), name) for c, name in enumerate(_names(labels, clusters)) if name]
    return found if len(found) <= MOST_LEGEND else []


def bars(values, names, style: Style = Style(), title: str = "", y: str = "", colours=None) -> Sheet:  # noqa: B008
    """A bar for each value, named below; `colours`: colour numbers."""
    values = np.asarray(values, dtype=float)
    names = [visible(name, NAME) for name in names]
    high, low = max(float(np.nanmax(values, initial=0.0)), 0.0), min(float(np.nanmin(values, initial=0.0)), 0.0)
    high = high if high > low else low + 1.0
    told = [number(float(value)) for value in ticks(low, high)]
    left = GAP + (style.mm * 1.5 if y else 0) + max(text_width(text, style.size) for text in told) + 1.5
    head = titled(style, title) + style.mm * 0.5
    wide = (style.width - left - GAP) / max(len(values), 1)
    flat = max((text_width(name, style.size) for name in names), default=0) < wide
    foot = style.mm * 1.6 if flat else max(text_width(name, style.size) for name in names) * 0.78 + style.mm
    height = style.height or style.width * 0.5 + head + foot
    tall = height - head - foot - GAP
    sheet = Sheet(style, style.width, height, title or f"{len(values)} values: {y}")
    put_title(sheet, title)
    down = lambda value: head + tall * (1 - (value - low) / (high - low))  # noqa: E731
    for value, text in zip(ticks(low, high), told, strict=True):
        sheet.line([(left, down(value)), (style.width - GAP, down(value))], HAIR, "#d5d8de")
        sheet.text(left - 1, down(value) + style.mm * 0.35, text, anchor="end")
    every = max(1, int(np.ceil(style.mm * 1.1 / wide))) if not flat else 1
    for i, value in enumerate(values):
        x, colour = left + (i + 0.1) * wide, style.cluster(0 if colours is None else colours[i])
        if np.isfinite(value):
            sheet.add(Rect(x, min(down(value), down(0)), wide * 0.8, abs(down(value) - down(0)), colour))
        if i % every == 0:
            turned = {"anchor": "middle"} if flat else {"turned": -50, "anchor": "end"}
            sheet.text(left + (i + 0.5) * wide, head + tall + style.mm * 1.1, names[i], **turned)
    sheet.line([(left, down(0)), (style.width - GAP, down(0))], THIN)
    if y:
        sheet.text(GAP + style.mm * 0.7, head + tall / 2, y, turned=-90, anchor="middle")
    return sheet
