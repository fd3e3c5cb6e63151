"""quorum report: a run told in one HTML file."""

from __future__ import annotations

from pathlib import Path

from ..compare import compare
from ..data.exports import file_name, free_file, write_new
from ..method import Method
from ..methods import METHODS
from ..numbers import bytes_in_words
from ..report import report
from .codes import INVALID
from .parser import Misused, Parser
from .running import add_running, came_to_nothing, done_run
from .telling import Teller

HELP = "a run in one HTML file: data, method, figures, trust, what to cite; it needs no network and prints well"
USAGE = "[FILE] [--method KEY] [dials] [--out report.html]"
ABOUT = """Runs a method and writes a report: what the data are and what is odd about them, the method with its
equations, the run's figures each with what it means and the line that makes it, how many clusters and how stable, the
certainty of the objects, warnings, a paragraph for a paper with references, the record and the script.

  quorum report votes.csv --method spce --k 7 --out report.html
  quorum report --record result/run.json --out report.html
  quorum report --sample shapes --compare eac lwea --out report.html"""


def add(parser: Parser, method: type[Method] | None) -> None:
    add_running(parser, method)
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", metavar="FILE", help="the HTML file; named after data and method unless said")
    out.add_argument("--compare", nargs="+", metavar="KEY", default=[], help="other methods to stand beside it")
    out.add_argument("--budget", default="4", metavar="SECONDS", help="a part may take for further runs; 4 unless said")


def work(arguments, teller: Teller) -> int:
    if unknown := [key for key in arguments.compare if key not in METHODS]:
        raise Misused(f"--compare knows no {unknown[0]!r}; there are {', '.join(METHODS)}.")
    try:
        budget = float(arguments.budget)
    except ValueError:
        budget = -1.0
    if not 0 <= budget <= 1e6:
        raise Misused(f"--budget is a number of seconds, not {arguments.budget!r}.")
    if arguments.out:
        free_file(arguments.out)
    done = done_run(arguments, teller)
    name = Path(arguments.out or file_name(done.data.origin.title, done.step, "report.html"))
    free_file(name)
    ensemble, method = done.data.ensemble, done.step.run.method
    others = [METHODS[key](k=method.k) for key in dict.fromkeys(arguments.compare) if key != method.key]
    if others:
        teller.progress("comparing")
    comparison = compare(ensemble, [method, *others]) if others else None
    teller.begin()
    page = report(
        done.data, done.step, comparison=comparison, budget=budget, clusters=done.clusters,
        progress=lambda part, share: teller.progress(f"report: {part}", share or None),
    )  # fmt: skip
    teller.done()
    write_new(name, page)
    teller.say(f"Written: {name} ({bytes_in_words(len(page))}). Open it in a browser; its print is a PDF.")
    teller.result({"files": [str(name)], "bytes": len(page)})
    return INVALID if came_to_nothing(done.step) else 0
