"""quorum write: labels for the objects of files that need not fit in memory, beside their ids."""

from __future__ import annotations

from ..data import Data, Origin
from ..data.proposal import proposed_k
from ..ensemble import FILLINGS
from ..ensemble.files.write import open_to
from ..errors import InputError
from ..method import Method, solve
from ..method.loop import check
from ..numbers import counted, number, seconds_in_words
from .codes import INVALID
from .files_options import add_files, ensemble_of, who_works
from .method_options import add_method, method_for
from .parser import Misused, Parser, whole
from .running import came_to_nothing, ending, settings
from .telling import Teller

HELP = "combine the clusterings of files that need not fit in memory, and write labels beside the ids"
USAGE = "WHERE… [--method KEY] [dials] --out FOLDER"
ABOUT = """Counts distinct rows, solves on the counts, and joins cluster and certainty back beside the ids: as
Parquet, a file per piece. Stopped half-way and started again, it goes on: pieces that are done are not written again.

  quorum write "runs/*.parquet" --ids name --method spce --k 7 --out labels/
  quorum write runs.counts --k 7 --out labels/        counted before, by “quorum count”
  quorum write runs/ --rows 2000 --out labels/        an approximation: so many distinct rows stand for all"""


def add(parser: Parser, method: type[Method] | None) -> None:
    add_files(parser)
    add_method(parser, method)
    fillings = [how for how in FILLINGS if how != "random"]  # that is done object by object
    parser.add_argument("--fill", choices=fillings, help="fill missing labels, for methods that cannot take them")
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", metavar="FOLDER", help="a new or empty folder, or one this very answer was begun in")
    out.add_argument("--rows", metavar="N", help="where rows hardly repeat: so many stand for all (an approximation)")


def work(arguments, teller: Teller) -> int:
    if arguments.out is None:
        raise Misused("Say where to: --out FOLDER.")
    open_to(arguments.out, arguments.method)
    rows = whole(arguments.rows, "--rows", 1) if arguments.rows else None
    ensemble = ensemble_of(arguments, teller)
    if ensemble.files is None:
        raise InputError("These counts do not say which files they are of; count the files again.")
    if arguments.fill:
        ensemble = ensemble.filled(arguments.fill)
    k, why = proposed_k(ensemble, "")
    data = Data(origin=Origin(file="files"), title="files", ensemble=ensemble, k=k, k_why=why)
    method = method_for(arguments, data, teller)
    solved = ensemble if rows is None else ensemble.represented(rows)
    check(method, solved)
    teller.begin()
    teller.progress(f"{method.name()} on {counted(solved.q, 'distinct row')}", seconds=method.cost(solved).seconds)
    result = solve(method, solved)
    teller.done()
    spent = teller.spent

    def told(done: int, every: int) -> None:
        teller.progress(f"Writing, {done:,} of {counted(every, 'piece')}", share=done / every)

    teller.begin()
    written = result.write(arguments.out, told=told, **who_works(arguments))
    teller.done()
    if solved is not ensemble:
        teller.say(f"Approximate: {solved.q:,} of {ensemble.q:,} distinct rows stand for all.")
    ended = f"{ending(result.step)[0]} Objective {number(result.objective)}; {seconds_in_words(spent)}."
    teller.say(f"{settings(method)}: {ended}")
    teller.say(f"Written: {counted(len(written), 'file')} in {arguments.out}, {counted(ensemble.n, 'object')}.")
    teller.result(
        {"method": method.key, "parameters": method.parameters(), "objects": ensemble.n, "distinct rows": ensemble.q,
         "rows that stand for all": solved.q, "stop": result.stop, "files": [str(path) for path in written]}
    )  # fmt: skip
    return INVALID if came_to_nothing(result.step) else 0
