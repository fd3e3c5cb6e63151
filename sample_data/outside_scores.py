"""What a right program gets on the samples, computed by other people's code: scipy's linkage, scikit-learn's scores.

The matrices are written out here object by object, as the papers define them, and share nothing with consensus_core.
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

MISSING = -1
THETA = 0.4
ORDERS = 6  # row orders that must agree before a score is called one that a right program gets


def coassociation(table) -> np.ndarray:
    """Together / seen together (n, n); 0 where never seen together. Fred and Jain (2005)."""
    together, seen = (np.zeros((len(table), len(table))) for _ in range(2))
    for column in table.T:
        known = column != MISSING
        both = known[:, None] & known
        together += both & (column[:, None] == column)
        seen += both
    return together / np.maximum(seen, 1)


def locally_weighted(table) -> np.ndarray:
    """Huang, Wang and Lai (2018): each cluster votes with exp(−entropy / θm)."""
    n, m = table.shape
    votes = np.zeros((n, n))
    for column in table.T:
        for label in np.unique(column):
            inside = column == label
            shares = [np.unique(other[inside], return_counts=True)[1] / inside.sum() for other in table.T]
            entropy = -sum((p * np.log2(p)).sum() for p in shares)
            votes[np.ix_(inside, inside)] += np.exp(-entropy / (THETA * m))
    return votes / m


MATRICES = {"eac": coassociation, "lwea": locally_weighted}
HOW = {
    "eac": "average linkage of 1 − co-association by scipy",
    "eac single": "single linkage of 1 − co-association by scipy",
    "lwea": "average linkage of 1 − locally weighted co-association (θ = 0.4) by scipy",
}


def cut(similarity, k, how):
    """k clusters by scipy, or None where equally high merges make exactly k impossible."""
    labels = fcluster(linkage(squareform(1 - similarity, checks=False), method=how), k, criterion="maxclust")
    return labels if labels.max() == k else None


def settled_labels(table, k, method):
    """The labels if they are the same for several orders of the objects, else None: then ties decide."""
    name, _, how = method.partition(" ")
    similarity = MATRICES[name](table)
    first = None
    rng = np.random.default_rng(0)
    for attempt in range(ORDERS if len(table) < 5000 else 2):
        order = rng.permutation(len(table)) if attempt else np.arange(len(table))
        shuffled = cut(similarity[np.ix_(order, order)], k, how or "average")
        if shuffled is None:
            return None
        labels = np.empty_like(shuffled)
        labels[order] = shuffled
        first = labels if first is None else first
        if adjusted_rand_score(first, labels) < 1:
            return None
    return first


def scores(truth, labels) -> dict:
    return {
        "ari": round(float(adjusted_rand_score(truth, labels)), 10),
        "nmi": round(float(normalized_mutual_info_score(truth, labels)), 10),
    }


def mean_agreement(table) -> float:
    """Mean ARI over all pairs of base clusterings, on the objects both have labelled."""
    found = []
    for i in range(table.shape[1]):
        for j in range(i):
            both = (table[:, i] != MISSING) & (table[:, j] != MISSING)
            found.append(adjusted_rand_score(table[both, i], table[both, j]))
    return round(float(np.mean(found)), 10)


def mean_against(truth, table) -> float:
    """Mean ARI of the base clusterings with the truth, on the objects each has labelled."""
    found = [adjusted_rand_score(truth[c != MISSING], c[c != MISSING]) for c in table.T]
    return round(float(np.mean(found)), 10)
