"""`make bench ARGS="--against REVISION"`: pairs, ratios, verdicts; and measurements that another revision lacks."""

from __future__ import annotations

import math
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.benchmarks import against, compared, logs
from tests.benchmarks.against import Comparison, NotMeasuredError, in_turn, measured, summary

ROOT = Path(__file__).resolve().parents[2]
CASE = compared.Case("shape", compared.read, (), partial(logs.write_runs, runs=2, tags=3, steps=10))


def test_both_revisions_are_measured_in_turn() -> None:
    order: list[str] = []

    def measure(which: str) -> compared.Figures:
        order.append(which)
        return {"CPU s": float(len(order)), "of one revision": 1.0} if which == "old" else {"CPU s": len(order)}

    found, lacking = in_turn(CASE, 3, lambda: measure("old"), lambda: measure("new"))
    assert order == ["old", "new"] * 3
    assert found == [("shape, CPU s", [1, 3, 5], [2, 4, 6])]
    assert lacking == ["shape, of one revision"]


@pytest.mark.parametrize(
    ("old", "new", "ratio"),
    [
        ([1, 1, 1], [1.1, 1.1, 1.1], 1.1),
        ([1, 1, 1], [0.5, 0.5, 9], 0.5),
        # The machine became slow in the second pair: the medians alone would differ by a factor of four.
        ([1, 1, 4], [1, 4, 4.1], 4.1 / 4),
        ([0, 0, 0], [0, 0, 0], 1),
        ([0], [0.1], math.inf),
        ([math.inf], [math.inf], 1),
        ([math.inf], [2], 0),
    ],
)
def test_ratio_is_the_median_of_pairs(old: list[float], new: list[float], ratio: float) -> None:
    found = Comparison("reading", "shape, CPU s", old, new)
    assert found.ratio == pytest.approx(ratio)
    assert found.is_no_worse == (ratio <= 1.1)


def test_table_and_summary() -> None:
    better = Comparison("reading", "shape, CPU s", [0.2, 0.4, 0.3], [0.1, 0.2, 0.15])
    worse = Comparison("memory", "bytes", [10.0], [12.0])
    assert better.row().split() == ["shape,", "CPU", "s", "0.3", "0.15", "0.50", "no", "worse"]
    assert worse.row().split() == ["bytes", "10", "12", "1.20", "WORSE"]
    assert summary([better], []) == "1 of 1 figures no worse (ratio at most 1.1)"
    assert (
        summary([better, worse], ["ways"])
        == "1 of 2 figures no worse (ratio at most 1.1). 1 worse: memory: bytes 1.20. not compared: ways"
    )


def test_a_checkout_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    assert CASE.write is not None
    CASE.write(tmp_path / "logs")
    figures = measured(ROOT, CASE, tmp_path / "logs")
    assert figures.keys() == {"CPU s", "wall s", "peak MB"}
    assert figures["CPU s"] > 0


def test_a_revision_that_cannot_run_a_measurement_says_why(tmp_path: Path) -> None:
    """The library of that revision lacks everything that the measurement uses."""
    (tmp_path / "tbwidget").mkdir()
    (tmp_path / "tbwidget/__init__.py").touch()
    for name in ("benchmarks", "support"):
        shutil.copytree(ROOT / "tests" / name, tmp_path / "tests" / name)
    with pytest.raises(NotMeasuredError, match="ModuleNotFoundError"):
        measured(tmp_path, CASE, tmp_path)


def test_a_measurement_that_takes_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against, "_TIMEOUT_S", 0.001)
    with pytest.raises(NotMeasuredError, match=r"takes more than 0\.001 s"):
        measured(ROOT, CASE, tmp_path)
