"""Figures of sweeps: one dial as a curve with its scatter, two as a map of colours. From arrays, as in plots.py."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from .palettes import CLUSTERS, cluster_colour, colourscale
from .plots import dressed


def curve(values, mean, std, title="", axis="", log=False, here=None, dark=False, most=None) -> go.Figure:
    """Mean and mean ± std of each value of a dial; NaN where nothing is there yet. `here`: where the dial stands;
    `most`: what a measure can reach, and no axis goes beyond it."""
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
        figure.update_xaxes(type="log", exponentformat="power")  # else 0.0001 is written 100μ
    if most is not None and np.isfinite(mean).any():
        low, high = np.nanmin(mean - std), np.nanmax(mean + std)
        air = max(0.08 * (high - low), 0.02 * most)  # a flat curve would otherwise be given a whole unit on either side
        figure.update_yaxes(range=[low - air, min(high, most) + air])
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


def dendrogram(tree, counts, labels, k: int, title="", dark=False, most: int = 40) -> go.Figure:
    """The topmost branches of a tree, cut into k; below the cut branches have their cluster's colour: labels (q,)."""
    q = tree.leaves
    shown = min(most, q)
    order, first = tree.leaf_order(), q - shown  # merges before this one are inside what is drawn as a leaf
    top, place = _tops(tree, first), {}
    for leaf in order:
        place.setdefault(top[leaf], len(place))
    x = {name: float(at) for name, at in place.items()}
    y = {name: float(tree.heights[name - q]) if name >= q else 0.0 for name in place}
    cluster = {top[leaf]: int(labels[leaf]) for leaf in range(q)}
    lines: dict[int, list] = {}
    for t in range(first, q - 1):
        a, b = (int(side) for side in tree.merges[t])
        height = float(tree.heights[t])
        own = cluster[a] if t < q - k and cluster[a] == cluster[b] else -1
        for part in ((x[a], y[a], x[a], height), (x[a], height, x[b], height), (x[b], height, x[b], y[b])):
            lines.setdefault(own, []).append(part)
        x[q + t], y[q + t], cluster[q + t] = (x[a] + x[b]) / 2, height, own
    figure = go.Figure()
    for own in sorted(lines):
        xs = [value for x0, _, x1, _ in lines[own] for value in (x0, x1, None)]
        ys = [value for _, y0, _, y1 in lines[own] for value in (y0, y1, None)]
        name = "above the cut" if own < 0 else f"cluster {own + 1}"
        line = {"color": cluster_colour(own), "width": 2}
        figure.add_trace(go.Scatter(x=xs, y=ys, mode="lines", name=name, line=line, hoverinfo="name"))
    if 1 < k <= q - 1:
        level = (tree.heights[q - k] + tree.heights[q - k - 1]) / 2
        figure.add_hline(y=float(level), line_width=1, line_dash="dot", line_color="#7a7f87")
    figure.update_xaxes(showticklabels=False, showgrid=False, zeroline=False)
    figure.update_yaxes(title_text="1 − similarity", zeroline=False)
    return dressed(figure, title, dark).update_layout(height=340, showlegend=False)


def _tops(tree, first: int) -> np.ndarray:
    """(q,) for each leaf the node it is drawn in when the merges from `first` on are shown."""
    q = tree.leaves
    top = np.arange(2 * q - 1)
    for t in range(first - 1, -1, -1):
        a, b = tree.merges[t]
        top[a] = top[b] = top[q + t]
    return top[:q]


def clustering_tree(labels: dict, splits, counts, order, k: int, dark=False) -> go.Figure:
    """Clusters of every number of clusters, one row each, and how many objects go from one to the next. In a row they
    stand as their objects do in `order` (q,)."""
    figure, at = go.Figure(), {}
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    for level, many in enumerate(sorted(labels)):
        sizes = np.bincount(labels[many], weights=counts)
        middle = np.bincount(labels[many], weights=counts * rank) / np.maximum(sizes, 1e-9)
        for place, own in enumerate(np.argsort(middle, kind="stable").tolist()):
            at[many, own] = ((place + 0.5) / len(sizes), -level, float(sizes[own]))
    n = float(np.sum(counts))
    before = dict(zip(sorted(labels)[1:], sorted(labels), strict=False))
    for split in splits:
        (x0, y0, _), (x1, y1, _) = at[before[split.k], split.parent], at[split.k, split.child]
        width = 1 + 10 * split.objects / n
        line = {"width": width, "color": "rgba(122,127,135,.45)"}
        figure.add_trace(go.Scatter(x=[x0, x1], y=[y0, y1], mode="lines", line=line, hoverinfo="skip"))
    for many in sorted(labels):
        mine = [(own, *place) for (level, own), place in at.items() if level == many]
        figure.add_trace(
            go.Scatter(
                x=[x for _, x, _, _ in mine],
                y=[y for _, _, y, _ in mine],
                mode="markers",
                marker={
                    "size": [8 + 26 * np.sqrt(size / n) for *_, size in mine],
                    "color": [cluster_colour(own) for own, *_ in mine],
                    "line": {"width": 2 if many == k else 0, "color": "#7a7f87"},
                },
                customdata=[f"k = {many}, cluster {own + 1}: {size:,.0f} objects" for own, _, _, size in mine],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    figure.update_xaxes(showticklabels=False, showgrid=False, zeroline=False)
    ticks = {
        "tickvals": [-level for level in range(len(labels))],
        "ticktext": [f"k = {many}" for many in sorted(labels)],
    }
    figure.update_yaxes(showgrid=False, zeroline=False, **ticks)
    return dressed(figure, "", dark).update_layout(height=60 + 48 * len(labels), showlegend=False)


def rule(ks, values, k: int, best: str = "", dark=False) -> go.Figure:
    """A small curve over the numbers of clusters, its best place marked where it has one."""
    values = np.asarray(values, dtype=float)
    figure = go.Figure(go.Scatter(x=list(ks), y=values, mode="lines+markers", line={"color": CLUSTERS[0], "width": 2}))
    if best and np.isfinite(values).any():
        at = int(np.nanargmax(values) if best == "highest" else np.nanargmin(values))
        figure.add_trace(
            go.Scatter(x=[list(ks)[at]], y=[values[at]], mode="markers",
                       marker={"size": 14, "symbol": "circle-open", "color": CLUSTERS[1], "line": {"width": 2}})
        )  # fmt: skip
    figure.add_vline(x=k, line_width=1, line_dash="dot", line_color="#7a7f87")
    figure.update_xaxes(dtick=1 if len(ks) < 20 else None)
    margin = {"l": 44, "r": 8, "t": 8, "b": 28}
    return dressed(figure, "", dark).update_layout(height=170, showlegend=False, margin=margin)


def distributions(of_k: dict, k: int, dark=False) -> go.Figure:
    """Distribution functions (values, shares) of the consensus for each k; the one looked at stands out."""
    figure = go.Figure()
    for many, (values, shares) in of_k.items():
        line = {
            "color": CLUSTERS[1] if many == k else "rgba(122,127,135,.55)",
            "width": 3 if many == k else 1,
            "shape": "hv",
        }
        figure.add_trace(go.Scatter(x=values, y=shares, mode="lines", name=f"k = {many}", line=line))
    figure.update_xaxes(title_text="share of redraws that put a pair together", range=[0, 1])
    figure.update_yaxes(title_text="share of pairs", range=[0, 1.02])
    return dressed(figure, "", dark).update_layout(height=280, showlegend=False)
