"""Figures for a paper, in millimetres and points: SVG by ourselves; PDF and PNG where matplotlib is installed.

from consensus_core.drawing import paper

style = paper.Style(width=85, font="Arial", size=7, palette="cividis")
sheet = paper.heatmap(step, style=style, title="Consensus")
paper.save(sheet, "consensus.svg")      # or .pdf, .png; text stays text in the first two
"""

from .figures import bars, curves, heatmap, object_map, tracks
from .sheet import Sheet
from .style import CLUSTER_COLOURS, PALETTES, Style
from .writing import FORMATS, save, written

__all__ = [
    "CLUSTER_COLOURS", "FORMATS", "PALETTES", "Sheet", "Style", "bars", "curves", "heatmap", "object_map", "save",
    "tracks", "written",
]  # fmt: skip
