"""PCE on n rows, step by step and slowly: what consensus_core.methods.pce is held to. Written from the equations.

Y⁽ⁱ⁾ are (n, k_i) indicator matrices with zero rows where a label is missing; nothing here knows microclusters.
"""

import numpy as np
from scipy.optimize import minimize


def indicators(table):
    """Y⁽ⁱ⁾ for every column, −1 being missing."""
    return [(column[:, None] == np.arange(column.max() + 1)).astype(float) for column in np.asarray(table).T]


def polar(M):
    U, _, Vt = np.linalg.svd(M, full_matrices=False)
    return U @ Vt


def signed(V):
    """Columns with their third moment positive."""
    return V * np.sign((V**3).sum(axis=0))


def eigenvector_start(Ys, c):
    G = sum(Y @ Y.T for Y in Ys) / len(Ys)
    return signed(np.linalg.eigh(G)[1][:, ::-1][:, :c])


def mean_start(Ys, c):
    return polar(sum(Y @ np.eye(Y.shape[1], c) for Y in Ys) / len(Ys))


def agreement_order(Ys):
    """The base clustering whose pairs are most often together in all goes first."""
    A = sum(Y @ Y.T for Y in Ys)
    return np.argsort([-(A * (Y @ Y.T)).sum() for Y in Ys], kind="stable")


def turn(Ys, R, H, alpha, v, order, diversity=True):
    """(13) by Theorem 3, in turn; where k_i > c with the term that keeps it a descent."""
    R = list(R)
    for i in order:
        others = sum(alpha[j] * Ys[j] @ R[j] for j in range(len(Ys)) if j != i) if diversity else 0
        T = Ys[i].T @ np.diag(v**2) @ (H - others)
        if R[i].shape[0] > R[i].shape[1]:
            mass = np.diag(Ys[i].T @ np.diag(v**2) @ Ys[i])
            T = T + alpha[i] * np.diag(mass.max() - mass) @ R[i]
        R[i] = polar(T)
    return R


def first_age(A):
    values = np.sort(2 * (A**2).sum(axis=1))
    lam = values[max(1, len(A) // 10) - 1]
    return lam if lam > 0 else 1e-3


def H_by_steps(C, D, H, radius, tol=1e-6, most=50):
    for _ in range(most):
        new = radius * polar(C + (D.max() - D)[:, None] * H)
        moved = np.abs(new - H).max()
        H = new
        if moved <= tol * np.abs(H).max():
            break
    return H


def H_by_cayley(C, D, H, steps=2000, tol=1e-7):
    """The text's own way: Theorem 1 with a curvilinear search (Wen & Yin), for HᵀH = I."""

    def value(H):
        return (D[:, None] * H**2).sum() - 2 * (H * C).sum()

    eta = 1e-2
    for _ in range(steps):
        G = D[:, None] * H - C
        if np.linalg.norm(G - H @ (G.T @ H)) < tol:
            break
        eta = min(2 * eta, 10.0)
        while True:
            M, N = np.hstack([eta * G, -eta * H]), np.hstack([H, G]).T  # N = [H, DH − C]ᵀ
            NM, NH = N @ M, N @ H
            new = H - M @ NH - M @ np.linalg.solve(np.eye(len(NM)) + NM, NH - NM @ NH)
            if value(new) <= value(H) or eta < 1e-12:
                break
            eta /= 2
        H = new
    return polar(H)


def fill(table, Ys, R, H, alpha, order, diversity=True):
    """(11), Gauss–Seidel over the base clusterings."""
    Ys = [Y.copy() for Y in Ys]
    for i in order:
        if alpha[i] == 0:
            continue
        others = sum(alpha[j] * Ys[j] @ R[j] for j in range(len(Ys)) if j != i) if diversity else 0
        E = (others - H) @ R[i].T + alpha[i] / 2 * (R[i] ** 2).sum(axis=1)
        for p in np.flatnonzero(table[:, i] < 0):
            Ys[i][p] = np.arange(Ys[i].shape[1]) == E[p].argmin()
    return Ys


def weights_program(Ys, R, H, v, diversity=True):
    P = [Y @ r for Y, r in zip(Ys, R, strict=True)]
    G = np.array([[(v[:, None] ** 2 * p * q).sum() for q in P] for p in P])
    f = np.array([(v[:, None] ** 2 * p * H).sum() for p in P])
    return (G if diversity else np.diag(np.diag(G))), f


def weights_by_slsqp(G, f):
    """(12) by a general solver."""
    m = len(f)
    found = minimize(
        lambda a: a @ G @ a - 2 * f @ a, np.full(m, 1 / m), jac=lambda a: 2 * G @ a - 2 * f, method="SLSQP",
        bounds=[(0, 1)] * m, constraints={"type": "eq", "fun": lambda a: a.sum() - 1, "jac": lambda a: np.ones(m)},
        options={"ftol": 1e-15, "maxiter": 1000},
    )  # fmt: skip
    return found.x


def distances(H, Ys, R, alpha, diversity=True):
    """‖A_p‖², without the terms between base clusterings on request."""
    P = [a * Y @ r for a, Y, r in zip(alpha, Ys, R, strict=True)]
    error = ((H - sum(P)) ** 2).sum(axis=1)
    if not diversity:
        error += sum((p**2).sum(axis=1) for p in P) - (sum(P) ** 2).sum(axis=1)
    return error


def objective(H, Ys, R, alpha, v, lam, gamma, y, R_out):
    """(4)."""
    apart = np.eye(R_out.shape[1])[y] - H @ R_out
    return (v**2 * distances(H, Ys, R, alpha)).sum() - lam * v.sum() + gamma * (apart**2).sum()
