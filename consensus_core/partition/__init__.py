"""From a consensus to labels: linkage with counts, exactly k groups, spectral cuts, renaming."""

from .dendrogram import Dendrogram
from .exact import exactly, merge_to, split_to
from .linkage import linkage
from .relabel import relabel
from .scatter import split_scattered
from .spectral import EDGE, clear_cut, discretise, first_greatest, group_sums, spectral_cut, weighted_kmeans

__all__ = [
    "EDGE",
    "Dendrogram",
    "clear_cut",
    "discretise",
    "exactly",
    "first_greatest",
    "group_sums",
    "linkage",
    "merge_to",
    "relabel",
    "spectral_cut",
    "split_scattered",
    "split_to",
    "weighted_kmeans",
]
