"""Styles are added once for each document or shadow root with dashboards; and colors adapt to forced colors."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import tbwidget
from tbwidget.export.bundle import built
from tests.browser.test_saved import write_runs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest
    from playwright.sync_api import Page

    from tests.browser.chromium import Chromium

# Replaces a host. `show` draws a view into an element of its own; `put` inserts that somewhere.
PAGE = """<!doctype html><body>
<script type="application/json" id="script">{script}</script>
<script type="application/json" id="state">{state}</script>
<script type="module">
const [state, script] = ["state", "script"].map((id) => JSON.parse(document.getElementById(id).textContent));
const model = {{ get: name => state[name], set: (name, value) => {{ state[name] = value; }},
    save_changes() {{}}, send() {{}}, on() {{}}, off() {{}} }};
window.shadow = document.body.appendChild(document.createElement("div")).attachShadow({{ mode: "open" }});
window.show = async (put) => {{
    const address = URL.createObjectURL(new Blob([script], {{ type: "text/javascript" }}));
    const widget = (await import(address)).default;
    const control = new AbortController();
    const el = document.createElement("div");
    widget.initialize({{ model, signal: control.signal }});
    if (put) put.append(el);
    widget.render({{ model, signal: control.signal, el }});
    return {{ el, end: () => {{ control.abort(); el.remove(); }} }};
}};
window.sheets = () => [document, window.shadow].map((root) => root.adoptedStyleSheets.length);
window.frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.border = ({{ el }}) => getComputedStyle(el.querySelector(".tbwidget")).borderTopWidth;
window.ready = true;
</script>"""


@contextmanager
def hosted(chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """Open a page that can show dashboards, as a host does."""
    kept: dict[str, Any] = {}

    def keep(_title: str, _words: str, state: dict[str, Any], *_theme: str) -> str:
        kept.update(state)
        return ""

    write_runs(tmp_path / "runs")
    monkeypatch.setattr("tbwidget.export.file.page", keep)
    tbwidget.export_html(tmp_path / "runs", tmp_path / "kept.html")
    script, state = (
        json.dumps(each).replace("</", "<\\/") for each in (built("dashboard.js"), {**kept, "_session": "page"})
    )
    path = tmp_path / "hosted.html"
    path.write_text(PAGE.format(script=script, state=state), "utf-8")
    context = chromium.context((1000, 800), 1)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_function("window.ready")
        yield page
    finally:
        context.close()


def test_styles_are_added_once_to_each_document_or_shadow_root(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(chromium, tmp_path, monkeypatch) as page:
        # Before anything is painted; and once, for any number of dashboards.
        assert page.evaluate(
            "async () => { window.a = await show(document.body); window.b = await show(document.body);"
            " return [border(a), border(b), sheets()] }"
        ) == ["1px", "1px", [1, 0]]
        assert page.evaluate("async () => { window.c = await show(shadow); return [border(c), sheets()] }") == [
            "1px",
            [1, 1],
        ]
        # Drawn before it is in the page, as ipywidgets does; then inserted into a shadow root, as marimo does.
        assert page.evaluate(
            "async () => { a.end(); b.end(); window.d = await show(null); const before = sheets();"
            " shadow.append(d.el); await frame(); return [before, border(d), sheets()] }"
        ) == [[1, 1], "1px", [0, 1]]
        assert page.evaluate("() => { c.end(); const left = sheets(); d.end(); return [left, sheets()] }") == [
            [0, 1],
            [0, 0],
        ]
        # A dashboard is inserted again.
        assert page.evaluate("async () => { const again = await show(document.body); return border(again) }") == "1px"


def test_two_versions_leave_each_other_alone(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(chromium, tmp_path, monkeypatch) as page:
        rules = page.evaluate(
            "async () => { await show(document.body);"
            " return [...document.adoptedStyleSheets[0].cssRules].map((rule) => rule.cssText).join('\\n') }"
        )
        (scope,) = set(re.findall(r"\.tbwidget-([0-9a-f]{8})(?![\w-])", rules))
        # No rule applies to a dashboard whose root has the class of other styles.
        assert not re.search(r"\.tbwidget(?:-host)?(?![\w-])", rules)
        assert page.evaluate("document.querySelector('.tbwidget').className") == f"tbwidget tbwidget-{scope}"
        assert all(name.endswith(f"-{scope}") for name in re.findall(r"@keyframes ([\w-]+)", rules))


LOOK = """() => Object.fromEntries(Object.entries({
    dot: ['.tbwidget-state', '::before'], swatch: ['li[data-shown] .tbwidget-swatch', null], board: ['.tbwidget', null],
}).map(([name, [selector, part]]) => {
    const style = getComputedStyle(document.querySelector(selector), part);
    return [name, [style.backgroundColor, style.color, style.forcedColorAdjust]];
}))"""


def test_swatches_and_dots_are_seen_in_forced_colors(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(chromium, tmp_path, monkeypatch) as page:
        page.emulate_media(forced_colors="active", color_scheme="dark")
        page.evaluate("async () => { await show(document.body) }")
        page.wait_for_selector("li[data-shown] .tbwidget-swatch")
        system = page.evaluate(
            "() => { const probe = document.body.appendChild(document.createElement('p'));"
            " const of = (color) => { probe.style.background = color;"
            " return getComputedStyle(probe).backgroundColor; };"
            " return ['Canvas', 'CanvasText'].map(of) }"
        )
        found = page.evaluate(LOOK)
        # The board has the system's colors, and the dot is not the background's; a run keeps its color.
        assert found["board"][:2] == system
        assert found["dot"][0] not in {system[0], "rgba(0, 0, 0, 0)"}
        assert found["swatch"][0] not in {*system, "rgba(0, 0, 0, 0)"}
        assert page.locator(".tbwidget").get_attribute("data-theme") == "dark"
        # Selected: an outline, because tints are too faint.
        selected = page.locator(".tbwidget [aria-pressed=true], .tbwidget [aria-selected=true]").first
        assert selected.evaluate("(element) => getComputedStyle(element).outlineStyle") == "solid"
