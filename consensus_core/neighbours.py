"""To and from what neighbours use: data frames with their index kept, and the obs columns of AnnData.

labels_like(result, frame)                        cluster, certainty, second choice beside the rows of a frame
ensemble = from_obs(adata, ["leiden", "kmeans"])  base clusterings that stand in an AnnData's obs
to_obs(adata, result, "consensus")                the result back into its obs
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .ensemble import Ensemble
from .errors import InputError
from .method import Result, Step
from .partition.numbering import numbered
from .scores import certainty

COLUMNS = ("cluster", "certainty", "second choice")


def columns_of(result: Result | Step) -> dict[str, np.ndarray]:
    """The columns of a labels CSV: clusters from 1, each object's certainty, where it would rather be if not there."""
    step = result.step if isinstance(result, Result) else result
    if step.run is None:
        raise InputError("This step has lost its run: use attached(method, ensemble, step) after it was unpickled.")
    ensemble = step.run.ensemble
    labels = numbered(ensemble, step.run.method.labels(ensemble, step.state))
    sure = certainty(ensemble, labels)
    values = (labels + 1, sure.margin, sure.second + 1)
    return {name: ensemble.expand(value) for name, value in zip(COLUMNS, values, strict=True)}


def labels_like(result: Result | Step, frame: Any) -> Any:
    """A frame of the same kind as the table that was clustered, its rows in the same order: of pandas with its index,
    of Polars as they stand."""
    columns = columns_of(result)
    _fits(len(columns["cluster"]), len(frame), "the frame")
    if type(frame).__module__.split(".")[0] == "polars":
        import polars

        return polars.DataFrame(columns)
    import pandas as pd

    if not hasattr(frame, "index") or not isinstance(frame.index, pd.Index):
        raise InputError(f"A frame of pandas or Polars is needed, got {type(frame).__name__}.")
    return pd.DataFrame(columns, index=frame.index)


def from_obs(adata: Any, columns: list[str], truth: str | None = None) -> Ensemble:
    """Base clusterings from columns of obs."""
    obs = _obs(adata)
    wanted = [*columns, *([truth] if truth else [])]
    if missing := [name for name in wanted if name not in obs]:
        raise InputError(f"obs has no column {missing[0]!r}; it has {', '.join(map(str, obs.columns))}.")
    return Ensemble.from_labels(obs[columns], truth=None if truth is None else obs[truth].astype(object).to_numpy())


def to_obs(adata: Any, result: Result | Step, key: str = "consensus") -> None:
    """Writes obs[key] (a category), obs[key_certainty] and obs[key_second]; refuses to write over any of them."""
    obs, columns = _obs(adata), columns_of(result)
    _fits(len(columns["cluster"]), len(obs), "obs")
    names = (key, f"{key}_certainty", f"{key}_second")
    if there := [name for name in names if name in obs]:
        raise InputError(f"obs has a column {there[0]!r} already: take another key, or remove it.")
    import pandas as pd

    for name, values, exact in zip(names, columns.values(), (False, True, False), strict=True):
        obs[name] = values if exact else pd.Categorical(values.astype(str), [str(c) for c in np.unique(values)])


def _obs(adata: Any) -> Any:
    if not hasattr(adata, "obs") or not hasattr(adata.obs, "columns"):
        raise InputError(f"An AnnData, which has obs, is needed; got {type(adata).__name__}.")
    return adata.obs


def _fits(n: int, rows: int, what: str) -> None:
    if n != rows:
        raise InputError(f"The result is of {n:,} objects and {what} has {rows:,} rows: they must be the same objects.")
