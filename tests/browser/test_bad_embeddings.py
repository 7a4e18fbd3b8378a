"""Embeddings with something wrong: each card says what, and in which file; the others are as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.bad_embeddings import CONFIG, POINTS, write_bad_embeddings

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
tbwidget.ProjectorView("bad", height=900)
"""

REFUSED = {
    "checkpoint": "'model.ckpt' cannot be read",
    "no numbers": "'words.tsv' is not a table of numbers: could not convert string 'three' to float32 at row 2",
    "outside vectors": "'../../secret.tsv' is outside the log directory; not opened",
    "ragged": "'ragged.tsv' is not a table of numbers: the number of columns changed from 3 to 2 at row 2",
    "shape of binary": f"'raw.bytes' has 1,200 bytes; the float32 numbers of shape 60 x 7 in {CONFIG} take 1,680",
    "without shape": f"'raw.bytes' is binary, and {CONFIG} does not give its tensor_shape of rows and columns",
}
"""Texts of the cards of embeddings without points."""

REMARKED = {
    "cells": (60, "'cells.tsv' has rows with more or fewer cells than columns"),
    "constant": (60, "the rows of 'constant.tsv' do not differ"),
    "missing metadata": (60, "'gone.tsv' cannot be read: No such file or directory"),
    "no points": (0, "'nothing.tsv' has 0 rows; a projection needs two"),
    "none finite": (0, "'none.tsv' has 60 rows with a value that is not finite, not drawn"),
    "one point": (1, "'one.tsv' has 1 row; a projection needs two"),
    "outside metadata": (60, "'../../secret.tsv' is outside the log directory; not opened"),
    "outside sprite": (60, "'/etc/passwd' is outside the log directory; not opened"),
    "rows": (60, "'few.tsv' has 50 rows for 60 points"),
    "shape of table": (60, f"'good.tsv' has shape 60 x 5; {CONFIG} says 60 x 7"),
    "some finite": (57, "'some.tsv' has 3 rows with a value that is not finite, not drawn"),
    "sprite is text": (60, "the sprite 'text.png' cannot be shown: not a known image format"),
    "sprite of other size": (
        60,
        "cannot be shown: images of [64, 64] pixels are declared in one of 20 x 20",
    ),
    "sprite too large": (60, "the sprite 'huge.png' cannot be shown"),
    "zeros": (60, "the rows of 'zeros.tsv' do not differ"),
}
"""Numbers of drawn points, and texts of the cards."""

UNREAD = {
    "cut": (b'embeddings { tensor_name: "cut" tensor_pa', "not a projector configuration: "),
    "garbage": (bytes(range(256)) * 4, "not a projector configuration: "),
    "large": (b"# a comment\n" * 100_000, "a projector configuration of 1.2 MB; at most 1.0 MB are read"),
}
"""Configurations by their runs, and the text of each one's card."""

# Repeated, because cards above it grow when they are drawn.
SEEK = """
const all = [...document.querySelectorAll('.tbwidget-card')];
const card = all.find(one => one.dataset.tag === arg.tag);
card?.scrollIntoView({ block: 'start' });
return card?.dataset.state === arg.state && card.querySelector(arg.selector)?.textContent.includes(arg.text);
"""

# Repeated until it is chosen: the card is redrawn when cards above it grow.
CHOOSE_RUN = """
const card = [...document.querySelectorAll('.tbwidget-card')].find(one => one.dataset.tag === arg.tag);
card?.scrollIntoView({ block: 'start' });
const button = card?.querySelector(`button[data-run="${arg.run}"]`);
button?.click();
return button?.getAttribute('aria-pressed') === 'true';
"""

COUNT_TOOLS = """
const card = [...document.querySelectorAll('.tbwidget-card')].find(one => one.dataset.tag === arg.tag);
card?.scrollIntoView({ block: 'start' });
const count = selector => card?.querySelectorAll(selector).length;
return count('.tbwidget-projector-stage') === 1 && count('.tbwidget-projector-buttons') === arg.tools
    && count('.tbwidget-projector-side') === arg.tools && count('.tbwidget-projector-foot') === arg.feet;
"""


def card_that_says(notebook: NotebookPage, tag: str, state: str, selector: str, text: str) -> Locator:
    """Scroll to a card until an element of it contains this text."""
    notebook.wait(SEEK, arg={"tag": tag, "state": state, "selector": selector, "text": text})
    return notebook.card(tag)


def test_each_card_says_what_is_wrong_and_in_which_file(server: JupyterServer, open_notebook: Open) -> None:
    write_bad_embeddings(server.root / "bad/run")
    (server.root / "secret.tsv").write_text("1\t2\n3\t4\n")
    for run, (content, _) in UNREAD.items():
        (server.root / "bad" / run).mkdir()
        (server.root / "bad" / run / CONFIG).write_bytes(content)
    server.write_notebook("bad.ipynb", [SHOW])
    notebook = open_notebook("bad.ipynb")
    notebook.run_cell(0)
    for tag in ("a good one", "flat", "z good one"):
        card = card_that_says(notebook, tag, "shown", ".tbwidget-projector-facts", f"{POINTS} points")
        expect(card).to_have_attribute("data-points", str(POINTS))
        expect(card.locator("[data-remark]")).to_have_count(0)
    for tag, text in REFUSED.items():
        card_that_says(notebook, tag, "broken", "[role=alert]", text)
    for tag, (points, text) in REMARKED.items():
        card = card_that_says(notebook, tag, "shown", "[data-remark]", text)
        expect(card).to_have_attribute("data-points", str(points))
        # Without a point, no tool has anything to act on.
        tools = {"tools": int(points > 0), "feet": int(tag != "no points")}
        notebook.wait(COUNT_TOOLS, arg={"tag": tag, **tools})
    card_that_says(notebook, "missing vectors", "waits", "[role=status]", "'gone.tsv' does not exist yet")
    for run, (_, said) in UNREAD.items():
        notebook.wait(CHOOSE_RUN, arg={"tag": CONFIG, "run": run})
        card_that_says(notebook, CONFIG, "broken", "[role=alert]", f"'{run}/{CONFIG}' cannot be read: {said}")
    assert notebook.errors == []


def test_a_directory_of_nothing_but_a_configuration_that_cannot_be_read(
    server: JupyterServer, open_notebook: Open
) -> None:
    (server.root / "only").mkdir()
    (server.root / "only" / CONFIG).write_bytes(b"no such {{{")
    server.write_notebook("only.ipynb", ["import tbwidget\ntbwidget.show('only')"])
    notebook = open_notebook("only.ipynb")
    notebook.run_cell(0)
    said = f"'{CONFIG}' cannot be read: not a projector configuration"
    expect(card_that_says(notebook, CONFIG, "broken", "[role=alert]", said)).to_be_visible()
    expect(notebook.page.get_by_role("button", name="1 problem")).to_be_visible()
    assert notebook.errors == []
