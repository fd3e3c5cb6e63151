"""The same as a command: what to type for the step shown on a page."""

from __future__ import annotations

import re
import shlex

from ..data import Naming, Origin
from ..data.exports import file_name
from ..data.naming import AS_NUMBERED
from ..data.script import calls
from ..method import Step
from . import data_options, method_options

OF_FILES = {"filled": "--fill", "represented": "--rows"}  # of quorum write


def command(origin: Origin, step: Step, clusters: Naming = AS_NUMBERED) -> str:
    """For a shell as Unix has it, in the folder where the data lie; by the run's record where words do not suffice."""
    method = step.run.method
    folder = file_name(origin.title, step, "result")
    data = None if clusters else data_options.words_of(origin)  # names of clusters stand in the record
    if data is None:
        asked = ["--record", file_name(origin.title, step, "run.json")]
    else:
        asked = [*data, *method_options.words_of(method)]
        asked += [] if step.stop else ["--at", str(step.iteration)]
    return _broken(["quorum", "run", *asked, "--out", folder])


def files_command(title: str, step: Step) -> str:
    """The same of objects counted from files, in the folder in which they lie; of a run's end."""
    method, files = step.run.method, step.run.ensemble.files
    asked = ["quorum", "write", title, *([] if files.ids is None else ["--ids", files.ids])]
    asked += ["--columns", *step.run.ensemble.names]
    for call in calls(step.run.ensemble):
        what, given = call.rstrip(")").split("(")
        if what in OF_FILES:  # columns that are left out are not asked for
            asked += [OF_FILES[what], given.strip("'")]
    return _broken([*asked, *method_options.words_of(method), "--out", file_name(title, step, "labels")])


def _broken(every: list[str]) -> str:
    """Each option with what belongs to it stays on one line."""
    words = [[]]
    for word in every:
        if word.startswith("--"):
            words.append([])
        words[-1].append(shlex.quote(word))
    return _folded([" ".join(group) for group in words])


def _folded(groups: list[str], width: int = 100) -> str:
    """On lines of some width, with the sign at their ends that a shell goes on after."""
    lines = [groups[0]]
    for group in groups[1:]:
        if len(lines[-1]) + len(group) < width:
            lines[-1] += f" {group}"
        else:
            lines.append(f"  {group}")
    return " \\\n".join(lines)


def by_record(text: str) -> bool:
    return re.search(r"--record\b", text) is not None
