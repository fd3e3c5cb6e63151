"""quorum info: what is in a table, what is odd about it, and what the methods would take."""

from __future__ import annotations

from ..data import Data
from ..data.advice import advised
from ..data.oddities import portrait
from ..errors import InputError
from ..method import Method
from ..method.cost import available_bytes, in_words
from ..methods import METHODS
from ..numbers import counted, finite, number
from .data_options import add_data, fetched, origin_of, paths_of
from .parser import Parser
from .telling import Teller, columns

HELP = "what is in a table, what is odd about it, and which method is advised"
USAGE = "[FILE]"
ABOUT = """Says what a table holds, how it was understood and why, and what is odd about it.

  quorum info votes.csv
  quorum info votes.csv --role "subtype=truth" "age=left out"
  quorum info --sample shapes --json"""


def add(parser: Parser, method: type[Method] | None) -> None:
    add_data(parser)


def work(arguments, teller: Teller) -> int:
    data = fetched(origin_of(arguments), paths_of(arguments), teller)
    seen, ensemble = portrait(data.ensemble), data.ensemble
    key, because = advised(ensemble, data.k)
    costs = dict(_costs(data))
    teller.say(
        f"{data.title}: {counted(seen.n, 'object')}, {counted(seen.m, 'base clustering')}, "
        f"{counted(seen.q, 'distinct row')} of labels."
    )
    least, most = int(seen.k_each.min()), int(seen.k_each.max())
    share = f"; {number(100 * seen.missing)} % of the labels are missing" if seen.missing else ""
    teller.say(f"Clusters in a base clustering: {least:,}" + (f" to {most:,}" if most > least else "") + share + ".")
    teller.say(f"Two base clusterings agree by NMI {number(seen.mean_nmi)}, ARI {number(seen.mean_ari)} on average.")
    told = [("Read so", data.because), ("Notes", data.notes), ("Odd", seen.odd)]
    for heading, sentences in told:
        if sentences:
            teller.say(f"\n{heading}:")
            for sentence in sentences:
                teller.say(f"  {sentence}")
    teller.say(f"\n{data.k_why}\n{METHODS[key].name()} is advised: {because}\n")
    teller.say(columns([["method", "key", "takes"], *([METHODS[k].name(), k, told] for k, (told, _) in costs.items())]))
    teller.result(
        {
            "title": data.title,
            "objects": seen.n,
            "distinct rows": seen.q,
            "fingerprint": ensemble.fingerprint,
            "base clusterings": [
                {"name": name, "clusters": int(k), "missing": finite(gap), "NMI with the others": finite(alike)}
                for name, k, gap, alike in zip(
                    ensemble.names, seen.k_each, seen.missing_each, seen.nmi_with_others, strict=True
                )
            ],
            "missing": finite(seen.missing),
            "mean NMI": finite(seen.mean_nmi),
            "mean ARI": finite(seen.mean_ari),
            "ids": data.id_name,
            "truth": data.truth_name,
            "covariates": list(data.covariates),
            "read so": list(data.because),
            "notes": list(data.notes),
            "odd": list(seen.odd),
            "k": {"proposed": data.k, "why": data.k_why},
            "advised": {"method": key, "why": because},
            "methods": {k: numbers for k, (_, numbers) in costs.items()},
        }
    )
    return 0


def _costs(data: Data):
    for key, cls in METHODS.items():
        if data.ensemble.has_missing and not cls.handles_missing:
            yield key, ("after --fill: it cannot take missing labels", {"takes missing labels": False})
            continue
        try:
            cost = cls(k=data.k).cost(data.ensemble)
        except InputError as refusal:
            yield key, (str(refusal), {"refuses": str(refusal)})
            continue
        fits = cost.bytes <= available_bytes()
        told = in_words(cost) + ("" if fits else ": more memory than is free")
        yield key, (told, {"bytes": cost.bytes, "seconds": finite(cost.seconds), "fits": fits})
