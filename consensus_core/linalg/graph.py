"""Connected components of dense and sparse graphs and of incidence matrices."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

FRONTIER = 64  # rows looked at together


def components(A, threshold=0.0):
    """Connected components of the graph with an edge (p, q) where A[p, q] > threshold.

    A is symmetric, (q, q), dense or sparse. Returns (count, labels (q,)), labels numbered by first occurrence.

    Dense matrices are walked in breadth, a few rows at a time and only over the columns not reached yet, which soon
    are few: a fraction of one pass over the matrix.
    """
    if sp.issparse(A):
        return _sparse_components(A, threshold)
    A = np.asarray(A)
    q = len(A)
    labels = np.full(q, -1, dtype=np.intp)
    unreached = np.arange(q)
    count = 0
    while unreached.size:
        labels[unreached[0]] = count
        waiting = [unreached[:1]]
        unreached = unreached[1:]
        while waiting and unreached.size:
            frontier = waiting.pop()
            if len(frontier) > FRONTIER:
                waiting.append(frontier[FRONTIER:])
                frontier = frontier[:FRONTIER]
            reached = (A[frontier[:, None], unreached] > threshold).any(axis=0)
            new = unreached[reached]
            if new.size:
                labels[new] = count
                unreached = unreached[~reached]
                waiting.append(new)
        count += 1
    return count, labels


def _sparse_components(A, threshold):
    A = sp.coo_array(A)
    kept = A.data > threshold
    graph = sp.csr_array((np.ones(kept.sum(), dtype=np.int8), (A.row[kept], A.col[kept])), shape=A.shape)
    return linked_components(graph)


def linked_components(graph):
    """The same of a sparse graph with an edge at each stored entry, in whichever direction."""
    _, labels = connected_components(graph, directed=False)
    return _by_first_occurrence(labels)


def bipartite_components(Y, threshold=0.0):
    """Connected components of a hypergraph: object p and hyperedge e are linked where Y[p, e] > threshold.

    Y is (q, k), dense or sparse. Returns (count, labels of the q objects); an object in no hyperedge is a component of
    its own, a hyperedge without objects is none.
    """
    linked = sp.coo_array(Y > threshold)
    q, k = Y.shape
    graph = sp.csr_array((np.ones(linked.nnz, dtype=np.int8), (linked.row, q + linked.col)), shape=(q + k, q + k))
    _, labels = connected_components(graph, directed=False)
    return _by_first_occurrence(labels[:q])


def _by_first_occurrence(labels):
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return len(first), rank[inverse.reshape(-1)]
