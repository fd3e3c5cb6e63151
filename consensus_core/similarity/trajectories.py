"""How alike random walks from two microclusters are."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..linalg import symmetrise
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
    S = _walked(Q, steps)
    length = np.sqrt(S.diagonal())
    for row, own in zip(S, length, strict=True):
        row /= own * length  # one product, so that A is symmetric to the last digit
    np.fill_diagonal(S, 1.0)
    return np.minimum(S, 1.0, out=S)


def trajectory_walk(ensemble: Ensemble, elite: int | None = None, steps: int | None = None) -> tuple[np.ndarray, int]:
    """Q (q, q), how a walker moves between microclusters, and T, how many steps it takes."""
    usual = max(1, int(np.sqrt(ensemble.q) / 2))
    return _transitions(ensemble, min(elite or usual, ensemble.q - 1)), steps or usual


def _transitions(ensemble: Ensemble, elite: int) -> np.ndarray:
    if ensemble.q == 1:
        return np.ones((1, 1))
    links = coassociation(ensemble)
    np.fill_diagonal(links, 0.0)
    weakest = np.partition(links, ensemble.q - elite, axis=1)[:, ensemble.q - elite]
    kept = links >= weakest[:, None]
    links[~(kept | kept.T)] = 0.0
    links *= ensemble.counts
    reach = links.sum(axis=1)
    lost = np.flatnonzero(reach == 0)
    links[lost, lost] = reach[lost] = 1.0
    links /= reach[:, None]
    return links


def _walked(Q: np.ndarray, steps: int) -> np.ndarray:
    """Σ_{t=1}^{steps} Qᵗ(Qᵗ)ᵀ, by doubling: S_2a = S_a + Qᵃ S_a (Qᵃ)ᵀ and S_a+1 = S_1 + Q S_a Qᵀ."""
    first = Q @ Q.T
    S, power, done = first, Q, 1
    for bit in bin(steps)[3:]:
        S = S + power @ S @ power.T
        done *= 2
        if bit == "1":
            S = first + Q @ S @ Q.T
            done += 1
        if done < steps:
            power = power @ power if bit == "0" else power @ power @ Q
    return symmetrise(S)
