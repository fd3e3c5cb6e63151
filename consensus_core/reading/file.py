"""From a path, bytes or an open file to a name and bytes, with an eye on size."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from ..errors import InputError
from .limits import megabytes
from .wording import fault, shown, too_large

SAMPLE = 256 * 1024  # guesses look at this much of a file


class File:
    """A name and its content. A file on disk is read whole only when somebody asks for all of it."""

    def __init__(self, name: str, data: bytes | None = None, path: Path | None = None):
        self.name, self.path, self._data = name, path, data

    @cached_property
    def head(self) -> bytes:
        if self._data is not None:
            return self._data[:SAMPLE]
        with self.path.open("rb") as file:
            return file.read(SAMPLE)

    @cached_property
    def data(self) -> bytes:
        return self._data if self._data is not None else self.path.read_bytes()

    @cached_property
    def size(self) -> int:
        return len(self._data) if self._data is not None else self.path.stat().st_size


def take(source, name: str | None, max_bytes: int) -> File:
    """The file, unless it is larger than allowed."""
    if isinstance(source, (str, Path)):
        found = _from_path(source, name)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        found = File(tidy(name or "data"), bytes(source))
    elif hasattr(source, "read"):
        file = tidy(name or getattr(source, "name", None) or "data")
        found = File(file, _from_stream(source, file, max_bytes))
    else:
        raise fault(
            tidy(name or "data"),
            f"{shown(type(source).__name__)} cannot be read as a file",
            "give a path, bytes or an open binary file",
        )
    if found.size > max_bytes:
        raise too_large(
            found.name,
            f"the file is larger than {megabytes(max_bytes)}",
            "give fewer rows or columns, or raise the limit (max_bytes)",
        )
    return found


def _from_path(source, name) -> File:
    path = Path(source)
    file = tidy(name or path.name or str(path))
    try:
        if path.is_dir():
            raise fault(file, "this is a folder, not a file", "name one file in it")
        if not path.is_file():
            raise fault(file, "there is no such file", "check the path")
        found = File(file, path=path)
        found.head  # noqa: B018  opens it, so that missing rights show here
        return found
    except InputError:
        raise
    except (OSError, ValueError) as trouble:
        raise fault(
            file, f"the file cannot be opened ({type(trouble).__name__})", "check its path and rights"
        ) from None


def _from_stream(stream, file, max_bytes) -> bytes:
    try:
        if hasattr(stream, "seek"):
            stream.seek(0)
        data = stream.read(max_bytes + 1)
    except (OSError, ValueError) as trouble:
        raise fault(file, f"reading it failed ({type(trouble).__name__})", "give the file again") from None
    if not isinstance(data, bytes):
        raise fault(file, "it was opened as text", "open it in binary mode ('rb')")
    return data


def tidy(name) -> str:
    """A file name fit for a sentence: no folders, no control characters, not endless."""
    text = str(name).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    text = "".join(sign for sign in text if sign.isprintable())
    return text if len(text) <= 80 else text[:60] + "…" + text[-15:]
