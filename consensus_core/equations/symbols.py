"""How a name in a formula is written: λ, S⁽ⁱ⁾, Ŝ, y_p, ‖…‖; in plain text, in LaTeX, in MathML.

A name says how it is written: what follows a "_" stands low (y_p), digits at its end too (Y1), what follows "__" stands
high in brackets (S__i), a "_" at its end is a prime (C_), and precomposed letters carry their hats, tildes and bars (Ŝ,
Ã, Ā). A word of several letters stands upright, and the "_" in it are blanks (mean_walk).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from html import escape

LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
HIGH = str.maketrans("0123456789abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
MARKS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar"}
MATHML_MARKS = {"hat": "^", "tilde": "~", "bar": "¯"}
GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip


@dataclass(frozen=True)
class Symbol:
    base: str  # "S", "far", "mean walk"
    mark: str = ""  # "hat", "tilde", "bar"
    low: str = ""
    high: str = ""
    prime: bool = False

    @property
    def is_word(self) -> bool:
        return len(self.base) > 1

    def text(self, index: str = "") -> str:
        letter = unicodedata.normalize("NFC", self.base + next((c for c, m in MARKS.items() if m == self.mark), ""))
        high = f"⁽{self.high.translate(HIGH)}⁾" if self.high else ""
        low = ",".join(filter(None, (self.low, index)))
        low = low.translate(LOW) if low.isdigit() else f"_{low}" if low else ""
        return f"{letter}{'′' if self.prime else ''}{high}{low}"

    def latex(self, index: str = "") -> str:
        base = f"\\mathrm{{{self.base.replace(' ', '~')}}}" if self.is_word else latex_letter(self.base)
        base = f"\\{self.mark}{{{base}}}" if self.mark else base
        low = ",".join(filter(None, (self.low, index)))
        low = f"_{{{''.join(latex_letter(c) for c in low)}}}" if low else ""
        high = "".join(["'" if self.prime else "", f"({self.high})" if self.high else ""])
        return base + low + (f"^{{{high.replace(chr(39), chr(92) + 'prime ')}}}" if high else "")

    def mathml(self, index: str = "") -> str:
        variant = ' mathvariant="normal"' if len(self.base) == 1 and not self.base.isalpha() else ""
        base = f"<mtext>{escape(self.base)}</mtext>" if " " in self.base else f"<mi{variant}>{escape(self.base)}</mi>"
        if self.mark:
            base = f'<mover accent="true">{base}<mo stretchy="false">{MATHML_MARKS[self.mark]}</mo></mover>'
        low = ",".join(filter(None, (self.low, index)))
        high = ["<mo>′</mo>"] if self.prime else []
        high += [f"<mo>(</mo><mi>{escape(self.high)}</mi><mo>)</mo>"] if self.high else []
        low = f"<mi>{escape(low)}</mi>" if low else ""
        if low and high:
            return f"<msubsup>{base}{low}<mrow>{''.join(high)}</mrow></msubsup>"
        if low:
            return f"<msub>{base}{low}</msub>"
        return f"<msup>{base}<mrow>{''.join(high)}</mrow></msup>" if high else base


def latex_letter(letter: str) -> str:
    return f"\\{GREEK[letter]} " if letter in GREEK else letter


@functools.lru_cache(maxsize=1024)
def symbol(name: str) -> Symbol:
    """The way a name is written."""
    name, _, high = name.partition("__") if "__" in name.rstrip("_") else (name, "", "")
    prime, name = name.endswith("_"), name.rstrip("_")
    first, _, rest = name.partition("_")
    base, digits = re.fullmatch(r"(.*?)(\d*)", first).groups()
    letters = unicodedata.normalize("NFD", base)
    mark = next((MARKS[c] for c in letters if c in MARKS), "")
    letters = "".join(c for c in letters if c not in MARKS)
    if len(letters) > 1 and rest:  # a phrase: "mean_walk"
        return Symbol(f"{letters}{digits} {rest.replace('_', ' ')}", mark, "", high, prime)
    return Symbol(letters, mark, digits or rest, high, prime)
