"""Metrics at the step where one of them was best. The page cannot look them up: it holds long series in buckets.

The request `hparams.at_best` has the arguments

| argument | meaning |
|---|---|
| `sessions` | runs of the sessions. |
| `metric` | `[[group, tag], ...]`: sources of the metric to rank by; the first that a session has counts. |
| `best` | "max" or "min". |
| `metrics` | `[[group, tag], ...]`: the metrics to look up. |

The answer's data are little-endian columns of n sessions: for each of `metrics` a float64, the last value at or before
the best step; for each an int64, the step of that value; an int64, the best step; then for each of `metrics`, and for
the best step, a byte that is 1 if there is one. The answer's value is `{"sessions": n}`.

A saved page has no kernel. It holds the answers for the metric that the option `hparams_at` names, with as many metrics
as fit.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.logs.alerts.rules import direction_of
from tbwidget.logs.kinds.hparams import MetricInfo, joined_run, metric_infos
from tbwidget.panels.declare import SavedAnswer
from tbwidget.reasons import Reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.series import Scalars

MAX_VALUES = 1_000_000
"""Upper bound for the values of an answer."""

_MAX_NAMES = 10_000  # of a metric's places, and of metrics
_VALUE_BYTES = 8 + 8 + 1  # of a session's value of a metric in an answer: value, step, whether there is one
_BEST_STEP_BYTES = 8 + 1
_FRAME_CHARACTERS = 200  # of an answer's JSON beside its arguments and data
_METRIC_KEY = "metric:"
_SMALLER_IS_BETTER = re.compile(
    r"loss|err(?:or)?(?![a-z])|perplexity|ppl(?![a-z])|mse|mae(?![a-z])|latency"
    r"|(?:^|[/_.])(?:time|wer|cer|fid|nll)(?![a-z])",
    re.IGNORECASE,
)
"""Twin of SMALLER_IS_BETTER in js/src/lib/headline.ts."""


def is_smaller_better(metric: str) -> bool:
    """Whether the smallest value of a metric is its best: a guess where its name does not tell."""
    direction = direction_of(metric)
    return _SMALLER_IS_BETTER.search(metric) is not None if direction == 0 else direction < 0


def at_best(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with the values of metrics at the best step of one of them."""
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


def saved_at_best(logs: Logs, options: Mapping[str, Any], room: int) -> Iterator[SavedAnswer]:
    """Yield answers for the metric that `hparams_at` names: at its largest and at its smallest values.

    They have as many metrics as fit into `room` characters of JSON; metrics that the options name come first. If only
    one answer fits, it is the one whose direction suits the metric's name.
    """
    at = options.get("hparams_at")
    if not isinstance(at, str):
        return
    scalars = logs.tags().get("scalars", {})
    found = logs.hparams(metrics=False)
    infos = metric_infos(found, scalars) if found else _infos_of_runs(scalars)
    sources = [[escape_surrogates(info.group), escape_surrogates(info.tag)] for info in infos]
    goals = [source for source in sources if _key(*source) == at]
    runs = [escape_surrogates(run) for run in ([session.run for session in found] if found else scalars)]
    args: dict[str, Any] = {"sessions": runs, "metric": goals, "best": "max", "metrics": []}
    wanted = _by_use(sources, at, options)
    directions = _directions(at, options)
    while goals and directions:
        metrics = _fitting(wanted, args, room // len(directions))
        if len(metrics) >= len(goals):
            for best in directions:
                one = {**args, "best": best, "metrics": metrics}
                yield SavedAnswer("at_best", one, at_best(logs, one, lambda: False))
            return
        directions.pop()


def _infos_of_runs(scalars: Mapping[str, Sequence[str]]) -> list[MetricInfo]:
    """Return the sources of metrics if the page reads hyperparameters from the names of runs.

    A session may then be any run, and its metrics may lie in runs below it.
    """
    found: dict[MetricInfo, None] = {}
    for run, tags in scalars.items():
        parts = run.split("/")
        above = ("/".join(parts[:end]) for end in range(1, len(parts)))
        groups = ["", *(run[len(name) + 1 :] for name in above if name in scalars)]
        found.update(dict.fromkeys(MetricInfo(group, tag, "", "") for group in groups for tag in tags))
    return list(found)


def _directions(at: str, options: Mapping[str, Any]) -> list[str]:
    """Return both values of `best`, the better one for this metric first."""
    chosen = options.get("hparams_goal_best") if options.get("hparams_goal") in (None, at) else None
    by_name = "min" if is_smaller_better(at.removeprefix(_METRIC_KEY)) else "max"
    return ["min", "max"] if (chosen or by_name) == "min" else ["max", "min"]


def _by_use(sources: list[list[str]], at: str, options: Mapping[str, Any]) -> list[list[str]]:
    """Sort the sources of metrics: the ranking metric, then metrics that the options name, then all others."""
    named = [at, options.get("hparams_goal"), *(options.get("hparams_columns") or ())]
    named += [column.removeprefix("-") for column in options.get("hparams_sort") or ()]
    named += options.get("hparams_filters") or ()
    ranks: dict[Any, int] = {}
    for rank, column in enumerate(named):
        ranks.setdefault(column, rank)
    return sorted(sources, key=lambda source: ranks.get(_key(*source), len(named)))


def _fitting(metrics: list[list[str]], args: Mapping[str, Any], room: int) -> list[list[str]]:
    """Return as many metrics as fit into an answer of `room` characters of JSON."""
    count = len(args["sessions"])
    most = min(_MAX_NAMES, MAX_VALUES // count - len(args["metric"]))
    left = room - _FRAME_CHARACTERS - len(json.dumps(args)) - _base64_characters(_BEST_STEP_BYTES * count)
    cells = _base64_characters(_VALUE_BYTES * count)
    for place, metric in enumerate(metrics[: max(0, most)]):
        left -= cells + len(", ") + len(json.dumps(metric))
        if left < 0:
            return metrics[:place]
    return metrics[: max(0, most)]


def _base64_characters(size: int) -> int:
    return -(-size // 3) * 4


def _key(group: str, tag: str) -> str:
    """Return the name of a metric in options."""
    return f"{_METRIC_KEY}{group}/{tag}" if group else f"{_METRIC_KEY}{tag}"


def _texts(values: object) -> list[str] | None:
    """Return a list of texts; None for anything else."""
    return values if isinstance(values, list) and all(isinstance(value, str) for value in values) else None


def _pairs(values: object) -> list[list[str]] | None:
    """Return a list of groups and tags; None for anything else."""
    if not isinstance(values, list) or len(values) > _MAX_NAMES:
        return None
    return values if all(len(_texts(pair) or ()) == len(("group", "tag")) for pair in values) else None


class _SeriesByWireName:
    """Reads scalars by the page's names of runs and tags."""

    def __init__(self, logs: Logs) -> None:
        self._logs = logs
        self._tags = logs.tags().get("scalars", {})
        self._runs = {escape_surrogates(run): run for run in self._tags}
        self._own_tags: dict[str, dict[str, str]] = {}  # by run, then by the page's name

    def read(self, session: str, group: str, tag: str) -> Scalars | None:
        """Return the metric of a session; None where it has none."""
        run = self._runs.get(joined_run(session, group, self._logs.source.directory_of(session)))
        own = None if run is None else self._tags_of(run).get(tag)
        if run is None or own is None:
            return None
        try:
            return self._logs.scalars(run, own)
        except KeyError:  # gone since it was listed
            return None

    def _tags_of(self, run: str) -> dict[str, str]:
        if run not in self._own_tags:
            # If two tags have the same name on the page, the first counts.
            self._own_tags[run] = {escape_surrogates(tag): tag for tag in reversed(self._tags[run])}
        return self._own_tags[run]


def _best_step(scalars: Scalars, best: str) -> int | None:
    """Return the step of the first best finite value; None if there is none."""
    places = np.flatnonzero(np.isfinite(scalars.value))
    if not len(places):
        return None
    finite = scalars.value[places]
    return int(scalars.step[places[finite.argmax() if best == "max" else finite.argmin()]])


def _value_at(scalars: Scalars, step: int) -> tuple[float, int] | None:
    """Return the last value at a step, or at the nearest earlier one, and its own step."""
    places = np.flatnonzero(scalars.step <= step)
    if not len(places):
        return None
    at = scalars.step[places]
    place = places[np.flatnonzero(at == at.max())[-1]]
    return float(scalars.value[place]), int(scalars.step[place])
