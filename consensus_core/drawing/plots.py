"""Plotly figures from arrays; nothing here knows ensembles or methods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ..text import plotly, visible
from .palettes import CLUSTERS, cluster_colour, colourscale
from .scales import Scale

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MOST_BORDERS = 30_000  # lines between base clusters in one figure


def matrix(
    values, title="", scale=None, diverging=False, log=False, rows=None, cols=None, dark=False, things=None
) -> go.Figure:
    """A heat map; `rows` and `cols` name what stands there, `things` (two numbers) says how many share the pixels."""
    values = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore"):
        shown = np.where(values > 0, np.log10(np.where(values > 0, values, 1.0)), np.nan) if log else values
    finite = shown[np.isfinite(shown)]
    if scale is None:
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        scale = Scale(-max(abs(low), abs(high)), max(abs(low), abs(high))) if diverging else Scale(low, high)
    names = [
        np.arange(1, size + 1).astype(str) if given is None else given
        for given, size in zip((rows, cols), values.shape, strict=True)
    ]
    steps = [count / size for count, size in zip(things or values.shape, values.shape, strict=True)]
    few = values.size <= 40_000
    figure = go.Figure(
        go.Heatmap(
            z=shown.astype(np.float32),
            y0=(1 + steps[0]) / 2,
            dy=steps[0],
            x0=(1 + steps[1]) / 2,
            dx=steps[1],
            zmin=scale.low,
            zmax=scale.high,
            colorscale=colourscale(diverging, dark),
            colorbar={"thickness": 12, "outlinewidth": 0, "title": {"text": _beyond(scale, log)}},
            customdata=np.stack(np.meshgrid(names[1], names[0]), axis=-1) if few else None,
            hovertemplate=(
                "%{customdata[1]}, %{customdata[0]}: %{z:.4g}<extra></extra>"
                if few
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
    return dressed(figure, title, dark)


def _beyond(scale: Scale, log: bool) -> str | None:
    """What stands over the colour bar."""
    said = ["log₁₀"] if log else []
    if scale.under or scale.over:
        said.append("a few values beyond")
    return ", ".join(said) or None


def bars(values, names=None, title="", dark=False) -> go.Figure:
    """A bar for each value; `names` say what each is of."""
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
    return dressed(figure, title, dark)


def points(places, labels, names=None, title="", dark=False, called=None, colours=None) -> go.Figure:
    """Places (n, 2) coloured by labels (n,); `called` and `colours`: label -> what it is called, its colour."""
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
                name=plotly((called or {}).get(label, f"cluster {label + 1}")) if label >= 0 else "no label",
                marker={
                    "color": (colours or {}).get(label, cluster_colour(int(label))),
                    "size": 7 if len(labels) <= 3000 else 4,
                },
                customdata=None if names is None else np.asarray(names)[mine],
                hovertemplate="%{customdata}<extra>%{fullData.name}</extra>" if names is not None else None,
            )
        )
    figure.update_xaxes(showgrid=False, zeroline=False)
    figure.update_yaxes(showgrid=False, zeroline=False)
    return dressed(figure, title, dark)


@dataclass(frozen=True, eq=False)
class Columns:
    """Labels to be drawn as stripes: codes (rows, columns), −1 for none, and for each column its name and the colour
    number of each code."""

    codes: np.ndarray
    names: tuple[str, ...] | list[str]
    colours: list[np.ndarray]

    def numbers(self) -> np.ndarray:
        """(rows, columns): colour numbers, −1 where there is no label."""
        return np.column_stack(
            [
                np.where(codes < 0, -1, mine[np.maximum(codes, 0)])
                for codes, mine in zip(self.codes.T, self.colours, strict=True)
            ]
        )

    def borders(self) -> tuple[np.ndarray, np.ndarray]:
        """(row, column) after which another cluster of the same colour begins."""
        numbers = self.numbers()
        same = (numbers[1:] == numbers[:-1]) & (self.codes[1:] != self.codes[:-1])
        return np.nonzero(same)


def tracks(columns: Columns, names=None, title="", dark=False) -> go.Figure:
    """Labels as stripes; a line parts neighbours of one colour that are in different clusters."""
    numbers, (rows, cols) = columns.numbers(), columns.borders()
    shown = np.where(numbers < 0, np.nan, numbers % len(CLUSTERS))
    steps = [(k / len(CLUSTERS) + end, colour) for k, colour in enumerate(CLUSTERS) for end in (0, 1 / len(CLUSTERS))]
    figure = go.Figure(
        go.Heatmap(
            z=shown.astype(np.float32),
            customdata=(columns.codes + 1).astype(np.int32),
            zmin=0,
            zmax=len(CLUSTERS),
            colorscale=[(min(at, 1.0), colour) for at, colour in steps],
            showscale=False,
            hovertemplate="row %{y}, %{x}: cluster %{customdata}<extra></extra>",
        )
    )
    if 0 < len(rows) <= MOST_BORDERS:
        gap = np.full(len(rows), np.nan)
        x = np.column_stack([cols - 0.5, cols + 0.5, gap]).ravel()
        y = np.repeat(rows + 0.5, 3)
        line = {"color": "#11141b" if dark else "#ffffff", "width": 0.8}
        figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False))
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(tickvals=list(range(len(columns.names))), ticktext=list(columns.names))
    if names is not None and len(names) <= 40:
        figure.update_yaxes(tickvals=list(range(len(names))), ticktext=list(names))
    return dressed(figure, title, dark)


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
    return dressed(figure, title, dark)


def named(n: int, ids) -> np.ndarray:
    """(n,): what each object is called: by its id, or by its number from 1."""
    return np.arange(1, n + 1).astype(str) if ids is None else np.asarray(ids).astype(str)


def apart(names) -> list[str]:
    """Equal names told apart, so that each keeps a place of its own on an axis."""
    seen: dict[str, int] = {}
    told = []
    for name in map(visible, names):
        seen[name] = seen.get(name, 0) + 1
        told.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return told


def dressed(figure: go.Figure, title: str, dark: bool) -> go.Figure:
    _as_text(figure)
    ink, line, quiet = ("#e9ecf2", "#333a48", "#99a1b3") if dark else ("#1c2230", "#dfe2e8", "#6b7280")
    figure.update_layout(
        template="none",
        title={"text": title, "font": {"size": 15}, "x": 0, "xref": "paper"},
        font={"color": ink, "size": 12},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 56, "r": 16, "t": 40, "b": 44},
        legend={"orientation": "h", "y": -0.16},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": quiet, "activecolor": ink},
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
