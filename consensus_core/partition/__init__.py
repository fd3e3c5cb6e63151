"""From a consensus to labels: linkage with counts, exactly k groups, spectral cuts, renaming."""

from .dendrogram import Dendrogram
from .exact import exactly, merge_to, split_to
from .kmeans import Grouping, group_means, group_sums, settled_kmeans, spread_of, starting_kmeans, weighted_kmeans
from .linkage import linkage
from .relabel import relabel
from .rotations import rotated_axes, settled_rotations, starting_rotations
from .scatter import split_scattered
from .spectral import EDGE, clear_cut, discretise, first_greatest, spectral_cut
from .sums import Columns

__all__ = [
    "EDGE",
    "Columns",
    "Dendrogram",
    "Grouping",
    "clear_cut",
    "discretise",
    "exactly",
    "first_greatest",
    "group_means",
    "group_sums",
    "linkage",
    "merge_to",
    "relabel",
    "rotated_axes",
    "settled_kmeans",
    "settled_rotations",
    "spectral_cut",
    "split_scattered",
    "split_to",
    "spread_of",
    "starting_kmeans",
    "starting_rotations",
    "weighted_kmeans",
]
