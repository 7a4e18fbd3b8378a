"""Meshes with something wrong: each card says what, and in which file; the others are as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.bad_meshes import write_bad_meshes

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
tbwidget.MeshesView("bad", height=900, size=200)
"""

WHERE = "(run/events.out.tfevents.1700000000 at byte "

REMARKED = {
    "another batch": (
        16,
        0,
        "faces or colors for another number of meshes than vertices of shape [2, 8, 3]: not drawn",
    ),
    "beyond": (8, 12, "faces left out, because a corner is no vertex: 2"),
    "beyond, all": (8, 0, "faces left out, because a corner is no vertex: 12"),
    "colors of 5": (8, 12, "5 colors for 8 vertices: not drawn"),
    "colors too large": (8, 12, "color values clipped to 0 to 255: 12"),
    "constant": (8, 12, "the vertices do not differ: 8"),
    "no vertices": (0, 0, "faces left out, because a corner is no vertex: 12"),
    "none finite": (8, 12, "vertices without a finite place, not drawn: 8"),
    "scene, cut": (8, 12, "the description of the scene is not JSON: Expecting value: line 1 column 12 (char 11)"),
    "some finite": (8, 12, "vertices without a finite place, not drawn: 3"),
}
"""Numbers of vertices and faces, and texts of the cards."""

REFUSED = {
    "only faces": "no vertices were written at this step",
    "too many": "2,800,000 vertices and 0 faces take 34 MB; at most 32 MB are shown; logs.meshes(…) reads them",
}
"""Texts of the cards of meshes without a picture."""

MISFITS = {
    "claims_VERTEX": "a tensor whose values are not as many as its shape says",
    "flat_VERTEX": "a numeric tensor",
    "four colors_COLOR": "a numeric tensor",
    "no batch_VERTEX": "a numeric tensor of shape [k, 3]",
    "quads_FACE": "a numeric tensor",
    "words_VERTEX": "a tensor whose values are not as many as its shape says",
}
"""Tags whose values are no part of a mesh, which is drawn without them. Each has a card that says so."""


def card_of(notebook: NotebookPage, tag: str, state: str = "shown") -> Locator:
    """Scroll to a card in a state."""
    notebook.scroll_to(tag)
    card = notebook.card(tag)
    expect(card).to_have_attribute("data-state", state)
    return card


def test_each_card_says_what_is_wrong_and_in_which_file(server: JupyterServer, open_notebook: Open) -> None:
    write_bad_meshes(server.root / "bad/run")
    server.write_notebook("bad_meshes.ipynb", [SHOW])
    notebook = open_notebook("bad_meshes.ipynb")
    notebook.run_cell(0)
    for tag, vertices, faces in (
        ("a good one", 8, 12),
        ("cloud", 8, 0),
        ("four colors", 8, 0),
        ("one vertex", 1, 0),
        ("quads", 8, 0),
        ("z good one", 8, 12),
    ):
        card = card_of(notebook, tag)
        expect(card).to_have_attribute("data-vertices", str(vertices))
        expect(card).to_have_attribute("data-faces", str(faces))
        expect(card.locator("[data-remark]")).to_have_count(0)
    for tag, (vertices, faces, text) in REMARKED.items():
        card = card_of(notebook, tag)
        expect(card.locator("[data-remark]")).to_contain_text(f"run, step 0: {text} {WHERE}")
        expect(card).to_have_attribute("data-vertices", str(vertices))
        expect(card).to_have_attribute("data-faces", str(faces))
    card = card_of(notebook, "scene")
    left_out = "settings of the scene that are not drawn: camera.cls Function, lights, material.cls ShaderMaterial"
    expect(card.locator("[data-remark]")).to_have_text(f"run, step 0: {left_out}")
    for tag, text in REFUSED.items():
        expect(card_of(notebook, tag, "broken")).to_contain_text(f"{text} {WHERE}")
    notebook.page.get_by_role("button", name="problems").click()
    problems = notebook.page.locator(".tbwidget-problems")
    for tag, text in MISFITS.items():
        misfit = f"tag '{tag}': {text} does not fit its kind, meshes"
        expect(problems).to_contain_text(misfit)
        card = notebook.page.locator(f'[data-mismatch="{tag}"]')
        expect(card).to_contain_text(f"{misfit} (run/events.out.tfevents.1700000000")
    for tag, (_, _, text) in REMARKED.items():
        if tag != "constant":
            expect(problems).to_contain_text(text)
    assert notebook.errors == []
