"""The static preview of hyperparameters: parallel coordinates and the first rows of the table.

Columns, goal and order of the sessions are the defaults of the panel.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tbwidget.language import counted, worded
from tbwidget.logs.kinds.hparams import MetricInfo, joined_run, metric_infos
from tbwidget.logs.natural import natural_key
from tbwidget.options.colors import run_color, scale_color
from tbwidget.panels.declare import PreviewAxis, PreviewLine, PreviewParallel, PreviewTable
from tbwidget.panels.hparams_best import is_smaller_better

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.hparams import HParams

MAX_SESSIONS = 500
"""Upper bound for the sessions whose metrics are read."""

MAX_AXES = 10
"""Upper bound for the axes of the plot."""

MAX_ROWS = 8
"""Upper bound for the rows of the table, which shows the best sessions."""

_MAX_HPARAMS = 24  # MAX_AUTOMATIC_HPARAMS in js/src/panels/hparams/sessions.ts
_MAX_METRICS = 8  # MAX_AUTOMATIC_METRICS there
_MAX_CATEGORIES = 12
_MAX_NUMBER_TICKS = 6  # of more different numbers, the ends alone have a tick
_MINUS = "\N{MINUS SIGN}"
_DIGITS = 4
_MAX_WHOLE = 1e15  # larger whole numbers are rounded, too
_MIN_DECIMAL = 1e-3  # smaller numbers have an exponent
_MAX_POSITIONAL = 1e21  # larger hyperparameters have an exponent, as JavaScript writes numbers
_MIN_LONG_METRIC, _MAX_METRIC = 1e4, 1e5  # metrics between have a digit more, larger ones an exponent
_MAX_VALUE = 1e300  # differences are to be finite
_MIN_LOG_RATIO, _MAX_LOG_DEVIATION = 10, 0.8  # keep in step with numberscale.ts

# Keep in step with sessions.ts.
_SCORE = re.compile(
    r"acc(?:uracy)?(?![a-z])|auc|f1|score|reward|return|loss|err(?:or)?(?![a-z])|mse|precision|recall", re.IGNORECASE
)
_HELD_OUT = re.compile(r"val(?:id|idation)?(?![a-z])|test|eval|dev(?![a-z])", re.IGNORECASE)


class _Column(NamedTuple):
    title: str
    values: list[Any]
    """One value a session; None if it has none."""
    is_metric: bool = False

    def text(self, session: int) -> str:
        """Return the value of a session as in the page's table; empty if it has none."""
        value = self.values[session]
        if value is None:
            return ""
        return metric_text(value) if self.is_metric else parameter_text(value)


def preview(logs: Logs, _pinned: Sequence[str], language: str = "en") -> Iterator[PreviewParallel | PreviewTable]:
    """Return the plot, where something varies between sessions, and the table."""
    every = logs.hparams(metrics=False)
    sessions = every[:MAX_SESSIONS]
    if not sessions:
        return
    hparams = _hparams(sessions)
    metrics = _metrics(logs, every, sessions)
    goal = _goal([*metrics])
    best, order = None, list(range(len(sessions)))
    if goal is not None:
        best = "min" if is_smaller_better(goal) else "max"
        order = _ranked(metrics[goal].values, best)
    goals = [] if goal is None else [metrics[goal]]
    others = [*hparams, *(column for name, column in [*metrics.items()][:_MAX_METRICS] if name != goal)]
    all_sessions = counted(len(every), "session", language)
    if len(sessions) > 1 and others:
        axes = [*others[: MAX_AXES - len(goals)], *goals]
        left = len(others) + len(goals) - len(axes)
        title = all_sessions
        if len(sessions) < len(every):
            title = worded("The first {count} of {all}", language, count=len(sessions), all=all_sessions)
        if left > 0:
            title += worded(", {count} of {all} columns", language, count=len(axes), all=len(axes) + left)
        colors = _colors(goals[0].values if goals else [None] * len(sessions), best)
        yield PreviewParallel(title, *_parallel(axes, colors, order))
    numbers = logs.source.run_numbers()
    rows = [
        (
            run_color(numbers.get(sessions[place].run, 0)),
            [sessions[place].run, *(c.text(place) for c in (*goals, *others))],
        )
        for place in order[:MAX_ROWS]
    ]
    title = all_sessions
    if len(rows) < len(every):
        title = worded("{count} of {all}", language, count=len(rows), all=all_sessions)
    if goal is not None:
        title += worded(", the best {metric} first", language, metric=metrics[goal].title)
    yield PreviewTable(title, [worded("Run", language), *(column.title for column in (*goals, *others))], rows)


def _hparams(sessions: list[HParams]) -> list[_Column]:
    """Return the hyperparameters that vary, declared ones first; with a single session all of them."""
    declared = dict.fromkeys(name for one in sessions for name in one.infos)
    names = dict.fromkeys([*declared, *(name for one in sessions for name in one.values)])
    titles = {name: info.display_name for one in reversed(sessions) for name, info in one.infos.items()}
    found = []
    for name in names:
        values = [_known(one.values.get(name)) for one in sessions]
        if any(value is not None for value in values) and (len(sessions) == 1 or len(set(map(repr, values))) > 1):
            found.append(_Column(titles.get(name) or name, values))
    return found[:_MAX_HPARAMS]


def _metrics(logs: Logs, every: list[HParams], sessions: list[HParams]) -> dict[str, _Column]:
    """Return the last values of the metrics by name, in the order of the page: the first few and the goal."""
    by_name: dict[str, list[MetricInfo]] = {}
    for info in metric_infos(every, logs.tags().get("scalars", {})):
        by_name.setdefault(info.name, []).append(info)
    goal = _goal([*by_name])
    names = list(dict.fromkeys([*[*by_name][:_MAX_METRICS], *([] if goal is None else [goal])]))
    titles = {name: next((one.display_name for one in by_name[name] if one.display_name), name) for name in names}
    return {
        name: _Column(titles[name], [_last(logs, one.run, by_name[name]) for one in sessions], is_metric=True)
        for name in names
    }


def _last(logs: Logs, session: str, infos: list[MetricInfo]) -> float | None:
    for info in infos:
        try:
            values = logs.scalars(joined_run(session, info.group, logs.source.directory_of(session)), info.tag).value
        except KeyError:
            continue
        if len(values):
            return float(values[-1])
    return None


def _goal(names: list[str]) -> str | None:
    """Return the metric that the page colors and ranks by."""
    scores = [name for name in names if _SCORE.search(name)]
    held_out = [name for name in scores if _HELD_OUT.search(name)]
    return next(iter([*held_out, *scores, *names]), None)


def _ranked(values: list[Any], best: str) -> list[int]:
    """Return the places of sessions, the best first and those without a number last."""
    sign = -1 if best == "max" else 1
    keys = [math.inf if value is None or math.isnan(value) else sign * value for value in values]
    is_none = [value is None or math.isnan(value) for value in values]
    return sorted(range(len(values)), key=lambda place: (is_none[place], keys[place]))


def _colors(values: list[Any], best: str | None) -> list[str]:
    """Return the color of each session by the goal, the best at the light end of the scale."""
    numbers = np.array([math.nan if value is None else value for value in values])
    finite = numbers[_is_drawable(numbers)]
    if not len(finite):
        return [scale_color(None)] * len(values)
    least, most = float(finite.min()), float(finite.max())
    if most > least:
        shares = (finite - least) / (most - least)
        finite_colors = iter([scale_color(1 - float(share) if best == "min" else float(share)) for share in shares])
    else:
        finite_colors = iter([scale_color(1.0)] * len(finite))
    return [next(finite_colors) if is_one else scale_color(None) for is_one in _is_drawable(numbers)]


def _parallel(axes: list[_Column], colors: list[str], order: list[int]) -> tuple[list[PreviewAxis], list[PreviewLine]]:
    """Return the axes, and a line for each session, the best on top."""
    placed = [_axis(column) for column in axes]
    heights = np.column_stack([places for _, places in placed])
    across = np.arange(len(axes), dtype=np.float64)
    lines = [PreviewLine("", colors[place], across, heights[place]) for place in reversed(order)]
    return [axis for axis, _ in placed], lines


def _axis(column: _Column) -> tuple[PreviewAxis, NDArray[np.float64]]:
    """Return an axis, and the place of each session on it from 0 to 1; NaN for one without a value there."""
    known = [value for value in column.values if value is not None]
    if all(isinstance(value, float) for value in known):
        return _number_axis(column)
    categories = sorted({repr(value): value for value in known}.values(), key=_category_key)
    places = {repr(value): (place + 0.5) / len(categories) for place, value in enumerate(categories)}
    ticks = [(place, parameter_text(value)) for value, place in zip(categories, places.values(), strict=True)]
    if len(ticks) > _MAX_CATEGORIES:
        ticks = [ticks[0], ticks[-1]]
    found = [math.nan if value is None else places[repr(value)] for value in column.values]
    return PreviewAxis(column.title, ticks), np.array(found)


def _category_key(value: Any) -> tuple[int, Any]:
    """Order from below: numbers, then falsehood and truth, then texts, which read from above."""
    if isinstance(value, str):
        return 2, _Reversed(value)
    return (1, value) if isinstance(value, bool) else (0, value)


class _Reversed:
    """A text in reverse natural order."""

    def __init__(self, text: str) -> None:
        self._key = natural_key(text)

    def __lt__(self, other: _Reversed) -> bool:
        return other._key < self._key


def _number_axis(column: _Column) -> tuple[PreviewAxis, NDArray[np.float64]]:
    numbers = np.array([math.nan if value is None else value for value in column.values], np.float64)
    is_drawn = _is_drawable(numbers)
    if not is_drawn.any():
        return PreviewAxis(column.title, []), np.full(len(numbers), math.nan)
    drawn = numbers[is_drawn]
    is_log = _suits_log(np.unique(drawn))
    spread = np.log(drawn) if is_log else drawn
    least, most = float(spread.min()), float(spread.max())
    places = np.full(len(numbers), math.nan)
    places[is_drawn] = (spread - least) / (most - least) if most > least else 0.5
    distinct, first = np.unique(drawn, return_index=True)
    ends = range(len(distinct)) if len(distinct) <= _MAX_NUMBER_TICKS else (0, -1)
    ticks = [(float(places[is_drawn][first[place]]), parameter_text(float(distinct[place]))) for place in ends]
    return PreviewAxis(column.title, ticks), places


def _suits_log(distinct: NDArray[np.float64]) -> bool:
    """Whether numbers are spread more evenly by their logarithms. Twin of suitsLog in numberscale.ts."""
    if not (distinct[0] > 0 and distinct[-1] >= _MIN_LOG_RATIO * distinct[0]):
        return False
    return _deviation(np.log(distinct)) < _MAX_LOG_DEVIATION * _deviation(distinct)


def _deviation(ordered: NDArray[np.float64]) -> float:
    even = np.arange(len(ordered)) / (len(ordered) - 1)
    return float(np.abs((ordered - ordered[0]) / (ordered[-1] - ordered[0]) - even).max())


def _is_drawable(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.isfinite(numbers) & (np.abs(numbers) < _MAX_VALUE)
    return found


def _known(value: Any) -> Any:
    """Return numbers as float, lists and the like as text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return str(value)
    return str(value)


def parameter_text(value: Any) -> str:
    """Return the text of a hyperparameter in the table. Twin of `parameterText` in js/src/panels/hparams/columns.ts."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return metric_text(value)
    if value.is_integer() and abs(value) < _MAX_WHOLE:
        return _minus(str(int(value)))
    rounded = _rounded(value, _DIGITS)
    if _MIN_DECIMAL <= abs(rounded) < _MAX_POSITIONAL:
        return _minus(np.format_float_positional(rounded, trim="-"))
    return _exponential(rounded, "+" if abs(rounded) >= 1 else "")


def metric_text(value: float) -> str:
    """Return the text of a metric. Twin of `formatValue` in js/src/lib/format.ts."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+∞" if value > 0 else f"{_MINUS}∞"
    size = abs(value)
    if value and not _MIN_DECIMAL <= size < _MAX_METRIC:
        return _exponential(_rounded(value, _DIGITS))
    digits = _DIGITS + (size >= _MIN_LONG_METRIC)
    rounded = _rounded(value, digits)
    if abs(rounded) >= 10**digits:
        return _exponential(rounded)
    return _minus(np.format_float_positional(rounded, trim="-"))


def _rounded(value: float, digits: int) -> float:
    """Round to significant digits. JavaScript rounds halves away from zero, Python's formats to even."""
    return float(Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(value))


def _exponential(rounded: float, sign: str = "") -> str:
    mantissa, exponent = f"{rounded:.{_DIGITS - 1}e}".split("e")
    return _minus(f"{float(mantissa):g}e{sign}{int(exponent)}")


def _minus(text: str) -> str:
    """Write a minus sign like the page, which keeps the hyphen in exponents."""
    return text.replace("-", _MINUS, 1) if text.startswith("-") else text
