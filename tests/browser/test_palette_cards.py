"""Actions of the palette on one card, on all cards and on a section, while a cell runs."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import access_page
from tests.browser.cells import hold
from tests.browser.page import LAYER
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard({name!r}, height=500)
display(board)
"""

STEPS = 20
FAR = "zeta/m29"


def value_of(tag: str, step: int) -> float:
    return len(tag) + step / 4


def write_logs(server: JupyterServer, name: str) -> None:
    tags = ["loss/train", "loss/val", *[f"alpha/m{i:02}" for i in range(30)], *[f"zeta/m{i:02}" for i in range(30)]]
    points = [event(1.7e9 + step, step, simple(tag, value_of(tag, step))) for tag in tags for step in range(STEPS)]
    write(server.root / name / "run" / NAME, event(1.7e9, version="brain.Event:2"), *points)


def opened_busy(server: JupyterServer, open_notebook: Open, name: str) -> NotebookPage:
    """A dashboard whose kernel runs a cell: it answers nothing."""
    write_logs(server, name)
    server.write_notebook(f"{name}.ipynb", [SHOW.format(name=name), hold(name)])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss/train": str(STEPS - 1)})
    notebook.wait("return document.querySelectorAll('.tbwidget section[data-titled]').length === 2")
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    return notebook


def choose(notebook: NotebookPage, text: str, found: str) -> None:
    """Type into the palette, and choose the first result."""
    notebook.page.locator(".tbwidget").first.focus()
    notebook.page.keyboard.press("Control+k")
    palette = notebook.page.locator(".tbwidget-palette")
    palette.get_by_role("combobox").fill(text)
    expect(palette.get_by_role("option", selected=True)).to_contain_text(found)
    notebook.page.keyboard.press("Enter")


def downloaded(notebook: NotebookPage, text: str, found: str) -> list[list[str]]:
    """Choose what saves a CSV, and read that."""
    with notebook.page.expect_download() as info:
        choose(notebook, text, found)
    with Path(info.value.path()).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def test_a_card_far_off_the_screen_is_saved_and_filled_by_its_name(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened_busy(server, open_notebook, "palette-far")
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    assert root.locator(f'[data-tag="{FAR}"] .tbwidget-save-menu').count() == 0

    rows = downloaded(notebook, f"csv {FAR}", f"Save as CSV: {FAR}")
    head = rows[0]
    saved = {
        (row[head.index("tag")], int(row[head.index("step")])): float(row[head.index("value")]) for row in rows[1:]
    }
    assert saved == {(FAR, step): value_of(FAR, step) for step in range(STEPS)}
    page.keyboard.press("Escape")

    # The menu of the panel does it for all cards.
    rows = downloaded(notebook, "export csv all cards", "Save as CSV: all cards")
    assert len({row[head.index("tag")] for row in rows[1:]}) == 62
    page.keyboard.press("Escape")

    choose(notebook, "fill alpha/m03", "Fill the window: alpha/m03")
    full = page.locator(".tbwidget-full")
    expect(full).to_have_attribute("aria-label", "alpha/m03")
    # Only the card that covers the others is offered there, and its own menu opens.
    choose(notebook, "save png", "Save as PNG: alpha/m03")
    expect(full.get_by_role("button", name="Save as PNG")).to_be_visible()
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("palette-far")
    assert notebook.errors == []


def test_cards_and_sections_are_arranged_by_name(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened_busy(server, open_notebook, "palette-arrange")
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    sections = root.locator("section[data-titled]")

    choose(notebook, "rename section zeta", "Rename the section: zeta")
    box = root.get_by_role("textbox", name="Name of the section zeta")
    expect(box).to_be_focused()
    box.fill("Last")
    page.keyboard.press("Enter")
    expect(root.locator('section[data-section="Last"]')).to_have_count(1)
    before = sections.evaluate_all("all => all.map(one => one.dataset.section)")
    choose(notebook, "section up last", "Move the section up: Last")
    expect(sections.first).to_have_attribute("data-section", "Last")
    # It cannot go further, nor can the other one, nor the last card.
    expect(sections.first.get_by_role("button", name="Move the section up")).to_be_disabled()
    page.keyboard.press("/")
    palette = page.locator(".tbwidget-palette")
    for typed, offered in (
        ("section up", "Move the section up: alpha"),
        ("section down", "Move the section down: Last"),
    ):
        palette.get_by_role("combobox").fill(typed)
        expect(palette.get_by_role("option", name=offered.split(":")[0])).to_have_text(re.compile(f"^{offered}"))
    palette.get_by_role("combobox").fill("card down m29")
    expect(palette.get_by_role("option", name="Move the card down: zeta/m29")).to_have_count(1)
    expect(palette.get_by_role("option", name="Move the card down: alpha/m29")).to_have_count(0)
    page.keyboard.press("Escape")
    assert sections.evaluate_all("all => all.map(one => one.dataset.section)") == before[::-1]
    # There are more than 60 cards: only the first section is open by itself.
    cards = root.locator('section[data-section="Last"] .tbwidget-card')
    expect(cards).to_have_count(0)
    choose(notebook, "unfold section last", "Unfold the section: Last")
    expect(cards).to_have_count(30)
    choose(notebook, "fold section alpha", "Fold the section: alpha")
    expect(root.locator('section[data-section="alpha"] .tbwidget-card')).to_have_count(0)
    choose(notebook, "unfold section alpha", "Unfold the section: alpha")

    # Training and validation share a card at first.
    joint = root.locator("[data-tags]")
    expect(joint).to_have_count(1)
    choose(notebook, "own card", "Give each tag its own card: loss/train, loss/val")
    expect(joint).to_have_count(0)
    notebook.card("loss/val").wait_for()
    choose(notebook, "training loss/val", "Draw training and validation in one card: loss/val")
    expect(joint).to_have_count(1)

    shown = "return [...document.querySelectorAll('[data-section=alpha] .tbwidget-card')].map(one => one.dataset.tag)"
    order = notebook.js(shown)
    choose(notebook, f"card down {order[0]}", f"Move the card down: {order[0]}")
    notebook.wait(f"return (() => {{{shown}}})().join() === arg", arg=",".join([order[1], order[0], *order[2:]]))
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("palette-arrange")
    assert notebook.errors == []


def test_a_zoom_is_found_and_ended_by_name(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened_busy(server, open_notebook, "palette-zoom")
    palette = notebook.page.locator(".tbwidget-palette")
    card = notebook.card("alpha/m00")
    card.scroll_into_view_if_needed()
    box = notebook.plot("alpha/m00").bounding_box()
    assert box is not None
    mouse = notebook.page.mouse
    mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.25 * box["height"])
    mouse.down()
    mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=4)
    mouse.up()
    reset = card.get_by_role("button", name="Reset zoom")
    expect(reset).to_have_count(1)
    # Off the screen it is zoomed, too.
    choose(notebook, FAR, FAR)
    expect(card.get_by_role("button", name="Reset zoom")).to_have_count(0)
    choose(notebook, "reset zoom alpha", "Reset zoom: alpha/m00")
    expect(card.locator("canvas").first).to_be_visible()
    expect(reset).to_have_count(0)
    notebook.page.keyboard.press("Control+k")
    palette.get_by_role("combobox").fill("reset zoom alpha")
    expect(palette.get_by_role("option", name=re.compile("Reset zoom"))).to_have_count(0)
    notebook.page.keyboard.press("Escape")
    notebook.release("palette-zoom")
    assert notebook.errors == []


# By panel: a typed text, the beginning of the entry that it finds, and an element that the action leaves.
ACTIONS = [
    ("custom_scalars", "fill window", "Fill the window: ", ".tbwidget-full"),
    ("histograms", "fill window", "Fill the window: ", ".tbwidget-full"),
    ("distributions", "fill window", "Fill the window: ", ".tbwidget-full"),
    ("pr_curves", "fill window", "Fill the window: ", ".tbwidget-full"),
    ("images", "fill window", "Fill the window: ", ".tbwidget-viewer"),
    ("meshes", "fill window", "Fill the window: ", ".tbwidget-viewer"),
    ("graphs", "fill window", "Fill the window: ", ".tbwidget-graph-stage[aria-modal]"),
    ("projector", "fill window", "Fill the window: ", ".tbwidget-projector-body[aria-modal]"),
    ("projector", "lasso", "Lasso: ", '[data-action="projector.tool_lasso"][aria-pressed=true]'),
    ("projector", "components pc3", "Components: PC3", "[data-component='3'][aria-pressed=true]"),
    ("projector", "umap", "Projection: UMAP", ".tbwidget-toolbar [aria-pressed=true]:text('UMAP')"),
    ("meshes", "open: few", "Open: ", ".tbwidget-viewer"),
    ("audio", "seek: cosine", "Seek: ", ".tbwidget-clip-wave:focus"),
    ("text", "unfold", "Unfold all data", ".tbwidget-tree:not(:has([aria-expanded=false]))"),
    ("text", "fold all", "Fold all data", ".tbwidget-tree:not(:has([aria-expanded=true]))"),
    ("text", "copy:", "copy: ", "[data-action='text.copy']:has-text('copied')"),
    ("text", "compare", "compare: ", ".tbwidget-comparison"),
    ("text", "back to all", "Back to all texts", ".tbwidget-main:not(:has(.tbwidget-comparison))"),
    ("text", "wide:", "wide: ", '[data-action="text.wide"][aria-pressed=true]'),
]

# Files of them: the menu of a card, of all cards, or of the panel.
FILES = [
    ("audio", "save logged", "Save as logged: ", r"\.(wav|zip)$"),
    ("audio", "save this clip cosine", "Save this clip as it was logged: ", r"cosine.*\.wav$"),
    ("projector", "save csv", "Save as CSV: ", r"^projector_.*\.csv$"),
    ("hparams", "save csv", "Save as CSV", r"^hparams\.csv$"),
    ("graphs", "save svg", "Save as SVG", r"\.svg$"),
]


def test_each_panel_offers_what_its_cards_do(server: JupyterServer, open_notebook: Open) -> None:
    access_page.write(server.root / "palette-panels-cards")
    server.write_notebook("palette-panels-cards.ipynb", [SHOW.format(name="palette-panels-cards")])
    notebook = open_notebook("palette-panels-cards.ipynb")
    notebook.run_cell(0)
    access = access_page.Access(notebook)
    page = notebook.page
    for panel, text, found, shown in ACTIONS:
        access.show(panel)
        choose(notebook, text, found)
        page.locator(".tbwidget").locator(shown).first.wait_for()
        if text.startswith(("fill", "open")):
            page.locator(f".tbwidget {LAYER}").last.get_by_role("button", name="Close").first.click()
            expect(page.locator(f".tbwidget {LAYER}")).to_have_count(0)
    for panel, text, found, name in FILES:
        access.show(panel)
        with page.expect_download() as info:
            choose(notebook, text, found)
        assert re.search(name, info.value.suggested_filename), (panel, info.value.suggested_filename)
        page.keyboard.press("Escape")
    assert notebook.errors == []
