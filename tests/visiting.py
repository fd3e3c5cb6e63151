"""A visitor without a browser: opens pages over Streamlit's own protocol, clicks, gives files, hears what is shown."""

from __future__ import annotations

import contextlib
import http.client
import secrets
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from consensus_core.keep.store import new_id

PATIENCE = 120.0  # seconds


@dataclass
class Page:
    """What one run of the script showed."""

    faults: list[str] = field(default_factory=list)  # tracebacks
    warnings: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # everything written in Markdown, headings too
    query: str | None = None  # the address as the server put it right
    buttons: dict[str, str] = field(default_factory=dict)  # label -> id
    choices: dict[str, tuple[str, str]] = field(default_factory=dict)  # label -> id of a selectbox, what it shows
    uploader: str = ""  # the id of where a file is given
    piece: str = ""  # the part of the page that the live view stands in, which is drawn anew without the rest

    def says(self, words: str) -> bool:
        return any(words in text.replace("\\", "").replace("\u2060", "") for text in (*self.texts, *self.warnings))


class Visitor:
    """`with Visitor(server) as me: me.open("data=iris")`; the same `desk` is the same visitor."""

    def __init__(self, server, desk: str | None = None, **headers):
        self.server = server
        self.desk = new_id() if desk is None else desk
        cookie = {"Cookie": f"quorum_desk={self.desk}"} if self.desk else {}
        self._address = server.url.replace("http", "ws") + "/_stcore/stream"
        self._how = dict(max_size=None, subprotocols=["streamlit"], compression=None, close_timeout=0.2)
        self._how["additional_headers"] = {**cookie, **headers}
        self._open = contextlib.ExitStack()
        self._session = self._query = self._page_name = ""
        self.number = ""  # of the page that is shown
        self._given: list = []  # what every message repeats: the files given
        self.page = Page()
        self.begun: list[str] = []  # the pages that runs were begun for, by their numbers

    def __enter__(self) -> Visitor:
        self._socket = self._open.enter_context(connect(self._address, **self._how))
        return self

    def __exit__(self, *_) -> None:
        self._open.close()

    # --- what a person does -----------------------------------------------------------------------------------------

    def open(self, query: str = "", page: str = "") -> Page:
        self._query, self._page_name = query, page
        return self.again()

    def leaves(self, page: str, **chosen: str) -> Page:
        """For another page, by its link, in the breath in which something was chosen: label -> text."""
        states = []
        for label, text in chosen.items():
            state = BackMsg().rerun_script.widget_states.widgets.add()
            state.id, state.string_value = self.page.choices[label.replace("_", " ")][0], text
            states.append(state)
        self._query, self._page_name = "", page
        return self.again(*states)

    def again(self, *states, piece: str = "") -> Page:
        """The same page once more, or that piece of it; `states` of its widgets changed."""
        self._say(*states, piece=piece, number=self.number if piece else "")
        self.page = self._heard()
        return self.page

    def leaves_as_the_view_asks(self, page: str, number: str) -> Page:
        """For the page of that number; the live view of this one asks before the browser has heard of it."""
        self._query, self._page_name = "", page
        self._say(number=number)
        self._say(piece=self.page.piece, number=self.number)
        self.page = self._heard()
        return self.page

    def click(self, label: str, as_the_view: bool = False) -> Page:
        """`as_the_view`: in the moment in which the live view asked something, and so in its name."""
        state = BackMsg().rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = self.page.buttons[label], True
        return self.again(state, piece=self.page.piece if as_the_view else "")

    def give(self, name: str, content: bytes) -> Page:
        """A file, as if chosen in the dialog."""
        file_id, path, place = self._place_for(name)
        boundary = secrets.token_hex(8)
        body = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'.encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", **self._token()}
        asked = http.client.HTTPConnection("localhost", self.server.port, timeout=PATIENCE)
        with contextlib.closing(asked):
            asked.request("PUT", path, body + content + f"\r\n--{boundary}--\r\n".encode(), headers)
            assert asked.getresponse().status == 204
        state = BackMsg().rerun_script.widget_states.widgets.add()
        state.id = self.page.uploader
        file = state.file_uploader_state_value.uploaded_file_info.add()
        file.name, file.size, file.file_id = name, len(content), file_id
        file.file_urls.CopyFrom(place)
        self._given = [state]
        return self.again()

    # --- inside -----------------------------------------------------------------------------------------------------

    def _say(self, *states, piece: str = "", number: str = "") -> None:
        message = BackMsg()
        message.rerun_script.fragment_id, message.rerun_script.page_script_hash = piece, number
        message.rerun_script.query_string = self._query
        message.rerun_script.page_name = self._page_name
        for state in (*self._given, *states):
            message.rerun_script.widget_states.widgets.add().CopyFrom(state)
        self._socket.send(message.SerializeToString())

    def _place_for(self, name: str):
        message = BackMsg()
        message.file_urls_request.request_id = secrets.token_hex(8)
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        self._socket.send(message.SerializeToString())
        while True:
            answer = self._next()
            if answer.WhichOneof("type") == "file_urls_response":
                place = answer.file_urls_response.file_urls[0]
                return place.file_id, place.upload_url, place

    def _token(self) -> dict[str, str]:
        """Streamlit's own against foreign uploads."""
        asked = http.client.HTTPConnection("localhost", self.server.port, timeout=PATIENCE)
        with contextlib.closing(asked):
            asked.request("GET", "/_stcore/health")
            answer = asked.getresponse()
            answer.read()
        said = [line for line in answer.headers.get_all("Set-Cookie", []) if line.startswith("_streamlit_xsrf=")]
        token = said[0].split(";")[0].partition("=")[2]
        return {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}; quorum_desk={self.desk}"}

    def _next(self) -> ForwardMsg:
        message = ForwardMsg()
        message.ParseFromString(self._socket.recv(timeout=PATIENCE))
        return message

    def _heard(self) -> Page:
        """Until the script, and what it asked to be run anew, has come to its end."""
        seen = Page()
        while True:
            message = self._next()
            match message.WhichOneof("type"):
                case "new_session":
                    self._session = message.new_session.initialize.session_id
                    self.begun.append(message.new_session.page_script_hash)
                    seen = Page(query=seen.query)  # a run that put the link right begins anew
                case "navigation":
                    self.number = message.navigation.page_script_hash
                case "page_info_changed":
                    seen.query = self._query = message.page_info_changed.query_string
                case "delta":
                    self._take(message.delta.new_element, seen)
                    if message.delta.new_element.bidi_component.id.endswith("-live"):
                        seen.piece = message.delta.fragment_id
                case "script_finished":
                    if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
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
            case "button":
                seen.buttons[element.button.label] = element.button.id
            case "selectbox":
                box = element.selectbox
                shown = box.raw_value if box.set_value else box.options[box.default]
                seen.choices[box.label] = box.id, shown
            case "file_uploader":
                seen.uploader = element.file_uploader.id
