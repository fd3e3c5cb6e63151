"""Which data: read from a command line, and written as one."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

from ..data import Data, Generation, Joined, Origin, build
from ..data.origin import WAYS
from ..data.samples import SAMPLES
from ..ensemble import FILLINGS
from ..errors import InputError
from ..generate import RECIPES, SCALINGS
from ..method import Param
from ..reading import MISSING_TEXTS, ROLES, Choices, Reading, read
from ..reading.progress import heard_by
from .parser import Misused, Parser, assigned, whole
from .telling import Teller

SAID = {True: "yes", False: "no"}
SEPARATORS = {"\t": "tab", " ": "blank"}
SWITCHES, LISTS = ("header", "transposed"), ("missing", "not_objects")
READ = [field.name for field in dataclasses.fields(Choices) if field.name != "roles"]
MADE = ("m", "k", "seed", "scaling")


def add_data(parser: Parser) -> None:
    asked = parser.add_argument_group("data: a file, or a sample")
    asked.add_argument("data", nargs="?", help="a table of base labels, or of features with --base")
    asked.add_argument("--sample", metavar="KEY", help=f"one that comes along: {', '.join(SAMPLES)}")
    asked.add_argument(
        "--read",
        nargs="+",
        action="extend",
        metavar="NAME=VALUE",
        help=f"how the file is read, where it is not guessed: {', '.join(READ)}",
    )
    asked.add_argument(
        "--role",
        nargs="+",
        action="extend",
        metavar="COLUMN=ROLE",
        help=f"what a column is: {', '.join(ROLES)}; * stands for the rest",
    )
    asked.add_argument("--join", nargs="+", metavar="FILE", help="further files about the same objects")
    asked.add_argument("--join-by", choices=WAYS, default=WAYS[0], help="how: by the ids of both, or row by row")
    asked.add_argument(
        "--base",
        nargs="+",
        action="extend",
        metavar="RECIPE",
        help=f"make base clusterings from features: {', '.join(RECIPES)}; then {', '.join(MADE)} or the recipe's own "
        "numbers as NAME=VALUE, such as --base kmeans_random_k m=20 seed=1",
    )
    asked.add_argument("--fill", choices=FILLINGS, help="fill missing labels, for methods that cannot take them")
    asked.add_argument("--fill-seed", default="0", metavar="N", help="of random filling")


def asks_for_data(arguments) -> bool:
    return any(getattr(arguments, name) for name in ("data", "sample", "read", "role", "join", "base", "fill"))


def origin_of(arguments) -> Origin:
    if bool(arguments.data) == bool(arguments.sample):
        raise Misused("Name a file, or one sample with --sample (“quorum info --sample shapes” is a beginning).")
    if arguments.sample and (arguments.read or arguments.role):
        raise Misused("--read and --role are about a file; a sample is known.")
    more = tuple(Joined(Path(name).name, by=arguments.join_by) for name in arguments.join or ())
    if more and arguments.sample:
        raise Misused("--join adds files to a file, not to a sample.")
    return Origin(
        sample=arguments.sample or "",
        file=Path(arguments.data).name if arguments.data else "",
        choices=_choices(arguments.read, arguments.role),
        generation=_generation(arguments.base),
        filling=arguments.fill or "",
        filling_seed=whole(arguments.fill_seed, "--fill-seed"),
        more=more,
    )


def words_of(origin: Origin) -> list[str] | None:
    """The words that ask for these data; None where they say more than words do (choices in joined files)."""
    if origin.more:
        return None
    said = (
        ["--sample", origin.sample]
        if origin.sample
        else [f"./{origin.file}" if origin.file.startswith("-") else origin.file]
    )
    if read_as := list(_read_words(origin.choices)):
        said += ["--read", *read_as]
    if origin.choices.roles:
        said += _roles(origin.choices.roles)
    if made := origin.generation:
        plain = Generation(made.recipe)
        told = [(name, value) for name in MADE if (value := getattr(made, name)) != getattr(plain, name)]
        said += ["--base", made.recipe, *(f"{name}={_said(value)}" for name, value in [*told, *made.options])]
    if origin.filling:
        said += ["--fill", origin.filling]
        said += ["--fill-seed", str(origin.filling_seed)] if origin.filling_seed else []
    return said


# --- fetching -------------------------------------------------------------------------------------------------------


def fetched(origin: Origin, paths: list[Path], teller: Teller) -> Data:
    """The data of an origin; `paths` are those of its files, in order."""
    contents = []
    for i, path in enumerate(paths):
        choices = origin.choices if i == 0 else origin.more[i - 1].choices
        with heard_by(lambda what, share, path=path: teller.progress(f"{path.name}: {what}", share)):
            contents.append(read(path, path.name, choices, alone=len(paths) == 1))
    if contents and origin.generation is None and features_alone(contents):
        raise InputError(
            f"{origin.file} holds features: say how base clusterings are made from them, such as --base "
            "kmeans_random_k m=20. If it is a table of base labels, say --read kind=labels."
        )
    made = lambda done, m, name: teller.progress(f"base clustering {done} of {m}: {name}", done / m)  # noqa: E731
    data = build(origin, contents or None, made)
    teller.done()
    return data


def features_alone(readings: list[Reading]) -> bool:
    return all(reading.kind == "features" for reading in readings)


def paths_of(arguments) -> list[Path]:
    return [Path(name) for name in ((arguments.data,) if arguments.data else ())] + [
        Path(name) for name in arguments.join or ()
    ]


# --- values ---------------------------------------------------------------------------------------------------------


def _choices(read_as, roles) -> Choices:
    said: dict = {}
    for name, text in assigned(read_as, "--read"):
        if name not in READ:
            raise Misused(f"--read knows no {name!r}; it knows {', '.join(READ)}.")
        if name in LISTS:
            said[name] = (*said.get(name, ()), text)
        elif name in SWITCHES:
            said[name] = switch(text, f"--read {name}")
        else:
            said[name] = next((sign for sign, word in SEPARATORS.items() if word == text and name == "separator"), text)
    return Choices(**said, roles=tuple(assigned(roles, "--role", last=True)))


def _read_words(choices: Choices):
    for name in READ:
        value = getattr(choices, name)
        if value is None or (name == "missing" and tuple(value) == MISSING_TEXTS):
            continue
        for one in value if name in LISTS else (value,):
            yield f"{name}={SEPARATORS.get(one, one) if name == 'separator' else _said(one)}"


def _roles(roles) -> list[str]:
    """A column whose name begins like an option is held to its own."""
    pairs = [f"{column}={role}" for column, role in roles]
    if any(pair.startswith("-") for pair in pairs):
        return [f"--role={pair}" for pair in pairs]
    return ["--role", *pairs]


def _generation(base) -> Generation | None:
    if not base:
        return None
    recipe, *words = base
    if recipe not in RECIPES:
        raise Misused(f"--base knows no recipe {recipe!r}; there are {', '.join(RECIPES)}.")
    own = {param.name: param for param in type(RECIPES[recipe]).params()}
    said, options = {}, []
    for name, text in assigned(words, "--base"):
        if name in own:
            options.append((name, value_of(own[name], text, RECIPES[recipe].title)))
        elif name == "scaling":
            if text not in SCALINGS:
                raise Misused(f"--base scaling is one of {', '.join(map(repr, SCALINGS))}, not {text!r}.")
            said[name] = text
        elif name in MADE:
            said[name] = whole(text, f"--base {name}", 0 if name == "seed" else 1)
        else:
            raise Misused(f"--base {recipe} knows no {name!r}; it knows {', '.join([*MADE, *own])}.")
    return Generation(recipe, **said, options=tuple(options))


def value_of(param: Param, text: str, owner: str):
    """What somebody wrote for a parameter, in its own type; refused in the words of the parameter."""
    if param.kind == "switch":
        return param.check(owner, switch(text, param.name))
    if param.kind == "choice":
        return param.check(owner, next((choice for choice in param.choices if str(choice) == text), text))
    try:
        value = int(text) if param.kind == "integer" else float(text)
    except ValueError:
        value = text
    if isinstance(value, float) and not math.isfinite(value):
        value = text
    return param.check(owner, value)


def switch(text: str, what: str) -> bool:
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if text.lower() not in known:
        raise Misused(f"{what} is yes or no, not {text!r}.")
    return known[text.lower()]


def _said(value) -> str:
    return SAID[value] if isinstance(value, bool) else str(value)
