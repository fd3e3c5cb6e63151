"""Where data come from, as a value that rebuilds them and goes into a file; and the data."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..ensemble import FILLINGS, Ensemble
from ..errors import InputError
from ..generate import RECIPES, generate_ensemble
from ..reading import Choices
from .samples import SAMPLES

WAYS = ("ids", "rows")  # how a further file is joined to the first: by the ids of both, or row by row


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
class Joined:
    """A further file about the same objects: the truth, other columns, more base clusterings, or features."""

    file: str
    choices: Choices = Choices()
    by: str = "ids"  # one of WAYS


@dataclass(frozen=True)
class Origin:
    """A sample, or a file with what is joined to it; how base clusterings were made, if they were; how gaps are filled.

    The first file says which objects there are, and in which order.
    """

    sample: str = ""  # a key of SAMPLES
    file: str = ""  # a file's name; its bytes are handed to `build`
    choices: Choices = Choices()
    generation: Generation | None = None
    filling: str = ""  # "", or one of FILLINGS
    filling_seed: int = 0
    rows: int = 0  # so many distinct rows stand for all (`Ensemble.represented`); 0: every one for itself
    more: tuple[Joined, ...] = ()
    left_out: tuple[str, ...] = ()  # names of base clusterings that are not used

    def __post_init__(self):
        if bool(self.sample) == bool(self.file):
            raise InputError("Data comes either from a sample or from a file.")
        if self.filling and self.filling not in FILLINGS:
            raise InputError(f"Missing labels can be filled by {', '.join(FILLINGS)}, not {self.filling!r}.")
        if self.rows < 0:
            raise InputError(f"So many rows cannot stand for all: {self.rows}.")
        for other in self.more:
            if other.by not in WAYS:
                raise InputError(f"{other.file} can be joined by {' or '.join(WAYS)}, not by {other.by!r}.")

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all files, in the order in which `build` wants what is in them."""
        return (*((self.file,) if self.file else ()), *(other.file for other in self.more))

    @property
    def plain(self) -> Origin:
        """What was given, before anything was made of it."""
        return dataclasses.replace(self, generation=None, filling="", filling_seed=0, rows=0, left_out=())

    @property
    def title(self) -> str:
        """What people call the data."""
        name = self.file or (SAMPLES[self.sample].title if self.sample in SAMPLES else self.sample)
        name += f" with {self.more[0].file}" if len(self.more) == 1 else ""
        name += f" with {len(self.more)} more files" if len(self.more) > 1 else ""
        made = f" · {self.generation.m} made anew" if self.generation else ""
        made += f" · without {self.left_out[0]}" if len(self.left_out) == 1 else ""
        made += f" · without {len(self.left_out)} base clusterings" if len(self.left_out) > 1 else ""
        made += f", filled ({self.filling})" if self.filling else ""
        return name + made + (f" · by {self.rows:,} rows" if self.rows else "")

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Origin:
        parts = json.loads(text)
        made = parts.pop("generation")
        if made is not None:
            made = Generation(**{**made, "options": tuple((name, value) for name, value in made["options"])})
        more = tuple(Joined(other["file"], _choices(other["choices"]), other["by"]) for other in parts.pop("more", ()))
        parts["left_out"] = tuple(parts.get("left_out", ()))
        return cls(**{**parts, "choices": _choices(parts["choices"])}, generation=made, more=more)


@dataclass(frozen=True, eq=False)
class Data:
    """Everything one may want to know of the objects beside their base labels."""

    origin: Origin | None  # None: counted from files that lie where they lie
    title: str
    ensemble: Ensemble | None  # never None in what `build` gives
    ids: np.ndarray | None = None  # (n,) the user's own names of the objects
    features: np.ndarray | None = None  # (n, p)
    feature_names: tuple[str, ...] = ()
    because: tuple[str, ...] = ()  # why a file was read as it was
    notes: tuple[str, ...] = ()  # what is odd about it
    id_name: str | None = None  # what the user calls the ids
    truth_name: str | None = None
    covariates: dict[str, np.ndarray] = field(default_factory=dict)  # name -> (n,): kept beside, for pictures, exports
    truth: np.ndarray | None = None  # (n,)
    label_texts: dict[str, tuple[str, ...]] = field(default_factory=dict)  # base clustering -> its labels, by code
    k: int = 2  # how many clusters are proposed
    k_why: str = ""


def _choices(parts: dict) -> Choices:
    parts = {name: _tuples(value) for name, value in parts.items()}
    if "roles" not in parts:  # as version 0.1.0 wrote them
        ids, truth = parts.pop("id_column", None), parts.pop("truth_column", None)
        roles = dict.fromkeys(parts.pop("drop", ()), "left out")
        roles |= {name: role for name, role in ((ids, "id"), (truth, "truth")) if name}
        parts["roles"] = (*roles.items(), ("*", "feature" if parts.get("kind") == "features" else "label"))
    return Choices(**parts)


def _tuples(value):
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
