"""Comparing without a page: scores held to others' programs, alarms, refusals, tables, the program that makes them."""

import csv
import io
import math
import re
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from consensus_core import METHODS, Ensemble, InputError, scores
from consensus_core.compare import (
    Column,
    Comparison,
    Outcome,
    Spread,
    Table,
    compare,
    comparison_script,
    crossed,
    disagreed,
    flows,
    friedman,
    in_latex,
    mean_ranks,
    paired_t,
    planned,
    signed_rank,
    sorted_rows,
    within,
)
from consensus_core.data import Origin, build

SHAPES = build(Origin(sample="shapes"))


def of(key, k=7, **more):
    return METHODS[key](k=k, **more)


# --- element-centric similarity -------------------------------------------------------------------------------------


def by_pagerank(labels, others, alpha=0.9):
    """The definition: personalised PageRank on the graph in which each cluster is a clique with itself."""

    def affinities(labels):
        same = (labels[:, None] == labels[None, :]).astype(float)
        walk = same / same.sum(axis=1, keepdims=True)
        return (1 - alpha) * np.linalg.inv(np.eye(len(labels)) - alpha * walk)

    return 1 - np.abs(affinities(labels) - affinities(others)).sum(axis=1) / (2 * alpha)


@pytest.mark.parametrize("seed", range(8))
def test_element_centric_similarity_is_its_definition(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    one, other = rng.integers(0, rng.integers(1, 8), n), rng.integers(0, rng.integers(1, 8), n)
    np.testing.assert_allclose(scores.element_similarity(one, other), by_pagerank(one, other), atol=1e-12)


# computed once by its authors' program, clusim 0.4 (element_sim_elscore, alpha = 0.9)
CLUSIM = [
    ([2, 0, 0, 0, 0, 2, 2], [1, 0, 0, 0, 1, 1, 1], [0.75, 0.75, 0.75, 0.75, 0.25, 0.75, 0.75], 0.6785714285714286),
    ([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0], [3, 2, 0, 3, 3, 4, 3, 1, 1, 3, 3, 3],
     [0.625, 0.125, 0.25, 0.285714285714, 0.625, 0.125, 0.625, 0.125, 0.25, 0.285714285714, 0.625, 0.625],
     0.38095238095238076),
    ([3, 1, 3, 0, 0, 3, 3, 1, 0, 1, 0, 3, 2, 2, 0], [1, 0, 3, 1, 0, 1, 2, 2, 1, 1, 0, 2, 2, 2, 3],
     [0.4, 1 / 3, 0.2, 0.4, 0.4, 0.4, 0.4, 0.2, 0.4, 0.2, 0.4, 0.4, 0.4, 0.4, 0.2], 0.34222222222222226),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "each", "whole"), CLUSIM)
def test_element_centric_similarity_is_clusims(one, other, each, whole):
    np.testing.assert_allclose(scores.element_similarity(one, other), each, atol=1e-11)
    assert scores.element_centric(one, other) == pytest.approx(whole, abs=1e-14)


def test_counts_stand_for_equal_objects_and_gaps_are_left_out():
    rng = np.random.default_rng(1)
    one, other, counts = rng.integers(0, 3, 20), rng.integers(0, 4, 20), rng.integers(1, 5, 20)
    many = scores.element_similarity(np.repeat(one, counts), np.repeat(other, counts))
    np.testing.assert_allclose(np.repeat(scores.element_similarity(one, other, counts), counts), many)
    assert scores.element_centric(one, other, counts) == pytest.approx(many.mean())
    one[3] = -1
    found = scores.element_similarity(one, other, counts)
    assert np.isnan(found[3])
    assert np.isfinite(np.delete(found, 3)).all()


def test_agreement_of_many_is_the_mean_over_pairs():
    rng = np.random.default_rng(2)
    labellings = [rng.integers(0, 4, 30) for _ in range(4)]
    pairs = [by_pagerank(*pair) for pair in combinations(labellings, 2)]
    np.testing.assert_allclose(scores.element_agreement(labellings), np.mean(pairs, axis=0), atol=1e-12)
    table = scores.pairwise_element_centric(labellings)
    assert table[0, 1] == table[1, 0] == pytest.approx(pairs[0].mean())
    assert (scores.element_agreement(labellings[:1]) == 1).all()


# --- luck or not ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_the_tests_are_scipys(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    one = rng.normal(size=n)
    other = one + rng.normal(0.2, 0.5, n)
    theirs, ours = scipy.stats.ttest_rel(one, other), paired_t(one, other)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    theirs, ours = scipy.stats.wilcoxon(one, other, mode="auto"), signed_rank(one, other)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_with_ties_the_rank_test_is_scipys_approximation(seed):
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, 4, 30).astype(float), rng.integers(0, 4, 30).astype(float)
    theirs = scipy.stats.wilcoxon(one, other, mode="approx", correction=False, zero_method="wilcox")
    ours = signed_rank(one, other)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)


@pytest.mark.parametrize("ties", [False, True])
def test_friedman_and_ranks_are_scipys(ties):
    rng = np.random.default_rng(5)
    table = rng.integers(0, 4, (9, 4)).astype(float) if ties else rng.random((9, 4))
    theirs, ours = scipy.stats.friedmanchisquare(*table.T), friedman(table)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    np.testing.assert_allclose(mean_ranks(table), scipy.stats.rankdata(-table, axis=1).mean(axis=0))


def test_what_cannot_be_said_is_not_said():
    assert math.isnan(paired_t([1.0], [2.0]).p)
    assert math.isnan(paired_t([1.0, 1.0], [1.0, 1.0]).p)
    assert paired_t([2.0, 2.0], [1.0, 1.0]).p == 0
    assert math.isnan(signed_rank([1.0, 2.0], [1.0, 2.0]).p)
    assert not paired_t([1.0], [2.0]).significant
    assert paired_t([1, np.nan, 3, 4.5], [0, 1, 1, 1]).count == 3


# --- rows -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 40)
    table = np.array([np.where(rng.random(120) < 0.35, rng.integers(0, 3, 120), truth) for _ in range(9)]).T
    ensemble = Ensemble.from_labels(table, truth=truth)
    return compare(ensemble, [of("eac", 3), of("lwea", 3), of("ec_cms", 3), of("ec_cms", 3, alpha=0.3), of("eac", 200)])


def test_scores_in_the_table_are_scikit_learns(compared):
    truth = np.repeat([0, 1, 2], 40)
    for i in compared.there:
        assert compared.rows[i]["ari"] == pytest.approx(adjusted_rand_score(truth, compared.labels(i)))
    a, b = compared.there[:2]
    assert compared.mutual[0, 1] == pytest.approx(adjusted_rand_score(compared.labels(a), compared.labels(b)))
    others = [adjusted_rand_score(compared.labels(a), compared.labels(i)) for i in compared.there if i != a]
    assert compared.rows[a]["others"] == pytest.approx(np.mean(others))


def test_settings_of_one_method_are_told_apart_and_a_refusal_is_a_sentence(compared):
    assert compared.names[2:4] == ["EC-CMS (α = 0.8)", "EC-CMS (α = 0.3)"]
    assert compared.names[0] == "EAC (k = 3)"
    last = compared.rows[-1]
    assert compared.there == [0, 1, 2, 3]
    assert "k = 200 clusters are wanted" in last["alarms"]
    assert last["wrong"]


def a_row(labels, k, ensemble, usual=None, **more):
    method = of("eac", k)
    outcomes = [Outcome(method, "finished", np.asarray(labels), found=k, **more)]
    if usual is not None:
        outcomes.append(Outcome(of("lwea", k), "finished", np.asarray(usual), found=k))
    return Comparison(ensemble, tuple(outcomes)).rows[0]


def test_alarms_find_junk_and_are_silent_else():
    truth = np.repeat([0, 1, 2, 3], 25)
    ensemble = Ensemble.from_labels(np.column_stack([truth, truth, np.arange(100)]))
    sound = ensemble.rows[:, 0]
    assert not a_row(sound, 4, ensemble, sound)["wrong"]
    giant = np.zeros(100, dtype=int)
    giant[:3] = 1, 2, 3
    said = a_row(giant, 4, ensemble, sound)["alarms"]
    assert "Giant cluster: one holds 97%" in said
    assert "3 of 4 clusters hold a single object" in said
    assert "Far less agreement with the base clusterings than LWEA has" in said
    assert "Collapse: 2 clusters where 4 are wanted" in a_row(sound // 2, 4, ensemble)["alarms"]
    assert "Diverged" in a_row(sound, 4, ensemble, stop="diverged", because="Diverged after 3 steps.")["alarms"]
    slow = a_row(sound, 4, ensemble, stop="max_iter", because="Stopped after 3 steps.")
    assert "Stopped" in slow["alarms"]
    assert not slow["wrong"]


def test_what_does_not_fit_is_refused_in_a_sentence_that_names_what_would():
    costs = {key: of(key).cost(SHAPES.ensemble).bytes for key in METHODS}
    least, most = min(costs.values()), max(costs.values())
    plan = planned(SHAPES.ensemble, [of(key) for key in METHODS], memory=(least + most) // 2)
    refused = [entry for entry in plan.entries if entry.refusal]
    assert refused
    for entry in refused:
        assert "microclusters" in entry.refusal
        assert "would fit" in entry.refusal
    alone = planned(SHAPES.ensemble, [of(max(costs, key=costs.get))], memory=(least + most) // 2)
    assert "would fit" in alone.entries[0].refusal  # others, that were not asked for
    nothing = planned(SHAPES.ensemble, [of("eac")], memory=10)
    assert "fewer or coarser base clusterings" in nothing.entries[0].refusal
    # two at once need twice the room, and the quickest come first
    assert planned(SHAPES.ensemble, [of("eac")], memory=int(1.5 * costs["eac"]), at_once=2).entries[0].refusal
    seconds = [entry.cost.seconds for entry in planned(SHAPES.ensemble, [of(key) for key in METHODS]).turns]
    assert seconds == sorted(seconds)


def test_all_that_take_less():
    chosen = within(SHAPES.ensemble, 7, seconds=10)
    assert {method.key for method in chosen} <= set(METHODS)
    assert all(method.cost(SHAPES.ensemble).seconds < 10 for method in chosen)
    assert within(SHAPES.ensemble, 7, seconds=0) == []


def test_every_method_there_is_can_be_compared():
    """A sentence or a result for each, whatever is found."""
    data = build(Origin(sample="five"))
    found = compare(data.ensemble, [cls(k=2) for cls in METHODS.values()])
    assert len(found.rows) == len(METHODS)
    for outcome, row in zip(found.outcomes, found.rows, strict=True):
        assert (outcome.labels is not None) or row["alarms"]
    assert found.table().csv().count(b"\n") == len(METHODS) + 1


# --- where they differ ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_crossings_are_scikit_learns_and_disagreement_is_the_least_there_can_be(seed):
    rng = np.random.default_rng(seed)
    ensemble = Ensemble.from_labels(rng.integers(0, 3, (60, 3)))
    one, other = rng.integers(0, 3, ensemble.q), rng.integers(0, 4, ensemble.q)
    table = crossed(ensemble, one, other)
    np.testing.assert_array_equal(table.shared, contingency_matrix(ensemble.expand(one), ensemble.expand(other)))
    differ = ensemble.expand(disagreed(ensemble, one, other))
    share = scores.acc(ensemble.expand(one), ensemble.expand(other))
    assert differ.sum() == round(60 * (1 - share))
    streams = flows(ensemble, [one, other, one])
    assert sum(flow.objects for flow in streams if flow.at == 0) == 60
    assert {(f.source, f.target, f.objects) for f in streams if f.at == 0} == {
        (f.target, f.source, f.objects) for f in streams if f.at == 1
    }


# --- tables ---------------------------------------------------------------------------------------------------------

HOSTILE = Table(
    "50% of α & β_1",
    (Column("name", "method", "who", "text"), Column("ari", "ARI", "how good", better="more"),
     Column("both", "Ecoli", "mean ± std", "spread", "more")),
    ({"name": "=cmd()", "ari": 0.5, "both": Spread(0.43, 0.03, 20)}, {"name": "<b>θ</b> = 0.2", "ari": None},
     {"name": "λ", "ari": 0.75, "both": Spread(0.5, 0.01, 20)}),
    ("A note.",), frozenset({(2, "both")}),
)  # fmt: skip


def test_csv_has_all_digits_and_no_formulas():
    lines = list(csv.reader(io.StringIO(HOSTILE.csv().decode())))
    assert lines[0] == ["method", "ARI", "Ecoli mean", "Ecoli std"]
    assert lines[1] == ["'=cmd()", "0.5", "0.43", "0.03"]
    assert lines[2] == ["<b>θ</b> = 0.2", "", "", ""]


def test_latex_is_well_formed():
    text = HOSTILE.latex()
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    assert text.count("{") == text.count("}")
    body = text[text.index(r"\begin{tabular}") : text.index(r"\end{tabular}")]
    assert r"\begin{tabular}{lrr}" in body
    for line in body.splitlines():
        if line.rstrip().endswith((r"\\", r"\hline")) and "&" in line:
            assert len(re.findall(r"(?<!\\)&", line)) == 2
    assert text.isascii()  # no letter that would need a package
    assert r"\textbf{0.500 \ensuremath{\pm} 0.010}" in text
    assert r"\ensuremath{\theta}" in text
    assert "50\\% of" in text


def test_latex_compiles_where_there_is_one(tmp_path):
    import shutil

    program = next((name for name in ("pdflatex", "xelatex", "tectonic") if shutil.which(name)), None)
    if program is None:
        pytest.skip("no LaTeX is installed")
    text = f"\\documentclass{{article}}\\begin{{document}}{HOSTILE.latex()}\\end{{document}}"
    (tmp_path / "table.tex").write_text(text)
    more = [] if program == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    assert subprocess.run([program, *more, "table.tex"], cwd=tmp_path, capture_output=True).returncode == 0


def test_html_shows_text_as_text():
    text = HOSTILE.html()
    assert "<b>θ</b>" not in text
    assert "&lt;b&gt;" in text
    assert "<b>0.500 ± 0.010</b>" in text


def test_signs_in_latex():
    assert in_latex("10⁻³ ≤ γ₁ – √n") == (
        r"10\textsuperscript{-}\textsuperscript{3} \ensuremath{\le} \ensuremath{\gamma}\ensuremath{_1} -- "
        r"\ensuremath{\surd}n"
    )


def test_rows_are_sorted_the_better_first_and_what_is_not_there_last():
    assert sorted_rows(HOSTILE, "ari") == [2, 0, 1]
    assert sorted_rows(HOSTILE, "ari", falling=False) == [0, 2, 1]
    assert sorted_rows(HOSTILE, "both") == [2, 0, 1]
    assert sorted_rows(HOSTILE, "name") == [1, 0, 2]
    assert sorted_rows(HOSTILE, "name", falling=True) == [2, 0, 1]


def test_the_program_gives_the_same_table(tmp_path):
    data = build(Origin(sample="wine"))
    methods = [of("eac", data.k), of("lwea", data.k, theta=0.7)]
    program = comparison_script(data.origin, methods)
    (tmp_path / "again.py").write_text(program)
    root = str(__import__("pathlib").Path(__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "again.py"], cwd=tmp_path, capture_output=True, text=True, env={**_env(), "PYTHONPATH": root}
    )
    assert done.returncode == 0, done.stderr
    theirs = list(csv.DictReader(io.StringIO((tmp_path / "wine_compared.csv").read_text())))
    ours = list(csv.DictReader(io.StringIO(compare(data.ensemble, methods).table().csv().decode())))
    for one, other in zip(theirs, ours, strict=True):
        assert {**one, "time": ""} == {**other, "time": ""}


def _env():
    import os

    return dict(os.environ)


def test_a_method_that_fails_is_one_sentence_in_its_row(monkeypatch):
    def broken(self, ensemble):
        raise np.linalg.LinAlgError("did not converge")

    def refused(self, ensemble):
        raise InputError("No object has a label.")

    monkeypatch.setattr(METHODS["eac"], "init", broken)
    monkeypatch.setattr(METHODS["lwea"], "init", refused)
    found = compare(SHAPES.ensemble, [of("eac"), of("lwea"), of("trce")])
    assert [outcome.state for outcome in found.outcomes] == ["failed", "refused", "finished"]
    assert "did not converge" in found.rows[0]["alarms"]
    assert found.rows[1]["alarms"] == "No object has a label."


# --- clusters as a person calls them --------------------------------------------------------------------------------


def test_names_mergers_and_colours_are_one_thing_everywhere(tmp_path):
    from consensus_core import solve
    from consensus_core.data import Naming
    from consensus_core.data.exports import labels_csv
    from consensus_core.data.script import script

    data = build(Origin(sample="iris"))
    step = solve(of("lwea", 3), data.ensemble).step
    clusters = Naming(names=((0, "=big"), (1, "setosa")), merged=((2, 0),), colours=((1, "#ff0000"),))
    mine = labels_csv(step, data.ids, "id", clusters)
    rows = list(csv.DictReader(io.StringIO(mine.decode())))
    merged = np.where(step.labels == 2, 0, step.labels)
    assert [int(row["cluster"]) - 1 for row in rows] == merged.tolist()
    assert {row["name"] for row in rows} == {"'=big", "setosa"}
    assert {row["second choice"] for row in rows} <= {"1", "2"}
    # the certainty is that of the clusters as they are now
    sure = scores.certainty(data.ensemble, np.unique(_of_rows(data.ensemble, merged), return_inverse=True)[1])
    np.testing.assert_allclose([float(row["certainty"]) for row in rows], data.ensemble.expand(sure.margin), atol=1e-6)
    (tmp_path / "again.py").write_text(script(data.origin, step, clusters))
    root = str(__import__("pathlib").Path(__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "again.py"], cwd=tmp_path, capture_output=True, text=True, env={**_env(), "PYTHONPATH": root}
    )
    assert done.returncode == 0, done.stderr
    (written,) = tmp_path.glob("*.csv")
    theirs = list(csv.DictReader(io.StringIO(written.read_text())))
    assert [(row["cluster"], row["name"]) for row in theirs] == [(row["cluster"], row["name"]) for row in rows]
    assert labels_csv(step, data.ids, "id").count(b"name") == 0


def _of_rows(ensemble, labels):
    """(q,) labels of microclusters from those of objects."""
    found = np.zeros(ensemble.q, dtype=int)
    found[ensemble.member_of] = labels
    return found


def test_what_was_kept_of_names_is_read_with_doubt():
    from consensus_core.data import Naming

    clusters = Naming(names=((0, "a"),), merged=((2, 1), (1, 2)), colours=((1, "#00ff00"),))
    assert Naming.from_meta(clusters.as_meta(), 3) == clusters
    assert clusters.place(2) == clusters.place(1) == 1  # a circle is one cluster
    odd = {"names": [[0, 3], [9, "far"], ["x"], [1, " "]], "merged": "no", "colours": [[0, "red"], [0, "#12345g"]]}
    assert Naming.from_meta(odd, 3) == Naming()
    assert not Naming.from_meta(None)
    assert Naming().name(2) == "cluster 3" and Naming().colour(0, "#111111") == "#111111"
