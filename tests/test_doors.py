"""Who is let in, what is refused before it costs anything, and what every answer forbids."""

from __future__ import annotations

import asyncio
import json
import re
import time

import pytest
from asking import ask, asked, run
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route, WebSocketRoute
from streamlit import config

from consensus_core.live.protocol import Answer
from pages.ui import door as door_room
from pages.ui import live, server
from pages.ui.cookie import COOKIE
from pages.ui.door import DEADLINE, LARGEST, TOGETHER
from pages.ui.guard import Guard, own_names
from pages.ui.session import Session, opened

JSON = "application/json"


async def _hello(request):
    return PlainTextResponse("hello", headers={"x-frame-options": "ALLOWALL"} if "loose" in request.url.query else {})


async def _socket(socket):
    await socket.accept()


async def _broken(scope, receive, send):
    raise RuntimeError("something of Streamlit's broke")


ROUTES = [
    Route("/", _hello),
    Route("/_stcore/health", _hello),
    Route("/_stcore/host-config", _hello),
    Route("/_stcore/metrics", _hello),
    Route("/media/x", _hello),
    Route("/away", lambda request: RedirectResponse("/")),
    WebSocketRoute("/_stcore/stream", _socket),
]


@pytest.fixture(scope="module")
def app():
    return Guard(Starlette(routes=ROUTES))


# --- who may ask ----------------------------------------------------------------------------------------------------


def fetch(site, mode, dest):
    """What a browser says of a request by itself."""
    return {"sec_fetch_site": site, "sec_fetch_mode": mode, "sec_fetch_dest": dest}


OWN_PAGE = {"origin": "http://localhost:8501", "sec_fetch_site": "same-origin", "sec_fetch_mode": "cors"}
FOREIGN_PAGES = {
    "another host": {"origin": "http://evil.example"},
    "another host on our port": {"origin": "http://evil.example:8501"},
    "another port": {"origin": "http://localhost:8698"},
    "no port": {"origin": "http://localhost"},
    "the same machine by number": {"origin": "http://127.0.0.1:8501"},
    "a frame without an origin": {"origin": "null"},
    "https": {"origin": "https://localhost:8501", "host": "localhost"},
    "junk": {"origin": "http://[::1"},
    "an image of another site's": fetch("cross-site", "no-cors", "image"),
    "an image of another port's": fetch("same-site", "no-cors", "image"),
    "a frame": fetch("cross-site", "navigate", "iframe"),
    "a frame of another port": fetch("same-site", "navigate", "iframe"),
    "a form": {**fetch("cross-site", "navigate", "document"), "method": "POST"},
}


@pytest.mark.parametrize("who", FOREIGN_PAGES)
def test_a_page_of_another_origin_is_refused(app, who):
    said = ask(app, "/", **FOREIGN_PAGES[who])
    assert said.status == 403 and said["content-security-policy"]


@pytest.mark.parametrize(
    "how",
    [
        {},  # a program, or an older browser
        OWN_PAGE,
        {"sec_fetch_site": "none", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"},
        {
            "sec_fetch_site": "cross-site",
            "sec_fetch_mode": "navigate",
            "sec_fetch_dest": "document",
        },  # a link in a mail
        {"origin": "http://192.168.1.7", "host": "192.168.1.7:80"},
        {"origin": "https://quorum.local", "host": "quorum.local:443"},
        {"origin": "http://[::1]:8501", "host": "[::1]:8501"},
    ],
    ids=str,
)
def test_our_own_pages_programs_and_links_are_not(app, how):
    assert ask(app, "/", **how).status == 200


@pytest.mark.parametrize(
    ("origin", "host", "let_in"),
    [
        ("http://localhost:8501", "localhost:8501", True),
        (None, "localhost:8501", True),  # no browser
        ("http://localhost:8698", "localhost:8501", False),  # was let in: hosts were compared, not ports
        ("http://evil.example", "localhost:8501", False),
        ("http://127.0.0.1:8501", "localhost:8501", False),
        ("null", "localhost:8501", False),
        ("http://evil.example:8501", "evil.example:8501", False),  # a name that was made to point here
    ],
)
def test_the_websocket_compares_origins_with_their_ports(app, origin, host, let_in):
    said = ask(app, "/_stcore/stream", scheme="ws", origin=origin, host=host)
    assert (said.status == 101) == let_in and (said.closed is None) == let_in


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8501", True),
        ("LOCALHOST", True),
        ("127.0.0.1:8501", True),
        ("[::1]:8501", True),
        ("192.168.1.7:8501", True),
        ("teacher-laptop:8501", True),
        ("teacher.local:8501", True),
        ("x.localhost", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("a b", False),
        ("x<script>", False),
        ("x@y", False),
        ("", False),
    ],
)
def test_a_name_somebody_made_point_here_is_refused(app, host, known):
    """DNS rebinding: the page is then of the same origin as we are, and could read everything."""
    said = ask(app, "/", host=host)
    assert said.status == (200 if known else 421)
    if host == "evil.example":
        assert b"--server.allowedHosts evil.example" in said.body
    assert b"<script>" not in said.body


def test_this_machines_own_names_are_known(app):
    for name in own_names():
        assert ask(app, "/", host=name).status == 200


def test_whoever_runs_it_may_allow_names_and_origins(app):
    before = config.get_option("server.allowedHosts"), config.get_option("server.corsAllowedOrigins")
    try:
        config.set_option("server.allowedHosts", ["quorum.example"])
        assert ask(app, "/", host="quorum.example").status == 200
        assert ask(app, "/", host="other.example").status == 421
        config.set_option("server.allowedHosts", [])
        config.set_option("server.corsAllowedOrigins", ["https://portal.example"])
        assert ask(app, "/", origin="https://portal.example").status == 200
        assert ask(app, "/", origin="https://other.example").status == 403
    finally:
        config.set_option("server.allowedHosts", before[0])
        config.set_option("server.corsAllowedOrigins", before[1])


def test_the_numbers_of_the_server_are_for_this_machine_only(app):
    path = "/_stcore/metrics"
    assert ask(app, path).status == 200 and ask(app, path, client="::1").status == 200
    assert ask(app, path, client="192.168.1.9").status == 404
    assert ask(app, path, x_forwarded_for="192.168.1.9").status == 404


# --- what answers forbid --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/?loose", "/media/x", "/away", "/nothing/here", "/_stcore/health"])
@pytest.mark.parametrize("origin", [None, "http://evil.example"])
def test_every_answer_says_what_is_forbidden(app, path, origin):
    said = ask(app, path, origin=origin)
    policy = said["content-security-policy"]
    assert "frame-ancestors 'none'" in policy and "default-src 'self'" in policy
    assert said.all("x-frame-options") == ["DENY"] and said["x-content-type-options"] == "nosniff"
    assert said["referrer-policy"] == "no-referrer" and said["cross-origin-resource-policy"] == "same-origin"
    assert said["cross-origin-opener-policy"] == "same-origin"
    images = re.search(r"img-src ([^;]*)", policy)[1].split()
    assert set(images) == {"'self'", "data:", "blob:"}
    for directive in policy.split("; "):
        assert "*" not in directive and "http" not in directive, directive


def test_the_answer_to_a_fault_forbids_as_much(app):
    heard = []

    async def send(message):
        heard.append(message)

    scope = {"type": "http", "path": "/", "method": "GET", "scheme": "http", "headers": [(b"host", b"localhost")]}
    with pytest.raises(RuntimeError):
        run(Guard(_broken)(scope, None, send))
    assert heard[0]["status"] == 500 and b"content-security-policy" in dict(heard[0]["headers"])


def test_the_inline_scripts_of_the_page_are_named_by_their_content():
    around = next(one for one in server.guards() if one.cls is Guard)
    policy = ask(around.cls(Starlette(routes=ROUTES), **around.kwargs), "/")["content-security-policy"]
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2
    assert "'unsafe-inline'" not in re.search(r"script-src ([^;]*)", policy)[1]


def test_the_policy_cannot_be_written_by_the_host_header(app):
    for host in ("evil.example", "a; script-src *", "a\r\nx: y"):
        assert "evil" not in (ask(app, "/", host=host)["content-security-policy"] if host != "evil.example" else "")
        assert "script-src *" not in ask(app, "/", host=host)["content-security-policy"]


# --- the cookie -----------------------------------------------------------------------------------------------------


def cookie_of(said):
    (line,) = said.all("set-cookie")
    name, _, value = line.split(";")[0].partition("=")
    assert name == COOKIE
    return value, {part.strip() for part in line.split(";")[1:]}


def test_the_server_sets_the_cookie_where_no_script_can_reach_it(app):
    value, how = cookie_of(ask(app, "/_stcore/host-config"))
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", value)
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= how and "Secure" not in how
    assert "Secure" in cookie_of(ask(app, "/_stcore/host-config", scheme="https"))[1]


def test_the_cookie_stays_the_same(app):
    value, _ = cookie_of(ask(app, "/_stcore/host-config"))
    for cookie in (f"{COOKIE}={value}", f"a=b; {COOKIE}={value}; c=d"):
        assert cookie_of(ask(app, "/_stcore/host-config", cookie=cookie))[0] == value
    for junk in (
        "x",
        f"{COOKIE}=short",
        f"{COOKIE}=" + "x" * 5000,
        f'{COOKIE}="{value}"x',
        ";;==",
        f"{COOKIE}=../../etc",
    ):
        assert cookie_of(ask(app, "/_stcore/host-config", cookie=junk))[0] != value


def test_a_link_from_another_site_does_not_make_a_new_visitor_of_an_old_one(app):
    """The first request after following it comes without the strict cookie. A new one then would lose everything
    that is kept; only what the page itself asks brings one along."""
    assert not ask(app, "/", **fetch("cross-site", "navigate", "document")).all("set-cookie")
    assert not ask(app, "/_stcore/host-config", origin="http://evil.example").all("set-cookie")


# --- POST /live -----------------------------------------------------------------------------------------------------


@pytest.fixture
def live_app():
    return Guard(Starlette(routes=server.doors()))


@pytest.fixture
def mine(monkeypatch):
    """Somebody who lives here, and whose questions are answered with what was asked."""
    me = opened(Session())
    monkeypatch.setattr(live, "heard_aside", lambda door, asked: door == me.door)
    monkeypatch.setattr(live, "patience", lambda stage, asked: 0.0)
    monkeypatch.setattr(live, "awaited", lambda stage, asked: False)
    monkeypatch.setattr(live, "answer_aside", lambda stage, asked: Answer({"seq": asked.seq}, b""))
    return me


def live_ask(app, mine=None, body=b"{}", **more):
    headers = {"content_type": JSON, "content_length": str(len(body)), "x_quorum_door": mine.door if mine else "nobody"}
    return ask(app, "/live", "POST", body, **{**headers, **more})


def test_a_question_is_answered(live_app, mine):
    said = live_ask(live_app, mine, b'{"seq": 7}')
    assert said.status == 200 and json.loads(said.body[4:]) == {"seq": 7}


def test_a_door_is_looked_at_before_the_body_is_read(live_app, mine):
    """300 MB to nobody's door: the server stood still for 28 s and took 2 GB."""
    said = live_ask(live_app, None, b"x" * (1 << 20), content_length=None)
    assert said.status == 404 and said.read == 0
    for door in ("", "x" * 10_000, "\u00fc", None):
        assert live_ask(live_app, mine, x_quorum_door=door).status == 404


def test_too_much_is_refused_by_what_it_says_and_by_what_comes(live_app, mine):
    large = b'{"a": [' + b"1," * LARGEST + b"1]}"
    said = live_ask(live_app, mine, large)
    assert said.status == 413 and said.read == 0
    said = live_ask(live_app, mine, large, content_length=None)
    assert said.status == 413 and said.read <= LARGEST + (1 << 16)
    assert live_ask(live_app, mine, large, content_length="5").status == 413, "it said less than came"
    assert live_ask(live_app, mine, content_length="9" * 5000).status == 413
    fits = b'{"a": "' + b"x" * (LARGEST - 9) + b'"}'
    assert live_ask(live_app, mine, fits).status == 200


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "", "\u0661", " 5"])
def test_a_length_that_is_none(live_app, mine, length):
    assert live_ask(live_app, mine, content_length=length).status == 400


@pytest.mark.parametrize("kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_foreign_page_may_send_without_asking_is_refused(live_app, mine, kind):
    assert live_ask(live_app, mine, content_type=kind).status == 415


@pytest.mark.parametrize("who", [who for who in FOREIGN_PAGES if who != "a form"])
def test_a_foreign_page_does_not_reach_the_door(live_app, mine, who):
    said = live_ask(live_app, mine, **FOREIGN_PAGES[who])
    assert said.status == 403 and said.read == 0


@pytest.mark.parametrize("charset", [JSON, "application/json; charset=utf-8", "Application/JSON"])
def test_json_is_json(live_app, mine, charset):
    assert live_ask(live_app, mine, content_type=charset).status == 200


NONSENSE = [
    b"", b"x", b"[]", b"3", b'"x"', b"null", b"{", b"\xff\xfe", b"{'a': 1}", b'{"a": NaN}', b'{"a": Infinity}',
    b'{"a": 1e999}', b'{"a": -1e999}', b'{"a": ' + b"9" * 5000 + b"}", b"[" * 100_000, b'{"a":' * 50_000,
    b'{"a": ' + b"[" * 60_000 + b"]" * 60_000 + b"}",
]  # fmt: skip


@pytest.mark.parametrize("body", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_400(live_app, mine, body):
    """100,000 brackets were a RecursionError and sixty lines of log, without any door."""
    assert live_ask(live_app, mine, body).status == 400


def test_a_body_that_does_not_come_is_not_waited_for(live_app, mine, monkeypatch):
    """400 unfinished bodies were all still held after 30 s."""
    assert DEADLINE == 10
    monkeypatch.setattr(door_room, "DEADLINE", 0.2)
    began = time.monotonic()
    assert live_ask(live_app, mine, b'{"a":', content_length="100", never_ends=True).status == 408
    assert time.monotonic() - began < 5
    assert not door_room._WAITING


def test_one_door_has_few_questions_at_once(live_app, mine, monkeypatch):
    monkeypatch.setattr(door_room, "DEADLINE", 0.3)

    async def many():
        headers = {"content_type": JSON, "x_quorum_door": mine.door}
        slow = [asked(live_app, "/live", "POST", b"{", never_ends=True, **headers) for _ in range(TOGETHER + 5)]
        return [said.status for said in await asyncio.gather(*slow)]

    assert sorted(run(many())) == [408] * TOGETHER + [429] * 5
    assert live_ask(live_app, mine).status == 200, "and again as many as ever"


def test_other_ways_to_ask_are_none(live_app, mine):
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "HEAD"):
        assert ask(live_app, "/live", method).status in (404, 405)
