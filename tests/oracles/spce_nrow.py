"""SPCE on all n objects, literally: m connection matrices, one LAPACK eigenproblem per step, no short cut.

Only for small inputs.
"""

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import connected_components

MISSING = -1


def indicators(member, c):
    """Normalised indicators of the c largest components, ties by first object."""
    sizes = np.bincount(member)
    Y = np.zeros((len(member), c))
    for a, component in enumerate(np.argsort(-sizes, kind="stable")[:c]):
        Y[member == component, a] = 1 / np.sqrt(sizes[component])
    return Y


def smallest(S, c, member):
    if member.max() + 1 >= c:
        return indicators(member, c)
    L = np.diag(S.sum(axis=1)) - S
    return scipy.linalg.eigh((L + L.T) / 2)[1][:, :c]


def spce(table, c, theta, variant="released", pace="self-paced", steps=1000, caps=(5, 20, 100), tol=1e-6):
    """A dict of S, W, Y, alpha, d, rho, r, inner, components for the start and after every inner step."""
    table = np.asarray(table)
    n, m = table.shape
    seen = np.array([np.outer(column != MISSING, column != MISSING) for column in table.T])
    Si = np.array([column[:, None] == column for column in table.T]) & seen
    rows = [tuple(row) for row in table]
    alike = np.array([[one == other for other in rows] for one in rows])
    K, O = Si.sum(axis=0), seen.sum(axis=0)
    must, cannot = alike | ((K == O) & (O > 0)), (K == 0) & ~alike
    S = np.where(must, 1.0, K / np.maximum(O, 1))
    alpha = np.full(m, 1 / m)
    gamma = (m * theta) ** 2

    def distances(S, W):
        return np.array([((W * seen[i] * (S - Si[i])) ** 2 * ~must).sum() for i in range(m)])

    def count(S):
        return connected_components(S > 0)

    def trust(S, alpha, r):
        if pace == "none":
            return np.ones((n, n))
        lam = 2 * ((r - 1) ** 2 * r + r**2 * (1 - r)) * m**2
        B = sum(seen[i] * (S - Si[i]) ** 2 / alpha[i] for i in range(m))
        W = np.ones((n, n))
        hard = (B > 0) & ~must & ~cannot
        W[hard] = np.minimum(lam / (2 * B[hard]), 1)
        return W

    rho, components = 1.0, count(S)
    Y = smallest(S, c, components[1])
    W = trust(S, alpha, 0.9)
    path = [{"S": S, "W": W, "Y": Y, "alpha": alpha, "d": distances(S, W), "rho": rho, "r": 0.9, "inner": 0,
             "components": components[0], "member": components[1]}]  # fmt: skip
    for r in (0.9, 0.8, 0.7, 0.6, 0.5):
        if pace == "self-paced" or r == 0.9:
            W = trust(S, alpha, r)
        inner = 0
        while True:
            inner += 1
            old = S, alpha
            s = sum(seen[i] / alpha[i] for i in range(m))
            T = sum(Si[i] / alpha[i] for i in range(m))
            apart = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
            safe = np.where(s > 0, s, 1)
            C = (T - rho * apart / ((2 if variant == "released" else 4) * W**2)) / safe
            S = np.where(np.sqrt(gamma / safe) / W * (1 - 1e-12) <= C, np.clip(C, 0, 1), 0)
            S[must], S[cannot] = 1, 0
            d = distances(S, W)
            if d.max() > 0:
                alpha = np.maximum(np.sqrt(d), 1e-8 * np.sqrt(d.max()))
                alpha = alpha / alpha.sum()
            number, member = count(S)
            if variant == "paper" or number <= c:
                Y = smallest(S, c, member)
            settled = number >= c and np.abs(S - old[0]).max() <= tol and np.abs(alpha - old[1]).max() <= tol
            rho = 2 * rho if number < c else rho / 2 if number > c else rho
            path.append({"S": S, "W": W, "Y": Y, "alpha": alpha, "d": d, "rho": rho, "r": r, "inner": inner,
                         "components": number, "member": member})  # fmt: skip
            if len(path) > steps:
                return path
            if variant == "released":
                if inner >= (caps[1] if r == 0.5 else caps[0]) or (inner >= 2 and number == c):
                    break
            elif number == c or settled or inner >= caps[2]:
                break
    return path


def objective(state, table, theta, rho, lam):
    """(10) as it stands, over all ordered pairs of objects."""
    table = np.asarray(table)
    m = table.shape[1]
    S, W, Y, alpha = state["S"], state["W"], state["Y"], state["alpha"]
    fit = sum((((S - (column[:, None] == column)) * W) ** 2).sum() / alpha[i] for i, column in enumerate(table.T))
    L = np.diag(S.sum(axis=1)) - S
    return fit - lam * W.sum() + (m * theta) ** 2 * (S > 0).sum() + rho * np.trace(Y.T @ L @ Y)
