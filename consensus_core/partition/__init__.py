"""From a consensus to labels: linkage with counts, exactly k groups, spectral cuts, renaming."""

from .dendrogram import Dendrogram
from .exact import exactly, merge_to, split_to
from .kmeans import KMeans, settled_kmeans, starting_kmeans, weighted_kmeans
from .linkage import linkage
from .relabel import relabel
from .scatter import split_scattered
from .spectral import EDGE, clear_cut, discretise, first_greatest, group_sums, spectral_cut

__all__ = [
    "EDGE",
    "Dendrogram",
    "KMeans",
    "clear_cut",
    "discretise",
    "exactly",
    "first_greatest",
    "group_sums",
    "linkage",
    "merge_to",
    "relabel",
    "settled_kmeans",
    "spectral_cut",
    "split_scattered",
    "split_to",
    "starting_kmeans",
    "weighted_kmeans",
]
