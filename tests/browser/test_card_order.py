"""Cards are ordered by their tags; training and validation share a card until the user splits it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

TAGS = [
    *("acc/train", "acc/val", "train/loss", "eval/loss", "train/grad_norm", "train/learning_rate", "train/epoch"),
    *("eval/runtime", "eval/samples_per_second", "zz/a", "zz/b"),
]

SHOW = """
import tbwidget, tensorboardX
from IPython.display import display
board = tbwidget.Dashboard("{name}-runs", height=1_400)
display(board)
"""

LATER = """
with tensorboardX.SummaryWriter("{name}-runs/late") as writer:
    for tag in ("zz/loss", "aa/x", "aa/y", "train/gamma"):
        writer.add_scalar(tag, 1, 0)
"""

LAYOUT = "print(board.card_layout, board.pinned)"

CARDS = """
return [...document.querySelectorAll('.tbwidget .tbwidget-card')].map(({ dataset, offsetHeight }) =>
    [dataset.tags ? JSON.parse(dataset.tags).join('+') : dataset.tag, offsetHeight]);
"""

LOSS = "train/loss+eval/loss"


def cards(notebook: NotebookPage) -> dict[str, int]:
    """The heights of the cards, in their order on the page."""
    return dict(notebook.js(CARDS))


def wait_for_cards(notebook: NotebookPage, *tags: str) -> None:
    """Wait until these are the first cards."""
    notebook.wait(f"const found = (() => {{{CARDS}}})(); return arg.every((tag, i) => found[i]?.[0] === tag)", arg=tags)


@pytest.fixture
def notebook(server: JupyterServer, open_notebook: Open, request: pytest.FixtureRequest) -> NotebookPage:
    name = request.node.name.removeprefix("test_")[:24]
    for run in ("a", "b"):
        events = [
            event(1.7e9 + step, step, simple(tag, (1 + i) / (2 + step)))
            for step in range(40)
            for i, tag in enumerate(TAGS)
            if step % 10 == 9 or not tag.startswith(("eval", "acc/val"))
        ]
        write(server.root / f"{name}-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook(f"{name}.ipynb", [SHOW.format(name=name), LATER.format(name=name), LAYOUT])
    page = open_notebook(f"{name}.ipynb")
    page.run_cell(0)
    wait_for_cards(page, LOSS, "acc/train+acc/val")
    return page


def test_losses_come_first_and_progress_metrics_last_and_small(notebook: NotebookPage) -> None:
    found = cards(notebook)
    assert list(found) == [
        *(LOSS, "acc/train+acc/val", "train/grad_norm", "train/epoch", "train/learning_rate", "zz/a", "zz/b"),
        *("eval/runtime", "eval/samples_per_second"),
    ]
    usual = found[LOSS]
    small = [tag for tag, height in found.items() if height <= usual / 2]
    assert small == ["train/epoch", "train/learning_rate", "eval/runtime", "eval/samples_per_second"]
    assert {height for tag, height in found.items() if tag not in small} == {usual}
    # Two of them take the space of one: the second stands below the first.
    first, second = (notebook.card(tag).bounding_box() for tag in small[:2])
    assert first is not None
    assert second is not None
    assert (first["x"], first["width"]) == (second["x"], second["width"])
    assert first["height"] + 10 + second["height"] == usual
    # By keys and by its corner, a card gets the usual size, and becomes small again.
    height = "return document.querySelector('[data-tag=\"train/epoch\"]').offsetHeight === arg"
    notebook.card("train/epoch").focus()
    notebook.page.keyboard.press("Alt+Shift+ArrowDown")
    notebook.wait(height, arg=usual)
    notebook.page.keyboard.press("Alt+Shift+ArrowUp")
    notebook.wait(height, arg=found["train/epoch"])
    box = notebook.card("train/epoch").bounding_box()
    assert box is not None
    right, bottom = box["x"] + box["width"] - 6, box["y"] + box["height"] - 6
    notebook.page.mouse.move(right, bottom)
    notebook.page.mouse.down()
    notebook.page.mouse.move(right, bottom + 60, steps=4)
    notebook.page.mouse.up()
    notebook.wait(height, arg=usual)
    assert notebook.errors == []


def test_training_and_validation_are_told_apart_in_one_card(notebook: NotebookPage) -> None:
    card = notebook.card("eval/loss")
    expect(card).to_have_attribute("data-tags", json.dumps(["train/loss", "eval/loss"], separators=(",", ":")))
    expect(card).to_have_attribute("data-tag", "train/loss")
    expect(card).to_have_attribute("data-last-step", "39")
    expect(card.locator("h4")).to_have_text("loss")
    legend = card.get_by_role("list", name="Tags and runs").locator("li")
    expect(legend).to_have_text(["train", "eval"])
    dashes = "paths => paths.map(path => path.getAttribute('stroke-dasharray'))"
    assert legend.locator("path").evaluate_all(dashes) == ["7 3", ""]
    # The value as written of eval/loss, the last but one of the tags.
    expect(card.locator(".tbwidget-card-value")).to_have_text("eval 0.09756")
    # The tooltip names the tag of each of its four lines.
    x, y, width, height = notebook.area(notebook.plot("eval/loss"))
    notebook.page.mouse.move(x + width * 0.9, y + height / 2)
    tooltip = notebook.page.locator(".tbwidget-tooltip")
    expect(tooltip.get_by_text("train/loss")).to_have_count(2)
    expect(tooltip.get_by_text("eval/loss")).to_have_count(2)
    notebook.page.mouse.move(0, 0)
    # If a filter matches one of the two tags, the card shows only that one.
    notebook.page.get_by_label("Filter tags").fill("eval/loss")
    wait_for_cards(notebook, "eval/loss")
    assert list(cards(notebook)) == ["eval/loss"]


def test_a_card_is_split_and_joined_and_stays_so(notebook: NotebookPage) -> None:
    page = notebook.page
    notebook.card("train/loss").hover()
    split = notebook.card("train/loss").get_by_role("button", name="Give each tag its own card")
    assert split.inner_text() == "", "a cross would close the card"
    split.click()
    wait_for_cards(notebook, "train/loss", "eval/loss", "acc/train+acc/val")
    notebook.run_cell(0)  # another dashboard of the same logs remembers it
    wait_for_cards(notebook, "train/loss", "eval/loss", "acc/train+acc/val")
    notebook.wait_for_output(2, "{'version': 1, 'sections': [], 'apart': ['train/loss', 'eval/loss']} []")
    card = notebook.card("eval/loss")
    card.hover()
    card.get_by_role("button", name="Draw training and validation in one card").click()
    wait_for_cards(notebook, LOSS, "acc/train+acc/val")
    notebook.wait_for_output(2, "None []")
    # Pinning the card pins both tags, in one card.
    notebook.card("acc/train").hover()
    notebook.card("acc/train").get_by_role("button", name="Pin").click()
    wait_for_cards(notebook, "acc/train+acc/val", LOSS)
    notebook.wait_for_output(2, "None ['acc/train', 'acc/val']")
    page.get_by_role("button", name="Unpin").click()
    wait_for_cards(notebook, LOSS, "acc/train+acc/val")
    # For all cards, in the menu and in Python.
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_label("Training and validation in one chart").click()
    wait_for_cards(notebook, "train/loss", "eval/loss", "acc/train", "acc/val")


def test_no_card_moves_when_others_appear(notebook: NotebookPage) -> None:
    before = list(cards(notebook))
    notebook.run_cell(1)
    notebook.wait("return document.querySelectorAll('.tbwidget .tbwidget-card').length === arg", arg=len(before) + 4)
    after = list(cards(notebook))
    assert [tag for tag in after if tag in before] == before
    assert after[:2] == before[:2]
    # It stands at its place among the existing cards, though its loss would put the group before others.
    assert after.index("zz/loss") == after.index("zz/a") - 1
    assert notebook.errors == []


def test_training_and_validation_of_many_runs_share_a_card_too(server: JupyterServer, open_notebook: Open) -> None:
    for run in range(13):
        values = [
            event(1.7e9 + step, step, simple(tag, step)) for step in range(3) for tag in ("loss/train", "loss/val")
        ]
        write(server.root / "joined-runs" / str(run) / NAME, event(1.7e9, version="brain.Event:2"), *values)
    server.write_notebook("joined.ipynb", [SHOW.format(name="joined")])
    notebook = open_notebook("joined.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, "loss/train+loss/val")
    notebook.card("loss/train").hover()
    notebook.card("loss/train").get_by_role("button", name="Give each tag its own card").click()
    wait_for_cards(notebook, "loss/train", "loss/val")
    assert notebook.errors == []
