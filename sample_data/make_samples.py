"""Make every sample, its scores, samples.json and README.md anew:  python -m sample_data.make_samples

Files are written to this folder, or to the one named. Run twice it writes the same bytes. The points come from seeds,
the scores from other people's code (`outside_scores.py`); of the seeds for base clusterings the first is taken with
which average linkage does not meet a tie that matters, so that there is one right answer.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from sample_data import outside_scores
from sample_data.data_set import DataSet
from sample_data.data_sets import all_sets
from sample_data.readme import readme

HERE = Path(__file__).parent
LAST_SEED = 200


def make(data: DataSet, folder: Path) -> dict:
    """Write one sample's files; returns its entry in samples.json."""
    seed, table, found = settled(data)
    codes = as_codes(table)
    entry = {
        "key": data.key,
        "title": data.title,
        "group": data.group,
        "kind": "labels" if data.features is None else "features",
        "files": write(data, table, folder),
        "n": len(table),
        "m": table.shape[1],
        "p": None if data.features is None else data.features.shape[1],
        "k": data.k,
        "truth": None if data.truth is None else "class",
        "ids": None if data.ids is None else "object",
        "recipe": data.recipe + (f" (seed {seed})" if data.scored else ""),
        "origin": data.origin,
        "licence": data.licence,
        "teaches": data.teaches,
        "answer": data.answer,
        "agreement": outside_scores.mean_agreement(codes),
        "base_ari": None if data.truth is None else outside_scores.mean_against(*scored_alone(data.truth, codes)),
        "scores": found,
    }
    return entry


def settled(data: DataSet):
    """(seed, label table, scores) of the first seed with which no tie matters to the methods this sample names; where
    the seed is fixed, with the scores that no tie decides."""
    reference = np.array(data.answer) if data.truth is None and data.answer else data.truth
    for seed in range(LAST_SEED) if data.seed is None else [data.seed]:
        table = data.labels(seed)
        if reference is None or not data.scored:
            return seed, table, []
        codes = as_codes(table)
        labels = {method: outside_scores.settled_labels(codes, data.k, method) for method in data.scored}
        found = {method: mine for method, mine in labels.items() if mine is not None}
        if len(found) == len(labels) or data.seed is not None:
            single = outside_scores.settled_labels(codes, data.k, "eac single")
            if single is not None:
                found["eac single"] = single
            scored = {method: scored_alone(reference, mine) for method, mine in found.items()}
            return seed, table, [score(truth, method, mine) for method, (truth, mine) in scored.items()]
    raise SystemExit(f"{data.key}: ties decide with each of the seeds 0 to {LAST_SEED - 1}.")


def scored_alone(truth, labels):
    """Without the objects of which nobody knows the right answer."""
    known = np.asarray(truth).astype(str) != ""
    return np.asarray(truth)[known], labels[known]


def score(reference, method: str, labels) -> dict:
    name, _, linkage = method.partition(" ")
    params = {"linkage": linkage} if linkage else {"theta": outside_scores.THETA} if name == "lwea" else {}
    how = outside_scores.HOW[method]
    return {"method": name, "params": params, **outside_scores.scores(reference, labels), "how": how}


def as_codes(table: pd.DataFrame) -> np.ndarray:
    """Numbers instead of words; MISSING for blanks."""
    codes = [pd.factorize(c.replace("", None).where(c != -1), use_na_sentinel=True)[0] for _, c in table.items()]
    return np.column_stack(codes)


def write(data: DataSet, table: pd.DataFrame, folder: Path) -> dict:
    if data.binary:
        name = f"{data.key}.npz"
        parts = {"features": data.features.to_numpy(), "labels": table.to_numpy().astype(np.int8)}
        texts = {"class": data.truth, "feature_names": data.features.columns, "names": table.columns}
        with open(folder / name, "wb") as file:  # not compressed: the same bytes whatever the zlib
            np.savez(file, **parts, **{key: np.array(list(map(str, value))) for key, value in texts.items()})
        return {"both": name}
    files = {}
    if data.features is not None:
        files["features"] = f"{data.key}.csv"
        _csv(data.features.assign(**{"class": data.truth}), folder / files["features"])
        files["labels"] = f"{data.key}_labels.csv"
        _csv(table, folder / files["labels"])
    else:
        files["labels"] = f"{data.key}.csv"
        table = table.astype(object).where(table != -1, "")
        if data.ids is not None:
            table.insert(0, "object", data.ids)
        if data.truth is not None:
            table = table.assign(**{"class": data.truth})
        _csv(table, folder / files["labels"])
    return files


def _csv(table: pd.DataFrame, path: Path):
    path.write_bytes(table.to_csv(index=False, lineterminator="\n").encode())


def main(folder: Path = HERE):
    entries = []
    for data in all_sets():
        entries.append(make(data, folder))
        shown = {
            f"{s['method']} {s['params'] or ''}": (round(s["ari"], 3), round(s["nmi"], 3))
            for s in entries[-1]["scores"]
        }
        print(f"{data.key:13} {entries[-1]['recipe'][-30:]:30} base {entries[-1]['base_ari']} {shown}")
    text = json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
    (folder / "samples.json").write_bytes(text.encode())
    (folder / "README.md").write_bytes(readme(entries).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
