"""Counts of files in a file of their own: what took long to count is solved again and again without counting."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.distinct import distinct_rows
from ..ensemble.files import Files
from ..ensemble.files.models import Models
from ..ensemble.files.pieces import Piece
from ..errors import AlreadyThere, InputError

_ABOUT = b"quorum"
FORM = 1  # of what stands in the file


def save_counts(ensemble: Ensemble, path) -> Path:
    """As Parquet: a row per distinct row, a column of codes per base clustering, and how many objects share it."""
    import pyarrow as pa
    from pyarrow import parquet

    files, path = ensemble.files, Path(path)
    if ensemble.stands_for is not None:
        raise InputError("Counts are kept as they were counted, before labels are filled, left out or stood for.")
    if path.exists():
        raise AlreadyThere(f"{path} is there already; nothing is overwritten.")
    about = {"form": FORM, "files": files and _said(files), "names": ensemble.names,
             "labels": [given.tolist() for given in ensemble.labels_given]}  # fmt: skip
    columns = {f"code {j}": column for j, column in enumerate(ensemble.rows.T)} | {"count": ensemble.counts}
    found = pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(about, ensure_ascii=False).encode()})
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        parquet.write_table(found, aside, compression="zstd")
        os.replace(aside, path)
    except OSError as fault:
        raise InputError(f"{path} could not be written: {fault.strerror or fault}.") from None
    finally:
        aside.unlink(missing_ok=True)
    return path


def load_counts(path) -> Ensemble:
    """What `save_counts` wrote, with the files it was counted from."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        found = parquet.read_table(path)
        about = json.loads(found.schema.metadata[_ABOUT])
        if about["form"] != FORM:
            raise InputError(f"{Path(path).name} was written by another version of Quorum; count again.")
        rows = np.column_stack([found.column(f"code {j}").to_numpy() for j in range(len(about["names"]))])
        distinct = distinct_rows(rows.astype(np.int32), found.column("count").to_numpy())
        labels = []
        for given, value in zip(about["labels"], distinct.values, strict=True):
            labels.append(np.empty(len(value), dtype=object))
            labels[-1][:] = [given[code] for code in value]
        names = tuple(about["names"])
        ensemble = Ensemble(distinct.rows, distinct.counts, None, names, None, tuple(labels), distinct.order)
        return ensemble if about["files"] is None else ensemble.counted_from(_files(about["files"]))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except (pa.ArrowException, OSError, KeyError, IndexError, TypeError, ValueError) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"{Path(path).name} does not hold counts that `quorum count` wrote; count again.") from None


def _said(files: Files) -> dict:
    plain = dataclasses.asdict(dataclasses.replace(files, models=None))
    return {**plain, "models": files.models and files.models.as_json()}


def _files(said: dict) -> Files:
    pieces = tuple(Piece(**{**piece, "groups": tuple(piece["groups"])}) for piece in said["pieces"])
    models = said["models"] and Models.from_json(said["models"])
    return Files(pieces, tuple(said["columns"]), said["ids"], said["stamp"], models or None)
