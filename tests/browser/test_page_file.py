"""A dashboard saved as a file: opened from the disk, without a network, every panel works, nothing is requested."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

import tbwidget
from tbwidget.export.page import page as page_of
from tbwidget.panels.projector_answers import project
from tbwidget.proto.event_pb2 import Event
from tests.browser.test_hostile import RUNS, TAGS
from tests.browser.test_images import encoded, noise
from tests.browser.test_projector import write as write_embedding
from tests.browser.window import PATIENCE
from tests.support.curves import CASES, table_of, value_of
from tests.support.eventfiles import NAME, event, histogram, plugin, record, simple, strings, write
from tests.support.graphs import DATA
from tests.support.sounds import tone, wav
from tests.support.trials import started
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium import Chromium

BREAKS_OUT = ["</script><script>window.testInjected=1</script>", "<!--<script>", "a\u2028b\u2029c", "]]>", "--!>"]


class Opened:
    """A page from the disk, with its requests and errors."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(path.as_uri())

    def made_no_request(self) -> None:
        """Check that it made no request; its own blobs do not count."""
        assert [url for url in self.requests[1:] if not url.startswith("blob:null/")] == []
        assert self.errors == []


@pytest.fixture
def open_page(chromium: Chromium) -> Iterator[Callable[..., Opened]]:
    """Opens a file without a network."""
    contexts = []

    def open_one(path: Path, theme: str = "light") -> Opened:
        context = chromium.context((1400, 1000), 1)
        contexts.append(context)
        context.set_offline(True)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        return Opened(page, path)

    yield open_one
    for context in contexts:
        context.close()


def write_logs(folder: Path) -> None:
    """Write something for every panel."""
    events = [event(1.7e9, version="brain.Event:2")]
    for step in range(60):
        values = [simple("loss", 1 / (step + 1) + step % 2 / 10), simple("accuracy", step / 60 + step % 2 / 10)]
        if step % 20 == 0:
            values += [
                strings("picture", plugin("images"), b"8", b"8", encoded(noise(8, 8, step))),
                histogram("weights", [0.0, 1.0, 2.0], [float(step), 2.0, 3.0], -1),
                strings("words", plugin("text"), b"**what** was said"),
                value_of("class", table_of(CASES[0])),
            ]
        events.append(event(1.7e9 + step, step, *values))
    events.append(event(1.7e9, 1, strings("clip", plugin("audio"), wav(tone(1)))))
    for run in ("first", "second"):
        write(folder / run / NAME, *events)
    graph = Event(wall_time=1.7e9, graph_def=(DATA / "train.graph_def").read_bytes())
    write(folder / "first" / f"{NAME}.graph", record(graph.SerializeToString()))


def test_every_panel_works_in_a_page_of_the_disk(tmp_path: Path, open_page: Callable[..., Opened]) -> None:
    write_logs(tmp_path / "runs")
    board = tbwidget.Dashboard(tmp_path / "runs", smoothing=0.9)
    try:
        board.save(tmp_path / "report.html")
    finally:
        board.close()
    opened = open_page(tmp_path / "report.html", "dark")
    page = opened.page
    card = page.locator(".tbwidget [data-panel=scalars]")
    expect(card).to_have_count(2)
    expect(card.first).to_have_attribute("data-last-step", "59")
    expect(page.locator(".tbwidget-state")).to_have_text("Saved")
    page.locator(".tbwidget-state").click()
    expect(page.locator(".tbwidget-path")).to_have_text("runs")
    page.locator(".tbwidget-state").click()
    expect(page.locator(".tbwidget")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("slider", name="Smoothing").first).to_have_value("0.9")
    before: Any = page.locator(".tbwidget canvas").first.evaluate("canvas => canvas.toDataURL()")
    page.get_by_role("slider", name="Smoothing").first.fill("0")
    page.wait_for_function("before => document.querySelector('.tbwidget canvas').toDataURL() !== before", arg=before)
    page.get_by_label("Filter tags").fill("^(loss|weights)$")
    expect(card).to_have_count(1)
    page.get_by_label("Filter tags").fill("")
    expect(card).to_have_count(2)
    for tab, shown in {
        "Histograms": "[data-panel=histograms][data-last-step]",
        "Distributions": "[data-panel=distributions][data-last-step]",
        "PR curves": "[data-panel=pr_curves][data-last-step]",
        "Images": ".tbwidget-tile[data-state=shown] :is(img, canvas)",
        "Audio": ".tbwidget-clip[data-state=shown]",
        "Text": "[data-panel=text] strong",
        "Graphs": "[data-node]",
    }.items():
        page.get_by_role("tab", name=tab).click()
        page.locator(f".tbwidget {shown}").first.wait_for(state="attached")
    nodes = page.locator(".tbwidget [data-node]")
    page.get_by_role("button", name="Expand all").click()
    page.wait_for_function("count => document.querySelectorAll('.tbwidget [data-node]').length > count", arg=8)
    assert nodes.count() > 0
    opened.made_no_request()
    # Options of the reader come back when the page is opened again, unless the author set them.
    page.get_by_role("tab", name="Text").click()
    page.wait_for_timeout(1000)
    page.reload()
    expect(page.get_by_role("tab", name="Text")).to_have_attribute("aria-selected", "true")


def test_a_page_holds_metrics_at_the_best_step_and_says_which_it_does_not(
    tmp_path: Path, open_page: Callable[..., Opened]
) -> None:
    for run, rate in (("a", 0.1), ("b", 0.01)):
        values = [event(2 + step, step, simple("acc", acc), simple("loss", step)) for step, acc in ((3, 0.9), (4, 0.5))]
        write(tmp_path / "runs" / run / NAME, event(1, 0, started(lr=rate)), *values)
    tbwidget.export_html(tmp_path / "runs", tmp_path / "report.html", panels="hparams", hparams_at="metric:acc")
    opened = open_page(tmp_path / "report.html")
    page = opened.page
    cell = page.locator("tr[data-run=a] td[data-column='metric:loss'] span").first
    expect(cell).to_have_text("3")
    expect(cell).to_have_attribute("title", "3\nat step 3")
    other = page.get_by_label("Metrics").locator("option[value='at:metric:loss']")
    expect(other).to_be_disabled()
    expect(other).to_have_attribute("title", re.compile("^Not in this saved page"))
    opened.made_no_request()


LIBRARY = """
class UMAP:
    def __init__(self, **options): pass
    def fit(self, vectors): return self
    def fit_transform(self, vectors): return vectors[:, :2]
"""


def test_a_page_shows_the_projection_that_it_holds_and_says_where_it_holds_none(
    tmp_path: Path, open_page: Callable[..., Opened], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page contains one projection; a module replaces umap-learn."""
    (tmp_path / "umap.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path))
    write_embedding(tmp_path / "logs/held")
    write_embedding(tmp_path / "logs/lacking", 30)
    logs = tbwidget.load(tmp_path / "logs")
    view = tbwidget.ProjectorView(logs, method="umap")
    parameters = {"neighbors": 15, "min_dist": 0.1, "metric": "cosine"}
    asked = {"run": "held", "tag": "features", "step": "0", "method": "umap", "dimensions": 2, "parameters": parameters}
    wait_for(lambda: project(logs, asked, lambda: False).value["state"] == "done")
    view.save(tmp_path / "points.html")
    view.close()

    opened = open_page(tmp_path / "points.html")
    card = opened.page.locator(".tbwidget-card[data-panel=projector]")
    expect(card).to_have_attribute("data-projection", "umap")
    expect(card).to_have_attribute("data-state", "shown")
    expect(card.get_by_role("alert")).to_have_count(0)
    card.locator("[data-run=lacking]").click()
    expect(card.locator(".tbwidget-projector-note")).to_contain_text("umap-js in the page")
    expect(card.get_by_role("alert")).to_have_count(0)
    opened.page.get_by_role("button", name="t-SNE").click()
    expect(card.get_by_role("alert")).to_contain_text("not in this saved page")
    expect(card).to_have_attribute("data-projection", "pca")
    expect(card).to_have_attribute("data-state", "shown")
    opened.made_no_request()


def test_a_small_page_says_what_it_lacks_and_hostile_names_are_text(
    tmp_path: Path, open_page: Callable[..., Opened]
) -> None:
    tags = [*BREAKS_OUT, *TAGS]
    for run in RUNS[:3]:
        steps = [
            event(
                1.7e9 + step,
                step,
                *(simple(tag, float(np.sin(step))) for tag in tags),
                strings("picture", plugin("images"), b"64", b"64", encoded(noise(64, 64, step))),
            )
            for step in range(150)
        ]
        write(tmp_path / "<script><b>runs" / run / NAME, *steps)
    limit = len(page_of("", "", {})) + 160_000
    tbwidget.export_html(
        tmp_path / "<script><b>runs", tmp_path / "small.html", ["scalars", "images"], limit, tag_filter="script"
    )
    assert (tmp_path / "small.html").stat().st_size <= limit
    opened = open_page(tmp_path / "small.html")
    page = opened.page
    page.locator(".tbwidget [data-panel=scalars][data-last-step='149']").first.wait_for()
    expect(page.locator(".tbwidget-header")).to_contain_text("left out")
    page.locator(".tbwidget-state").click()
    expect(page.locator(".tbwidget-path")).to_have_text("<script><b>runs")
    expect(page.get_by_role("tab")).to_have_text(["Scalars", "Images"])
    found: Any = page.locator(".tbwidget [data-panel=scalars]").evaluate_all("all => all.map(one => one.dataset.tag)")
    assert {tag for tag in tags if "script" in tag} >= set(found) >= {BREAKS_OUT[0]}
    assert page.locator("body :is(script, marquee, iframe)").count() == 1
    assert page.locator("body b").count() == 0
    page.get_by_label("Filter tags").fill("picture")
    page.get_by_role("tab", name="Images").click()
    page.locator(".tbwidget-tile[data-state=shown]").first.wait_for()
    assert page.evaluate("window.testInjected ?? null") is None
    # Even injected code could send no request and run no inline script.
    refused = "() => fetch('https://example.org').then(() => 'sent', () => 'refused')"
    assert page.evaluate(refused) == "refused"
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: 'testInjected = 1' }))")
    assert page.evaluate("window.testInjected ?? null") is None


def test_points_without_room_are_said_not_to_be_saved(tmp_path: Path, open_page: Callable[..., Opened]) -> None:
    rng = np.random.default_rng(0)
    described = ""
    for step, points in ((1, 30), (2, 5_000)):
        np.savetxt(tmp_path / f"{step}.tsv", rng.normal(size=(points, 10)), "%.3f", "\t")
        (tmp_path / f"names{step}.tsv").write_text("".join(f"{'a long name ' * 5}{i}\n" for i in range(points)))
        files = f'tensor_path: "{step}.tsv" metadata_path: "names{step}.tsv"'
        described += f'embeddings {{ tensor_name: "words:{step}" {files} }}\n'
    (tmp_path / "projector_config.pbtxt").write_text(described)
    empty = len(page_of("", "", {}))
    tbwidget.export_html(tmp_path, tmp_path / "page.html", panels="projector", max_bytes=empty + 500_000)
    opened = open_page(tmp_path / "page.html")
    card = opened.page.locator(".tbwidget-card[data-panel=projector]")
    expect(card.locator(".tbwidget-projector-message")).to_have_text(re.compile("^Not saved: "))
    expect(card).to_have_attribute("data-state", "waits")
    tbwidget.export_html(tmp_path, tmp_path / "large.html", panels="projector")
    opened = open_page(tmp_path / "large.html")
    expect(opened.page.locator(".tbwidget-card[data-panel=projector][data-state=shown]")).to_have_attribute(
        "data-points", "5000"
    )
    opened.page.get_by_role("button", name="UMAP").click()
    expect(opened.page.locator(".tbwidget-projector-note")).to_contain_text(
        "umap-js in the page, in all 10 dimensions",
        timeout=200_000,  # for 5,000 points, on cores that other browsers use
    )
    opened.made_no_request()


def test_many_points_are_saved_with_rounded_places_and_say_so(tmp_path: Path, open_page: Callable[..., Opened]) -> None:
    points = 100_000
    classes = np.arange(points) % 5
    vectors = np.random.default_rng(0).normal(size=(points, 10)) + 8 * np.eye(10)[classes]
    np.savetxt(tmp_path / "v.tsv", vectors, "%.2f", "\t")
    (tmp_path / "kinds.tsv").write_text("".join(f"kind {kind}\n" for kind in classes))
    (tmp_path / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "many" tensor_path: "v.tsv" metadata_path: "kinds.tsv" }\n'
    )
    tbwidget.export_html(tmp_path, tmp_path / "page.html", panels="projector")
    opened = open_page(tmp_path / "page.html")
    card = opened.page.locator(".tbwidget-card[data-panel=projector][data-state=shown]")
    expect(card).to_have_attribute("data-points", str(points))
    expect(card).to_have_attribute("data-dimensions", "10")
    expect(card.locator("[data-remark]")).to_have_text(
        ["There was little room to save these points: 3 components, with places rounded to a 65,000th of their range"]
    )
    expect(card.locator("[data-component]")).to_have_count(3)
    expect(card.get_by_role("button", name="kind 4").first).to_be_visible()
    opened.page.get_by_role("button", name="3-D").click()
    expect(card).to_have_attribute("data-variance", re.compile(r"^\[0\.\d+,0\.\d+,0\.\d+\]$"))
    opened.made_no_request()
