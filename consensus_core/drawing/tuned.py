"""Figures of sweeps: one dial as a curve with its scatter, two as a map of colours. From arrays, as in plots.py."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from .palettes import CLUSTERS, colourscale
from .plots import dressed


def curve(values, mean, std, title="", axis="", log=False, here=None, dark=False) -> go.Figure:
    """Mean and mean ± std of each value of a dial; NaN where nothing is there yet. `here`: where the dial stands."""
    numeric = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    x = list(values) if numeric else [str(value) for value in values]
    mean, std = np.asarray(mean, dtype=float), np.nan_to_num(np.asarray(std, dtype=float))
    figure = go.Figure()
    if numeric and std.any():
        seen = np.isfinite(mean)
        there = [value for value, known in zip(x, seen, strict=True) if known]
        band = dict(x=[*there, *there[::-1]], y=np.concatenate([(mean + std)[seen], (mean - std)[seen][::-1]]))
        figure.add_trace(
            go.Scatter(**band, fill="toself", fillcolor="rgba(0,114,178,.18)", line={"width": 0}, hoverinfo="skip",
                       name="± one standard deviation")
        )  # fmt: skip
    bars = {"type": "data", "array": std, "visible": bool(std.any()), "thickness": 1}
    figure.add_trace(
        go.Scatter(
            x=x,
            y=mean,
            name="mean over the draws",
            mode="lines+markers" if numeric else "markers",
            error_y=None if numeric else bars,
            line={"color": CLUSTERS[0], "width": 2},
            marker={"size": 9},
            customdata=std,
            hovertemplate="%{x}: %{y:.3f} ± %{customdata:.3f}<extra></extra>",
        )
    )
    if here is not None and numeric and here > 0:
        figure.add_vline(x=here, line_width=1, line_dash="dot", line_color="#7a7f87")
    figure.update_xaxes(title_text=axis)
    if log and numeric:
        figure.update_xaxes(type="log")
    figure = dressed(figure, title, dark)
    return figure.update_layout(height=340, showlegend=False)


def heat(rows, cols, values, title="", axes=("", ""), dark=False) -> go.Figure:
    """values (rows, cols), NaN where nothing is there yet."""
    figure = go.Figure(
        go.Heatmap(
            z=np.asarray(values, dtype=float),
            x=[_short(value) for value in cols],
            y=[_short(value) for value in rows],
            colorscale=colourscale(dark=dark),
            hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
            colorbar={"thickness": 12, "outlinewidth": 0},
            xgap=1,
            ygap=1,
        )
    )
    figure.update_xaxes(title_text=axes[1], type="category")
    figure.update_yaxes(title_text=axes[0], type="category")
    return dressed(figure, title, dark).update_layout(height=420)


def _short(value) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
