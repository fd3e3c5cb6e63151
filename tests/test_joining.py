"""Several files about the same objects, one ensemble: joined by ids in any order of rows; the road to the data."""

from __future__ import annotations

import dataclasses
from contextlib import chdir

import numpy as np
import pandas as pd
import pytest

from consensus_core import METHODS, Ensemble, InputError, solve
from consensus_core.data import Generation, Joined, Origin, build
from consensus_core.data.advice import advised
from consensus_core.data.joining import joined, matched
from consensus_core.data.proposal import k_for_features, proposed_k
from consensus_core.data.script import script
from consensus_core.keep import data_file
from consensus_core.reading import Choices, read

N = 30
IDS = [f"obj-{i:02d}" for i in range(N)]
GROUP = np.arange(N) % 3


def votes(columns=3, seed=0, ids=IDS) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    table = {"name": ids}
    for j in range(columns):
        noisy = np.where(rng.random(len(ids)) < 0.1, rng.integers(0, 3, len(ids)), GROUP[: len(ids)])
        table[f"run {j + 1}"] = [f"c{x}" for x in noisy]
    return pd.DataFrame(table)


def truth() -> pd.DataFrame:
    return pd.DataFrame({"name": IDS, "truth": np.array(["ash", "birch", "cedar"])[GROUP], "height": np.arange(N) / 4})


def as_bytes(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


def given(table: pd.DataFrame, name: str, alone=False, **choices):
    return read(as_bytes(table), name, Choices(**choices), alone=alone)


def shuffled(table: pd.DataFrame) -> pd.DataFrame:
    return table.sample(frac=1, random_state=3)


def test_a_truth_in_another_file_is_joined_by_ids_in_any_order():
    main, other = given(votes(), "votes.csv", alone=True), given(shuffled(truth()), "truth.csv")
    found = joined(main, [(other, "ids")])
    assert found.truth_name == "truth" and found.truth.tolist() == truth()["truth"].tolist()
    assert found.covariates["height"].tolist() == truth()["height"].tolist()
    assert found.ensemble() == dataclasses.replace(main, truth=found.truth).ensemble()
    assert "truth.csv is joined to votes.csv by ids: 30 of 30 objects are in it." in found.because


def test_what_has_no_partner_is_said_on_both_sides():
    other = shuffled(truth().iloc[2:])
    other.loc[99] = ["nobody", "ash", 1.5]
    match = matched(given(votes(), "votes.csv", alone=True), given(other, "truth.csv"))
    assert match.found == 28 and match.missing == ("obj-00", "obj-01") and match.extra == ("nobody",)
    said = match.said("votes.csv", "truth.csv")
    assert said == (
        "truth.csv is joined to votes.csv by ids: 28 of 30 objects are in it, 'obj-00', 'obj-01' are not; "
        "1 id only in truth.csv: 'nobody'."
    )
    found = joined(given(votes(), "votes.csv", alone=True), [(given(other, "truth.csv"), "ids")])
    assert found.truth[:3].tolist() == ["", "", "cedar"] and np.isnan(found.covariates["height"][:2]).all()
    assert proposed_k(found.ensemble())[0] == 3  # an object without a class is no class of its own


def test_several_files_of_labels_are_one_ensemble():
    parts = [votes(3, seed) for seed in range(3)]
    main = given(parts[0], "a.csv", alone=True)
    others = [given(shuffled(parts[1]), "b.csv"), given(shuffled(parts[2]), "c.csv")]
    found = joined(main, [(other, "ids") for other in others])
    assert list(found.label_columns)[2:5] == ["run 3", "run 1 (b.csv)", "run 2 (b.csv)"]
    together = pd.concat([part.drop(columns="name") for part in parts], axis=1)
    assert np.array_equal(found.ensemble().rows, Ensemble.from_labels(together.to_numpy()).rows)
    assert len(found.label_texts["run 1 (c.csv)"]) == 3


def test_objects_that_a_file_of_labels_lacks_have_no_label_there():
    found = joined(given(votes(), "a.csv", alone=True), [(given(votes(2, 1).iloc[5:], "b.csv"), "ids")])
    gone = found.ensemble().labels() < 0
    assert gone[:5, 3:].all() and gone.sum() == 10


def test_features_may_come_from_another_file_but_not_with_gaps():
    points = pd.DataFrame({"name": IDS, "x": np.arange(N) + 0.5, "y": 2.5 * GROUP})
    found = joined(given(votes(), "votes.csv", alone=True), [(given(shuffled(points), "points.csv"), "ids")])
    assert found.kind == "labels" and found.measured[:, 0].tolist() == points["x"].tolist()
    short = joined(given(votes(), "votes.csv", alone=True), [(given(points.iloc[1:], "points.csv"), "ids")])
    with pytest.raises(InputError, match=r"points\.csv: 1 object of votes\.csv has no features in it \('obj-00'\)"):
        _ = short.measured


def test_ids_that_occur_twice_are_refused():
    twice = pd.concat([truth(), truth().iloc[:2]])
    with pytest.raises(InputError, match=r"truth\.csv: 2 ids occur more than once \('obj-00', 'obj-01'\)"):
        matched(given(votes(), "votes.csv", alone=True), given(twice, "truth.csv"))


def test_ids_of_which_none_matches_are_refused():
    other = truth().assign(name=[f"tree {i}" for i in range(N)])
    with pytest.raises(InputError, match=r"none of its ids \(such as 'tree 0', .*choose the column that holds"):
        matched(given(votes(), "votes.csv", alone=True), given(other, "truth.csv"))


def test_without_ids_rows_are_joined_only_where_the_person_says_so():
    main, other = given(votes(), "votes.csv", alone=True), given(truth().drop(columns="name"), "truth.csv")
    with pytest.raises(InputError, match=r"truth\.csv: it has no ids to join it with votes\.csv by; choose"):
        matched(main, other)
    match = matched(main, other, "rows")
    assert match.rows.tolist() == list(range(N)) and "row by row, as asked" in match.said("votes.csv", "truth.csv")
    short = given(truth().drop(columns="name").iloc[1:], "truth.csv")
    with pytest.raises(InputError, match=r"truth\.csv: it has 29 rows, but votes\.csv has 30, so they cannot"):
        matched(main, short, "rows")


def test_whole_numbers_and_texts_are_the_same_ids():
    main = given(votes(ids=[str(i + 1) for i in range(N)]), "votes.csv", alone=True)
    other = truth().assign(name=[f" {i + 1}" for i in range(N)])
    assert matched(main, given(other, "t.csv")).found == N


# --- the road to the data -------------------------------------------------------------------------------------------

LABELS, TRUTH, MORE = as_bytes(votes()), as_bytes(shuffled(truth())), as_bytes(shuffled(votes(2, 5)))
ORIGIN = Origin(file="votes.csv", more=(Joined("truth.csv"), Joined("more.csv")))


def test_an_origin_of_several_files_survives_and_rebuilds():
    data = build(ORIGIN, [LABELS, TRUTH, MORE])
    assert data.ensemble.m == 5 and data.ensemble.truth.tolist() == truth()["truth"].tolist()
    assert data.title == "votes.csv with 2 more files" and data.id_name == "name" and data.ids.tolist() == IDS
    again = Origin.from_json(data.origin.to_json())
    assert again == data.origin and again.files == ("votes.csv", "truth.csv", "more.csv")
    rebuilt = build(again, [LABELS, TRUTH, MORE])
    assert rebuilt.ensemble == data.ensemble and rebuilt.origin == data.origin and rebuilt.because


def test_the_program_that_is_exported_joins_them_too(tmp_path):
    data = build(ORIGIN, [LABELS, TRUTH, MORE])
    for name, content in zip(data.origin.files, (LABELS, TRUTH, MORE), strict=True):
        (tmp_path / name).write_bytes(content)
    here = {}
    with chdir(tmp_path):
        exec(script(data.origin, solve(METHODS["lwea"](k=3), data.ensemble).step), here)
    assert here["data"].ensemble == data.ensemble


def test_content_that_is_missing_is_asked_for():
    with pytest.raises(InputError, match=r"The content of more\.csv is needed"):
        build(ORIGIN, [LABELS, TRUTH])
    with pytest.raises(InputError, match="can be joined by ids or rows, not by 'luck'"):
        Origin(file="a.csv", more=(Joined("b.csv", by="luck"),))


def test_a_file_that_was_read_is_not_read_again(monkeypatch):
    """It was read for the page, read again to build, packed and unpacked, and its sheets were listed in every rerun."""
    readings = [read(LABELS, "votes.csv", alone=False), read(TRUTH, "truth.csv", alone=False)]
    readings += [read(MORE, "more.csv", alone=False)]
    monkeypatch.setattr("consensus_core.data.building.read", None)
    data = build(dataclasses.replace(ORIGIN, choices=readings[0].choices), readings)
    assert data.ensemble.m == 5 and data.truth.tolist() == truth()["truth"].tolist()


def test_data_with_everything_come_back_from_the_store():
    data = build(ORIGIN, [LABELS, TRUTH, MORE])
    again = data_file.from_bytes(data_file.as_bytes(data))
    assert again.ensemble == data.ensemble and again.origin == data.origin
    assert (again.k, again.k_why, again.id_name, again.truth_name) == (3, data.k_why, "name", "truth")
    assert again.label_texts == data.label_texts and again.truth.tolist() == data.truth.tolist()
    assert again.covariates["height"].tolist() == data.covariates["height"].tolist()
    for wrong in ({"truth": data.truth[:-1]}, {"covariates": {"height": np.arange(3)}}):
        assert data_file.from_bytes(data_file.as_bytes(dataclasses.replace(data, **wrong))) is None


def test_origins_of_the_version_before_are_still_read():
    old = (
        '{"sample": "", "file": "votes.csv", "choices": {"kind": "labels", "header": true, "separator": ",", '
        '"decimal": ".", "encoding": "utf-8", "sheet": null, "variable": null, "id_column": "name", '
        '"truth_column": "", "transposed": false, "missing": ["", "NA"], "drop": ["run 2"]}, '
        '"generation": null, "filling": "nearest", "filling_seed": 0}'
    )
    data = build(Origin.from_json(old), LABELS)
    assert data.ensemble.names == ("run 1", "run 3") and data.id_name == "name"


# --- what is proposed -----------------------------------------------------------------------------------------------


def test_the_proposed_number_of_clusters_has_its_reason():
    """k = 30 of 600 objects without a truth, and nobody said why."""
    labels = build(Origin(file="votes.csv"), LABELS)
    assert (labels.k, labels.k_why) == (
        3, "k = 3 is proposed: the middle number of clusters of the base clusterings.",
    )  # fmt: skip
    known = build(Origin(file="votes.csv", more=(Joined("truth.csv"),)), [LABELS, TRUTH])
    assert known.k_why == "k = 3 is proposed: as many as the truth has classes."
    sample = build(Origin(sample="iris"))
    assert sample.k_why == "k = 3 is proposed: as many as this sample has groups."
    made = build(Origin(sample="iris", generation=Generation(m=3)))
    assert made.k == 3


def test_no_more_clusters_are_proposed_than_can_be_told_apart():
    ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1]], truth=["a", "b", "c", "d"])
    assert proposed_k(ensemble) == (
        2, "k = 2 is proposed: as many as there are objects that the base clusterings tell apart.",
    )  # fmt: skip
    assert k_for_features(None) == 8 and k_for_features(np.array(["a", "b", "", None], dtype=object)) == 2


def test_the_advised_method_is_the_best_that_is_quick_enough():
    small = build(Origin(sample="iris"))
    key, why = advised(small.ensemble, 3)
    assert key == "ec_cms" and "no choice among methods did better" in why
    rng = np.random.default_rng(0)
    large = Ensemble.from_labels(rng.integers(0, 30, (20_000, 20)))
    key, why = advised(large, 30)
    assert key == "lwea" and "EC-CMS, which comes first," in why
