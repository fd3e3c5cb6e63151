"""What was found out about a file: the role of every column, what is doubtful about it, what one may want instead."""

from __future__ import annotations

from dataclasses import dataclass

from .choices import FEATURE, LABEL

DATA_ROLE = {"labels": LABEL, "features": FEATURE}  # of the columns that are neither ids nor truth, by kind


@dataclass(frozen=True)
class FoundColumn:
    """A column of the file, whatever became of it."""

    name: str
    role: str  # one of ROLES
    why: str  # one sentence
    sort: str = ""  # whole, fraction, text, mixed, empty; "" where the file could not be read
    chosen: bool = False  # by the caller, not found out
    head: tuple[str, ...] = ()  # what stands in its first cells


@dataclass(frozen=True)
class Offer:
    """What one click would choose."""

    label: str
    changes: dict[str, object]  # of Choices, for `Choices.changed`


@dataclass(frozen=True)
class Suspicion:
    """Something that may not be as it was taken, said before it is used, with what one may want instead."""

    sentence: str
    offers: tuple[Offer, ...] = ()
    must: bool = False  # an answer is needed: either may well be right, and the difference is great
