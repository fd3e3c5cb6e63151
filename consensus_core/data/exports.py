"""What a run leaves behind: labels as CSV, every quantity as NPZ, and a record that says how it came about."""

from __future__ import annotations

import csv
import io
import json
import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import scipy.sparse

from ..ensemble import Ensemble
from ..method import Method, Paired, Step
from ..text import csv_cell
from ..version import VERSION
from .origin import Origin

PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")


def labels_csv(ensemble: Ensemble, labels, ids=None, **more) -> bytes:
    """A row per object in the user's order: id, cluster (1, 2, …) and whatever else is given per object.

    With a byte order mark, so that Excel reads the letters right.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "cluster", *map(csv_cell, more)])
    names = range(1, ensemble.n + 1) if ids is None else map(csv_cell, np.asarray(ids).tolist())
    columns = [map(csv_cell, np.asarray(column).tolist()) for column in more.values()]
    writer.writerows(zip(names, (np.asarray(labels) + 1).tolist(), *columns, strict=True))
    return out.getvalue().encode("utf-8-sig")


def matrices_npz(method: Method, ensemble: Ensemble, step: Step) -> bytes:
    """Every quantity of a step. Arrays over objects have one entry per microcluster: `member_of` says whose.

    Of a matrix whose self-pairs differ, `NAME` holds pairs of different objects and `NAME_self` an object with itself.
    """
    arrays = {
        "rows": ensemble.rows,
        "counts": ensemble.counts,
        "labels": ensemble.expand(method.labels(ensemble, step.state)),
        "iteration": np.array(step.iteration),
        "objective": np.array(step.objective),
    }
    if ensemble.member_of is not None:
        arrays["member_of"] = ensemble.member_of
    for quantity in method.quantities():
        value = method.value(ensemble, step.state, quantity.name)
        if isinstance(value, Paired):
            arrays[quantity.name], arrays[f"{quantity.name}_self"] = value
        elif value is not None:
            arrays[quantity.name] = value.toarray() if scipy.sparse.issparse(value) else np.asarray(value)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def run_record(method: Method, ensemble: Ensemble, origin: Origin | None, step: Step, course=(), **more) -> dict:
    """Everything needed to say what was done, and to do it again."""
    return {
        "program": {"quorum": VERSION, "python": platform.python_version()}
        | {name: _version(name) for name in PACKAGES},
        "method": {"key": method.key, "name": method.name(), "reference": method.reference},
        "parameters": method.parameters(),
        "data": {
            "fingerprint": ensemble.fingerprint,
            "objects": ensemble.n,
            "base clusterings": list(ensemble.names),
            "distinct rows": ensemble.q,
            "origin": json.loads(origin.to_json()) if origin else None,
        },
        "run": {
            "iterations": step.iteration,
            "stop": step.stop,
            "objective": _number(step.objective),
            "terms": {name: _number(value) for name, value in step.terms.items()},
            "course of the objective": [_number(value) for value in course],
            "clusters found by the method itself": method.found(ensemble, step.state),
            "remarks": list(method.remarks(ensemble, step.state)),
        },
        **more,
    }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
