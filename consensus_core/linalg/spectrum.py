"""The smallest eigenvectors of a consensus graph's Laplacian, on distinct rows with counts."""

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from .gram import GramLaplacian
from .graph import components
from .halved import Halved, PartLaplacian
from .huge import is_huge
from .krylov import smallest_by_inversion, with_diagonal
from .lanczos import smallest_by_products
from .orthonormal import canonical_signs

NO_EIGENVALUE = 1e-10  # share of the greatest eigenvalue below which there is none
SAME_EIGENVALUE = 1e-9  # of the greatest: eigenvalues as near as this are one
SMALL = 64  # rows of a component up to which a bound of its eigenvalues is looked for first
SPARSE_SHARE = 0.15  # of entries: below it a sparse factorisation was the faster one on real ensembles
ROWS = 4096  # of a sparse matrix, worked on together
SLOW = 3000  # rows from which Lanczos steps come before LAPACK, where steps with the inverse do not converge


def leading_by_columns(gram, k):
    """(values (k,), W (K, k)) from gram = ZᵀZ: Z W are the k leading eigenvectors of ZZᵀ; columns without one are 0.

    Where the k-th eigenvalue and the next are the same to rounding, only some of their eigenvectors are asked for, and
    LAPACK's choice would hang on rounding: `settled_directions` chooses.
    """
    K = len(gram)
    found, vectors = scipy.linalg.eigh(gram, subset_by_index=(max(0, K - k - 1), K - 1))
    found, vectors = found[::-1], vectors[:, ::-1]
    values, W = np.zeros(k), np.zeros((K, k))
    if len(found) > k and found[k - 1] - found[k] <= SAME_EIGENVALUE * found[0] < found[k - 1]:
        every, all_vectors = scipy.linalg.eigh(gram)
        tied = np.abs(every - found[k - 1]) <= SAME_EIGENVALUE * found[0]
        above = int((every > found[k - 1] + SAME_EIGENVALUE * found[0]).sum())
        vectors[:, above:k] = settled_directions(all_vectors[:, tied], k - above)
    found, vectors = found[:k], vectors[:, :k]
    sound = found > NO_EIGENVALUE * found[0]
    values[: len(found)][sound] = found[sound]
    W[:, : len(found)][:, sound] = vectors[:, sound] / np.sqrt(found[sound])
    return values, W


def settled_directions(V, wanted):
    """So many orthonormal columns of the space that the columns of V span, whatever basis V is: each time the direction
    nearest to a coordinate axis, of equally near axes the first, and on in what is left."""
    P, chosen = V @ V.T, []
    for _ in range(wanted):
        near = P.diagonal()
        axis = int(np.argmax(near >= near.max() * (1 - SAME_EIGENVALUE)))
        chosen.append(P[:, axis] / np.sqrt(near[axis]))
        P = P - np.outer(chosen[-1], chosen[-1])
    return np.array(chosen).T


def settled_ties(values, vectors):
    """Orthonormal columns, those of one eigenvalue (values in order, to rounding) in the basis of `settled_directions`:
    LAPACK's would hang on rounding, and with it what the first so many of them are."""
    settled, begin = vectors.copy(), 0
    same = SAME_EIGENVALUE * np.abs(values).max(initial=0.0)
    for end in np.append(np.flatnonzero(np.abs(np.diff(values)) > same) + 1, len(values)):
        if end - begin > 1:
            settled[:, begin:end] = canonical_signs(settled_directions(vectors[:, begin:end], end - begin))
        begin = end
    return settled


def smallest_eigenvectors(S, k, counts=None, warm=None, normalised=False, found=None):
    """The k smallest eigenpairs of the Laplacian of S, each row of S standing for counts[p] equal objects.

    For the n objects L = D − A with A_ij = S[p(i), p(j)] and D its row sums. Vectors that are equal within each
    distinct row, y, solve with C = diag(counts), d_p = Σ_q counts_q S_pq

        (diag(d) − C^½ S C^½) u = μ u,     y = C^-½ u,                                  unnormalised
        (I − (C/d)^½ S (C/d)^½) u = μ u,   y = C^-½ u,                                  normalised

    and are orthonormal in the counts-weighted product: Σ_p counts_p y_pa y_pb = [a = b]. An object with d = 0 is a
    component of its own (μ = 0).

    Connected components give eigenvalue 0 and need no eigenproblem: their normalised indicators (times d^½ where
    normalised) come first, ordered by number of objects, greatest first (ties: the earlier first row). With more than
    k components the k greatest are taken. The other columns follow, smallest first, each zero outside one component,
    their signs by `canonical_signs`.

    S          (q, q) symmetric, non-negative: dense, sparse, or `Halved`
    warm       (q, any) near the answer, e.g. the previous one: only makes large problems faster
    found      (count, labels) where the caller has them already from `components(S)`
    returns    values (k,) ascending, vectors (q, k)
    """
    q = S.shape[0]
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    if not 1 <= k <= q:
        raise ValueError(f"smallest_eigenvectors: k must be between 1 and the number of rows {q}, got {k}")
    S = _stored_sparsely(S, q, k)
    count, member = components(S) if found is None else found
    degree = np.asarray(S @ counts, dtype=float).reshape(-1)
    greatest_first = np.argsort(-np.bincount(member, weights=counts), kind="stable")
    values, Y = np.zeros(k), np.zeros((q, k))
    for column, component in enumerate(greatest_first[:k]):
        inside = member == component
        null = _null_vector(counts[inside], degree[inside], normalised)
        Y[inside, column] = null / np.sqrt(counts[inside])
    if count < k:
        candidates = []
        for component in greatest_first:
            inside = member == component
            if len(candidates) == k - count and not normalised and _bound(S, inside, counts) > candidates[-1][0]:
                continue
            candidates += _within_component(S, inside, k - count, counts, degree, warm, normalised)
            candidates.sort(key=lambda pair: pair[0])  # stable: ties by the order of components
            del candidates[k - count :]
        for column, (value, inside, y) in enumerate(candidates, start=count):
            values[column] = value
            Y[inside, column] = y
        Y[:, count:] = canonical_signs(Y[:, count:], counts)
    return values, Y


def smallest_of_gram(Z, k, counts):
    """The same for a connected graph S = ZZᵀ that is not formed, Z (q, K) sparse and not negative; and its degrees d.

    None where it is not worth it (few rows, many columns) or the Krylov steps did not converge.
    """
    q, K = Z.shape
    if k < 2 or not is_large(q, k - 1) or (3 * K >= q and not is_huge(q)):
        return None
    root, degree = np.sqrt(counts), Z @ (Z.T @ counts)
    null = _null_vector(counts, degree, normalised=False)
    pair = _by_steps(GramLaplacian(sp.csr_array(Z.multiply(root[:, None])), degree), k - 1, null)
    if pair is None:
        return None
    rest = canonical_signs(pair[1] / root[:, None], counts)
    return np.append(0.0, pair[0]), np.column_stack([null / root, rest]), degree


def _stored_sparsely(S, q, k):
    """S in compressed rows where that is the faster form: large, and mostly zeros."""
    if isinstance(S, Halved):
        return S
    if sp.issparse(S):
        return sp.csr_array(S)
    S = np.asarray(S)
    return sp.csr_array(S) if is_large(q, k) and np.count_nonzero(S) < SPARSE_SHARE * S.size else S


def is_large(size, k):
    """From here on Krylov steps beat LAPACK (measured on consensus matrices of real ensembles)."""
    return size > 500 + 40 * k


def _by_steps(M, k, null, start=None):
    """Krylov steps with the inverse or Lanczos steps with M itself, the likelier first; None: neither converged."""
    size = M.shape[0]
    pair = None if is_huge(size) else smallest_by_inversion(M, k, null, start)
    if pair is None and (is_huge(size) or size > SLOW):
        pair = smallest_by_products(M, k, null)
    return pair


def _null_vector(counts, degree, normalised):
    """The unit vector u of eigenvalue 0 of one component."""
    root = np.sqrt(counts * degree) if normalised and degree.any() else np.sqrt(counts)
    return root / np.linalg.norm(root)


def _bound(S, inside, counts):
    """No eigenvalue of a component but the first, 0, is below this: its objects times the weakest of their links."""
    inside = np.flatnonzero(inside)
    if len(inside) == 1:
        return np.inf  # there is none
    if len(inside) > SMALL:
        return 0.0
    part = _among(S, inside)
    part = part.toarray() if sp.issparse(part) else part
    return counts[inside].sum() * part.min() * (1 - NO_EIGENVALUE)


def _within_component(S, inside, wanted, counts, degree, warm, normalised):
    """(value, inside, y on it) for the smallest non-zero eigenvalues of one component."""
    inside = np.flatnonzero(inside)
    wanted = min(wanted, len(inside) - 1)
    if wanted == 0:
        return []
    counts, degree = counts[inside], degree[inside]
    M = _laplacian(S, inside, counts, degree, normalised)
    null = _null_vector(counts, degree, normalised)
    pair = None
    if is_large(len(inside), wanted):
        start = None if warm is None else warm[inside] * np.sqrt(counts)[:, None]
        pair = _by_steps(M, wanted, null, start)
    if pair is None:
        M = M @ np.eye(len(inside)) if isinstance(M, PartLaplacian) else M.toarray() if sp.issparse(M) else M
        # The known null vector is moved beyond the spectrum (≤ 2 d): beside a nearly loose part, whose eigenvalue is
        # as good as 0 too, LAPACK would return mixtures of the two.
        M += (3 if normalised else 3 * degree.max()) * np.outer(null, null)
        pair = smallest_by_lapack(M, wanted)
    return [(value, inside, u / np.sqrt(counts)) for value, u in zip(pair[0], pair[1].T, strict=True)]


def _among(S, rows):
    """S of some rows alone, or of all."""
    if isinstance(S, Halved):
        return S.among(rows)
    return S[rows][:, rows] if len(rows) < S.shape[0] else S


def _laplacian(S, inside, counts, degree, normalised):
    root = np.sqrt(counts / degree) if normalised else np.sqrt(counts)
    diagonal = np.ones(len(root)) if normalised else degree
    if isinstance(S, Halved) and 2 * len(inside) > S.shape[0] and is_huge(len(inside)):
        return PartLaplacian(S, inside, root, diagonal)
    S = _among(S, inside)
    if sp.issparse(S):
        entries = np.empty_like(S.data)
        for first in range(0, len(root), ROWS):  # of millions of entries no second array
            ends = S.indptr[first : first + ROWS + 1]
            some = slice(ends[0], ends[-1])
            np.multiply(np.repeat(-root[first : first + ROWS], np.diff(ends)), S.data[some], out=entries[some])
            entries[some] *= root[S.indices[some]]
        return with_diagonal(sp.csr_array((entries, S.indices, S.indptr), shape=S.shape), diagonal, overwrite=True)
    M = S * root
    M *= -root[:, None]
    M[np.diag_indices_from(M)] += diagonal
    return M


def smallest_by_lapack(M, k):
    """k smallest eigenpairs; LAPACK's subset driver fails on some degenerate spectra, then the full one is asked."""
    try:
        values, U = scipy.linalg.eigh(M, subset_by_index=(0, k - 1), driver="evr", check_finite=False)
        if values.shape == (k,) and _are_orthonormal(U):
            return values, U
    except np.linalg.LinAlgError:
        pass
    values, U = scipy.linalg.eigh(M, driver="evd", check_finite=False)
    return values[:k], U[:, :k]


def _are_orthonormal(U):
    return bool(np.isfinite(U).all() and np.abs(U.T @ U - np.eye(U.shape[1])).max(initial=0.0) < 1e-10)
