"""A film: runs that have come to rest, as one HTML page that plays anywhere, without a server and without a network.

    from consensus_core.live.reel import film
    page = film(SPCE(k=7), ensemble, captions={5: "x3 and x5 are linked now"}, pins=[("S", 2, 4)])
    page.save("spce.html")                     # page.size bytes; page.left_out says what did not fit

The page holds the live view itself and every answer it could ask for: what a browser would be told by a server is
composed here, once, by asking as a browser asks. Besides, exact values of whole quantities as far as they fit, and the
explanations of the entries pinned, with those their terms lead to.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import scipy.sparse

from ..drawing.further import further_names
from ..drawing.kinds import drawn
from ..ensemble import Ensemble
from ..errors import InputError
from ..linalg.paired import Paired
from ..method import Method
from ..method.settings import called
from ..text import html
from .compose import compose
from .objects import Objects
from .pack import packed, style
from .pin import why
from .protocol import Answer, Entry, Known, Question, Spans
from .run import Run
from .sight import iteration
from .stage import Stage

MOST = 15_000_000  # bytes of a page
WHYS = 1500  # explanations in one film
TALL = 4 / 3  # base64
SPARE = 4096


@dataclass(frozen=True)
class Film:
    """A page, and what became of what was wanted in it."""

    page: bytes
    title: str
    pictures: tuple[str, ...]  # quantities that are shown
    exact: tuple[str, ...]  # of these: whose values are there to the last digit
    left_out: tuple[str, ...]  # pictures that did not fit
    whys: int

    @property
    def size(self) -> int:
        return len(self.page)

    def save(self, path: str | Path) -> Path:
        path = Path(path)
        if path.exists():
            raise InputError(f"{path} is there already: nothing is overwritten. Choose another name.")
        path.write_bytes(self.page)
        return path

    def _repr_html_(self) -> str:
        content = html(self.page.decode())
        looks = "width:100%;height:42rem;border:0"
        return f'<iframe srcdoc="{content}" style="{looks}" title="{html(self.title)}"></iframe>'


def film(
    methods: Method | Sequence[Method],
    ensemble: Ensemble,
    *,
    pins: Sequence[tuple] = (),
    captions: Mapping[int, str] | None = None,
    title: str = "",
    ids=None,
    features=None,
    most: int = MOST,
) -> Film:
    """The run of a method, or of several side by side, computed to its end. `pins`: entries that are explained, as
    ("S", 3, 7); `captions`: from which iteration on which text stands above the pictures."""
    methods = (methods,) if isinstance(methods, Method) else tuple(methods)
    stage = Stage(Objects(ensemble, title, ids, features, methods[0].k))
    stage.objects.places()
    try:
        for run in stage.follow(methods, begin=False):
            run.want(stage.watcher)
            while not run.stopped:
                run.wait_beyond(len(run.moments), 1.0)
            if run.error:
                raise InputError(run.error)
        return of_stage(stage, pins=pins, captions=captions, most=most)
    finally:
        stage.leave()


def of_stage(
    stage: Stage, *, pins: Sequence[tuple] = (), captions: Mapping[int, str] | None = None, most: int = MOST
) -> Film:
    """What is on a stage, as far as it has come; what is put on it meanwhile is not in the film."""
    stage = stage.as_it_is()
    names = {run.id: _names(run) for run in stage.runs}
    pairs = {pair.id: [quantity.name for quantity in pair.quantities()] for pair in stage.pairs}
    room = most - SPARE - len(_page(stage, {}, b"", captions or {}))
    told = _told(stage, pins)
    explained = zlib.compress(json.dumps(told, separators=(",", ":"), allow_nan=False).encode(), 6)
    room -= TALL * len(explained)
    look = {"pin": ".".join(map(str, pins[0]))} if pins else {}
    answers = list(_answers(stage, {**names, **pairs}, look))
    left_out: list[str] = []
    while TALL * sum(map(len, answers)) > room and any(len(some) > 1 for some in names.values()):
        last = max((some for some in names.values()), key=len).pop()  # what is shown last is missed least
        left_out.append(last)
        for some in (*names.values(), *pairs.values()):
            some[:] = [name for name in some if name != last]
        answers = list(_answers(stage, {**names, **pairs}, look))
    if TALL * sum(map(len, answers)) > room:
        raise InputError(f"These {stage.reach} iterations do not fit into {most // 10**6} MB. Take fewer iterations.")
    values, exact = _values(stage, names, room - TALL * sum(map(len, answers)))
    body = {
        "answers": [len(answer) for answer in answers],
        "values": values.index,
        "told": [values.length, len(explained)],
    }
    page = _page(stage, body, b"".join(answers) + values.bytes + explained, captions or {})
    shown = tuple(dict.fromkeys(name for some in names.values() for name in some))
    return Film(page, _title(stage), shown, exact, tuple(left_out), len(told))


def expected(stage: Stage) -> int:
    """About how many bytes a film of this stage will have: from a few of its places."""
    stage = stage.as_it_is()
    if not stage.reach:
        return 0
    some = sorted({0, stage.reach // 3, 2 * stage.reach // 3, stage.reach - 1})
    sizes = [sum(_drawn(stage, run, name, at) for run in stage.runs for name in _names(run)) for at in some]
    pictures = TALL * float(np.mean(sizes)) * stage.reach
    return int(min(2 * pictures, MOST)) + len(_page(stage, {}, b"", {}))


def _drawn(stage: Stage, run: Run, name: str, at: int) -> int:
    picture = stage.sight.shot(run, name, at).picture
    return 0 if picture is None else len(picture.data)


def _names(run: Run) -> list[str]:
    """Those shown first, then those on demand, then what has frames of its own."""
    quantities = drawn(run.method)
    ordered = [q.name for q in quantities if not q.minor] + [q.name for q in quantities if q.minor]
    return ordered + further_names(quantities)


def _title(stage: Stage) -> str:
    names = " and ".join(called([run.method for run in stage.runs]))
    return f"{names} on {stage.objects.title}" if stage.objects.title else names


# --- what a browser is told -----------------------------------------------------------------------------------------


def _answers(stage: Stage, names: Mapping[str, Sequence[str]], look: Mapping[str, str]) -> Iterator[bytes]:
    """Asked as a browser asks, until nothing is lacking."""
    asked, have, orders, rows = Question(), {id: {} for id in names}, set(), {}
    while True:
        known = {id: Known(rows.get(id, 0), tuple(some), _spans(have[id])) for id, some in names.items()}
        # while nothing is known the whole data come; the pictures are asked for by name from then on
        answer = compose(
            stage, asked if not asked.data else replace(asked, runs=known, orders=_span(orders)), hurry=False
        )
        header = answer.header
        yield Answer(_without_server(header, look), answer.body).bytes()
        for run in header["runs"]:
            rows[run["id"]] = rows.get(run["id"], 0) + len(run["rows"])
        for order in header["orders"]:
            orders.add(order["i"])
        for frame in header["frames"]:
            have[frame["u"]].setdefault(frame["n"], set()).add(frame["i"])
        if asked.data and not header["more"]:
            return
        asked = Question(
            seq=asked.seq + 1, data=stage.ensemble.fingerprint, placed=True, order=stage.sight.standing, shown=0,
            scene=stage.scene.key if stage.scene else "",
        )  # fmt: skip


def _without_server(header: Mapping, look: Mapping[str, str]) -> dict:
    """No door, nothing that goes on, no dials: nobody could answer to them."""
    runs = [{**run, "live": False, "left": ""} for run in header["runs"]]
    for run in runs:
        if run["state"] not in ("finished", "failed"):
            run["state"] = "cancelled"
        if "about" in run:
            run["about"] = {**run["about"], "dials": [], "cost": "", "quicker": ""}
    looked = {"look": dict(look), "ways": {}} if "look" in header else {}
    return {**header, "door": "", "live": False, "runs": runs, "pace": 20, **looked}


def _span(numbers) -> Spans:
    return Spans(tuple((at, at) for at in sorted(numbers)))


def _spans(have: Mapping[str, set[int]]) -> dict[str, Spans]:
    return {name: _span(places) for name, places in have.items()}


# --- exact values ---------------------------------------------------------------------------------------------------


@dataclass
class _Values:
    index: list[dict] = field(default_factory=list)
    parts: list[bytes] = field(default_factory=list)
    length: int = 0

    @property
    def bytes(self) -> bytes:
        return b"".join(self.parts)


def _values(stage: Stage, names: Mapping[str, list[str]], room: float) -> tuple[_Values, tuple[str, ...]]:
    """Whole quantities in double precision, the first ones first, as long as there is room."""
    found, exact = _Values(), []
    for run in stage.runs:
        for name in [name for name in names[run.id] if "~" not in name]:
            index, parts, length, before = [], [], 0, None
            for at in range(len(run.moments)):
                shape, data = _array(run.method.value(run.ensemble, run.at(iteration(run, at)).state, name))
                if data is None or data == before:
                    if data is not None:
                        index.append({**index[-1], "i": at})
                    continue
                before, packed_ = data, zlib.compress(data, 6)
                where = [found.length + length, len(packed_)]
                index.append({"u": run.id, "n": name, "i": at, "shape": list(shape), "at": where})
                parts.append(packed_)
                length += len(packed_)
                if TALL * (found.length + length) > room:
                    break
            if index and TALL * (found.length + length) <= room:
                found.index += index
                found.parts += parts
                found.length += length
                exact.append(name)
    return found, tuple(dict.fromkeys(exact))


def _array(value) -> tuple[tuple[int, ...], bytes | None]:
    """Of a pair (B, d): B, and below it a row with d."""
    if value is None:
        return (), None
    if isinstance(value, Paired):
        value = np.vstack([value.B, value.d])
    elif scipy.sparse.issparse(value):
        value = value.toarray()
    value = np.ascontiguousarray(value, dtype="<f8")
    return value.shape, value.tobytes()


# --- explanations ---------------------------------------------------------------------------------------------------


def _told(stage: Stage, pins: Sequence[tuple]) -> list[dict]:
    """Why the pinned entries are what they are, at every iteration; then what their terms lead to, breadth first."""
    asked = []
    for name, *where in pins:
        runs = [run for run in stage.runs if name in run.method.equations()]
        for run in runs or stage.runs[:1]:
            run.method.place(run.ensemble, name, *where)  # says what is wrong with a pin
            asked += [Entry(run.id, name, tuple(where), at) for at in reversed(range(len(run.moments)))]
    known, told = set(asked), []
    while asked and len(told) < WHYS:
        entry = asked.pop(0)
        answer = why(stage, entry)
        told.append(answer)
        for term in (answer["told"] or {}).get("terms", ()):
            if to := term.get("to"):
                further = Entry(entry.run, to["name"], tuple(to["where"]), to["iteration"])
                if further not in known:
                    known.add(further)
                    asked.append(further)
    return told


# --- the page -------------------------------------------------------------------------------------------------------

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}
html {{ color-scheme: light dark; }}
body {{ margin: 0; font: 16px/1.4 system-ui, sans-serif; color: light-dark(#1c2330, #e8eaf0);
  background: light-dark(#fff, #11141b); }}
main {{ max-width: 1400px; margin: auto; padding: 12px 16px 40px; --st-text-color: light-dark(#1c2330, #e8eaf0);
  --st-background-color: light-dark(#fff, #11141b); --st-secondary-background-color: light-dark(#f3f5f8, #1c212b);
  --st-border-color: light-dark(#d6dae1, #3b4250); --st-primary-color: light-dark(#1f4e95, #8db7f0) }}
h1 {{ font-size: 1.25rem; margin: 0 0 4px; }}
.caption {{ min-height: 1.5em; margin: 0 0 6px; font-size: 1.1rem; }}
.caption:empty {{ display: none; }}
noscript, .fault {{ display: block; padding: 12px; border: 1px solid; border-radius: 8px; }}
</style>
<main><h1>{title}</h1><p class="caption" role="status"></p><div class="root"></div>
<noscript>This film needs JavaScript.</noscript></main>
<script type="application/json" id="about">{about}</script>
<script type="application/octet-stream" id="reel">{reel}</script>
<script type="module">{script}
</script></html>
"""


def _page(stage: Stage, body: Mapping, content: bytes, captions: Mapping[int, str]) -> bytes:
    said = [{"from": int(at), "text": str(text)} for at, text in sorted(captions.items())]
    about = json.dumps({**body, "captions": said}, separators=(",", ":"), allow_nan=False)
    script = packed("hosts/film.js").replace("export default ", "const mount = ").replace("\nexport const ", "\nconst ")
    return PAGE.format(
        title=html(_title(stage)),
        style=style().replace(":host", "main"),
        about=about.replace("<", "\\u003c"),
        reel=base64.b64encode(content).decode(),
        script=(script + "\nmount(document);").replace("</", "<\\/"),
    ).encode()
