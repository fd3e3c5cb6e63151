"""From what was asked on a command line to data, method and the step that is wanted; shared by run, why and report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

from ..data import Data, Naming, Origin
from ..data.naming import AS_NUMBERED
from ..data.record import Asked, read_record, step_at
from ..errors import InputError
from ..method import Method, Step, stopped_because
from ..method.loop import check
from ..numbers import number
from .data_options import add_data, asks_for_data, fetched, origin_of, paths_of
from .method_options import add_method, method_for
from .parser import Misused, Parser, whole
from .telling import Teller


@dataclass(frozen=True, eq=False)
class Done:
    """A run as far as it was asked for."""

    data: Data
    step: Step
    course: tuple[float, ...]  # of the objective, up to this step
    spent: float = 0.0
    clusters: Naming = AS_NUMBERED  # as they are called in the record


def add_running(parser: Parser, method: type[Method] | None) -> None:
    add_data(parser)
    add_method(parser, method)
    again = parser.add_argument_group("a run done before")
    again.add_argument("--record", metavar="FILE", help="the record of a run (JSON): the same data, method and dials")
    again.add_argument("--at", metavar="N", help="stop at this iteration; by default at the end")


def done_run(arguments, teller: Teller) -> Done:
    asked = recorded(arguments.record) if arguments.record else None
    origin, paths = _origin(arguments, asked)
    data = fetched(origin, paths, teller)
    same_data = asked is not None and not _asks_for_other_data(arguments)
    if same_data and asked.fingerprint not in ("", data.ensemble.fingerprint):
        raise InputError(
            f"{data.title} is not what {Path(arguments.record).name} was made from: its labels differ. Name the "
            "file it was made from, or leave --record out and say --method and its dials."
        )
    method = method_for(arguments, data, teller, asked.method if asked else None)
    at = whole(arguments.at, "--at") if arguments.at is not None else None
    if asked is not None and at is None and method == asked.method:
        at = asked.iteration
    done = _carried_out(data, method, at, teller)
    return replace(done, clusters=asked.clusters) if asked is not None and method == asked.method else done


def _asks_for_other_data(arguments) -> bool:
    """Beside a record: more than where its own file lies."""
    return any(getattr(arguments, name) for name in ("sample", "read", "role", "join", "base", "fill"))


def recorded(name: str) -> Asked:
    path = Path(name)
    try:
        return read_record(path.read_bytes(), path.name)
    except OSError as trouble:
        raise InputError(f"{name} cannot be opened ({trouble.strerror}): check its path and rights.") from None


def _origin(arguments, asked: Asked | None) -> tuple[Origin, list[Path]]:
    if asked is None or _asks_for_other_data(arguments):
        return origin_of(arguments), paths_of(arguments)
    if asked.origin is None:
        if not asks_for_data(arguments):
            raise Misused("This record does not say where its data come from: name the file.")
        return origin_of(arguments), paths_of(arguments)
    if asked.origin.sample and arguments.data:
        raise Misused(f"The record is of the sample {asked.origin.sample!r}: leave {arguments.data} out.")
    return asked.origin, _files_of(asked.origin, Path(arguments.record), arguments.data)


def _files_of(origin: Origin, record: Path, given: str | None) -> list[Path]:
    """Where the files of a record lie: the first where it was said, the others beside it, the record, or here."""
    found = []
    for i, name in enumerate(origin.files):
        named = [Path(given)] if given and i == 0 else []
        beside = [folder / name for folder in ([Path(given).parent] if given else []) + [record.parent, Path()]]
        place = next((path for path in named or beside if path.is_file()), None)
        if place is None:
            where = given if named else name
            raise InputError(f"The record is of {name}, and there is no {where}: put it beside the record, or name it.")
        found.append(place)
    return found


def _carried_out(data: Data, method: Method, at: int | None, teller: Teller) -> Done:
    check(method, data.ensemble)
    cost, course = method.cost(data.ensemble), []
    teller.begin()

    def watched(step: Step) -> None:
        course.append(step.objective)
        most = f" of at most {method.max_iter:,}" if method.max_iter > 1 else ""
        teller.progress(f"{method.name()}, iteration {step.iteration:,}{most}", seconds=cost.seconds)

    step = step_at(method, data.ensemble, at, watched)
    teller.done()
    return Done(data, step, tuple(course), teller.spent)


def settings(method: Method) -> str:
    """ "SPCE, k = 7, θ = 0.3": the method, and what was moved."""
    said = [method.name()]
    for param in method.params():
        value = getattr(method, param.name)
        if param.required or value != param.default:
            shown = number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
            said.append(f"{param.letter or param.name} = {shown}")
    return ", ".join(said)


def ending(step: Step) -> tuple[str, bool]:
    """Why it stopped, or where it was stopped, as a sentence; and whether that is an answer."""
    method, ensemble = step.run.method, step.run.ensemble
    if not step.stop:
        return f"Stopped at iteration {step.iteration:,}, as asked.", True
    return stopped_because(method, step, method.found(ensemble, step.state))


def came_to_nothing(step: Step) -> bool:
    return step.stop == "diverged" or not math.isfinite(step.objective)
