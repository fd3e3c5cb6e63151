"""What stands at the server's door: the addresses of the pages, and everything ready before the first visitor comes."""

from __future__ import annotations

import asyncio
import gc
import importlib
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route

PAGES = {
    "watch": ("Watch", ":material/play_circle:"),  # the first is the one at the server's own address
    "data": ("Data", ":material/table:"),
}
FIRST = next(iter(PAGES))
ICON = Path(__file__).with_name("icon.svg")
_INDEX = Path(streamlit.__file__).parent / "static" / "index.html"
# The browser is told where its server is. Otherwise it asks at the page's own address first (/data/_stcore/health),
# and that fails, visibly in its console.
_HOME = "<script>window.__streamlit = {BACKEND_BASE_URL: new URL('./', location.href).href}</script>"


def doors() -> list[Route]:
    """One for each page."""
    here = _INDEX.read_text(encoding="utf-8")
    here = here.replace("<title>Streamlit</title>", f"<title>Quorum</title>{_HOME}")

    async def front(request):
        return HTMLResponse(here, headers={"Cache-Control": "no-cache"})

    async def home(request):
        query = request.url.query
        return RedirectResponse("./" + (f"?{query}" if query else ""))

    return [Route("/", front), Route(f"/{FIRST}", home), *(Route(f"/{name}", front) for name in PAGES if name != FIRST)]


@asynccontextmanager
async def ready(app):
    """Before the first visitor: importing costs more than everything else a first picture needs."""
    await asyncio.to_thread(_warm_up)
    yield


def _warm_up() -> None:
    for room in ("arrived", "controls", "downloads", "keeping", "live", "making", "standing", "upload"):
        importlib.import_module(f"pages.ui.{room}")
    # what importing left behind never goes away: no need to look through it for garbage ever again
    gc.collect()
    gc.freeze()
