"""The same in Python: a program that builds the ensemble, runs the method to the step shown and writes its labels."""

from __future__ import annotations

import dataclasses

from ..errors import InputError
from ..method import Method, Step
from ..text import python_string, python_words
from .exports import file_name
from .naming import AS_NUMBERED, Naming
from .origin import Origin

WIDTH = 100  # of a line that is not broken


def script(origin: Origin, step: Step, clusters: Naming = AS_NUMBERED) -> str:
    """A program that stands beside the data, writes the labels of this step and overwrites nothing. `clusters`: as a
    person calls them."""
    method, at = step.run.method, step.iteration
    name = type(method).__name__
    labels, data = file_name(origin.title, step, "labels.csv"), code(origin)
    used = {"consensus_core": {name, "solve" if step.stop else "iterate"}, "consensus_core.data": {"build"}}
    used["consensus_core.data.exports"] = {"labels_csv", "write_new"}
    for cls in classes(origin):
        used.setdefault(f"consensus_core.{'reading' if cls == 'Choices' else 'data'}", set()).add(cls)
    run = f"{method_code(method)}, data.ensemble"
    if step.stop:
        found = f"step = solve({run}).step"
    else:
        found = f"step = next(step for step in iterate({run}) if step.iteration == {at})"
    given = 'step, data.ids, data.id_name or "id"' + (", clusters" if clusters else "")
    if clusters:
        used["consensus_core.data"].add("Naming")
    beside = f"Put beside this program: {python_words(', '.join(origin.files))}. " if origin.files else ""
    return "\n".join(
        [
            f'"""{method.name()} on {python_words(origin.title)}, iteration {at}: the step shown in Quorum, in Python.',
            "",
            "Quorum has to be installed: `python -m pip install .` in its folder, where pyproject.toml is.",
            f"{beside}It writes {labels}, and refuses to if there is a file of that name.",
            '"""',
            "",
            *(["from pathlib import Path", ""] if origin.files else []),
            *(f"from {room} import {', '.join(sorted(names))}" for room, names in sorted(used.items())),
            "",
            f"origin = {data}",
            f"data = build(origin{', [Path(name).read_bytes() for name in origin.files]' if origin.files else ''})",
            found,
            *([f"clusters = {code(clusters)}"] if clusters else []),
            'print(f"Iteration {step.iteration}, objective {step.objective:.6g}")',
            f'print("Written:", write_new({python_string(labels)}, labels_csv({given})))',
            "",
        ]
    )


def program(origin: Origin | None, title: str, step: Step, clusters: Naming = AS_NUMBERED) -> str:
    """Of data that came from somewhere, or were counted from files that lie where they lie."""
    if origin is not None:
        return script(origin, step, clusters)
    if step.run.ensemble.files is None:
        raise InputError(
            "There is no program for these labels: missing ones were filled at random, object by object, and what is "
            "counted from files has no single objects. Fill them another way."
        )
    return files_script(title, step)


def files_script(title: str, step: Step) -> str:
    """The same of objects counted from files: `title` names them, as a pattern in the folder the program is run in."""
    method, at, ensemble = step.run.method, step.iteration, step.run.ensemble
    name, folder = type(method).__name__, file_name(title, step, "labels")
    asked = {"where": python_string(title), "columns": code(tuple(ensemble.files.columns))}
    if ensemble.files.ids is not None:
        asked["ids"] = python_string(ensemble.files.ids)
    made = "".join(f".{call}" for call in calls(ensemble))
    run = f"{method_code(method)}, data.ensemble"
    if step.stop:
        used, found = ["solve"], f"result = solve({run})"
    else:
        used = ["conclude", "iterate"]
        found = f"step = next(step for step in iterate({run}) if step.iteration == {at})\n"
        found += "result = conclude(step.run.method, data.ensemble, step)"
    return "\n".join(
        [
            f'"""{method.name()} on {python_words(title)}, iteration {at}: the step shown in Quorum, in Python.',
            "",
            "Quorum has to be installed: `python -m pip install .` in its folder, where pyproject.toml is.",
            f"Run it in the folder where {python_words(title)} lies. It writes a new folder, {folder}:",
            "labels beside the names of the objects, a file per piece.",
            '"""',
            "",
            f"from consensus_core import {', '.join(sorted(['Ensemble', name], key=str.lower))}",
            "from consensus_core.data import Data",
            f"from consensus_core.method import {', '.join(used)}",
            "",
            f"data = Data(None, {python_string(title)}, {call('Ensemble.from_files', asked)}{made})",
            found,
            "step = result.step",
            'print(f"Iteration {step.iteration}, objective {step.objective:.6g}")',
            f'print("Written:", len(result.write({python_string(folder)})), "files in", {python_string(folder)})',
            "",
        ]
    )


def calls(ensemble) -> list[str]:
    """What was done to an ensemble of counted files since."""
    done = []
    while ensemble.stands_for is not None:
        ensemble, _, said = ensemble.stands_for
        done.append(said)
    return done[::-1]


def method_code(method: Method, indent: str = "") -> str:
    """ "LWEA(k=7)": a method with the settings that were moved."""
    asked = {"k": method.k} | {p.name: v for p in method.params() if (v := getattr(method, p.name)) != p.default}
    return call(type(method).__name__, {key: code(value) for key, value in asked.items()}, indent)


def classes(value) -> set[str]:
    """The classes that the code of a value names."""
    if dataclasses.is_dataclass(value):
        return {type(value).__name__}.union(*(classes(x) for x in _told(value).values()))
    return set().union(*map(classes, value)) if isinstance(value, tuple) else set()


def _told(value) -> dict:
    """The fields of a value that say something."""
    return {
        field.name: given
        for field in dataclasses.fields(value)
        if (given := getattr(value, field.name)) != field.default
    }


def code(value, indent: str = "") -> str:
    """A value as a program writes it."""
    if dataclasses.is_dataclass(value):
        inner = indent + "    "
        return call(type(value).__name__, {name: code(given, inner) for name, given in _told(value).items()}, indent)
    if isinstance(value, tuple):
        parts = [code(given, indent) for given in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return python_string(value) if isinstance(value, str) else repr(value)


def call(name: str, arguments: dict[str, str], indent: str = "") -> str:
    """A call, broken into lines where it is long."""
    flat = f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})"
    if len(flat) + len(indent) < WIDTH and "\n" not in flat:
        return flat
    inside = "".join(f"{indent}    {key}={value},\n" for key, value in arguments.items())
    return f"{name}(\n{inside}{indent})"
