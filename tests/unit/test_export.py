"""Pages, static preview and lines of text: bounded, without the path of the logs, and free of markup from them."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import traitlets
from PIL import Image

import tbwidget
from tbwidget.dashboard import Dashboard
from tbwidget.export.atomic_write import atomic_write
from tbwidget.export.page import page
from tbwidget.export.preview import preview, preview_bundle, summary
from tbwidget.options.colors import run_color
from tbwidget.panels.declare import PreviewChart, PreviewLine
from tbwidget.panels.registry import PANELS
from tests.support.eventfiles import event, simple, write

HOST = "my-own-machine"
NAME = f"events.out.tfevents.1700000000.{HOST}.7.0.v2"
HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "a\u2028b", "\udcff\udcfe"]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "private" / "runs"
    for number, run in enumerate(("a", "b/c")):
        steps = [event(1.7e9 + i, i, simple("loss", number + 1 / (i + 1)), simple("accuracy", i)) for i in range(50)]
        write(folder / run / NAME, *steps, b"damage" * 20)
    return folder


def content_of(path: Path) -> dict[str, Any]:
    """Return the content of a page, decompressed as its script does."""
    (data,) = re.findall(
        r'<script type="text/plain" id="tbwidget-data">([A-Za-z0-9+/=]+)</script>', path.read_text("ascii")
    )
    content: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(data)))
    return content


def headers_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(message["header"]) for message in content_of(path)["state"]["_saved"]["messages"]]


def test_a_page_holds_bundle_data_and_options(runs: Path, tmp_path: Path) -> None:
    tbwidget.export_html(str(runs), tmp_path / "page.html", smoothing=0.9, linked_step=2**60)
    content = content_of(tmp_path / "page.html")
    state = content["state"]
    assert "export default" in content["script"]
    assert (state["smoothing"], state["linked_step"]) == (0.9, str(2**60))
    assert set(state["_given"]) == {"smoothing", "linked_step"}
    (header,) = headers_of(tmp_path / "page.html")
    assert (header["runs"], header["tags"]) == (["a", "b/c", ""], ["loss", "accuracy", ""])  # "": the alerts
    assert "_only" not in state


def test_a_page_may_request_nothing_and_run_no_other_script(runs: Path, tmp_path: Path) -> None:
    tbwidget.export_html(runs, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("ascii")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules.pop("script-src") == f"'sha256-{digest}' blob:"
    assert rules.pop("style-src") == "'unsafe-inline'"
    assert {source for sources in rules.values() for source in sources.split()} == {"data:", "blob:"}
    assert not re.search(r"https?://", text)


def test_where_it_was_made_is_said_only_when_wanted(runs: Path, tmp_path: Path) -> None:
    tbwidget.export_html(runs, tmp_path / "page.html")
    told = (tmp_path / "page.html").read_text("ascii") + json.dumps(content_of(tmp_path / "page.html")["state"])
    assert str(tmp_path) not in told
    assert HOST not in told
    assert [header["status"]["path"] for header in headers_of(tmp_path / "page.html")] == ["runs"]
    problems = headers_of(tmp_path / "page.html")[0]["status"]["problem_list"]
    assert [path for path, *_ in problems] == [f"{run}/events.out.tfevents.1700000000" for run in ("a", "b/c")]
    tbwidget.export_html(runs, tmp_path / "page.html", paths=True)
    assert headers_of(tmp_path / "page.html")[0]["status"]["path"] == str(runs)
    assert HOST in json.dumps(headers_of(tmp_path / "page.html"))


def test_a_board_saves_its_view(runs: Path, tmp_path: Path) -> None:
    board: Any = Dashboard(runs, tag_filter="loss")
    view = tbwidget.ScalarsView(runs)
    try:
        board.save(tmp_path / "board.html", panels="scalars")
        view.save(tmp_path / "view.html")
        assert board.get_state()["_saved"] == {}
        told = json.dumps(board._get_embed_state())
    finally:
        board.close()
        view.close()
    state = content_of(tmp_path / "board.html")["state"]
    assert (state["tag_filter"], state["_only"], state["_given"]) == ("loss", ["scalars"], ["tag_filter"])
    state = content_of(tmp_path / "view.html")["state"]
    assert (state["panel"], state["_single"]) == ("scalars", True)
    assert str(tmp_path) not in told
    assert HOST not in told


def test_several_directories_are_called_by_their_names(runs: Path, tmp_path: Path) -> None:
    tbwidget.export_html({"one": runs / "a", "two": runs / "b"}, tmp_path / "page.html")
    (header,) = headers_of(tmp_path / "page.html")
    assert header["runs"] == ["one", "two/c", ""]  # "": the alerts
    assert header["status"]["path"] == "{one, two}"
    text = json.dumps(headers_of(tmp_path / "page.html"))
    assert "places" not in text
    assert str(runs) not in text
    page = (tmp_path / "page.html").read_text("ascii")
    assert "{one, two}" in page[: page.index("</title>")]


def test_a_page_takes_no_more_than_it_may(tmp_path: Path) -> None:
    for run in range(30):
        events = [
            event(1.7e9 + i, i, *(simple(f"t{tag}", hash((run, i, tag)) % 997 / 7) for tag in range(20)))
            for i in range(300)
        ]
        write(tmp_path / "runs" / str(run) / NAME, *events)
    logs = tbwidget.load(tmp_path / "runs")
    empty = len(page("", "", {}))
    for most, lacks in ((empty + 60_000, True), (empty + 180_000, True), (5_000_000, False)):
        tbwidget.export_html(logs, tmp_path / "page.html", max_bytes=most)
        assert 0.6 * most * lacks < (tmp_path / "page.html").stat().st_size <= most
        assert (headers_of(tmp_path / "page.html")[-1]["status"]["left_out"] > 0) == lacks
    logs.close()


def test_a_failed_write_leaves_the_existing_file(runs: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    tbwidget.export_html(runs, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()
    before = path.read_bytes()
    (tmp_path / "empty").mkdir()
    wrong: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (ValueError, "max_bytes: 1,000 bytes are too few", {"max_bytes": 1000}),
        (ValueError, "no panel 'scalar': did you mean 'scalars'", {"panels": ["scalar"]}),
        (ValueError, "name one at least", {"panels": []}),
        (ValueError, "empty holds no data to show", {"logs": tmp_path / "empty"}),
        (ValueError, "runs holds no data to show", {"panels": "images"}),
        (FileNotFoundError, "no such log directory", {"logs": tmp_path / "none"}),
        (TypeError, "no option 'smoothin'", {"smoothin": 1}),
        (traitlets.TraitError, "smoothing", {"smoothing": 7}),
    ]
    for error, match, options in wrong:
        with pytest.raises(error, match=match):
            tbwidget.export_html(**{"logs": runs, "path": path, **options})
    with pytest.raises(FileNotFoundError):
        tbwidget.export_html(runs, tmp_path / "nowhere" / "page.html")
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty", "page.html", "private"]


def test_the_mask_of_the_process_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The umask belongs to the process: for a moment, everyone could write to a file that another thread creates."""
    monkeypatch.setattr(os, "umask", pytest.fail)
    with atomic_write(tmp_path / "file") as path:
        path.write_text("written")
    assert (tmp_path / "file").read_text() == "written"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_no_markup(name: str) -> None:
    made = page(name, name, {"_saved": {"x": name}})
    assert made.isascii()
    assert re.findall(r"</?script[^>]*>", made) == [
        '<script type="text/plain" id="tbwidget-data">',
        "</script>",
        "<script>",
        "</script>",
    ]
    assert "<!--" not in made


def test_a_line_counts_runs_and_tags(runs: Path, tmp_path: Path) -> None:
    with tbwidget.load(runs) as logs:
        assert summary(logs) == "2 runs (a, b/c); tags: scalars 2"
        bundle = preview_bundle(logs, "Dashboard(logs='runs')", ["loss"], PANELS)
    assert re.fullmatch(
        r"Dashboard\(logs='runs'\): 2 runs \(a, b/c\); tags: scalars 2, as of \d{4}-\d\d-\d\d \d\d:\d\d",
        bundle["text/plain"],
    )
    assert set(bundle) == {"text/plain", "image/png"}
    (tmp_path / "empty").mkdir()
    with tbwidget.load(tmp_path / "empty") as logs:
        assert set(preview_bundle(logs, "name", [], PANELS)) == {"text/plain"}
        assert summary(logs) == "no runs yet"


def colors_of(png: bytes) -> set[tuple[int, ...]]:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    return {color for _, color in image.getcolors(maxcolors=1 << 24)}  # type: ignore[union-attr, misc]


def near(colors: set[tuple[int, ...]], wanted: str) -> bool:
    rgb = bytes.fromhex(wanted[1:])
    return any(max(abs(a - b) for a, b in zip(color, rgb, strict=True)) < 12 for color in colors)


def test_a_picture_draws_each_run_in_its_color(runs: Path) -> None:
    with tbwidget.load(runs) as logs:
        png = preview(logs, "head")
    assert png is not None
    assert len(png) < 40_000
    colors = colors_of(png)
    assert near(colors, "#075dca")
    assert near(colors, "#ea5c0f")
    assert not near(colors, "#5ca123")


def test_a_picture_says_which_color_is_which_run(tmp_path: Path) -> None:
    heights, png = [], b""
    for run in ("first", "second", *(f"{HOSTILE[0]} 損失 {number}" for number in range(9))):
        write(tmp_path / run / NAME, *(event(1, step, simple("x", step)) for step in range(9)))
        with tbwidget.load(tmp_path) as logs:
            png = preview(logs, "head") or b""
        heights.append(Image.open(io.BytesIO(png)).height)
    # All runs draw the same line: only the legend has the color of the first.
    assert near(colors_of(png), "#075dca")
    assert heights == [heights[0], *[heights[0] + 20] * 10]


def test_a_picture_has_the_colors_of_the_page_beyond_ten_runs(tmp_path: Path) -> None:
    for number in range(11):
        write(tmp_path / f"r{number}" / NAME, *(event(1, step, simple("x", number)) for step in range(2)))
    with tbwidget.load(tmp_path) as logs:
        eleventh = run_color(logs.source.run_numbers()["r10"])
        png = preview(logs, "head")
    assert png is not None
    assert near(colors_of(png), eleventh)


def test_each_panel_may_have_charts_in_a_picture(runs: Path) -> None:
    asked: list[tuple[str, ...]] = []

    def charts(_logs: object, pinned: Sequence[str], _language: str) -> Iterator[PreviewChart]:
        asked.append(tuple(pinned))
        for number in count():
            yield PreviewChart(f"chart {number}", [PreviewLine("any", "#ff00ff", np.arange(4.0), np.full(4, number))])

    panel = replace(PANELS[0], preview=charts)
    with tbwidget.load(runs) as logs:
        assert preview(logs, "head", (), [replace(panel, preview=None)]) is None
        png = preview(logs, "head", ["a"], [replace(panel, preview=None), panel, PANELS[0]])
    assert png is not None
    assert asked == [("a",)]
    assert near(colors_of(png), "#ff00ff")
    assert not near(colors_of(png), "#075dca"), "there is room for the first charts alone"


def test_a_picture_has_the_named_ranges_of_steps(tmp_path: Path) -> None:
    write(tmp_path / NAME, *(event(1, step, simple("x", step)) for step in range(101)))
    huge = [("all", -(2**63), 2**63 - 1)]
    with tbwidget.load(tmp_path) as logs:
        found = [preview(logs, "head", ranges=ranges) or b"" for ranges in ((), [("損失 <b>", 25, 75)], huge)]
    # The first chart's plot, without its lines.
    plots = [np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))[75:110, 52:268].astype(int) for png in found]
    without, half, whole = (float((abs(plot - 0xEE) < 6).all(2).mean()) for plot in plots)
    assert without < 0.05
    assert 0.4 < half < 0.55
    assert whole > 0.9


def test_points_in_a_picture_are_not_joined(runs: Path) -> None:
    def charts(_logs: object, _pinned: object, _language: str) -> Iterator[PreviewChart]:
        ends, middle = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.4, 0.6])
        lines = [PreviewLine("one", "#ff00ff", ends, ends[[0, 2, 1, 3]]), PreviewLine("two", "#00aa00", middle, middle)]
        yield PreviewChart("points", lines, are_points=True)

    with tbwidget.load(runs) as logs:
        png = preview(logs, "head", (), [replace(PANELS[0], preview=charts)])
    assert png is not None
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    assert picture.height == 198, "there is no legend of runs"
    plot = np.asarray(picture)[60:172, 52:268].astype(int)
    is_magenta = (plot[:, :, 0] > 200) & (plot[:, :, 1] < 120)
    rows, columns = np.nonzero(is_magenta)
    assert {(int(row > 56), int(column > 108)) for row, column in zip(rows, columns, strict=True)} == {
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    }
    assert 4 <= is_magenta.sum() <= 40
    assert near(colors_of(png), "#00aa00")


@pytest.mark.parametrize(
    "values",
    [
        [1.0],
        [float("nan")],
        [float("inf"), 1.0],
        [1e308, -1e308],
        [5.0] * 9,
        [1e-300, 0.0],
        [float(i % 7) for i in range(9000)],
    ],
)
def test_a_picture_of_strange_values_is_drawn(tmp_path: Path, values: list[float]) -> None:
    for run in ("r", "損失 🔥"):
        write(
            tmp_path / run / NAME,
            *(event(1.7e9 + i, i, simple(HOSTILE[0] * 9, value)) for i, value in enumerate(values)),
        )
    with tbwidget.load(tmp_path) as logs:
        png = preview(logs, "損失 🔥 \u202e" * 50)
        assert (png is None) == (values[0] != values[0] or values[0] == 1e308)


def test_a_board_shows_a_picture_where_no_widget_is(runs: Path) -> None:
    board = Dashboard(runs)
    data: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    try:
        while "image/png" not in data:
            data, metadata = board._repr_mimebundle_()
    finally:
        board.close()
    assert metadata["image/png"] == {"alt": data["text/plain"]}
    assert data["text/plain"].startswith("Dashboard(logs='runs'): 2 runs")
    assert "application/vnd.jupyter.widget-view+json" in data
    assert str(runs.parent) not in data["text/plain"]
