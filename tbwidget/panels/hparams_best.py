"""Metrics at the step at which one of them was best: the page holds no points of long series to look them up in.

The request `hparams.at_best` has the arguments

| argument | meaning |
|---|---|
| `sessions` | runs of the sessions |
| `metric` | `[[group, tag], ...]`: where the metric that is to be best may be; the first that a session has counts |
| `best` | "max" or "min" |
| `metrics` | `[[group, tag], ...]`: the metrics to look up |

The answer's data are columns of n sessions, one after the other: for each of `metrics` a float64, the last value at
or before the best step; for each an int64, the step of that value; an int64, the best step; then for each of `metrics`,
and for the best step, a byte that is 1 where there is one. All are little-endian. The answer's value is
`{"sessions": n}`.

A saved page has no kernel: it holds the answers for the metric that the option `hparams_at` names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.logs.kinds.hparams import joined_run, metric_infos
from tbwidget.panels.declare import SavedAnswer
from tbwidget.reasons import Reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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
    value_steps = np.zeros((len(metrics), len(sessions)), "<i8")
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
                values[row, place], value_steps[row, place], found[row, place] = *value, 1
    columns = (values.astype("<f8"), value_steps, steps, found)
    return Answer({"sessions": len(sessions)}, b"".join(column.tobytes() for column in columns))


def saved_at_best(logs: Logs, options: Mapping[str, Any]) -> Iterator[SavedAnswer]:
    """Give the values at the best steps of the metric that `hparams_at` names, for its largest and smallest values."""
    at = options.get("hparams_at")
    sessions = logs.hparams(metrics=False)
    if not isinstance(at, str) or not sessions:
        return
    infos = metric_infos(sessions, logs.tags().get("scalars", {}))
    sources = [[escape_surrogates(info.group), escape_surrogates(info.tag)] for info in infos]
    goals = [source for source in sources if _key(*source) == at]
    most = min(_MAX_NAMES, MAX_VALUES // len(sessions) - len(goals))
    metrics = [*goals, *(source for source in sources if source not in goals)][: max(0, most)]
    for best in ("max", "min") if goals and metrics else ():
        runs = [escape_surrogates(session.run) for session in sessions]
        args = {"sessions": runs, "metric": goals, "best": best, "metrics": metrics}
        yield SavedAnswer("at_best", args, at_best(logs, args, lambda: False))


def _key(group: str, tag: str) -> str:
    """The name that options have for a metric."""
    return f"metric:{group}/{tag}" if group else f"metric:{tag}"


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


def _value_at(scalars: Scalars, step: int) -> tuple[float, int] | None:
    """The last value at a step, or at the nearest step before it; and its own step."""
    places = np.flatnonzero(scalars.step <= step)
    if not len(places):
        return None
    at = scalars.step[places]
    place = places[np.flatnonzero(at == at.max())[-1]]
    return float(scalars.value[place]), int(scalars.step[place])
