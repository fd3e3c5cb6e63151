"""Hyper-parameters, declared once: read by validation, widgets, sweeps, tables and tests."""

from __future__ import annotations

import dataclasses
import functools
import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from ..errors import InputError

AUTO = "auto"  # stands for: chosen by the ensemble itself, where a dial can be
ROLES = ("common", "method", "ablation", "schedule")


@dataclass(frozen=True)
class Param:
    """One hyper-parameter: what it means, which values it may take, and how it is best moved."""

    name: str
    default: Any
    meaning: str
    plain: str = ""  # a short everyday name, where `name` is not one
    letter: str = ""
    low: float | None = None
    high: float | None = None
    log: bool = False  # moved in factors rather than in steps
    step: float | None = None
    choices: tuple[Any, ...] | None = None
    equation: str = ""
    auto: int = 0  # so many values, from low to high, are tried where the ensemble is to choose; 0 where it cannot
    role: str = "method"  # the paper's own dials; "ablation": its switches; "schedule": its constants; "common"

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING

    @property
    def kind(self) -> str:
        """ "choice", "switch", "integer" or "number"."""
        if self.choices is not None:
            return "choice"
        if isinstance(self.default, bool):
            return "switch"
        if self.required or isinstance(self.default, int):
            return "integer"
        return "number"

    @property
    def title(self) -> str:
        """ "sparsity threshold θ": the everyday name and the paper's letter."""
        plain = self.plain or self.name.replace("_", " ")
        said = self.letter in ("", self.name) or self.letter.rstrip("₀₁₂") in plain.split()
        return plain if said else f"{plain} {self.letter}"

    @property
    def range_in_words(self) -> str:
        if self.choices is not None:
            return "one of " + ", ".join(repr(c) for c in self.choices)
        if self.kind == "switch":
            return "True or False"
        noun = "a whole number" if self.kind == "integer" else "a number"
        if self.low is not None and self.high is not None:
            return f"{noun} in [{self.low:g}, {self.high:g}]"
        if self.low is not None:
            return f"{noun} of at least {self.low:g}"
        if self.high is not None:
            return f"{noun} of at most {self.high:g}"
        return noun

    def check(self, owner: str, value: Any) -> Any:
        """The value in its own type, or a sentence that says what it must be."""

        given = value

        def refuse():
            return InputError(f"{owner}: {self.name} must be {self.range_in_words}, got {given!r}.")

        if self.kind == "choice":
            for choice in self.choices or ():
                if isinstance(value, type(choice)) and choice == value:  # text taken from an array is text too
                    return choice
            raise refuse()
        if self.kind == "switch":
            if isinstance(value, bool) or type(value).__name__ == "bool":
                return bool(value)
            raise refuse()
        if isinstance(value, bool) or not isinstance(value, Real) or not _finite(value):
            raise refuse()
        if self.kind == "integer":
            if not isinstance(value, Integral) and float(value) % 1:
                raise refuse()
            value = int(value)  # type: ignore[call-overload]  # every Real has it
        else:
            value = float(value)
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise refuse()
        return value


def _finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def param(default, meaning, **declaration):
    """A dataclass field that carries its Param: `theta: float = param(0.2, "sparsity threshold", low=0, high=0.9)`."""
    role = declaration.get("role", "method")
    if "span" in declaration:
        declaration["low"], declaration["high"] = declaration.pop("span")
    if role not in ROLES:
        raise ValueError(f"role must be one of {ROLES}, got {role!r}")
    if "choices" in declaration:
        declaration["choices"] = tuple(declaration["choices"])
    metadata = {"param": {"meaning": meaning, **declaration}}
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


common = functools.partial(param, role="common")
ablation = functools.partial(param, role="ablation")
schedule = functools.partial(param, role="schedule")


def params_of(cls) -> tuple[Param, ...]:
    """Every Param a class declares, in the order of declaration."""
    return tuple(
        Param(name=field.name, default=field.default, **field.metadata["param"])
        for field in dataclasses.fields(cls)
        if "param" in field.metadata
    )
