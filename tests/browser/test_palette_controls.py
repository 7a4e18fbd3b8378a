"""Every control of the dashboard belongs to an action of the palette, and actions on runs and profiles press theirs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import FilePayload, expect

from tests.browser import access_page
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = "import tbwidget\nboard = tbwidget.Dashboard({name!r})\nboard"

CONTROLS = ", ".join(
    ["button", "select", "input", "textarea", "summary", "a[href]"]
    + [f"[role={role}]" for role in ("slider", "button", "checkbox", "switch", "link", "menuitem", "spinbutton")]
)

# The controls that need no action of their own name: a selector, and why. A control that is new is in none of them.
WITHOUT_ACTION = {
    ":is(.tbwidget-card, .tbwidget-section-head, .tbwidget-toolbar) [data-action]": "an action presses it by this mark",
    ".tbwidget-pin": "the palette says Pin: and the name of a card",
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
    "pc": "components: pc",
}

# The controls that could be pressed now, each with its names and the name of the group around it.
_CONTROLS = """
const root = document.querySelector('.tbwidget');
const clean = (text) => (text ?? '').replace(/[▾▲▼\u00d7⋮]/g, '').replace(/\\s+/g, ' ').trim();
const textOf = (element) => {
    const copy = element?.cloneNode(true);
    copy?.querySelectorAll('.tbwidget-quiet').forEach((count) => count.remove());
    return copy?.textContent;
};
const found = [];
for (const element of root.querySelectorAll(arg.controls)) {
    const isShown = element.checkVisibility({ visibilityProperty: true }) || element.closest('.tbwidget-run-tools');
    if (!isShown || element.disabled || element.closest('fieldset:disabled') || element.closest(arg.excepted)) continue;
    const own = [element.ariaLabel, textOf(element.labels?.[0]), textOf(element), ...element.title.split('\\n')];
    const names = [...new Set(own.map(clean).filter((name) => name !== ''))];
    const around = clean(element.closest('fieldset')?.querySelector('legend')?.textContent);
    found.push({ names, around, html: element.outerHTML.slice(0, 200) });
}
return found;
"""

# The controls for which the open palette has no action: none has their name, and none has it as a value.
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
    # It has all controls of the light theme, and more.
    notebook.theme("dark")
    access = access_page.Access(notebook)
    lens = access.root.get_by_role("button", name="Search tags, runs and actions")
    seen: set[str] = set()
    lacking: list[Any] = []

    def controls() -> list[dict[str, Any]]:
        """Return the controls that were not on the page before."""
        found = notebook.js(_CONTROLS, {"controls": CONTROLS, "excepted": ", ".join(WITHOUT_ACTION)})
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


def write_runs(server: JupyterServer, name: str, count: int) -> None:
    for number in range(count):
        events = [event(1.7e9 + step, step, simple("loss", number + 1 / (1 + step))) for step in range(9)]
        write(server.root / name / f"run{number:03}" / NAME, event(1.7e9, version="brain.Event:2"), *events)


def test_an_action_on_a_run_presses_the_button_of_its_row(server: JupyterServer, open_notebook: Open) -> None:
    # Most rows of a list this long do not exist.
    write_runs(server, "palette-runs", 400)
    notebook = opened(server, open_notebook, "palette-runs")
    notebook.wait_for_last_steps({"loss": "8"})
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    row = root.locator("li[data-run=run321]")
    box = root.get_by_label("Filter runs")
    box.fill("run00")
    root.get_by_role("button", name="Show or hide runs and tags").click()
    expect(root.locator(".tbwidget-runs")).to_have_count(0)
    choose(notebook, "rename run321", "Rename run321 here")
    # The side bar is open, no filter is in the way, and the row is scrolled to.
    name = row.get_by_label("Name shown for run321")
    expect(name).to_be_focused()
    expect(name).to_be_in_viewport()
    expect(box).to_have_value("")
    name.fill("the best one")
    name.press("Enter")
    choose(notebook, "note best", "Note about run321")
    note = root.get_by_label("Note about run321").and_(root.locator("textarea"))
    expect(note).to_be_focused()
    note.fill("good")
    root.locator(".tbwidget-runs").get_by_role("button", name="Save", exact=True).click()
    expect(row.locator(".tbwidget-run-note")).to_have_attribute("title", "good")
    choose(notebook, "archive run321", "Archive run321")
    expect(row).to_have_count(0)
    choose(notebook, "back run321", "Take run321 back from the archive")
    expect(row).not_to_have_attribute("data-archived", "")
    choose(notebook, "color of run321", "Color of run321")
    expect(row.locator(".tbwidget-swatch")).to_be_in_viewport()
    choose(notebook, "best by", "Best by a value")
    expect(root.get_by_label("How many")).to_be_focused()
    page.keyboard.press("Escape")
    with page.expect_download() as saved:
        choose(notebook, "csv list of runs", "Save as CSV: List of runs")
    assert saved.value.suggested_filename == "runs.csv"
    assert notebook.errors == []


def test_an_action_of_another_panel_goes_there_first(server: JupyterServer, open_notebook: Open) -> None:
    access_page.write(server.root / "palette-others")
    notebook = opened(server, open_notebook, "palette-others")
    access = access_page.Access(notebook)
    access.show("scalars")
    palette = notebook.page.locator(".tbwidget-palette")
    choose(notebook, "heat map", "Heat map")
    expect(palette).to_have_count(0)
    expect(access.root.get_by_role("tab", selected=True)).to_have_text("Histograms")
    heat = access.root.locator(".tbwidget-toolbar").get_by_role("button", name="Heat map")
    expect(heat).to_have_attribute("aria-pressed", "true")
    choose(notebook, "threshold 0.5", "Threshold: 0.5")
    expect(access.root.get_by_role("tab", selected=True)).to_have_text("PR curves")
    expect(access.root.get_by_role("spinbutton", name="Threshold")).to_have_value("0.5")
    assert notebook.errors == []


def test_a_profile_is_saved_and_loaded_from_the_palette(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server, "palette-profile", 3)
    notebook = opened(server, open_notebook, "palette-profile")
    notebook.wait_for_last_steps({"loss": "8"})
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    smoothing = root.get_by_label("Smoothing", exact=True).first
    choose(notebook, "smoothing 0.25", "Smoothing: 0.25")
    with page.expect_download() as saved:
        choose(notebook, "save profile", "Save profile…")
    assert saved.value.suggested_filename == "tbwidget.json"
    profile = json.loads(saved.value.path().read_text("utf-8"))
    assert profile["smoothing"] == 0.25
    choose(notebook, "reset options", "Reset options")
    expect(smoothing).to_have_value("0.6")
    with page.expect_file_chooser() as chooser:
        choose(notebook, "load profile", "Load profile…")
    content = json.dumps(profile).encode()
    chooser.value.set_files([FilePayload(name="tbwidget.json", mimeType="application/json", buffer=content)])
    expect(root.locator(".tbwidget-profile").get_by_role("status")).to_contain_text("options loaded")
    expect(smoothing).to_have_value("0.25")
    assert notebook.errors == []
