"""Every word of the interface comes from the tables of its language: in a pseudo-locale, each is between brackets."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import tbwidget
from tbwidget.panels.projector_columns import ONLY_COLUMN
from tests.browser.conftest import ROOT
from tests.support.bad_meshes import write_bad_meshes
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.pictures import encoded, photo
from tests.support.sounds import tone, wav

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
from pathlib import Path
from IPython.display import display
from tbwidget.dashboard import compose
from tbwidget.panels import registry

class Pseudo(compose(registry.PANELS)):
    _esm = Path("{folder}", "dashboard.js").read_text("utf-8")

board = Pseudo("language", height=900)
display(board)
"""

LOGS = {
    "all": "tensorboardx_all",
    "odd": "aw_nan_inf",
    "grid": "tf2_hparams_grid",
    "steps": "torch_tutorial",
    "damaged": "aw_images",
}

NOTED = {
    "0/image": strings("0/image", plugin("images"), b"50", b"40", encoded(photo(50, 40, "CMYK"), "TIFF")),
    "0/no image": strings("0/no image", plugin("images"), b"50", b"40", b"no image"),
    "0/slow": strings("0/slow", plugin("audio"), wav(tone(), rate=1_000)),
    "0/cut": strings("0/cut", plugin("audio"), wav(tone(1))[:8_044]),
    "0/no audio": strings("0/no audio", plugin("audio"), b"some text"),
}
"""Values with notes or problems of the kernel. They come before all others."""

SAID = (
    "converted from TIFF",
    "CMYK converted",
    "not a known image format",
    "played at",
    "cut off",
    "not a known audio format",
    "a corner is no vertex",
)
"""Parts of these notes and problems."""

# Records the text drawn on canvases; the page's language is set to the pseudo-locale.
PREPARE = """
document.documentElement.lang = 'en-XA';
window.drawn = new Set();
for (const type of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
  const original = type.prototype.fillText;
  type.prototype.fillText = function (text, ...others) {
    window.drawn.add(String(text));
    return original.call(this, text, ...others);
  };
}
"""

# Selectors of elements whose text comes from the logs or from the user.
COLLECT = """
const DATA =
  '.tbwidget-markdown, code, pre, .tbwidget-run-name, .tbwidget-values-run, [data-axis] > span, script, style';
const found = [...window.drawn].map(text => ['canvas', text]);
window.drawn.clear();
const root = [...document.querySelectorAll('.tbwidget')].at(-1);
const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
const parents = new Set();
while (walker.nextNode()) {
  const { parentElement } = walker.currentNode;
  const around = parentElement.closest('.tbwidget-elided') ?? parentElement;
  if (!parents.has(around) && !around.closest(DATA) && around.checkVisibility()) {
    parents.add(around);
    const own = [...around.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('\\u0000');
    found.push([around.tagName + '.' + around.className, around === parentElement ? own : around.textContent]);
  }
}
for (const element of [root, ...root.querySelectorAll('*')]) {
  for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt']) {
    const value = element.getAttribute(name);
    if (value && !element.matches(DATA)) {
      found.push([element.tagName + '.' + element.getAttribute('class') + '[' + name + ']', value]);
    }
  }
}
return found;
"""

OPENING = (".tbwidget-problems-button", ".tbwidget-tile-picture", "[data-node]", ".tbwidget-expand")
"""Elements that open more: the list of problems, the viewer, a node's card, a card over the whole window."""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SYMBOLS = {"NaN", "px", *MONTHS}
"""Texts that belong to no language, or that the browser writes."""


def outside(text: str) -> str:
    """Return the text outside all brackets."""
    depth = 0
    rest = []
    for character in text:
        depth += (character == "⟦") - (character == "⟧")
        if depth == 0 and character != "⟧":
            rest.append(character)
    return "".join(rest)


def names_in_logs(path: Path) -> set[str]:
    """Return names of runs, tags, files, hyperparameters and ops, and the words in these names.

    They include categories of the layout, titles of metrics, formats and attributes of ops.
    """
    names = {"true", "false", "cat", "Accuracy", "PNG", "TIFF", "dtype", "DT_FLOAT", "shape", ONLY_COLUMN} | {
        file.name for file in path.rglob("*")
    }
    with tbwidget.load(path) as logs:
        names |= {str(problem.arguments["tag"]) for problem in logs.problems if problem.code == "kind-mismatch"}
        for kind, runs in logs.tags().items():
            for run, tags in runs.items():
                said = [logs.metadata(run, tag) for tag in tags if kind != "graphs"]
                names |= {run, *tags, *(text for one in said for text in (one.display_name, one.description))}
        for session in logs.hparams():
            names |= {session.run, str(session.group), *session.values, *map(str, session.values.values())}
        for run in logs.tags().get("graphs", {}):
            names |= {str(op) for _, op in logs.graph(run).to_networkx().nodes(data="op")}
    return names | {word for name in names for word in re.findall(r"[^\W_]+", name)}


def words_outside(found: list[tuple[str, str]], data: set[str]) -> set[tuple[str, str]]:
    """Return the texts with words outside of brackets that are not in the logs."""
    longest_first = sorted((name for name in data if len(name) > 2), key=len, reverse=True)
    wrong = set()
    for where, text in found:
        rest = outside(text)
        for name in longest_first:
            rest = rest.replace(name, " ")
        words = [word for word in re.findall(r"[^\W\d_]{2,}", rest) if word not in SYMBOLS | data]
        if words:
            wrong.add((where, text[:150]))
    return wrong


def collect(notebook: NotebookPage) -> list[tuple[str, str]]:
    notebook.draw_frames()
    found: list[list[str]] = notebook.js(COLLECT)
    return [(where, text) for where, text in found]


@pytest.mark.own_window
def test_every_word_comes_from_a_table(server: JupyterServer, open_notebook: Open, tmp_path: Path) -> None:
    build = ["node", "build.mjs", "tests/pseudo/entry.ts", str(tmp_path)]
    subprocess.run(build, check=True, timeout=120, cwd=ROOT / "js")
    logs = server.root / "language"
    for run, name in LOGS.items():
        shutil.copytree(CORPUS / name / "logs", logs / run)
    write(logs / "noted" / NAME, *(event(1, 0, value) for value in NOTED.values()))
    write_bad_meshes(logs / "meshes")
    data = names_in_logs(logs) | {str(logs), "language"}
    server.write_notebook("language.ipynb", [SHOW.format(folder=tmp_path), "board.language = 'en'"])
    notebook = open_notebook("language.ipynb", size=(1400, 1200))
    notebook.js(PREPARE)
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    root = notebook.page.locator(".tbwidget").last
    assert root.get_attribute("lang") == "en-XA"
    tabs = root.get_by_role("tab")
    wrong: dict[str, set[tuple[str, str]]] = {}
    texts: set[str] = set()
    for number in range(tabs.count()):
        tab = tabs.nth(number)
        tab.click()
        notebook.sleep(1.5)
        show_noted(root)
        name = outside(tab.inner_text()) or tab.inner_text()
        seen = collect(notebook)
        for button in visible_popovers(root):
            button.dispatch_event("click")
            seen += collect(notebook)
            button.dispatch_event("click")
        for selector in (".tbwidget-plot-area", ".tbwidget-graph-stage canvas", ".tbwidget-projector-stage canvas"):
            for place in root.locator(f"{selector}:visible").all()[:2]:
                place.hover(force=True)
                notebook.sleep(0.3)
                seen += collect(notebook)
        for selector in OPENING:
            if root.locator(f"{selector}:visible").count():
                root.locator(f"{selector}:visible").first.dispatch_event("click")
                notebook.sleep(1)
                seen += collect(notebook)
                notebook.page.keyboard.press("Escape")
        wrong[name] = words_outside(seen, data)
        texts |= {text for _, text in seen}
    report = [f"{panel}: {where}: {text!r}" for panel, found in wrong.items() for where, text in sorted(found)]
    assert report == [], "\n".join(report)
    assert [said for said in SAID if not any(said in text for text in texts)] == []
    # The language changes while the dashboard is open: earlier data, problems and failures are worded again.
    notebook.run_cell(1)
    notebook.wait("return [...document.querySelectorAll('.tbwidget')].at(-1).lang !== 'en-XA'")
    left: list[tuple[str, str]] = []
    for number in range(tabs.count()):
        tabs.nth(number).dispatch_event("click")
        notebook.sleep(1)
        for button in visible_problems(root):
            button.dispatch_event("click")
        left += [(where, text) for where, text in collect(notebook) if "⟦" in text]
        notebook.page.keyboard.press("Escape")
    assert left == [], "\n".join(f"{where}: {text!r}" for where, text in left)
    assert notebook.errors == []


def show_noted(root: Any) -> None:
    """Wait for the values with notes or problems."""
    for card in root.locator("article[data-tag^='0/']").all():
        card.scroll_into_view_if_needed()
        expect(card.locator("[data-state=waits]")).to_have_count(0)


def visible_problems(root: Any) -> list[Any]:
    """Return the button that opens the list of problems."""
    buttons: list[Any] = root.locator(f"{OPENING[0]}:visible").all()
    return buttons


def visible_popovers(root: Any) -> list[Any]:
    """Return the buttons of the toolbar and of the first cards that open something."""
    buttons = root.locator(".tbwidget-popover > button:visible")
    return [buttons.nth(i) for i in range(min(12, buttons.count()))]


KOREAN = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("korean")
display(board)
"""


@pytest.mark.own_window
def test_a_board_speaks_the_language_of_the_page_or_its_own(server: JupyterServer, open_notebook: Open) -> None:
    shutil.copytree(CORPUS / "tensorboardx_all" / "logs", server.root / "korean")
    save = "board.language = 'ko'\nboard.save('korean.html')"
    server.write_notebook("korean.ipynb", [KOREAN, "board.language = 'en'", "board.language = None", save])
    notebook = open_notebook("korean.ipynb")
    notebook.js("document.documentElement.lang = 'ko-KR'")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    root = notebook.page.locator(".tbwidget").last
    tab = root.get_by_role("tab").first
    expect(root).to_have_attribute("lang", "ko-KR")
    expect(tab).to_have_text("스칼라")
    notebook.run_cell(1)
    expect(root).to_have_attribute("lang", "en-GB")
    expect(tab).to_have_text("Scalars")
    notebook.run_cell(2)
    expect(tab).to_have_text("스칼라")
    notebook.run_cell(3)
    page = (server.root / "korean.html").read_text("ascii")
    assert '<html lang="ko">' in page
    notebook.page.goto((server.root / "korean.html").as_uri())
    expect(notebook.page.get_by_role("tab").first).to_have_text("스칼라")
    assert notebook.errors == []
