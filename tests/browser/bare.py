"""A page without Streamlit: the live view alone, answered by the test from a stage of its own."""

from __future__ import annotations

import base64

from consensus_core.live.compose import compose
from consensus_core.live.pack import packed, style
from consensus_core.live.parse import parsed
from consensus_core.live.stage import Stage
from tests.browser.steps import WAIT

PAGE = "<!doctype html><meta charset=utf-8><title>bare</title><style>{style}</style><main></main>"
MOUNT = """async (script) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  window.mount = (await import(url)).default;
  window.place = () => {
    const root = document.createElement("div");
    document.querySelector("main").append(root);
    const ask = async (question) => bytes(await window.answer(question));
    return window.mount(root, { ask });
  };
}"""


class Bare:
    """`with_(stage)` -> a view of it; `ask`, `until` as of the Watch page."""

    def __init__(self, page, stage: Stage):
        self.page, self.stage, self.asked = page, stage, []
        page.expose_function("answer", self._answer)
        page.set_content(PAGE.format(style=style().replace(":host", "main")))
        page.evaluate(MOUNT, packed("hosts/bare.js"))

    def _answer(self, said: dict) -> str:
        self.asked.append(said)
        question = parsed(said)
        if question.runs or question.dial:
            self.stage.hear(question)
        return base64.b64encode(compose(self.stage, question).bytes()).decode()

    def open(self):
        self.page.evaluate("() => { window.view = window.place(); }")
        return self.until("view.finished && view.mode === 'hold' && view.shown === view.last && !view.busy")

    def until(self, claim):
        """What it says of itself; where it stands still, what is on the screen says the same by then."""
        painted = f"Boolean({claim}) && (view.mode === 'play' || !view.busy)"
        self.page.wait_for_function(f"() => {{ const {{ view }} = window; return {painted}; }}", timeout=WAIT)
        return self

    def ask(self, what):
        return self.page.evaluate(f"() => {{ const {{ view }} = window; return {what}; }}")

    def say(self, what):
        """Done, whatever it gives."""
        self.page.evaluate(f"() => {{ const {{ view }} = window; {what}; }}")
