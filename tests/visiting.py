"""A visitor without a browser: opens a page over Streamlit's own protocol and hears what the script shows."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from consensus_core.keep.store import new_id

PATIENCE = 60.0  # seconds


@dataclass
class Page:
    """What one run of the script showed."""

    faults: list[str] = field(default_factory=list)  # tracebacks
    warnings: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # everything written in Markdown, headings too
    query: str | None = None  # the address as the server put it right


class Visitor:
    """`with Visitor(server) as me: me.open("data=iris")`; the same `desk` is the same visitor."""

    def __init__(self, server, desk: str | None = None, **headers):
        self.desk = new_id() if desk is None else desk
        cookie = {"Cookie": f"quorum_desk={self.desk}"} if self.desk else {}
        self._address = server.url.replace("http", "ws") + "/_stcore/stream"
        self._how = dict(max_size=None, subprotocols=["streamlit"], compression=None, close_timeout=0.2)
        self._how["additional_headers"] = {**cookie, **headers}
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Visitor:
        self._socket = self._open.enter_context(connect(self._address, **self._how))
        return self

    def __exit__(self, *_) -> None:
        self._open.close()

    def open(self, query: str = "", page: str = "") -> Page:
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        self._socket.send(message.SerializeToString())
        return self._heard()

    def _heard(self) -> Page:
        """Until the script, and what it asked to be run anew, has come to its end."""
        seen = Page()
        while True:
            message = ForwardMsg()
            message.ParseFromString(self._socket.recv(timeout=PATIENCE))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                seen = Page(query=seen.query)  # a run that put the link right begins anew
            elif kind == "page_info_changed":
                seen.query = message.page_info_changed.query_string
            elif kind == "delta":
                self._take(message.delta.new_element, seen)
            elif kind == "script_finished" and message.script_finished in (
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
            ):
                return seen

    @staticmethod
    def _take(element, seen: Page) -> None:
        match element.WhichOneof("type"):
            case "exception":
                seen.faults.append(f"{element.exception.type}: {element.exception.message}")
            case "alert":
                seen.warnings.append(element.alert.body)
            case "markdown":
                seen.texts.append(element.markdown.body)
            case "heading":
                seen.texts.append(element.heading.body)
