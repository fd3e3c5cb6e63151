"""The frame of the page: its looks, on a screen, on a telephone and on paper."""

from __future__ import annotations

from ..text import html
from ..version import VERSION
from .told import Told

LOOKS = """
:root { color-scheme: light; --ink: #10141f; --soft: #555c6b; --line: #d5d8de; --tint: #f4f5f8; --accent: #1d4f91 }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: #fff;
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .25rem }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; padding-top: .8rem; border-top: 1px solid var(--line) }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem }
a { color: var(--accent) }
nav ol { columns: 2; padding-left: 1.2rem }
.lead { color: var(--soft); margin: 0 0 1rem }
.box { background: var(--tint); border-left: 4px solid var(--accent); padding: .7rem 1rem; margin: 1rem 0 }
.warn { border-left-color: #b35806 }
.missing { background: #fff4e5; border-left: 4px solid #b35806; padding: .7rem 1rem }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1.25rem;
  margin: 1rem 0 }
figure { margin: 0; break-inside: avoid }
figure svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px }
figcaption { font-size: .9rem; margin-top: .4rem }
code, pre { font: .8rem/1.5 ui-monospace, "DejaVu Sans Mono", Consolas, monospace }
figcaption code { display: block; color: var(--soft); margin-top: .2rem; overflow-wrap: anywhere }
pre { background: var(--tint); padding: .8rem 1rem; overflow: auto; border-radius: 6px; max-height: 40rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
math { font-size: 1.05rem; font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", math }
.equation { margin: .5rem 0; overflow-x: auto; break-inside: avoid }
summary { cursor: pointer; font-weight: 600; margin: .8rem 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt }
  nav { display: none }
  pre { max-height: none; overflow: visible; white-space: pre-wrap }
  h2, h3, caption, thead, p:has(+ .box), p:has(+ .wide), p:has(+ .figures) { break-after: avoid }
  table { break-inside: auto; font-size: 8pt }
  th, td { padding: .2rem .3rem }
  .wide, .equation { overflow: visible }
  tr { break-inside: avoid }
  .figures { grid-template-columns: 1fr 1fr }
  .box { break-inside: avoid }
  details > *:not(summary) { display: block }
}
@page { margin: 16mm 14mm }
"""
# what is folded away on the screen stands open on paper
OPEN = "addEventListener('beforeprint',()=>document.querySelectorAll('details').forEach(d=>d.open=true))"


def page(told: Told, parts: list[tuple[str, str]]) -> str:
    title = f"{told.method.name()} on {told.data.title}"
    links = "".join(f'<li><a href="#{_place(i)}">{html(name)}</a></li>' for i, (name, _) in enumerate(parts))
    body = "".join(
        f'<section id="{_place(i)}" aria-labelledby="{_place(i)}-h"><h2 id="{_place(i)}-h">{html(name)}</h2>'
        f"{content}</section>"
        for i, (name, content) in enumerate(parts)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; script-src 'unsafe-inline'\">"
        f"<title>{html(title)} · Quorum</title><style>{LOOKS}</style></head>\n<body>"
        f"<header><h1>{html(title)}</h1>"
        f'<p class="lead">A report by Quorum {html(VERSION)}, iteration {told.step.iteration:,}.</p>'
        f'</header><nav aria-label="Parts"><ol>{links}</ol></nav>\n<main>{body}</main>\n'
        f"<script>{OPEN}</script></body></html>\n"
    )


def _place(number: int) -> str:
    return f"part-{number + 1}"
