"""How much pairs of microclusters belong together, according to an ensemble."""

from .coassociation import coassociation, coverage, together
from .local_weighting import cluster_indices, entropies, local_weighting
from .trajectories import probability_trajectories, trajectory_walk

__all__ = [
    "cluster_indices",
    "coassociation",
    "coverage",
    "entropies",
    "local_weighting",
    "probability_trajectories",
    "together",
    "trajectory_walk",
]
