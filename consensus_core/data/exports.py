"""What a run leaves behind: labels as CSV, every quantity as NPZ, and a record that says how it came about.

Each is of one step, the one shown, and says which: in its name and inside.
"""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import re
import shutil
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import scipy.sparse

from ..ensemble.incidence import cluster_names
from ..errors import AlreadyThere, InputError
from ..linalg.paired import Paired
from ..method import Step, stopped_because
from ..numbers import finite
from ..partition.numbering import numbered
from ..text import csv_cell
from ..version import VERSION
from .naming import AS_NUMBERED, Naming, surely
from .origin import Origin

PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")


def file_name(title: str, step: Step, what: str) -> str:
    """ "iris_spce_it12_labels.csv": what of which data, method and iteration."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", title).strip("_").lower() or "data"
    return f"{plain}_{step.run.method.key}_it{step.iteration}_{what}"


def labels_csv(step: Step, ids=None, id_name: str = "id", clusters: Naming = AS_NUMBERED) -> bytes:
    """A row per object in the person's order: id, cluster (1, 2, …), its certainty, the cluster it would rather be in
    if not in its own, the truth if there is one, and the iteration all this is of. `clusters`: as a person calls them;
    then there is a column with their names, and those that were merged are one."""
    ensemble = step.run.ensemble
    labels = clusters.applied(numbered(ensemble, step.run.method.labels(ensemble, step.state)))
    sure = surely(ensemble, labels)
    columns = {
        id_name: range(1, ensemble.n + 1) if ids is None else np.asarray(ids).tolist(),
        "cluster": (ensemble.expand(labels) + 1).tolist(),
        **({"name": [clusters.name(label) for label in ensemble.expand(labels).tolist()]} if clusters else {}),
        "certainty": ensemble.expand(sure.margin).round(6).tolist(),
        "second choice": (ensemble.expand(sure.second) + 1).tolist(),
    }
    if ensemble.truth is not None:
        columns["truth"] = ["" if value is None else value for value in ensemble.truth.tolist()]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*map(csv_cell, columns), "iteration"])
    writer.writerows((*map(csv_cell, row), step.iteration) for row in zip(*columns.values(), strict=True))
    return out.getvalue().encode()


def matrices_npz(step: Step) -> bytes:
    """Every quantity of a step. Arrays over objects have one entry per microcluster: `member_of` says whose.

    Of a matrix whose self-pairs differ, `NAME` holds pairs of different objects and `NAME_self` an object with itself.
    """
    method, ensemble = step.run.method, step.run.ensemble
    arrays = {
        "rows": ensemble.rows,
        "counts": ensemble.counts,
        "labels": step.labels + 1,
        "iteration": np.array(step.iteration),
        "objective": np.array(step.objective),
        "base_clusterings": np.array(ensemble.names, dtype=str),
        "base_clusters": np.array(cluster_names(ensemble), dtype=str),
    }
    if ensemble.member_of is not None:
        arrays["member_of"] = ensemble.member_of
    for quantity in method.quantities():
        value = step.value(quantity.name)
        if isinstance(value, Paired):
            arrays[quantity.name], arrays[f"{quantity.name}_self"] = value
        elif value is not None:
            arrays[quantity.name] = value.toarray() if scipy.sparse.issparse(value) else np.asarray(value)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def run_record(step: Step, origin: Origin | None = None, course=(), **more) -> dict:
    """Everything needed to say what was done, and to do it again."""
    method, ensemble = step.run.method, step.run.ensemble
    found = method.found(ensemble, step.state)
    sizes = np.bincount(step.labels)
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
            "iteration": step.iteration,
            "stop": step.stop,
            "stopped because": stopped_because(method, step, found)[0],
            "objective": finite(step.objective),
            "terms": {name: finite(value) for name, value in step.terms.items()},
            "course of the objective": [finite(value) for value in course],
            "scalars": {q.name: finite(step.value(q.name)) for q in method.quantities() if not q.axes},
            "clusters": {str(c + 1): int(size) for c, size in enumerate(sizes)},
            "clusters found by the method itself": found,
            "remarks": list(method.remarks(ensemble, step.state)),
        },
        **more,
    }


def as_json(record: dict) -> bytes:
    """A record as its file has it."""
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False).encode()


def write_new(path: str | Path, content: bytes) -> Path:
    """Writes a file that is not there yet; one that is there is left as it is."""
    path = Path(path)
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise _there(path) from None
    return path


def write_folder(path: str | Path, files: dict[str, bytes]) -> list[Path]:
    """Writes a folder with these files, as a whole or not at all; one that has something in it is left as it is."""
    path = free_folder(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        for name, content in files.items():
            write_new(begun / name, content)
        begun.chmod(0o777 & ~_umask())  # a temporary folder is its maker's alone; this one shall be as any other
        if path.exists():
            path.rmdir()
        begun.rename(path)
    except BaseException:
        shutil.rmtree(begun, ignore_errors=True)
        raise
    return [path / name for name in files]


def free_folder(path: str | Path) -> Path:
    """A folder that can be written: not there yet, or empty. To be asked before the work is done."""
    path = Path(path) if Path(path).name not in ("", "..") else Path(os.path.abspath(path))
    if path.is_symlink() or (path.exists() and not (path.is_dir() and not any(path.iterdir()))):
        raise _there(path)
    return path


def free_file(path: str | Path) -> Path:
    """A file that can be written. To be asked before the work is done."""
    path = Path(path)
    if path.is_symlink() or path.exists():
        raise _there(path)
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}.")
    return path


def _there(path: Path) -> AlreadyThere:
    return AlreadyThere(f"{path} is there already and is not overwritten: move it away, or write under another name.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
