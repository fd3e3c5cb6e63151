"""A page that was left has nothing more to say.

The browser goes on speaking in the name of the page it shows until it has heard that another one begins. Where the live
view asks something in that moment, Streamlit turns back to the page that was left, finds no such piece of it, and
leaves the screen empty. So of each connection it is known which page was asked for last, and pieces of another one are
not heard. That the browser alone changes pages is counted on: nothing here uses `st.switch_page`.

A tab may be closed while something is written to it. What was heard from it says so next; that it could not be written
is no fault. Told of it, Streamlit would take the end of the connection for a message of the wrong kind.
"""

from __future__ import annotations

import contextlib

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg


class Leaving:
    """Between a browser's connection and Streamlit."""

    def __init__(self, app):
        self._app = app

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "websocket":
            return await self._app(scope, receive, send)
        page = ""  # not known: the first message names it by its address

        async def heard():
            nonlocal page
            while True:
                message = await receive()
                asked = _asked(message)
                if asked is not None and not asked.fragment_id:
                    page = asked.page_script_hash
                if asked is None or not page or asked.page_script_hash == page:
                    return message

        async def told(message):
            with contextlib.suppress(OSError):
                await send(message)

        return await self._app(scope, heard, told)


def _asked(message):
    """The run that is asked for; None where something else is said."""
    said = BackMsg()
    try:
        said.ParseFromString(message.get("bytes") or b"")
    except DecodeError:
        return None  # for Streamlit to refuse
    return said.rerun_script if said.WhichOneof("type") == "rerun_script" else None
