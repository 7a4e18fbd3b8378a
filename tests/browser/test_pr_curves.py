"""PR curves: drawn while a cell runs, at any step; a threshold is marked by pointer and keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.conftest import ROOT
from tests.support.curves import CASES, table_of, value_of
from tests.support.eventfiles import NAME, event, write

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.PRCurvesView({logs!r}, height=900)
board
"""

BEGIN = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
import numpy as np
from tests.support.eventfiles import event
from tests.support.curves import CASES, table_of, value_of
path = Path("classified/run/events.out.tfevents.1")
path.parent.mkdir(parents=True)
step = 0
"""

STEP = """
with path.open("ab") as file:
    file.write(event(time.time(), step, value_of("class", table_of(CASES[step % 2]))))
step += 1
time.sleep(0.3)
"""


def row(card: Locator, run: str) -> Locator:
    return card.locator(f"tr[data-run='{run}'][data-tag]")


def test_new_curves_are_drawn_while_a_cell_runs(server: JupyterServer, open_notebook: Open) -> None:
    cells = [BEGIN.format(root=str(ROOT)), SHOW.format(logs="classified"), hold("classified", STEP), "print(step)"]
    server.write_notebook("classified.ipynb", cells)
    notebook = open_notebook("classified.ipynb")
    notebook.mute()
    notebook.run_cell(0)
    notebook.run_cell(1)
    notebook.start_cell(2)
    notebook.wait("return Number(document.querySelector('[data-panel=pr_curves]')?.dataset.lastStep) >= 3")
    card = notebook.card("class")
    for case in CASES[:2]:  # of even and of odd steps
        average_precision = pytest.approx(case["average_precision"], abs=1e-6)
        notebook.wait(
            "return Math.abs(document.querySelector('tr[data-ap]').dataset.ap - arg) < 1e-6",
            arg=case["average_precision"],
        )
        shown = row(card, "run").evaluate("row => ({...row.dataset})")
        if float(shown["ap"]) == average_precision:
            assert float(shown["auc"]) == pytest.approx(case["roc_auc"], abs=1e-6)
    notebook.release("classified")
    notebook.end_of_cell(2)
    assert notebook.errors == []


def logged(folder: Path) -> Path:
    for run, cases in (("one", (0, 1)), ("two", (1, 0))):
        tables = [table_of(CASES[case]) for case in cases]
        events = [
            event(1.7e9 + step, step, *(value_of(tag, table) for tag in ("class/0", "class/1")))
            for step, table in zip((10, 20), tables, strict=True)
        ]
        bad = np.full((6, 3), np.nan)
        write(folder / run / NAME, *events, event(1.7e9 + 30, 20, value_of("<b>bad</b>", bad)))
    return folder


def threshold(notebook: NotebookPage) -> Locator:
    return notebook.page.locator(".tbwidget").get_by_role("spinbutton", name="Threshold")


def test_steps_thresholds_and_errors(server: JupyterServer, open_notebook: Open) -> None:
    logged(server.root / "judged")
    cells = [SHOW.format(logs="judged"), hold("judged"), "print(board.curve)"]
    server.write_notebook("judged.ipynb", cells)
    notebook = open_notebook("judged.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    notebook.start_cell(1)
    root = notebook.page.locator(".tbwidget")
    notebook.scroll_to("class/0")
    card = notebook.card("class/0")
    expect(card).to_have_attribute("data-last-step", "20")
    expect(row(card, "one")).to_have_attribute("data-step", "20")
    assert float(row(card, "one").get_attribute("data-ap") or "") == pytest.approx(CASES[1]["average_precision"])
    expect(card).to_contain_text("11 \u2013 127 thresholds")

    # Another step, on this card alone.
    notebook.own_step("class/0").press("ArrowLeft")
    expect(card).to_have_attribute("data-last-step", "10")
    expect(row(card, "one")).to_have_attribute("data-step", "10")
    expect(row(notebook.card("class/1"), "one")).to_have_attribute("data-step", "20")

    # A threshold, by keys and by the pointer.
    plot = notebook.plot("class/0")
    plot.focus()
    plot.press("ArrowRight")
    expect(root.locator(".tbwidget-tooltip")).to_contain_text("Threshold 0.5")
    plot.press("Enter")
    expect(threshold(notebook)).to_have_value("0.5")
    expect(card).to_contain_text("F1 at 0.5")
    rates = row(card, "one").locator("td").evaluate_all("cells => cells.slice(-3).map(cell => Number(cell.innerText))")
    middle = len(CASES[0]["recall"]) // 2
    assert rates[:2] == pytest.approx([CASES[0][rate][middle] for rate in ("precision", "recall")], abs=1e-3)
    assert rates[2] == pytest.approx(2 * rates[0] * rates[1] / (rates[0] + rates[1]), abs=2e-3)
    plot.press("Enter")
    expect(threshold(notebook)).to_have_value("")
    plot.press("Escape")
    plot.click(position={"x": 60, "y": 60})
    expect(threshold(notebook)).not_to_have_value("")

    # What cannot be drawn says so, and nothing else suffers.
    notebook.scroll_to("<b>bad</b>")
    broken = row(notebook.card("<b>bad</b>"), "one")
    expect(broken).to_contain_text("values that are not finite")
    expect(broken).to_have_attribute("data-state", "broken")

    root.get_by_role("button", name="ROC", exact=True).click()
    notebook.scroll_to("class/0")
    expect(notebook.card("class/0")).to_contain_text("AUC")
    root.get_by_role("button", name="AP over steps").click()
    notebook.wait_for_last_steps({"class/0": "20"})
    value = threshold(notebook).input_value()
    notebook.release("judged")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, "average_precision")
    assert 0 <= float(value) <= 1
    assert notebook.errors == []


def test_several_tags_share_a_card(server: JupyterServer, open_notebook: Open) -> None:
    logged(server.root / "together")
    layout = {"version": 1, "sections": [{"name": "all", "cards": [{"pattern": "^class/"}]}]}
    show = SHOW.format(logs="together").replace("height=900", f"height=900, card_layout={json.dumps(layout)}")
    server.write_notebook("together.ipynb", [show])
    notebook = open_notebook("together.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    card = notebook.page.locator("[data-panel=pr_curves][data-tags]")
    expect(card.locator("tr[data-run][data-tag]")).to_have_count(4)
    micro = card.locator("tr[data-run='one'][data-average='micro']")
    # Twice the same counts.
    expect(micro).to_contain_text(f"{CASES[1]['average_precision']:.3f}")
    assert notebook.errors == []


def test_areas_of_many_tags_at_a_glance(server: JupyterServer, open_notebook: Open) -> None:
    tags = [f"class/{place}" for place in range(5)]
    for run, shift in (("one", 0), ("two", 1)):
        values = [value_of(tag, table_of(CASES[(place + shift) % 3])) for place, tag in enumerate(tags)]
        write(server.root / "glance" / run / NAME, event(1.7e9, 10, *(values[:-1] if shift else values)))
    server.write_notebook("glance.ipynb", [SHOW.format(logs="glance"), hold("glance")])
    notebook = open_notebook("glance.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    notebook.start_cell(1)
    areas = notebook.page.locator(".tbwidget-pr-areas")
    cells = areas.locator("[data-cell]")
    expect(cells).to_have_text(
        [f"{CASES[place % 3]['average_precision']:.3f}" for place in (0, 1, 1, 2, 2, 0, 0, 1, 1)]
    )
    # The mean says of how many tags it is.
    expect(areas.locator("tfoot td").last).to_have_attribute("title", "Mean of 4 of 5 tags")

    # The heading counts the tags that the filter shows, and leaves with them.
    heading = notebook.page.locator(".tbwidget-pr-map h3")
    expect(heading).to_have_text("AP by tag5")
    typed = notebook.page.get_by_role("searchbox", name="Filter tags")
    for text, said in (("class/[34]", ["AP by tag2"]), ("none", []), ("", ["AP by tag5"])):
        typed.fill(text)
        expect(heading).to_have_text(said)

    # Ordered by a run, the worst first; tags without a value come last.
    areas.get_by_title("two: order the tags by this run").click()
    ordered = sorted((CASES[(place + 1) % 3]["average_precision"], place) for place in range(4))
    expect(areas.locator("tbody th")).to_have_text([f"class/{place}" for _, place in ordered] + ["class/4"])

    # A press goes to the card, and one card has all tags with their averages.
    areas.locator('[data-cell=\'["class/4","one"]\']').click()
    expect(notebook.card("class/4")).to_be_in_viewport()
    areas.get_by_role("button", name="All in one card").click()
    several = notebook.page.locator("[data-panel=pr_curves][data-tags]")
    expect(several.locator("tr[data-run='one'][data-tag]")).to_have_count(5)
    expect(areas.get_by_role("button", name="All in one card")).to_have_count(0)
    notebook.page.locator(".tbwidget").get_by_role("button", name="ROC", exact=True).click()
    expect(cells.last).to_have_text(f"{CASES[1]['roc_auc']:.3f}")
    notebook.release("glance")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def test_the_areas_of_one_run_are_chips_in_a_few_lines(server: JupyterServer, open_notebook: Open) -> None:
    count = 60
    values = [value_of(f"class/{place}", table_of(CASES[place % 3])) for place in range(count)]
    write(server.root / "single" / "one" / NAME, event(1.7e9, 10, *values))
    server.write_notebook("single.ipynb", [SHOW.format(logs="single"), hold("single")])
    notebook = open_notebook("single.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    notebook.start_cell(1)
    areas = notebook.page.locator(".tbwidget-pr-map")
    chips = areas.locator("[data-cell]")
    expect(chips.first).to_contain_text(f"{min(case['average_precision'] for case in CASES[:3]):.3f}")
    expect(areas.locator("table")).to_have_count(0)
    tops = chips.evaluate_all("all => [...new Set(all.map(one => Math.round(one.getBoundingClientRect().top)))]")
    shown = chips.count()
    assert len(tops) == 3
    assert shown < count
    areas.get_by_role("button", name=f"Show {count - shown} more").click()
    expect(chips).to_have_count(count)

    # One card has all tags. The link in place of the former one ends it.
    areas.get_by_role("button", name="All in one card").click()
    several = notebook.page.locator("[data-panel=pr_curves][data-tags]")
    expect(several.locator("h4")).to_have_text("All tags")
    areas.get_by_role("button", name="Separate again").click()
    expect(several).to_have_count(0)
    notebook.release("single")
    notebook.end_of_cell(1)
    assert notebook.errors == []
