"""EC-CMS on n objects, literally as the equations say: dense, slow, and short enough to be seen right.

`table` is (n, m) labels, −1 where missing; returns every iterate as a dict of (n, n) arrays.
"""

import numpy as np


def plain_coassociation(table):
    """(1): the share of base clusterings that put a pair together, among those with a label for both."""
    n = len(table)
    together, seen = np.zeros((n, n)), np.zeros((n, n))
    for labels in table.T:
        known = (labels >= 0)[:, None] & (labels >= 0)[None, :]
        seen += known
        together += known & (labels[:, None] == labels[None, :])
    return np.divide(together, seen, out=np.zeros((n, n)), where=seen > 0), seen


def local_weights(table, theta=0.4):
    """The locally weighted co-association, cluster by cluster."""
    n, m = table.shape
    A, seen = np.zeros((n, n)), np.zeros((n, n))
    for labels in table.T:
        seen += (labels >= 0)[:, None] & (labels >= 0)[None, :]
        for c in np.unique(labels[labels >= 0]):
            members = labels == c
            entropy = 0.0
            for others in table.T:
                inside = others[members]
                inside = inside[inside >= 0]
                if len(inside):
                    p = np.unique(inside, return_counts=True)[1] / len(inside)
                    entropy -= (p * np.log2(p)).sum()
            A[np.ix_(members, members)] += np.exp(-entropy / (theta * m))
    return np.divide(A, seen, out=np.zeros((n, n)), where=seen > 0)


def high_confidence(table, alpha):
    """H and Ω of (2)."""
    plain, seen = plain_coassociation(table)
    sure = (plain >= alpha) & (seen > 0)
    return np.where(sure, plain, 0.0), sure


def admm(A, H, fixed, lam, gamma1=1.0, gamma2=1.0, steps=10):
    """Algorithm 1 from line 2 on, `steps` times; `fixed` is Ω as it holds E to 0."""
    n = len(A)
    Phi = np.diag(H.sum(axis=1)) - H
    M = 2 * Phi + (gamma1 + gamma2) * np.eye(n)
    E, F, Y1, Y2 = np.zeros((n, n)), np.zeros((n, n)), A.copy(), np.zeros((n, n))
    C = np.zeros((n, n))
    for _ in range(steps):
        old = C, E, F, Y1, Y2
        C = np.linalg.solve(M, gamma1 * (A - E) + Y1 + gamma2 * F - Y2)  # (9)
        E = np.where(fixed, 0.0, (gamma1 * (A - C) + Y1) / (lam + gamma1))  # (11)
        P3 = C + Y2 / gamma2
        F = np.clip((P3 + P3.T) / 2, 0, 1)  # (13)
        Y1 = Y1 + gamma1 * (A - C - E)  # (14)
        Y2 = Y2 + gamma2 * (C - F)
        new = C, E, F, Y1, Y2
        yield {
            "C": C, "E": E, "F": F, "Y1": Y1, "Y2": Y2, "P3": P3,
            "squares": [(X**2).sum() for X in new],
            "changes": [((X - Z) ** 2).sum() for X, Z in zip(new, old, strict=True)],
            "terms": [np.trace(C.T @ Phi @ C), lam / 2 * (E**2).sum()],
        }  # fmt: skip


def ec_cms(table, alpha=0.8, lam=0.4, variant="paper", A=None, gamma1=1.0, gamma2=1.0, hold=True, steps=10):
    """The iterates of a variant; the self-pairs are what they differ in."""
    A = local_weights(table) if A is None else A.copy()
    H, fixed = high_confidence(table, alpha)
    if not hold:
        fixed = np.zeros_like(fixed)
    if variant == "released":
        np.fill_diagonal(A, 1.0)
        fixed = fixed & ~np.eye(len(A), dtype=bool)
    return A, H, fixed, list(admm(A, H, fixed, lam, gamma1, gamma2, steps))
