"""How alike random walks from two microclusters are."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..linalg.trajectories import cosines, walked
from .coassociation import coassociation


def probability_trajectories(ensemble: Ensemble, elite: int | None = None, steps: int | None = None) -> np.ndarray:
    """(q, q): how alike random walks from two microclusters are, the PTS of Huang, Lai and Wang (2016).

    Each microcluster keeps its links to its `elite` nearest others by co-association (ties included), a link stays if
    either end keeps it. A walker moves with q_pr ∝ counts_r w_pr; after 1 … T steps its distributions, one after the
    other, are its trajectory, and the similarity is the cosine of two trajectories:

        S = Σ_t Qᵗ(Qᵗ)ᵀ,   A_pr = S_pr / √(S_pp S_rr)

    `elite` and `steps` are ⌊√q / 2⌋, at least 1, unless given. A walker without links stays where it is.
    """
    Q, steps = trajectory_walk(ensemble, elite, steps)
    return cosines(walked(Q, steps))


def trajectory_walk(ensemble: Ensemble, elite: int | None = None, steps: int | None = None) -> tuple[np.ndarray, int]:
    """Q (q, q), how a walker moves between microclusters, and T, how many steps it takes."""
    usual = max(1, int(np.sqrt(ensemble.q) / 2))
    return _transitions(ensemble, min(elite or usual, ensemble.q - 1)), steps or usual


def elite_links(ensemble: Ensemble, elite: int) -> np.ndarray:
    """(q, q): the co-association of each microcluster with its `elite` nearest others, ties included; 0 elsewhere.

    A link stays if either end keeps it.
    """
    links = coassociation(ensemble)
    np.fill_diagonal(links, 0.0)
    if ensemble.q > 1:
        least = weakest_kept(links, elite)
        links[links < np.minimum(least[:, None], least)] = 0.0
    return links


def weakest_kept(links: np.ndarray, elite: int) -> np.ndarray:
    """(q,): the elite-th strongest link of each row."""
    q = links.shape[1]
    return np.partition(links, q - elite, axis=1)[:, q - elite]


def _transitions(ensemble: Ensemble, elite: int) -> np.ndarray:
    return transitions(elite_links(ensemble, elite), ensemble.weights)


def transitions(links: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Links made into the steps of a walker, who goes to each microcluster by its objects; without links he stays."""
    links = links * counts
    reach = links.sum(axis=1)
    lost = np.flatnonzero(reach == 0)
    links[lost, lost] = reach[lost] = 1.0
    links /= reach[:, None]
    return links
