"""The hyperparameters panel: one document with all sessions, and the scalars that are their metrics.

The list of runs sorts, groups and colors by hyperparameters, so the document is sent whichever panel is shown. It is
JSON in ASCII, by columns:

| field | meaning |
|---|---|
| `hparams` | `{"name", "title", "description", "type", "domain", "source"}` of each hyperparameter; see below. |
| `metrics` | `{"group", "tag", "title", "description"}` of each declared metric; if empty, all scalars count. |
| `runs`, `status`, `groups`, `start`, `end` | one value a session; times in seconds since the epoch, or null. |
| `values` | for each hyperparameter, one value a session: a number, text, boolean, or null if missing. |
| `aliases` | for the name of each group as a run, the index of its first session. |
| `directories` | names of several log directories, with which the names of their runs begin. |
| `left_out` | count of hyperparameters that would make the document too large. |

`type` is "string", "bool", "float" or "". `domain` is a list of values, `{"min", "max"}` or null. `source` is "yaml"
for a hyperparameter that only occurs in files hparams.yaml, else "summary". Values beyond JSON's scalars, such as NaN
or a list, travel as text. The metric (`group`, `tag`) of a session is the scalar `tag` of the run `group` below its
own run.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import traitlets

from tbwidget.logs.kinds.hparams import Interval
from tbwidget.options.patterns import pattern_error
from tbwidget.options.traits import ExactDict, option
from tbwidget.panels.declare import Panel
from tbwidget.panels.hparams_best import at_best, saved_at_best
from tbwidget.panels.hparams_preview import preview
from tbwidget.panels.scalars import SCALARS
from tbwidget.texts import escape_surrogates, shorten
from tbwidget.wire.content import DocumentContent, EncodedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.hparams import HParamInfo, HParams

MAX_DOCUMENT_BYTES = 16_000_000
"""Upper bound for the document. Hyperparameters are left out, those with the fewest sessions first."""

MAX_METRICS = 10_000
"""Upper bound for the declared metrics in the document."""

_MAX_WHOLE = 1e15  # a larger number has an exponent
_MAX_DEPTH = 100  # containers within one another; what lies deeper is an ellipsis

MAX_CHARACTERS = 2_000
"""Longer values and descriptions are cut."""


class HParamsContent(DocumentContent):
    """One document: the hyperparameters of every session."""

    kind = "hparams"
    prefetch_bytes = MAX_DOCUMENT_BYTES

    def key_of(self, _run: str, _tag: str) -> tuple[str, str]:
        """Return the one key of all runs."""
        return "", ""

    def read(self, logs: Logs, _run: str, _tag: str) -> EncodedDocument:
        """Compose the document."""
        sessions = logs.hparams(metrics=False)
        head = {
            "metrics": _metrics(sessions),
            "runs": [escape_surrogates(session.run) for session in sessions],
            "status": [session.status for session in sessions],
            "groups": [escape_surrogates(session.group) for session in sessions],
            "start": [_finite(session.start_time) for session in sessions],
            "end": [_finite(session.end_time) for session in sessions],
            "aliases": _aliases(logs, sessions),
            "directories": [escape_surrogates(name) for name in logs.source.paths if name],
        }
        encoded = _encoded(head)
        infos, columns, left_out = _columns(sessions, MAX_DOCUMENT_BYTES - len(encoded))
        parts = [f'"hparams":[{",".join(infos)}]', f'"values":[{",".join(columns)}]', f'"left_out":{left_out}']
        return EncodedDocument(f"{encoded[:-1]},{','.join(parts)}}}".encode("ascii"))


def _encoded(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _columns(sessions: list[HParams], room: int) -> tuple[list[str], list[str], int]:
    """Encode the declaration and the values of each hyperparameter, and count those beyond the budget."""
    declared: dict[str, HParamInfo] = {}
    values: dict[str, dict[int, Any]] = {}
    summarized: set[str] = set()
    for place, session in enumerate(sessions):
        for name, info in session.infos.items():
            declared.setdefault(name, info)
        for name, value in session.values.items():
            values.setdefault(name, {})[place] = value
        summarized.update(session.values.keys() - session.from_file)
    # Declared hyperparameters come first, in the order of their declarations, as the writer wants them.
    order = [*(name for name in declared if name in values), *(name for name in values if name not in declared)]
    encoded: dict[str, tuple[str, str]] = {}
    for name in sorted(order, key=lambda name: -len(values[name])):
        if room >= len("null,") * len(sessions):
            source = "summary" if name in summarized else "yaml"
            held = values[name]
            head = _encoded(_info(name, declared.get(name), source))
            column = _encoded([_plain(held.get(place)) for place in range(len(sessions))])
            size = len(head) + len(column) + 2
            if size <= room:
                room -= size
                encoded[name] = head, column
    kept = [encoded[name] for name in order if name in encoded]
    return [head for head, _ in kept], [column for _, column in kept], len(order) - len(kept)


def _info(name: str, info: HParamInfo | None, source: str) -> dict[str, Any]:
    domain: Any = None
    if info is not None and isinstance(info.domain, Interval):
        if math.isfinite(info.domain.min) and math.isfinite(info.domain.max):
            domain = {"min": info.domain.min, "max": info.domain.max}
    elif info is not None and info.domain is not None:
        domain = [_plain(value) for value in info.domain]
    return {
        "name": escape_surrogates(name),
        "title": _text(info.display_name) if info else "",
        "description": _text(info.description) if info else "",
        "type": info.type if info else "",
        "domain": domain,
        "source": source,
    }


def _metrics(sessions: Iterable[HParams]) -> list[dict[str, str]]:
    """Return the metrics that experiments declare, each once."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for session in sessions:
        for info in session.metric_infos:
            if (info.group, info.tag) not in found and len(found) < MAX_METRICS:
                found[info.group, info.tag] = {
                    "group": escape_surrogates(info.group),
                    "tag": escape_surrogates(info.tag),
                    "title": _text(info.display_name),
                    "description": _text(info.description),
                }
    return list(found.values())


def _aliases(logs: Logs, sessions: list[HParams]) -> dict[str, int]:
    """Return the first session of each group, by the name that a run of that name would have.

    Writers name runs like groups, and the page shows the group's hyperparameters for such a run.
    """
    found: dict[str, int] = {}
    for place, session in enumerate(sessions):
        if session.group:
            above = [f"{name}/" for name in logs.source.paths if name and session.run.startswith(f"{name}/")]
            found.setdefault(escape_surrogates(f"{above[0] if above else ''}{session.group}"), place)
    return found


def _plain(value: Any) -> float | bool | str | None:
    """Return a value that JSON has: numbers beyond JSON, lists and mappings become text."""
    if value is None or isinstance(value, bool) or (isinstance(value, int | float) and math.isfinite(value)):
        return value
    return _text(value if isinstance(value, str) else _short(value))


def _short(value: Any, depth: int = _MAX_DEPTH) -> str:
    """Format like Python, except for whole numbers without a fraction, because logs hold all numbers as float."""
    if isinstance(value, list | dict) and depth == 0:
        return "…"
    if isinstance(value, list):
        return f"[{', '.join(_short(one, depth - 1) for one in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_short(held, depth - 1)}' for key, held in value.items())}}}"
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE
    return str(int(value)) if is_whole else str(value) if isinstance(value, float) else repr(value)


def _text(text: str) -> str:
    return escape_surrogates(shorten(text, MAX_CHARACTERS))


def _finite(time: float | None) -> float | None:
    return time if time is not None and math.isfinite(time) else None


HPARAMS = HParamsContent()


_COLUMN = re.compile(r"(?:hparam|metric):.*", re.DOTALL)  # names may be empty
_FIXED = ("run", "group", "status", "start", "duration")


class HParamsOptions(traitlets.HasTraits):
    """Options of hyperparameters alone."""

    hparams_columns = option(
        traitlets.List(traitlets.Unicode()),
        """Columns of the table and axes of the plots. Type: list of str, each "hparam:NAME" or "metric:TAG"; a metric
        in a run below its session's run is "metric:RUN/TAG". Default: [], the goal, the hyperparameters that vary and
        the declared metrics; the axis of the goal is the last one.""",
    )
    hparams_goal = option(
        traitlets.Unicode(None, allow_none=True),
        """The metric that colors and ranks sessions. Type: str, "metric:TAG", or None. Default: None, chosen by
        name.""",
    )
    hparams_goal_best = option(
        traitlets.Enum(("max", "min"), None, allow_none=True),
        """Whether the largest or the smallest value of the goal is best. Type: "max", "min", or None. Default: None,
        "min" for names with loss, error and the like, else "max".""",
    )
    hparams_metric = option(
        traitlets.Enum(("last", "min", "max"), "last"),
        """Which value of each metric counts. Type: "last", "min" or "max". Default: "last".""",
    )
    hparams_at = option(
        traitlets.Unicode(None, allow_none=True),
        """Show all metrics at the step where this metric was best; `hparams_metric` has no effect then. Type: str,
        "metric:TAG", or None. Default: None.""",
    )
    hparams_groups = option(
        traitlets.Bool(default_value=False),
        """Show one row for each group of trials, with the mean of each metric over the trials that have it. Type: bool.
        Default: False.""",
    )
    hparams_sort = option(
        traitlets.List(traitlets.Unicode()),
        """Columns that the table is sorted by, the most important first; "-" before a column means descending. Type:
        list of str, columns as in `hparams_columns`, or "run", "group", "status", "start" or "duration". Default: [],
        the best session by the goal first; rows keep that order while only values change.""",
    )
    hparams_filters = option(
        ExactDict(key_trait=traitlets.Unicode()),
        """Show only sessions that pass all of these filters. Type: dict of a column, as in `hparams_sort`, to
        {"min": 0.1, "max": 1}, of which one may be absent, to {"values": [...]}, where None is a missing value, or to
        {"pattern": "adam|sgd"}, a JavaScript regular expression. Default: {}.""",
    )
    hparams_plots = option(
        traitlets.List(traitlets.Enum(("parallel", "scatter")), ["parallel"]),
        """Plots above the table, in this order: parallel coordinates, and a matrix of scatter plots. Type: list of
        "parallel" and "scatter". Default: ["parallel"].""",
    )
    hparams_scales = option(
        traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Enum(("linear", "log", "quantile"))),
        """Scales of axes. Type: dict of a column to "linear", "log" or "quantile". Default: {}: an axis is logarithmic
        if all values are positive, the largest is at least 10 times the smallest, and the logarithms are spread more
        evenly than the values; else linear.""",
    )
    hparams_flipped = option(
        traitlets.List(traitlets.Unicode()),
        """Columns whose axes run downward. Type: list of str. Default: [].""",
    )

    @traitlets.validate("hparams_columns", "hparams_flipped")
    def _check_hparams_columns(self, proposal: Any) -> list[str]:
        columns = list(dict.fromkeys(proposal.value))
        for column in columns:
            _check_column(proposal.trait.name, column)
        return columns

    @traitlets.validate("hparams_goal", "hparams_at")
    def _check_hparams_metric(self, proposal: Any) -> str | None:
        column: str | None = proposal.value
        if column is not None and not column.startswith("metric:"):
            hint = "" if ":" in column or not column else f"; did you mean {'metric:' + column!r}?"
            raise traitlets.TraitError(f"{proposal.trait.name}: a metric is 'metric:TAG', not {column!r}{hint}")
        return column

    @traitlets.validate("hparams_sort")
    def _check_hparams_sort(self, proposal: Any) -> list[str]:
        columns = list(dict.fromkeys(proposal.value))
        for column in columns:
            _check_column("hparams_sort", column.removeprefix("-"), _FIXED)
        return columns

    @traitlets.validate("hparams_scales")
    def _check_hparams_scales(self, proposal: Any) -> dict[str, str]:
        scales: dict[str, str] = proposal.value
        for column in scales:
            _check_column("hparams_scales", column)
        return scales

    @traitlets.validate("hparams_filters")
    def _check_hparams_filters(self, proposal: Any) -> dict[str, Any]:
        filters: dict[str, Any] = proposal.value
        from_browser = self.is_from_browser("hparams_filters", filters)  # type: ignore[attr-defined]  # of the board
        for column, one in filters.items():
            _check_column("hparams_filters", column, _FIXED)
            reason = _filter_error(one, patterns=not from_browser)
            if reason:
                raise traitlets.TraitError(f"hparams_filters[{column!r}]: {reason}")
        return filters


def _check_column(option: str, column: str, fixed: tuple[str, ...] = ()) -> None:
    if column not in fixed and not _COLUMN.fullmatch(column):
        words = "".join(f", {word!r}" for word in fixed)
        raise traitlets.TraitError(f"{option}: a column is 'hparam:NAME', 'metric:TAG'{words}, not {column!r}")


def _filter_error(one: Any, *, patterns: bool) -> str | None:
    """Return the error of a filter; None for a valid one."""
    match one:
        case {"pattern": str(text), **rest} if not rest:
            reason = pattern_error(text) if patterns else None
            return f"{text!r} is not a valid regular expression: {reason}" if reason else None
        case {"values": [*values], **rest} if not rest and all(map(_is_plain, values)):
            return None
        case {**bounds} if bounds and bounds.keys() <= {"min", "max"} and all(map(_is_number, bounds.values())):
            return None
    return f"a filter is {{'min': …, 'max': …}}, {{'values': […]}} or {{'pattern': …}}, not {shorten(repr(one))}"


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | bool) or _is_number(value)


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


PANEL = Panel(
    name="hparams",
    contents=(HPARAMS, SCALARS),
    options=(HParamsOptions,),
    view="HParamsView",
    view_doc="The hyperparameters of all sessions with their metrics, and nothing else.",
    view_options={
        "columns": "hparams_columns",
        "goal": "hparams_goal",
        "goal_best": "hparams_goal_best",
        "metric": "hparams_metric",
        "at": "hparams_at",
        "groups": "hparams_groups",
        "sort": "hparams_sort",
        "filters": "hparams_filters",
        "plots": "hparams_plots",
        "scales": "hparams_scales",
        "flipped": "hparams_flipped",
    },
    requests={"at_best": at_best},
    saved=saved_at_best,
    preview=preview,
)
