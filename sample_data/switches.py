"""Switches that matter, each with a recipe on which they do, and where one was found a recipe on which they do the
opposite. What is said of each (mean paired difference of ARI, 95% interval) was measured once on draws no search had
seen; `python -m benchmarks.break_it` measures it again and writes effects.json.
"""

from __future__ import annotations

from dataclasses import dataclass, field

FRESH = 50  # the first of the seeds that no search had seen
LATER = 100  # the same, for what was thought of later
GAPS = 0  # the patterns of missing labels were not searched for
ON_ISLAND = {"similarity": "co-association", "alpha": 0.4}


@dataclass(frozen=True)
class Side:
    """One setting: a method with what is not at its default."""

    method: str
    params: dict = field(default_factory=dict)
    fill: str = ""  # how missing labels are filled before; "" where the method takes them as they are


@dataclass(frozen=True)
class Switch:
    key: str
    recipe: str  # of sample_data.breaking
    name: str  # what is switched, as people call it
    first: Side
    second: Side
    said: tuple[float, float, float]  # mean of the first − the second, and its interval
    why: str
    opposite: str = ""  # the switch with which the second setting wins
    since: int = FRESH


def of(key, recipe, name, method, both, first, second, said, why, opposite="", since=FRESH) -> Switch:
    """Two settings of one method that share `both`."""
    return Switch(
        key, recipe, name, Side(method, {**both, **first}), Side(method, {**both, **second}), said, why, opposite, since
    )


# fmt: off
SWITCHES: tuple[Switch, ...] = (
    # --- SPCE
    of("theta-island-none", "island", "θ", "spce", {}, {"theta": 0.2}, {"theta": 0.0}, (0.77, 0.65, 0.89),
       "At θ = 0 nothing is cut for being weak, so a third of the ring stays with the disc."),
    of("theta-island-high", "island", "θ", "spce", {}, {"theta": 0.2}, {"theta": 0.5}, (0.79, 0.69, 0.88),
       "At θ = .5 the run ends with some thirteen pieces, and the answer is that of the repair which merges them."),
    of("theta-lazy", "lazy", "θ", "spce", {}, {"theta": 0.2}, {"theta": 0.1}, (0.95, 0.93, 0.98),
       "At θ = .1 the four lazy piles link nearly everything, and only single leaves can be snapped off: exactly "
       "four components, nothing to repair, and all wrong."),
    of("theta-half", "half", "θ", "spce", {}, {"theta": 0.2}, {"theta": 0.1}, (0.48, 0.39, 0.57),
       "A lower θ links more pairs: too many of them by chance."),
    of("theta-half-none", "half", "θ", "spce", {"pace": "none"}, {"theta": 0.3}, {"theta": 0.5}, (0.53, 0.46, 0.59),
       "With W = 1 the bar is θ alone; at .5 it cuts what belongs together.", since=LATER),
    of("pace-lazy", "lazy", "pair weights W", "spce", {"theta": 0.2}, {"pace": "self-paced"}, {"pace": "none"}, (0.95,
       0.93, 0.98),
       "A pair is linked above √(γ/s) / W: a W below 1 raises the bar, as a larger θ does.", "pace-island"),
    of("pace-lazy-own", "lazy", "pair weights W, each at its own θ", "spce", {}, {"pace": "none", "theta": 0.3},
       {"pace": "self-paced", "theta": 0.2}, (0.03, -0.01, 0.06),
       "Each at the θ that suits it, there is nothing left between them: self-pacing moves the window, it did not "
       "widen it.", since=LATER),
    of("pace-half-own", "half", "pair weights W, each at its own θ", "spce", {}, {"pace": "none", "theta": 0.3},
       {"pace": "self-paced", "theta": 0.2}, (0.18, 0.11, 0.24),
       "Each at the θ that suits it, no pair weights were as good or better on every sample tried.", since=LATER),
    of("pace-island", "island", "pair weights W", "spce", {"theta": 0.5}, {"pace": "none"}, {"pace": "self-paced"},
       (0.7, 0.59, 0.81),
       "θ = .5 is too high a bar only because W below 1 raises it further: without W it is right.", "pace-lazy"),
    of("pace-half-fixed", "half", "pair weights W", "spce", {"theta": 0.2}, {"pace": "self-paced"}, {"pace": "fixed"},
       (0.46, 0.36, 0.56),
       "Weights that stay where they were at r = .9 keep the bar high to the end."),
    of("r-lazy", "lazy", "first r", "spce", {}, {"r_first": 0.9}, {"r_first": 0.5}, (0.95, 0.93, 0.98),
       "r from .5 on is W = 1 from the start: no pair is doubtful enough to be held back."),
    of("r-half", "half", "last r", "spce", {}, {"r_last": 0.5}, {"r_last": 0.9}, (0.46, 0.36, 0.56),
       "A schedule that ends at r = .9 never lets the doubtful pairs in."),
    of("alpha-copied", "copied", "learned weights α", "spce", {"theta": 0.2}, {"learn_alpha": False}, {"learn_alpha":
       True}, (0.53, 0.47, 0.6),
       "A sheet that has twins is nearer to S than any honest one, so its say grows, and S follows it.", "alpha-coins"),
    of("alpha-copied-0", "copied", "learned weights α", "spce", {"theta": 0.0}, {"learn_alpha": False},
       {"learn_alpha": True}, (0.97, 0.95, 0.98),
       "At θ = 0 the three copies end with two thirds of the say: the answer is the copied sheet.", "alpha-coins"),
    of("alpha-coins", "coins", "learned weights α", "spce", {}, {"learn_alpha": True}, {"learn_alpha": False}, (0.79,
       0.74, 0.85),
       "The same feedback, for the three who know: .25 of the say instead of .15.", "alpha-copied"),
    of("laplacian-even", "even", "Laplacian term", "spce", {"theta": 0.0, "exact_k": False}, {"laplacian": True},
       {"laplacian": False}, (0.94, 0.94, 0.95),
       "Without it nothing asks for k components, and one is left.", "laplacian-lazy"),
    of("laplacian-lazy", "lazy", "Laplacian term", "spce", {"theta": 0.0}, {"laplacian": False}, {"laplacian": True},
       (0.97, 0.95, 0.98),
       "It finds its k components by snapping off single leaves; without it one component is left, which the "
       "repair splits well.", "laplacian-even"),
    of("laplacian-uneven", "uneven", "Laplacian term", "spce", {"theta": 0.0}, {"laplacian": True}, {"laplacian":
       False}, (0.19, 0.12, 0.25),
       "Where groups are of very different sizes the repair alone does worse."),
    of("exact-even", "even", "exactly k", "spce", {"theta": 0.8}, {"exact_k": True}, {"exact_k": False}, (0.52, 0.49,
       0.55),
       "The run ends with some 27 pieces; merging them by average links hides it."),
    of("exact-half", "half", "exactly k", "spce", {"theta": 0.5}, {"exact_k": True}, {"exact_k": False}, (0.72, 0.7,
       0.74),
       "114 pieces of 120 leaves: what is right in the answer is all the repair's."),
    # --- EC-CMS
    of("smooth-island", "island", "Laplacian term", "ec_cms", ON_ISLAND, {"smooth": True}, {"smooth": False}, (0.87,
       0.79, 0.95),
       "Without it nothing is spread, and average linkage cuts the ring: EAC's answer.", "spread-two-piles"),
    Switch("spread-uneven", "uneven", "spreading what is sure", Side("ec_cms", {"alpha": 0.5}), Side("lwea"), (0.33,
       0.27, 0.39),
       "What is spread along the sure pairs holds the one large group together.", "spread-two-piles"),
    Switch("spread-two-piles", "two_piles", "spreading what is sure", Side("lwea"), Side("ec_cms", {"alpha": 0.5}),
       (0.67, 0.6, 0.73),
       "Half of the sorters put any two kinds on one pile: such pairs count as sure at α = .5, and are spread.",
       "spread-uneven"),
    of("alpha-lazy", "lazy", "α", "ec_cms", {}, {"alpha": 0.8}, {"alpha": 0.5}, (0.91, 0.88, 0.95),
       "At α = .5 a fifth of the pairs of different kinds are sure: four lazy piles and one honest sheet.",
       "alpha-island"),
    of("alpha-two-piles", "two_piles", "α", "ec_cms", {}, {"alpha": 1.0}, {"alpha": 0.5}, (0.67, 0.6, 0.73),
       "A low α takes for sure what only coarse sorting put together.", "alpha-island"),
    of("alpha-island", "island", "α", "ec_cms", {"similarity": "co-association"}, {"alpha": 0.4}, {"alpha": 0.8},
       (0.88, 0.8, 0.96),
       "At α = .8 too few pairs are sure to reach round the ring.", "alpha-lazy"),
    of("alpha-uneven", "uneven", "α", "ec_cms", {}, {"alpha": 0.5}, {"alpha": 0.8}, (0.33, 0.26, 0.39),
       "The large, loose group has few pairs that eight of ten agree on.", "alpha-lazy"),
    of("lam-island", "island", "λ", "ec_cms", ON_ISLAND, {"lam": 0.4}, {"lam": 1000.0}, (0.87, 0.79, 0.95),
       "λ = 1000 gives the co-association back as it came.", "lam-two-piles"),
    of("lam-two-piles", "two_piles", "λ", "ec_cms", {}, {"lam": 1000.0}, {"lam": 0.001}, (0.37, 0.31, 0.43),
       "A small λ trusts the sure pairs alone.", "lam-island"),
    of("hold-lazy", "lazy", "hold sure pairs", "ec_cms", {"alpha": 0.5}, {"hold": False}, {"hold": True}, (0.92, 0.88,
       0.95),
       "The false ones among the sure pairs are held and spread; letting the noise E act on them repairs it.",
       "hold-island"),
    of("hold-island", "island", "hold sure pairs", "ec_cms", ON_ISLAND, {"hold": True}, {"hold": False}, (0.1, 0.01,
       0.18),
       "Where the sure pairs are true it helps a little to hold them.", "hold-lazy"),
    of("variant-riddle", "riddle", "variant", "ec_cms", {"alpha": 0.5, "lam": 0.01}, {"variant": "paper"}, {"variant":
       "released"}, (0.71, 0.63, 0.78),
       "Far from the recommended dials text and program differ.", "variant-island"),
    of("variant-island", "island", "variant", "ec_cms", {}, {"variant": "paper"}, {"variant": "released"}, (0.0, 0.0,
       0.0),
       "At the recommended dials text and program give the same."),
    of("input-island", "island", "similarity enhanced", "ec_cms", {}, {"similarity": "local weighting"},
       {"similarity": "co-association"}, (0.76, 0.64, 0.87),
       "Local weighting lets base clusterings with many small clusters count, and these follow the ring.",
       "input-copied"),
    of("input-copied", "copied_unsure", "similarity enhanced", "ec_cms", {}, {"similarity": "co-association"},
       {"similarity": "local weighting"}, (0.6, 0.53, 0.67),
       "A copied cluster is confirmed by its twins and so weighs more than an honest one.", "input-island"),
    # --- TRCE
    of("noise-half", "half", "noise E", "trce", {"exact_k": False}, {"learn_noise": True}, {"learn_noise": False},
       (0.87, 0.85, 0.88),
       "E is the cut: without it one component is left."),
    of("noise-uneven", "uneven", "noise E", "trce", {"lam": 0.001}, {"learn_noise": True}, {"learn_noise": False},
       (0.32, 0.25, 0.39),
       "Without E the answer is average linkage's on B."),
    of("noise-lazy", "lazy", "noise E", "trce", {"lam": 1.0}, {"learn_noise": True}, {"learn_noise": False}, (0.22,
       0.19, 0.24),
       "Without E the answer is average linkage's on B, which does not do badly here."),
    of("graphs-lots", "lots", "learned weights α", "trce", {"lam": 316.0, "max_iter": 40}, {"learn_alpha": True},
       {"learn_alpha": False}, (0.57, 0.52, 0.63),
       "The two who know get .25 of the say instead of .20; it matters only where λ is so high that the run takes "
       "long to cut.", "graphs-lots-1", LATER),
    of("graphs-lots-1", "lots", "learned weights α", "trce", {"lam": 1.0}, {"learn_alpha": True}, {"learn_alpha":
       False}, (0.02, 0.01, 0.02),
       "At λ = 1 the run cuts before the weights matter."),
    of("w-riddle", "riddle", "object weights w", "trce", {}, {"self_paced": True}, {"self_paced": False}, (0.0, 0.0,
       0.0),
       "Multiplying a row of H by w² is multiplying the price ρ by 1/w²: nothing changes here."),
    of("w-half", "half", "object weights w", "trce", {}, {"self_paced": True}, {"self_paced": False}, (0.0, 0.0, 0.0),
       "The same where every sorter guesses half of the time."),
    of("gamma-coins", "coins_few", "first γ", "trce", {"lam": 100.0}, {"gamma_first": 1.0}, {"self_paced": False},
       (0.75, 0.7, 0.8),
       "Small weights raise the price ρ of each row: it is the price that repairs λ = 100."),
    of("rho-coins", "coins_few", "first ρ", "trce", {"lam": 100.0, "self_paced": False}, {"rho_first": 1000.0},
       {"rho_first": 1.0}, (0.74, 0.69, 0.8),
       "The same repair by the price itself, without any object weights."),
    of("price-coins", "coins_few", "λ", "trce", {}, {"lam": 1.0}, {"lam": 100.0}, (0.76, 0.71, 0.81),
       "At λ = 100 too little is taken for noise.", "price-copied"),
    of("price-copied", "copied_unsure", "λ", "trce", {}, {"lam": 1.0}, {"lam": 0.001}, (0.26, 0.2, 0.32),
       "At λ = .001 too much is taken for noise.", "price-coins"),
    of("keep-half", "half", "keep F", "trce", {"lam": 0.001}, {"keep_F": True}, {"keep_F": False}, (0.45, 0.38, 0.51),
       "Beginning each round where the last one ended keeps the groups together."),
    # --- PCE
    of("gamma-half", "half", "γ", "pce", {"scale": "paper"}, {"gamma": 1.0}, {"gamma": 0.0001}, (0.85, 0.83, 0.86),
       "With γ near 0 nothing asks for clear-cut clusters, and at the paper's length of H the rest does not find "
       "them.", "gamma-half-balanced"),
    of("gamma-half-balanced", "half", "γ", "pce", {}, {"gamma": 1.0}, {"gamma": 0.0001}, (0.0, -0.02, 0.02),
       "With rows of H as long as those of the base clusterings γ makes no difference.", "gamma-half"),
    of("rotation-half", "half", "clusters found", "pce", {"scale": "paper"}, {"rotation": "joint"}, {"rotation":
       "post"}, (0.86, 0.84, 0.88),
       "Clusters looked for after the run are those of an H that nobody turned towards clusters.",
       "rotation-half-balanced"),
    of("rotation-half-balanced", "half", "clusters found", "pce", {}, {"rotation": "joint"}, {"rotation": "post"},
       (0.0, -0.02, 0.02),
       "With rows of H as long as those of the base clusterings both find the same.", "rotation-half"),
    of("diversity-half", "half", "diversity", "pce", {}, {"diversity": True}, {"diversity": False}, (0.0, 0.0, 0.0),
       "It changes H, the weights and the labels filled in, and here never the clusters: the first H decides."),
    of("trust-riddle", "riddle", "trust v", "pce", {}, {"self_paced": True}, {"self_paced": False}, (0.0, 0.0, 0.0),
       "It changes H, the weights and the labels filled in, and here never the clusters: the first H decides."),
    of("filling-random", "holes_random", "filling", "pce", {}, {"filling": "learned"}, {"filling": "random"}, (0.68,
       0.66, 0.71),
       "Gaps filled at random before the start are noise in the first H, which decides.", since=GAPS),
    Switch("filling-kinds", "holes", "filling", Side("pce"), Side("pce", fill="nearest"), (0.81, 0.76, 0.86),
       "Each sorter knows one kind of four: the nearest row that has a label there is of another kind.", since=GAPS),
    Switch("filling-window", "holes_window", "filling", Side("pce"), Side("eac", fill="own cluster"), (0.38, 0.32,
       0.45),
       "What nobody saw together is not apart: clusters of their own say it is.", since=GAPS),
    # --- CESHL
    of("weights-island", "big_island", "hyperedge weights w", "ceshl", {}, {"weights": "learned"}, {"weights": "one"},
       (0.38, 0.25, 0.51),
       "With all weights 1 the large hyperedges, which reach over the gap, count as the others."),
    of("score-island", "big_island", "hyperedge weights w", "ceshl", {}, {"weights": "learned"}, {"weights": "score"},
       (-0.01, -0.02, 0.01),
       "At λ = 100 the learned weights are the scores."),
    of("faith-island", "big_island", "λ", "ceshl", {}, {"lam": 100.0}, {"lam": 0.001}, (0.59, 0.46, 0.71),
       "As λ falls the weights become the root of the cluster sizes: the largest, which are wrong, count most."),
    # --- trees
    of("linkage-island", "island", "linkage", "eac", {}, {"linkage": "single"}, {"linkage": "average"}, (0.94, 0.89,
       0.99),
       "Single linkage follows the ring; average linkage wants what is round.", "linkage-lazy"),
    of("linkage-lazy", "lazy", "linkage", "eac", {}, {"linkage": "average"}, {"linkage": "single"}, (0.84, 0.79, 0.9),
       "One chance pair in common is enough for single linkage to chain two groups.", "linkage-island"),
    of("linkage-dust", "dust", "linkage", "eac", {}, {"linkage": "average"}, {"linkage": "single"}, (0.33, 0.26,
       0.41),
       "Stray points are stepping stones for single linkage.", "linkage-island"),
    of("linkage-many", "many", "linkage", "eac", {}, {"linkage": "average"}, {"linkage": "complete"}, (0.92, 0.91,
       0.94),
       "With many small clusters most pairs of one group are never together; complete linkage asks that of all."),
    of("weighting-island", "island", "θ", "lwea", {}, {"theta": 0.1}, {"theta": 4.0}, (0.94, 0.89, 0.99),
       "A small θ silences large clusters that others tear apart; θ = 4 gives EAC back.", "weighting-copied"),
    of("weighting-copied", "copied_unsure", "θ", "lwea", {}, {"theta": 4.0}, {"theta": 0.1}, (0.73, 0.68, 0.78),
       "Copies confirm each other: the more clusterings are weighed by each other, the more they count.",
       "weighting-island"),
)
# fmt: on
