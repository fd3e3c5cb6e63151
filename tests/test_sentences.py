"""Of the sentences an explanation may say, exactly one fits every number, also the number on the border of two."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import consensus_core
from consensus_core.equations.formula import formula

CORE = Path(consensus_core.__file__).parent
NEAR = 0.25


def choices() -> Iterator[tuple[str, list[str]]]:
    """Where it stands, and its conditions: every dict of the core all of whose keys are comparisons."""
    for path in sorted([*(CORE / "methods").glob("*.py"), *(CORE / "method").glob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text())):
            keys = (
                [key.value for key in node.keys if isinstance(key, ast.Constant)] if isinstance(node, ast.Dict) else []
            )
            if keys and all(isinstance(key, str) and re.search(r"[<>]|==", key) for key in keys):
                yield f"{path.stem}:{node.lineno}", keys


CHOICES = list(choices())


def test_choices_are_found():
    assert len(CHOICES) > 25


@pytest.mark.parametrize(("where", "conditions"), CHOICES, ids=[where for where, _ in CHOICES])
def test_exactly_one_sentence_fits(where, conditions):
    said = [formula(condition) for condition in conditions]
    names = list(dict.fromkeys(name for one in said for name in one.names))
    for values in itertools.product(around(conditions), repeat=len(names)):
        numbers = dict(zip(names, values, strict=True))
        fits = [one.holds({name: numbers[name] for name in one.names}) for one in said]
        assert sum(fits) == 1, f"{where}: at {numbers} {sum(fits)} of {conditions} hold"


def around(conditions: list[str]) -> list[float]:
    """Numbers on every border, below it and above it. On a half stands nothing: it parts counts, or yes from no."""
    written = re.findall(r"-?\d[\d.]*(?:e-?\d+)?", " ".join(conditions))
    borders = sorted({0.0, 1.0, *map(float, written)})
    halves = {border for border in borders if border % 1 == 0.5}
    return [value for border in borders for value in (border - NEAR, border, border + NEAR) if value not in halves]
