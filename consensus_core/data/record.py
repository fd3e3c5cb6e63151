"""A run's record, read again: which data, which method with which parameters, and up to which iteration."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Method, Step, iterate, solve
from ..methods import METHODS
from ..text import visible
from .naming import AS_NUMBERED, Naming
from .origin import Origin

LARGEST = 64 << 20  # bytes of a record
CALLED = "clusters as they are called"


@dataclass(frozen=True)
class Asked:
    """What a run was asked for: enough to do it again."""

    method: Method
    origin: Origin | None  # None where the record does not know where its data come from
    iteration: int | None  # None: to the end
    fingerprint: str = ""  # of the ensemble; "" where the record does not say
    clusters: Naming = AS_NUMBERED  # as a person called them

    def run(self, ensemble: Ensemble) -> Step:
        """The step that was recorded; refused on other data."""
        if self.fingerprint and self.fingerprint != ensemble.fingerprint:
            raise InputError(
                "These are not the data of the record: their labels differ. Give the file the record was made from, "
                "or take its method and parameters for the new data without the record."
            )
        return step_at(self.method, ensemble, self.iteration)


def step_at(method: Method, ensemble: Ensemble, iteration: int | None, watched=None) -> Step:
    """The step of an iteration, None for the last. `watched` may look at every step on the way."""
    watch = watched or (lambda step: None)
    if iteration is None and watched is None:
        return solve(method, ensemble).step
    for step in iterate(method, ensemble):
        watch(step)
        if step.iteration == iteration:
            return step
    if iteration is not None:
        raise InputError(f"The run ends at iteration {step.iteration}: there is no iteration {iteration}.")
    return step


def read_record(content: bytes, name: str = "the record") -> Asked:
    """What `exports.run_record` wrote; one sentence where it is none."""
    name = visible(name, 80)
    if len(content) > LARGEST:
        raise InputError(f"{name} is too large for a run's record; give the JSON file that Quorum wrote beside a run.")
    try:
        record = json.loads(content)
        asked, key = record["run"], record["method"]["key"]
        parameters, data = dict(record["parameters"]), record["data"]
        stop, iteration, fingerprint = asked["stop"], asked["iteration"], data.get("fingerprint", "")
        right = all(isinstance(text, str) for text in (stop, key, fingerprint)) and type(iteration) is int
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        right = False
    if not right:
        raise InputError(f"{name} is not a run's record; give the JSON file that Quorum wrote beside a run.")
    method, origin = _method(name, key, parameters), _origin(name, data.get("origin"))
    called = Naming.from_meta(record.get(CALLED), method.k)
    return Asked(method, origin, None if stop else iteration, fingerprint, called)


def as_called(clusters: Naming) -> dict:
    """What a record says besides, where clusters were given names."""
    return {CALLED: clusters.as_meta()} if clusters else {}


def is_record(content: bytes) -> bool:
    """Whether a file may be a run's record, without reading all of it."""
    return content.lstrip()[:1] == b"{" and b'"program"' in content[:400] and b'"quorum"' in content[:400]


def _method(name: str, key: str, parameters: dict) -> Method:
    if key not in METHODS:
        raise InputError(
            f"{name} asks for the method {visible(key, 40)!r}, which is not here; {', '.join(METHODS)} are."
        )
    known = {param.name for param in METHODS[key].params()}
    if strange := [dial for dial in parameters if dial not in known]:
        raise InputError(
            f"{name}: {METHODS[key].name()} has no dial {visible(strange[0], 40)!r} any more: another version of "
            "Quorum wrote it. Give the parameters by hand."
        )
    try:
        return METHODS[key](**parameters)
    except TypeError:
        raise InputError(f"{name}: the parameters of {METHODS[key].name()} are not complete.") from None


def _origin(name: str, told) -> Origin | None:
    if told is None:
        return None
    try:
        return Origin.from_json(json.dumps(told))
    except (TypeError, KeyError, ValueError, AttributeError) as damage:
        raise InputError(f"{name} does not say where its data come from: {visible(damage, 80)}.") from None
