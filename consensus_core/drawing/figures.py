"""Arrays -> Plotly figures that stand still: to zoom into, read off, export, or use in a notebook.

figures.of(method, ensemble, step, "S")          every quantity of every method, by its kind
figures.curves({"objective": history.objective})
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from ..ensemble import MISSING, Ensemble
from ..ensemble.truth import truth_codes
from ..method import Method, Step
from .arrangement import Arrangement, arranged
from .kinds import Look, kind_of
from .orders import by_microclusters, leaf_rank, member_of
from .owners import classes, owners
from .places import map_of
from .plots import Columns, apart, bars, curves, dressed, matrix, named, points, tracks
from .scales import Scale

__all__ = [
    "agreement", "bars", "clusterings", "columns_of", "curves", "matrix", "object_map", "of", "points", "tracks",
]  # fmt: skip


def of(
    method: Method,
    ensemble: Ensemble,
    step: Step,
    name: str,
    arrangement: Arrangement | None = None,
    ids=None,
    dark=False,
    scale: Scale | None = None,
) -> go.Figure | None:
    """The figure of one quantity at one step, None where there is nothing to draw yet; objects stand as in the
    `arrangement`, by default in the order of the step's consensus."""
    quantity = method.quantity(name)
    value = method.value(ensemble, step.state, name)
    if value is None:
        return None
    arrangement = arrangement or arranged(ensemble, np.asarray(method.labels(ensemble, step.state)))
    look = Look(f"<i>{quantity.letter}</i>  {quantity.meaning}", ids, dark, scale)
    return kind_of(quantity).figure(quantity, value, arrangement, look)


def object_map(
    ensemble: Ensemble, labels, features=None, ids=None, title="map of the objects", dark=False
) -> go.Figure:
    """Every object where its features, or without them the ensemble, put it; labels (q,)."""
    return points(map_of(ensemble, features), ensemble.expand(labels), named(ensemble.n, ids), title, dark)


def columns_of(arrangement: Arrangement) -> Columns:
    """The consensus, the truth where it is known, and all base clusterings, in the order of the rows."""
    ensemble, labels, rows = arrangement.ensemble, arrangement.labels, arrangement.rows
    codes, names = [ensemble.expand(labels)], ["consensus"]
    colours = [np.arange(int(labels.max(initial=0)) + 1)]
    if ensemble.truth is not None:
        truth, known = truth_codes(ensemble)
        codes, names = [*codes, truth], [*names, "truth"]
        colours.append(classes(truth, codes[0], len(known)))
    table = np.column_stack([*codes, ensemble.labels()])[rows]
    mine = np.split(owners(ensemble, labels), ensemble.offsets[1:-1])
    return Columns(table, [*names, *ensemble.names], [*colours, *mine])


def clusterings(ensemble: Ensemble, ids=None, most: int = 800, dark=False) -> tuple[go.Figure, int]:
    """Every base clustering as a column, every object as a row: (figure, how many objects are drawn).

    A cluster's colour is the mean place of its members along the tree of the co-association, so clusters that hold
    the same objects look alike in all columns, and a column out of tune with the others looks torn.
    """
    order = by_microclusters(ensemble, leaf_rank(ensemble))
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
            y=apart(named(ensemble.n, ids)[drawn]),
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
    dressed(figure, "", dark)
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
    dressed(figure, "", dark)
    figure.update_layout(height=420, margin={"l": 8, "r": 8, "t": 12, "b": 8})
    figure.update_xaxes(showticklabels=False, ticks="", constrain="domain")
    figure.update_yaxes(autorange="reversed", showticklabels=False, ticks="", scaleanchor="x", constrain="domain")
    return figure
