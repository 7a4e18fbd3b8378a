"""Every control of the dashboard belongs to an action of the palette, and actions on runs and profiles press theirs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser import access_page
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = "import tbwidget\nboard = tbwidget.Dashboard({name!r})\nboard"

# The controls that need no action of their own name: a selector, and why. A control that is new is in none of them.
WITHOUT_ACTION = {
    ".tbwidget-card, [data-panel=graphs]": "it is of one card, or of a part of a graph",
    ".tbwidget-section-head": "it is of one section of cards",
    ".tbwidget-save-menu .tbwidget-popover-list": "Save opens it",
    ".tbwidget-toolbar .tbwidget-popover > button, .tbwidget-state": "a menu: what it has is in the palette",
    ".tbwidget-header-tool, [role=tab], .tbwidget-chevron": "the palette itself, and panels, which it has",
    ".tbwidget-all, .tbwidget-only, li[data-run] label": "the palette has each run, and all of them",
    ".tbwidget-table tbody": "rows of data",
    ".tbwidget-run-form:is(form) *, .tbwidget-action-row:has(.tbwidget-add-card) button": "a field of a form",
    ".tbwidget-run-menu .tbwidget-segments, .tbwidget-column-chooser [type=search]": "it shows a part of a menu",
    ".tbwidget-action-menu [type=search], .tbwidget-column-menu input": "it shows a part of a menu, or is in a form",
    ".tbwidget-overview-handle": "First step and Last step are numbers",
    ".tbwidget-follow[aria-pressed=true], .tbwidget-link[aria-pressed=true]": "there is nothing to be done",
    ".tbwidget-picker": "the button of a color opens it",
    "[role=separator]": "for the pointer, and its value is a number of the palette",
}

# Controls whose action has another name, as the control cannot hold it: what begins the name, and the action.
NAMED = {
    "menu of ": "filter: ",
    "move ": "move ",
    "hide column": "columns: ",
    "use as goal": "goal: ",
    "step of all cards": "step of all cards",
}

# The controls that could be pressed now, each with its names and that of what is around it.
_CONTROLS = """
const root = document.querySelector('.tbwidget');
const clean = (text) => (text ?? '').replace(/[▾▲▼×⋮]/g, '').replace(/\\s+/g, ' ').trim();
const textOf = (element) => {
    const copy = element?.cloneNode(true);
    copy?.querySelectorAll('.tbwidget-quiet').forEach((count) => count.remove());
    return copy?.textContent;
};
const found = [];
for (const element of root.querySelectorAll('button, select, input, textarea, [role=slider]')) {
    const isShown = element.checkVisibility({ visibilityProperty: true }) || element.closest('.tbwidget-run-tools');
    if (!isShown || element.disabled || element.closest('fieldset:disabled') || element.closest(arg)) continue;
    const own = [element.ariaLabel, textOf(element.labels?.[0]), textOf(element), ...element.title.split('\\n')];
    const names = [...new Set(own.map(clean).filter((name) => name !== ''))];
    const around = clean(element.closest('fieldset')?.querySelector('legend')?.textContent);
    found.push({ names, around, html: element.outerHTML.slice(0, 200) });
}
return found;
"""

# Those for which the palette, which is open, has no action: neither of their name, nor with it as a value.
_LACKING = """
async ([controls, named]) => {
    const input = document.querySelector('.tbwidget-palette input');
    const entriesOf = async (text) => {
        input.value = text;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const options = [...document.querySelectorAll('.tbwidget-palette [role=option]')];
        return options.map(({ ariaLabel }) => ariaLabel.toLowerCase());
    };
    const isOf = (name) => (entry) =>
        entry === name || entry.replace(': ', ' ') === name || entry.startsWith(`${name}: `)
        || entry.endsWith(`: ${name}`) || name.startsWith(`${entry}: `);
    const lacking = [];
    for (const { names, around, html } of controls) {
        let isThere = false;
        for (const name of names.map((one) => one.toLowerCase())) {
            const [part, action] = Object.entries(named).find(([begin]) => name.startsWith(begin)) ?? [];
            const entries = await entriesOf(action ?? `${around} ${name}`);
            isThere = entries.some(part === undefined ? isOf(name) : (entry) => entry.startsWith(action));
            if (isThere) break;
        }
        if (!isThere) lacking.push([names.join(' | '), html]);
    }
    return lacking;
}
"""


def opened(server: JupyterServer, open_notebook: Open, name: str) -> NotebookPage:
    server.write_notebook(f"{name}.ipynb", [SHOW.format(name=name)])
    notebook = open_notebook(f"{name}.ipynb", size=(1400, 1000))
    notebook.run_cell(0)
    return notebook


def choose(notebook: NotebookPage, text: str, found: str) -> None:
    """Open the palette by its button, type into it, and choose the first result."""
    notebook.page.locator(".tbwidget-header").get_by_role("button", name="Search tags, runs and actions").click()
    palette = notebook.page.locator(".tbwidget-palette")
    palette.get_by_role("combobox").fill(text)
    expect(palette.get_by_role("option", selected=True)).to_contain_text(found)
    notebook.page.keyboard.press("Enter")


def test_every_control_belongs_to_an_action_of_the_palette(server: JupyterServer, open_notebook: Open) -> None:
    access_page.write(server.root / "palette-controls")
    notebook = opened(server, open_notebook, "palette-controls")
    access = access_page.Access(notebook)
    lens = access.root.get_by_role("button", name="Search tags, runs and actions")
    seen: set[str] = set()
    lacking: list[Any] = []

    def controls() -> list[dict[str, Any]]:
        """Return the controls that are there now and were not there before."""
        found = notebook.js(_CONTROLS, ", ".join(WITHOUT_ACTION))
        keys = [json.dumps([control["names"], control["around"]]) for control in found]
        new = [control for key, control in zip(keys, found, strict=True) if key not in seen]
        seen.update(keys)
        return new

    for panel in access_page.PANELS:
        access.show(panel)
        shown = controls()
        for _ in access.menus(panel):
            shown += controls()
        menu = access.root.locator(".tbwidget-column-menu-button")
        if menu.count() > 0:
            menu.nth(1).click()
            shown += controls()
            notebook.page.keyboard.press("Escape")
        lens.click()
        lacking += notebook.page.evaluate(_LACKING, [shown, NAMED])
        notebook.page.keyboard.press("Escape")
    assert len(seen) > 150
    assert not lacking, "\n".join(map(str, lacking))
