"""What a lesson is about: its data, its methods as they stand, and their runs, computed once."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from pathlib import Path

from ..data import Data, Origin, build
from ..data.samples import SAMPLES
from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Method, Step, iterate
from ..methods import METHODS
from .lesson import Wanted

RUNS = 96  # kept, those looked at last
FILLED = "nearest"  # how missing labels are filled for a method that cannot take them
WORDS = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}


@functools.lru_cache(maxsize=64)
def material(name: str, folder: Path | None = None) -> Data:
    """A sample by its key, or a table that lies beside the lesson's file."""
    if name in SAMPLES:
        return build(Origin(sample=name))
    path = None if folder is None or Path(name).name != name else folder / name
    if path is None or not path.is_file():
        raise InputError(f"“{name}” is neither a sample ({', '.join(SAMPLES)}) nor a file beside the lesson")
    return build(Origin(file=name), path.read_bytes())


def ready(data: Data, method: Method) -> Ensemble:
    """The ensemble as the method can take it."""
    ensemble = data.ensemble
    return ensemble.filled(FILLED) if ensemble.has_missing and not method.handles_missing else ensemble


def method_of(wanted: Wanted, k: int) -> Method:
    """As it stands in the lesson; an InputError says what cannot be."""
    if wanted.key not in METHODS:
        raise InputError(f"“{wanted.key}” is no method; there are {', '.join(METHODS)}")
    cls = METHODS[wanted.key]
    return cls(**{"k": k, **{name: dial(cls, name, said) for name, said in wanted.dials.items()}})


def dial(cls: type[Method], name: str, said: str):
    """The value of a dial as a lesson writes it."""
    param = next((param for param in cls.params() if param.name == name), None)
    if param is None:
        known = ", ".join(param.name for param in cls.params())
        raise InputError(f"“{name}” is no dial of {cls.name()}; it has {known}")
    if param.kind == "choice":
        return param.check(cls.name(), said)
    if param.kind == "switch":
        if said.lower() not in WORDS:
            raise InputError(f"“{name}” is on or off, not “{said}”")
        return WORDS[said.lower()]
    try:
        value = float(said)
    except ValueError:
        raise InputError(f"“{name}” is {param.range_in_words}, not “{said}”") from None
    return param.check(cls.name(), int(value) if param.kind == "integer" and value.is_integer() else value)


_RUNS: OrderedDict[tuple[str, Method], tuple[Step, ...]] = OrderedDict()
_LOCK = threading.Lock()


def run(method: Method, ensemble: Ensemble) -> tuple[Step, ...]:
    """Every step, from iteration 0 to the end."""
    key = (ensemble.fingerprint, method)
    with _LOCK:
        if key in _RUNS:
            _RUNS.move_to_end(key)
            return _RUNS[key]
    steps = tuple(iterate(method, ensemble))
    with _LOCK:
        _RUNS[key] = steps
        while len(_RUNS) > RUNS:
            _RUNS.popitem(last=False)
    return steps
