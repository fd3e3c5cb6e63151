"""quorum compare: methods, or settings of one, side by side."""

from __future__ import annotations

from pathlib import Path

from ..compare import compare
from ..data import Data
from ..data.exports import free_file, write_new
from ..method import Method
from ..methods import METHODS
from ..numbers import finite
from .data_options import add_data, fetched, origin_of, paths_of, value_of
from .method_options import PREFIX
from .parser import Misused, Parser, whole
from .telling import Teller, columns

HELP = "methods, or settings of one, side by side: scores, agreement, certainty, time, alarms"
USAGE = "[FILE] --with KEY [KEY:dial=value …] [--k K] [--out table.csv]"
ABOUT = """Runs several methods on the same base clusterings, the quickest first, and says where each stands.

  quorum compare votes.csv --with eac lwea ec_cms --k 7
  quorum compare --sample shapes --with spce spce:theta=0.4 spce:theta=0,variant=paper --out table.tex

What does not fit this machine, or cannot take missing labels, is a sentence in its row. The table finds junk;
without a truth it cannot choose among sound methods."""
FORMATS = (".csv", ".tex", ".html")


def add(parser: Parser, method: type[Method] | None) -> None:
    add_data(parser)
    asked = parser.add_argument_group("methods")
    asked.add_argument(
        "--with", dest="methods", nargs="+", metavar="KEY", help=f"of {', '.join(METHODS)}; KEY:dial=value"
    )
    asked.add_argument("--k", dest=f"{PREFIX}k", metavar="K", help="clusters wanted; by default as the data propose")
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", metavar="FILE", help=f"the table, as its name ends: {', '.join(FORMATS)}")


def work(arguments, teller: Teller) -> int:
    if not arguments.methods:
        raise Misused(f"Say which methods are compared: --with {' '.join(list(METHODS)[:3])}.")
    place = Path(arguments.out) if arguments.out else None
    if place is not None:
        if place.suffix not in FORMATS:
            raise Misused(f"A table is written as {', '.join(FORMATS)}, not as {place.name!r}.")
        free_file(place)
    said = getattr(arguments, f"{PREFIX}k", None)
    k = None if said is None else whole(said, "--k", 1)
    named = [_named(text) for text in arguments.methods]
    data = fetched(origin_of(arguments), paths_of(arguments), teller)
    if k is None:
        teller.note(data.k_why)
    methods = [cls(**{"k": k or data.k, **dials}) for cls, dials in named]
    teller.begin()

    def heard(so_far) -> None:
        done = sum(outcome.state not in ("waiting", "refused") for outcome in so_far.outcomes)
        teller.progress(f"{done} of {len(methods)} methods", done / len(methods))

    comparison = compare(data.ensemble, methods, told=heard)
    teller.done()
    table = comparison.table(f"Methods compared on {data.title}")
    _say(table, data, teller)
    if place is not None:
        content = {".csv": table.csv, ".tex": table.latex, ".html": table.html}[place.suffix]()
        write_new(place, content if isinstance(content, bytes) else content.encode())
        teller.say(f"Written: {place}")
    rows = [{c.key: _plain(row.get(c.key)) for c in table.columns} for row in table.rows]
    teller.result({"columns": {c.key: c.meaning for c in table.columns}, "rows": rows, "notes": list(table.notes)})
    return 0


def _named(text: str) -> tuple[type[Method], dict]:
    """ "spce:theta=0.4,variant=paper": a method and the dials that are moved."""
    key, _, moved = text.partition(":")
    if key not in METHODS:
        raise Misused(f"--with knows no {key!r}; there are {', '.join(METHODS)}.")
    cls, dials = METHODS[key], {}
    known = {param.name: param for param in cls.params()}
    for part in filter(None, moved.split(",")):
        name, sign, value = part.partition("=")
        if name.replace("-", "_") not in known or not sign:
            raise Misused(f"{cls.name()} knows no {part!r}; its dials are {', '.join(known)}, as NAME=VALUE.")
        param = known[name.replace("-", "_")]
        dials[param.name] = value_of(param, value, cls.name())
    return cls, dials


def _say(table, data: Data, teller: Teller) -> None:
    """The last column is of sentences: they stand below."""
    *shown, words = range(len(table.columns))
    cells = table.cells()
    teller.say(columns([[table.columns[i].title for i in shown], *([row[i] for i in shown] for row in cells)]))
    for row in cells:
        if row[words].strip(" –"):
            teller.say(f"{row[0]}: {row[words]}")
    for note in table.notes:
        teller.note(note)


def _plain(value):
    return (
        finite(value) if isinstance(value, float) else value if isinstance(value, (int, bool)) else value and str(value)
    )
