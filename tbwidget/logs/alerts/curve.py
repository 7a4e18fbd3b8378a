"""Alerts of one series: non-finite values, divergence, and plateaus. Each point is looked at once.

A curve is smoothed by the median of its last five finite values, so that single spikes do not count. Where larger
values are better, all values are negated here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.alerts.rules import DIVERGED, NON_FINITE, PLATEAU, Alert
from tbwidget.reasons import Reason

if TYPE_CHECKING:
    from tbwidget.logs.alerts.rules import AlertRules
    from tbwidget.logs.series import Scalars

WINDOW = 5
"""Finite values that the median is of."""

PERSISTENCE = 5
"""Medians in a row that make a curve diverged, and that make it normal again."""

MIN_RISE = 0.5
"""Rise of a diverged curve, as a share of its best value."""

_FAR_RISE = 9.0  # a rise to ten times the best value is divergence, however much was gained before
_MIN_SHARE = 0.02  # of the improvement, nevertheless
_NOISE_VALUES = 40  # values before the best one that the noise is estimated of
_NOISE_LAGS = (1, 5)
_NOISE_OF_BENDS = 0.512  # standard deviations in the mean distance from twice the line, with Gaussian noise
_IMPROVEMENT = 0.01  # of the improvement so far: less is none

_Floats = npt.NDArray[np.float64]


class _Medians(NamedTuple):
    """Medians of new points, one each from the fifth finite value on."""

    value: _Floats
    row: npt.NDArray[np.int64]
    """The row of the last point of each."""


class Curve:
    """The alerts of one series, which only grows while its revision stays the same."""

    def __init__(self, direction: int) -> None:
        """`direction` is -1 where smaller values are better, 1 where larger ones are, 0 where it is not known."""
        self._sign = -direction
        self._revision: int | None = None
        self._clear()

    def _clear(self) -> None:
        self.rows = 0
        """Points looked at."""
        self._first_non_finite: int | None = None
        self._tail = np.empty(0)
        self._best = math.inf
        self._best_row = 0
        self._highest = -math.inf
        self._start = -math.inf  # the highest median before the best one
        self._bad = 0  # medians in a row that are diverged, and that are not
        self._good = 0
        self._bad_row = 0  # of the first of those in a row
        self._bad_value = 0.0
        self._diverged_row: int | None = None
        self._diverged_value = 0.0
        self._reference = math.inf  # the best median at the last improvement
        self._reference_row = 0

    def update(self, scalars: Scalars, rules: AlertRules) -> None:
        """Look at the points that are new; at all of them if earlier ones have changed."""
        if scalars.revision != self._revision or len(scalars) < self.rows:
            self._clear()
            self._revision = scalars.revision
        new = scalars.value[self.rows :]
        if not len(new):
            return
        finite = np.isfinite(new)
        is_whole = bool(finite.all())
        if not is_whole and self._first_non_finite is None:
            self._first_non_finite = self.rows + int(finite.argmin())
        if self._sign:
            kept = np.arange(len(new)) if is_whole else np.flatnonzero(finite)
            self._add(scalars.value, self._sign * new[kept], self.rows + kept, rules)
        self.rows = len(scalars)

    def _add(self, values: _Floats, new: _Floats, rows: npt.NDArray[np.int64], rules: AlertRules) -> None:
        """Look at finite values in these rows; `values` is the whole column."""
        joined = np.concatenate((self._tail, new))
        self._tail = joined[-(WINDOW - 1) :]
        if len(joined) < WINDOW:
            return
        smooth = _medians_of_five(joined)
        medians = _Medians(smooth, rows[len(rows) - len(smooth) :])
        best = np.minimum.accumulate(np.concatenate(([self._best], medians.value)))
        highest = np.maximum.accumulate(np.concatenate(([self._highest], medians.value)))[1:]
        places = np.maximum.accumulate(np.where(best[1:] < best[:-1], np.arange(len(medians.row)), -1))
        start = np.where(places < 0, self._start, highest[places])
        with np.errstate(all="ignore"):  # the largest floats overflow
            self._find_divergence(values, medians, best[1:], start, places, rules)
            if rules.plateau_steps is not None or rules.plateau_minutes is not None:
                self._find_improvement(medians, best[1:], start)
        if (last := int(places[-1])) >= 0:
            self._best_row = int(medians.row[last])
        self._best, self._highest, self._start = float(best[-1]), float(highest[-1]), float(start[-1])

    def _find_divergence(
        self,
        values: _Floats,
        medians: _Medians,
        best: _Floats,
        start: _Floats,
        places: npt.NDArray[np.int64],
        rules: AlertRules,
    ) -> None:
        if rules.diverged is None:
            return
        gained = start - best
        far = np.maximum(_FAR_RISE * np.abs(best), _MIN_SHARE * gained)
        needed = np.maximum(np.minimum(rules.diverged * gained, far), MIN_RISE * np.abs(best))
        rise = medians.value - best
        bad = rise > needed
        noise, noisy_row = 0.0, -1
        for begin, end in _runs(bad):
            # The best value stays the same while the curve is above it.
            place = int(places[begin])
            row = int(medians.row[place]) if place >= 0 else self._best_row
            if row != noisy_row:  # a noisy curve is above the same best value in very many stretches
                noise, noisy_row = _noise(values[: row + 1]), row
            bad[begin:end] &= rise[begin:end] > rules.diverged_noise * noise
        self._count(bad, medians)

    def _count(self, bad: npt.NDArray[np.bool_], medians: _Medians) -> None:
        """Follow how many medians in a row are diverged."""
        done = 0
        for begin, end in (*_runs(bad), (len(bad), len(bad))):
            if begin > done:
                self._good += begin - done
                self._bad = 0
                if self._good >= PERSISTENCE:
                    self._diverged_row = None
            if end > begin:
                if not self._bad:
                    self._bad_row, self._bad_value = int(medians.row[begin]), float(medians.value[begin])
                self._bad += end - begin
                self._good = 0
                if self._bad >= PERSISTENCE and self._diverged_row is None:
                    self._diverged_row, self._diverged_value = self._bad_row, self._bad_value
            done = end

    def _find_improvement(self, medians: _Medians, best: _Floats, start: _Floats) -> None:
        """Follow the last median that improves on earlier ones by more than noise would in the long run."""
        records = np.flatnonzero(np.diff(best, prepend=self._best) < 0)
        columns = (best[records], start[records], medians.row[records])
        for value, highest, row in zip(*(column.tolist() for column in columns), strict=True):
            gained = highest - self._reference if math.isfinite(self._reference) else 0.0
            if value < self._reference - max(_IMPROVEMENT * gained, 0.0):
                self._reference, self._reference_row = value, row

    def alerts(self, run: str, tag: str, scalars: Scalars, rules: AlertRules) -> Iterator[Alert]:
        """Yield the alerts of the points that were looked at last."""

        def alert(row: int, rule: str, reason: Reason) -> Alert:
            return Alert(run, tag, int(scalars.step[row]), rule, reason, float(scalars.wall_time[row]))

        if rules.non_finite and (row := self._first_non_finite) is not None:
            yield alert(row, NON_FINITE, Reason("alert-non-finite", value=_named(float(scalars.value[row]))))
        if self._diverged_row is not None:
            best, value = self._sign * self._best, self._sign * self._diverged_value
            values = {"best": best, "at": int(scalars.step[self._best_row]), "value": value}
            yield alert(self._diverged_row, DIVERGED, Reason("alert-diverged", **values))
        elif math.isfinite(self._reference) and self.rows:
            row, last = self._reference_row, self.rows - 1
            steps = int(scalars.step[last]) - int(scalars.step[row])
            minutes = (float(scalars.wall_time[last]) - float(scalars.wall_time[row])) / 60
            best = self._sign * self._reference
            if rules.plateau_steps is not None and steps >= rules.plateau_steps:
                yield alert(row, PLATEAU, Reason("alert-plateau-steps", steps=rules.plateau_steps, best=best))
            elif rules.plateau_minutes is not None and minutes >= rules.plateau_minutes:
                yield alert(row, PLATEAU, Reason("alert-plateau-minutes", minutes=rules.plateau_minutes, best=best))


def _named(value: float) -> str:
    """Return what people call a value that is not finite."""
    return "NaN" if math.isnan(value) else "infinity" if value > 0 else "-infinity"


def _medians_of_five(values: _Floats) -> _Floats:
    """Return the median of each five values in a row, without sorting them: the median of one and two inner ones."""
    a, b, c, d, e = (values[place : len(values) - WINDOW + 1 + place] for place in range(WINDOW))
    lower = np.maximum(np.minimum(a, b), np.minimum(c, d))
    upper = np.minimum(np.maximum(a, b), np.maximum(c, d))
    return np.maximum(np.minimum(lower, upper), np.minimum(np.maximum(lower, upper), e))


def _runs(bad: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where the values are true: the begin and end of each stretch."""
    if not bad.any():
        return []
    edges = np.flatnonzero(np.diff(bad.astype(np.int8), prepend=0, append=0)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _noise(values: _Floats) -> float:
    """Return the noise of the last values, estimated by their distances from straight lines through two others.

    Lines over more points tell of means that wander. Few of the successes of single trials, 0 or 1, differ from the one
    before: their noise is their standard deviation. Few values make a poor estimate, which counts for more.
    """
    last = values[-_NOISE_VALUES:]
    last = last[np.isfinite(last)]
    count = len(last)
    lags = [lag for lag in _NOISE_LAGS if 2 * lag < count]
    if not lags:
        return math.inf
    bends = [last[2 * lag :] - 2 * last[lag:-lag] + last[: -2 * lag] for lag in lags]
    noise = _NOISE_OF_BENDS * max(float(np.mean(np.abs(bend))) for bend in bends)
    if np.median(np.abs(np.diff(last))) == 0:
        noise = max(noise, float(np.std(last)))
    return noise * math.sqrt(_NOISE_VALUES / count)
