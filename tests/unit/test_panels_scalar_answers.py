"""Points superseded by restarts, which the page requests in addition to the series."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.series import Scalars
from tbwidget.panels.registry import PANELS
from tbwidget.panels.scalar_answers import few_places, left_out
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Refusal
from tests.support.eventfiles import event, simple, write

RNG = np.random.default_rng(0)


def series(points: list[tuple[int, float, float]]) -> Scalars:
    step, wall, value = zip(*points, strict=True) if points else ((), (), ())
    return Scalars(np.array(step, np.int64), np.array(wall, np.float64), np.array(value, np.float64))


def points_of(of: Scalars) -> list[tuple[int, float, bytes]]:
    return [
        (int(s), float(w), np.float64(v).tobytes()) for s, w, v in zip(of.step, of.wall_time, of.value, strict=True)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_left_out_rows_are_written_and_not_in_the_series(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pool = [
        (int(rng.integers(4)), float(rng.integers(3)), [1.0, -0.0, 0.0, float("nan")][rng.integers(4)])
        for _ in range(60)
    ]
    keep = rng.random(len(pool)) < rng.random()
    held = [point for point, kept in zip(pool, keep, strict=True) if kept]
    rng.shuffle(held)
    rows = left_out(series(pool), series(held))
    assert list(rows) == sorted(rows)
    missing = Counter(points_of(series(pool))) - Counter(points_of(series(held)))
    assert Counter(points_of(series([pool[row] for row in rows]))) == missing


def test_many_points_are_reduced_to_local_extremes() -> None:
    values = RNG.normal(size=1_000)
    values[[3, 500]] = np.nan, np.inf
    assert list(few_places(values, 1_000)) == list(range(1_000))
    few = few_places(values, 100)
    assert len(few) <= 100
    assert list(few) == sorted(set(few))
    for start in range(0, 1_000, 20):
        finite = values[start : start + 20][np.isfinite(values[start : start + 20])]
        assert {finite.min(), finite.max()} <= set(values[few])
    assert len(few_places(np.full(1_000, np.nan), 100)) <= 100


def test_the_kernel_gives_them_on_request(tmp_path: Path) -> None:
    first = [event(1e9 + step, step, simple("loss", step)) for step in range(10)]
    later = [event(2e9 + step, step, simple("loss", 100 + step)) for step in range(6, 9)]
    write(tmp_path / "run/a.tfevents.1", event(1e9, version="brain.Event:2"), *first)
    write(tmp_path / "run/b.tfevents.2", event(2e9, version="brain.Event:2"), *later)
    (handler,) = [panel.requests["superseded"] for panel in PANELS if panel.name == "scalars"]
    with tbwidget.load(tmp_path) as logs:
        answer = handler(logs, {"run": "run", "tag": "loss"}, lambda: False)
        count = answer.value["points"]
        step = np.frombuffer(answer.data, "<i8", count)
        wall, value = np.frombuffer(answer.data, "<f8", 2 * count, 8 * count).reshape(2, -1)
        assert (list(step), list(wall), list(value)) == ([6, 7, 8, 9], [1e9 + s for s in step], [6, 7, 8, 9])
        for args in (
            {},
            {"run": "run"},
            {"run": "run", "tag": 5},
            {"run": "no", "tag": "loss"},
            {"run": "run", "tag": "no"},
        ):
            with pytest.raises(Refusal):
                handler(logs, args, lambda: False)


def test_names_may_hold_bytes_that_are_no_text(tmp_path: Path) -> None:
    """The browser uses other names for them than the logs."""
    tag = b"lo\xffss".decode("utf-8", "surrogateescape")
    for begin, steps in ((1e9, range(10)), (2e9, range(6, 9))):
        parts = [event(begin + step, step, simple(tag, step)) for step in steps]
        write(tmp_path / f"run/a.tfevents.{begin:.0f}", event(begin, version="brain.Event:2"), *parts)
    (handler,) = [panel.requests["superseded"] for panel in PANELS if panel.name == "scalars"]
    with tbwidget.load(tmp_path) as logs:
        (own,) = logs.tags()["scalars"]["run"]
        answer = handler(logs, {"run": "run", "tag": escape_surrogates(own)}, lambda: False)
    assert escape_surrogates(own) != own
    assert answer.value == {"points": 4}
