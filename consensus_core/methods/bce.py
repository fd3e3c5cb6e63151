"""Bayesian cluster ensembles (Wang, Shan and Banerjee 2009, 2011)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from ..ensemble import Ensemble
from ..ensemble.incidence import held_by, over_blocks
from ..errors import InputError
from ..linalg.dirichlet import expected_logs, log_norm, newton_steps
from ..method import At, Cost, Exempt, Matrix, Told, Weights, derived, param, speed
from ..method.columns import Columns, ColumnsState
from ..method.params import ablation, common, schedule
from ..method.telling import Term, tells
from ..partition import first_greatest
from ..partition.profiles import grouped_by_profile, seconds_of_grouping
from ..similarity import coassociation

TINY = float(np.finfo(float).tiny)  # added to a sum, so that nothing is divided by zero
KMEANS = 10  # starts of the k-means a run begins with
ROWS = 1 << 14  # rows whose responsibilities are held at a time
NEWTON, PASS = ("cluster", "rank"), ("object", "cluster", "rank")  # the rank counts steps, and passes over an object


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class BCEState(ColumnsState):
    alpha: np.ndarray  # (k,), (k, K) and (q, k): columns in the method's own order
    beta: np.ndarray
    gamma: np.ndarray
    parts: tuple[float, ...] = ()  # the terms of the objective


@dataclass(frozen=True, kw_only=True)
class BCE(Columns):
    """A mixture model of the label table, in which an object has a share of every cluster.

        θ_p ~ Dirichlet(α), and for every base clustering i: z_pi ~ θ_p, then its label x_pi ~ β_i[z_pi, ·]          (1)

    The evidence for α and β is bounded from below with independent γ_p (of θ_p) and φ_ip (of z_pi); minus the bound is
    the objective. A round, ψ the digamma function: over every object until nothing changes, a missing label left out,

        φ_ip[l] ∝ β_i[l, x_pi] exp(ψ(γ_pl) − ψ(Σ_l γ_pl))                                                           (2)
        γ_pl = α_l + Σ_i φ_ip[l]                                                                                    (3)

    and then, with a little smoothing of the tables,

        β_i[l, x] ∝ Σ_p φ_ip[l] [x_pi = x] + smoothing                                                              (4)
        α ← Newton's steps on Σ_p Σ_l (α_l − 1)(ψ(γ_pl) − ψ(Σγ_p)) + n (ln Γ(Σα) − Σ ln Γ(α))                        (5)

    An object is in the cluster of its greatest γ. Variant "warm" goes over an object from the γ of the round before,
    and the objective never rises; "released" begins anew from equal shares, and may fall into a worse place.

    H. Wang, H. Shan, A. Banerjee: Bayesian cluster ensembles. SDM 2009; Statistical Analysis and Data Mining 4 (2011).
    """

    max_iter: int = common(499, "most rounds", span=(1, 10_000))
    tol: float = common(0.01, "change of β, as a share of it, that counts as none", plain="tolerance", letter="ε",
        span=(1e-8, 0.5))
    start: str = param("kmeans", "β from k-means on the co-association, or drawn by chance",
        choices=("kmeans", "random"))
    starts: int = param(5, "starts by chance, of which the one with the greatest bound at its end is kept",
        span=(1, 100))
    seed: int = common(0, "number from which starts are drawn", span=(0, 2**31 - 1))
    variant: str = ablation("warm", "passes from the γ of the round before, or from equal shares",
        choices=("warm", "released"))
    inner_tol: float = schedule(0.01, "change of φ and γ in a pass that ends it", plain="inner tolerance",
        span=(1e-8, 0.5))
    lap: float = schedule(1e-6, "smoothing of the tables", plain="smoothing", span=(1e-12, 1.0), log=True)
    inner_cap: int = schedule(499, "most passes over an object", plain="passes", span=(1, 10_000))

    title, family = "Bayesian cluster ensembles", "mixture model"
    reference = "Wang, Shan & Banerjee, SDM 2009; SADM 4 (2011) 54–70"
    handles_missing = "missing labels are left out of the likelihood"
    State = BCEState
    scale_free = Exempt("the smoothing of β is an absolute number of objects")

    @property
    def monotone(self) -> bool | Exempt:
        return self.variant == "warm" or Exempt("(2) and (3) have several fixed points, and begin anew in every round")

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> BCEState:
        if self.start == "kmeans":
            y = grouped_by_profile(ensemble, coassociation(ensemble), self.k, KMEANS, self.seed)
            return self.begun(ensemble, np.ones(self.k), 1 + held_by(ensemble, y, self.k))
        rng = np.random.default_rng(self.seed)
        drawn = [self.begun(ensemble, rng.random(self.k), rng.random((self.k, ensemble.K))) for _ in range(self.starts)]
        return drawn[0] if len(drawn) == 1 else min(drawn, key=lambda start: self._end(ensemble, start))

    def begun(self, ensemble: Ensemble, alpha: np.ndarray, table: np.ndarray) -> BCEState:
        """The start from α and β, rows of which need not sum to one; γ as if all clusters were alike."""
        if not ensemble.K:
            raise InputError("BCE: no object has any label, so there is nothing a mixture could be fitted to.")
        beta = table / over_blocks(ensemble, table)
        return self._settled(ensemble, alpha, beta, np.ones((ensemble.q, self.k)), alpha, beta, 0)

    def _end(self, ensemble: Ensemble, state: BCEState) -> float:
        for _ in range(self.max_iter):
            old, state = state, self.step(ensemble, state)
            if self.converged(old, state):
                break
        return sum(state.parts)

    def step(self, ensemble: Ensemble, state: BCEState) -> BCEState:
        gamma = state.gamma if self.variant == "warm" else None
        return self._settled(ensemble, state.alpha, state.beta, gamma, None, None, self.inner_cap)

    def _settled(self, ensemble, alpha, beta, gamma, new_alpha, new_beta, most) -> BCEState:
        """γ after the passes that begin with these, then β and α unless given, and the bound."""
        n, sums, ends, spread = ensemble.weights, np.zeros(beta.shape), [], 0.0
        for some, phi, found, _ in self.passed(ensemble, alpha, beta, gamma, most):
            for t in range(ensemble.m):
                seen = ensemble.rows[some, t] >= 0
                columns = ensemble.offsets[t] + ensemble.rows[some, t][seen]
                np.add.at(sums.T, columns, n[some][seen, None] * phi[seen, t])
            spread += float(n[some] @ xlogy(phi, phi).sum(axis=(1, 2)))
            ends.append(found)
        gamma = np.concatenate(ends)
        log_share = expected_logs(gamma)
        said = n @ log_share
        if new_beta is None:
            new_beta = (sums + self.lap) / over_blocks(ensemble, sums + self.lap)  # (4)
            *_, (new_alpha, _) = newton_steps(alpha, said, float(ensemble.n))
        labels = -float((sums * np.log(new_beta)).sum())
        clusters = -float(n @ ((gamma - alpha) * log_share).sum(axis=1)) + spread
        shares = -float((new_alpha - 1) @ said) - ensemble.n * log_norm(new_alpha)
        shares += float(n @ (log_norm(gamma) + ((gamma - 1) * log_share).sum(axis=1)))
        parts = (labels, clusters, shares, -self.lap * float(np.log(new_beta).sum()))
        return BCEState(alpha=new_alpha, beta=new_beta, gamma=gamma, parts=parts,
                        y=first_greatest(gamma, gamma.max()))

    def passed(self, ensemble: Ensemble, alpha, beta, gamma, most: int, of: np.ndarray | None = None) -> Iterator:
        """Some rows at a time: which, φ (r, m, k), γ (r, k), and how many passes each row took; (2) and (3)."""
        of = np.arange(ensemble.q) if of is None else of
        for first in range(0, len(of), ROWS):
            some = of[first : first + ROWS]
            codes = ensemble.rows[some]
            seen = (codes >= 0)[:, :, None]
            b = np.where(seen, beta.T[np.where(codes >= 0, codes + ensemble.offsets[:-1], 0)], 0.0)
            alike = np.where(seen, np.full(self.k, 1 / self.k), 0.0)
            phi = alike if gamma is None else _responsible(b, gamma[some])
            found, taken, busy = alpha + phi.sum(axis=1), np.zeros(len(some), dtype=int), np.arange(len(some))
            for _ in range(most):
                new = _responsible(b[busy], found[busy])
                moved = alpha + new.sum(axis=1)
                far = np.maximum(
                    np.abs(new - phi[busy]).sum(axis=(1, 2)) / np.maximum(phi[busy].sum(axis=(1, 2)), TINY),
                    np.abs(moved - found[busy]).sum(axis=1) / found[busy].sum(axis=1),
                )
                phi[busy], found[busy] = new, moved
                taken[busy] += 1
                busy = busy[far > self.inner_tol]
                if not len(busy):
                    break
            yield some, phi, found, taken

    def terms(self, ensemble: Ensemble, state: BCEState) -> dict[str, float]:
        return dict(zip(("labels", "clusters", "shares", "smoothing"), state.parts, strict=True))

    def converged(self, old: BCEState, new: BCEState) -> bool:
        return float(np.abs(new.beta - old.beta).sum()) <= self.tol * float(old.beta.sum())

    def places(self, ensemble: Ensemble, state: BCEState) -> np.ndarray:
        return state.gamma / state.gamma.sum(axis=1, keepdims=True)

    def remarks(self, ensemble: Ensemble, state: BCEState) -> tuple[str, ...]:
        return self.split_in_words(state)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, m, k, machine = ensemble.q, ensemble.m, self.k, speed()
        rounds = min(self.max_iter, 20) * (self.starts if self.start == "random" else 1)
        bytes_ = 8 * (q * (3 * k + 2) + 6 * min(q, ROWS) * m * k + 4 * k * ensemble.K)
        seconds = rounds * (8 * 12 * q * m * k / machine.entries + 5e-3)
        if self.start == "kmeans":
            bytes_ += 24 * q * q
            seconds += q * q * ensemble.K / 4 / machine.products
            seconds += seconds_of_grouping(q, min(q, ensemble.K), k, KMEANS)
        return Cost(bytes=bytes_ + 1_000_000, seconds=seconds)

    # --- what is shown, and why -------------------------------------------------------------------------------

    def replayed(self, at: At, p: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """w (k,), φ (m, k) and γ (k,) of object p after every pass of this round, from before the first; own order."""
        def made():
            state, before, way = at.path.state(max(at.iteration - 1, 0)), at.iteration > 0, []
            gamma = np.ones_like(state.gamma) if not before else state.gamma if self.variant == "warm" else None
            w = np.full(self.k, np.nan) if gamma is None else np.exp(expected_logs(gamma[p]))
            most = self.inner_cap if before else 0
            for many in range(most + 1):
                one = self.passed(at.ensemble, state.alpha, state.beta, gamma, many, np.array([p]))
                _, phi, found, taken = next(one)
                if many > taken[0]:
                    break
                way.append((w, phi[0], found[0]))
                w = np.exp(expected_logs(found[0]))
            return way
        return at.path.once(f"passes {p}", at.iteration, made)

    def before_or_start(self, at: At, name: str, *where: int) -> Term:
        """α and β that a round begins with."""
        return at.now(name, *where) if at.start else at.then(name, *where)

    def column(self, at: At, c: int) -> tuple[int, int]:
        """The method's own column of cluster c, and which cluster it was a step before."""
        own = int(self.columns_at(at, at.iteration)[c])
        return own, c if at.start else self.column_before(at, own)

    @derived("θ", "share that each cluster has of an object", "(1)", axes=("object", "cluster"), span=(0, 1))
    def theta(self, ensemble: Ensemble, state: BCEState) -> Matrix:
        return self.places(ensemble, state)[:, self.columns(ensemble, state)]

    @tells("theta", "γ / sum(γ_all[l], l)")
    def why_theta(self, at: At) -> Told:
        gammas = at.row("gamma", at.i, None)
        words = "{γ} of the {total} labels and what every cluster has to begin with speak for cluster {c}."
        total = at.constant(gammas.values.sum(), "all of it")
        return at.terms(γ=gammas.term(at.c), γ_all=gammas, total=total, words=words)

    @tells("gamma", "α + sum(φ[t], t)", "(3)", "γ", "how much speaks for a cluster", ("object", "cluster"))
    def why_gamma(self, at: At) -> Told:
        return self._told_gamma(at, len(self.replayed(at, at.p)) - 1, "After the last pass.")

    @tells("within", "α + sum(φ[t], t)", "(3)", "γ", "how much speaks for a cluster, after a pass", PASS)
    def why_within(self, at: At) -> Told:
        return self._told_gamma(at, at.r, "Passes so far: {many}.", many=at.constant(at.r, "passes over the object"))

    def _told_gamma(self, at: At, r: int, words: str, **more) -> Told:
        own, before = self.column(at, at.c)
        φ = at.known("phi", self.replayed(at, at.p)[r][1][:, own], lambda t: (at.i, t, at.c, r))
        α = self.before_or_start(at, "alpha", before)
        return at.terms(α=α, φ=φ, **more, words=f"Every label has its say. {words}")

    @tells("phi", "β*w / (sum(β_all[l]*w_all[l], l) + least)", "(2)", "φ", "how much a label speaks for a cluster",
           ("object", "clustering", "cluster", "rank"), alike="1 / k")
    def why_phi(self, at: At) -> Told:
        code = int(at.ensemble.rows[at.p, at.t])
        if code < 0:
            return at.given(0, "{t} has no label for {i}.")
        if at.r == 0 and not at.start and self.variant == "released":
            return at.terms("alike", k=at.param("k"), words="Every round begins with equal shares.")
        places = [self.column(at, c) for c in range(self.k)]
        e, (w, _, _) = int(at.ensemble.offsets[at.t]) + code, self.replayed(at, at.p)[at.r]
        state = at.after if at.start else at.before
        when = 0 if at.start else -1
        β = at.known("beta", np.array([state.beta[own, e] for own, _ in places]), lambda c: (places[c][1], e), when)
        w = at.known("weight", np.array([w[own] for own, _ in places]), lambda c: (at.i, c, at.r))
        least = at.constant(TINY, "so that nothing is divided by 0")
        words = "Of those in cluster {c} so many have this label, and so likely is cluster {c} for {i}."
        return at.terms(β=β.term(at.c), w=w.term(at.c), β_all=β, w_all=w, least=least, words=words)

    @tells("weight", "exp(digamma(γ) - digamma(sum(γ_all[l], l)))", "(2)", "w", "how likely a cluster is for an object",
           PASS)
    def why_weight(self, at: At) -> Told:
        if at.start:
            w = at.started(np.exp(expected_logs(np.ones(self.k)))[0], "the same for every cluster")
            return at.equals(w, "All are alike.")
        places = [self.column(at, c) for c in range(self.k)]
        if at.r:
            found = self.replayed(at, at.p)[at.r - 1][2]
            γ = at.known("within", np.array([found[own] for own, _ in places]), lambda c: (at.i, c, at.r - 1))
        elif self.variant == "released":
            return at.given(np.nan, "Nothing yet.")
        else:
            found = at.before.gamma[at.p]
            γ = at.known("gamma", np.array([found[own] for own, _ in places]), lambda c: (at.i, places[c][1]), -1)
        return at.terms(γ=γ.term(at.c), γ_all=γ, words="What is expected of the logarithm of its share.")

    @derived("β", "share of the objects of a cluster that have a label: which labels a cluster stands for", "(4)",
             axes=("cluster", "hyperedge"), span=(0, 1))
    def beta(self, ensemble: Ensemble, state: BCEState) -> Matrix:
        return state.beta[self.columns(ensemble, state)]

    @tells("beta", "(sum(n[p]*φ[p], p) + least) / (sum(n_all[p]*φ_all[p], p) + many*least)",
           first="(1 + inside) / (many + all)")
    def why_beta(self, at: At) -> Told:
        ensemble, (own, _) = at.ensemble, self.column(at, at.c)
        t, code = ensemble.cluster(at.e)
        many = at.labels(ensemble.k_each[t], "clusters of this base clustering")
        if at.start:
            return self._told_start(at, own, t, many)
        phi, taken = self.responsibilities(at)
        labelled, inside = (np.flatnonzero(x) for x in (ensemble.rows[:, t] >= 0, ensemble.rows[:, t] == code))
        first, rows = ensemble.first_of, {}
        for name, some in (("", inside), ("_all", labelled)):
            where = [(int(first[p]), t, at.c, int(taken[p])) for p in some]
            rows |= {f"n{name}": at.counts_at(some), f"φ{name}": at.known("phi", phi[some, t, own], where.__getitem__)}
        words = "Of all that speaks for cluster {c} in this base clustering, so much has the label {e}."
        return at.terms(**rows, least=at.param("lap"), many=many, words=words)

    def _told_start(self, at: At, own: int, t: int, many: Term) -> Told:
        if self.start == "random":
            drawn = at.path.once("start", 0, lambda: self.init(at.ensemble))
            return at.given(drawn.beta[own, at.e], "Drawn by the seed.")
        def made():
            A = coassociation(at.ensemble)
            return held_by(at.ensemble, grouped_by_profile(at.ensemble, A, self.k, KMEANS, self.seed), self.k)
        table, ensemble = at.path.once("start", 0, made), at.ensemble
        inside = at.started(table[own, at.e], "objects that k-means on the co-association puts here, with this label")
        whole = table[own, ensemble.offsets[t] : ensemble.offsets[t + 1]].sum()
        every = at.started(whole, "objects that k-means puts here, with any label of this base clustering")
        words = "{inside} objects of the cluster that k-means begins with have this label; one more for every label."
        return at.terms("first", inside=inside, many=many, all=every, words=words)

    def responsibilities(self, at: At) -> tuple[np.ndarray, np.ndarray]:
        """φ (q, m, k) at the end of this round's passes, and how many passes each row took."""
        def made():
            before = at.before
            gamma = before.gamma if self.variant == "warm" else None
            parts = list(self.passed(at.ensemble, before.alpha, before.beta, gamma, self.inner_cap))
            return tuple(np.concatenate([part[side] for part in parts]) for side in (1, 3))
        return at.path.once("φ", at.iteration, made)

    @derived("α", "how much speaks for a cluster before any label is seen: small values, sharp shares", "(5)",
             axes=("cluster",))
    def alpha(self, ensemble: Ensemble, state: BCEState) -> Weights:
        return state.alpha[self.columns(ensemble, state)]

    def stepped(self, at: At) -> list[tuple[np.ndarray, tuple]]:
        def made():
            said = at.ensemble.weights @ expected_logs(at.after.gamma)
            return list(newton_steps(at.before.alpha, said, float(at.ensemble.n)))
        return at.path.once("Newton", at.iteration, made)

    @tells("alpha", "α - share*(g - c) / h")
    def why_alpha(self, at: At) -> Told:
        if at.start:
            own = self.column(at, at.c)[0]
            if self.start == "kmeans":
                return at.given(1, "To begin with, every share is as likely as any other.")
            return at.given(at.path.once("start", 0, lambda: self.init(at.ensemble)).alpha[own], "Drawn by the seed.")
        if self.k == 1:
            return at.unchanged("Only one cluster is wanted: α says nothing.")
        return self._told_newton(at, len(self.stepped(at)) - 1)

    @tells("stepping", "α - share*(g - c) / h", "(5)", "α", "α within Newton's steps", NEWTON)
    def why_stepping(self, at: At) -> Told:
        return self._told_newton(at, at.r) if at.r else at.equals(
            at.then("alpha", self.column(at, at.c)[1]), "As the round began.")

    def _told_newton(self, at: At, r: int) -> Told:
        own, way = self.column(at, at.c)[0], self.stepped(at)
        _, (g, h, c, share) = way[r]
        hand = {"α": ("stepping", way[r - 1][0]), "g": ("steepness", g), "h": ("bend", h)}
        terms = {x: at.known(name, value[[own]], lambda _: (at.c, r - 1)).term(0) for x, (name, value) in hand.items()}
        terms["c"] = at.known("common", np.array([c]), lambda _: (r - 1,)).term(0)
        terms["share"] = at.constant(share, "share of the step that leaves every α above 0")
        return at.terms(**terms, words="A step of Newton's method, at once for all clusters.")

    def alphas(self, at: At, r: int):
        """α of all clusters after r steps, as they are numbered."""
        return at.known("stepping", self.stepped(at)[r][0][self.columns_at(at, at.iteration)], lambda c: (c, r))

    @tells("steepness", "sum(n[p]*e[p], p) + all*(digamma(sum(α_all[l], l)) - digamma(α))", "(5)", "g",
           "how steeply the bound rises with α", NEWTON)
    def why_steepness(self, at: At) -> Told:
        own, first = self.column(at, at.c)[0], at.ensemble.first_of
        e = expected_logs(at.after.gamma)[:, own]
        e, α = at.known("expected", e, lambda p: (int(first[p]), at.c)), self.alphas(at, at.r)
        words = "How much more of cluster {c} objects have than α says they would."
        return at.terms(n=at.counts, e=e, all=at.n, α=α.term(at.c), α_all=α, words=words)

    @tells("expected", "digamma(γ) - digamma(sum(γ_all[l], l))", "(5)", "E log θ", "expected logarithm of a share",
           ("object", "cluster"))
    def why_expected(self, at: At) -> Told:
        gammas = at.row("gamma", at.i, None)
        return at.terms(γ=gammas.term(at.c), γ_all=gammas, words="By what speaks for each cluster.")

    @tells("bend", "-all*trigamma(α)", "(5)", "h", "how fast the steepness falls", NEWTON)
    def why_bend(self, at: At) -> Told:
        return at.terms(all=at.n, α=self.alphas(at, at.r).term(at.c), words="The second derivative for α alone.")

    @tells("common", "sum(g[l] / h[l], l) / (1 / (all*trigamma(sum(α[l], l))) + sum(1 / h[l], l))", "(5)", "c",
           "what all α have in common of a step", ("rank",))
    def why_common(self, at: At) -> Told:
        columns, (g, h, *_) = self.columns_at(at, at.iteration), self.stepped(at)[at.r + 1][1]
        rows = {x: at.known(name, value[columns], lambda c: (c, at.r))
                for x, name, value in (("g", "steepness", g), ("h", "bend", h))}
        return at.terms(**rows, all=at.n, α=self.alphas(at, at.r), words="All α pull at the same sum.")

    @derived("doubt", "how far an object's shares are from a single cluster, in bits", "(1)")
    def doubt(self, ensemble: Ensemble, state: BCEState) -> Weights:
        shares = self.places(ensemble, state)
        return -xlogy(shares, shares).sum(axis=1) / np.log(2)

    @tells("doubt", "sum(θ[l]*log2(1 / θ[l]), l)")
    def why_doubt(self, at: At) -> Told:
        return at.terms(θ=at.row("theta", at.i, None), words="0 bits: all of it in one cluster.")
# fmt: on


def _responsible(b: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """φ (r, m, k) for b (r, m, k), the entries of β that the labels pick out, and γ (r, k)."""
    found = b * np.exp(expected_logs(gamma))[:, None, :]
    return found / (found.sum(axis=2, keepdims=True) + TINY)
