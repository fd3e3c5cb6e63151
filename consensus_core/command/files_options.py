"""Label tables in files, however large: which files, who counts them, and how far that is."""

from __future__ import annotations

from pathlib import Path

from ..data.counts import load_counts
from ..ensemble import Ensemble
from ..ensemble.files import Files, find_files, foresee
from ..numbers import bytes_in_words, counted
from .parser import Misused, Parser, whole
from .telling import Teller

GB = 1e9


def add_files(parser: Parser) -> None:
    asked = parser.add_argument_group("files: a label table in one or several Parquet or CSV files")
    asked.add_argument("where", nargs="+", metavar="WHERE", help="files, a folder, or a pattern in quotes")
    asked.add_argument("--ids", metavar="COLUMN", help="the column that names the objects")
    asked.add_argument("--columns", nargs="+", metavar="COLUMN", help="the base clusterings; all others unless said")
    who = parser.add_argument_group("who does the work")
    who.add_argument("--client", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.5:8786")
    who.add_argument("--processes", metavar="N", help="of this machine; as many as it has cores unless said")
    who.add_argument("--may-take", metavar="GB", help="that distinct rows may take; half of what is free unless said")


def who_works(arguments) -> dict:
    processes = whole(arguments.processes, "--processes", 1) if arguments.processes else None
    return {"client": arguments.client, "processes": processes}


def ensemble_of(arguments, teller: Teller) -> Ensemble:
    """Counted, or taken from counts kept before."""
    where = arguments.where
    if len(where) == 1 and where[0].endswith(".counts"):
        if arguments.ids or arguments.columns:
            raise Misused("Counts know their columns: leave --ids and --columns out.")
        return load_counts(where[0])
    files = find_files(where[0] if len(where) == 1 else where, arguments.columns, arguments.ids)
    _say_before(files, teller)
    teller.begin()

    def told(done: int, every: int) -> None:
        teller.progress(f"Counting, {done:,} of {counted(every, 'piece')}", share=done / every)

    ensemble = Ensemble.from_files(files, memory=_memory(arguments), told=told, **who_works(arguments))
    teller.done()
    return ensemble


def _memory(arguments) -> float | None:
    if arguments.may_take is None:
        return None
    try:
        value = float(arguments.may_take)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise Misused(f"--may-take must be a number of gigabytes above 0, not {arguments.may_take!r}.")
    return value * GB


def _say_before(files: Files, teller: Teller) -> None:
    size = bytes_in_words(sum(Path(path).stat().st_size for path in files.paths))
    rows = "" if files.rows is None else f", {counted(files.rows, 'object')}"
    teller.note(f"{counted(len(files.paths), 'file')}, {size}{rows}, {counted(len(files.columns), 'base clustering')}.")
    seen = foresee(files)
    if seen.n is not None and seen.most > seen.least:
        teller.note(
            f"By {seen.looked_at:,} rows looked at there will be about {seen.q:,} distinct rows "
            f"(between {seen.least:,} and {seen.most:,})."
        )
