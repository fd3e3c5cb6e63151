"""argparse with our manners: every refusal is a sentence and says where help is; nothing is abbreviated."""

from __future__ import annotations

import argparse
from typing import NoReturn

from ..errors import InputError


class Misused(InputError):
    """The command itself was not understood."""


class Parser(argparse.ArgumentParser):
    def __init__(self, *args, **more):
        more.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, allow_abbrev=False, **more)

    def error(self, message: str) -> NoReturn:
        raise self.refusal(message)

    def refusal(self, message: str) -> Misused:
        return Misused(f"{message[0].upper()}{message[1:]}. “{self.prog} --help” says what there is.")


def assigned(texts, what: str, last: bool = False) -> list[tuple[str, str]]:
    """NAME=VALUE, in the order given; `last`: the value begins after the last equals sign."""
    found = []
    for text in texts or ():
        name, sign, value = text.rpartition("=") if last else text.partition("=")
        if not sign or not name:
            raise Misused(
                f"{what} takes NAME=VALUE, not {text!r}. What is no such pair, like the file, stands in front of it."
            )
        found.append((name, value))
    return found


def whole(text: str, what: str, least: int = 0) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise Misused(f"{what} must be a whole number of at least {least}, not {text!r}.")
    return value
