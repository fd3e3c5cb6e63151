"""Colours: monotone in lightness, safe for colour-blind eyes, the same in every picture."""

from __future__ import annotations

# Cividis, after Nuñez, Anderton and Renslow (2018)
SEQUENTIAL = (
    "#00224e",
    "#123570",
    "#3b496c",
    "#575d6d",
    "#707173",
    "#8a8678",
    "#a59c74",
    "#c3b369",
    "#e1cc55",
    "#fee838",
)
# PuOr of ColorBrewer: zero is the middle
DIVERGING = (
    "#7f3b08",
    "#b35806",
    "#e08214",
    "#fdb863",
    "#fee0b6",
    "#f7f7f7",
    "#d8daeb",
    "#b2abd2",
    "#8073ac",
    "#542788",
    "#2d004b",
)
# the same pair of hues with a dark middle, for dark paper
DIVERGING_DARK = (
    "#fee0b6",
    "#fdb863",
    "#e08214",
    "#b35806",
    "#5c3412",
    "#1a1f29",
    "#3a3160",
    "#6b5ca5",
    "#9a90c8",
    "#c3bfdf",
    "#e4e4f2",
)
# clusters: each stands out (3 : 1) on white and on near-black paper; beyond twelve they begin again, with their numbers
CLUSTERS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#c46ba8",
    "#8c7a00",
    "#6f5bd0",
    "#b33a4a",
    "#2a93a8",
    "#8a5a35",
    "#5e7f2a",
    "#a64bc2",
    "#7a7f87",
)


def colourscale(diverging: bool = False, dark: bool = False) -> list[tuple[float, str]]:
    """Stops as Plotly takes them."""
    stops = (DIVERGING_DARK if dark else DIVERGING) if diverging else SEQUENTIAL
    return [(k / (len(stops) - 1), stop) for k, stop in enumerate(stops)]


def cluster_colour(label: int) -> str:
    """The colour of a cluster; grey where there is no label."""
    return "#9aa0a6" if label < 0 else CLUSTERS[label % len(CLUSTERS)]
