"""The command: every subcommand, every refusal, and the same labels as everywhere for the same record."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from test_provenance import CASES, VOTES

from consensus_core import METHODS, InputError, iterate, solve
from consensus_core.command import main
from consensus_core.command.data_options import origin_of, words_of
from consensus_core.command.main import COMMANDS, _parser
from consensus_core.command.running import done_run
from consensus_core.command.same import command
from consensus_core.command.telling import Teller
from consensus_core.compare import compare
from consensus_core.data import Joined, Naming, Origin, build
from consensus_core.data.exports import as_json, labels_csv, run_record
from consensus_core.data.record import as_called, is_record, read_record
from consensus_core.data.script import script
from consensus_core.reading import Choices

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.csv").write_text(VOTES)
    (tmp_path / "points.csv").write_text("x,y\n" + "\n".join(f"{i % 3 * 5 + i * 0.01},{i % 3}" for i in range(30)))
    return tmp_path


def told(capsys, *words) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_run_writes_what_the_dashboard_writes(here, capsys):
    code, out, _ = told(capsys, "run", "votes.csv", "--method", "spce", "--k", "2", "--theta", "0.3", "--out", "result")
    assert code == 0 and "SPCE, k = 2, θ = 0.3" in out and "Written" in out
    data = build(Origin(file="votes.csv"), VOTES.encode())
    step = solve(METHODS["spce"](k=2, theta=0.3), data.ensemble).step
    assert (here / "result" / "labels.csv").read_bytes() == labels_csv(step, data.ids, data.id_name)
    assert (here / "result" / "run.py").read_text() == script(data.origin, step)
    assert sorted(path.name for path in here.iterdir()) == ["points.csv", "result", "votes.csv"]
    record = read_record((here / "result" / "run.json").read_bytes())
    assert (record.method, record.origin, record.iteration) == (step.run.method, data.origin, None)
    assert record.fingerprint == data.ensemble.fingerprint


def test_a_record_of_the_dashboard_gives_the_same_labels(here, capsys):
    """At an iteration on the way, with a filling, with base clusterings made anew."""
    for i, origin in enumerate((Origin(sample="iris"), CASES["sample, made anew"][0], CASES["labels, filled"][0])):
        data = build(origin, VOTES.encode() if origin.file else None)
        step = list(iterate(METHODS["spce"](k=2), data.ensemble))[2]
        (here / f"{i}.json").write_bytes(as_json(run_record(step, data.origin)))
        assert is_record((here / f"{i}.json").read_bytes())
        code, out, _ = told(capsys, "run", "--record", f"{i}.json", "--out", "-")
        assert code == 0 and out.encode() == labels_csv(step, data.ids, data.id_name or "id")


def test_names_of_clusters_come_along_with_a_record(here, capsys):
    """And the command that is offered then is by the record, for words say nothing of names."""
    data = build(Origin(sample="iris"))
    step = solve(METHODS["eac"](k=3), data.ensemble).step
    called = Naming(names=((0, "one"), (2, "three")), merged=((1, 0),))
    (here / "named.json").write_bytes(as_json(run_record(step, data.origin, **as_called(called))))
    assert "--record" in command(data.origin, step, called) and "--record" not in command(data.origin, step)
    assert told(capsys, "run", "--record", "named.json", "--out", "named")[0] == 0
    labels = (here / "named" / "labels.csv").read_bytes()
    assert labels == labels_csv(step, data.ids, data.id_name or "id", called) and b"three" in labels
    assert read_record((here / "named" / "run.json").read_bytes()).clusters == called


ASKED = {
    **CASES,
    "roles like options": (
        Origin(file="-v.csv", choices=Choices(separator="\t", roles={"-a": "label", "b=c": "left out"}, header=True)),
        None,
    ),
}


@pytest.mark.parametrize("case", ASKED)
@pytest.mark.parametrize("whole", [True, False])
def test_the_same_as_a_command_asks_for_the_same(case, whole):
    """What the dashboard offers to type is understood as the very same data, method and iteration."""
    origin, content = ASKED[case]
    if origin.file != "-v.csv":
        origin = build(origin, content).origin
    data = build(Origin(sample="nine"))
    method = METHODS["spce"](k=3, theta=0.25, exact_k=False)
    steps = list(iterate(method, data.ensemble))
    words = shlex.split(command(origin, steps[-1] if whole else steps[0]).replace("\\\n", ""))
    assert words[:2] == ["quorum", "run"]
    arguments, rest = _parser(type(method))[0].parse_known_args(words[1:])
    assert not rest and arguments.at == (None if whole else "0")
    again = origin_of(arguments)
    if origin.choices.missing and set(origin.choices.missing) == {"", "NaN", "None", "NA", "n/a", "?", "-1"}:
        again = replace(again, choices=replace(again.choices, missing=origin.choices.missing))
    assert again == origin
    from consensus_core.command.method_options import dials_of

    assert METHODS[arguments.method](**dials_of(arguments, type(method))) == method


def test_joined_files_are_asked_for_by_the_record(here, capsys):
    rng = np.random.default_rng(0)
    for name, m in (("votes.csv", 4), ("more.csv", 3)):
        labels = np.where(rng.random((60, m)) < 0.2, rng.integers(0, 3, (60, m)), np.arange(60)[:, None] % 3)
        table = pd.DataFrame(labels, columns=[f"{name[:4]} {j}" for j in range(m)]).map("abc".__getitem__)
        table.insert(0, "name", [f"o{i}" for i in range(60)])
        table.to_csv(name, index=False)
    assert words_of(Origin(file="votes.csv", more=(Joined("more.csv"),))) is None
    code, _, err = told(capsys, "run", "votes.csv", "--join", "more.csv", "--method", "eac", "--k", "2", "--out", "one")
    assert code == 0, err
    code, _, err = told(capsys, "run", "votes.csv", "--record", "one/run.json", "--out", "two")
    assert code == 0, err
    assert (here / "one" / "labels.csv").read_bytes() == (here / "two" / "labels.csv").read_bytes()


REFUSED = [
    ("run", 2, "Name a file, or one sample"),
    ("run votes.csv --sample nine", 2, "Name a file, or one sample"),
    ("run no.csv", 2, "there is no such file"),
    ("run --sample no", 2, "no sample 'no'"),
    ("run points.csv --k 3", 2, "--base kmeans_random_k"),
    ("run points.csv --base magic", 2, "no recipe 'magic'"),
    ("run points.csv --base kmeans_k m=two", 2, "whole number of at least 1"),
    ("run points.csv --base kmeans_k wings=2", 2, "knows no 'wings'"),
    ("run points.csv --base kmeans_k scaling=huge", 2, "scaling is one of"),
    ("run votes.csv --read wings=2", 2, "--read knows no 'wings'"),
    ("run votes.csv --read header=perhaps", 2, "is yes or no, not 'perhaps'"),
    ("run votes.csv --read header", 2, "takes NAME=VALUE"),
    ("run votes.csv --role a=queen", 2, "queen"),
    ("run --sample nine --role a=id", 2, "about a file"),
    ("run --sample nine --join votes.csv", 2, "to a file, not to a sample"),
    ("run votes.csv --method magic", 2, "invalid choice: 'magic'"),
    ("run votes.csv --theta 1", 2, "--theta is a dial of"),
    ("run votes.csv --method eac --theta 1", 2, "EAC has no --theta"),
    ("run votes.csv --method spce --theta 2", 2, "theta must be a number in [0, 0.9]"),
    ("run votes.csv --method spce --theta nan", 2, "theta must be"),
    ("run votes.csv --method spce --exact-k maybe", 2, "yes or no"),
    ("run votes.csv --method eac --k 99", 2, "only"),
    ("run votes.csv --method trce --k 2", 2, "--fill nearest"),
    ("run votes.csv --wings", 2, "'--wings' is not understood"),
    ("run votes.csv more.csv", 2, "'more.csv' is not understood"),
    ("run votes.csv --method eac --k 2 --at 9", 2, "there is no iteration 9"),
    ("run votes.csv --method eac --k 2 --at x", 2, "--at must be a whole number"),
    ("run votes.csv --method eac --k 2 --out there", 3, "is there already and is not overwritten"),
    ("run votes.csv --method eac --k 2 --out there/one.csv", 3, "is there already and is not overwritten"),
    ("run votes.csv --method eac --k 2 --out nowhere/one.csv", 2, "there is no folder nowhere"),
    ("run votes.csv --out - --matrices", 2, "--matrices needs a folder"),
    ("run votes.csv --out - --json", 2, "take one"),
    ("run --record no.json", 2, "cannot be opened"),
    ("run --record votes.csv", 2, "is not a run's record"),
    ("run other.csv --record there/run.json", 2, "is not what run.json was made from"),
    ("why votes.csv --method eac --k 2 --of B 1 2", 2, "has no quantity 'B'"),
    ("why votes.csv --method eac --k 2 --of A 1", 2, "A wants one of the objects, then one of the objects"),
    ("why votes.csv --method eac --k 2 --of A o0 nobody", 2, "such as 'o0'"),
    ("why votes.csv --method eac --k 2 --ask A", 2, "--of"),
    ("why votes.csv --method eac --k 2 --of A 1 2 --ask wings", 2, "There is no term 'wings'"),
    ("methods magic", 2, "There is no method 'magic'"),
    ("wings", 2, "invalid choice: 'wings'"),
    ("compare votes.csv", 2, "Say which methods are compared"),
    ("compare votes.csv --with wings", 2, "--with knows no 'wings'"),
    ("compare votes.csv --with eac:wings=1", 2, "EAC knows no 'wings=1'"),
    ("compare votes.csv --with spce:theta=7", 2, "theta must be"),
    ("compare votes.csv --with eac --out table.xls", 2, "A table is written as"),
    ("compare votes.csv --with eac --k x", 2, "--k must be a whole number"),
    ("sweep votes.csv --method lwea --k 2", 2, "Say what is swept"),
    ("sweep votes.csv --method lwea --k 2 --over wings=1", 2, "LWEA has no dial 'wings'"),
    ("sweep votes.csv --method lwea --k 2 --over theta=", 2, "names no value"),
    ("sweep votes.csv --method lwea --k 2 --over theta=1:0:1", 2, "leads nowhere"),
    ("sweep votes.csv --method lwea --k 2 --over theta=a:b:c", 2, "FIRST:LAST:STEP"),
    ("sweep votes.csv --method lwea --k 2 --over theta=1 --take 99", 2, "there are only"),
    ("sweep votes.csv --method lwea --k 2 --over theta=0.1:4:0.001 --draws 100", 2, "runs; at most 100,000"),
    ("report votes.csv --method eac --k 2 --out nowhere/r.html", 2, "there is no folder nowhere"),
    ("serve --port 0", 2, "--port is a number"),
    ("serve --address lab", 2, "a name goes to --name"),
    ("serve --base-path a?b", 2, "--base-path is a path"),
    ("serve --name a/b", 2, "--name is a name"),
    ("serve --upload many", 2, "megabytes"),
    ("serve --data-folder votes.csv", 2, "cannot be made"),
    ("serve --tables votes.csv", 2, "is no folder"),
]


@pytest.fixture
def with_a_result(here, capsys):
    (here / "other.csv").write_text(VOTES.replace("o1;1", "o1;0"))
    assert told(capsys, "run", "votes.csv", "--method", "eac", "--k", "2", "--out", "there")[0] == 0
    (here / "there" / "one.csv").write_text("mine")
    return here


@pytest.mark.parametrize(("words", "code", "sentence"), REFUSED)
def test_a_refusal_is_one_sentence_and_a_code(with_a_result, capsys, words, code, sentence):
    if words.startswith("serve"):
        pytest.importorskip("streamlit", reason="what serves is not there, and that is said first")
    before = {path: path.read_bytes() for path in with_a_result.rglob("*") if path.is_file()}
    given, out, err = told(capsys, *shlex.split(words))
    assert given == code and (out == "" or "--json" in words) and sentence in err and err.startswith("quorum: ")
    assert len(err.strip().splitlines()) == 1 and "Traceback" not in err
    assert before == {path: path.read_bytes() for path in with_a_result.rglob("*") if path.is_file()}
    given, out, err = told(capsys, *shlex.split(words), "--json")
    if "--json" not in words:
        assert given == code and json.loads(out)["error"]["code"] == code


def test_for_programs_there_is_json(here, capsys):
    code, out, err = told(capsys, "run", "votes.csv", "--method", "eac", "--k", "2", "--out", "r", "--json")
    said = json.loads(out)
    assert code == 0 and err == "" and said["method"]["key"] == "eac" and len(said["files"]) == 3
    said = json.loads(told(capsys, "info", "votes.csv", "--json")[1])
    assert said["objects"] == 12 and said["k"]["proposed"] == 2 and set(said["methods"]) == set(METHODS)
    said = json.loads(told(capsys, "methods", "--json")[1])
    assert [one["key"] for one in said["methods"]] == list(METHODS)
    said = json.loads(
        told(capsys, "why", "votes.csv", "--method", "eac", "--k", "2", "--of", "A", "o0", "2", "--json")[1]
    )
    assert said["name"] == "A" and said["where"] == [0, 1]


def test_info_methods_and_why_for_people(here, capsys):
    code, out, _ = told(capsys, "info", "votes.csv")
    assert code == 0 and "12 objects" in out and "is advised" in out and "after --fill" in out
    code, out, _ = told(capsys, "methods", "spce")
    assert code == 0 and "--theta" in out and "Equations" in out
    code, out, _ = told(capsys, "why", "--sample", "nine", "--method", "eac", "--k", "3")
    assert code == 0 and "OBJECT OBJECT" in out
    code, out, err = told(capsys, "why", "--sample", "nine", "--method", "eac", "--k", "3", "--of", "A", "1", "2")
    data = build(Origin(sample="nine"))
    assert out.strip() == str(solve(METHODS["eac"](k=3), data.ensemble).why("A", 0, 1)) and "--ask" in err
    told_more = told(
        capsys, "why", "--sample", "nine", "--method", "eac", "--k", "3", "--of", "A", "1", "2", "--ask", "seen"
    )[1]
    assert told_more.startswith("seen(1, 2)")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_teaches(name, capsys):
    code, out, _ = told(capsys, name, "--help")
    assert code == 0 and out.startswith(f"usage: quorum {name}") and f"  quorum {name}" in out and "ends with: 0" in out
    assert max(map(len, out.splitlines())) <= 125


@pytest.mark.parametrize("key", METHODS)
def test_every_dial_of_every_method_is_an_option(key, capsys):
    """And none of them is called like something else that can be asked."""
    out = told(capsys, "run", "--method", key, "--help")[1]
    for param in METHODS[key].params():
        assert f"--{param.name.replace('_', '-')} " in out, param.name


def test_nothing_said_is_proposed_and_said(here, capsys):
    code, _, err = told(capsys, "run", "votes.csv", "--out", "all", "--matrices")
    assert code == 0 and "is taken, because" in err and "is proposed" in err
    assert (here / "all" / "matrices.npz").is_file()
    assert told(capsys, "run", "votes.csv", "--out", "labels.csv", "--quiet")[2] == ""
    assert (here / "labels.csv").read_bytes() == (here / "all" / "labels.csv").read_bytes()


def test_a_run_that_came_to_nothing_ends_so(here, capsys):
    words = ["run", "--sample", "shapes", "--method", "spce", "--k", "7", "--theta", "0.3"]
    assert told(capsys, *words)[0] == 0 and told(capsys, *words, "--strict")[0] == 5


def test_stopping_leaves_nothing(here, capsys, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("consensus_core.command.running.step_at", stopped)
    code, _, err = told(capsys, "run", "votes.csv", "--method", "eac", "--k", "2", "--out", "r")
    assert code == 130 and "nothing was written" in err and not (here / "r").exists()


def test_progress_says_the_time_left(here, capsys, monkeypatch):
    monkeypatch.setattr("consensus_core.command.telling.PACE", 0.0)
    code, _, err = told(capsys, "run", "--sample", "nine", "--method", "spce", "--k", "3", "--progress")
    assert code == 0 and "SPCE, iteration" in err and (" left" in err or "longer than" in err)


def test_a_record_that_is_damaged_is_a_sentence():
    data = build(Origin(sample="nine"))
    record = run_record(solve(METHODS["eac"](k=3), data.ensemble).step, data.origin)
    for change, sentence in [
        ({"method": {"key": "magic"}}, "which is not here"),
        ({"parameters": {"wings": 2}}, "no dial 'wings'"),
        ({"parameters": {}}, "not complete"),
        ({"parameters": {"k": -1}}, "k must be"),
        ({"run": {}}, "is not a run's record"),
        ({"run": {"iteration": "x", "stop": ""}}, "is not a run's record"),
        ({"data": {"origin": {"sample": 3}}}, "where its data come from"),
    ]:
        with pytest.raises(InputError, match=sentence):
            read_record(json.dumps({**record, **change}).encode())
    with pytest.raises(InputError, match="not a run's record"):
        read_record(b"[" * 100_000)
    other = build(Origin(sample="iris")).ensemble
    with pytest.raises(InputError, match="not the data of the record"):
        read_record(as_json(record)).run(other)
    assert read_record(as_json(record)).run(data.ensemble).objective == record["run"]["objective"]


def test_compare_writes_the_table_and_says_what_does_not_fit(here, capsys):
    words = ["compare", "--sample", "nine", "--with", "eac", "spce:theta=0.4", "trce", "--out", "table.csv"]
    code, out, err = told(capsys, *words)
    assert code == 0 and "SPCE" in out and "cannot take missing labels" in out and "finds junk" in err
    table = pd.read_csv(here / "table.csv")
    data = build(Origin(sample="nine"))
    found = compare(data.ensemble, [METHODS["eac"](k=data.k), METHODS["spce"](k=data.k, theta=0.4)])
    assert table["base NMI"].tolist()[:2] == pytest.approx([row["agreement"] for row in found.rows])
    assert told(capsys, *words)[0] == 3
    said = json.loads(told(capsys, *words[:-2], "--json")[1])
    assert [row["name"] for row in said["rows"]] == ["EAC", "SPCE", "TRCE"] and said["rows"][2]["agreement"] is None


def test_sweep_writes_mean_and_spread_of_every_setting(here, capsys):
    words = "sweep --sample five --method lwea --k 2 --over theta=0.2:0.6:0.2 --draws 2 --take 2 --processes 1".split()
    code, out, err = told(capsys, *words, "--out", "curve.csv", "--keep", "cells")
    assert code == 0, err
    curve = pd.read_csv(here / "curve.csv")
    assert curve["theta"].tolist() == [0.2, 0.4, 0.6] and (curve["draws"] == 2).all() and "stability" in out
    said = json.loads(told(capsys, *words, "--keep", "cells", "--json")[1])
    kept = [point["agreement_ari"]["mean"] for point in said["points"]]
    assert kept == pytest.approx(curve["agreement_ari mean"].tolist())


def test_write_looks_at_its_folder_before_it_counts(here, capsys):
    """A folder of other things, or of another method, was refused after all rows had been counted and combined."""
    (here / "runs.csv").write_text("a,b,c\n" + "\n".join(f"{i % 2},{i % 2},{i % 3}" for i in range(30)))
    words = ["write", "runs.csv", "--processes", "1", "--k", "2", "--method", "eac", "--out"]
    for name, content, code, sentence in [
        ("mine", "mine", 3, "is not empty"),
        ("about.json", '{"key": "x", "method": "lwea"}', 3, "labels of another run"),
        ("about.json", "[]", 2, "not a note of ours"),
        ("about.json", "{}", 3, "labels of another run"),  # of this method as far as it says: known after the work
    ]:
        (here / "out").mkdir()
        (here / "out" / name).write_text(content)
        given, out, err = told(capsys, *words, "out")
        assert given == code and out == "" and sentence in err, err
        assert len(err.strip().splitlines()) == 1 or content == "{}"
        assert (here / "out" / name).read_text() == content
        (here / "out" / name).unlink()
        (here / "out").rmdir()
    assert told(capsys, *words, "out")[0] == 0 == told(capsys, *words, "out")[0]  # the very same goes on


def test_it_is_a_program():
    """Once for real: another process, its exit code, and a reader that has read enough."""
    done = subprocess.run(
        [sys.executable, "-m", "consensus_core", "run", "--sample", "no"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stdout == "" and "no sample 'no'" in done.stderr


def test_a_run_without_a_terminal_says_nothing_on_the_way(here, capsys):
    arguments = _parser(METHODS["eac"])[0].parse_args(["run", "--sample", "nine", "--method", "eac", "--k", "3"])
    assert done_run(arguments, Teller()).step.stop == "converged"
    assert capsys.readouterr().err == ""
