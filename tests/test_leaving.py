"""Between a browser's connection and Streamlit: a tab that is closed while something is written to it."""

from __future__ import annotations

import pytest
from asking import run
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.ui.leaving import Leaving


@pytest.mark.parametrize("around", [Leaving, lambda app: app], ids=["with us", "without"])
def test_a_tab_closed_while_it_is_written_to_ends_like_any_other(around):
    """Without, nobody hears that the tab is gone: the connection only says that it cannot be heard any more, which
    Streamlit takes for a text message, and a traceback stands in the log."""
    ended = []

    async def page(scope, receive, send):
        connection = WebSocket(scope, receive, send)
        await connection.accept()
        try:
            await connection.send_bytes(b"a picture")
        except WebSocketDisconnect:  # as whoever writes hears it, beside the one who listens
            ended.append("while writing")
        try:
            await connection.receive_bytes()
        except WebSocketDisconnect:
            ended.append("as it is left")
        except RuntimeError:
            ended.append("by a fault")

    said = iter([{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1006}])

    async def receive():
        return next(said)

    async def send(message):
        if message["type"] == "websocket.send":
            raise OSError("the tab is gone")

    run(around(page)({"type": "websocket", "headers": [], "path": "/"}, receive, send))
    assert ended == (["as it is left"] if around is Leaving else ["while writing", "by a fault"])
