"""How much pairs of microclusters belong together, according to an ensemble."""

from .between_clusters import jaccard, likeness_of_walks, propagated, steps_between
from .coassociation import coassociation, coverage, together
from .local_weighting import cluster_indices, entropies, local_weighting
from .trajectories import probability_trajectories, trajectory_walk

__all__ = [
    "cluster_indices",
    "coassociation",
    "coverage",
    "entropies",
    "jaccard",
    "likeness_of_walks",
    "local_weighting",
    "probability_trajectories",
    "propagated",
    "steps_between",
    "together",
    "trajectory_walk",
]
