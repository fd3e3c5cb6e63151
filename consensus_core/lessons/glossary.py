"""Every letter and every word, from one source each: letters from the methods' classes, words from `words.md`."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from ..methods import METHODS

WORDS = Path(__file__).with_name("words.md")


@dataclass(frozen=True)
class Word:
    word: str
    meaning: str


@dataclass(frozen=True)
class Sign:
    """A letter of a method: what it means there, and by which name it is asked for."""

    letter: str
    meaning: str
    method: str  # a key of METHODS
    name: str
    number: str  # of its equation
    kind: str  # "quantity" or "dial"


@functools.cache
def words() -> tuple[Word, ...]:
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(": ") for line in lines if line.strip())
    return tuple(sorted((Word(word.strip(), meaning.strip()) for word, _, meaning in pairs), key=_alphabet))


@functools.cache
def signs() -> tuple[Sign, ...]:
    """Every letter of every method, by letter."""
    found = []
    for key, method in METHODS.items():
        told = method.equations()
        known = {
            quantity.name: (quantity.letter, quantity.meaning, quantity.equation) for quantity in method.quantities()
        }
        known = {name: (one.letter, one.meaning, one.number) for name, one in told.items()} | known
        found += [
            Sign(letter, meaning, key, name, number, "quantity") for name, (letter, meaning, number) in known.items()
        ]
        found += [
            Sign(dial.letter, dial.meaning, key, dial.name, dial.equation, "dial")
            for dial in method.params()
            if dial.letter and dial.role == "method"
        ]
    return tuple(sorted(found, key=lambda sign: (sign.letter.casefold(), sign.letter, sign.meaning, sign.method)))


def _alphabet(word: Word) -> str:
    return word.word.casefold()


def looked_up(asked: str) -> tuple[list[Word], list[Sign]]:
    """Those that are called so first, then those whose meaning speaks of it; everything where nothing is asked."""
    asked = asked.strip()
    if not asked:
        return list(words()), list(signs())
    low = asked.casefold()
    own = [word for word in words() if low in word.word.casefold()]
    own += [word for word in words() if low in word.meaning.casefold() and word not in own]
    called = [sign for sign in signs() if asked in (sign.letter, sign.name)]
    speaking = [sign for sign in signs() if low in (sign.meaning.casefold() if len(low) > 2 else "")]
    speaking += [sign for sign in signs() if low == METHODS[sign.method].name().casefold()]
    return own, list(dict.fromkeys([*called, *speaking]))
