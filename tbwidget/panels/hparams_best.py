"""Metrics at the step at which one of them was best: the page holds no points of long series to look them up in.

The request `hparams.at_best` has the arguments

| argument | meaning |
|---|---|
| `sessions` | runs of the sessions |
| `metric` | `[[group, tag], ...]`: where the metric that is to be best may be; the first that a session has counts |
| `best` | "max" or "min" |
| `metrics` | `[[group, tag], ...]`: the metrics to look up |

The answer's data are columns of n sessions, one after the other: for each of `metrics` a float64, the last value at
or before the best step; an int64, that step; then for each of `metrics`, and for the step, a byte that is 1 where there
is one. All are little-endian. Its value is `{"sessions": n}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.logs.kinds.hparams import joined_run
from tbwidget.reasons import Reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tbwidget.logs import Scalars
    from tbwidget.logs.accessors import Logs

MAX_VALUES = 1_000_000
"""Values of an answer."""

_MAX_NAMES = 10_000  # of a metric's places, and of metrics


def at_best(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Give the values of metrics at the best step of one of them."""
    sessions, best = _texts(args.get("sessions")), args.get("best")
    goals, metrics = _pairs(args.get("metric")), _pairs(args.get("metrics"))
    if sessions is None or best not in ("max", "min") or not goals or metrics is None:
        raise Refusal(Reason("malformed-request", expected="sessions and metrics"))
    count = len(sessions) * (len(metrics) + len(goals))
    if count > MAX_VALUES:
        raise Refusal(Reason("too-many-values", values=count, most=MAX_VALUES))
    series = _SeriesByWireName(logs)
    values = np.full((len(metrics), len(sessions)), np.nan)
    steps = np.zeros(len(sessions), "<i8")
    found = np.zeros((len(metrics) + 1, len(sessions)), np.uint8)
    for place, session in enumerate(sessions):
        if is_cancelled():
            raise Refusal(Reason("canceled"))
        goal = next((one for group, tag in goals if (one := series.read(session, group, tag)) is not None), None)
        step = None if goal is None else _best_step(goal, best)
        if step is None:
            continue
        steps[place], found[-1, place] = step, 1
        for row, (group, tag) in enumerate(metrics):
            scalars = series.read(session, group, tag)
            value = None if scalars is None else _value_at(scalars, step)
            if value is not None:
                values[row, place], found[row, place] = value, 1
    return Answer({"sessions": len(sessions)}, values.astype("<f8").tobytes() + steps.tobytes() + found.tobytes())


def _texts(values: object) -> list[str] | None:
    """A list of texts; None for anything else."""
    return values if isinstance(values, list) and all(isinstance(value, str) for value in values) else None


def _pairs(values: object) -> list[list[str]] | None:
    """Groups and tags; None for anything else."""
    if not isinstance(values, list) or len(values) > _MAX_NAMES:
        return None
    return values if all(len(_texts(pair) or ()) == len(("group", "tag")) for pair in values) else None


class _SeriesByWireName:
    """Reads scalars by the names that the page has for runs and tags."""

    def __init__(self, logs: Logs) -> None:
        self._logs = logs
        self._tags = logs.tags().get("scalars", {})
        self._runs = {escape_surrogates(run): run for run in self._tags}

    def read(self, session: str, group: str, tag: str) -> Scalars | None:
        """Return the metric of a session; None where it has none."""
        run = self._runs.get(joined_run(session, group, self._logs.source.directory_of(session)))
        own = None if run is None else self._tag(self._tags[run], tag)
        if run is None or own is None:
            return None
        try:
            return self._logs.scalars(run, own)
        except KeyError:  # gone since it was listed
            return None

    def _tag(self, tags: Sequence[str], tag: str) -> str | None:
        return next((own for own in tags if own == tag or escape_surrogates(own) == tag), None)


def _best_step(scalars: Scalars, best: str) -> int | None:
    """Step of the first best finite value."""
    places = np.flatnonzero(np.isfinite(scalars.value))
    if not len(places):
        return None
    finite = scalars.value[places]
    return int(scalars.step[places[finite.argmax() if best == "max" else finite.argmin()]])


def _value_at(scalars: Scalars, step: int) -> float | None:
    """The last value at a step, or at the nearest step before it."""
    places = np.flatnonzero(scalars.step <= step)
    if not len(places):
        return None
    at = scalars.step[places]
    return float(scalars.value[places[np.flatnonzero(at == at.max())[-1]]])
