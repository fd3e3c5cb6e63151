"""What stands at the server's door: the addresses of the pages, and everything ready before the first visitor comes."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from streamlit import config
from streamlit.runtime import backend_operation_handler
from streamlit.runtime.media_file_storage import MediaFileStorageError

from consensus_core.live.crowd import CROWD
from consensus_core.live.parse import parsed
from consensus_core.live.protocol import NotAQuestion

from .door import Refused, Waiting, at_the_door, question
from .guard import Guard
from .leaving import Leaving

PAGES = {
    "watch": ("Watch", ":material/play_circle:"),  # the first is the one at the server's own address
    "data": ("Data", ":material/table:"),
    "compare": ("Compare", ":material/compare_arrows:"),
    "tune": ("Tune", ":material/tune:"),
    "learn": ("Learn", ":material/school:"),
    "methods": ("Methods", ":material/functions:"),
}
FIRST = next(iter(PAGES))
ROOMS = (
    "controls",
    "downloads",
    "figures",
    "kept",
    "lessons",
    "live",
    "making",
    "results",
    "summary",
    "tuning",
    "upload",
)
ICON = Path(__file__).with_name("icon.svg")
_INDEX = Path(streamlit.__file__).parent / "static" / "index.html"
HELPERS = 3.0  # seconds after which processes that help are started
LOOK = 0.003  # seconds between two looks for a frame that is about to come: a thread for each who waits would cost more
_ANSWERING = ThreadPoolExecutor(2, thread_name_prefix="answering")
# The browser is told where its server is. Otherwise it asks at the page's own address first (/data/_stcore/health),
# and that fails, visibly in its console.
_HOME = "<script>window.__streamlit = {BACKEND_BASE_URL: new URL('./', location.href).href}</script>"


def doors() -> list[Route]:
    """One for each page, and one for the live view's questions."""
    here = _front_page()

    async def front(request):
        return HTMLResponse(here, headers={"Cache-Control": "no-cache"})

    async def home(request):
        query = request.url.query
        return RedirectResponse("./" + (f"?{query}" if query else ""))

    base = under()
    pages = [Route(f"{base}/{name}", front) for name in PAGES if name != FIRST]
    live = Route(f"{base}/live", _live, methods=["POST"])
    return [Route(f"{base}/", front), Route(f"{base}/{FIRST}", home), *pages, live]


def under() -> str:
    """The path everything is found under ("/quorum"), "" where it is the server's own."""
    path = (config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def guards() -> list[Middleware]:
    """What stands around all doors, Streamlit's own too."""
    pages = _front_page() + _INDEX.read_text(encoding="utf-8")  # the second where there is no such page
    scripts = dict.fromkeys(re.findall(r"<script>(.*?)</script>", pages, re.DOTALL))
    return [Middleware(Guard, inline_scripts=scripts), Middleware(Leaving)]


def _front_page() -> str:
    here = _INDEX.read_text(encoding="utf-8")
    return here.replace("<title>Streamlit</title>", f"<title>Quorum</title>{_HOME}")


async def _live(request) -> Response:
    """Frames while a run plays. A script run and a look through the whole page for each of them would cost more than
    the frame."""
    from .session import session_behind

    CROWD.came(time.thread_time())
    try:
        door = at_the_door(request)
        if session_behind(door) is None:
            return Response(status_code=404)  # nobody lives here: the browser then asks through the page
        async with Waiting(door):
            return await _answered(door, await question(request))
    except Refused as refusal:
        return Response(status_code=refusal.status)


async def _answered(door: str, said: dict) -> Response:
    from .live import answer_aside, awaited, heard_aside, patience
    from .session import session_behind

    elsewhere = asyncio.get_running_loop().run_in_executor
    try:
        asked = parsed(said)
        stage = await elsewhere(_ANSWERING, heard_aside, door, asked)
    except NotAQuestion:
        return Response(status_code=400)  # not from the live view; nothing has changed
    if stage is None:  # not a fault: the browser asks again in a moment, or through the page
        mine = session_behind(door)
        return Response(status_code=202 if mine is not None and mine.between else 204)
    until = time.monotonic() + patience(stage, asked) / CROWD.size()  # of many, each is soon asked for again
    while awaited(stage, asked) and time.monotonic() < until:
        await asyncio.sleep(LOOK)
    answer = await elsewhere(_ANSWERING, answer_aside, stage, asked)
    # packed already: not to be packed again on the way
    return Response(answer.bytes(), media_type="application/octet-stream", headers={"Content-Encoding": "identity"})


def _plainly(record: logging.LogRecord) -> bool:
    """A download asked for in the moment its page is drawn anew is no longer there; the button of the new page has it,
    and nobody need read how far down it was looked for."""
    gone = record.exc_info and isinstance(record.exc_info[1], MediaFileStorageError)
    if gone:
        record.msg, record.args, record.exc_info = "A download was asked for that its page has just replaced.", (), None
    return True


@asynccontextmanager
async def ready(app):
    """Before the first visitor: importing costs more than everything else a first picture needs."""
    logging.getLogger(backend_operation_handler.__name__).addFilter(_plainly)
    await asyncio.to_thread(_warm_up)
    helpers = asyncio.create_task(_helpers())
    yield
    helpers.cancel()


async def _helpers() -> None:
    """Processes that read files and compute sweeps: the first page does without, and would come later beside them."""
    from consensus_core.sweep.crew import crew

    from .reading import box

    await asyncio.sleep(HELPERS)
    await asyncio.to_thread(box().warm)
    await asyncio.to_thread(crew().warm)


def _warm_up() -> None:
    for room in ROOMS:
        importlib.import_module(f"pages.ui.{room}")
    # what importing left behind never goes away: no need to look through it for garbage ever again
    gc.collect()
    gc.freeze()
