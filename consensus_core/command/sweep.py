"""quorum sweep: a method's dials over values and draws of base clusterings."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from ..data.exports import free_file, write_new
from ..errors import InputError
from ..method import Method
from ..numbers import finite, number
from ..sweep import Pool, grid, sweep
from ..sweep.curves import MEASURES, NEED_TRUTH, curve
from .data_options import add_data, fetched, origin_of, paths_of, value_of
from .method_options import add_method, method_for
from .parser import Misused, Parser, assigned, whole
from .telling import Teller, columns

HELP = "a method over values of its dials and draws of base clusterings: mean and spread of every measure"
USAGE = "[FILE] --method KEY --over DIAL=VALUES [DIAL=VALUES] [--draws N --take M] [--out curve.csv]"
ABOUT = """Runs a method at every combination of values of its dials, on draws of the base clusterings.

  quorum sweep votes.csv --method spce --k 7 --over theta=0,0.1,0.2,0.4
  quorum sweep votes.csv --method ec_cms --k 7 --over alpha=0.5:0.9:0.1 lam=0.1,1 --draws 20 --take 10 --out curve.csv
  quorum sweep votes.csv --method lwea --over k=2:12:1 --keep cells/

Values are a list, or FIRST:LAST:STEP. With --keep what was computed once is never computed again,
whoever stopped it."""
MOST = 100_000  # runs in one command


def add(parser: Parser, method: type[Method] | None) -> None:
    add_data(parser)
    add_method(parser, method)
    asked = parser.add_argument_group("what is swept")
    asked.add_argument(
        "--over", nargs="+", action="extend", metavar="DIAL=VALUES", help="theta=0,0.1 or theta=0:0.5:0.1"
    )
    asked.add_argument("--draws", default="1", metavar="N", help="draws of base clusterings for each setting")
    asked.add_argument("--take", metavar="M", help="base clusterings in a draw; all unless said")
    asked.add_argument(
        "--processes", metavar="P", help="so many processes; as many as there are processors unless said"
    )
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", metavar="FILE.csv", help="mean and standard deviation of every measure at every setting")
    out.add_argument("--keep", metavar="FOLDER", help="where outcomes are kept, and found again")


def work(arguments, teller: Teller) -> int:
    if not arguments.over:
        raise Misused("Say what is swept: --over theta=0,0.1,0.2.")
    draws, take = whole(arguments.draws, "--draws", 1), arguments.take and whole(arguments.take, "--take", 1)
    processes = arguments.processes and whole(arguments.processes, "--processes", 1)
    if arguments.out:
        free_file(arguments.out)
    data = fetched(origin_of(arguments), paths_of(arguments), teller)
    if take and take > data.ensemble.m:
        raise InputError(f"--take {take}: there are only {data.ensemble.m} base clusterings to draw from.")
    method = method_for(arguments, data, teller)
    over = {name: _values(method, name, text) for name, text in _dials(arguments.over)}
    if (count := math.prod(map(len, over.values())) * draws) > MOST:
        raise InputError(f"That would be {count:,} runs; at most {MOST:,} are made by one command. Take fewer values.")
    plan = grid(method, draws=draws, m=take, **over)
    cells = None
    if arguments.keep:
        from ..keep.cells import Cells

        cells = Cells(Path(arguments.keep))
    teller.begin()
    begun = sweep(plan, Pool(data.ensemble), cells=cells, processes=processes)
    try:
        for done, _ in enumerate(begun, 1):
            teller.progress(f"{done:,} of {count:,} runs", done / count)
    except BaseException:
        begun.cancel()
        raise
    teller.done()
    return _tell(begun, arguments, data, teller)


def _tell(begun, arguments, data, teller: Teller) -> int:
    measures = [name for name in MEASURES if data.ensemble.truth is not None or name not in NEED_TRUTH]
    curves = {name: curve(begun, name) for name in measures}
    dials = list(begun.plan.dials)
    shown = [name for name in ("ari", "agreement_ari", "stability", "found", "seconds") if name in curves]
    rows = [[*dials, *(MEASURES[name].split(" with ")[0] for name in shown)]]
    for i, values in enumerate(begun.plan.points):
        cells = [curves[name][i] for name in shown]
        told = [number(p.mean) + (f" ± {number(p.std)}" if math.isfinite(p.std) else "") for p in cells]
        rows.append([*(number(v) if isinstance(v, float) else str(v) for v in values), *told])
    teller.say(columns(rows))
    for trouble in dict.fromkeys(begun.errors()):
        teller.note(trouble)
    if arguments.out:
        write_new(arguments.out, _csv(dials, begun.plan.points, curves))
        teller.say(f"Written: {arguments.out}")
    points = [
        {
            "at": dict(zip(dials, map(_plain, values), strict=True)),
            "draws": curves[measures[0]][i].count,
            **{name: {"mean": finite(c[i].mean), "std": finite(c[i].std)} for name, c in curves.items()},
        }
        for i, values in enumerate(begun.plan.points)
    ]
    teller.result({"method": begun.plan.method.key, "points": points, "errors": list(dict.fromkeys(begun.errors()))})
    return 0


def _csv(dials: list[str], points, curves) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*dials, "draws", *(f"{name} {what}" for name in curves for what in ("mean", "std"))])
    for i, values in enumerate(points):
        numbers = [finite(number) for c in curves.values() for number in (c[i].mean, c[i].std)]
        writer.writerow([*values, next(iter(curves.values()))[i].count, *numbers])
    return out.getvalue().encode()


def _dials(over: list[str]) -> list[tuple[str, str]]:
    return [(name.replace("-", "_"), text) for name, text in assigned(over, "--over")]


def _values(method: Method, name: str, text: str) -> list:
    """A list of values, or a range."""
    known = {param.name: param for param in method.params()}
    if name not in known:
        raise Misused(f"{method.name()} has no dial {name!r}; it has {', '.join(known)}.")
    parts = text.split(":")
    if len(parts) == 3:
        try:
            first, last, step = map(float, parts)
        except ValueError:
            raise Misused(f"--over {name} takes a list or FIRST:LAST:STEP of numbers, not {text!r}.") from None
        if not (step > 0 and last >= first and (last - first) / step < MOST):
            raise Misused(f"--over {name}: from {parts[0]} to {parts[1]} in steps of {parts[2]} leads nowhere.")
        texts = [f"{first + i * step:.12g}" for i in range(math.floor((last - first) / step + 1e-9) + 1)]
    else:
        texts = [part for part in text.split(",") if part]
    if not texts:
        raise Misused(f"--over {name} names no value.")
    return [value_of(known[name], one, method.name()) for one in texts]


def _plain(value):
    return finite(value) if isinstance(value, float) else value
