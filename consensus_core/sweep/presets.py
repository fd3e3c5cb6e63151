"""The figures of the papers that move a dial, as sweeps: the values they tried, on whatever data are at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..methods import METHODS

TENTHS = tuple(round(0.1 * i, 1) for i in range(10))


@dataclass(frozen=True)
class Preset:
    key: str
    title: str
    method: str  # a key of METHODS
    dial: str
    values: Sequence
    measure: str
    draws: int
    m: int | None = 20  # base clusterings of a draw
    shape: str = ""  # what the paper's figure shows, in our words
    missing: float = 0.0
    seen: str = ""  # what came out here, where that is something else (`benchmarks.presets`)


PRESETS = {
    preset.key: preset
    for preset in (
        Preset("spce-3", "SPCE, Fig. 3: θ", "spce", "theta", TENTHS, "acc", 10,
               shape="a flat stretch of small and middling θ; much larger θ cuts S into pieces"),
        Preset("ec-cms-2", "EC-CMS, Fig. 2: α", "ec_cms", "alpha",
               tuple(round(0.1 + 0.05 * i, 2) for i in range(18)), "ari", 20,
               shape="best between .7 and .8: small α takes doubtful pairs for sure ones, α = 1 spreads little"),
        Preset("ec-cms-3", "EC-CMS, Fig. 3: λ", "ec_cms", "lam", (0.001, 0.01, 0.1, 0.2, 0.4, 0.8, 1, 10, 100, 1000),
               "ari", 20, shape="a hill below 1; from 100 on nothing changes any more",
               seen="on Ecoli, Aggregation and UMIST no hill: level or falling from .001 on, least from 10 on (Ecoli "
               ".62 at .001, .44 at .4, .41 at 100). From 100 on nothing changes: its labels are close to those of "
               "the local weighting it begins with (ARI .86 to 1), not the same"),
        Preset("ec-cms-5", "EC-CMS, Fig. 5: ensemble size", "ec_cms", "m", (5, 10, 15, 20, 25, 30, 35, 40, 45, 50),
               "ari", 20, None, shape="more base clusterings help, less and less"),
        Preset("trce-2", "TRCE, Fig. 2: λ", "trce", "lam", (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4, 1e5),
               "acc", 10, shape="flat over several powers of ten"),
        Preset("pce-2", "PCE, Fig. 2: missing share", "pce", "missing", TENTHS[1:8], "acc", 10,
               shape="falls slowly at first, faster beyond one half"),
        Preset("pce-7", "PCE, Fig. 7: γ", "pce", "gamma", (1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4), "acc", 10,
               missing=0.3, shape="low below .1, flat above",
               seen="on Ecoli, Aggregation and UMIST flat over all eight powers of ten: means differ by less than .02 "
               "of accuracy, less than the scatter between draws"),
        Preset("ceshl-4", "CESHL, Fig. 4: λ", "ceshl", "lam", (0.001, 0.01, 0.1, 1, 10, 100, 1000), "acc", 10,
               shape="rises to 1, flat from there to 1,000"),
    )
    if preset.method in METHODS
}  # fmt: skip
