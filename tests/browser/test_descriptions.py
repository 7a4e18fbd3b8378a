"""Display names and descriptions of tags, on cards and in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, histogram, plugin, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

HOSTILE = """## Cross *entropy*

![remote](https://example.invalid/x.png) <img src=x onerror="window.hacked = 1"> [run](javascript:window.hacked=2)

| a | b |
|---|---|
| 1 | 2 |
"""


def test_cards_have_the_names_and_descriptions_that_writers_gave(server: JupyterServer, open_notebook: Open) -> None:
    weights = histogram("layer/w", [-1, 0, 1, 2], [1, 4, 5, 2])
    weights.metadata.CopyFrom(plugin("histograms", "Weights", "Of the *first* layer"))
    for run, said in (("a", HOSTILE), ("b", "Other"), ("c", HOSTILE)):
        described = plugin("scalars", "<b>Cross</b> entropy", said)
        points = [
            event(1.7e9 + i, i, simple("loss/xent", 1 / (i + 1), described), simple("loss/plain", i)) for i in range(5)
        ]
        write(server.root / "described" / run / NAME, *points, event(1.7e9, 0, weights))
    show = "import tbwidget\nboard = tbwidget.Dashboard('described', headline_tag='loss/xent')\nboard"
    save = "tbwidget.export_html('described', 'described.html')"
    server.write_notebook("described.ipynb", [show, hold("described"), save])
    notebook = open_notebook("described.ipynb", size=(1400, 1000))
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss/xent": "4", "loss/plain": "4"})
    notebook.start_cell(1)
    card = notebook.card("loss/xent")
    title = card.locator("h4")
    expect(title).to_have_text("<b>Cross</b> entropy")
    assert (title.get_attribute("title") or "").startswith("loss/xent\n## Cross")
    expect(card).to_have_attribute("data-tag", "loss/xent")
    expect(notebook.card("loss/plain").locator(".tbwidget-about")).to_have_count(0)
    about = card.get_by_role("button", name="Description")
    about.click()
    texts = card.locator("[data-about='loss/xent']")
    expect(texts.locator("h2 em")).to_have_text("entropy")
    expect(texts.locator("td")).to_have_text(["1", "2"])
    expect(texts.locator("p.tbwidget-quiet")).to_have_text(["a, c", "b"])
    expect(texts.locator("img, script, a[href^='javascript']")).to_have_count(0)
    assert notebook.js("return window.hacked ?? null") is None
    about.press("Escape")
    expect(texts).to_have_count(0)
    headline = notebook.page.locator(".tbwidget-run-titles .tbwidget-headline button")
    expect(headline).to_have_text("last <b>Cross</b> entropy")
    # The filter matches names and tags.
    tags = notebook.page.get_by_placeholder("Filter tags")
    tags.fill("cross.* entr")
    expect(notebook.page.locator(".tbwidget-card[data-tag='loss/plain']")).to_have_count(0)
    expect(card).to_have_count(1)
    tags.fill("xent")
    expect(card).to_have_count(1)
    tags.fill("")
    expect(notebook.card("loss/plain")).to_have_count(1)
    notebook.page.get_by_role("tab", name="Distributions").click()
    expect(notebook.card("layer/w").locator("h4")).to_have_text("Weights")
    notebook.release("described")
    notebook.end_of_cell(1)
    notebook.run_cell(2)
    page = notebook.page.context.new_page()
    page.goto((server.root / "described.html").as_uri())
    saved = page.locator(".tbwidget-card[data-tag='loss/xent']")
    expect(saved.locator("h4")).to_have_text("<b>Cross</b> entropy")
    saved.get_by_role("button", name="Description").click()
    expect(saved.locator("h2 em")).to_have_text("entropy")
    page.close()
