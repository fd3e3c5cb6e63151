"""Rows that stand for others: an approximation whose every property can be said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_tables import hard_draws, planted, same_groups

from consensus_core import EAC, LWEA, Ensemble, InputError, scores, solve
from consensus_core.data import Origin, build
from consensus_core.ensemble.files import find_files, foresee


def agreement(one, other):
    seen = (one >= 0) & (other >= 0)
    return ((one == other) & seen).sum() / max(seen.sum(), 1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40), st.integers(1, 6), st.integers(1, 12), st.booleans())
def test_everybody_has_the_labels_of_the_row_that_is_most_like_his(seed, n, m, most, gaps):
    rng = np.random.default_rng(seed)
    table = rng.integers(-1 if gaps else 0, 4, size=(n, m))
    ensemble = Ensemble.from_labels(table)
    part = ensemble.represented(most)
    assert part.q <= most and part.n == n and part.m == m
    if most >= ensemble.q:
        assert part is ensemble
        return
    given_rows = {tuple(row) for row in table.tolist()}
    back = np.where(part.rows >= 0, 0, -1)
    for j, labels in enumerate(part.labels_given):
        back[:, j] = np.append(labels, -1)[part.rows[:, j]]
    assert {tuple(row) for row in back.tolist()} <= given_rows, "what stands for others is a row that was there"
    for i in range(n):
        best = max(agreement(table[i], row) for row in back)
        assert agreement(table[i], back[part.member_of[i]]) >= best - 1e-12 or (table[i] < 0).all()


def test_neither_names_nor_order_decide_who_stands_for_whom():
    for draw, table in enumerate(hard_draws(15, seed=4)):
        rng = np.random.default_rng(draw)
        objects, columns = rng.permutation(len(table)), rng.permutation(table.shape[1])
        renamed = np.column_stack([rng.permutation(table.max() + 1)[column] for column in table.T])
        most = max(Ensemble.from_labels(table).q // 3, 3)
        one = solve(EAC(k=2), Ensemble.from_labels(table).represented(most)).labels
        other = solve(EAC(k=2), Ensemble.from_labels(renamed[objects][:, columns]).represented(most)).labels
        assert same_groups(one[objects], other), f"draw {draw}"


def test_a_few_rows_answer_nearly_as_all_do():
    table = planted(n=2000, m=12, k=4, wrong=0.15, seed=1)
    whole = Ensemble.from_labels(table)
    part = whole.represented(300)
    assert part.q == 300 < whole.q / 2
    assert scores.ari(solve(LWEA(k=4), part).labels, solve(LWEA(k=4), whole).labels) > 0.9


def test_it_is_part_of_where_data_come_from():
    data = build(Origin(sample="digits", rows=100))
    assert data.ensemble.q == 100 and "by 100 rows" in data.title
    again = build(Origin.from_json(data.origin.to_json()))
    assert again.ensemble == data.ensemble and again.k == build(Origin(sample="digits")).k
    with pytest.raises(InputError):
        Origin(sample="digits", rows=-1)
    with pytest.raises(InputError, match="At least 1 row"):
        data.ensemble.represented(0)


def test_the_number_of_rows_is_foreseen_within_what_is_promised(tmp_path):
    for seed, wrong in enumerate((0.02, 0.2, 0.5)):
        table = pd.DataFrame(planted(n=20_000, m=8, k=4, wrong=wrong, seed=seed)).rename(columns=str)
        table = table.sample(frac=1, random_state=seed)
        table.to_parquet(tmp_path / "a.parquet", row_group_size=1000, index=False)
        truly = Ensemble.from_labels(table).q
        said = foresee(find_files(tmp_path), sample=2000)
        factor = (20_000 / said.looked_at) ** 0.5
        assert said.n == 20_000 and said.least <= truly <= said.most
        assert truly / factor / 1.1 <= said.q <= truly * factor * 1.1
    all_of_them = foresee(find_files(tmp_path), sample=50_000)
    assert all_of_them.least == all_of_them.q == all_of_them.most == truly
