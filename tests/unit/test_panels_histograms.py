"""The histograms sent of a series do not depend on who asks when: few at first, then as many as fit."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tbwidget.panels.histogram_bins import Bins
from tbwidget.panels.histograms import (
    COARSE_STEPS,
    READ_HISTOGRAMS,
    SERIES_BYTES,
    Part,
    Sent,
    entry_of,
    next_part,
    places_of,
    segment_entry,
    stride_for,
)
from tbwidget.wire.columns import Columns


@dataclass
class Grown:
    """A series of histograms of `bins` even bins, which counts the histograms that are read."""

    total: int
    bins: int = 30
    revision: int = 1
    superseded: int = 0
    read_places: list[int] = field(default_factory=list)

    @property
    def step(self) -> NDArray[np.int64]:
        return np.arange(self.total, dtype=np.int64) * 10

    @property
    def wall_time(self) -> NDArray[np.float64]:
        return np.arange(self.total, dtype=float)

    def __len__(self) -> int:
        return self.total

    def read(self, places: NDArray[np.int64]) -> Bins:
        self.read_places += places.tolist()
        n = len(places)
        left = np.tile(np.arange(self.bins, dtype=float), n)
        counts = np.repeat(places % 250 + 1.0, self.bins)
        ambiguous = np.full(n, np.nan)
        return Bins(np.full(n, self.bins), left, left + 1, counts, ambiguous, ambiguous)


class Browser:
    """Holds places as docs/wire.md describes."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.stride = 0

    def take(self, part: Part) -> None:
        kept = [place for place in self.places if place % part.sent.stride == 0][: part.keep]
        assert len(kept) == part.keep
        self.places = kept + part.places.tolist()
        self.stride = part.sent.stride


def send(series: Grown, sent: Sent | None, *, fine: bool, budget: int = SERIES_BYTES) -> Part | None:
    return next_part(series, sent, fine=fine, budget=budget)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.data())
def test_the_browsers_histograms_depend_on_the_series_alone(growth: list[int], data: st.DataObject) -> None:
    browser, sent, total, fine = Browser(), None, 0, False
    for more in growth:
        total += more
        fine = fine or data.draw(st.booleans())
        part = send(Grown(total), sent, fine=fine, budget=3000)
        if part is not None:
            browser.take(part)
            sent = part.sent
        assert browser.places == places_of(total, browser.stride or 1).tolist()
        if not fine:
            assert len(browser.places) <= COARSE_STEPS + 1
    assert send(Grown(total), sent, fine=fine, budget=3000) is None


def test_the_coarse_version_reads_few() -> None:
    series = Grown(1000)
    part = send(series, None, fine=False)
    assert part is not None
    assert part.places.tolist() == [0, 128, 256, 384, 512, 640, 768, 896, 999]
    assert series.read_places == part.places.tolist()


def test_a_thousand_steps_of_thirty_bins_travel_whole() -> None:
    part = send(Grown(1000), None, fine=True)
    assert part is not None
    assert part.places.tolist() == list(range(1000))


def test_full_versions_keep_to_their_budget() -> None:
    for bins in (1, 30, 400, 2000, 30_000):
        series = Grown(3000, bins)
        part = send(series, None, fine=True)
        assert part is not None
        assert part.bins.size <= SERIES_BYTES
        columns = Columns()
        entry_of(series, part, columns, "run")
        assert columns.size <= SERIES_BYTES


@dataclass
class Uneven(Grown):
    """A series with `bins` even bins at odd places, and 30 at even ones, which are tried first."""

    most_at_once: int = 0

    def read(self, places: NDArray[np.int64]) -> Bins:
        self.most_at_once = max(self.most_at_once, len(places))
        lengths = np.where(self.is_large(places), self.bins, 30)
        begins = np.cumsum(lengths) - lengths
        left = np.arange(lengths.sum()) - np.repeat(begins, lengths).astype(float)
        ambiguous = np.full(len(places), np.nan)
        return Bins(lengths, left, left + 1, np.repeat(places % 250 + 1.0, lengths), ambiguous, ambiguous)

    def is_large(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        large: NDArray[np.bool_] = places % 2 == 1
        return large


class OneLarge(Uneven):
    """A series whose histogram at place 500 is large."""

    def is_large(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        large: NDArray[np.bool_] = places == 500
        return large


def test_histograms_of_any_size_are_read_few_at_a_time() -> None:
    series = Uneven(1001, 20_000)
    part = send(series, None, fine=True)
    assert part is not None
    assert series.most_at_once <= READ_HISTOGRAMS
    assert part.bins.size <= SERIES_BYTES
    assert part.places.tolist() == places_of(1001, part.sent.stride).tolist()
    columns = Columns()
    entry = segment_entry(series, range(100, 1000), columns, "run")
    assert series.most_at_once <= READ_HISTOGRAMS
    assert columns.size <= SERIES_BYTES
    assert columns.table[entry["step"]] == ["range", -(-900 // entry["stride"]), 1000, 10 * entry["stride"]]


def test_one_large_histogram_does_not_drive_the_others_out() -> None:
    part = send(OneLarge(800, 2000), None, fine=True)
    assert part is not None
    assert part.sent.stride == 1
    more = send(OneLarge(820, 2000), part.sent, fine=True)
    assert more is not None
    assert more.places.tolist() == list(range(800, 820))


def test_a_budget_too_small_for_anything_still_sends_the_newest() -> None:
    part = send(Grown(100), None, fine=True, budget=10)
    assert part is not None
    assert part.places[-1] == 99
    assert len(part.places) <= 2


def test_one_more_step_costs_one_more_histogram() -> None:
    first = send(Grown(500), None, fine=True)
    assert first is not None
    grown = Grown(501)
    part = send(grown, first.sent, fine=True)
    assert part is not None
    assert (part.keep, part.places.tolist(), grown.read_places) == (500, [500], [500])


def test_fatter_histograms_do_not_break_the_budget() -> None:
    first = send(Grown(1000, 30), None, fine=True)
    assert first is not None
    part = send(Grown(3000, 1000), first.sent, fine=True)
    assert part is not None
    assert part.bins.size <= SERIES_BYTES
    assert part.sent.stride > first.sent.stride


@pytest.mark.parametrize("changed", [Grown(50, revision=2), Grown(30)])
def test_a_changed_or_shorter_series_is_sent_again(changed: Grown) -> None:
    first = send(Grown(40), None, fine=True)
    assert first is not None
    part = send(changed, first.sent, fine=True)
    assert part is not None
    assert part.keep == 0
    assert len(part.places) == changed.total


def test_an_empty_series_says_so() -> None:
    part = send(Grown(0), None, fine=False)
    assert part is not None
    assert len(part.places) == 0
    assert entry_of(Grown(0), part, Columns(), "run")["total"] == 0


def test_strides_are_powers_of_two() -> None:
    assert [stride_for(n, 8) for n in (0, 1, 8, 9, 16, 17, 1000)] == [1, 1, 1, 2, 2, 4, 128]


def test_monstrous_histograms_are_not_sent_over_and_over() -> None:
    for fine in (False, True):
        part = send(Grown(1000, 2000), None, fine=fine, budget=20_000)
        assert part is not None
        assert send(Grown(1000, 2000), part.sent, fine=fine, budget=20_000) is None
