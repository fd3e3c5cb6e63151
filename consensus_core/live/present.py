"""What the browser must know to draw a method: its quantities by kind, letter and meaning. No method is named here."""

from __future__ import annotations

from ..drawing import further
from ..drawing.kinds import curves, drawn, kind_of
from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_names
from ..method import Method, Quantity
from ..method.cost import in_words
from ..method.quantities import AXES
from ..method.settings import settings_in_words
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
        "key": method.key,
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
        "also": further.said(quantity),
    }


def found_word(method: Method) -> str:
    """What a method ends with: components, where it shows them under this name, or else clusters."""
    return COMPONENTS if any(quantity.letter == COMPONENTS for quantity in curves(method)) else "clusters"
