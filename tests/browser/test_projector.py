"""The projector: points of real writers, seen, searched, selected and compared while a cell runs."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

import tbwidget
from tests.browser.cells import hold
from tests.support.corpus import CORPUS
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.ProjectorView({logs!r}, height=900)
board
"""

KINDS = ("bird", "fish", "tree")
POINTS = 60


def write(directory: Path, points: int = POINTS) -> np.ndarray:
    """Write three clusters of points as writers of embeddings do, with a column of kinds and one of numbers."""
    directory.mkdir(parents=True)
    kinds = np.arange(points) % 3
    noise = np.random.default_rng(0).normal(0, 0.3, (points, 5))
    vectors = np.eye(3, 5)[kinds] * 5 + noise
    np.savetxt(directory / "tensors.tsv", vectors, delimiter="\t", fmt="%.6f")
    rows = [f"{KINDS[kind]}\t{i / 2}\tpoint {i}" for i, kind in enumerate(kinds)]
    (directory / "metadata.tsv").write_text("\n".join(["kind\tsize\tname", *rows]) + "\n")
    (directory / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "features" tensor_path: "tensors.tsv" metadata_path: "metadata.tsv" }\n'
    )
    return vectors


def opened(server: JupyterServer, open_notebook: Open, name: str, *cells: str) -> tuple[NotebookPage, Locator]:
    """Show the embeddings of a directory below the server's root, with the card's points drawn."""
    server.write_notebook(f"{name}.ipynb", [SHOW.format(logs=name), hold(name), *cells])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    card = notebook.page.locator(".tbwidget-card[data-panel=projector]").first
    card.and_(notebook.page.locator("[data-state=shown][data-points]")).wait_for()
    return notebook, card


def test_points_are_selected_searched_and_filtered_while_a_cell_runs(
    server: JupyterServer, open_notebook: Open
) -> None:
    vectors = write(server.root / "projected/run")
    notebook, card = opened(
        server,
        open_notebook,
        "projected",
        "print('selected', board.projector_selected)",
        "board.projector_selected = [4]",
    )
    expect(card).to_have_attribute("data-points", str(POINTS))
    expect(card).to_have_attribute("data-dimensions", "5")
    expect(card).to_have_attribute("data-projection", "pca")
    centered = vectors - vectors.mean(axis=0)
    variance = np.linalg.svd(np.round(centered, 6), compute_uv=False) ** 2
    drawn = json.loads(card.get_attribute("data-variance") or "[]")
    np.testing.assert_allclose(drawn, variance[:2] / variance.sum(), rtol=1e-3)

    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    # A column filters the points, and the histograms of the other columns.
    card.locator("[data-legend=categories] button", has_text="bird").click()
    expect(card).to_have_attribute("data-points", str(POINTS - POINTS // 3))
    expect(card.locator("[data-column=kind][data-filtered]")).to_be_visible()
    card.locator("[data-legend=categories] button", has_text="bird").click()
    expect(card).to_have_attribute("data-points", str(POINTS))

    # Enter selects the matches of this text, though the search has not run yet.
    card.locator("input[type=search]").fill("^point 2")
    card.locator("input[type=search]").press("Enter")
    expect(card.locator("[data-selected]")).to_have_attribute("data-selected", "11")
    card.locator("input[type=search]").fill("^point 1[0-9]$")
    found = card.locator("[data-found]")
    expect(found).to_have_attribute("data-found", "10")
    found.get_by_role("button").click()
    selection = card.locator("[data-selected]")
    expect(selection).to_have_attribute("data-selected", "10")
    selection.get_by_role("button", name="Isolate").click()
    expect(card).to_have_attribute("data-points", "10")
    selection.get_by_role("button", name="Show all").click()
    expect(card).to_have_attribute("data-points", str(POINTS))
    notebook.release("projected")

    # The widget manager sends the last of several changes once the kernel has confirmed the one before.
    wait_for(lambda: f"selected {list(range(10, 20))}" in notebook.run_cell(2))
    # Python selects a point: a full comparison finds the same neighbors.
    notebook.run_cell(3)
    nearest = card.locator("[data-neighbors]")
    expect(nearest).to_have_attribute("data-neighbors", "15")
    written = np.round(vectors, 6)
    units = written / np.linalg.norm(written, axis=1, keepdims=True)
    order = np.argsort(1 - units @ units[4], kind="stable")
    listed = [int(point) for point in nearest.locator("li button").evaluate_all("all => all.map(b => b.dataset.point)")]
    assert listed == [point for point in order.tolist() if point != 4][:15]


def test_a_lasso_selects_what_is_within_and_a_drag_turns_in_three_dimensions(
    server: JupyterServer, open_notebook: Open
) -> None:
    write(server.root / "lassoed/run")
    notebook, card = opened(server, open_notebook, "lassoed", "print('selected', len(board.projector_selected))")
    mouse, keyboard = notebook.page.mouse, notebook.page.keyboard
    stage = card.locator("[data-stage]")
    box = stage.bounding_box()
    assert box is not None

    def at(across: float, down: float) -> tuple[float, float]:
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    keyboard.down("Shift")
    mouse.move(*at(0.01, 0.1))
    mouse.down()
    for corner in ((0.99, 0.1), (0.99, 0.99), (0.01, 0.99), (0.01, 0.12)):
        mouse.move(*at(*corner), steps=6)
    mouse.up()
    keyboard.up("Shift")
    selected = card.locator("[data-selected]")
    expect(selected).to_be_visible()
    assert int(selected.get_attribute("data-selected") or 0) > POINTS / 2
    stage.press("Escape")
    expect(selected).to_have_count(0)

    notebook.page.get_by_role("button", name="3-D").click()
    expect(card.locator("[data-component][aria-pressed=true]")).to_have_count(3)
    pixels = "return document.querySelector('.tbwidget-projector-stage canvas').toDataURL()"
    notebook.steady(pixels)
    before = notebook.js(pixels)
    mouse.move(*at(0.5, 0.5))
    mouse.down()
    mouse.move(*at(0.7, 0.6), steps=4)
    mouse.up()
    notebook.wait(f"{pixels} !== arg", arg=before)
    stage.press("0")
    notebook.wait(f"{pixels} === arg", arg=before)


def test_a_damaged_file_and_one_that_is_still_written_say_so(server: JupyterServer, open_notebook: Open) -> None:
    for name in ("damaged", "partial"):
        write(server.root / name / "run")
    table = server.root / "damaged/run/tensors.tsv"
    table.write_text(table.read_text().replace("\t", "\tword", 1))
    with (server.root / "partial/run/tensors.tsv").open("a") as file:
        file.write("1\t2\n")
    server.write_notebook("damaged.ipynb", [SHOW.format(logs="damaged"), SHOW.format(logs="partial")])
    notebook = open_notebook("damaged.ipynb")
    notebook.run_cell(0)
    cards = notebook.page.locator(".tbwidget-card[data-panel=projector]")
    expect(cards.nth(0)).to_have_attribute("data-state", "broken")
    expect(cards.nth(0).get_by_role("alert")).to_contain_text("tensors.tsv")
    notebook.run_cell(1)
    expect(cards.nth(1).locator(".tbwidget-projector-message")).to_contain_text("ends inside a row")
    expect(cards.nth(1)).to_have_attribute("data-state", "waits")


@pytest.mark.parametrize("name", ["torch_tutorial", "tensorboardx_all"])
def test_embeddings_of_real_writers_are_drawn(server: JupyterServer, open_notebook: Open, name: str) -> None:
    source = CORPUS / name / "logs"
    if not source.is_dir():
        pytest.skip("the corpus is not here")
    shutil.copytree(source, server.root / name)
    logs = tbwidget.load(source)
    embeddings = {embedding.tag: embedding for run in logs.tags()["embeddings"] for embedding in logs.embeddings(run)}
    notebook, _ = opened(server, open_notebook, name)
    for tag, embedding in embeddings.items():
        card = notebook.page.locator(f"[data-panel=projector][data-tag='{tag}']")
        card.scroll_into_view_if_needed()
        expect(card).to_have_attribute("data-points", str(len(embedding.vectors)))
        expect(card).to_have_attribute("data-dimensions", str(embedding.vectors.shape[1]))
        expect(card).to_have_attribute("data-last-step", str(embedding.step or 0))


def purity(server_page: NotebookPage, card: Locator) -> float:
    """Return the share of points in a saved CSV whose nearest neighbor on the stage has the same kind."""
    card.locator(".tbwidget-save-menu").get_by_role("button", name="Save").click()
    with server_page.page.expect_download() as started:
        card.get_by_role("button", name="Save as CSV").click()
    rows = [line.split(",") for line in started.value.path().read_text().splitlines()]
    assert rows[0][:4] == ["row", "UMAP 1", "UMAP 2", "kind"]
    places = np.array([[float(cell) for cell in row[1:3]] for row in rows[1:]])
    kinds = np.array([row[3] for row in rows[1:]])
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return float((kinds[distances.argmin(axis=1)] == kinds).mean())


def test_the_page_computes_umap_while_a_cell_runs(server: JupyterServer, open_notebook: Open) -> None:
    write(server.root / "placed/run")
    asked = """
board.method = "umap"  # the kernel heard nothing of the button
found = board.projection
print(found and (found.method, found.coordinates.shape, sorted(found.parameters.items())))
"""
    notebook, card = opened(server, open_notebook, "placed", asked)
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    notebook.mute()  # as if the kernel received nothing before the end of the cell
    notebook.page.get_by_role("button", name="t-SNE").click()
    progress = card.locator(".tbwidget-projector-progress")
    expect(progress).to_contain_text("the kernel runs a cell, and may answer only when that ends")
    notebook.page.get_by_role("button", name="UMAP").click()
    expect(card).to_have_attribute("data-projection", "umap")
    expect(card).to_have_attribute("data-points", str(POINTS))
    note = card.locator(".tbwidget-projector-note")
    said = "UMAP · 15 neighbors · min. distance 0.1 · cosine · umap-js in the page, in all 5 dimensions"
    expect(note).to_contain_text(said)
    assert purity(notebook, card) > 0.95
    expect(progress).to_have_count(0)
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("placed")
    notebook.end_of_cell(1)
    parameters = [("metric", "cosine"), ("min_dist", 0.1), ("neighbors", 15), ("page_dimensions", 5)]
    notebook.wait_for_output(2, str(("umap", (POINTS, 2), parameters)))


def test_a_page_without_workers_says_what_umap_needs(server: JupyterServer, open_notebook: Open) -> None:
    write(server.root / "forbidden/run")
    server.write_notebook("forbidden.ipynb", [SHOW.format(logs="forbidden"), "board.method = 'umap'"])
    notebook = open_notebook("forbidden.ipynb", workers=False)
    notebook.run_cell(0)
    notebook.run_cell(1)
    progress = notebook.page.locator(".tbwidget-projector-progress")
    expect(progress).to_contain_text("this page forbids workers, which compute UMAP here. PCA is shown")
    expect(notebook.page.locator(".tbwidget-card[data-panel=projector]")).to_have_attribute("data-projection", "pca")


def test_arrow_keys_brush_a_histogram(server: JupyterServer, open_notebook: Open) -> None:
    write(server.root / "brushed/run")
    _, card = opened(server, open_notebook, "brushed")
    # The sizes are 0, 0.5, … 29.5, in 24 bars.
    brush = card.get_by_role("slider", name="size")
    expect(brush).to_have_attribute("aria-valuemax", "29.5")
    for _ in range(12):
        brush.press("ArrowRight")
    expect(card).to_have_attribute("data-points", "30")
    brush.press("Shift+ArrowLeft")
    expect(card).to_have_attribute("data-points", "27")
    brush.press("ArrowLeft")
    expect(card).to_have_attribute("data-points", "29")
    brush.press("Escape")
    expect(card).to_have_attribute("data-points", str(POINTS))
