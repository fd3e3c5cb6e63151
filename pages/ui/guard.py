"""Stands around the whole server: who may ask, and what every answer tells the browser to forbid.

A web page that is open in the same browser, and a name somebody else made point at this machine, are refused before
anything is looked at. What comes back may not be framed, guessed at, or load anything from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.web.server.server_util import is_allowed_origin
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from .cookie import given, set_cookie

# asked by the page's own JavaScript before it opens its connection, which then brings the cookie along
FIRST_ASKED = "/_stcore/host-config"
METRICS = "/_stcore/metrics"
LOCAL_ENDINGS = (".local", ".localhost", ".localdomain", ".lan", ".internal", ".home.arpa")  # nobody can register them
UNKNOWN = (
    "This Quorum does not know itself by the name {host}. Open it by its number (like http://192.168.1.7:8501), or let "
    "whoever runs it add the name: --server.allowedHosts {host}"
)
FOREIGN = "This Quorum answers its own pages only."
_SAFE_HOST = re.compile(r"[A-Za-z0-9.:\[\]_-]+")


class Guard:
    def __init__(self, app, inline_scripts: Iterable[str] = ()):
        self._app = app
        self._scripts = " ".join(f"'sha256-{_hash(script)}'" for script in inline_scripts)
        self._own_names = own_names()

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal:
                await send({"type": "websocket.close", "code": 1008})
                return None
            return await self._app(scope, receive, send)

        begun = False

        async def guarded(message):
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                answer = MutableHeaders(scope=message)
                self._forbid(answer, headers.get("host", ""))
                if scope["path"].endswith(FIRST_ASKED) and not refusal:
                    answer.append("set-cookie", set_cookie(given(headers), scope["scheme"] == "https"))
            await send(message)

        if refusal:
            return await PlainTextResponse(refusal[1] + "\n", refusal[0])(scope, receive, guarded)
        try:
            return await self._app(scope, receive, guarded)
        except Exception:
            if not begun:  # the answer to a fault forbids as much as any other
                await PlainTextResponse("Internal Server Error\n", 500)(scope, receive, guarded)
            raise

    # --- who may ask ------------------------------------------------------------------------------------------------

    def _refusal(self, scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._knows(host):
            # a page elsewhere may make its own name point here, and is then of the same origin
            return 421, UNKNOWN.format(host=host if _SAFE_HOST.fullmatch(host) else "it was asked by")
        if foreign(scope, headers):
            return 403, FOREIGN
        if scope["path"].endswith(METRICS) and not from_this_machine(scope, headers):
            return 404, "Not Found"
        return None

    def _knows(self, host: str) -> bool:
        if not _SAFE_HOST.fullmatch(host):
            return False
        if config.get_option("server.allowedHosts"):
            return is_host_allowed(host)
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        return "." not in name or is_number(name) or name.endswith(LOCAL_ENDINGS) or name in self._own_names

    # --- what an answer forbids -------------------------------------------------------------------------------------

    def _forbid(self, answer: MutableHeaders, host: str) -> None:
        answer["Content-Security-Policy"] = self._policy(host if _SAFE_HOST.fullmatch(host) else "")
        answer["X-Content-Type-Options"] = "nosniff"
        answer["X-Frame-Options"] = "DENY"  # for browsers that do not know frame-ancestors
        answer["Referrer-Policy"] = "no-referrer"  # ids of data stand in addresses
        answer["Cross-Origin-Opener-Policy"] = "same-origin"
        answer["Cross-Origin-Resource-Policy"] = "same-origin"
        answer["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"

    def _policy(self, host: str) -> str:
        """Streamlit makes modules and workers from text (blob:), styles as it goes, and pictures in place (data:).
        Plotly's map of many points builds its shaders' functions from text ('unsafe-eval')."""
        sockets = f" ws://{host} wss://{host}" if host else ""  # 'self' does not mean them in every browser
        return "; ".join(
            [
                "default-src 'self'",
                f"script-src 'self' blob: 'unsafe-eval' {self._scripts}".rstrip(),
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob:",
                "font-src 'self' data:",
                f"connect-src 'self' blob: data:{sockets}",
                "worker-src 'self' blob:",
                "media-src 'self' blob:",
                "frame-src 'none'",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
            ]
        )


def foreign(scope, headers: Headers) -> bool:
    """Asked by a page of another origin: another host, or another port of this one."""
    origin = headers.get("origin")
    if origin is not None and not _same_origin(origin, headers.get("host", "")) and not is_allowed_origin(origin):
        return True
    if headers.get("sec-fetch-site") not in ("cross-site", "same-site"):
        return False
    opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not (opened and scope.get("method") == "GET")  # a link may be followed from anywhere


def _same_origin(origin: str, host: str) -> bool:
    try:
        said = urlsplit(origin)
        asked = urlsplit(f"//{host}")
        usual = {"http": 80, "https": 443}[said.scheme]
        return (said.hostname, said.port or usual) == (asked.hostname, asked.port or usual)
    except (KeyError, ValueError):
        return False


def from_this_machine(scope, headers: Headers) -> bool:
    """And not by way of a proxy on it."""
    client = (scope.get("client") or ("",))[0]
    passed_on = any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip"))
    return not passed_on and is_number(client) and ipaddress.ip_address(client.split("%")[0]).is_loopback


def is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return False
    return True


def own_names() -> frozenset[str]:
    """The names by which the operating system knows this machine."""
    name = socket.gethostname().lower()
    try:
        found = {info[3].lower() for info in socket.getaddrinfo(name, None, flags=socket.AI_CANONNAME) if info[3]}
    except OSError:
        found = set()
    return frozenset({name, *found})


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
