"""A dashboard with every kind of data, and helpers that measure its accessibility: findings, targets, stops, names."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tensorboardX import SummaryWriter

from tests.support import site_logs

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.page import NotebookPage

AXE = Path(__file__).resolve().parents[2] / "js/node_modules/axe-core/axe.min.js"

_CHART = ".tbwidget-card[data-last-step]"

PANELS = {
    "scalars": ("Scalars", _CHART),
    "custom_scalars": ("Custom", _CHART),
    "histograms": ("Histograms", _CHART),
    "distributions": ("Distributions", _CHART),
    "pr_curves": ("PR curves", _CHART),
    "hparams": ("Hyperparameters", ".tbwidget-hparams td"),
    "images": ("Images", "[data-state=shown]"),
    "audio": ("Audio", "[data-state=shown]"),
    "text": ("Text", _CHART),
    "meshes": ("Meshes", "[data-panel=meshes][data-state=shown]"),
    "projector": ("Projector", "[data-panel=projector][data-state=shown]"),
    "graphs": ("Graphs", "[data-node]"),
}
"""The title of each panel's tab, and an element that exists once the panel shows its data."""

_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice")

_FINDINGS = """
async ([within, tags]) => {
    const { violations } = await axe.run(within, { resultTypes: ['violations'], runOnly: tags });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
        [id, html.slice(0, 200), [...any, ...all, ...none].map(({ message }) => message).join('; ')].join(' | ')));
}
"""

# The width and height of a pointer's target, measured along the lines through the middle of each control. As in WCAG,
# links in sentences do not count, nor do boxes of a graph, which are as large as the drawing has them. Rows of a tree
# that do not fold have no effect.
_TARGETS = """
const LIMIT = 24, CONTROLS = 'button, a[href], input, select, textarea, summary, [tabindex], [role=slider]';
const EXEMPT = '[data-node], .tbwidget-markdown a, .tbwidget-hint .tbwidget-link,'
    + ' [type=color], [role=treeitem]:not([aria-expanded])';
const root = document.querySelector('.tbwidget');
const layer = [...root.querySelectorAll(':is(dialog:modal, [aria-modal=true])')].at(-1) ?? root;
const hits = (element, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
};
const extent = (element, x, y, dx, dy) => {
    let length = 1;
    for (const sign of [1, -1]) {
        for (let at = 1; at <= LIMIT && hits(element, x + sign * at * dx, y + sign * at * dy); at++) length++;
    }
    return length;
};
const small = new Set();
for (const element of layer.querySelectorAll(CONTROLS)) {
    const isShown = element.checkVisibility({ visibilityProperty: true }) && element.closest(arg) !== null;
    if (!isShown || element.disabled || element.matches(EXEMPT)) continue;
    element.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const middle = [x + width / 2, y + height / 2];
    // Without a size it is not shown; below something else it cannot be hit now.
    if (width === 0 || height === 0 || !hits(element, ...middle)) continue;
    const size = [extent(element, ...middle, 1, 0), extent(element, ...middle, 0, 1)];
    if (Math.min(...size) < LIMIT) {
        const name = element.ariaLabel ?? (element.textContent || element.title);
        small.add(`${element.localName}.${element.className} "${name}" ${size}`);
    }
}
return [...small];
"""

_TEXT_ROLES = {"StaticText", "InlineTextBox", "LabelText", "paragraph", "caption", "Figcaption", "code", "tooltip"}
"""Roles of elements that are text themselves; they need no other name."""

_FOCUSED = """
const focused = document.activeElement, root = document.querySelector('.tbwidget');
if (!root.contains(focused)) return null;
const card = focused.closest('.tbwidget-card');
const name = focused.ariaLabel ?? (focused.textContent || focused.title);
return { name, card: card?.dataset.tag ?? null, is_card: focused === card };
"""


def write(folder: Path) -> None:
    """Write something for every panel, in twelve runs."""
    site_logs.write_runs(folder, steps=202)
    site_logs.write_sweep(folder / "sweep", sessions=3)
    site_logs.write_embeddings(folder, points=60)
    site_logs.write_meshes(folder, side=9)
    site_logs.write_layout(folder)
    # Files are named by the second: without a suffix, this one could replace the first of the run.
    with SummaryWriter(str(folder / "baseline"), filename_suffix=".more") as writer:
        writer.add_text("data", '[[[1]], {}, {"a": {"": [2]}}]\n')
        writer.add_embedding(np.eye(8, dtype=np.float32), tag="hidden", global_step=0)
        writer.add_text("headings", "### Low\n\n# High\n\n#### Deep\n\nEnd.")


def write_scrolled(folder: Path) -> None:
    """Write texts that scroll sideways, and data of which no card has room for all rows."""
    with SummaryWriter(str(folder / "baseline"), filename_suffix=".wide") as writer:
        wide = " ".join(f"word{number}" for number in range(200))
        writer.add_text("wide code", f"```\n{wide}\n```")
        writer.add_text("wide table", f"|{wide.replace(' ', '|')}|\n{'|---' * 200}|\n")
    for number, run in enumerate(site_logs.RUNS):
        with SummaryWriter(str(folder / run), filename_suffix=".config") as writer:
            # Enough rows to scroll.
            writer.add_text("config", json.dumps({f"layer{layer}": number * layer for layer in range(40)}))


def write_marks(folder: Path) -> None:
    """Write a tag that has marks: steps that go back, an outlier, overwritten points, and NaN at its end."""
    with SummaryWriter(str(folder / "baseline"), filename_suffix=".marked") as writer:
        for step in (*range(40), *range(30, 80)):
            writer.add_scalar("marked", 1e6 if step == 20 else math.exp(-step / 20), step)
    with SummaryWriter(str(folder / "baseline"), filename_suffix=".restarted") as writer:
        for step in range(60, 90):
            writer.add_scalar("marked", math.exp(-step / 20) if step < 80 else math.nan, step)


class Access:
    """The first dashboard of a notebook, as assistive technology, keys and a coarse pointer find it."""

    def __init__(self, notebook: NotebookPage) -> None:
        self.notebook = notebook
        self.root: Locator = notebook.page.locator(".tbwidget")
        notebook.page.evaluate(AXE.read_text("utf-8"))

    def show(self, panel: str) -> None:
        """Show a panel, and wait for its data."""
        title, shown = PANELS[panel]
        self.root.get_by_role("tab", name=title, exact=True).click()
        self.root.locator(shown).first.wait_for()

    def findings(self, within: str = ".tbwidget") -> list[str]:
        """Return the findings of axe-core within this selector."""
        found: list[str] = self.notebook.page.evaluate(_FINDINGS, [within, _RULES])
        return found

    def menus(self, panel: str) -> Iterator[str]:
        """Open the menus in turn and yield their names; the first panel includes the dashboard's own menus."""
        places = ".tbwidget-toolbar, .tbwidget-graph-head"
        if panel == next(iter(PANELS)):
            places += ", .tbwidget-header, .tbwidget-runs-head"
        buttons = self.root.locator(f":is({places}) .tbwidget-popover > button[aria-expanded]:visible")
        for number in range(buttons.count()):
            buttons.nth(number).click()
            yield f"{panel}, {buttons.nth(number).text_content()}"
            self.notebook.page.keyboard.press("Escape")

    def small_targets(self, within: str = "*") -> list[str]:
        """Return the controls that are smaller than 24 by 24 CSS pixels."""
        found: list[str] = self.notebook.js(_TARGETS, within)
        return found

    def nodes(self) -> list[dict[str, Any]]:
        """Return the nodes of the dashboard's accessibility tree."""
        tools = self.notebook.devtools
        document = tools.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        root = tools.send("DOM.querySelector", {"nodeId": document, "selector": ".tbwidget"})["nodeId"]
        nodes: list[dict[str, Any]] = tools.send("Accessibility.queryAXTree", {"nodeId": root})["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def long_names(self, own: list[str]) -> list[str]:
        """Return the names of more than 8 words; words of the user's `own` names do not count."""
        found = []
        for node in self.nodes():
            name = short = node.get("name", {}).get("value", "")
            for word in sorted(own, key=len, reverse=True):
                short = short.replace(word, "")
            if node["role"]["value"] not in _TEXT_ROLES and len(short.split()) > 8:
                found.append(f"{node['role']['value']}: {name}")
        return found

    def doubled_names(self) -> list[str]:
        """Return names that are read out a second time: as descriptions, or as parts of the name of a column."""
        found = []
        for node in self.nodes():
            name, said = (node.get(part, {}).get("value", "") for part in ("name", "description"))
            role = node["role"]["value"]
            # A box without a visible label has a tooltip for the mouse, which alone would not be a label.
            if role not in {*_TEXT_ROLES, "textbox"} and (
                (said and said == name) or (role == "columnheader" and "Menu of" in name)
            ):
                found.append(f"{role}: {name}")
        return found

    def focused(self) -> dict[str, Any] | None:
        """Return the focused element: its name, the tag of its card, and whether it is the card; None outside."""
        found: dict[str, Any] | None = self.notebook.js(_FOCUSED)
        return found

    def stops(self, limit: int = 200) -> list[dict[str, Any]]:
        """Return the elements that the Tab key reaches after the tabs, up to the end of the dashboard."""
        self.root.locator("[role=tab][aria-selected=true]").focus()
        found: list[dict[str, Any]] = []
        while len(found) < limit:
            self.notebook.page.keyboard.press("Tab")
            focused = self.focused()
            if focused is None:
                return found
            found.append(focused)
        raise AssertionError(f"no end after {limit} stops")
