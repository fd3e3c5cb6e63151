"""Frames keep their index, AnnData its obs, a CSV is what read.csv takes, and a notebook shows cards."""

from __future__ import annotations

import csv
import io
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import label_tables
import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from consensus_core import METHODS, ConsensusClusterer, Ensemble, InputError, begin, solve
from consensus_core.command import main
from consensus_core.data.exports import labels_csv
from consensus_core.neighbours import columns_of, from_obs, labels_like, to_obs

ROOT = Path(__file__).resolve().parents[1]
TABLE = label_tables.planted(n=40, m=6, k=3, wrong=0.2)
FRAME = pd.DataFrame(
    TABLE, columns=[f"run {j}" for j in range(6)], index=pd.Index([f"o{i}" for i in range(40)], name="o")
)


@pytest.fixture(scope="module")
def result():
    return solve(METHODS["lwea"](k=3), Ensemble.from_labels(FRAME))


def test_a_frame_of_pandas_keeps_its_index(result):
    found = labels_like(result, FRAME)
    assert found.index.equals(FRAME.index) and list(found) == ["cluster", "certainty", "second choice"]
    assert (found["cluster"] == result.labels + 1).all()
    told = pd.read_csv(io.BytesIO(labels_csv(result.step, FRAME.index)))
    assert np.allclose(told["certainty"], found["certainty"], atol=1e-6) and told["cluster"].tolist() == list(
        found["cluster"]
    )
    joined = FRAME.join(found)
    assert len(joined) == 40 and joined["cluster"].notna().all()


def test_a_frame_of_polars_stays_one(result):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({name: FRAME[name].to_numpy() for name in FRAME})
    assert Ensemble.from_labels(frame) == Ensemble.from_labels(FRAME)
    found = labels_like(result, frame)
    assert isinstance(found, polars.DataFrame) and found["cluster"].to_list() == (result.labels + 1).tolist()


def test_obs_of_an_anndata(result):
    """Anything with obs: a real AnnData where it is installed."""
    obs = FRAME.astype("category").assign(type=["ash", "birch"] * 20)
    try:
        import anndata

        adata = anndata.AnnData(np.zeros((40, 2), dtype=np.float32), obs=obs)
    except ImportError:
        adata = SimpleNamespace(obs=obs)
    ensemble = from_obs(adata, list(FRAME), truth="type")
    assert (ensemble.labels() >= 0).all() and ensemble.n == 40 and ensemble.truth is not None
    to_obs(adata, result)
    assert (adata.obs["consensus"].astype(int) == result.labels + 1).all()
    assert adata.obs["consensus"].dtype == "category" and "consensus_certainty" in adata.obs
    for call, sentence in [
        (lambda: to_obs(adata, result), "'consensus' already"),
        (lambda: from_obs(adata, ["wings"]), "no column 'wings'"),
        (lambda: to_obs(FRAME, result), "An AnnData"),
        (lambda: labels_like(result, FRAME[:3]), "same objects"),
        (lambda: labels_like(result, TABLE), "pandas or Polars"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()


def test_the_csv_is_what_read_csv_takes(result):
    """As R reads it: a header of as many cells as every row, quotes doubled, no mark before the first name."""
    ids = ['a "b"', "c,d", "é", *FRAME.index[3:]]
    text = labels_csv(result.step, ids).decode("utf-8")
    assert not text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(text), strict=True))
    assert {len(row) for row in rows} == {len(rows[0])} and [row[0] for row in rows[1:4]] == ids[:3]
    assert "\r" not in text and text.endswith("\n")


def test_the_words_of_the_r_script_are_understood(tmp_path, monkeypatch, capsys):
    """What it writes, as R's write.csv writes it; what it types, as a shell takes it apart; what it reads."""
    text = (ROOT / "examples" / "quorum.R").read_text(encoding="utf-8")
    typed = re.search(r'system2\("quorum", c\((.*?)\)\)', text, re.DOTALL)[1]
    words = shlex.split(" ".join([*re.findall(r'"([^"]*)"', typed), "result"]))
    table = pd.DataFrame(TABLE + 1, columns=[f"X{j + 1}" for j in range(6)])
    table.insert(0, "flower", range(1, 41))
    table["species"] = [("setosa", "virginica")[i % 2] for i in range(40)]
    table.to_csv(tmp_path / "votes.csv", index=False, quoting=csv.QUOTE_NONNUMERIC)
    monkeypatch.chdir(tmp_path)
    assert words[:2] == ["run", "votes.csv"] and words[-2:] == ["--out", "result"]
    assert main(words) == 0, capsys.readouterr().err
    labels = pd.read_csv(tmp_path / "result" / "labels.csv")
    assert list(labels)[:4] == ["flower", "cluster", "certainty", "second choice"]
    assert labels["flower"].tolist() == table["flower"].tolist() and set(labels["cluster"]) == {1, 2, 3}
    for used in re.findall(r"labels\$(\w+)", text):
        assert used in labels


def test_a_pipeline(result):
    pipeline = make_pipeline(FunctionTransformer(), ConsensusClusterer("lwea", n_clusters=3))
    assert (pipeline.fit_predict(FRAME) == result.labels).all()


def test_cards_of_a_notebook(result):
    step = begin(METHODS["spce"](k=3), Ensemble.from_labels(FRAME.rename(columns={"run 0": "<b>x</b>"})))
    for thing, words in [
        (step.run.ensemble, ("Ensemble", "40", "&lt;b&gt;x")),
        (result, ("LWEA: 3 clusters of 40 objects", "Done in one step", "θ = 0.4")),
        (result.step, ("LWEA, iteration 1", "objective")),
        (step, ("SPCE, iteration 0", "S (")),
        (result.why("A", 0, 1), ("<math",)),
    ]:
        shown = thing._repr_html_()
        assert all(word in shown for word in words), shown
        assert "<b>x" not in shown
    assert set(columns_of(step)) == {"cluster", "certainty", "second choice"}
