"""Where what comes along with the core stands: inside the installed package, or beside it in the project's folder."""

from __future__ import annotations

from pathlib import Path

_CORE = Path(__file__).resolve().parent


def beside(name: str, installed: str = "") -> Path:
    """`name` in the project's folder; where there is none, its place in the package (by default of the same name)."""
    inside = _CORE / (installed or name)
    return inside if inside.exists() else _CORE.parent / name
