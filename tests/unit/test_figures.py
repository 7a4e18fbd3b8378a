"""Figures of bqplot that follow growing logs, and keep the changes of their user."""

from __future__ import annotations

import io
import re
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bqplot
import ipywidgets
import numpy as np
import PIL.Image
import pytest
import traitlets
from ipywidgets.widgets import widget as widgets
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.figures.live import LiveFigure
from tbwidget.options.colors import run_color
from tbwidget.proto.summary_pb2 import Summary
from tests.support.eventfiles import NAME, event, histogram, name, simple, write
from tests.support.waiting import wait_for

START = 1.7e9


def scalars(steps: range, factor: float = 1.0, tags: tuple[str, ...] = ("loss",)) -> bytes:
    return b"".join(event(START + i, i, *(simple(tag, factor * i) for tag in tags)) for i in steps)


def grown(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write two runs of 40 points of two tags."""
    for number, run in enumerate(("a", "b")):
        write(tmp_path / run / NAME, scalars(range(40), number + 1.0, ("loss", "rate")))
    return tmp_path


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    """Check that neither widgets (and so comms) nor threads remain."""
    held, threads = set(widgets._instances), threading.active_count()
    opened: list[LiveFigure] = []
    yield
    opened += [each for each in widgets._instances.values() if isinstance(each, LiveFigure)]
    for figure in opened:
        figure.close()
    assert [widgets._instances[key] for key in set(widgets._instances) - held] == []
    wait_for(lambda: threading.active_count() <= threads)


def lines(figure: Any) -> dict[str, Any]:
    return {mark.labels[0]: mark for mark in figure.marks}


def test_a_line_a_run_in_the_colors_of_the_dashboards(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss")
    assert isinstance(figure, bqplot.Figure)
    assert figure.title == "loss"
    held = lines(figure)
    assert list(held) == ["a", "b"]
    assert held["b"].x.dtype == np.float64
    assert held["b"].x.tolist() == list(range(40))
    assert held["b"].y.tolist() == [2.0 * i for i in range(40)]
    assert [held[run].colors for run in "ab"] == [["#075dca"], ["#ea5c0f"]]
    assert [axis.label for axis in figure.axes] == ["step", ""]
    assert repr(figure) == f"ScalarFigure(logs={logs.name!r}, tags='loss')"


def test_tags_and_runs_are_chosen_as_in_tables(logs: Path) -> None:
    figure = tbwidget.figure(logs, ["loss", "rate"], runs=re.compile("^b$"), run_colors={"b": "tomato"})
    assert [(mark.labels, mark.line_style, mark.colors) for mark in figure.marks] == [
        (["loss"], "solid", ["tomato"]),
        (["rate"], "dashed", ["tomato"]),
    ]
    figure.runs = None
    assert list(lines(figure)) == ["b · loss", "b · rate", "a · loss", "a · rate"]
    figure.tags = "rate"
    assert (list(lines(figure)), figure.title) == (["b", "a"], "rate")


def test_it_follows_new_data(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss")
    grown(logs / "a" / NAME, scalars(range(40, 60)))
    write(logs / "c" / NAME, scalars(range(5), 3))
    wait_for(lambda: len(figure.marks) == 3 and len(figure.marks[0].x) == 60)
    assert lines(figure)["c"].y.tolist() == [0, 3, 6, 9, 12]


def test_writers_of_this_process_are_flushed_for_it(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path / "held")) as writer:
        figure = tbwidget.figure(tmp_path, "loss")
        writer.add_scalar("loss", 0.5, 1)
        wait_for(lambda: [mark.y.tolist() for mark in figure.marks] == [[0.5]])
        figure.flush_writers = False
        wait_for(lambda: not any(thread.name == "tbwidget-flusher" for thread in threading.enumerate()))
        figure.flush_writers = True
        writer.add_scalar("loss", 0.25, 2)
        wait_for(lambda: [mark.y.tolist() for mark in figure.marks] == [[0.5, 0.25]])
        figure.close()
    wait_for(lambda: not any(thread.name == "tbwidget-flusher" for thread in threading.enumerate()))


def test_a_missing_tag_is_drawn_once_it_appears(logs: Path) -> None:
    with pytest.warns(UserWarning, match="there is no tag 'los' yet.*'loss'"):
        figure = tbwidget.figure(logs, ["los"])
    assert figure.marks == []
    grown(logs / "a" / NAME, event(START, 3, simple("los", 1)))
    wait_for(lambda: len(figure.marks) == 1)
    missing = tbwidget.figure(logs / "missing", "x")
    write(logs / "missing" / NAME, event(START, 3, simple("x", 1)))
    wait_for(lambda: len(missing.marks) == 1)


def test_additions_and_changes_of_the_user_stay(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss")
    first, second = figure.marks
    own = bqplot.Scatter(x=[1.0], y=[2.0], scales={"x": figure.x_scale, "y": figure.y_scale})
    first.colors, first.labels, first.stroke_width = ["red"], ["mine"], 5
    figure.marks = [own, first]
    figure.title, figure.y_scale.max, figure.x_scale.min = "Mine", 7.0, 3.0
    figure.axes = [figure.axes[0]]
    grown(logs / "a" / NAME, scalars(range(40, 60)))
    grown(logs / "b" / NAME, scalars(range(40, 60)))
    write(logs / "c" / NAME, scalars(range(5)))
    wait_for(lambda: len(figure.marks) == 3 and len(first.x) == 60)
    assert figure.marks[:2] == [own, first]
    assert figure.marks[2].labels == ["c"]
    assert (first.colors, first.labels, first.stroke_width) == (["red"], ["mine"], 5)
    assert len(second.x) == 40, "what is taken out is not fed"
    assert (figure.title, figure.y_scale.max, figure.x_scale.min, len(figure.axes)) == ("Mine", 7.0, 3.0, 1)
    figure.close()
    assert own.comm is not None
    assert figure.marks[0] is own
    own.close()


def test_scales_are_shared_and_exchanged(logs: Path) -> None:
    first = tbwidget.figure(logs, "loss")
    second = tbwidget.figure(logs, "rate", x_scale=first.x_scale, y_scale=(log := bqplot.LogScale()))
    assert np.isnan(second.marks[0].y).tolist() == [True] + [False] * 39, "0 has no place on a logarithmic axis"
    second.close()
    assert (first.x_scale.comm is None, log.comm is None) == (False, False), "they are others'"
    first.y_scale = log
    assert all(mark.scales["y"] is log for mark in first.marks)
    assert first.axes[1].scale is log
    assert first.panzoom.scales["y"] == [log]
    first.close()
    log.close()


def test_at_most_a_thousand_points_a_line_and_finer_ones_in_sight(tmp_path: Path) -> None:
    count = 30_000
    write(
        tmp_path / NAME, *(event(START + i, i, simple("loss", 9.0 if i == 12_345 else np.sin(i))) for i in range(count))
    )
    figure = tbwidget.figure(tmp_path, "loss", smoothing=0.5)
    raw, line = figure.marks
    assert [len(raw.x) <= 1000, len(line.x) <= 1000, len(raw.x) > 400] == [True] * 3
    assert raw.y.max() == 9
    assert raw.x[np.argmax(raw.y)] == 12_345
    assert line.y.max() < 6
    with figure.x_scale.hold_trait_notifications():
        figure.x_scale.min, figure.x_scale.max = 100.0, 300.0

    def in_sight() -> int:
        steps = raw.x  # read once: another thread replaces it
        return int(np.count_nonzero((steps >= 100) & (steps <= 300)))

    wait_for(lambda: in_sight() == 201)
    assert (raw.x[0], raw.x[-1], raw.y.max(), len(raw.x) <= 1000) == (0, count - 1, 9, True)
    figure.smoothing = 0
    assert figure.marks == [line]
    assert line.opacities == []


def test_steps_beyond_32_bits_and_odd_values(tmp_path: Path) -> None:
    write(
        tmp_path / NAME,
        *(event(START, 2**40 + i, simple("x", value)) for i, value in enumerate([1, np.nan, np.inf, 2])),
        *(event(wall, 1, simple("y", 1)) for wall in (START, np.nan, np.inf, 1e300)),
    )
    (mark,) = tbwidget.figure(tmp_path, "x").marks
    assert mark.x.tolist() == [2.0**40 + i for i in range(4)]
    assert np.isnan(mark.y).tolist() == [False, True, True, False]
    (mark,) = tbwidget.figure(tmp_path, "y", x="wall").marks
    assert mark.x.tolist() == [np.datetime64(int(START * 1000), "ms").item()]
    (mark,) = tbwidget.figure(tmp_path, "y", x="relative").marks
    assert mark.x.tolist() == [0]


def test_the_brush_is_a_trait(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss")
    seen: list[Any] = []
    figure.observe(lambda change: seen.append(change.new), "selected")
    figure.brush.selected = np.array([30.0, 10.0])
    figure.selected = (1, 2)
    assert figure.brush.selected.tolist() == [1, 2]
    figure.brush.selected = None
    assert seen == [(10.0, 30.0), (1.0, 2.0), None]
    assert figure.interaction is figure.brush
    wall = tbwidget.figure(logs, "loss", x="wall")
    wall.brush.selected = (np.array([START, START + 5]) * 1e3).astype("datetime64[ms]")
    assert wall.selected == (START, START + 5)
    wall.selected = (START, START + 1.5)
    assert wall.brush.selected[1] == np.datetime64(int(START * 1000) + 1500, "ms")


def test_histograms_at_a_step(tmp_path: Path) -> None:
    for run, shift in (("a", 0.0), ("b", 1.0)):
        values = [
            event(START + i, i, histogram("w", [shift, shift + 1, shift + 2 + i], [0, 3 + i, 1], least=shift))
            for i in range(3)
        ]
        write(tmp_path / run / NAME, *values)
    figure = tbwidget.figure(tmp_path, "w", kind="histograms", bins=10)
    first, second = figure.marks
    assert first.x.tolist() == second.x.tolist()
    assert first.y[1:-1:2].sum() == pytest.approx(6)
    figure.step = 0
    assert first.y[1:-1:2].sum() == pytest.approx(4)
    figure.step = -1
    assert figure.marks == []
    figure.step = None
    assert len(figure.marks) == 2


def test_distributions_along_steps(tmp_path: Path) -> None:
    values = [event(START + i, i, histogram("w", [0, 1, 2], [0, 1 + i, 1], least=0)) for i in range(300)]
    file = write(tmp_path / "a" / NAME, *values)
    figure = tbwidget.figure(tmp_path, "w", kind="distributions")
    bands, median = figure.marks
    assert bands.y.shape == (9, len(median.x))
    assert len(median.x) <= 201
    assert (bands.y[0].min(), bands.y[-1].max(), median.x[-1]) == (0, 2, 299)
    assert (bands.y[4] == median.y).all()
    grown(file, event(START + 300, 300, histogram("w", [0, 1, 2], [0, 1, 1], least=0)))
    wait_for(lambda: median.x[-1] == 300)


def image(tag: str, color: tuple[int, int, int], size: tuple[int, int] = (8, 4)) -> Summary.Value:
    held = io.BytesIO()
    PIL.Image.new("RGB", size, color).save(held, "PNG")
    return Summary.Value(tag=name(tag), image=Summary.Image(encoded_image_string=held.getvalue()))


def test_images_side_by_side(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, event(START, 1, image("i", (255, 0, 0))), event(START, 2, image("i", (0, 255, 0))))
    write(tmp_path / "b" / NAME, event(START, 1, image("i", (0, 0, 255), (4, 4))))
    write(
        tmp_path / "c" / NAME, event(START, 1, Summary.Value(tag=b"i", image=Summary.Image(encoded_image_string=b"?")))
    )
    figure = tbwidget.figure(tmp_path, "i", kind="images")
    pictures = [mark for mark in figure.marks if isinstance(mark, bqplot.Image)]
    assert [mark.x.tolist() for mark in pictures] == [[0, 2], [2.06, 3.06]]
    texts = [mark.text[0] for mark in figure.marks if isinstance(mark, bqplot.Label)]
    assert texts == ["a · step 2", "b · step 1"]
    assert PIL.Image.open(io.BytesIO(pictures[0].image.value)).getpixel((0, 0)) == (0, 255, 0)
    figure.step = 1
    assert PIL.Image.open(io.BytesIO(pictures[0].image.value)).getpixel((0, 0)) == (255, 0, 0)
    assert figure.min_aspect_ratio == figure.max_aspect_ratio


def test_names_that_are_no_text_and_long_ones(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(START, 1, simple("\udcff<img src=x>", 1), simple("x" * 300, 1)))
    figure = tbwidget.figure(tmp_path)
    assert [mark.labels[0] for mark in figure.marks] == ["x" * 18 + "…" + "x" * 17, "\\udcff<img src=x>"]


def test_wrong_arguments_are_refused_with_a_hint(logs: Path) -> None:
    with pytest.raises(ValueError, match="no figure of kind 'histogramms'; did you mean 'histograms'"):
        tbwidget.figure(logs, "loss", kind="histogramms")
    with pytest.raises(TypeError, match="no option 'smooting'; did you mean 'smoothing'"):
        tbwidget.figure(logs, "loss", smooting=0.5)
    with pytest.raises(traitlets.TraitError):
        tbwidget.figure(logs, "loss", smoothing=2)
    with pytest.raises(traitlets.TraitError):
        tbwidget.figure(logs, "loss", run_colors={"a": "no color"})
    with pytest.raises(ValueError, match="no storage is known"):
        tbwidget.figure("nothing://bucket/logs", "loss")


def test_names_of_any_other_kind_are_refused(logs: Path) -> None:
    held = set(widgets._instances)
    for names in (5, [5], b"loss", {"loss": 1}, re.compile(b"loss")):
        with pytest.raises(traitlets.TraitError, match="tags: expected a name, a compiled regular"):
            tbwidget.figure(logs, tags=names)  # type: ignore[arg-type]
    with pytest.raises(traitlets.TraitError, match="runs: expected"):
        tbwidget.figure(logs, runs=5)  # type: ignore[arg-type]
    assert set(widgets._instances) == held
    figure = tbwidget.figure(logs, "loss")
    with pytest.raises(traitlets.TraitError, match="runs: expected"):
        figure.runs = [None]
    figure.runs, figure.tags = {"b": 1}.keys(), re.compile("^l")
    assert list(figure.runs) == list(lines(figure)) == ["b"]


def test_a_figure_that_fails_to_be_made_leaves_nothing(logs: Path) -> None:
    scale = bqplot.ColorScale()
    held = set(widgets._instances)
    with pytest.raises(traitlets.TraitError, match="type mismatch"):
        tbwidget.figure(logs, "loss", y_scale=scale)
    assert set(widgets._instances) == held
    wait_for(lambda: not any(thread.name.startswith("tbwidget") for thread in threading.enumerate()))
    scale.close()


def test_objects_of_the_user_are_not_closed(logs: Path) -> None:
    layout, scale = ipywidgets.Layout(), bqplot.LinearScale()
    given = tbwidget.figure(logs, "loss", layout=layout, scale_x=scale)
    later = tbwidget.figure(logs, "loss")
    later.layout, later.scale_y = layout, scale
    own = tbwidget.figure(logs, "loss", layout={"width": "300px"}).layout
    assert own.width == "300px"
    for figure in [each for each in widgets._instances.values() if isinstance(each, LiveFigure)]:
        figure.close()
    assert given.comm is later.comm is own.comm is None
    assert None not in (layout.comm, scale.comm)
    layout.close()
    scale.close()


def test_times_are_counted_from_the_first_one(tmp_path: Path) -> None:
    walls = (np.nan, -np.inf, START, START + 5)
    write(tmp_path / NAME, *(event(wall, i, simple("x", i)) for i, wall in enumerate(walls)))
    (mark,) = tbwidget.figure(tmp_path, "x", x="relative").marks
    assert (mark.x.tolist(), mark.y.tolist()) == ([0, 5], [2, 3])


def test_the_first_of_too_many_series_are_drawn(tmp_path: Path) -> None:
    tags = [f"x{i}" for i in range(310)]
    write(tmp_path / NAME, *(event(START + i, i, *(simple(tag, i) for tag in tags)) for i in range(100)))
    with pytest.warns(UserWarning, match="only the first 300 of 310 series"):
        figure = tbwidget.figure(tmp_path, smoothing=0.5)
    assert figure.title == "(first 300 of 310)"
    assert len(figure.marks) == 600
    assert sum(len(mark.x) for mark in figure.marks) <= 20_000
    with pytest.warns(UserWarning, match="only the first 300 of 305 series"):
        figure.tags = tags[5:]
    assert (figure.title, len(figure.marks)) == ("(first 300 of 305)", 600)
    figure.tags = tags[-1]
    assert (figure.title, len(figure.marks)) == ("x309", 2)


def test_close_leaves_the_logs_to_their_owner(logs: Path) -> None:
    with tbwidget.load(logs) as mine:
        figure = tbwidget.figure(mine, "loss")
        figure.close()
        figure.close()
        assert repr(figure).startswith("<closed ScalarFigure(")
        wait_for(lambda: not any(thread.name.startswith("tbwidget") for thread in threading.enumerate()))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure.tags = "rate"
        mine.follow()
    wait_for(lambda: not any(thread.name.startswith("tbwidget") for thread in threading.enumerate()))


def test_smoothing_of_every_kind(tmp_path: Path) -> None:
    values = [float(i % 4) for i in range(40)]
    write(tmp_path / NAME, *(event(START + i, i, simple("loss", value)) for i, value in enumerate(values)))
    figure = tbwidget.figure(tmp_path, "loss", smoothing_kind="mean", smoothing_window=4)
    raw, mean = figure.marks
    assert raw.y.tolist() == values
    assert mean.y.tolist() == [0.0, 0.5, 1.0, *[1.5] * 37]
    figure.smoothing_kind = "gaussian"
    assert figure.marks[1].y[10:30].tolist() != values[10:30]
    assert figure.marks[1].y[10:30].mean() == pytest.approx(1.5, abs=0.1)
    figure.smoothing_kind = "none"
    assert [mark.y.tolist() for mark in figure.marks] == [values]
    with pytest.raises(traitlets.TraitError, match="smoothing_kind"):
        figure.smoothing_kind = "median"


def test_series_that_smoothing_does_not_help_are_drawn_raw(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss", runs="a", smoothing=0.9)
    raw, line = figure.marks
    assert line.y.tolist() == raw.y.tolist() == list(range(40))


def test_the_page_is_told_the_colors_of_its_dark_theme(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss", run_colors={"b": "tomato"})
    assert figure._page.pairs == {run_color(0): run_color(0, "dark")}
    assert figure._page.marks == figure.marks
    write(logs / "c" / NAME, scalars(range(40)))
    wait_for(lambda: len(figure._page.pairs) == 2 and figure._page.marks == figure.marks)
    fixed = tbwidget.figure(logs, "loss", palette="dark")
    assert fixed._page.pairs == {}
    assert fixed.marks[0].colors == [run_color(0, "dark")]


def test_the_legend_is_where_no_line_is(tmp_path: Path) -> None:
    for run in ("a", "b"):
        write(tmp_path / run / NAME, scalars(range(100)))
    figure = tbwidget.figure(tmp_path, "loss")
    assert figure.legend_location == "top-left"
    write(tmp_path / "c" / NAME, b"".join(event(START + i, i, simple("loss", 99.0 - i)) for i in range(100)))
    wait_for(lambda: len(figure.marks) == 3)
    wait_for(lambda: figure.legend_location != "top-left")
    assert figure.legend_location in {"top", "left", "right", "bottom"}
    figure.legend_location = "bottom"
    figure.redraw()
    assert figure.legend_location == "bottom"
    given = tbwidget.figure(tmp_path, "loss", legend_location="top-right")
    assert given.legend_location == "top-right"


def test_many_lines_are_thin_and_not_listed(tmp_path: Path) -> None:
    for number in range(10):
        write(tmp_path / f"run{number}" / NAME, scalars(range(5)))
    figure = tbwidget.figure(tmp_path, "loss", smoothing=0.5)
    assert sum(mark.display_legend for mark in figure.marks) == 10
    write(tmp_path / "run10" / NAME, scalars(range(5)))
    wait_for(lambda: len(figure.marks) == 22)
    assert not any(mark.display_legend for mark in figure.marks)
    assert lines(figure)["run10"].stroke_width < lines(figure)["run0"].stroke_width
    with pytest.warns(UserWarning, match=r"it is waited for.* A regular expression is given as re.compile\('run"):
        figure.runs = "run[0-3]$"
    assert figure.marks == []
    figure.runs = re.compile("run[0-3]$")
    assert sum(mark.display_legend for mark in figure.marks) == 4
    low = tbwidget.figure(tmp_path, "loss", runs=re.compile("run[0-4]$"), layout={"height": "200px"})
    assert not any(mark.display_legend for mark in low.marks)


def test_lines_without_a_legend_have_their_full_names(tmp_path: Path) -> None:
    runs = [f"{'long' * 12}-{number}" for number in range(11)]
    for run in runs:
        write(tmp_path / run / NAME, scalars(range(5), tags=("loss", "rate")))
    figure = tbwidget.figure(tmp_path, "loss")
    assert [mark.labels for mark in figure.marks] == [[run] for run in sorted(runs, key=len)]
    figure.tags = ["loss", "rate"]
    assert figure.marks[0].labels == [f"{runs[0]} · loss"]
    figure.marks[1].labels = ["mine"]
    figure.runs, figure.tags = runs[:2], "loss"
    assert [len(mark.labels[0]) for mark in figure.marks] == [36, 4]


def test_marks_of_the_brush_go_with_their_runs(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss")
    figure.brush.marks = first, last = figure.marks
    figure.runs = "a"
    assert figure.brush.marks == [first]
    assert last.comm is None


RANGES = [("warm-up", 0, 9), ("lr drop", 20, 20), ("beyond", 30, 2**62)]


def test_named_ranges_are_bands_behind_the_lines_and_names(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss", named_ranges=RANGES, title="mine")
    bands, *own, names = figure.marks
    assert len(own) == 2
    assert bands.labels == [name for name, _, _ in RANGES]
    assert bands.x[:2].tolist() == [[0, 0, 9, 9], [20, 20, 20, 20]]
    assert bands.x[2].tolist() == pytest.approx([30, 30, 39 + 39_000, 39 + 39_000])
    assert bands.y.tolist() == [[0, 1, 1, 0]] * 3
    # The height is the figure's, and only data stretch the x axis.
    assert bands.scales["x"] is names.scales["x"] is figure.x_scale
    assert bands.scales["y"] is names.scales["y"] is not figure.y_scale
    assert bands.preserve_domain == names.preserve_domain == {"x": True}
    assert names.text.tolist() == ["warm-up", "lr drop", "beyond"]
    assert not figure.legend_location.startswith("top")
    # Later lines are drawn before the bands, too.
    write(logs / "c" / NAME, scalars(range(80)))
    wait_for(lambda: len(figure.marks) == 5)
    assert (figure.marks[0], figure.marks[-1]) == (bands, names)
    figure.named_ranges = []
    assert (len(bands.x), len(names.text)) == (0, 0)
    figure.named_ranges = [("again", np.int64(5), 6)]
    assert figure.named_ranges == [("again", 5, 6)]
    assert (bands.x.tolist(), names.text.tolist()) == ([5, 5, 6, 6], ["again"])


def test_names_of_ranges_are_where_they_are_seen(logs: Path) -> None:
    figure = tbwidget.figure(logs, "loss")
    figure.x_scale.min, figure.x_scale.max = 10.0, 30.0
    assert len(figure.marks) == 2
    figure.named_ranges = [("before", 0, 9), ("long", 0, 20), ("a name that is long", 12, 14), ("next", 29, 99)]
    names = figure.marks[-1]
    assert names.text.tolist() == ["long", "a name that is long", "next"]
    assert names.x[:2].tolist() == [10, 12]
    assert 28 < names.x[2] < 29, "else it would end behind the edge"
    assert names.y.tolist() == [1, 1, 1]
    figure.named_ranges = [("a name that is long", 12, 14), ("다른 이름", 13, 13)]
    assert names.y[1] < names.y[0] == 1
    figure.x_scale = scale = bqplot.LogScale()
    figure.named_ranges = [("all", 0, 39), ("none", -5, 0), ("one", 20, 20)]
    bands, names = figure.marks[0], figure.marks[-1]
    assert bands.scales["x"] is names.scales["x"] is figure.x_scale
    assert bands.x.tolist() == [pytest.approx([0.5, 0.5, 39, 39]), pytest.approx([20] * 4)]
    assert names.text.tolist() == ["all", "one"]
    figure.close()
    scale.close()


def test_named_ranges_are_along_times_where_the_lines_were(tmp_path: Path) -> None:
    for run, begin in (("a", START), ("b", START + 5), ("c", START + 1000)):
        write(tmp_path / run / NAME, *(event(begin + i, i, simple("x", i)) for i in range(0, 100, 10)))
    ranges = [("ten", 20, 30), ("between", 44, 46), ("beyond", 200, 300)]
    bands = tbwidget.figure(tmp_path, "x", x="wall", named_ranges=ranges).marks[0]
    found = [(row[0].timestamp(), row[-1].timestamp()) for row in bands.x.astype("datetime64[ms]").tolist()]
    utc = [(first - found[0][0], last - found[0][0]) for first, last in found]
    assert bands.labels == ["ten", "ten", "between", "between", "between"]
    assert utc == [(0, 15), (1000, 1010), (20, 20), (25, 25), (1020, 1020)]


def test_named_ranges_of_distributions_and_what_has_none(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, *(event(START + i, i, histogram("w", [0, 1], [1, 1])) for i in range(9)))
    bands = tbwidget.figure(tmp_path, "w", kind="distributions", x="relative", named_ranges=[("n", 2, 3)]).marks[0]
    assert bands.x.tolist() == [2, 2, 3, 3]
    with pytest.raises(TypeError, match="no option 'named_ranges'"):
        tbwidget.figure(tmp_path, "w", kind="histograms", named_ranges=[("n", 2, 3)])
    with pytest.raises(traitlets.TraitError, match="named_ranges: the first step comes first"):
        tbwidget.figure(tmp_path, "w", kind="distributions", named_ranges=[("n", 3, 2)])
    with pytest.warns(UserWarning, match="it is waited for"):
        empty = tbwidget.figure(tmp_path, "later", kind="distributions", named_ranges=[("n", 2, 3)])
    assert [len(mark.x) for mark in empty.marks] == [4, 0]
