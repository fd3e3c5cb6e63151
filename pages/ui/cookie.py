"""The cookie that tells a visitor's browser from all others: set by the server, out of reach of any script."""

from __future__ import annotations

import re
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers

from consensus_core.keep.store import new_id

COOKIE = "quorum_desk"
YEAR = 365 * 86400
_ID = re.compile(r"[A-Za-z0-9_-]{22}")


def desk_in(value: str) -> str:
    """The id a cookie brings, or "" where it brings none that we made."""
    return value if _ID.fullmatch(value or "") else ""


def given(headers: Headers) -> str:
    """The id in a request, "" where there is none."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return desk_in(found.value) if found else ""


def set_cookie(desk: str, secure: bool) -> str:
    """The header: the same id for another year, or a new one.

    Strict: no other site's page makes the browser send it. A browser ignores it where another site's page asked.
    """
    parts = [f"{COOKIE}={desk or new_id()}", f"Max-Age={YEAR}", "Path=/", "HttpOnly", "SameSite=Strict"]
    return "; ".join([*parts, "Secure"] if secure else parts)
