"""On every page, light and dark, wide and narrow: readable for everybody, nothing cut off, colours of the theme."""

from __future__ import annotations

import pytest

from tests.browser.steps import as_csv, barriers, give, label_table, settled, tuned, until, watched

PAGES = {
    "watch": "/?data=iris",
    "watch, gaps filled": "/?data=missing&method=trce",
    "samples": "/data?data=one_bad",
    "upload": "/data?from=upload&data=missing",
    "features": "/data?from=make&data=iris",
    "kept": "/data?from=kept&data=iris",
    "tune": "/tune?data=iris&method=lwea",
    "lesson": "/learn?lesson=pce&screen=3",
    "lesson, large": "/learn?lesson=spce&screen=2&large=1",
    "back again": "/",
    "a link not understood": "/?data=iris&foo=1&p_theta=7",
}


# the paper is dark, or it is not
PAPER = """dark => {
  const [r, g, b] = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor.match(/[\\d.]+/g);
  return (Number(r) + Number(g) + Number(b) < 200) === dark;
}"""


def opened(open_page, name, **how):
    page = open_page("/?data=iris&method=lwea" if name in ("kept", "back again") else PAGES[name], **how)
    if name in ("kept", "back again"):  # by somebody who was here before
        watched(page)
        page.goto(page.url.split("/?")[0] + PAGES[name])
    if name == "back again":
        watched(page).locator(".st-key-offer").wait_for()
    elif name == "tune":
        tuned(page)
    elif name.startswith("lesson"):
        page.wait_for_selector(".quorum.ready")
        until(page, "view.mode === 'hold' && !view.busy && view.scene.key")
        page.get_by_text("Show the class's answers").click()
        page.get_by_text("answered").first.wait_for()
    elif name == "kept":
        page.get_by_text("Forget everything").wait_for()
    elif name == "a link not understood":
        watched(page).locator(".st-key-link-notice").wait_for()
    elif name.startswith("watch"):
        watched(page)
        if how.get("width", 1280) > 600:
            page.get_by_text("Take it home").click()
            page.get_by_text("Share this screen").click()
            page.get_by_role("textbox", name="Link to this screen").wait_for()
    elif name == "upload":
        give(page, "trees.csv", as_csv(label_table(gaps=2)))
        page.get_by_text("Not right? Correct it").click()
    else:
        page.get_by_text("Track plot").wait_for()
    return settled(page)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_in_light_and_dark(open_page, name):
    page = opened(open_page, name)
    for scheme, dark in (("light", False), ("dark", True)):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(PAPER, arg=dark)
        assert not (grave := barriers(page)), f"{scheme}: " + "\n".join(grave)


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_off_on_a_telephone(open_page, name):
    page = opened(open_page, name, width=390, height=844)
    too_wide = page.evaluate(
        """() => {
          const main = document.querySelector('[data-testid=stMain]');
          const scrolls = (node) => ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(node).overflowX);
          const inside = (node) => {
            for (let up = node.parentElement; up && up !== main; up = up.parentElement) if (scrolls(up)) return true;
          };
          const all = [...main.querySelectorAll('button, input, p, h1, h2, h3, canvas, label, table, svg')];
          const wide = all.filter((node) => {
            const box = node.getBoundingClientRect();
            return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !inside(node);
          });
          return { page: main.scrollWidth - main.clientWidth, body: document.body.scrollWidth - innerWidth,
                   wide: wide.map((node) => node.outerHTML.slice(0, 200)) };
        }"""
    )
    assert too_wide == {"page": 0, "body": 0, "wide": []}


def test_dark_is_dark_and_light_is_light(open_page):
    def brightness(dark):
        page = watched(open_page("/", dark=dark))
        colour = page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
        text = page.locator(".quorum").evaluate("root => getComputedStyle(root).color")
        return [sum(map(float, each.strip("rgba()").split(",")[:3])) for each in (colour, text)]

    (light, ink), (night, chalk) = brightness(False), brightness(True)
    assert light > 700 > 200 > night and chalk > 600 > 200 > ink
