"""PR curves on the wire: areas by step, the counts behind each, and errors of invalid ones."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tbwidget
from tbwidget.logs.kinds.pr_curves import PRCurve
from tbwidget.logs.logdir import LogDir
from tbwidget.panels.pr_curves import MAX_CURVES, MAX_THRESHOLDS, PANEL, PRCurvesContent, curves, encode, preview
from tbwidget.texts import escape_surrogates
from tbwidget.wire.channel import Channel
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import Refusal
from tests.support.corpus import CORPUS
from tests.support.curves import CASES, table_of, value_of
from tests.support.eventfiles import NAME, event, write
from tests.support.feeds import drain
from tests.support.page import Page


def logs_of(folder: Path, *steps: tuple[int, NDArray[np.float64]], tag: str = "c") -> LogDir:
    write(folder / NAME, *(event(1.7e9 + n, step, value_of(tag, table)) for n, (step, table) in enumerate(steps)))
    return tbwidget.load(folder)


def decoded(blob: bytes) -> NDArray[np.float64]:
    count, width = struct.unpack_from("<II", blob)
    return np.frombuffer(blob, f"<f{width}", offset=8).astype(np.float64).reshape(6, count)


def areas_of(logs: LogDir, tag: str = "c") -> list[list[float]]:
    found: list[list[float]] = PRCurvesContent().read(logs, ".", tag).areas(slice(None)).tolist()
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{len(case['f1'])} thresholds")
def test_areas_equal_scikit_learns(tmp_path: Path, case: dict[str, Any]) -> None:
    logs = logs_of(tmp_path, (3, table_of(case)))
    curve = logs.pr_curves(".", "c")[0]
    assert curve.average_precision == pytest.approx(case["average_precision"], abs=1e-12)
    assert curve.roc_auc == pytest.approx(case["roc_auc"], abs=1e-12)
    assert areas_of(logs) == [[curve.average_precision, curve.roc_auc]]


@pytest.mark.parametrize("name", ["torch_tutorial", "tf2_plugins", "tensorboardx_all"])
def test_curves_of_real_writers_have_the_areas_of_their_counts(name: str) -> None:
    logs = tbwidget.load(CORPUS / name / "logs")
    found = 0
    for run, tags in logs.tags()["pr_curves"].items():
        for tag in tags:
            index = PRCurvesContent().read(logs, run, tag)
            for row, (average_precision, roc_auc) in enumerate(index.areas(slice(None)).tolist()):
                tp, fp, tn, fn, precision, recall = decoded(PRCurvesContent().blob(index, row))
                points = [(0.0, 0.0, 0.0)]  # recall, and both rates
                ap, auc = 0.0, 0.0
                for i in reversed(range(len(tp))):
                    true_rate = tp[i] / (tp[i] + fn[i]) if tp[i] + fn[i] else np.nan
                    false_rate = fp[i] / (fp[i] + tn[i]) if fp[i] + tn[i] else np.nan
                    before = points[-1]
                    ap += (recall[i] - before[0]) * precision[i]
                    auc += (false_rate - before[2]) * (true_rate + before[1]) / 2
                    points.append((recall[i], true_rate, false_rate))
                assert average_precision == pytest.approx(ap, abs=1e-9)
                assert roc_auc == pytest.approx(auc, abs=1e-9, nan_ok=True)
                found += 1
    assert found > 0


def test_a_blob_is_the_curve_uncut(tmp_path: Path) -> None:
    table = table_of(CASES[1])
    table[:4] += 0.1  # weighted sums, which float32 cannot represent
    index = PRCurvesContent().read(logs_of(tmp_path, (5, table)), ".", "c")
    blob = PRCurvesContent().blob(index, 0)
    assert np.array_equal(decoded(blob), table)
    short = table.astype(np.float32).astype(np.float64)
    assert np.array_equal(decoded(encode(PRCurve(0, 0.0, *short))), short)
    assert len(encode(PRCurve(0, 0.0, *short))) < len(blob)


def test_curves_stand_in_the_order_of_their_steps(tmp_path: Path) -> None:
    worse, better = table_of(CASES[0]), table_of(CASES[1])
    logs = logs_of(tmp_path, (20, better), (10, worse), (20, worse))
    index = PRCurvesContent().read(logs, ".", "c")
    assert index.step.tolist() == [10, 20, 20]
    columns = Columns()
    entry = PRCurvesContent().entry(index, slice(None), columns)
    assert set(entry) == {"place", "average_precision", "roc_auc"}
    assert index.areas(slice(1, 2))[0, 0] == pytest.approx(CASES[1]["average_precision"])


def test_areas_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = PRCurvesContent()
    logs = logs_of(tmp_path, (1, table_of(CASES[0])))
    first = content.read(logs, ".", "c").areas(slice(None)).tolist()
    monkeypatch.setattr(PRCurve, "average_precision", property(lambda _: pytest.fail("computed again")))
    assert content.read(logs, ".", "c").areas(slice(None)).tolist() == first


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((4, 0, np.nan), "not finite"),
        ((0, 1, np.inf), "not finite"),
        ((2, 0, -1.0), "negative counts"),
        ((5, 0, 1.5), "outside 0 to 1"),
    ],
)
def test_a_curve_that_cannot_be_drawn_says_why(tmp_path: Path, change: tuple[int, int, float], reason: str) -> None:
    good, bad = table_of(CASES[0]), table_of(CASES[0])
    bad[change[0], change[1]] = change[2]
    logs = logs_of(tmp_path, (1, good), (2, bad))
    index = PRCurvesContent().read(logs, ".", "c")
    with pytest.raises(Refusal, match=reason):
        PRCurvesContent().blob(index, 1)
    assert len(PRCurvesContent().blob(index, 0)) > 0
    assert np.isnan(areas_of(logs)[1]).all()
    assert not np.isnan(areas_of(logs)[0]).any()
    assert np.array_equal(logs.pr_curves(".", "c")[1].tp, bad[0])  # Python returns it as written


def test_shapes_that_are_no_curve_are_left_to_the_problems(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, table_of(CASES[0])), (2, np.zeros((5, 3))), (3, np.zeros((6, 0))))
    index = PRCurvesContent().read(logs, ".", "c")
    for row in range(1, len(index)):
        with pytest.raises(Refusal):
            PRCurvesContent().blob(index, row)
    assert np.isfinite(areas_of(logs)[0]).all()
    assert np.isnan(areas_of(logs)[1:]).all()


def test_one_threshold_and_very_many(tmp_path: Path) -> None:
    one = np.array([[5.0], [3.0], [0.0], [0.0], [5 / 8], [1.0]])
    many = np.repeat(one, 10_000, axis=1)
    logs = logs_of(tmp_path, (1, one), (2, many))
    assert areas_of(logs) == [[5 / 8, 0.5], [5 / 8, 0.5]]
    assert decoded(encode(logs.pr_curves(".", "c")[1])).shape == (6, 10_000)
    with pytest.raises(ValueError, match="too large to send"):
        encode(PRCurve(0, 0.0, *np.repeat(one, MAX_THRESHOLDS + 1, axis=1)))


def test_without_positives_the_roc_curve_is_not_defined(tmp_path: Path) -> None:
    none = np.array([[0.0, 0.0], [4.0, 1.0], [0.0, 3.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    ((average_precision, roc_auc),) = areas_of(logs_of(tmp_path, (1, none)))
    assert average_precision == 0
    assert np.isnan(roc_auc)


def test_requests_give_curves_and_reasons(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, table_of(CASES[0])), (2, table_of(CASES[1])))
    revision = logs.pr_curves(".", "c").revision
    wanted = [[".", "c", revision, 1], [".", "c", revision, 2], [".", "gone", revision, 0], [".", "c", -1, 0], "c"]
    answer = curves(logs, {"curves": wanted}, lambda: False)
    size = answer.value[0]["size"]
    assert np.array_equal(decoded(answer.data), table_of(CASES[1]))
    assert len(answer.data) == size
    assert [set(entry) >= {"reason"} for entry in answer.value] == [False, True, True, True, True]
    with pytest.raises(Refusal):
        curves(logs, {"curves": [wanted[0]] * (MAX_CURVES + 1)}, lambda: False)
    with pytest.raises(Refusal):
        curves(logs, {}, lambda: False)


def test_names_that_are_no_text_come_back_as_they_traveled(tmp_path: Path) -> None:
    tag = "</script>\udcff"
    logs = logs_of(tmp_path, (1, table_of(CASES[0])), tag=tag)
    revision = logs.pr_curves(".", tag).revision
    answer = curves(logs, {"curves": [[".", escape_surrogates(tag), revision, 0]]}, lambda: False)
    assert answer.value == [{"size": len(answer.data)}]


def test_a_table_has_every_threshold(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, table_of(CASES[0])), (2, np.full((6, 3), np.nan)), (3, table_of(CASES[3])))
    answer = PANEL.requests["table"](logs, {"series": [[".", "c", 0, None]]}, lambda: False)
    (entry,) = answer.value
    assert (entry["rows"], entry["cells"]) == (3, 11 + 3 + 2)
    rows = np.frombuffer(answer.data, "<i8", 3, offset=2 * 3 * 8)
    assert rows.tolist() == [11, 3, 2]
    thresholds = np.frombuffer(answer.data, "<f8", 16, offset=3 * 3 * 8)
    assert thresholds[:11].tolist() == np.linspace(0, 1, 11).tolist()


def test_a_curve_reaches_the_page(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, table_of(CASES[0])), (2, table_of(CASES[1])))
    channel, page = Channel(logs, (PRCurvesContent(),)), Page()
    channel.receive({"type": "hello", "complete": True})
    for _, message in drain(channel, 0, 5):
        page.take(message)
    held = page.indices["pr_curves", ".", "c"]
    assert [step for step, _ in held.rows] == [1, 2]
    blobs = [decoded(page.blobs[("pr_curves", ".", "c"), number]) for _, number in held.rows]
    assert [np.array_equal(blob, table_of(case)) for blob, case in zip(blobs, CASES, strict=False)] == [True, True]


def test_a_still_picture_has_the_newest_curves(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, table_of(CASES[0])), (2, table_of(CASES[1])))
    (chart,) = preview(logs, [])
    assert chart.title == "c"
    assert len(chart.lines[0].x) == 127
    assert (np.diff(chart.lines[0].x) >= 0).all()
    bad = logs_of(tmp_path / "bad", (1, np.full((6, 3), np.nan)))
    assert list(preview(bad, [])) == []
