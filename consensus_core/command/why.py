"""quorum why: why a number is what it is, and the trail behind it."""

from __future__ import annotations

from ..data import Data
from ..ensemble.incidence import cluster_names
from ..errors import InputError
from ..method import Method, Step
from ..method.quantities import AXES
from ..method.why import Why
from .parser import Misused, Parser
from .running import add_running, done_run
from .telling import Teller, columns

HELP = "why a number of a run is what it is: formula, numbers put in, result, in words"
USAGE = "[FILE] [--method KEY] [dials] [--of QUANTITY WHERE …]"
ABOUT = """Runs a method and explains one number: the formula, the numbers put in, the result, in plain words.

  quorum why votes.csv --method spce --k 7                    what can be asked
  quorum why votes.csv --method spce --k 7 --of S 12 40       objects by their ids, or by their numbers from 1
  quorum why votes.csv --method spce --k 7 --of S 12 40 --ask T --at 5
  quorum why --record result/run.json --of cluster 12

--ask follows a term of the formula to its own, one after the other, down to a base label, a dial or a start value."""


def add(parser: Parser, method: type[Method] | None) -> None:
    add_running(parser, method)
    asked = parser.add_argument_group("what is asked")
    asked.add_argument("--of", nargs="+", metavar="WORD", help="a quantity, then where: objects, base clusterings, …")
    asked.add_argument("--ask", nargs="+", metavar="TERM", default=[], help="then terms of its formula, in turn")


def work(arguments, teller: Teller) -> int:
    if arguments.ask and not arguments.of:
        raise Misused("--ask follows a term of what --of asks: name that first.")
    done = done_run(arguments, teller)
    if not arguments.of:
        return _what_can_be_asked(done.step, teller)
    told = explained(done.step, done.data, *arguments.of)
    for term in arguments.ask:
        if term not in told.told.terms:
            raise InputError(f"There is no term {term!r} in {told.formula}; there are {', '.join(told.told.terms)}.")
        told = told.ask(term)
    teller.say(str(told))
    asking = [name for name, term in told.told.terms.items() if getattr(term, "to", True) is not None]
    if asking:
        teller.note(f"Go on with --ask {' or '.join(asking)}.")
    teller.result(told.json())
    return 0


def explained(step: Step, data: Data, name: str, *where: str) -> Why:
    """By names as people say them: objects by ids or numbers from 1, base clusterings and clusters by names."""
    method = step.run.method
    name = method.called(name)
    axes = next((q.axes for q in method.quantities() if q.name == name), None)
    if axes is None and name in method.equations():
        axes = method.equations()[name].axes
    if axes is None:
        names = dict.fromkeys([*(q.name for q in method.quantities()), *method.equations()])
        raise InputError(f"{method.name()} has no quantity {name!r}; it has {', '.join(names)}.")
    if len(where) != len(axes):
        sides = ", then ".join(f"one of the {AXES[axis].plural}" for axis in axes) or "nothing more"
        raise InputError(f"{name} wants {sides}, but {len(where)} words follow it.")
    return step.why(name, *(_place(data, axis, text) for axis, text in zip(axes, where, strict=True)))


def _place(data: Data, axis: str, text: str) -> int:
    ensemble = data.ensemble
    names = {
        "object": lambda: [] if data.ids is None else data.ids.astype(str).tolist(),
        "clustering": lambda: list(ensemble.names),
        "hyperedge": lambda: cluster_names(ensemble),
    }.get(axis, list)()
    if text in names:
        return names.index(text)
    most = {"object": ensemble.n, "clustering": ensemble.m, "hyperedge": ensemble.K}.get(axis)
    if text.isascii() and text.isdigit() and int(text) >= 1 and (most is None or int(text) <= most):
        return int(text) - 1
    example = f", such as {names[0]!r}" if names else ""
    last = f" to {most:,}" if most else ""
    raise InputError(
        f"There is no {text!r} among the {AXES[axis].plural}: give a number from 1{last}, or a name{example}."
    )


def _what_can_be_asked(step: Step, teller: Teller) -> int:
    method = step.run.method
    rows, told = [["--of", "then", "what it is"]], []
    for name, one in method.equations().items():
        rows.append([name, " ".join(axis.upper() for axis in one.axes), f"{one.letter}: {one.meaning}"])
        told.append({"name": name, "letter": one.letter, "meaning": one.meaning, "axes": list(one.axes)})
    teller.say(columns(rows))
    teller.result({"iteration": step.iteration, "can be asked": told})
    return 0
