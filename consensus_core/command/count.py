"""quorum count: how often each label row occurs in files that need not fit in memory."""

from __future__ import annotations

from ..data.counts import save_counts
from ..data.exports import free_file
from ..data.proposal import proposed_k
from ..method import Method
from ..method.cost import available_bytes, in_words
from ..methods import METHODS
from ..numbers import counted, finite, number
from .files_options import add_files, ensemble_of
from .parser import Misused, Parser
from .telling import Teller, columns

HELP = "count the distinct rows of files that need not fit in memory"
USAGE = "WHERE…"
ABOUT = """Counts how often each label row occurs, piece by piece: what every method works on. Says what the methods
would take then.

  quorum count "runs/*.parquet" --ids name
  quorum count runs/ --ids name --out runs.counts     kept, so that “quorum write runs.counts” need not count again
  quorum count runs/ --client tcp://10.0.0.5:8786     on a Dask cluster whose workers see the same files"""


def add(parser: Parser, method: type[Method] | None) -> None:
    add_files(parser)
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", metavar="FILE", help="the counts; a name that ends in .counts")


def work(arguments, teller: Teller) -> int:
    place = None
    if arguments.out is not None:
        if not arguments.out.endswith(".counts"):
            raise Misused(f"--out takes a name that ends in .counts, not {arguments.out!r}.")
        place = free_file(arguments.out)
    ensemble = ensemble_of(arguments, teller)
    k, why = proposed_k(ensemble, "")
    teller.say(
        f"{counted(ensemble.n, 'object')}, {counted(ensemble.m, 'base clustering')}, "
        f"{counted(ensemble.q, 'distinct row')}: {number(ensemble.n / ensemble.q)} objects to a row."
    )
    if ensemble.has_missing:
        teller.say(f"{number(100 * ensemble.missing_share)} % of the labels are missing.")
    costs = {}
    for key, cls in METHODS.items():
        if k <= ensemble.q and (cls.handles_missing or not ensemble.has_missing):
            costs[key] = cls(k=k).cost(ensemble)
    free = available_bytes()
    told = [in_words(cost) + ("" if cost.bytes <= free else ": more memory than is free") for cost in costs.values()]
    lines = [[METHODS[key].name(), key, text] for key, text in zip(costs, told, strict=True)]
    teller.say(columns([["method", "key", "takes"], *lines]))
    if place is not None:
        save_counts(ensemble, place)
        teller.say(f"Written: {place}")
    teller.result(
        {
            "objects": ensemble.n,
            "distinct rows": ensemble.q,
            "base clusterings": list(ensemble.names),
            "missing": finite(ensemble.missing_share),
            "k": {"proposed": k, "why": why},
            "methods": {key: {"bytes": c.bytes, "seconds": finite(c.seconds)} for key, c in costs.items()},
            "files": [str(place)] if place else [],
        }
    )
    return 0
