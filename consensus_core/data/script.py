"""The same in Python: a program that builds the ensemble, runs the method and writes the labels."""

from __future__ import annotations

import dataclasses

from ..method import Method
from ..reading import Choices
from ..text import python_string, python_words
from .origin import Generation, Origin


def script(origin: Origin, method: Method) -> str:
    """The same in Python: a program that builds the ensemble, runs the method and writes labels.csv."""
    imports, lines = ["import csv", ""], []
    imports += [f"from consensus_core import {type(method).__name__}, solve"]
    if origin.generation:
        imports += ["from consensus_core.generate import RECIPES, generate_ensemble"]
    if origin.sample:
        imports += ["from consensus_core.data.samples import load"]
        lines += [f"data = load({origin.sample!r})"]
        features, ensemble = "data.features", "data.ensemble"
    else:
        imports += ["from consensus_core.reading import Choices, read"]
        lines += [f"data = read({python_string(origin.file)}, choices={_call('Choices', _set(origin.choices))})"]
        features, ensemble = "data.features()", "data.ensemble()"
    if made := origin.generation:
        lines += [
            f"recipe = {_recipe(made)}",
            f"ensemble = generate_ensemble(\n    {features}, recipe, m={made.m}, k={made.k}, seed={made.seed}, "
            f"scaling={made.scaling!r}, truth=data.truth\n)",
        ]
    else:
        lines += [f"ensemble = {ensemble}"]
    if origin.filling:
        lines += [f"ensemble = ensemble.filled({origin.filling!r}, seed={origin.filling_seed})"]
    asked = {"k": method.k} | {p.name: v for p in method.params() if (v := getattr(method, p.name)) != p.default}
    lines += [
        f"result = solve({_call(type(method).__name__, asked)}, ensemble)",
        'print(f"{result.iterations} iterations ({result.stop}), objective {result.objective:.6g}")',
        "",
        "ids = range(1, ensemble.n + 1) if data.ids is None else data.ids",
        'with open("labels.csv", "w", newline="", encoding="utf-8") as file:',
        '    csv.writer(file).writerows([("id", "cluster"), *zip(ids, (result.labels + 1).tolist(), strict=True)])',
    ]
    what = origin.sample or origin.file
    head = f'"""{method.name()} on {python_words(what)}: the run shown in Quorum, in Python."""'
    return "\n".join([head, "", *imports, "", *lines, ""])


def _recipe(made: Generation) -> str:
    if not made.options:
        return f"RECIPES[{made.recipe!r}]"
    return f"type(RECIPES[{made.recipe!r}])({', '.join(f'{name}={value!r}' for name, value in made.options)})"


def _set(choices: Choices) -> dict:
    """The choices that say something."""
    plain = Choices()
    return {
        field.name: value
        for field in dataclasses.fields(choices)
        if (value := getattr(choices, field.name)) != getattr(plain, field.name)
    }


def _call(name: str, arguments: dict) -> str:
    flat = f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
    if len(flat) < 90:
        return flat
    return f"{name}(\n" + "".join(f"    {key}={value!r},\n" for key, value in arguments.items()) + ")"
