"""What a class declares of its fields, and whether a value is what was declared."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse

from ..method import quantities


@functools.cache
def fields_of(cls: type) -> dict[str, Any]:
    """The fields of a dataclass or a named tuple, with their types; none for a class that keeps nothing."""
    if dataclasses.is_dataclass(cls):
        names = [field.name for field in dataclasses.fields(cls)]
    else:
        names = list(getattr(cls, "_fields", ()))
    hints = typing.get_type_hints(cls) if names else {}
    return {name: hints.get(name, Any) for name in names}


def fits(value: Any, hint: Any, known: Mapping[str, type]) -> bool:
    """Kinds of quantities are numbers, arrays, compressed matrices, or known values that stand for a matrix."""
    if hint in (Any, object):
        return True
    if hint is None or hint is type(None):
        return value is None
    if hint is quantities.Scalar or hint is float:
        return _number(value)
    if hint in quantities.KINDS:
        return isinstance(value, np.ndarray) or scipy.sparse.issparse(value) or type(value) in known.values()
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one, known) for one in inside)
    if origin is typing.Annotated:
        return fits(value, inside[0], known)
    if origin is typing.Literal:
        return value in inside
    if origin is tuple:
        if type(value) is not tuple:
            return False
        if len(inside) == 2 and inside[1] is Ellipsis:
            return all(fits(x, inside[0], known) for x in value)
        return len(value) == len(inside) and all(fits(x, one, known) for x, one in zip(value, inside, strict=True))
    if origin is list:
        return type(value) is list and all(fits(x, inside[0], known) for x in value)
    if origin is dict:
        return type(value) is dict and all(
            fits(key, inside[0], known) and fits(x, inside[1], known) for key, x in value.items()
        )
    if origin is not None:
        return isinstance(value, origin) if isinstance(origin, type) else False
    if hint is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, (bool, np.bool_))
    return isinstance(hint, type) and isinstance(value, hint)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
