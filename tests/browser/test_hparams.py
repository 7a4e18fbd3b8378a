"""Hyperparameters: a table of sessions that follows a training, sorts, filters, averages, and selects runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.conftest import ROOT
from tests.support.eventfiles import event, simple, write
from tests.support.trials import ended, experiment, started

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.Dashboard({logs!r}, panel="hparams", height={height}, {options})
board
"""

METRICS = [{"name": {"tag": "acc"}}, {"name": {"tag": "loss"}}]


def trial(
    folder: Path, run: str, acc: float, group: str = "", status: str = "STATUS_SUCCESS", **hparams: float | str | bool
) -> None:
    write(
        folder / run / "events.out.tfevents.1",
        event(1_000, version="brain.Event:2"),
        event(1_001, 0, experiment([], METRICS), started(group, **hparams)),
        event(1_002, 1, simple("acc", acc), simple("loss", 1 - acc)),
        event(1_003, 0, ended(status)),
    )


def table(notebook: NotebookPage) -> Locator:
    return notebook.page.locator(".tbwidget-hparams-table")


def cells(table: Locator, column: str) -> list[str]:
    return table.locator(f"tbody td[data-column='{column}']").all_inner_texts()


def opened(
    server: JupyterServer, open_notebook: Open, name: str, logs: str, options: str = "", height: int = 700
) -> NotebookPage:
    server.write_notebook(
        name,
        [
            SHOW.format(logs=logs, options=options, height=height),
            "sorted(board.selected_runs or []), board.hparams_sort",
        ],
    )
    notebook = open_notebook(name)
    notebook.run_cell(0)
    # Metrics are scalars, which may arrive after the sessions.
    expect(table(notebook).locator("tbody tr").first).to_be_visible()
    notebook.wait_for_state("idle", "live")
    return notebook


def sweep(folder: Path) -> None:
    trial(folder, "a", 0.5, lr=1e-4, opt="adam", deep=True, seed=7)
    trial(folder, "b", 0.9, lr=0.01, opt="sgd", deep=False, seed=7)
    trial(folder, "c", 0.7, lr=0.1, opt="adam", deep=True, seed=7)
    trial(folder, "d", float("nan"), lr=32, opt="sgd", deep=True, seed=7, status="STATUS_FAILURE")


WRITE = """
import sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.browser.test_hparams import sweep, trial
from tests.support.eventfiles import event, simple
folder = Path("trained")
sweep(folder)
step = 1
"""

TRAIN = """
step += 1
if step == 2:
    trial(folder, "new", 0.25, lr=0.5, opt="adam", deep=True, seed=7)
with (folder / "a" / "events.out.tfevents.1").open("ab") as file:
    file.write(event(1_003 + step, step, simple("acc", 1 / step)))
time.sleep(0.3)
"""

WATCH = """
window.changedCells = new Set();
new MutationObserver((changes) => {
  for (const { target } of changes) {
    const cell = target.nodeType === 3 ? target.parentElement : target;
    window.changedCells.add(cell.closest("td")?.dataset.column + " " + cell.closest("tr")?.dataset.run);
  }
}).observe(document.querySelector(".tbwidget-hparams-table tbody"), {
  subtree: true, childList: true, characterData: true, attributes: true,
});
"""


def test_a_session_and_its_metrics_appear_while_a_cell_trains(server: JupyterServer, open_notebook: Open) -> None:
    cells_of = [
        WRITE.format(root=str(ROOT)),
        SHOW.format(logs="trained", options="", height=700),
        hold("trained", TRAIN),
        "step",
    ]
    server.write_notebook("trained.ipynb", cells_of)
    notebook = open_notebook("trained.ipynb")
    notebook.mute()
    notebook.run_cell(0)
    notebook.run_cell(1)
    rows = table(notebook)
    expect(rows.locator("tbody tr")).to_have_count(4)
    notebook.start_cell(2)
    expect(rows.locator("tr[data-run='new'] [data-column='hparam:lr']")).to_have_text("0.5")
    expect(rows.locator("tr[data-run='new'] [data-column='metric:acc']")).to_have_text("0.25")
    notebook.js(WATCH)
    cell = rows.locator("tr[data-run='a'] [data-column='metric:acc']")
    before = cell.inner_text()
    expect(cell).not_to_have_text(before)
    # The color of the goal depends on all its values; nothing else is redrawn.
    assert {name.split()[0] for name in notebook.js("return [...window.changedCells]")} == {"metric:acc"}
    notebook.release("trained")
    notebook.end_of_cell(2)
    assert notebook.errors == []


def test_the_table_sorts_filters_and_selects_runs(server: JupyterServer, open_notebook: Open) -> None:
    sweep(server.root / "sorted")
    notebook = opened(server, open_notebook, "sorted.ipynb", "sorted")
    page, rows = notebook.page, table(notebook)
    root = page.locator(".tbwidget")
    goal = root.get_by_role("combobox", name="Goal")
    expect(goal.locator("..").locator("bdi")).to_have_text("automatic: acc")
    # The best session is first, and its goal stands before the hyperparameters.
    expect(rows.locator("tbody td[data-column='metric:acc']")).to_have_text(["0.9", "0.7", "0.5", "NaN"])
    expect(rows.locator("th[data-column='metric:acc'] + th")).to_have_attribute("data-column", "hparam:deep")
    # Values keep their types; a hyperparameter that is equal in all sessions has no column.
    assert cells(rows, "hparam:lr") == ["0.01", "0.1", "1e-4", "32"]
    assert cells(rows, "hparam:deep") == ["false", "true", "true", "true"]
    assert cells(rows, "status") == ["success", "success", "success", "failure"]
    assert cells(rows, "hparam:seed") == []
    root.get_by_role("button", name="Equal in all sessions: 1").click()
    expect(root.locator(".tbwidget-equal")).to_contain_text("seed")
    page.keyboard.press("Escape")

    rows.get_by_role("button", name="acc", exact=True).click()
    expect(rows.locator("tbody tr").first).to_have_attribute("data-run", "a")
    assert cells(rows, "run") == ["a", "c", "b", "d"]
    rows.get_by_role("button", name="opt", exact=True).click()
    rows.get_by_role("button", name="acc", exact=True).click(modifiers=["Shift"])
    expect(rows.locator("tbody tr").first).to_have_attribute("data-run", "c")
    assert cells(rows, "run") == ["c", "a", "b", "d"]

    rows.locator("th[data-column='hparam:opt']").hover()
    rows.get_by_role("button", name="Menu of opt").click()
    page.get_by_role("dialog").get_by_text("sgd").click()
    page.keyboard.press("Escape")
    expect(rows.locator("tbody tr")).to_have_count(2)
    expect(root.locator("[data-filter='hparam:opt']")).to_contain_text("opt: adam")
    expect(root.locator(".tbwidget-sessions-line")).to_contain_text("Other panels show 2 sessions")
    root.get_by_role("tab", name="Scalars").click()
    expect(root.locator(".tbwidget-preview")).to_contain_text("Preview: 2 sessions")
    root.get_by_role("tab", name="Hyperparameters").click()
    root.get_by_role("button", name="Show only these 2").click()
    expect(root.locator(".tbwidget-sessions-line")).not_to_contain_text("Other panels")
    expect(rows.locator("tbody tr")).to_have_count(2)
    root.locator("[data-filter='hparam:opt']").click()
    line = root.locator(".tbwidget-sessions-line")
    expect(line).to_contain_text("2 of 4 sessions selected")
    expect(rows.locator("tbody tr")).to_have_count(2)
    expect(root.locator("[data-plot=parallel]")).to_have_attribute("data-lines", "2")
    notebook.wait_for_output(1, "(['a', 'c'], ['hparam:opt', '-metric:acc'])")
    line.get_by_role("button", name="Show all 4 sessions").click()
    expect(rows.locator("tbody tr")).to_have_count(4)
    expect(line).to_contain_text("4 sessions")
    expect(root.locator("[data-plot=parallel]")).to_have_attribute("data-lines", "4")
    assert notebook.errors == []


def test_the_trials_of_a_group_are_averaged_and_unfold(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "grouped"
    for seed, acc in enumerate((0.5, 0.7)):
        trial(folder, f"trial{seed}", acc, "first", lr=0.1, seed=seed)
    trial(folder, "trial2", 0.25, "second", lr=0.2, seed=0)
    notebook = opened(server, open_notebook, "grouped.ipynb", "grouped")
    rows = table(notebook)
    assert cells(rows, "group") == ["first", "first", "second"]
    notebook.page.get_by_label("Average groups").check()
    expect(rows.locator("tbody tr")).to_have_count(2)
    group = rows.locator("tr[data-group='first']")
    expect(group.locator("[data-column='metric:acc']")).to_have_text("0.6")
    expect(group.locator("[data-column='hparam:seed']")).to_have_text("2 values")
    expect(rows.locator("tr[data-run='trial2'] [data-column='metric:acc']")).to_have_text("0.25")
    group.get_by_role("button").click()
    expect(rows.locator("tr[data-run='trial1'] [data-column='metric:acc']")).to_have_text("0.7")
    expect(rows.locator("tbody tr")).to_have_count(4)
    assert notebook.errors == []


def test_the_menu_of_the_state_counts_sessions(server: JupyterServer, open_notebook: Open) -> None:
    sweep(server.root / "counted")
    server.write_notebook("counted.ipynb", ["import tbwidget\ntbwidget.HParamsView('counted')"])
    notebook = open_notebook("counted.ipynb")
    notebook.run_cell(0)
    notebook.page.locator(".tbwidget-state").click()
    expect(notebook.page.locator(".tbwidget-counts")).to_have_text("4 runs, 4 sessions")
    assert notebook.errors == []


def test_many_sessions_with_hostile_names_scroll(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "many"
    for number in range(300):
        name = "<img src=x onerror=alert(1)>" if number == 0 else f"trial {number}"
        value = "<b>bold</b>" if number % 2 else float("inf")
        write(
            folder / name.replace("/", "") / "events.out.tfevents.1",
            event(1_000, version="brain.Event:2"),
            event(1_001, 0, started("", lr=number / 7, __proto__=str(value), mixed=value if number % 2 else number)),
        )
    notebook = opened(server, open_notebook, "many.ipynb", "many")
    rows = table(notebook)
    expect(notebook.page.locator(".tbwidget-sessions-line")).to_contain_text("300 sessions")
    assert rows.locator("tbody tr[data-run]").count() <= 100
    rows.locator(".tbwidget-table").evaluate("table => table.scrollTo(0, table.scrollHeight)")
    expect(rows.locator("tr[data-run='trial 299']")).to_be_visible()
    assert notebook.js("return document.querySelector('.tbwidget-hparams-table :is(b, img)')") is None
    assert notebook.errors == []


def test_a_filter_menu_stays_while_the_user_types_and_the_wheel_scrolls_the_panel(
    server: JupyterServer, open_notebook: Open
) -> None:
    for number in range(30):
        trial(server.root / "typed", f"trial-{number:02}", number / 30, lr=number / 7, opt="ab"[number % 2])
    notebook = opened(server, open_notebook, "typed.ipynb", "typed", height=600)
    page, rows = notebook.page, table(notebook)
    importance = page.locator("[data-plot=importance]")
    expect(importance).to_contain_text("30 sessions")
    main = page.locator(".tbwidget-main")
    scroller = rows.locator(".tbwidget-table")
    main.evaluate("main => main.scrollTo(0, main.scrollHeight)")
    before = main.evaluate("main => main.scrollTop")
    assert before > 0
    scroller.hover(position={"x": 40, "y": 60})
    page.mouse.wheel(0, -200)
    page.wait_for_function("before => document.querySelector('.tbwidget-main').scrollTop < before", arg=before)

    main.evaluate("main => main.scrollTo(0, main.scrollHeight)")
    rows.locator("th[data-column='run']").hover()
    rows.locator("th[data-column='run'] .tbwidget-column-menu-button").click()
    menu = page.locator(".tbwidget-column-menu")
    menu.locator("input[type=text]").press_sequentially("trial-0", delay=30)
    expect(rows.locator("tbody tr[data-run]")).to_have_count(10)
    expect(importance).to_contain_text("too few sessions: 10 of 20")
    main.evaluate("main => main.scrollBy(0, -10)")
    expect(menu).to_be_visible()
    menu.locator("input[type=text]").fill("trial-(0")
    chip = page.locator("[data-filter='run'][aria-invalid=true]")
    expect(chip).to_contain_text("unclosed (")
    expect(rows.locator("tbody tr[data-run]")).to_have_count(30)
    menu.locator("input[type=text]").fill("trial-0")
    expect(chip).to_have_count(0)
    menu.locator("input[type=text]").press_sequentially("7", delay=30)
    expect(rows.locator("tbody tr[data-run]")).to_have_count(1)
    expect(menu).to_be_visible()
    assert notebook.errors == []


def test_names_of_runs_give_columns(server: JupyterServer, open_notebook: Open) -> None:
    for rate in (0.1, 0.01):
        for size in (16, 32):
            write(
                server.root / "named" / f"lr={rate},bs={size}" / "events.out.tfevents.1",
                event(1_000, version="brain.Event:2"),
                event(1_001, 1, simple("acc", rate)),
            )
    notebook = opened(server, open_notebook, "named.ipynb", "named")
    rows = table(notebook)
    expect(rows.locator("tbody td[data-column='metric:acc']")).to_have_text(["0.1", "0.1", "0.01", "0.01"])
    assert cells(rows, "hparam:lr") == ["0.1", "0.1", "0.01", "0.01"]
    assert cells(rows, "hparam:bs") == ["16", "32", "16", "32"]
    expect(notebook.page.get_by_text("No hyperparameters were logged")).to_be_visible()
    assert notebook.errors == []
