"""Kind of quantity -> drawing. Methods are never named here."""

from __future__ import annotations

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_names
from ..method import Embedding, Incidence, Labels, Matrix, Method, Weights
from ..method.cost import in_words
from .film import curves, drawn

DRAWINGS = {Matrix: "matrix", Incidence: "matrix", Embedding: "map", Labels: "tracks", Weights: "bars"}
WORTH_SAYING = 3.0  # seconds of an estimate
AXES = {
    "object": "objects",
    "clustering": "base clusterings",
    "hyperedge": "clusters of the base clusterings",
    "cluster": "clusters wanted",
    "coordinate": "coordinates",
    "rank": "rank",
}


def presented(method: Method, ensemble: Ensemble) -> dict:
    """All the browser must know to draw a method: its quantities by kind, letter and meaning."""
    explained = set(method.equations())
    pictures = [_picture(quantity, quantity.name in explained) for quantity in drawn(method)]
    used = {axis for picture in pictures for axis in picture["axes"]}
    cost = method.cost(ensemble)
    return {
        "title": method.title,
        "name": method.name(),
        "k": method.k,
        "monotone": bool(method.monotone),
        "pictures": pictures,
        "curves": [
            {
                "name": q.name,
                "letter": q.letter,
                "meaning": q.meaning,
                "log": q.log,
                "equation": q.equation,
                "minor": q.minor,
            }
            for q in curves(method)
        ],
        "hyperedges": list(cluster_names(ensemble)) if "hyperedge" in used else [],
        "settings": settings_in_words(method),
        "cost": in_words(cost) if cost.seconds > WORTH_SAYING else "",
    }


def _picture(quantity, explained: bool) -> dict:
    return {
        "name": quantity.name,
        "draw": "matrix" if quantity.kind is Weights and len(quantity.axes) == 2 else DRAWINGS[quantity.kind],
        "letter": quantity.letter,
        "meaning": quantity.meaning,
        "equation": quantity.equation,
        "axes": list(quantity.axes),
        "axisNames": [AXES.get(axis, axis) for axis in quantity.axes],
        "span": list(quantity.span) if quantity.span else None,
        "diverging": quantity.diverging,
        "log": quantity.log,
        "minor": quantity.minor,
        "explained": explained,
    }


def settings_in_words(method: Method) -> str:
    """ "θ = 0.2, k = 7": what was moved away from its default, and the method's own dials."""
    words = []
    for param in method.params():
        value = getattr(method, param.name)
        if param.role == "method" or param.required or value != param.default:
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            words.append(f"{param.letter or param.name} = {shown}")
    return ", ".join(words)
