"""The figures of the papers that move a dial, as sweeps: the values they tried, on whatever data are at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ensemble import Ensemble
from ..method import Method
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
    params: Mapping[str, Any] = field(default_factory=dict)  # other dials, where the figure needs them elsewhere
    sample: str = ""  # one that shows the shape (tests/test_presets.py)
    seen: str = ""  # what came out on Ecoli, Aggregation and UMIST (`benchmarks.presets`)

    def method_for(self, k: int) -> Method:
        return METHODS[self.method](k=k, **self.params)

    def values_for(self, ensemble: Ensemble) -> list:
        """Those that these base clusterings allow."""
        return [value for value in self.values if self.dial != "m" or value <= ensemble.m]

    @property
    def setting(self) -> str:
        """ "exact k = off": where other dials stand; "" where all stand where they do by themselves."""
        words = []
        for name, value in self.params.items():
            param = METHODS[self.method].param(name)
            shown = ("off", "on")[value] if isinstance(value, bool) else value
            words.append(f"{param.letter or param.title} = {shown}")
        return ", ".join(words)


PRESETS = {
    preset.key: preset
    for preset in (
        Preset("spce-3", "SPCE, Fig. 3: θ", "spce", "theta", TENTHS, "acc", 10, params={"exact_k": False},
               sample="half",
               shape="weak at 0, where nothing makes S sparse, good from .2 to .6, worse where larger θ cuts S "
               "into pieces",
               seen="Ecoli .76 to .81 up to .4, .49 from .7 on; Aggregation .93 to .98 up to .4, .41 at .9; UMIST "
               ".20 at 0, .43 to .46 from .2 to .6, .39 from .7 on. On UMIST alone 0 is much worse"),
        Preset("ec-cms-2", "EC-CMS, Fig. 2: α", "ec_cms", "alpha",
               tuple(round(0.1 + 0.05 * i, 2) for i in range(18)), "ari", 20, params={"lam": 0.01}, sample="uneven",
               shape="best between .7 and .8: small α takes doubtful pairs for sure ones, α near 1 spreads little",
               seen="on Ecoli best from .55 to .75 (.72 to .74), .66 at .8; on Aggregation from .7 to .85 (.97 to "
               ".98); on UMIST from .75 to .85 (.36 to .37); lower on either side"),
        Preset("ec-cms-3", "EC-CMS, Fig. 3: λ", "ec_cms", "lam", (0.001, 0.01, 0.1, 0.2, 0.4, 0.8, 1, 10, 100, 1000),
               "ari", 20, params={"alpha": 0.75}, sample="uneven",
               shape="high from .01 to 1; from 100 on as low as LWEA, which it begins with; lower again where λ is "
               "very small",
               seen="Ecoli .72 at .01, .51 at 1, .43 from 10 on, as LWEA; Aggregation .97 to .99 up to 1, .90 from "
               "100 on; UMIST .36 up to 1, .35 from 10 on. Very small λ costs nothing, down to .001"),
        Preset("ec-cms-5", "EC-CMS, Fig. 5: ensemble size", "ec_cms", "m", (5, 10, 15, 20, 25, 30, 35, 40, 45, 50),
               "ari", 20, None, params={"alpha": 0.75, "lam": 0.01}, sample="wine",
               shape="more base clusterings help, less and less",
               seen="Ecoli .66 at 5, .72 to .73 from 20 to 30, unsteady beyond; UMIST .34 at 5, .38 at 20; "
               "Aggregation .95 at 5, .94 to .99 beyond. With α = .8 and λ = .4 Ecoli falls, from .56 at 5 to "
               ".43 at 50"),
        Preset("trce-2", "TRCE, Fig. 2: λ", "trce", "lam", (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4, 1e5),
               "nmi", 10, params={"exact_k": False}, sample="half",
               shape="good from .01 to 10; at 100,000 one component is left, and NMI is 0",
               seen="level from .1 to 10 (Ecoli .62, Aggregation .98, UMIST .65), 0 from 1,000 on (Aggregation from "
               "10,000 on). Smaller λ is no worse here, down to .00001"),
        Preset("pce-2", "PCE, Fig. 2: missing share", "pce", "missing", TENTHS[1:8], "acc", 10, sample="half",
               shape="falls slowly at first, faster beyond one half",
               seen="Ecoli .53 at .1, .51 at .5, .48 at .7; UMIST .43, .42, .36; Aggregation .71, .67, .67, without "
               "a bend"),
        Preset("pce-7", "PCE, Fig. 7: γ", "pce", "gamma", (1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4), "acc", 10,
               missing=0.3, params={"scale": "paper"}, sample="half",
               shape="level from .1 on; below that lower on some data, as if H were found before the clusters",
               seen="Ecoli .51 at .0001, .52 from .01 on; UMIST .43 and .44; Aggregation .67 to .68: hardly more than "
               "the scatter between draws. With H balanced, the default, γ matters even less"),
        Preset("ceshl-4", "CESHL, Fig. 4: λ", "ceshl", "lam", (0.001, 0.01, 0.1, 1, 10, 100, 1000), "acc", 10,
               sample="half",
               shape="level from 1 to 1,000",
               seen="Aggregation .99 and UMIST .42 to .43 from 1 on; Ecoli .63 to .67, without direction"),
    )
    if preset.method in METHODS
}  # fmt: skip
