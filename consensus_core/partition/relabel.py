"""Names of clusters: 0, 1, 2, … by a stated order."""

import numpy as np


def relabel(labels, by="appearance", counts=None):
    """The same partition with clusters numbered 0, 1, 2, …

    by="appearance"  in the order in which their first row comes
    by="size"        the cluster with most objects (counts, default one per row) first; ties: the earlier first row
    """
    labels = np.asarray(labels)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    if by == "appearance":
        order = np.argsort(first)
    elif by == "size":
        order = np.lexsort((first, -np.bincount(inverse, weights=counts, minlength=len(first))))
    else:
        raise ValueError(f'relabel: by must be "appearance" or "size", got {by!r}')
    number = np.empty(len(first), dtype=np.intp)
    number[order] = np.arange(len(first))
    return number[inverse]
