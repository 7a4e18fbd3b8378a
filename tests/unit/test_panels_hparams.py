"""The hyperparameters of all sessions, as one document."""

from __future__ import annotations

import base64
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import traitlets
from PIL import Image

import tbwidget
from tbwidget.export.file import saved_answers
from tbwidget.export.preview import preview
from tbwidget.options.colors import scale_color
from tbwidget.panels import hparams
from tbwidget.panels.declare import PreviewParallel, PreviewTable
from tbwidget.panels.hparams import HPARAMS, _plain
from tbwidget.panels.hparams_best import at_best
from tbwidget.panels.hparams_preview import metric_text, parameter_text
from tbwidget.panels.hparams_preview import preview as preview_parts
from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.wire.channel import Channel
from tbwidget.wire.content import Refusal
from tbwidget.wire.snapshot import snapshot
from tests.support.eventfiles import NAME, event, plugin, simple, write
from tests.support.feeds import drain
from tests.support.trials import ended, experiment, started

FIXTURE = Path(__file__).parents[2] / "js/tests/fixtures/valuetexts.json"
"""Values, and their texts as hyperparameters and as metrics; a test of the page uses the same."""

HOSTILE = "<script>alert(1)</script> \udcff\udcfe"


def document(*logdir: Path) -> tuple[dict[str, Any], object]:
    read = HPARAMS.read(tbwidget.load(*logdir), "", "")
    return json.loads(read.encode()), read.revision


def columns(found: dict[str, Any]) -> dict[str, list[Any]]:
    names = [info["name"] for info in found["hparams"]]
    return dict(zip(names, found["values"], strict=True))


def test_each_session_has_its_values_and_null_for_those_that_others_have(tmp_path: Path) -> None:
    write(
        tmp_path / "a" / NAME, event(1, 0, started("trial", lr=0.1, name="adam", none=None, many=[1, 2.5, [True, "x"]]))
    )
    write(tmp_path / "b" / NAME, event(1, 0, started(lr=math.inf, fast=True)), event(2, 1, simple("loss", 1)))
    found, revision = document(tmp_path)
    assert (found["runs"], found["groups"], found["aliases"]) == (["a", "b"], ["trial", ""], {"trial": 0})
    assert columns(found) == {
        "lr": [0.1, "inf"],
        "many": ["[1, 2.5, [True, 'x']]", None],
        "name": ["adam", None],
        "none": [None, None],
        "fast": [None, True],
    }
    assert document(tmp_path)[1] == revision
    write(tmp_path / "c" / NAME, event(1, 0, started(lr=1)))
    assert document(tmp_path)[1] != revision


def test_no_hyperparameters_are_an_empty_document(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, event(1, 1, simple("loss", 1)))
    found, _ = document(tmp_path)
    assert {name: value for name, value in found.items() if value} == {}


def test_a_group_is_a_name_within_its_directory(tmp_path: Path) -> None:
    for name, rate in (("old", 0.1), ("new", 0.2)):
        write(tmp_path / name / "a" / NAME, event(1, 0, started("trial", lr=rate)))
    found, _ = document(tmp_path / "old", tmp_path / "new")
    values = dict(zip(found["runs"], columns(found)["lr"], strict=True))
    assert values == {"old/a": 0.1, "new/a": 0.2}
    rates = {name: columns(found)["lr"][place] for name, place in found["aliases"].items()}
    assert rates == {"old/trial": 0.1, "new/trial": 0.2}
    assert found["directories"] == ["old", "new"]
    assert document(tmp_path / "old")[0]["directories"] == []


def test_declarations_of_an_experiment_accompany_the_values(tmp_path: Path) -> None:
    declared = experiment(
        [
            {
                "name": "units",
                "type": "DATA_TYPE_FLOAT64",
                "displayName": "Units",
                "domainDiscrete": [1, "2"],
            },
            {"name": "rate", "description": "of learning", "domainInterval": {"minValue": 0.1, "maxValue": 1}},
            {"name": "endless", "domainInterval": {"minValue": 0, "maxValue": "Infinity"}},
            {"name": "unused"},
        ],
        [
            {"name": {"tag": "acc", "group": "eval"}, "displayName": "Accuracy", "description": "held out"},
            {"name": {"tag": "loss"}},
        ],
    )
    write(tmp_path / NAME, event(1, 0, declared))
    write(tmp_path / "a" / NAME, event(1, 0, started(rate=0.5, units=1, other="x", endless=1)), event(2, 0, ended()))
    write(tmp_path / "b" / NAME, event(1, 0, started(rate=0.7)))
    found, _ = document(tmp_path)
    assert [(info["name"], info["title"], info["type"], info["domain"]) for info in found["hparams"]] == [
        ("units", "Units", "float", [1, "2"]),
        ("rate", "", "", {"min": 0.1, "max": 1}),
        ("endless", "", "", None),  # JSON has no such interval
        ("other", "", "", None),
    ]
    assert found["hparams"][1]["description"] == "of learning"
    assert {info["source"] for info in found["hparams"]} == {"summary"}
    assert found["metrics"] == [
        {"group": "eval", "tag": "acc", "title": "Accuracy", "description": "held out"},
        {"group": "", "tag": "loss", "title": "", "description": ""},
    ]
    assert (found["status"], found["start"], found["end"]) == (["SUCCESS", "UNKNOWN"], [5, 5], [9, None])
    assert columns(found)["units"] == [1, None]


def test_hostile_names_and_values_travel_as_text(tmp_path: Path) -> None:
    names = ["__proto__", "<img src=x onerror=alert(1)>", "", "a\u0000b", "\u202etxt"]
    write(tmp_path / "a" / NAME, event(1, 0, started("__proto__", **dict.fromkeys(names, "x" * 5000))))
    found, revision = document(tmp_path)
    assert isinstance(revision, bytes)
    assert revision.isascii()
    assert sorted(columns(found)) == sorted(names)
    assert found["aliases"] == {"__proto__": 0}
    assert {value for (value,) in found["values"]} == {"x" * hparams.MAX_CHARACTERS + "…"}


def test_a_value_nested_very_deep_is_cut() -> None:
    lists: list[Any] = []
    mappings: dict[str, Any] = {}
    for _ in range(5_000):
        lists, mappings = [lists], {"a": mappings}
    assert _plain(lists) == "[" * 100 + "…" + "]" * 100
    assert _plain(mappings) == "{'a': " * 100 + "…" + "}" * 100


def test_thousands_of_columns_travel(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, event(1, 0, started(**{f"h{i}": i for i in range(5_000)})))
    write(tmp_path / "b" / NAME, event(1, 0, started(h7=1)))
    found, _ = document(tmp_path)
    assert (len(found["values"]), found["left_out"]) == (5_000, 0)
    assert columns(found)["h7"] == [7, 1]


def test_a_document_that_would_be_too_large_keeps_the_columns_of_most_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for run in range(20):
        write(tmp_path / f"r{run:02}" / NAME, event(1, 0, started(lr=run, **{f"own{run}-{i}": 1 for i in range(20)})))
    whole, _ = document(tmp_path)
    assert (len(whole["values"]), whole["left_out"]) == (401, 0)
    monkeypatch.setattr(hparams, "MAX_DOCUMENT_BYTES", 10_000)
    found, encoded = document(tmp_path)
    assert isinstance(encoded, bytes)
    assert len(encoded) < 10_200
    assert columns(found)["lr"] == list(range(20))
    assert 10 < len(found["values"]) < 401
    assert found["left_out"] == 401 - len(found["values"])


def test_one_large_column_leaves_out_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for run in range(20):
        write(tmp_path / f"r{run:02}" / NAME, event(1, 0, started(args="x" * 2_000, bs=8, lr=run)))
    monkeypatch.setattr(hparams, "MAX_DOCUMENT_BYTES", 10_000)
    found, _ = document(tmp_path)
    assert list(columns(found)) == ["bs", "lr"]
    assert found["left_out"] == 1


@pytest.fixture
def view(tmp_path: Path) -> Any:
    view = tbwidget.HParamsView(tmp_path)
    yield view
    view.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("columns", ["hparam:lr", "metric:eval/acc"]),
        ("columns", ["hparam:", "metric:"]),  # names that are empty
        ("goal", "metric:acc"),
        ("goal", "metric:"),
        ("goal_best", "min"),
        ("metric", "max"),
        ("at", "metric:loss"),
        ("groups", True),
        ("sort", ["-metric:acc", "status", "hparam:lr"]),
        ("filters", {"hparam:lr": {"min": 0.1}, "status": {"values": ["SUCCESS", None]}, "run": {"pattern": "a|b"}}),
        ("filters", {"metric:acc": {"min": 0.1, "max": 1}}),
        ("plots", ["parallel", "scatter"]),
        ("plots", []),
        ("scales", {"hparam:lr": "log", "metric:acc": "quantile"}),
        ("flipped", ["metric:loss"]),
    ],
)
def test_options_are_taken(view: Any, name: str, value: object) -> None:
    setattr(view, name, value)
    assert getattr(view, name) == value
    assert getattr(view, f"hparams_{name}") == value


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("columns", ["lr"], "a column is 'hparam:NAME', 'metric:TAG', not 'lr'"),
        ("columns", ["status"], "not 'status'"),
        ("goal", "acc", "a metric is 'metric:TAG', not 'acc'"),
        ("at", "val/accuracy", r"not 'val/accuracy'; did you mean 'metric:val/accuracy'\?$"),
        ("at", "hparam:lr", "not 'hparam:lr'$"),
        ("goal_best", "largest", "none of 'max', 'min', None"),
        ("metric", "mean", "none of 'last', 'min', 'max'"),
        ("sort", ["-accuracy"], "'run', 'group', 'status', 'start', 'duration', not 'accuracy'"),
        ("filters", {"hparam:lr": {}}, r"filters\['hparam:lr'\]: a filter is"),
        ("filters", {"hparam:lr": {"min": math.nan}}, "a filter is"),
        ("filters", {"hparam:lr": {"min": 10**400}}, "a filter is"),
        ("filters", {"hparam:lr": {"min": 1, "values": []}}, "a filter is"),
        ("filters", {"hparam:lr": {"values": [[]]}}, "a filter is"),
        ("filters", {"hparam:lr": {"pattern": "("}}, "not a valid regular expression"),
        ("filters", {"lr": {"min": 1}}, "a column is"),
        ("plots", ["pie"], "plots"),
        ("scales", {"hparam:lr": "cubic"}, "scales"),
    ],
)
def test_a_wrong_option_is_refused_in_words(view: Any, name: str, value: object, message: str) -> None:
    with pytest.raises(traitlets.TraitError, match=message):
        setattr(view, name, value)


def best(logs: tbwidget.LogDir, **args: object) -> tuple[list[list[float | None]], list[int | None]]:
    """Return the values of each metric, and the steps; None where one is missing."""
    given = {"sessions": ["a", "b"], "metric": [["", "acc"]], "best": "max", "metrics": [["", "loss"]], **args}
    answer = at_best(logs, given, lambda: False)
    count, rows = answer.value["sessions"], len(given["metrics"])  # type: ignore[arg-type]
    values = np.frombuffer(answer.data, "<f8", rows * count).reshape(rows, count)
    steps = np.frombuffer(answer.data, "<i8", count, 2 * rows * count * 8)
    found = np.frombuffer(answer.data, np.uint8, offset=(2 * rows + 1) * count * 8).reshape(rows + 1, count)
    shown = [
        [value if there else None for value, there in zip(*row, strict=True)]
        for row in zip(values, found[:-1], strict=True)
    ]
    return shown, [int(step) if there else None for step, there in zip(steps, found[-1], strict=True)]


@pytest.fixture
def metrics(tmp_path: Path) -> tbwidget.LogDir:
    """Write accuracies that are best at step 2 in the middle, and losses at other steps."""
    accuracy = [(0, 0.1), (2, 0.9), (4, math.inf), (6, math.nan), (8, 0.9), (9, 0.3)]
    for run, loss in (("a", [(0, 5.0), (1, 4.0), (3, 3.0)]), ("b", [(7, 1.0)])):
        points = [event(1 + step, step, simple("acc", value)) for step, value in accuracy]
        points += [event(1 + step, step, simple("loss", value)) for step, value in loss]
        write(tmp_path / run / NAME, event(1, 0, started(lr=1)), *points)
    write(tmp_path / "a" / "eval" / NAME, event(1, 2, simple("loss", math.nan)))
    write(tmp_path / "c" / NAME, event(1, 0, started(lr=1)), event(1, 1, simple("acc", math.nan)))
    return tbwidget.load(tmp_path)


def test_metrics_at_the_best_step_of_one_of_them(metrics: tbwidget.LogDir) -> None:
    assert best(metrics) == ([[4.0, None]], [2, 2]), "the first best step; the last loss at or before it"
    assert best(metrics, best="min") == ([[5.0, None]], [0, 0])
    found, steps = best(metrics, metrics=[["eval", "loss"], ["", "acc"], ["", "none"]], sessions=["a", "c", "gone"])
    assert steps == [2, None, None], "without a finite value there is no best step"
    assert math.isnan(found[0][0] or 0), "NaN is a value, and not a missing one"
    assert found[1:] == [[pytest.approx(0.9), None, None], [None, None, None]]
    assert best(metrics, metric=[["nowhere", "acc"], ["eval", "loss"], ["", "acc"]])[1] == [None, 2]
    assert best(metrics, sessions=[], metrics=[]) == ([], [])


def test_each_value_at_the_best_step_has_its_own_step(metrics: tbwidget.LogDir) -> None:
    given = {"sessions": ["a"], "metric": [["", "acc"]], "best": "max", "metrics": [["", "acc"], ["", "loss"]]}
    answer = at_best(metrics, given, lambda: False)
    assert np.frombuffer(answer.data, "<i8", 3, 16).tolist() == [2, 1, 2], "the loss was written a step before"


def test_a_saved_page_holds_the_values_at_the_best_step(metrics: tbwidget.LogDir) -> None:
    assert saved_answers(metrics, [hparams.PANEL], {"hparams_at": None}, 10_000) == []
    assert saved_answers(metrics, [hparams.PANEL], {"hparams_at": "metric:none"}, 10_000) == []
    answers = saved_answers(metrics, [hparams.PANEL], {"hparams_at": "metric:acc"}, 10_000)
    args = {"sessions": ["a", "b", "c"], "metric": [["", "acc"]]}
    args["metrics"] = [["", "acc"], ["", "loss"], ["eval", "loss"]]
    assert [(one["name"], one["args"]) for one in answers] == [
        ("hparams.at_best", {**args, "best": "max"}),
        ("hparams.at_best", {**args, "best": "min"}),
    ]
    for one in answers:
        assert base64.b64decode(one["data"]) == at_best(metrics, one["args"], lambda: False).data
    assert saved_answers(metrics, [hparams.PANEL], {"hparams_at": "metric:acc"}, 1_000) == [], "there is no room"
    saved = snapshot(metrics, [*hparams.PANEL.contents], 100_000, answers=answers)
    assert saved["answers"] == answers
    assert len(json.dumps(saved)) < 100_000


@pytest.fixture(scope="module")
def wide_sweep(tmp_path_factory: pytest.TempPathFactory) -> tbwidget.LogDir:
    """Write 40 sessions with 30 metrics, more values than a small page can hold."""
    logdir = tmp_path_factory.mktemp("wide")
    for session in range(40):
        points = [event(2, step, simple(f"loss{k:02}", step * k)) for k in range(30) for step in (1, 2)]
        write(logdir / f"r{session:03}" / NAME, event(1, 0, started(lr=session)), *points)
    return tbwidget.load(logdir)


@pytest.mark.parametrize(("most", "counts"), [(9_000, [1]), (40_000, [4, 4]), (100_000, [12, 12]), (400_000, [30, 30])])
def test_saved_values_are_of_as_many_metrics_as_there_is_room_for(
    wide_sweep: tbwidget.LogDir, most: int, counts: list[int]
) -> None:
    options = {"hparams_at": "metric:loss07", "hparams_columns": ["hparam:lr", "metric:loss29"]}
    answers = saved_answers(wide_sweep, [hparams.PANEL], options, most)
    assert [len(one["args"]["metrics"]) for one in answers] == counts
    assert [one["args"]["best"] for one in answers] == ["min", "max"][: len(counts)], "a loss is best where it is least"
    first = [["", "loss07"], ["", "loss29"], ["", "loss00"], ["", "loss01"]]
    assert answers[0]["args"]["metrics"][:4] == first[: counts[0]], "those that the options name come first"
    assert most // 4 // 2 < sum(len(json.dumps(one)) for one in answers) <= most // 4 or counts == [30, 30]
    for one in answers:
        assert base64.b64decode(one["data"]) == at_best(wide_sweep, one["args"], lambda: False).data


def test_nothing_is_looked_up_for_a_page_without_room(
    wide_sweep: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tbwidget.panels.hparams_best.at_best", lambda *_: pytest.fail("looked up in vain"))
    for most in (-5, 0, 4_000):
        assert saved_answers(wide_sweep, [hparams.PANEL], {"hparams_at": "metric:loss07"}, most) == []


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"hparams_at": "metric:acc"}, "max"),
        ({"hparams_at": "metric:acc", "hparams_goal_best": "min"}, "min"),
        ({"hparams_at": "metric:acc", "hparams_goal": "metric:loss", "hparams_goal_best": "min"}, "max"),
        ({"hparams_at": "metric:loss"}, "min"),
    ],
)
def test_the_better_direction_is_saved_first(metrics: tbwidget.LogDir, options: dict[str, Any], first: str) -> None:
    assert saved_answers(metrics, [hparams.PANEL], options, 10_000)[0]["args"]["best"] == first


def saved_goals(logdir: Path, at: str) -> list[list[str]]:
    """Return the places of the metric to which the saved values at its best step belong."""
    found, *_ = saved_answers(tbwidget.load(logdir), [hparams.PANEL], {"hparams_at": at}, 100_000)
    goals: list[list[str]] = found["args"]["metric"]
    return goals


def test_saved_values_name_the_places_of_a_metric_in_the_order_of_the_page(tmp_path: Path) -> None:
    """The page lists tags in natural order, and looks for an answer with places in that order."""
    write(tmp_path / "x" / NAME, event(1, 0, started(lr=1)), event(2, 1, simple("val/loss", 1)))
    write(tmp_path / "x" / "val" / NAME, event(2, 1, simple("loss", 1)))
    assert saved_goals(tmp_path, "metric:val/loss") == [["val", "loss"], ["", "val/loss"]]
    saved = snapshot(tbwidget.load(tmp_path), [*hparams.PANEL.contents], 100_000)
    (header,) = [json.loads(message["header"]) for message in saved["messages"]]
    sent = [(header["tags"][one["tag"]], header["runs"][one["run"]]) for one in header["series"]]
    assert sent == [("loss", "x/val"), ("val/loss", "x")]


def test_a_saved_page_holds_the_best_steps_of_runs_with_hyperparameters_in_their_names(tmp_path: Path) -> None:
    for run in ("lr=1", "lr=2", "lr=2/eval"):
        write(tmp_path / run / NAME, event(2, 1, simple("acc", 1)), event(2, 2, simple("acc", 3 if "2" in run else 0)))
    logs = tbwidget.load(tmp_path)
    assert saved_goals(tmp_path, "metric:acc") == [["", "acc"]]
    found, *_ = saved_answers(logs, [hparams.PANEL], {"hparams_at": "metric:eval/acc"}, 100_000)
    assert found["args"]["sessions"] == ["lr=1", "lr=2", "lr=2/eval"]
    assert found["args"]["metric"] == [["eval", "acc"]]
    assert found["args"]["metrics"] == [["eval", "acc"], ["", "acc"]]
    data = base64.b64decode(found["data"])
    assert np.frombuffer(data, "<f8", 3).tolist()[1] == 3
    assert np.frombuffer(data, np.uint8)[-3:].tolist() == [0, 1, 0], "only the second has the metric"


def test_places_of_declared_metrics_are_in_the_order_of_their_first_declaration(tmp_path: Path) -> None:
    places = [("", "val/loss"), ("val", "loss")]
    for run, order in (("x", places), ("y", places[::-1])):
        declared = experiment([], [{"name": {"group": group, "tag": tag}} for group, tag in order])
        points = [event(1, 0, started(lr=1)), event(2, 1, simple("val/loss", 1))]
        write(tmp_path / run / NAME, event(1, 0, declared), *points)
    assert [[one["group"], one["tag"]] for one in document(tmp_path)[0]["metrics"]] == [list(one) for one in places]
    assert saved_goals(tmp_path, "metric:val/loss") == [list(one) for one in places]


def test_a_filter_for_true_in_place_of_one_is_announced(view: Any) -> None:
    announced: list[object] = []
    view.observe(lambda change: announced.append(change.new), "hparams_filters")
    for values in ([1], [True], [True], [0, 1]):
        view.hparams_filters = {"hparam:deep": {"values": values}}
    assert repr([one["hparam:deep"]["values"] for one in announced]) == "[[1], [True], [0, 1]]"  # type: ignore[index]
    view.hparams_filters = {"hparam:deep": {"values": [False, True]}}
    assert repr(view.hparams_filters) == "{'hparam:deep': {'values': [False, True]}}"
    assert len(announced) == 4


@pytest.mark.parametrize(
    "args",
    [
        {"sessions": None},
        {"sessions": [1]},
        {"best": "mean"},
        {"metric": []},
        {"metric": [["acc"]]},
        {"metrics": "loss"},
        {"metrics": [["", 1]]},
        {"sessions": ["a"] * 60_000, "metrics": [["", "loss"]] * 20},
        {"metrics": [["", "loss"]] * 10_001},
    ],
)
def test_invalid_lookups_are_refused(metrics: tbwidget.LogDir, args: dict[str, object]) -> None:
    with pytest.raises(Refusal, match=r"sessions and metrics|1,260,000 values; at most 1,000,000"):
        best(metrics, **args)


def test_a_canceled_request_ends(metrics: tbwidget.LogDir) -> None:
    given = {"sessions": ["a"], "metric": [["", "acc"]], "best": "max", "metrics": []}
    with pytest.raises(Refusal):
        at_best(metrics, given, lambda: True)


def test_names_that_are_no_text_are_found_by_the_names_that_travel(tmp_path: Path) -> None:
    tag = b"lo\xffss".decode("utf-8", "surrogateescape")
    write(tmp_path / "é" / NAME, event(1, 0, started(lr=1)), event(1, 3, simple(tag, 2)))
    found = best(tbwidget.load(tmp_path), sessions=["é"], metric=[["", "lo\\udcffss"]], metrics=[["", "lo\\udcffss"]])
    assert found == ([[2.0]], [3])


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    for place, rate in enumerate((0.1, 0.01, 0.001)):
        values = started(lr=rate, same=1, name=f"n{place}")
        write(tmp_path / f"r{place}" / NAME, event(1, 0, values), event(2, 3, simple("acc", place), simple("loss", 9)))
    write(tmp_path / "bad" / NAME, event(1, 0, started(lr="x")), event(2, 3, simple("acc", math.nan)))
    return tmp_path


def test_a_still_picture_equals_the_initial_view_of_the_panel(sweep: Path) -> None:
    plot, table = preview_parts(tbwidget.load(sweep), ())
    assert isinstance(plot, PreviewParallel)
    assert plot.title == "4 sessions"
    assert [axis.title for axis in plot.axes] == ["lr", "name", "same", "loss", "acc"]
    # Mixed types are categories, and the numbers among them ascend.
    ends = {axis.title: axis.ticks for axis in plot.axes}
    assert [label for _, label in ends["lr"]] == ["0.001", "0.01", "0.1", "x"]
    assert ends["acc"] == [(0.0, "0"), (0.5, "1"), (1.0, "2")]
    assert [round(float(line.y[-1]), 3) for line in plot.lines[1:]] == [0, 0.5, 1]
    assert math.isnan(plot.lines[0].y[-1]), "the session without a number is below the others"
    assert [line.color for line in plot.lines] == [scale_color(share) for share in (None, 0, 0.5, 1)]
    assert isinstance(table, PreviewTable)
    assert table.title == "4 sessions, the best acc first"
    assert table.head == ["Run", "acc", "lr", "name", "same", "loss"]
    assert [texts for _, texts in table.rows] == [
        ["r2", "2", "0.001", "n2", "1", "9"],
        ["r1", "1", "0.01", "n1", "1", "9"],
        ["r0", "0", "0.1", "n0", "1", "9"],
        ["bad", "NaN", "x", "", "", ""],
    ]
    assert [one.title for one in preview_parts(tbwidget.load(sweep / "r0"), ())] == ["1 session, the best acc first"]


def test_axes_of_a_still_picture_have_the_scales_of_the_page(tmp_path: Path) -> None:
    for place, rate in enumerate((1e-4, 1e-3, 1e-2, 1e-1)):
        values = started(rate=rate, even=float(place), deep=place > 1, kind=f"k{place}")
        write(tmp_path / f"r{place}" / NAME, event(1, 0, values), event(2, 3, simple("val/loss", rate)))
    plot, table = preview_parts(tbwidget.load(tmp_path), ())
    assert isinstance(plot, PreviewParallel)
    heights = {axis.title: [float(line.y[i]) for line in plot.lines] for i, axis in enumerate(plot.axes)}
    # The smallest loss is best, and drawn last.
    assert heights["rate"] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert heights["even"] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert heights["deep"] == [0.75, 0.75, 0.25, 0.25]
    assert heights["kind"] == [0.125, 0.375, 0.625, 0.875]
    assert [label for _, label in plot.axes[0].ticks] == ["false", "true"]
    assert plot.lines[-1].color == scale_color(1)
    assert isinstance(table, PreviewTable)
    assert table.rows[0][1] == ["r0", "1e-4", "false", "0", "k0", "1e-4"]


def test_a_still_picture_of_many_sessions_says_how_many_it_shows(tmp_path: Path) -> None:
    values = [
        event(1, 0, started(**{f"h{name:02}": float(number + name) for name in range(30)})) for number in range(12)
    ]
    for number, start in enumerate(values):
        write(tmp_path / f"r{number:02}" / NAME, start, event(2, 3, simple("acc", number), simple("loss", -number)))
    logs = tbwidget.load(tmp_path)
    plot, table = preview_parts(logs, ())
    assert (plot.title, table.title) == ("12 sessions, 10 of 26 columns", "8 of 12 sessions, the best acc first")
    assert isinstance(table, PreviewTable)
    assert [texts[0] for _, texts in table.rows] == [f"r{number:02}" for number in range(11, 3, -1)]
    png = preview(logs, "head", (), [hparams.PANEL])
    assert png is not None
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    assert picture.width == 840
    away = np.abs(np.asarray(picture).astype(int) - (0x8D, 0x99, 0x0A)).max(axis=2)
    assert away.min() < 12, "the best session has the color of the best value"


@pytest.mark.parametrize("number", [math.nan, math.inf, 1e308, -1e308, 5.0])
def test_a_still_picture_of_strange_sessions_is_drawn(tmp_path: Path, number: float) -> None:
    for place, value in enumerate((number, 1.0, -number)):
        values = started(**{"\u202e損失 🔥" * 20: value, "x": place, "<b>": f"<b>{place}" * 40})
        write(tmp_path / f"{HOSTILE} {place}" / NAME, event(1, 0, values), event(2, 3, simple("acc", value)))
    write(tmp_path / "none" / NAME, event(1, 0, started()))
    assert preview(tbwidget.load(tmp_path), "head", (), [hparams.PANEL]) is not None


def test_a_still_picture_of_numbers_of_very_different_sizes_warns_of_nothing(tmp_path: Path) -> None:
    for place, (rate, loss) in enumerate([(1e-300, 1.7e308), (1e200, 1e-10), (3.0, 2e-10)]):
        tensor = pb.TensorProto(dtype=pb.DT_DOUBLE, double_val=[loss])
        value = Summary.Value(tag=b"loss", metadata=plugin("scalars"), tensor=tensor)
        write(tmp_path / f"r{place}" / NAME, event(1, 0, started(lr=rate)), event(2, 3, value))
    plot, _ = preview_parts(tbwidget.load(tmp_path), ())
    assert isinstance(plot, PreviewParallel)
    assert len({line.color for line in plot.lines}) == len(plot.lines)


def test_a_still_picture_has_the_texts_of_the_page() -> None:
    for value, parameter, metric in json.loads(FIXTURE.read_text("utf-8")):
        assert (parameter_text(value), metric_text(value)) == (parameter, metric), value
    assert [metric_text(value) for value in (math.nan, math.inf, -math.inf)] == ["NaN", "+∞", "\N{MINUS SIGN}∞"]


def test_a_still_picture_has_the_metrics_of_runs_below_a_session(tmp_path: Path) -> None:
    for place, rate in enumerate((0.1, 0.01)):
        write(tmp_path / f"r{place}" / NAME, event(1, 0, started(lr=rate)))
        write(tmp_path / f"r{place}" / "validation" / NAME, event(2, 3, simple("loss", place)))
    plot, table = preview_parts(tbwidget.load(tmp_path), ())
    assert isinstance(plot, PreviewParallel)
    assert [axis.title for axis in plot.axes] == ["lr", "validation/loss"]
    assert isinstance(table, PreviewTable)
    assert [texts for _, texts in table.rows] == [["r0", "0", "0.1"], ["r1", "1", "0.01"]]


def test_a_view_draws_its_own_panel_in_the_still_picture(sweep: Path) -> None:
    heights = {}
    for make in (tbwidget.HParamsView, tbwidget.ScalarsView):
        board = make(sweep)
        data: dict[str, Any] = {}
        try:
            while "image/png" not in data:
                data, _ = board._repr_mimebundle_()
        finally:
            board.close()
        heights[make.__name__] = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).height
    assert heights == {"HParamsView": 30 + 218 + 30 + 20 * 5 + 10, "ScalarsView": 30 + 20 + 168}


def test_a_saved_page_holds_the_sessions(sweep: Path) -> None:
    saved = snapshot(tbwidget.load(sweep), [*hparams.PANEL.contents])
    assert saved is not None
    headers = [json.loads(message["header"]) for message in saved["messages"]]
    assert [entry["size"] > 0 for header in headers for entry in header.get("documents", ())] == [True]
    assert any(piece["of"] == "document" for header in headers for piece in header.get("pieces", ()))


def test_a_new_session_and_a_new_metric_come_with_the_next_message(sweep: Path) -> None:
    logs = tbwidget.load(sweep)
    channel = Channel(logs, hparams.PANEL.contents)
    logs.source.subscribe(channel.notify)
    channel.receive({"type": "hello", "complete": True})
    sent = [message for _, message in drain(channel, 0, 2)]
    write(sweep / "new" / NAME, event(1, 0, started(lr=5, more="x"), experiment(metrics=[{"name": {"tag": "f1"}}])))
    logs.refresh()
    sent = [message for _, message in drain(channel, 3, 4)]
    (document,) = [received(message) for message in sent if message.header.get("pieces")]
    assert document["runs"] == ["bad", "new", "r0", "r1", "r2"]
    assert [metric["tag"] for metric in document["metrics"]] == ["f1"]
    assert columns(document)["more"] == [None, "x", None, None, None]
    write(sweep / "new" / "events.out.tfevents.9", event(9, 1, simple("f1", 0.5)))
    logs.refresh()
    sent = [message for _, message in drain(channel, 5, 6)]
    assert [message.header["tags"] for message in sent if message.header.get("series")] == [["f1"]]
    assert not any(message.header.get("pieces") for message in sent), "a point of a metric costs no document"


def received(message: Any) -> dict[str, Any]:
    (piece,) = [piece for piece in message.header["pieces"] if piece["of"] == "document"]
    _, size, offset = message.header["columns"][piece["bytes"]]
    document: dict[str, Any] = json.loads(bytes(message.buffer)[offset : offset + size])
    return document
