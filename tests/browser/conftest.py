"""One server and one browser for all browser tests; every page fails its test on a console error or a traceback."""

from __future__ import annotations

import pytest

from tests.browser.bare import Bare
from tests.browser.chromium import FLAGS, NONE, STILL, find
from tests.browser.server import Server
from tests.browser.steps import WAIT
from tests.browser.visitors import Visitors


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server():
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def chromium():
    if not (path := find()):
        pytest.skip(NONE)
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=WAIT)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        browser.new_context, browser.new_page = _patient(browser.new_context), _patient(browser.new_page)
        yield browser
        browser.close()


def _patient(make):
    """Whatever is waited for, in whichever page of a test: as long as on a machine that is busy with other things."""

    def made(**how):
        place = make(**how)
        place.set_default_timeout(WAIT)
        place.add_init_script(STILL)
        return place

    return made


@pytest.fixture(scope="session")
def visitors(chromium):
    return Visitors(chromium)


@pytest.fixture
def open_page(visitors, server):
    """open_page("/watch?method=spce", width=390, dark=True) -> a page of a fresh visitor, looked over at the end."""
    pages, wrong = [], []
    said_before = len(server.said())

    def open_(path="/", width=1280, height=900, dark=False, **more):
        size = {"width": width, "height": height}
        page = visitors.visit(viewport=size, color_scheme="dark" if dark else "light", **more)
        pages.append(page)
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(server.url + path)
        return page

    yield open_
    for page in pages:
        visitors.leave(page, server.url)
    said = server.said()[said_before:]
    assert not wrong, wrong
    assert "Traceback" not in said, said


@pytest.fixture
def bare(chromium):
    """bare(stage, width=390) -> a bare page with the view of a stage, looked over at the end."""
    contexts, wrong = [], []

    def open_(stage, width=1280, height=900, **more):
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(f"{error}\n{error.stack}"))
        return Bare(page, stage).open()

    yield open_
    for context in contexts:
        context.close()
    assert not wrong, wrong
