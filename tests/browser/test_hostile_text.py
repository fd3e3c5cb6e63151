"""A table whose names, ids, labels and file name are written to be more than text, through every page and download.

No request leaves for another host, nothing of it is rendered, and what is taken home computes nothing.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import zipfile

import numpy as np
import pytest
from playwright.sync_api import TimeoutError

from tests.browser.steps import WAIT, choose, offered, settled, taken, unfold, watched

AWAY = "http://evil.example"
HOSTILE = [
    f"![b]({AWAY}/md.png)",
    f"<img src={AWAY}/html.png onerror=alert(1)>",
    f"[click]({AWAY}/link)",
    f"{AWAY}/bare?1 www.evil.example a@evil.example",
    ":red[colour] :material/home: :smile: :streamlit:",
    "$\\href{http://evil.example}{x}$ **bold** `code` ~~gone~~",
    f'<a href="{AWAY}/a">anchor</a><script>alert(1)</script>',
    "+cmd|calc!A1",
    "@SUM(A1)",
    "abc\u202egpj.exe \u05e9\u05dc\u05d5\u05dd",
    "\U0001f9d1\u200d\U0001f52c a -> b",
    "bell \x07 and \x7f end",
]
FILE = f"![f]({AWAY.replace('/', '_')}_x) :smile: $y$ =1+1.csv"


def hostile_table(n=36) -> str:
    """Every column, id, label and class is one of them."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, n)
    out = io.StringIO()
    writer = csv.writer(out)
    columns = HOSTILE[:7]
    writer.writerow(["id", *columns, "truth <b>x</b>"])
    for i in range(n):
        labels = [
            f"c{g} {HOSTILE[(g + j) % len(HOSTILE)]}" for j, g in enumerate(np.where(rng.random(7) < 0.1, 0, group[i]))
        ]
        writer.writerow([f"{HOSTILE[i % len(HOSTILE)]} {i}", *labels, HOSTILE[group[i]]])
    return out.getvalue()


@pytest.fixture
def watch_requests(open_page, server):
    """A page of which every request is looked at, as long as it is open."""
    strays, alerts = [], []

    def open_(path):
        page = open_page(path, accept_downloads=True)

        def look(url):
            if not url.startswith((server.url, server.url.replace("http", "ws"), "data:", "blob:")):
                strays.append(url)

        page.context.on("request", lambda request: look(request.url))
        page.on("websocket", lambda socket: look(socket.url))
        page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        page.on("popup", lambda popup: strays.append(f"popup {popup.url}"))
        return page

    yield open_
    assert not strays and not alerts


def nothing_is_rendered(page) -> None:
    """What Markdown, HTML, KaTeX or Plotly would have made of it, in the page and in every shadow tree."""
    found = page.evaluate(
        """() => {
          const found = [], roots = [document];
          while (roots.length) {
            const root = roots.pop();
            for (const node of root.querySelectorAll('*')) {
              if (node.shadowRoot) roots.push(node.shadowRoot);
              const names = ['href', 'xlink:href', 'src'];
              const at = names.map((name) => node.getAttribute(name) || '').join(' ').trim();
              if (/evil/.test(at) || /^(javascript|mailto):/.test(at)) found.push(node.outerHTML.slice(0, 200));
            }
            const made = '.katex, .stMarkdownColoredText, [data-testid=stMarkdownContainer] code, '
              + '[data-testid=stMarkdownContainer] del, [data-testid=stMarkdownContainer] img, '
              + '[data-testid=stMarkdownContainer] [role=img][aria-label*=home]';
            for (const node of root.querySelectorAll(made)) {
              const said = node.outerHTML.slice(0, 300);
              if (/evil|colour|home|smile|bold|gone|code/.test(said)) found.push(said);
            }
            for (const node of root.querySelectorAll('strong, b, em, i, u, a')) {
              if (/^(bold|click|anchor|b)$/.test(node.textContent.trim())) found.push(node.outerHTML.slice(0, 200));
            }
          }
          return found;
        }"""
    )
    assert not found, found


def stands_there(page, text) -> None:
    """Sign by sign, in what a person reads (or a screen reader says)."""
    page.wait_for_function(
        """(text) => {
          const bare = (said) => said.replace(/[\\u2060\\u2068\\u2069]/g, '');
          return bare(document.body.innerText).includes(text);
        }""",
        arg=text,
        timeout=WAIT,
    )


def test_a_hostile_table_is_text_on_every_page_and_in_every_download(watch_requests):
    page = watch_requests("/data?from=upload")
    page.locator("input[type=file]").set_input_files(
        {"name": FILE, "mimeType": "text/csv", "buffer": hostile_table().encode()}
    )
    page.get_by_text("objects,").first.wait_for()
    settled(page)
    page.get_by_text("Why it was understood like this").click()
    page.get_by_text("Not right? Correct it").click()
    _options(page, "several columns at once")
    page.get_by_role("combobox", name="role of column id", exact=True).wait_for()  # the table of columns is there
    nothing_is_rendered(page)
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("is in use now").wait_for()
    settled(page)
    name = FILE.split("_x")[0]
    stands_there(page, name)
    nothing_is_rendered(page)
    page.get_by_text("Clusters and missing labels of each base clustering").click()
    _pointed_at(page)
    nothing_is_rendered(page)

    page.get_by_text("Kept", exact=True).click()
    page.get_by_text("1 data set").wait_for()
    settled(page)
    nothing_is_rendered(page)
    link = page.url

    page.get_by_role("link", name="Watch a method on these data").click()
    watched(page)
    page.locator(".quorum canvas").first.hover(position={"x": 60, "y": 60})
    nothing_is_rendered(page)
    _options(page, "Rows in the order of")
    _figures(page)
    _take_home(page)

    other = watch_requests("/" + link.split("/", 3)[3])
    settled(other)
    nothing_is_rendered(other)


def _pointed_at(page) -> None:
    """The first chart, until it says what is under the pointer; while it is drawn it says nothing."""
    place = page.locator(".nsewdrag").first
    for at in range(30):
        with contextlib.suppress(TimeoutError):
            place.hover(position={"x": 30 + 7 * at, "y": 40 + 5 * at}, force=True, timeout=5000)
            page.locator(".hoverlayer .hovertext").first.wait_for(timeout=1500)
            return
    raise AssertionError("the chart never said what is under the pointer")


def _options(page, label) -> list[str]:
    """What a list offers."""
    said = offered(page, label).all_inner_texts()
    nothing_is_rendered(page)
    page.keyboard.press("Escape")
    return said


def _figures(page) -> None:
    """Each standing figure, with its ticks, legend and hover."""
    unfold(page, "Figures to zoom, read off and export", page.get_by_role("combobox", name="Picture"))
    titles = _options(page, "Picture")
    for title in [title for title in titles if "map" in title or "base clusterings" in title or title == titles[0]]:
        choose(page, "Picture", title)
        page.locator("[data-testid=stPlotlyChart] .plot-container").first.wait_for()
        nothing_is_rendered(page)
    content, _ = taken(page, "CSV", exact=True)
    _computes_nothing(content)
    content, _ = taken(page, "HTML", exact=True)
    viewer = page.context.new_page()
    viewer.set_content(content.decode())
    viewer.locator(".plot-container").first.wait_for()
    nothing_is_rendered(viewer)
    viewer.close()


def _take_home(page) -> None:
    page.get_by_text("Take it home").click()
    content, name = taken(page, "Labels (CSV)")
    _computes_nothing(content)
    assert all(sign.isalnum() or sign in "._" for sign in name)
    content, _ = taken(page, "Run record (JSON)")
    assert json.loads(content)["data"]["base clusterings"][0] == HOSTILE[0]
    content, _ = taken(page, "Matrices (NPZ)")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
    content, _ = taken(page, "Python (PY)")
    compile(content, "script.py", "exec")
    page.get_by_text("The same in Python").click()
    page.locator("[data-testid=stCode]").first.wait_for()
    nothing_is_rendered(page)


def _computes_nothing(content: bytes) -> None:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    for cell in (cell for row in rows for cell in row):
        if cell[:1] in "=+-@\t\r" and cell:
            float(cell)


def test_a_refusal_that_quotes_a_cell_is_text(watch_requests):
    page = watch_requests("/data?from=upload")
    cell = f"![b]({AWAY}/refused.png) {AWAY}?1"
    rows = "".join(f"{i},{cell if i == 7 else i % 3}\n" for i in range(30))
    page.locator("input[type=file]").set_input_files(
        {"name": "<b>x</b> [y](http:__evil).csv", "mimeType": "text/csv", "buffer": f"a,b\n{rows}".encode()}
    )
    page.get_by_text("evil.example").first.or_(page.get_by_text("refused")).first.wait_for()
    settled(page)
    nothing_is_rendered(page)


def test_a_policy_stands_behind_it_all(chromium, server):
    """Were a name rendered after all, the browser would still load nothing from elsewhere."""
    page = chromium.new_context().new_page()
    page.goto(f"{server.url}/data?data=iris")
    settled(page)
    told = page.evaluate(
        """(there) => new Promise((done) => {
          const told = [];
          document.addEventListener('securitypolicyviolation', (event) => {
            told.push(event.effectiveDirective);
            if (told.length === 4) done(told.sort());
          });
          new Image().src = there + '/x.png';
          const sheet = document.createElement('link');
          sheet.rel = 'stylesheet'; sheet.href = there + '/x.css';
          const script = document.createElement('script');
          script.src = there + '/x.js';
          document.head.append(sheet, script);
          fetch(there + '/x').catch(() => {});
        })""",
        AWAY,
    )
    assert told == ["connect-src", "img-src", "script-src-elem", "style-src-elem"]
    page.context.close()
