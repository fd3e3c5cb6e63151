"""A web page of another origin, or of another port of this machine, in the same real browser.

It can neither read, write, frame nor stop anything.
"""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pages.ui.address import own_number
from tests.browser.chromium import FLAGS, find
from tests.browser.steps import WAIT, as_csv, give, label_table, settled, shows, watched

PAGE = b"<!doctype html><title>stranger</title><body>hello"


class Stranger:
    """A server of somebody else's, on another port. It writes down what it is asked and what it is told."""

    def __enter__(self):
        asked = self.asked = []

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, dict(self.headers)))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(PAGE)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def stranger():
    with Stranger() as one:
        yield one


@pytest.fixture(scope="module")
def wild(chromium):
    """A browser to which evil.example is this machine, as a name server of somebody else's could say."""
    rules = "--host-resolver-rules=MAP *.example 127.0.0.1"
    browser = chromium.browser_type.launch(executable_path=find(), args=[*FLAGS, rules])
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def victim(wild, server):
    """Somebody with data and a run, whose browser then opens the stranger's page."""
    context = wild.new_context()
    page = context.new_page()
    context.set_default_timeout(WAIT)
    page.goto(f"{server.url}/data?from=upload")
    give(page, "private.csv", as_csv(label_table(40)))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("private.csv is in use now").wait_for()
    settled(page)
    yield page
    context.close()


ORIGINS = ("http://localhost:{port}", "http://127.0.0.1:{port}", "http://evil.example:{port}")
# what the page tries, each answered by what it got to see ("" : nothing)
TRIES = """async (home) => {
  const door = new URL('live', home).href, json = { 'Content-Type': 'application/json', 'X-Quorum-Door': 'x' };
  const big = '{"door":"x","a":[' + '1,'.repeat(2e6) + '1]}';
  const seen = {};
  const attempt = async (name, work) => {
    try { seen[name] = String(await work()); } catch (refusal) { seen[name] = ''; }
  };
  const read = (path, how) => fetch(new URL(path, home), how).then((answer) => answer.text());
  for (const path of ['', 'data', '_stcore/health', '_stcore/host-config', '_stcore/metrics', 'static/js/x.js'])
    await attempt(`read ${path}`, () => read(path, { credentials: 'include' }));
  await attempt('post with our header', () => read('live', { method: 'POST', headers: json, body: '{}' }));
  await attempt('post blindly', async () => {
    const answer = await fetch(door, { method: 'POST', mode: 'no-cors', body: big });
    return answer.type === 'opaque' ? '' : answer.text();
  });
  await attempt('upload', () => read('_stcore/upload_file/x/y', { method: 'PUT', body: 'x', credentials: 'include' }));
  await attempt('socket', () => new Promise((open, refuse) => {
    const socket = new WebSocket(new URL('_stcore/stream', home.replace('http', 'ws')), ['streamlit']);
    socket.onopen = () => open('opened');
    socket.onerror = refuse;
  }));
  await attempt('image', () => new Promise((open, refuse) => {
    const image = new Image();
    image.onload = () => open('loaded');
    image.onerror = refuse;
    image.src = new URL('favicon.png', home);
  }));
  await attempt('script', () => new Promise((open, refuse) => {
    const script = document.createElement('script');
    script.onload = () => open('loaded');
    script.onerror = refuse;
    script.src = new URL('favicon.png', home);
    document.body.append(script);
  }));
  return seen;
}"""


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_strangers_page_gets_nothing(wild, server, stranger, victim, origin):
    page = victim.context.new_page()
    page.goto(origin.format(port=stranger.port))
    seen = page.evaluate(TRIES, server.url + "/")
    assert not any(seen.values()), seen
    assert "Traceback" not in server.said()
    # the victim's page is none the worse
    page.goto(f"{server.url}/?data=moons")
    shows(watched(page), "Data", "Two moons")
    page.goto(f"{server.url}/data?from=kept")
    page.get_by_text("1 data set").wait_for()
    page.close()


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_strangers_page_frames_nothing(server, stranger, victim, origin):
    page = victim.context.new_page()
    page.goto(origin.format(port=stranger.port))
    page.evaluate(
        """(home) => new Promise((done) => {
          const frame = document.createElement('iframe');
          frame.onload = done;
          frame.src = home;
          document.body.append(frame);
        })""",
        server.url,
    )
    framed = [frame for frame in page.frames if frame is not page.main_frame]
    assert framed and not any(frame.url.startswith(server.url) for frame in framed), [frame.url for frame in framed]
    assert server.url in page.evaluate("() => document.querySelector('iframe').src"), "it was tried"


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_strangers_page_has_no_hold_on_a_page_it_opened(server, stranger, victim, origin):
    page = victim.context.new_page()
    page.goto(origin.format(port=stranger.port))
    with page.context.expect_page() as opened:
        page.evaluate("home => { window.other = window.open(home) }", server.url)
    settled(opened.value)
    assert page.evaluate("() => other.closed || other.location.href") is True, "the opener is cut off"
    assert opened.value.evaluate("() => window.opener") is None


def test_a_name_made_to_point_here_is_refused(wild, server, victim):
    """Then the page is of the same origin as the server, and nothing but the name tells them apart."""
    page = victim.context.new_page()
    answer = page.goto(f"http://evil.example:{server.port}/")
    assert answer.status == 421 and "does not know itself" in page.content()
    assert (
        page.evaluate(
            """() => new Promise((done) => {
          const socket = new WebSocket(`ws://${location.host}/_stcore/stream`, ['streamlit']);
          socket.onopen = () => done('opened');
          socket.onerror = () => done('refused');
        })"""
        )
        == "refused"
    )


def test_a_link_of_a_strangers_leads_in_and_makes_no_new_visitor(server, stranger, victim):
    """The strict cookie does not come with the first request then. It must not be replaced."""
    before = {cookie["name"]: cookie["value"] for cookie in victim.context.cookies(server.url)}["quorum_desk"]
    page = victim.context.new_page()
    page.goto(f"http://evil.example:{stranger.port}")
    page.evaluate("home => { const a = document.createElement('a'); a.href = home; a.textContent = 'go'; "
                  "document.body.append(a) }", f"{server.url}/data?from=kept")  # fmt: skip
    page.get_by_text("go", exact=True).click()
    page.get_by_text("1 data set").wait_for()
    cookies = {cookie["name"]: cookie for cookie in victim.context.cookies(server.url)}
    assert cookies["quorum_desk"]["value"] == before
    assert cookies["quorum_desk"]["httpOnly"] and cookies["quorum_desk"]["sameSite"] == "Strict"
    assert "quorum_desk" not in page.evaluate("document.cookie")


def test_a_stranger_is_not_told_where_one_comes_from(server, stranger, victim):
    """Ids of data stand in the address."""
    stranger.asked.clear()
    page = victim.context.new_page()
    page.goto(f"{server.url}/data?data=iris")
    settled(page)
    page.evaluate("there => { location.href = there }", f"http://evil.example:{stranger.port}/from-here")
    page.wait_for_url("**/from-here")
    (headers,) = [headers for path, headers in stranger.asked if path == "/from-here"]
    assert "Referer" not in headers and "quorum_desk" not in headers.get("Cookie", "")


def test_another_browser_can_be_told_apart(server, chromium, victim):
    """Two browsers are two visitors; each keeps its own through a refresh."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/data?from=kept")
    page.get_by_text("Nothing is kept so far.").wait_for()
    victim.goto(f"{server.url}/data?from=kept")
    victim.get_by_text("1 data set").wait_for()
    victim.reload()
    victim.get_by_text("1 data set").wait_for()
    context.close()


def test_only_this_machine_is_listened_to_however_it_is_started(server):
    """`streamlit run app.py`, as app.py says, listened to the whole network."""
    number = own_number()
    if not number or number.startswith("127."):
        pytest.skip("this machine is in no network")
    with pytest.raises(OSError):
        socket.create_connection((number, server.port), timeout=5).close()


def test_streamlits_interface_for_programs_is_shut(server):
    for path in ("/_stcore/agent/interact", "/_stcore/agent/mcp"):
        asked = urllib.request.Request(server.url + path, b"{}", {"Content-Type": "application/json"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked, timeout=30)
        assert refused.value.code in (400, 403, 404, 501)
        assert b"not_available" in refused.value.read() or refused.value.code != 400  # not for what was asked: at all
