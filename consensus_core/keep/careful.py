"""Python values as bytes and back. Bytes come from this machine's own store, yet only known classes are let in."""

from __future__ import annotations

import io
import pickle
import zlib
from typing import Any

_TRUSTED = ("consensus_core.", "numpy", "scipy.sparse")
_PLAIN = {("builtins", name) for name in ("dict", "list", "tuple", "set", "frozenset", "slice", "complex", "bytearray")}


def packed(value: Any) -> bytes:
    return zlib.compress(pickle.dumps(value, protocol=5), 1)


def unpacked(content: bytes | None) -> Any:
    """The value, or None where the bytes are missing, damaged, of an older form, or name a class not trusted."""
    if content is None:
        return None
    try:
        return _Careful(io.BytesIO(zlib.decompress(content))).load()
    except (zlib.error, pickle.UnpicklingError, EOFError, AttributeError, ImportError, TypeError, ValueError):
        return None


class _Careful(pickle.Unpickler):
    def find_class(self, module: str, name: str):
        if (module, name) in _PLAIN or module.startswith(_TRUSTED):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} has no business in what was kept")
