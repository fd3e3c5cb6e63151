"""The one road from what a person gave to the data all pages work on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..errors import InputError
from ..reading import Reading, read
from .joining import joined
from .origin import Data, Generation, Joined, Origin
from .proposal import proposed_k
from .samples import load

Content = bytes | Reading


def build(
    origin: Origin,
    content: Content | Sequence[Content] | None = None,
    progress: Callable | None = None,
    cancel: Callable | None = None,
) -> Data:
    """The data of an origin; the same origin and content give the same ensemble.

    >>> from consensus_core.data import Origin, build
    >>> build(Origin(sample="five")).ensemble.n
    5

    `content`: what is in the file, or in each of the files: bytes, or what was read from them already.
    """
    data = _sample(origin) if origin.sample else _files(origin, content)
    if origin.generation is not None:
        data = made_anew(data, origin.generation, progress, cancel)
    if data.ensemble is None:
        raise InputError(f"{origin.file} holds features: base clusterings have to be made from them first.")
    if origin.left_out:
        data = without(replace(data, origin=replace(data.origin, left_out=())), origin.left_out)
    data = filled(data, origin.filling, origin.filling_seed) if origin.filling else _proposed(data)
    return represented(data, origin.rows) if origin.rows else data


def made_anew(
    data: Data, generation: Generation, progress: Callable | None = None, cancel: Callable | None = None
) -> Data:
    """The same objects under base clusterings that are made from their features."""
    if data.features is None:
        raise InputError(f"{data.title} has no features to make base clusterings from; it is a table of base labels.")
    ensemble = generation.ensemble(data.features, data.truth, progress, cancel)
    origin = replace(data.origin, generation=generation, filling="", filling_seed=0, rows=0, left_out=())
    return _proposed(replace(data, origin=origin, ensemble=ensemble, label_texts={}))


def filled(data: Data, how: str, seed: int = 0) -> Data:
    """The same with missing labels filled: one of `ensemble.FILLINGS`."""
    ensemble = data.ensemble.filled(how, seed)
    if data.origin is None:
        return _proposed(replace(data, ensemble=ensemble))
    return _proposed(replace(data, origin=replace(data.origin, filling=how, filling_seed=seed), ensemble=ensemble))


def represented(data: Data, rows: int) -> Data:
    """The same objects under so many distinct rows, which stand for the others. The number of clusters stays."""
    ensemble = data.ensemble.represented(rows)
    if data.origin is None:
        return replace(data, ensemble=ensemble)
    origin = replace(data.origin, rows=rows)
    return replace(data, title=origin.title, origin=origin, ensemble=ensemble)


def without(data: Data, names: Sequence[str]) -> Data:
    """The same objects without some of the base clusterings."""
    if strange := [name for name in names if name not in data.ensemble.names]:
        raise InputError(f"{data.title} has no base clustering {strange[0]!r} to leave out.")
    left = [i for i, name in enumerate(data.ensemble.names) if name not in names]
    if len(left) < 2:
        raise InputError("At least two base clusterings must be left to combine.")
    origin = replace(data.origin, left_out=(*data.origin.left_out, *names))
    texts = {name: said for name, said in data.label_texts.items() if name not in names}
    return _proposed(replace(data, origin=origin, ensemble=data.ensemble.select(left), label_texts=texts))


def _proposed(data: Data) -> Data:
    k, why = proposed_k(data.ensemble, data.origin.sample if data.origin else "")
    return replace(data, title=data.origin.title if data.origin else data.title, k=k, k_why=why)


def _sample(origin: Origin) -> Data:
    found = load(origin.sample)
    return Data(
        origin,
        origin.title,
        found.ensemble,
        found.ids,
        found.features,
        found.feature_names,
        id_name=found.sample.ids,
        truth=found.truth,
        truth_name=found.sample.truth,
    )


def _files(origin: Origin, content) -> Data:
    """What the files hold together; the origin then carries the choices that were used."""
    main, *others = _read(origin, content)
    found = joined(main, [(other, how.by) for other, how in zip(others, origin.more, strict=True)])
    labels = found.kind == "labels"
    features = found.features() if not labels else found.measured if found.feature_columns else None
    used = replace(
        origin,
        choices=main.choices,
        more=tuple(replace(how, choices=other.choices) for how, other in zip(origin.more, others, strict=True)),
    )
    return Data(
        used,
        used.title,
        found.ensemble() if labels else None,
        found.ids,
        features,
        tuple(map(str, found.feature_columns)) if features is not None else (),
        found.because,
        found.notes,
        id_name=found.id_name,
        truth=found.truth,
        truth_name=found.truth_name,
        covariates=found.covariates,
        label_texts=found.label_texts if labels else {},
    )


def _read(origin: Origin, content) -> list[Reading]:
    contents = list(content) if isinstance(content, (list, tuple)) else [content]
    asked = [Joined(origin.file, origin.choices), *origin.more]
    missing = [one.file for one, given in zip(asked, [*contents, *[None] * len(asked)], strict=False) if given is None]
    if missing:
        raise InputError(f"The content of {missing[0]} is needed to build its ensemble.")
    return [
        given if isinstance(given, Reading) else read(given, one.file, one.choices, alone=len(asked) == 1)
        for one, given in zip(asked, contents, strict=True)
    ]
