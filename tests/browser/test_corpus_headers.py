"""The values in the headers of cards are those in the logs, for every log of a real writer."""

from __future__ import annotations

import math
import shutil
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import TimeoutError as PageTimeoutError

import tbwidget
from tests.support.corpus import CORPUS

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

# One card for each tag: a joined card of training and validation shows only the last value of one of them.
SHOW = """
import tbwidget
board = tbwidget.ScalarsView("headers/{name}", tag_filter="", height=10_000, join_splits=False)
board
"""

HEIGHT = 11_000
"""CSS pixels of the window, so that the cards of each directory but one are all on the screen at once."""

MANY_TAGS = "aw_500_tags"
"""This directory has hundreds of tags of one kind: too many for one screen."""

# Tag and header value of each card of the last dashboard; the result is a list because a tag may be called __proto__.
_SAID = """
const cards = [...[...document.querySelectorAll('.tbwidget')].at(-1).querySelectorAll('[data-panel=scalars]')];
return cards.map(card => [card.dataset.tag, card.querySelector('output')?.textContent ?? null]);
"""


def written(value: float) -> str:
    """Write a number as the interface does: four digits, five from 10,000 on, an exponent far from 1."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("+∞" if value > 0 else "\u2212∞")
    size = abs(value)
    if value == 0 or 1e-3 <= size < 1e5:
        rounded = Context(prec=5 if size >= 1e4 else 4, rounding=ROUND_HALF_UP).create_decimal(Decimal(value))
        text = f"{rounded:f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        rounded = Context(prec=4, rounding=ROUND_HALF_UP).create_decimal(Decimal(value))
        mantissa, exponent = f"{rounded:.3e}".split("e")
        text = f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    return f"\u2212{text[1:]}" if text.startswith("-") else text


def headers(logs: tbwidget.LogDir) -> dict[str, str | None]:
    """Return the expected header of each tag's card: the last value, or the range of the last values of all runs."""
    lasts: dict[str, list[float]] = {}
    for run, tags in logs.tags().get("scalars", {}).items():
        for tag in tags:
            lasts.setdefault(tag, []).append(float(logs.scalars(run, tag).value[-1]))
    found: dict[str, str | None] = {}
    for tag, values in lasts.items():
        finite = [value for value in values if math.isfinite(value)]
        ends = [*dict.fromkeys(written(end) for end in (min(finite), max(finite)))] if finite else []
        one = [written(values[0])] if len(values) == 1 else ends
        found[tag] = "last " + " \u2013 ".join(one) if one else None
    return found


NAMES = sorted(path.parent.name for path in CORPUS.glob("*/logs") if path.parent.name != MANY_TAGS)


@pytest.mark.own_window
def test_headers_say_the_values_of_the_logs(server: JupyterServer, open_notebook: Open) -> None:
    wanted = {name: headers(tbwidget.load(CORPUS / name / "logs")) for name in NAMES}
    shown = [name for name in NAMES if wanted[name]]
    for name in shown:
        shutil.copytree(CORPUS / name / "logs", server.root / "headers" / name, copy_function=shutil.copyfile)
    server.write_notebook("headers.ipynb", [SHOW.format(name=name) for name in shown])
    notebook = open_notebook("headers.ipynb", size=(1400, HEIGHT))
    for cell, name in enumerate(shown):
        notebook.run_cell(cell)
        notebook.js("document.querySelectorAll('.tbwidget')[arg]?.scrollIntoView()", cell)
        wait_for_headers(notebook, wanted[name])
    cards = sum(len(wanted[name]) for name in shown)
    assert cards > 100
    print(f"{cards} of {cards} cards")
    assert notebook.errors == []


def wait_for_headers(notebook: NotebookPage, wanted: dict[str, str | None]) -> None:
    try:
        notebook.wait(
            f"""const said = new Map((() => {{{_SAID}}})());
            return said.size === arg.length && arg.every(([tag, text]) => said.get(tag) === text);""",
            arg=list(wanted.items()),
        )
    except PageTimeoutError:
        said = dict(notebook.js(_SAID))
        assert said == wanted  # shows which differ
