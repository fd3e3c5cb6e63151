"""Which method, with which dials: read from a command line, and written as one."""

from __future__ import annotations

import dataclasses

from ..data import Data
from ..data.advice import advised
from ..errors import InputError
from ..method import Method, Param
from ..methods import METHODS
from .data_options import value_of
from .parser import Misused, Parser
from .telling import Teller

PREFIX = "dial_"
HEADINGS = {
    "common": "of every method",
    "method": "its own",
    "ablation": "its switches",
    "schedule": "its constants",
}


def flag(param: Param) -> str:
    return "--" + param.name.replace("_", "-")


def add_method(parser: Parser, method: type[Method] | None) -> None:
    """`method`: the one asked for, whose dials are then options; None where none is named yet."""
    asked = parser.add_argument_group("method")
    asked.add_argument("--method", metavar="KEY", choices=METHODS, help=f"{', '.join(METHODS)}; see “quorum methods”")
    if method is None:
        asked.add_argument(
            "--k", dest=f"{PREFIX}k", metavar="K", help="clusters wanted; by default as the data propose"
        )
        asked.description = "Every method has dials of its own: name it with --method and ask for --help again."
        return
    for role, heading in HEADINGS.items():
        dials = [param for param in method.params() if param.role == role]
        group = parser.add_argument_group(f"dials of {method.name()}, {heading}") if dials else asked
        for param in dials:
            group.add_argument(flag(param), dest=f"{PREFIX}{param.name}", metavar="VALUE", help=_help(param))


def _help(param: Param) -> str:
    default = "as the data propose" if param.required else _said(param.default)
    letter = f"{param.letter}: " if param.letter not in ("", param.name) else ""
    kind = "yes or no" if param.kind == "switch" else param.range_in_words
    return f"{letter}{param.meaning}; {kind}; {default} unless said".replace("%", "%%")


def dials_of(arguments, method: type[Method]) -> dict:
    """What was said of them, in their own types."""
    said = {param: getattr(arguments, f"{PREFIX}{param.name}", None) for param in method.params()}
    return {param.name: value_of(param, text, method.name()) for param, text in said.items() if text is not None}


def unknown_dial(text: str, method: type[Method] | None) -> Misused | None:
    """Why an option that nobody knows is none of this method's; None for what is no dial of any."""
    owners = [cls for cls in METHODS.values() for param in cls.params() if flag(param) == text.split("=")[0]]
    if not owners:
        return None
    if method is None:
        return Misused(f"{text.split('=')[0]} is a dial of {_names(owners)}: say which with --method.")
    own = ", ".join(flag(param) for param in method.params())
    return Misused(f"{method.name()} has no {text.split('=')[0]} ({_names(owners)} has); it has {own}.")


def _names(methods) -> str:
    return " and ".join(cls.name() for cls in methods)


def method_for(arguments, data: Data, teller: Teller, recorded: Method | None = None) -> Method:
    """The method asked for; what nobody said is proposed, and said."""
    if recorded is not None and arguments.method in (None, recorded.key):
        return dataclasses.replace(recorded, **dials_of(arguments, type(recorded)))
    k = getattr(arguments, f"{PREFIX}k", None)
    key = arguments.method
    if key is None:
        key, because = advised(data.ensemble, data.k)
        teller.note(f"{METHODS[key].name()} is taken, because {because}")
    cls = METHODS[key]
    dials = dials_of(arguments, cls)
    if k is None:
        dials["k"] = data.k
        teller.note(data.k_why)
    method = cls(**dials)
    if data.ensemble.has_missing and not method.handles_missing:
        raise InputError(
            f"{method.name()} cannot take missing labels. Say how they are filled: --fill nearest, --fill random or "
            "--fill 'own cluster'; or take a method that takes them as they are (“quorum methods” says which)."
        )
    return method


def words_of(method: Method) -> list[str]:
    """The words that ask for this method with these dials."""
    said = ["--method", method.key]
    for param in method.params():
        value = getattr(method, param.name)
        if param.required or value != param.default:
            said += [flag(param), _said(value)]
    return said


def _said(value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
