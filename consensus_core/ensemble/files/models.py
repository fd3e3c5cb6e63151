"""Base clusterings that are no columns of a file but follow from its features: the nearest of some centres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError

ROWS = 1 << 15  # distances looked at together


@dataclass(frozen=True, eq=False)
class Models:
    features: tuple[str, ...]
    centres: tuple[np.ndarray, ...]  # (k_i, p) for each base clustering

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"k-means {i + 1} (k = {len(one)})" for i, one in enumerate(self.centres))

    def labels(self, batch, file: str, at: int) -> list[np.ndarray]:
        """Of an Arrow batch of the features: for each base clustering (rows,) codes."""
        X = features_of(batch, self.features, file, at)
        found = [np.empty(len(X), np.int32) for _ in self.centres]
        halves = [0.5 * np.einsum("ij,ij->i", one, one) for one in self.centres]
        for start in range(0, len(X), ROWS):
            some = X[start : start + ROWS]
            for labels, centres, half in zip(found, self.centres, halves, strict=True):
                labels[start : start + ROWS] = (some @ centres.T - half).argmax(axis=1)
        return found

    def as_json(self) -> dict:
        return {"features": list(self.features), "centres": [one.tolist() for one in self.centres]}

    @classmethod
    def from_json(cls, said: dict) -> Models:
        return cls(tuple(said["features"]), tuple(np.array(one, dtype=float) for one in said["centres"]))


def features_of(batch, names, file: str, at: int) -> np.ndarray:
    """(rows, p), finite. `at`: rows of the file before it."""
    import pyarrow as pa

    X = np.empty((batch.num_rows, len(names)))
    for j, name in enumerate(names):
        column = batch.column(name)
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        try:
            X[:, j] = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        except (pa.ArrowException, ValueError):
            raise InputError(f"{file}, column {name!r}, behind row {at:,}: not every cell is a number.") from None
    if not np.isfinite(X).all():
        row, j = np.argwhere(~np.isfinite(X))[0]
        raise InputError(
            f"{file}, row {at + row + 1:,}, column {names[j]!r}: a value is missing or infinite. Every value must be a "
            "finite number: fill it in, or leave that row or column out."
        )
    return X
