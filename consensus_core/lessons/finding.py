"""Where lessons are: beside this file, and in a teacher's own folder (QUORUM_LESSONS)."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from .checking import checked
from .lesson import Lesson, LessonError
from .parse import parsed

OURS = Path(__file__).with_name("texts")
OWN = "QUORUM_LESSONS"  # names a folder


def folders() -> tuple[Path, ...]:
    own = os.environ.get(OWN, "")
    return (OURS, Path(own).expanduser()) if own else (OURS,)


def all_lessons() -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The lessons in their order, and what is wrong with those files that are none. A file of a teacher's own takes
    the place of ours of the same name. Files are read again when they have changed."""
    found: dict[str, Lesson] = {}
    faults: list[str] = []
    for folder in folders():
        if not folder.is_dir():
            faults.append(f"{OWN} names {folder}, which is no folder.")
            continue
        for path in sorted(folder.glob("*.md")):
            try:
                lesson = _read(path, path.stat().st_mtime_ns)
                found[lesson.key] = lesson
            except LessonError as fault:
                faults += fault.faults
            except (OSError, UnicodeDecodeError) as fault:
                faults.append(f"{path.name} cannot be read: {fault}.")
    return tuple(sorted(found.values(), key=lambda lesson: (lesson.order, lesson.key))), tuple(faults)


def find_lesson(key: str) -> Lesson | None:
    return next((lesson for lesson in all_lessons()[0] if lesson.key == key), None)


@functools.lru_cache(maxsize=128)
def _read(path: Path, changed: int) -> Lesson:
    return checked(parsed(path.read_text(encoding="utf-8"), path))
