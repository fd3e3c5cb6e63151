"""quorum run: labels, and everything that says how they came about."""

from __future__ import annotations

import sys
from pathlib import Path

from ..data.exports import (
    as_json,
    free_file,
    free_folder,
    labels_csv,
    matrices_npz,
    run_record,
    write_folder,
    write_new,
)
from ..data.record import as_called
from ..data.script import script
from ..method import Method
from ..numbers import counted, finite, number, seconds_in_words
from ..partition.numbering import numbered
from ..scores import headline
from .codes import INVALID
from .parser import Misused, Parser
from .running import Done, add_running, came_to_nothing, done_run, ending, settings
from .telling import Teller

HELP = "combine the clusterings of a table by a method, and write the labels"
USAGE = "[FILE] [--method KEY] [dials] [--out PLACE]"
ABOUT = """Combines the base clusterings of a table (a row per object, a column per clustering) into one, and
writes the labels.

  quorum run votes.csv --method spce --k 7 --theta 0.2 --out result/
  quorum run --sample shapes                                  a sample; method and k as they are advised
  quorum run points.csv --base kmeans_random_k m=20 --k 5     features: base clusterings are made first
  quorum run votes.csv --k 3 --out -                          the labels on the standard output
  quorum run --record result/run.json --out again/            a run done before, here or in the dashboard

“quorum run --method spce --help” says what the dials of a method are. What is written is what the dashboard writes for
the same data, method and dials, to the last digit. Nothing is ever overwritten."""


def add(parser: Parser, method: type[Method] | None) -> None:
    add_running(parser, method)
    out = parser.add_argument_group("what is written")
    out.add_argument(
        "--out",
        metavar="PLACE",
        help="a folder (labels.csv, run.json, run.py), a file whose name ends in .csv (the labels alone), or -",
    )
    out.add_argument("--matrices", action="store_true", help="in the folder, also every quantity (matrices.npz)")
    out.add_argument("--strict", action="store_true", help=f"end with {INVALID} where the run has not converged")


def work(arguments, teller: Teller) -> int:
    place = _place(arguments)
    done = done_run(arguments, teller)
    step, data = done.step, done.data
    labels = numbered(data.ensemble, step.run.method.labels(data.ensemble, step.state))
    scores = {name: finite(value) for name, value in headline(data.ensemble, labels).items()}
    record = run_record(step, data.origin, done.course, scores=scores, **as_called(done.clusters))
    if place == "-":
        sys.stdout.write(labels_csv(step, data.ids, data.id_name or "id", done.clusters).decode())
    written = _write(arguments, place, done, record)
    if place != "-":
        _say(done, scores, written, teller)
        teller.result({**record, "files": [str(path) for path in written]})
    _, answer = ending(step)
    return INVALID if came_to_nothing(step) or (arguments.strict and not answer) else 0


def _place(arguments) -> str | Path | None:
    """Looked at before the work, not after."""
    out = arguments.out
    if arguments.matrices and (out in (None, "-") or out.endswith(".csv")):
        raise Misused("--matrices needs a folder: --out FOLDER.")
    if out == "-" and arguments.json:
        raise Misused("--out - and --json both want the standard output; take one.")
    if out in (None, "-"):
        return out
    return free_file(out) if out.endswith(".csv") else free_folder(out)


def _write(arguments, place, done: Done, record: dict) -> list[Path]:
    if place in (None, "-"):
        return []
    step, data = done.step, done.data
    labels = labels_csv(step, data.ids, data.id_name or "id", done.clusters)
    if place.suffix == ".csv":
        return [write_new(place, labels)]
    files = {
        "labels.csv": labels,
        "run.json": as_json(record),
        "run.py": script(data.origin, step, done.clusters).encode(),
    }
    if arguments.matrices:
        files["matrices.npz"] = matrices_npz(step)
    return write_folder(place, files)


def _say(done: Done, scores: dict, written: list[Path], teller: Teller) -> None:
    step, ensemble, method = done.step, done.data.ensemble, done.step.run.method
    teller.say(
        f"{done.data.title}: {counted(ensemble.n, 'object')}, {counted(ensemble.m, 'base clustering')}, "
        f"{counted(ensemble.q, 'distinct row')}."
    )
    teller.say(
        f"{settings(method)}: {ending(step)[0]} Objective {number(step.objective)}; {seconds_in_words(done.spent)}."
    )
    for remark in method.remarks(ensemble, step.state):
        teller.say(remark)
    labels = step.labels
    sizes = [f"{c + 1}: {int((labels == c).sum()):,}" for c in range(int(labels.max()) + 1)]
    more = f" and {len(sizes) - 20} more" if len(sizes) > 20 else ""
    teller.say(f"Clusters and their objects: {', '.join(sizes[:20])}{more}.")
    with_what = "with the truth" if done.data.ensemble.truth is not None else "with the base clusterings, mean NMI"
    teller.say(f"{', '.join(f'{name} {number(value)}' for name, value in scores.items())} ({with_what}).")
    if written:
        teller.say("Written: " + ", ".join(str(path) for path in written))
    else:
        teller.note("Nothing was written; --out FOLDER writes the labels and how they came about.")
