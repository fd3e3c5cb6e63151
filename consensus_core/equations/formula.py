"""One text, parsed once: printed, set, filled in and computed from the same tree.

    W = formula("min(λ / (2*B), 1)")
    W.text()                    "min(λ / 2B, 1)"
    W.latex(), W.mathml()       the same for a page
    W.value(λ=4.5, B=4.0)       0.5625
    W.filled(λ=4.5, B=4.0)      "min(4.5 / (2 · 4), 1)"
    W.names                     ("λ", "B")

The language is Python's, Greek letters included, and no more of it than papers need: see `tree`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping

from .filling import filled_text
from .tree import FormulaError, Tree, only_what_is_known
from .writing import latex, mathml, text


class Formula(Tree):
    """`source` in the language of formulas; `tree` what it means."""

    def text(self) -> str:
        return text(self)

    def latex(self) -> str:
        return latex(self)

    def mathml(self) -> str:
        """Elements without the <math> around them."""
        return mathml(self)

    def filled(self, numbers: Mapping | None = None, /, **more) -> str:
        return filled_text(self, {**(numbers or {}), **more})


@functools.lru_cache(maxsize=4096)
def formula(source: str) -> Formula:
    """Parsed once; a sentence where the text is not of this language."""
    try:
        tree = ast.parse(source, mode="eval").body
    except SyntaxError as fault:
        raise FormulaError(f"{source!r} is no formula: {fault.msg}.") from None
    only_what_is_known(tree, source, indices=frozenset())
    return Formula(source, tree)


__all__ = ["Formula", "FormulaError", "formula"]
