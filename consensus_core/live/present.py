"""What the browser must know to draw a method: its quantities by kind, letter and meaning. No method is named here."""

from __future__ import annotations

from ..drawing.kinds import curves, drawn, kind_of
from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_names
from ..method import Method, Quantity
from ..method.cost import in_words
from ..method.quantities import AXES
from ..numbers import number
from .dials import dials
from .pace import WORTH_SAYING, cost_of, quicker

COMPONENTS = "components"


def presented(method: Method, ensemble: Ensemble, proposed: int = 2) -> dict:
    pictures = [{**_said(method, quantity), **_picture(quantity)} for quantity in drawn(method)]
    used = {axis for picture in pictures for axis in picture["axes"]}
    cost = cost_of(method, ensemble)
    scalars = [{**_said(method, quantity), "log": quantity.log} for quantity in curves(method)]
    return {
        "title": method.title,
        "name": method.name(),
        "k": method.k,
        "monotone": bool(method.monotone),
        "once": all(param.name != "max_iter" for param in method.params()),  # a single step, and no dial for more
        "stretches": method.stretches,
        "found": found_word(method),
        "pictures": pictures,
        "curves": scalars,
        "between": _between(method),
        "hyperedges": list(cluster_names(ensemble)) if "hyperedge" in used else [],
        "settings": settings_in_words(method),
        "dials": dials(method, ensemble, proposed),
        "cost": in_words(cost) if cost.seconds > WORTH_SAYING else "",
        "quicker": quicker(method, ensemble),
    }


def _between(method: Method) -> list[dict]:
    """What has no picture or curve, and can be asked why: what stands between quantities, and an object's cluster."""
    return [
        {
            "name": equation.name,
            "letter": equation.letter,
            "meaning": equation.meaning,
            "equation": equation.number,
            "axes": list(equation.axes),
            "explained": True,
        }
        for equation in method.equations().values()
        if not equation.shown
    ]


def _said(method: Method, quantity: Quantity) -> dict:
    return {
        "name": quantity.name,
        "letter": quantity.letter,
        "meaning": quantity.meaning,
        "equation": quantity.equation,
        "minor": quantity.minor,
        "explained": quantity.name in method.equations(),
    }


def _picture(quantity: Quantity) -> dict:
    return {
        "card": kind_of(quantity).card,
        "axes": list(quantity.axes),
        "axisNames": [AXES[axis].plural for axis in quantity.axes],
        "span": list(quantity.span) if quantity.span else None,
        "diverging": quantity.diverging,
        "log": quantity.log,
    }


def found_word(method: Method) -> str:
    """What a method ends with: components, where it shows them under this name, or else clusters."""
    return COMPONENTS if any(quantity.letter == COMPONENTS for quantity in curves(method)) else "clusters"


def settings_in_words(method: Method) -> str:
    """ "θ = 0.2, k = 7": what was moved away from its default, and the method's own dials."""
    return ", ".join(
        _setting(method, param)
        for param in method.params()
        if param.role == "method" or param.required or getattr(method, param.name) != param.default
    )


def difference_in_words(method: Method, other: Method) -> str:
    """ "θ = 0.2": where a method stands that another one of its kind does not; its settings where they are of two
    kinds."""
    if type(method) is not type(other):
        return settings_in_words(method)
    moved = [
        _setting(method, param)
        for param in method.params()
        if getattr(method, param.name) != getattr(other, param.name)
    ]
    return ", ".join(moved) or settings_in_words(method)


def setting_of(method: Method, names) -> str:
    """ "θ = 0.5, λ = 100": where some of its dials stand."""
    return ", ".join(_setting(method, param) for param in method.params() if param.name in names)


def _setting(method: Method, param) -> str:
    value = getattr(method, param.name)
    if isinstance(value, bool):
        said = "on" if value else "off"
    else:
        said = number(value, 4) if isinstance(value, float) else str(value)
    return f"{param.letter or param.plain or param.name} = {said}"
