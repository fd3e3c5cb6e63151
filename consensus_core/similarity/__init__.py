"""How much pairs of microclusters belong together, according to an ensemble."""

from .between_clusters import jaccard, likeness_of_walks, propagated, steps_between
from .coassociation import coassociation, coverage, steady_coassociation, together
from .local_weighting import cluster_indices, entropies, local_weighting
from .trajectories import elite_links, probability_trajectories, trajectory_walk, transitions, weakest_kept

__all__ = [
    "cluster_indices",
    "coassociation",
    "coverage",
    "elite_links",
    "entropies",
    "jaccard",
    "likeness_of_walks",
    "local_weighting",
    "probability_trajectories",
    "propagated",
    "steady_coassociation",
    "steps_between",
    "together",
    "trajectory_walk",
    "transitions",
    "weakest_kept",
]
