"""No text reaches a page as Markdown unless it was written out there, or went through `plain` or `said`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pages.ui.words import plain, prose

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("pages/**/*.py"), ROOT / "app.py"])
# what Streamlit reads as Markdown: the first argument of these, and these named ones of all
FIRST = {
    "badge", "button", "caption", "checkbox", "download_button", "error", "expander", "file_uploader", "header",
    "info", "link_button", "markdown", "metric", "multiselect", "number_input", "pills", "popover", "radio",
    "segmented_control", "select_slider", "selectbox", "slider", "spinner", "subheader", "success", "tabs",
    "text_area", "text_input", "title", "toast", "toggle", "warning", "write",
}  # fmt: skip
SECOND = {"progress"}
NAMED = {"help", "label", "text", "caption", "body"}
FIELDS = {"lost_link"}  # of the session: declared Marked
KNOWN = {"plain", "prose", "said", "listed", "Marked"}  # of pages/ui/words.py
ADVICE = (
    "goes to Streamlit as Markdown: write said('… {name} …', name=name) for a sentence with values, "
    "plain(text) for a text somebody else wrote (pages/ui/words.py)"
)


def texts(call: ast.Call):
    """The arguments of a call to Streamlit that are read as Markdown."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(owner, ast.Attribute) and owner.attr == "sidebar":
        owner = owner.value
    if not (isinstance(owner, ast.Name) and owner.id in ("st", "left", "right", "place", "column")):
        return
    if name in FIRST and call.args:
        yield call.args[0]
    if name in SECOND and len(call.args) > 1:
        yield call.args[1]
    yield from (word.value for word in call.keywords if word.arg in NAMED)


def trusted(node: ast.expr, said: set[str]) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in KNOWN
        case ast.IfExp(body=body, orelse=orelse):
            return trusted(body, said) and trusted(orelse, said)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return trusted(left, said) and trusted(right, said)
        case ast.JoinedStr():
            return False
        case ast.Name(id=name):
            return name.isupper() or name in said
        case ast.Subscript(value=ast.Name(id=name)):
            return name.isupper()
        case ast.Attribute(attr=name):
            return name in FIELDS
    return False


def parts(tree: ast.AST):
    """The module and every function in it, each with what stands in it and in no function within."""
    for scope in [
        tree,
        *(node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))),
    ]:
        inside, waiting = [], list(ast.iter_child_nodes(scope))
        while waiting:
            node = waiting.pop()
            inside.append(node)
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                waiting += ast.iter_child_nodes(node)
        yield inside


def said_in(nodes: list[ast.AST]) -> set[str]:
    """Names that stand for nothing but what was said: assigned from it, or parameters that are declared `Marked`."""
    good, bad = set(), set()
    for node in nodes:
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Name):
            (good if node.annotation.id == "Marked" else bad).add(node.arg)
        if isinstance(node, ast.Assign):
            values = [(target, node.value) for target in node.targets]
            for target, value in values:
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    values += list(zip(target.elts, value.elts, strict=True))
                elif isinstance(target, ast.Name):
                    (good if trusted(value, set()) else bad).add(target.id)
    return good - bad


def slips(source: str) -> list[str]:
    found = []
    for nodes in parts(ast.parse(source)):
        said = said_in(nodes)
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            found += [f"line {text.lineno}: {ast.unparse(text)}" for text in texts(call) if not trusted(text, said)]
    return found


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_text_on_a_page_is_ours_or_plain(file):
    assert not slips(file.read_text(encoding="utf-8")), f"{file.relative_to(ROOT)}: this {ADVICE}"


@pytest.mark.parametrize(
    "source",
    [
        "st.markdown(f'**{title}**')",
        "st.error(str(refusal))",
        "st.error(mine.refusal)",
        "st.button('a' + name)",
        "st.toggle('x', help=f'{name}')",
        "st.progress(0.5, name)",
        "title = f'{x}'\nst.caption(title)",
        "st.sidebar.caption(title)",
        "st.caption('{}'.format(x))",
    ],
)
def test_a_slip_is_found(source):
    assert slips(source)


@pytest.mark.parametrize(
    "source",
    [
        "st.markdown('**ours**')",
        "st.markdown(said('{a}', a=b))",
        "st.error(plain(refusal), icon=x)",
        "words = said('{a}', a=b)\nst.caption(words)",
        "st.caption(TITLES[x] if y else 'none')",
        "def row(label: Marked): st.caption(label)",
    ],
)
def test_what_is_ours_is_not(source):
    assert not slips(source)


def test_a_docstring_keeps_its_names_and_what_matters():
    said = prose('**The order.** Rows are (`x**2` as `scale="orth"`) a*b, <i> and [no](link); it ends.')
    assert said.startswith("**The order.** Rows are ")
    assert "`x**2`" in said and '`scale="orth"`' in said and r"a\*b" in said and r"\<i\>" in said and r"\[no\]" in said
    assert prose("nothing set off: *") == plain("nothing set off: *")
