"""Arrays to Plotly figures, for pages and notebooks. The theme of the page or notebook colours what is not data."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from .ensemble import Ensemble
from .microclusters import MISSING
from .pictures import leaf_rank, member_of, ordered

SEQUENTIAL = "Cividis"
ROWS = 800  # objects a standing picture shows; more are thinned evenly, and the caller is told


def tracks(ensemble: Ensemble, order: np.ndarray | None = None, ids=None, most: int = ROWS) -> tuple[go.Figure, int]:
    """Every base clustering as a column, every object as a row: (figure, how many objects are drawn).

    A cluster's colour is the mean place of its members along the order, so clusters that hold the same objects look
    alike in all columns, and a column out of tune with the others looks torn.
    """
    order = ordered(ensemble, leaf_rank(ensemble)) if order is None else order
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
    names = [str(i + 1) if ids is None else str(ids[i]) for i in drawn]
    said = np.where(ensemble.rows[rows] == MISSING, "no label", (ensemble.rows[rows] + 1).astype(str))
    figure = go.Figure(
        go.Heatmap(
            z=shade[rows],
            x=list(ensemble.names),
            customdata=np.dstack([said, np.repeat(np.array(names)[:, None], ensemble.m, axis=1)]),
            hovertemplate="object %{customdata[1]}<br>%{x}: cluster %{customdata[0]}<extra></extra>",
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=1,
        )
    )
    _plain(figure, height=420)
    figure.update_yaxes(autorange="reversed", showticklabels=False, title="objects, neighbours alike")
    figure.update_xaxes(tickangle=-60, showticklabels=ensemble.m <= 40)
    return figure, len(drawn)


def table_of_agreement(values: np.ndarray, names, title: str) -> go.Figure:
    """Base clusterings against base clusterings: 1 is the same partition."""
    values = np.where(np.eye(len(values), dtype=bool), np.nan, values)
    low = min(0.0, float(np.nanmin(values))) if np.isfinite(values).any() else 0.0
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(names),
            y=list(names),
            colorscale=SEQUENTIAL,
            zmin=low,
            zmax=1,
            colorbar={"title": title, "thickness": 12},
            hovertemplate="%{x}<br>%{y}<br>" + title + " %{z:.3f}<extra></extra>",
        )
    )
    _plain(figure, height=420)
    figure.update_xaxes(showticklabels=False)
    figure.update_yaxes(autorange="reversed", showticklabels=False, scaleanchor="x", constrain="domain")
    return figure


def bars(values, names, axis: str) -> go.Figure:
    """One number per base clustering."""
    figure = go.Figure(go.Bar(x=list(names), y=np.asarray(values), hovertemplate="%{x}: %{y:,}<extra></extra>"))
    _plain(figure, height=240)
    figure.update_xaxes(tickangle=-60, showticklabels=len(names) <= 40)
    figure.update_yaxes(title=axis, rangemode="tozero")
    return figure


def _plain(figure: go.Figure, height: int) -> None:
    figure.update_layout(height=height, margin={"l": 8, "r": 8, "t": 12, "b": 8}, bargap=0.25)
