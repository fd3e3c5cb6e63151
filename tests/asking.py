"""Asks an ASGI application as a browser would, without a server: status, headers, body."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field


@dataclass
class Said:
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    closed: int | None = None  # a WebSocket's code
    read: int = 0  # bytes of the question that were taken in

    def __getitem__(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]


def run(coroutine):
    """What it comes to, in a thread of its own: a browser test that ran before leaves its loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def ask(
    app, path="/", method="GET", body=b"", chunk=1 << 16, never_ends=False, client="127.0.0.1", scheme="http", **headers
):
    """Header names with underscores for hyphens; `never_ends`: the body does not come to its end."""
    return run(asked(app, path, method, body, chunk, never_ends, client, scheme, **headers))


async def asked(app, path="/", method="GET", body=b"", chunk=1 << 16, never_ends=False, client="127.0.0.1",
                scheme="http", **headers) -> Said:  # fmt: skip
    said, at = Said(), 0
    headers = {"host": "localhost:8501", **headers}
    kind = "websocket" if scheme.startswith("ws") else "http"
    path, _, query = path.partition("?")
    scope = {
        "type": kind, "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "root_path": "", "scheme": scheme, "client": (client, 5000), "server": ("localhost", 8501), "subprotocols": [],
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items() if v is not None],
    }  # fmt: skip
    if kind == "http":
        del scope["subprotocols"]

    async def receive():
        nonlocal at
        if kind == "websocket":
            return {"type": "websocket.connect"}
        if at >= len(body) and never_ends:
            await asyncio.sleep(3600)
        part = body[at : at + chunk]
        at += len(part)
        said.read = at
        return {"type": "http.request", "body": part, "more_body": never_ends or at < len(body)}

    async def send(message):
        match message["type"]:
            case "http.response.start":
                said.status = message["status"]
                said.headers = [(k.decode(), v.decode()) for k, v in message["headers"]]
            case "http.response.body":
                said.body += message.get("body", b"")
            case "websocket.close":
                said.closed = message["code"]
            case "websocket.accept":
                said.status = 101

    await app(scope, receive, send)
    return said
