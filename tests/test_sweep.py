"""Sweeps: what is computed, that it is computed once, and that nobody who ends takes it along."""

import gc
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from consensus_core import EAC, LWEA, METHODS, MISSING, SPCE, Cancelled, Ensemble, InputError, solve
from consensus_core.keep.cells import FILE, Cells
from consensus_core.sweep import Draw, Made, Pool, at_random, grid, published_orders, sweep
from consensus_core.sweep.conductor import DEATHS, Sweep
from consensus_core.sweep.crew import Crew
from consensus_core.sweep.curves import curve
from consensus_core.sweep.dials import movable, nearest_first, place_of, values_of
from consensus_core.sweep.outcome import perform
from consensus_core.sweep.pictures import PIXELS, pictured
from consensus_core.sweep.plan import Task

ROOT = Path(__file__).resolve().parents[1]


def pool(seed=0, n=60, M=12, k=3, wrong=0.25) -> Pool:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    table = np.where(rng.random((n, M)) < wrong, rng.integers(0, k, (n, M)), truth[:, None])
    return Pool(Ensemble.from_labels(table, truth=truth))


def by_hand(source, plan):
    """The same, one after the other in this process."""
    return {task: perform(source, task) for task in plan.tasks}


def same(one, other) -> bool:
    fields = ("scores", "agreement_ari", "agreement_nmi", "clusters", "found", "objective", "iterations", "stop")
    return (one.labels == other.labels).all() and all(getattr(one, f) == getattr(other, f) for f in fields)


@pytest.fixture(scope="module")
def crew():
    """Two processes for all tests that need some."""
    ours = Crew(2)
    yield ours
    ours.end()


def swept(crew, plan, source, cells=None) -> Sweep:
    under_way = Sweep(plan, source, cells)
    crew.work_on(under_way)
    return under_way


# --- what is tried ------------------------------------------------------------------------------------------------


def test_a_grid_is_every_combination_in_the_dials_own_types():
    plan = grid(LWEA(k=3), theta=[1, 0.5], k=np.arange(2, 4), draws=2, m=[5, 8])
    assert plan.dials == ("theta", "k", "m") and len(plan.points) == 8 and len(plan.tasks) == 16
    assert {type(value) for value in plan.values("theta")} == {float} and plan.values("m") == [5, 8]
    task = plan.task((0.5, 2, 8), plan.draws[1])
    assert (task.method.theta, task.method.k, task.draw) == (0.5, 2, Draw(1, 8))


def test_random_settings_stay_in_their_ranges_and_are_the_same_for_a_seed():
    plan = at_random(SPCE(k=3), 30, seed=4, theta=(0.1, 0.4), pace=None, k=(2, 5))
    assert plan == at_random(SPCE(k=3), 30, seed=4, theta=(0.1, 0.4), pace=None, k=(2, 5))
    thetas, paces, ks = zip(*plan.points, strict=True)
    assert 0.1 <= min(thetas) < max(thetas) <= 0.4 and set(ks) == {2, 3, 4, 5} and len(set(paces)) > 1


def test_what_cannot_be_tried_is_said():
    with pytest.raises(InputError, match=r"no dial 'lamda'; it has k, .*theta.*, m, missing"):
        grid(LWEA(k=3), lamda=[1])
    with pytest.raises(InputError, match=r"theta must be a number in \[0.1, 4\], got 9"):
        grid(LWEA(k=3), theta=[9])
    with pytest.raises(InputError, match="no bound"):
        at_random(LWEA(k=3), 3, k=None)


def test_of_one_draw_the_few_are_among_the_many():
    source = pool(M=20)
    few, many = (set(source.drawn(Draw(3, m)).names) for m in (5, 11))
    assert few < many and few != set(source.drawn(Draw(4, 5)).names)
    assert source.drawn(Draw(7)) == source.ensemble == source.drawn(Draw(0, 20))


def test_the_published_draws_are_the_published_draws():
    source = Pool(pool(M=100).ensemble, published_orders(100))
    stream = np.random.RandomState(1)
    for number in range(3):
        columns = np.sort(np.argsort(stream.random_sample(100))[:20])
        assert source.drawn(Draw(number, 20)) == source.ensemble.select(columns)


def test_hidden_labels_are_the_share_asked_for_and_nobody_loses_all():
    gaps = pool(n=200).drawn(Draw(1, missing=0.6))
    assert gaps.missing_share == pytest.approx(0.6, abs=1e-3) and not gaps.never_observed.any()
    full = pool(n=200).ensemble.labels()
    seen = gaps.labels() != MISSING
    assert all(len(np.unique(np.c_[a[s], b[s]], axis=0)) == 3
               for a, b, s in zip(full.T, gaps.labels().T, seen.T, strict=True))  # fmt: skip
    assert not pool(n=200).drawn(Draw(1, missing=0.6, filling="nearest")).has_missing


def test_base_clusterings_are_made_anew_for_each_draw():
    X = np.random.default_rng(0).normal(size=(50, 2))
    source = Made(X)
    assert source.drawn(Draw(0, 4)) == source.generation.ensemble(X).select(range(4))
    assert source.drawn(Draw(1, 4)) != source.drawn(Draw(0, 4))


# --- what comes of it ---------------------------------------------------------------------------------------------


def test_processes_say_what_this_one_says_and_curves_are_means_over_draws(crew):
    source, plan = pool(), grid(LWEA(k=3), theta=[0.2, 0.4, 2.0], draws=4, m=6)
    under_way = swept(crew, plan, source)
    came = dict(under_way)
    ours = by_hand(source, plan)
    assert came.keys() == ours.keys() and all(same(came[task], ours[task]) for task in ours)
    for point, seen in zip(plan.points, curve(under_way, "ari"), strict=True):
        scores, agree = [], []
        for draw in plan.draws:
            ensemble = source.ensemble.select(np.sort(np.random.default_rng(draw.number).permutation(12)[:6]))
            labels = solve(LWEA(k=3, theta=point[0]), ensemble).labels
            scores.append(adjusted_rand_score(ensemble.truth, labels))
            agree.append(np.mean([adjusted_rand_score(column, labels) for column in ensemble.labels().T]))
        assert (seen.mean, seen.std) == pytest.approx((np.mean(scores), np.std(scores, ddof=1)))
        named = next(one for one in curve(under_way, "agreement_ari") if one.values == point)
        assert named.mean == pytest.approx(np.mean(agree))
    stable = curve(under_way, "stability")[0].mean
    labels = [ours[task].labels for task in plan.of(plan.points[0])]
    pairs = [adjusted_rand_score(a, b) for i, a in enumerate(labels) for b in labels[:i]]
    assert stable == pytest.approx(np.mean(pairs))


def test_what_cannot_be_computed_is_said_and_the_rest_goes_on(crew):
    under_way = swept(crew, grid(EAC(k=3), k=[3, 500]), pool())
    assert len(dict(under_way)) == 2 and under_way.state == "finished"
    assert "Ask for at most" in under_way.errors()[0] and len(under_way.of((3,))) == 1


def test_the_nearest_comes_first():
    under_way = Sweep(grid(EAC(k=3), k=[2, 3, 4, 5, 6]), pool())
    under_way.first(lambda task: abs(task.method.k - 5.1))
    assert [under_way.take()[1].method.k for _ in range(5)] == [5, 6, 4, 3, 2]


def test_near_is_near_on_the_dial_whatever_its_scale():
    values = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
    assert place_of(values, 12) == 4 and place_of(["a", "b"], "b") == 1 and place_of([False, True], True) == 1
    far = nearest_first(values, 4)
    assert sorted(values, key=far.get)[:5] == [10.0, 1.0, 100.0, 0.1, 1000.0]


def test_cancelling_ends_at_once_and_keeps_what_is_there(crew, tmp_path):
    cells = Cells(tmp_path)
    under_way = swept(
        crew, grid(SPCE(k=3, max_iter=100000, tol=0), theta=[0.1, 0.2, 0.3, 0.4]), pool(n=500, M=40), cells
    )
    under_way.cancel()
    with pytest.raises(Cancelled):
        dict(under_way)
    again = swept(crew, grid(LWEA(k=3), theta=[0.4]), pool())  # the hands are free again
    assert len(dict(again)) == 1


# --- once -----------------------------------------------------------------------------------------------------------


def test_a_file_that_nobody_asks_any_more_is_closed(tmp_path):
    """Whoever gave its name to a sweep closes nothing; from Python 3.13 on that was said with a warning."""
    cells = Cells(tmp_path)
    assert cells.bytes == 0
    connection = cells._connection
    del cells
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_nothing_is_computed_twice(crew, tmp_path):
    source, cells = pool(), Cells(tmp_path)
    first = swept(crew, grid(LWEA(k=3), theta=[0.2, 0.4], draws=3, m=6), source, cells)
    before = dict(first)
    wider = Sweep(grid(LWEA(k=3), theta=[0.2, 0.4, 0.6], draws=4, m=6), source, Cells(tmp_path))
    assert wider.kept == 6 and wider.left == 6
    assert all(same(wider.outcome(task), before[task]) for task in before)
    assert Sweep(first.plan, pool(seed=1), cells).kept == 0  # another input
    assert Sweep(grid(LWEA(k=2), theta=[0.2, 0.4], draws=3, m=6), source, cells).kept == 0
    whole = Sweep(grid(LWEA(k=3), draws=5), source, cells)
    assert whole.total == 1  # all base clusterings are the same ones in every draw


def test_cells_of_another_desk_are_not_seen_and_forgetting_leaves_nothing(tmp_path):
    plan, source = grid(LWEA(k=3), theta=[0.2]), pool()
    outcome = perform(source, plan.tasks[0])
    mine, yours = Cells(tmp_path, "me"), Cells(tmp_path, "you")
    mine.put("a", outcome)
    assert same(mine.get(["a"])["a"], outcome) and not yours.get(["a"]) and not mine.get(["a"], n=3)
    assert (tmp_path / FILE).stat().st_mode & 0o77 == 0
    mine.forget()
    assert not mine.get(["a"]) and mine.bytes == 0


def test_what_is_kept_says_what_it_is_of_and_goes_with_its_data(tmp_path):
    outcome = perform(pool(), grid(LWEA(k=3), theta=[0.2]).tasks[0])
    mine, other = Cells(tmp_path, "me", data="votes"), Cells(tmp_path, "me", data="iris")
    for name, method in [("a", "lwea"), ("b", "lwea"), ("c", "spce")]:
        mine.put(name, outcome, method)
    other.put("d", outcome, "lwea")
    Cells(tmp_path, "you", data="votes").put("a", outcome, "lwea")
    listed = {(filed.data, filed.method): filed.count for filed in Cells(tmp_path, "me").listed()}
    assert listed == {("iris", "lwea"): 1, ("votes", "lwea"): 2, ("votes", "spce"): 1}
    assert sum(filed.bytes for filed in mine.listed()) == mine.bytes
    mine.remove("votes", "lwea")
    assert set(mine.get(["a", "b", "c", "d"])) == {"c", "d"}
    mine.remove("votes")
    assert set(mine.get(["a", "b", "c", "d"])) == {"d"} and Cells(tmp_path, "you").get(["a"])


def test_cells_of_an_older_version_are_still_there(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as index:
        index.execute("CREATE TABLE cells (desk TEXT, key TEXT, came REAL, bytes INTEGER, content BLOB, "
                      "PRIMARY KEY (desk, key)) WITHOUT ROWID")  # fmt: skip
        index.execute("INSERT INTO cells VALUES ('me', 'old', 1.0, 3, x'000000')")
    index.close()
    cells = Cells(tmp_path, "me", data="votes")
    cells.put("new", perform(pool(), grid(LWEA(k=3), theta=[0.2]).tasks[0]), "lwea")
    assert [(filed.data, filed.count) for filed in cells.listed()] == [("votes", 1), ("", 1)] and not cells.trouble


def test_the_oldest_cells_go_when_there_are_too_many(tmp_path):
    outcome = perform(pool(n=2000), grid(LWEA(k=3), theta=[0.2]).tasks[0])
    cells = Cells(tmp_path, limit=30_000)
    for number in range(60):
        cells.put(f"{number}", outcome)
    left = cells.get([f"{number}" for number in range(60)])
    assert "59" in left and "0" not in left and cells.bytes <= 33_000


@pytest.mark.parametrize("harm", ["flipped", "pickle", "no database"])
def test_a_damaged_cell_is_not_there(tmp_path, harm):
    import pickle

    outcome = perform(pool(), grid(LWEA(k=3), theta=[0.2]).tasks[0])
    cells = Cells(tmp_path)
    cells.put("a", outcome)
    cells.close()
    if harm == "no database":
        (tmp_path / FILE).write_bytes(b"nothing of ours" * 1000)
    else:
        with sqlite3.connect(tmp_path / FILE) as index:
            content = bytearray(index.execute("SELECT content FROM cells").fetchone()[0])
            content[-3] ^= 1
            index.execute("UPDATE cells SET content = ?", (bytes(content) if harm == "flipped" else pickle.dumps(1),))
        index.close()
    assert Cells(tmp_path).get(["a"]) == {}
    again = Cells(tmp_path)
    again.put("a", outcome)
    assert same(again.get(["a"])["a"], outcome) and not again.trouble


# --- nobody who ends takes it along -----------------------------------------------------------------------------


def test_a_process_that_is_killed_costs_its_task_a_retry(crew):
    source, plan = pool(n=150, M=16), grid(SPCE(k=3), theta=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], draws=2, m=8)
    under_way = swept(crew, plan, source)
    under_way.wait_beyond(0, 60)
    os.kill(crew.processes[0], signal.SIGKILL)
    came, ours = dict(under_way), by_hand(source, plan)
    assert came.keys() == ours.keys() and all(same(came[task], ours[task]) for task in ours)


def test_a_key_that_ends_the_program_is_not_for_its_processes(crew):
    """Ctrl-C reaches all of a terminal's processes: each told a traceback, before the program could end them."""
    plan = grid(SPCE(k=3), theta=[0.1, 0.2, 0.3], draws=2, m=8)
    under_way = swept(crew, plan, pool(n=150, M=16))
    under_way.wait_beyond(0, 60)
    there = crew.processes
    for number in there:
        os.kill(number, signal.SIGINT)
    assert len(dict(under_way)) == 6 and crew.processes == there


def test_a_task_that_ends_every_process_is_given_up_with_a_sentence():
    under_way = Sweep(grid(EAC(k=3), k=[2, 3]), pool())
    for _ in range(DEATHS):
        under_way.lost(*under_way.take())
    assert len(under_way.outcomes) == 1 and "perhaps it needs more memory" in under_way.errors()[0]
    assert under_way.take()[1].method.k == 3


KILLED = """
import sys
sys.path[:0] = [{root!r}, {tests!r}]
from test_sweep import pool
from consensus_core import SPCE
from consensus_core.keep.cells import Cells
from consensus_core.sweep import grid, sweep
if __name__ == "__main__":
    plan = grid(SPCE(k=3), theta=[.05 * i for i in range(12)], draws=2, m=10)
    for task, outcome in sweep(plan, pool(n=300, M=20), Cells({folder!r}), processes=1):
        print(task.method.theta, task.draw.number, flush=True)
"""


def test_a_program_killed_mid_sweep_goes_on_where_it_was(tmp_path):
    text = KILLED.format(root=str(ROOT), tests=str(ROOT / "tests"), folder=str(tmp_path))
    program = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    told = [program.stdout.readline() for _ in range(5)]
    program.kill()
    told += program.stdout.read().splitlines()
    program.wait()
    program.stdout.close()
    plan, source = grid(SPCE(k=3), theta=[0.05 * i for i in range(12)], draws=2, m=10), pool(n=300, M=20)
    again = Sweep(plan, source, Cells(tmp_path))
    known = {(str(task.method.theta), str(task.draw.number)) for task in plan.tasks if again.outcome(task)}
    assert {tuple(line.split()) for line in told if len(line.split()) == 2} <= known and 5 <= again.kept < again.total
    assert again.left == again.total - again.kept
    _, task = again.take()
    assert again.outcome(task) is None
    done = next(task for task in plan.tasks if again.outcome(task))
    assert same(again.outcome(done), perform(source, done))


# --- a cluster ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler and two workers on this machine's loopback: (address, processes of the workers)."""
    pytest.importorskip("distributed", reason="needs Dask (requirements-dev.txt)")
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    log = open(folder / "log", "w")

    def start(*command):
        told = [sys.executable, "-m", "dask", *command, "--scheduler-file", str(file), "--no-dashboard"]
        return subprocess.Popen(told, cwd=folder, env=environment, stdout=log, stderr=log)

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0")
    until = time.monotonic() + 120
    while not (file.exists() and file.stat().st_size) and time.monotonic() < until:
        time.sleep(0.05)
    workers = [start("worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1") for _ in range(2)]
    import json

    yield json.loads(file.read_text())["address"], workers
    for process in [*workers, scheduler]:
        process.kill()
        process.wait()
    log.close()


def test_a_cluster_says_the_same_and_a_lost_worker_costs_nothing(cluster, tmp_path):
    address, workers = cluster
    source, plan = pool(n=150, M=16), grid(SPCE(k=3), theta=[0.1 * i for i in range(8)], draws=2, m=8)
    under_way = sweep(plan, source, Cells(tmp_path), where=address)
    under_way.wait_beyond(3, 120)
    workers[0].kill()
    came, ours = dict(under_way), by_hand(source, plan)
    assert came.keys() == ours.keys() and all(same(came[task], ours[task]) for task in ours)
    assert Sweep(plan, source, Cells(tmp_path)).kept == len(plan.tasks)


def test_an_address_where_nobody_answers_is_one_sentence(monkeypatch):
    pytest.importorskip("distributed", reason="needs Dask (requirements-dev.txt)")
    monkeypatch.setattr("consensus_core.sweep.remote.PATIENCE", 0.3)
    with pytest.raises(InputError, match=r"No Dask scheduler answers at tcp://127.0.0.1:9\."):
        sweep(grid(EAC(k=3), k=[2, 3]), pool(), where="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match=r"No Dask scheduler answers at nonsense://\."):
        sweep(grid(EAC(k=3), k=[2, 3]), pool(), where="nonsense://")


# --- pictures, dials -----------------------------------------------------------------------------------------


def test_pictures_are_of_the_matrix_a_method_is_known_by_in_one_order():
    source = pool(n=120)
    plan = grid(SPCE(k=3), theta=[0.2])
    task = Task(plan.tasks[0].method, Draw(), frames=5)
    outcome = perform(source, task)
    assert pictured(SPCE).name == "S" and pictured(METHODS["ec_cms"]).name == "C"
    assert outcome.pictures.shape == (5, PIXELS, PIXELS) and outcome.pictures.dtype == np.float16
    result = solve(task.method, source.ensemble)
    expand = source.ensemble.expand
    S = expand(expand(np.asarray(result.value("S"))).T)
    assert outcome.pictures[-1].mean() == pytest.approx(S.mean(), rel=2e-3)
    assert same(outcome, perform(source, plan.tasks[0])) and perform(source, plan.tasks[0]).pictures is None


@pytest.mark.parametrize("key", METHODS)
def test_every_dial_of_every_method_can_be_swept(key):
    method, ensemble = METHODS[key](k=3), pool().ensemble
    for name in movable(method, ensemble):
        values = values_of(method, name, ensemble)
        assert len(values) >= 2 and len(grid(method, **{name: values}).points) == len(values), name
        if name not in ("m", "missing", "k"):
            assert getattr(method, name) in values


@pytest.mark.parametrize("room", ["sweep", "reading"])
def test_a_process_that_helps_ends_without_a_word_when_nobody_hears_it(room):
    """A server killed in the moment of an answer left a traceback in its log."""
    hears, says = os.pipe()
    os.close(hears)
    command = [sys.executable, "-P", ROOT / "consensus_core" / room / "inside.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=says, stderr=subprocess.PIPE) as helper:
        os.close(says)
        if room == "sweep":  # the other one speaks first
            for told in (("source", "s", pool()), ("task", "s", Task(EAC(k=3)))):
                packed = pickle.dumps(told)
                helper.stdin.write(len(packed).to_bytes(8, "little") + packed)
            helper.stdin.flush()
        assert helper.wait(120) == 0 and helper.stderr.read() == b""
