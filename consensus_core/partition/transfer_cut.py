"""The normalised cut of a bipartite graph of objects and clusters, from an eigenproblem of the clusters alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .ncut import ncut

LEAST = 1e-10  # degree of an object without any edge: it goes nowhere


@dataclass(frozen=True, eq=False)
class TransferCut:
    u: np.ndarray  # (q,) degree of each object
    Y: np.ndarray  # (K, K) one step from cluster to object to cluster
    d: np.ndarray  # (K,) degree of each cluster, the row sums of Y
    values: np.ndarray  # (c,) σ, descending from 1: how much of each coordinate one step leaves
    V: np.ndarray  # (K, c) places of the clusters: Y V = diag(d) V diag(σ),  Vᵀ diag(d) V = I
    X: np.ndarray  # (q, c) places of the objects: the mean place of their clusters, diag(1/u) G V


def transfer_cut(G, columns, counts=None) -> TransferCut:
    """The `columns` leading coordinates (at most one for each cluster) of the graph with edges G (q, K) between objects
    and clusters, each row of G standing for counts objects (Li, Wu & Chang 2012).

        u = G 1,  Y = Gᵀ diag(counts / u) G,  d = Y 1,  D^-½ Y D^-½ v = σ v,  V = D^-½ [v_1 …],  X = diag(1/u) G V

    An eigenvector of the normalised Laplacian of the whole graph with eigenvalue λ is one of D^-½ Y D^-½ with
    σ = (1 − λ)², so nothing of size q x q is needed. Of a graph in several parts the parts come first, each with σ = 1,
    those with most clusters first. Signs by `canonical_signs`. G is dense or sparse, without columns of zeros.
    """
    counts = np.ones(G.shape[0]) if counts is None else np.asarray(counts, dtype=float)
    u = np.asarray(G.sum(axis=1), dtype=float).ravel()
    by = counts / np.maximum(u, LEAST)
    Y = G.T @ (G.multiply(by[:, None]) if sp.issparse(G) else by[:, None] * G)
    Y = np.asarray(Y.todense() if sp.issparse(Y) else Y)
    Y = (Y + Y.T) / 2
    values, V = ncut(Y, columns)
    X = np.asarray(G @ V) / np.maximum(u, LEAST)[:, None]
    return TransferCut(u, Y, Y.sum(axis=1), values, V, X)
