"""TRCE on n rows, step by step and slowly: what consensus_core.methods.trce is held to. Written from the equations."""

import numpy as np
from scipy.optimize import brentq
from scipy.sparse.csgraph import connected_components


def transition_matrices(table):
    """A⁽ᵏ⁾ (m, n, n): co-membership, each row summing to one."""
    S = [(column[:, None] == column[None, :]).astype(float) for column in np.asarray(table).T]
    return np.array([s / s.sum(axis=1, keepdims=True) for s in S])


def divergences(As, B):
    """KL(A⁽ᵏ⁾_i ‖ B_i): (n, m)."""
    KL = np.zeros((B.shape[0], len(As)))
    for k, Ak in enumerate(As):
        for i in range(len(B)):
            on = Ak[i] > 0
            KL[i, k] = (Ak[i, on] * np.log(Ak[i, on] / B[i, on])).sum()
    return KL


def difficulty(KL, alpha, variant):
    if variant == "released":  # the slip: the last base clustering, m times
        return KL[:, -1] * alpha[-1] * len(alpha)
    return KL @ alpha


def root(h, g):
    """θ with Σ_j h_j / (g_j + θ) = 1 over h_j > 0, where some g_j is 0."""
    h, g = h[h > 0], g[h > 0]
    low, high = (h - g).max(), h.sum()
    if low >= high:
        return high
    f = lambda theta: (h / (g + theta)).sum() - 1  # noqa: E731
    if f(low) <= 0:
        return low
    if f(high) >= 0:
        return high
    return brentq(f, low, high, xtol=1e-300, rtol=8.9e-16, maxiter=500)


def project(v):
    """The nearest point of the simplex, by sorting."""
    u = np.sort(v)[::-1]
    ahead = (np.cumsum(u) - 1) / np.arange(1, len(v) + 1)
    last = np.flatnonzero(u > ahead)[-1]
    return np.maximum(v - ahead[last], 0)


def eigenvectors(A, k):
    L = np.diag(A.sum(axis=1)) - A
    return np.linalg.eigh(L)[1][:, :k]


def run(
    table,
    k,
    lam,
    rounds=10,
    variant="released",
    use_w=True,
    use_alpha=True,
    use_E=True,
    keep_F=True,
    gamma0=0.0,
    rho0=1.0,
    easy=0.1,
    tol=1e-12,
    noise_weight=None,
):
    """Yields one dict per round; round 0 is the start."""
    As = transition_matrices(table)
    m, n, _ = As.shape
    A = As.mean(axis=0)
    A = (A + A.T) / 2
    B = A.copy()
    F = eigenvectors(A, k)
    alpha = np.full(m, float(m))
    KL = divergences(As, B)
    b = difficulty(KL, alpha, variant)
    gamma = gamma0 or 2 * np.sort(b)[max(int(n * easy), 1) - 1] or 2 * b.max()
    rho, found = rho0, None
    yield {"A": A, "B": B, "F": F, "alpha": alpha, "KL": KL, "b": b, "gamma": gamma, "rho": rho, "w": np.ones(n)}
    for t in range(1, rounds + 1):
        if t > 1:
            gamma *= 1.1
            rho *= {-1: 2.0, 0: 1.0, 1: 0.5}[int(np.sign(found - k))]
        b = difficulty(KL, alpha, variant)
        with np.errstate(divide="ignore"):
            w = np.minimum(np.where(b > 0, gamma / (2 * b), 1.0), 1.0) if use_w else np.ones(n)
        H = w[:, None] ** 2 * np.tensordot(alpha, As, axes=1)
        G = ((F[:, None, :] - F[None, :, :]) ** 2).sum(axis=2)
        theta = np.array([root(H[i], rho * G[i]) for i in range(n)])
        B = H / (rho * G + theta[:, None])
        weight = lam if noise_weight is None else noise_weight(gamma)
        Y = np.array([project(B[i] - rho * G[i] / (2 * weight)) for i in range(n)]) if use_E else B
        A = (Y + Y.T) / 2
        A = np.where(A > tol, A, 0)
        KL = divergences(As, B)
        o = w**2 @ KL
        if use_alpha and o.min() > 0:
            alpha = np.sqrt(o).sum() / np.sqrt(o)
        found, labels = connected_components(A > 0, directed=False)
        F_used = F
        if found <= k or not keep_F:
            F = eigenvectors(A, k)
        yield {
            "A": A, "B": B, "Y": Y, "F": F, "F_used": F_used, "alpha": alpha, "KL": KL, "o": o, "gamma": gamma,
            "rho": rho, "w": w, "theta": theta, "found": found, "labels": labels,
        }  # fmt: skip
        if found == k and t > 1:
            return
