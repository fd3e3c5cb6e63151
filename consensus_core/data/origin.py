"""Where an ensemble comes from, as a value: it rebuilds the ensemble, and goes into a file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..ensemble import FILLINGS, Ensemble
from ..errors import InputError
from ..generate import RECIPES, generate_ensemble
from ..reading import Choices, read
from .samples import load


@dataclass(frozen=True)
class Generation:
    """How base clusterings were made from features: the arguments of `generate_ensemble`."""

    recipe: str = "kmeans_random_k"
    m: int = 20
    k: int | None = None
    seed: int = 0
    scaling: str = "raw"
    options: tuple[tuple[str, object], ...] = ()  # the recipe's own parameters, where they differ from its defaults

    def ensemble(
        self, features, truth=None, progress: Callable | None = None, cancel: Callable | None = None
    ) -> Ensemble:
        if self.recipe not in RECIPES:
            raise InputError(f"There is no recipe {self.recipe!r}; there are {', '.join(RECIPES)}.")
        recipe = dataclasses.replace(RECIPES[self.recipe], **dict(self.options))
        return generate_ensemble(
            features, recipe, self.m, self.k, self.seed, self.scaling, progress=progress, cancel=cancel, truth=truth
        )


@dataclass(frozen=True)
class Origin:
    """A sample or a file; if it holds features, or base clusterings are made anew, how; how gaps were filled."""

    sample: str = ""  # a key of SAMPLES
    file: str = ""  # a file's name; its bytes are handed to `build`
    choices: Choices = Choices()
    generation: Generation | None = None
    filling: str = ""  # "", or one of FILLINGS
    filling_seed: int = 0

    def __post_init__(self):
        if bool(self.sample) == bool(self.file):
            raise InputError("Data comes either from a sample or from a file.")
        if self.filling and self.filling not in FILLINGS:
            raise InputError(f"Missing labels can be filled by {', '.join(FILLINGS)}, not {self.filling!r}.")

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Origin:
        parts = json.loads(text)
        choices = {name: tuple(x) if isinstance(x, list) else x for name, x in parts.pop("choices").items()}
        made = parts.pop("generation")
        if made is not None:
            made = Generation(**{**made, "options": tuple((name, value) for name, value in made["options"])})
        return cls(**parts, choices=Choices(**choices), generation=made)


@dataclass(frozen=True, eq=False)
class Data:
    """Everything one may want to know of the objects beside their base labels."""

    origin: Origin
    title: str
    ensemble: Ensemble
    ids: np.ndarray | None  # (n,) the user's own names of the objects
    features: np.ndarray | None  # (n, p)
    feature_names: tuple[str, ...]
    because: tuple[str, ...] = ()  # why a file was read as it was
    notes: tuple[str, ...] = ()  # what is odd about it


def build(
    origin: Origin, content: bytes | None = None, progress: Callable | None = None, cancel: Callable | None = None
) -> Data:
    """The data of an origin; `content` is the file's bytes. The same origin and bytes give the same ensemble."""
    if origin.sample:
        found = load(origin.sample)
        data = Data(origin, found.sample.title, found.ensemble, found.ids, found.features, found.feature_names)
        truth = found.truth
    else:
        if content is None:
            raise InputError(f"The content of {origin.file} is needed to build its ensemble.")
        found = read(content, name=origin.file, choices=origin.choices)
        features = found.features() if found.kind == "features" else None
        if features is not None and origin.generation is None:
            raise InputError(f"{origin.file} holds features: base clusterings have to be made from them first.")
        names = tuple(map(str, found.frame.columns)) if features is not None else ()
        ensemble = found.ensemble() if features is None else None
        origin = dataclasses.replace(origin, choices=found.choices)
        data = Data(origin, origin.file, ensemble, found.ids, features, names, found.because, found.notes)
        truth = found.truth
    if origin.generation is not None:
        if data.features is None:
            raise InputError(
                f"{data.title} has no features to make base clusterings from; it is a table of base labels."
            )
        made = origin.generation.ensemble(data.features, truth, progress, cancel)
        data = dataclasses.replace(data, ensemble=made)
    if origin.filling:
        data = dataclasses.replace(data, ensemble=data.ensemble.filled(origin.filling, origin.filling_seed))
    return data
