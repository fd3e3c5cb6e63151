"""Where results differ, on the page: how alike each two are, what flows from cluster to cluster, which objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from consensus_core import Method
from consensus_core.compare import Comparison, crossed, disagreed, flows
from consensus_core.data import Naming
from consensus_core.drawing.palettes import cluster_colour
from consensus_core.numbers import counted
from consensus_core.scores import element_similarity
from consensus_core.text import visible

from ..component import component
from ..session import Dataset

LISTED = 200  # objects that are listed
MAPPED = 60_000  # objects up to which labels go along, so that a stream can be selected
_HERE = Path(__file__).parent

_component = component(
    "quorum_between",
    html='<div class="between"></div>',
    css=(_HERE / "between.css").read_text(encoding="utf-8"),
    js=(_HERE / "between.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Result:
    """One of the results that are shown, with its clusters as a person calls them."""

    place: int  # in the comparison
    name: str
    labels: np.ndarray  # (q,) merged as the person has merged them
    clusters: Naming

    def told(self, label: int, objects: int) -> dict:
        named = label in dict(self.clusters.names)
        return {
            "id": label,
            "text": visible(self.clusters.name(label)) if named else str(label + 1),
            "name": visible(self.clusters.name(label)),
            "colour": self.clusters.colour(label, cluster_colour(label)),
            "objects": objects,
        }


def between(
    dataset: Dataset,
    comparison: Comparison,
    pair: tuple[int, int],
    side: list[int],
    naming: Callable[[Method], Naming],
    chosen: Callable[[int, int], None],
) -> None:
    """`pair`: the places of the two results that are held to each other; `side`: of those whose clusters flow into each
    other; `chosen` hears of another pair."""

    def result(place: int) -> Result:
        outcome = comparison.outcomes[place]
        clusters = naming(outcome.method)
        return Result(place, comparison.names[place], clusters.applied(outcome.labels), clusters)

    def heard() -> None:
        told = dict(st.session_state["between"].get("pair") or {})
        one, other = told.get("one"), told.get("other")
        if one in comparison.there and other in comparison.there and one != other:
            chosen(one, other)

    one, other = result(pair[0]), result(pair[1])
    flowing = [result(place) for place in side]
    _component(
        key="between",
        data={
            "names": [comparison.names[place] for place in comparison.there],
            "places": comparison.there,
            "ari": [[round(float(x), 3) for x in row] for row in comparison.mutual],
            "elements": [[round(float(x), 3) for x in row] for row in comparison.mutual_elements],
            "pair": list(pair),
            "crossed": _crossed(comparison, one, other),
            "differ": _differ(dataset, comparison, one, other),
            "flow": _flow(comparison, flowing),
            "labels": _labels(comparison, {result.place: result for result in (one, other, *flowing)}),
        },
        on_pair_change=heard,
    )


def _crossed(comparison: Comparison, one: Result, other: Result) -> dict:
    table = crossed(comparison.ensemble, one.labels, other.labels)
    return {
        "rows": [one.told(int(a), int(n)) for a, n in zip(table.one, table.shared.sum(axis=1), strict=True)],
        "cols": [other.told(int(b), int(n)) for b, n in zip(table.other, table.shared.sum(axis=0), strict=True)],
        "shared": table.shared.tolist(),
        "match": [[a, b] for a, b in table.match.items()],
    }


def _differ(dataset: Dataset, comparison: Comparison, one: Result, other: Result) -> dict:
    """The objects on which two results disagree, those the two treat least alike first."""
    ensemble = comparison.ensemble
    differ = np.flatnonzero(ensemble.expand(disagreed(ensemble, one.labels, other.labels)))
    alike = ensemble.expand(element_similarity(one.labels, other.labels, ensemble.counts))
    everywhere = ensemble.expand(comparison.elements)
    a, b = ensemble.expand(one.labels), ensemble.expand(other.labels)
    order = differ[np.argsort(alike[differ], kind="stable")]
    ids = dataset.ids
    listed = [
        {
            "at": int(i),
            "id": visible(str(i + 1 if ids is None else ids[i]), 60),
            "one": one.told(int(a[i]), 0),
            "other": other.told(int(b[i]), 0),
            "alike": f"{alike[i]:.2f}",
            "everywhere": f"{everywhere[i]:.2f}",
        }
        for i in order[:LISTED]
    ]
    count = len(order)
    said = (
        f"{one.name} and {other.name} agree on every object."
        if not count
        else f"{one.name} and {other.name} disagree on {counted(count, 'object')} of {ensemble.n:,}."
    )
    return {"said": visible(said), "count": count, "objects": listed, "every": order[:MAPPED].tolist()}


def _flow(comparison: Comparison, results: list[Result]) -> dict:
    ensemble = comparison.ensemble
    columns = []
    for result in results:
        sizes = np.bincount(result.labels, weights=ensemble.weights)
        there = np.flatnonzero(sizes)
        columns.append(
            {
                "place": result.place,
                "name": result.name,
                "clusters": [result.told(int(label), int(sizes[label])) for label in there],
            }
        )
    streams = [
        [stream.at, stream.source, stream.target, stream.objects]
        for stream in flows(ensemble, [result.labels for result in results])
    ]
    return {"columns": columns, "streams": streams, "n": ensemble.n}


def _labels(comparison: Comparison, results: dict[int, Result]) -> dict:
    """By which the objects of a stream are found."""
    if comparison.ensemble.n > MAPPED:
        return {}
    return {str(place): comparison.ensemble.expand(result.labels).tolist() for place, result in results.items()}
