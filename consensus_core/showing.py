"""Things as a notebook shows them: a small card of words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .text import html

_CARD = "border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:.6rem .9rem;max-width:46rem;line-height:1.5"
_LEFT = "text-align:left;padding:.1rem 1rem .1rem 0;font-weight:600;vertical-align:top;white-space:nowrap"


def card(title: str, rows: Mapping[str, object], notes: Sequence[str] = ()) -> str:
    """HTML; every text in it is nothing but text."""
    lines = "".join(
        f'<tr><th scope="row" style="{_LEFT}">{html(name)}</th><td style="text-align:left">{html(value)}</td></tr>'
        for name, value in rows.items()
        if value not in ("", None)
    )
    said = "".join(f'<p style="margin:.4rem 0 0">{html(note)}</p>' for note in notes if note)
    return f'<div style="{_CARD}"><strong>{html(title)}</strong><table>{lines}</table>{said}</div>'
