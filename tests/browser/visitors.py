"""Fresh visitors without a fresh browser for each: what a visitor left behind is cleared away, what the browser has
learned of our own scripts stays. Half of the time of a page is reading and compiling Streamlit's."""

from __future__ import annotations

import contextlib
import json

KINDS = "cookies,local_storage,indexeddb,service_workers,cache_storage,websql,file_systems"


class Visitors:
    """`visit(**how)`: a page of somebody who was never here; `leave(page)`: somebody else may have the place."""

    def __init__(self, browser):
        self._browser = browser
        self._free: dict[str, list] = {}

    def visit(self, **how):
        kind = json.dumps(how, sort_keys=True)
        free = self._free.setdefault(kind, [])
        context = free.pop() if free else self._browser.new_context(**how)
        page = context.new_page()
        page.kind_of_visitor = kind
        return page

    def leave(self, page, origin: str) -> None:
        context = page.context
        with contextlib.suppress(Exception):  # a page that has gone astray takes its place with it
            last = context.new_page()
            for other in context.pages:
                if other is not last:
                    other.close()
            context.clear_cookies()
            context.clear_permissions()
            last.context.new_cdp_session(last).send(
                "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": KINDS}
            )
            last.close()
            self._free[page.kind_of_visitor].append(context)
            return
        context.close()
