"""Arrays -> Plotly figures that stand still: to zoom into, read off, export, or use in a notebook.

figures.of(method, ensemble, step, "S")          every quantity of every method, by its kind
figures.curves({"objective": history.objective})
"""

from __future__ import annotations

import itertools

import numpy as np
import plotly.graph_objects as go

from ..ensemble import MISSING, Ensemble
from ..ensemble.incidence import cluster_names
from ..method import Embedding, Labels, Method, Paired, Scalar, Step, Weights
from ..text import plotly, visible
from .orders import leaf_rank, member_of, ordered
from .palettes import CLUSTERS, cluster_colour, colourscale
from .pixels import Axis, reduced
from .places import flattened, map_of

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def of(method: Method, ensemble: Ensemble, step: Step, name: str, order=None, ids=None, dark=False, pixels=400):
    """The figure of one quantity at one step; objects stand in `order` (n,), by default by the step's consensus."""
    quantity = method.quantity(name)
    value = method.value(ensemble, step.state, name)
    if value is None:
        return None
    labels = np.asarray(method.labels(ensemble, step.state))
    order = ordered(ensemble, leaf_rank(ensemble), labels) if order is None else np.asarray(order)
    title = f"<i>{quantity.letter}</i>  {quantity.meaning}"
    names = _names(ensemble, ids)
    if quantity.kind is Scalar:
        return curves({quantity.letter: [float(value)]}, title, quantity.log, dark=dark)
    if quantity.kind is Embedding:
        places = flattened(np.asarray(value, dtype=float))
        if quantity.axes[0] != "object":
            return points(places, np.zeros(len(places), dtype=int), None, title, dark)
        return points(ensemble.expand(places), ensemble.expand(labels), names, title, dark)
    if quantity.kind is Labels:
        return tracks(ensemble.expand(np.asarray(value))[order], ensemble.names, names[order], title, dark)
    sizes = value.B.shape if isinstance(value, Paired) else value.shape
    sides = [_side(ensemble, axis, size, order, names, pixels) for axis, size in zip(quantity.axes, sizes, strict=True)]
    if quantity.kind is Weights and len(sides) == 1:
        axis, ticks = sides[0]
        return bars(reduced(np.asarray(value, dtype=float), axis), ticks, title, dark)
    picture = reduced(value, sides[0][0], sides[1][0])
    things = [side.shares.shape[1] for side, _ in sides]
    return matrix(
        picture, title, quantity.span, quantity.diverging, quantity.log, sides[0][1], sides[1][1], dark, things
    )


def _side(ensemble, axis, size, order, names, pixels):
    """How a side becomes pixels, and what each pixel is called."""
    if axis == "object":
        mixed = Axis.of_objects(ensemble, order, pixels)
        things = names[order]
    else:
        mixed = Axis.of_things(size, pixels)
        known = {"clustering": ensemble.names, "hyperedge": cluster_names(ensemble)}.get(axis, ())
        things = np.array(known if len(known) == size else range(1, size + 1)).astype(str)
    if mixed.pixels == len(things):
        return mixed, things
    ends = np.linspace(0, len(things), mixed.pixels + 1)
    return mixed, np.array(
        [f"{things[int(a)]} … {things[min(int(np.ceil(b)), len(things)) - 1]}" for a, b in itertools.pairwise(ends)]
    )


def matrix(
    values, title="", span=None, diverging=False, log=False, rows=None, cols=None, dark=False, things=None
) -> go.Figure:
    """A heat map; `rows` and `cols` name what stands there, `things` (two numbers) says how many share the pixels."""
    values = np.asarray(values, dtype=float)
    shown = np.log10(np.where(values > 0, values, np.nan)) if log else values
    finite = shown[np.isfinite(shown)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if span is not None and not log:
        low, high = span
    elif diverging:
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    names = [
        np.arange(1, size + 1).astype(str) if given is None else given
        for given, size in zip((rows, cols), values.shape, strict=True)
    ]
    steps = [count / size for count, size in zip(things or values.shape, values.shape, strict=True)]
    figure = go.Figure(
        go.Heatmap(
            z=shown.astype(np.float32),
            y0=(1 + steps[0]) / 2,
            dy=steps[0],
            x0=(1 + steps[1]) / 2,
            dx=steps[1],
            zmin=low,
            zmax=high,
            colorscale=colourscale(diverging, dark),
            colorbar={"thickness": 12, "outlinewidth": 0, "title": {"text": "log₁₀"} if log else None},
            customdata=np.stack(np.meshgrid(names[1], names[0]), axis=-1) if values.size <= 40_000 else None,
            hovertemplate=(
                "%{customdata[1]}, %{customdata[0]}: %{z:.4g}<extra></extra>"
                if values.size <= 40_000
                else "row %{y}, column %{x}: %{z:.4g}<extra></extra>"
            ),
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False)
    figure.update_xaxes(showgrid=False, zeroline=False, constrain="domain")
    if values.shape[0] == values.shape[1]:
        figure.update_yaxes(scaleanchor="x", constrain="domain")
    for update, side in ((figure.update_yaxes, names[0]), (figure.update_xaxes, names[1])):
        if len(side) <= 40:
            update(tickvals=list(range(1, len(side) + 1)), ticktext=list(side))
    return _dressed(figure, title, dark)


def bars(values, names=None, title="", dark=False) -> go.Figure:
    values = np.asarray(values, dtype=float)
    names = np.arange(1, len(values) + 1).astype(str) if names is None else np.asarray(names)
    figure = go.Figure(
        go.Bar(
            x=np.arange(len(values)),
            y=values,
            marker={"color": CLUSTERS[0], "line": {"width": 0}},
            customdata=names,
            hovertemplate="%{customdata}: %{y:.4g}<extra></extra>",
        )
    )
    if len(values) <= 30:
        figure.update_xaxes(tickvals=list(range(len(values))), ticktext=list(names))
    return _dressed(figure, title, dark)


def points(places, labels, names=None, title="", dark=False) -> go.Figure:
    """Places (n, 2) coloured by labels (n,)."""
    places, labels = np.asarray(places, dtype=float), np.asarray(labels)
    figure = go.Figure()
    scatter = go.Scatter if len(labels) <= 3000 else go.Scattergl
    for label in np.unique(labels):
        mine = labels == label
        figure.add_trace(
            scatter(
                x=places[mine, 0],
                y=places[mine, 1],
                mode="markers",
                name="no label" if label < 0 else f"cluster {label + 1}",
                marker={"color": cluster_colour(int(label)), "size": 7 if len(labels) <= 3000 else 4},
                customdata=None if names is None else np.asarray(names)[mine],
                hovertemplate="%{customdata}<extra>%{fullData.name}</extra>" if names is not None else None,
            )
        )
    figure.update_xaxes(showgrid=False, zeroline=False)
    figure.update_yaxes(showgrid=False, zeroline=False)
    return _dressed(figure, title, dark)


def object_map(
    ensemble: Ensemble, labels, features=None, ids=None, title="map of the objects", dark=False
) -> go.Figure:
    """Every object where its features, or without them the ensemble, put it; labels (q,)."""
    return points(map_of(ensemble, features), ensemble.expand(labels), _names(ensemble, ids), title, dark)


def tracks(labels, clusterings=None, names=None, title="", dark=False) -> go.Figure:
    """Labels (rows, clusterings) as stripes; each clustering's clusters are coloured by their number."""
    labels = np.asarray(labels)
    shown = np.where(labels < 0, np.nan, labels % len(CLUSTERS))
    clusterings = np.arange(1, labels.shape[1] + 1).astype(str) if clusterings is None else clusterings
    steps = [(k / len(CLUSTERS) + end, colour) for k, colour in enumerate(CLUSTERS) for end in (0, 1 / len(CLUSTERS))]
    figure = go.Figure(
        go.Heatmap(
            z=shown.astype(np.float32),
            x=list(clusterings),
            zmin=0,
            zmax=len(CLUSTERS),
            colorscale=[(min(at, 1.0), colour) for at, colour in steps],
            showscale=False,
            hovertemplate="row %{y}, %{x}: label %{z}<extra></extra>",
        )
    )
    figure.update_yaxes(autorange="reversed")
    if names is not None and len(names) <= 40:
        figure.update_yaxes(tickvals=list(range(len(names))), ticktext=list(names))
    return _dressed(figure, title, dark)


def clusterings(ensemble: Ensemble, ids=None, most: int = 800, dark=False) -> tuple[go.Figure, int]:
    """Every base clustering as a column, every object as a row: (figure, how many objects are drawn).

    A cluster's colour is the mean place of its members along the tree of the co-association, so clusters that hold
    the same objects look alike in all columns, and a column out of tune with the others looks torn.
    """
    order = ordered(ensemble, leaf_rank(ensemble))
    place = np.empty(ensemble.n)
    place[order] = np.linspace(0, 1, ensemble.n)
    member = member_of(ensemble)
    totals = np.bincount(member, weights=place, minlength=ensemble.q)  # of each microcluster's objects
    shade = np.full(ensemble.rows.shape, np.nan)
    for i, column in enumerate(ensemble.rows.T):
        seen = column != MISSING
        sums = np.bincount(column[seen], weights=totals[seen])
        sizes = np.bincount(column[seen], weights=ensemble.counts[seen])
        shade[seen, i] = (sums / np.maximum(sizes, 1))[column[seen]]
    drawn = order[np.linspace(0, ensemble.n - 1, min(ensemble.n, most)).round().astype(int)]
    rows = member[drawn]
    # numbers in small types and each name once: a thousand objects under 200 clusterings stay below a megabyte
    figure = go.Figure(
        go.Heatmap(
            z=shade[rows].astype(np.float32),
            x=list(ensemble.names),
            y=_apart(_names(ensemble, ids)[drawn]),
            customdata=(ensemble.rows[rows] + 1).astype(np.int32),
            hovertemplate="object %{y}<br>%{x}: cluster %{customdata}<extra></extra>",
            hoverongaps=False,
            colorscale="Cividis",
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=1,
        )
    )
    _dressed(figure, "", dark)
    figure.update_layout(height=420, margin={"l": 30, "r": 8, "t": 12, "b": 8})
    figure.update_yaxes(
        autorange="reversed", showticklabels=False, ticks="", type="category", title="objects, neighbours alike"
    )
    figure.update_xaxes(tickangle=-60, showticklabels=ensemble.m <= 40, automargin=True)
    return figure, len(drawn)


def agreement(values: np.ndarray, names, measure: str, dark=False) -> go.Figure:
    """Base clusterings against base clusterings: 1 is the same partition."""
    values = np.where(np.eye(len(values), dtype=bool), np.nan, values)
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(names),
            y=list(names),
            colorscale="Cividis",
            zmin=float(np.nanmin(values, initial=0.0)),
            zmax=1,
            colorbar={"title": measure, "thickness": 12},
            hovertemplate="%{x}<br>%{y}<br>" + measure + " %{z:.3f}<extra></extra>",
        )
    )
    _dressed(figure, "", dark)
    figure.update_layout(height=420, margin={"l": 8, "r": 8, "t": 12, "b": 8})
    figure.update_xaxes(showticklabels=False, ticks="", constrain="domain")
    figure.update_yaxes(autorange="reversed", showticklabels=False, ticks="", scaleanchor="x", constrain="domain")
    return figure


def curves(series: dict, title="", log=False, marker: int | None = None, dark=False) -> go.Figure:
    """Named courses over the iterations, each with a colour and a dash of its own; `marker`: the iteration shown."""
    figure = go.Figure()
    for k, (name, values) in enumerate(series.items()):
        line = {"color": CLUSTERS[k % len(CLUSTERS)], "dash": DASHES[k % len(DASHES)], "width": 2}
        mode = "lines+markers" if len(values) < 3 else "lines"
        figure.add_trace(go.Scatter(x=np.arange(len(values)), y=values, name=name, mode=mode, line=line))
    if marker is not None:
        figure.add_vline(x=marker, line_width=1, line_color="#9aa0a6")
    figure.update_xaxes(title_text="iteration")
    if log:
        figure.update_yaxes(type="log")
    return _dressed(figure, title, dark)


def _names(ensemble: Ensemble, ids) -> np.ndarray:
    return np.arange(1, ensemble.n + 1).astype(str) if ids is None else np.asarray(ids).astype(str)


def _apart(names) -> list[str]:
    """Equal names told apart, so that each keeps a place of its own on an axis."""
    seen: dict[str, int] = {}
    told = []
    for name in map(visible, names):
        seen[name] = seen.get(name, 0) + 1
        told.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return told


def _dressed(figure: go.Figure, title: str, dark: bool) -> go.Figure:
    _as_text(figure)
    ink, line = ("#e9ecf2", "#333a48") if dark else ("#1c2230", "#dfe2e8")
    figure.update_layout(
        template="none",
        title={"text": title, "font": {"size": 15}, "x": 0, "xref": "paper"},
        font={"color": ink, "size": 12},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 56, "r": 16, "t": 40, "b": 44},
        legend={"orientation": "h", "y": -0.16},
    )
    figure.update_xaxes(gridcolor=line, linecolor=line)
    figure.update_yaxes(gridcolor=line, linecolor=line)
    return figure


def _as_text(figure: go.Figure) -> None:
    """Names of objects, base clusterings and clusters: Plotly would read HTML in them, links and all."""
    for trace in figure.data:
        for part in ("x", "y", "customdata", "text"):
            values = getattr(trace, part, None)
            if values is not None and np.asarray(values).dtype.kind in "UO":
                trace[part] = _texts(np.asarray(values))
        if trace.name:
            trace.name = plotly(trace.name)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        if axis.ticktext is not None:
            axis.ticktext = [plotly(text) for text in axis.ticktext]


def _texts(values: np.ndarray) -> np.ndarray:
    told = [plotly(value) if isinstance(value, str) else value for value in values.ravel().tolist()]
    written = np.empty(len(told), dtype=object)
    written[:] = told
    return written.reshape(values.shape)
