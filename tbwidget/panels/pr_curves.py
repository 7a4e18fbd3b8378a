r"""The PR curves panel: an index of all curves of a tag, with their areas, and the counts behind each row.

An entry has the columns of all items; `place`, the index of each curve in the order written; and `average_precision`
and `roc_auc`, NaN for a curve that cannot be drawn.

A blob is a *curve*: a little-endian uint32 n, the number of thresholds; a uint32 w, the bytes of a number; then six
columns of n floats: true positives, false positives, true negatives, false negatives, precision, recall. Numbers are
float32 (w = 4) if that holds all of them exactly, else float64 (w = 8).

The request `pr_curves.curves` has the arguments `{"curves": [[run, tag, revision, place], ...]}`, where the index has
the `revision`, and `place` as a column. The answer is a list of curves, see `answer_list`. `pr_curves.table` is
described in `tables`.
"""

from __future__ import annotations

import math
import struct
import threading
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from tbwidget.logs.kinds.pr_curves import PRCurve
from tbwidget.logs.tagorder import in_order
from tbwidget.options.colors import run_color
from tbwidget.options.common import NamedRangeOptions, TimeAxisOptions
from tbwidget.options.traits import Number, option
from tbwidget.panels.answer_list import answer_list, sized
from tbwidget.panels.declare import Panel, PreviewChart, PreviewLine
from tbwidget.panels.descriptions import shown_names
from tbwidget.panels.step_index import StepIndex
from tbwidget.panels.tables import POINT_BYTES, Rows, table_of
from tbwidget.reasons import Reason, plain_reason
from tbwidget.wire.content import Answer, ItemsContent, Refusal, from_wire_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.pr_curves import PRCurves
    from tbwidget.wire.columns import Columns

MAX_THRESHOLDS = 100_000
"""Upper bound for the thresholds of a curve that is sent."""

ANSWER_BYTES = 8_000_000
"""Size at which an answer is full; the browser asks again for the rest."""

MAX_CURVES = 256
"""Upper bound for the curves of a request."""

MAX_PREVIEW_LINES = 20
"""Upper bound for the curves of a chart in a static preview."""

_ROUNDING = 1e-5  # of precision and recall that were computed in float32
_HEADER = struct.Struct("<II")
_COLUMNS = ("tp", "fp", "tn", "fn", "precision", "recall")


class CurveIndex(StepIndex[PRCurve]):
    """The curves of a tag in the order of their steps."""

    def __init__(self, written: PRCurves, areas: dict[int, tuple[float, float]]) -> None:
        super().__init__(written)
        self._areas = areas  # by place in the order written

    def areas(self, rows: slice) -> NDArray[np.float64]:
        """Return average precision and area under the ROC curve of some rows: float64[n, 2], NaN where unreadable."""
        places: list[int] = self.places[rows].tolist()
        lacking = [place for place in places if place not in self._areas]
        for place, curve in self.written.readable(lacking):
            drawable = problem_of(curve) is None
            self._areas[place] = (curve.average_precision, curve.roc_auc) if drawable else (math.nan, math.nan)
        nothing = (math.nan, math.nan)
        return np.array([self._areas.get(place, nothing) for place in places], np.float64).reshape(-1, 2)


class PRCurvesContent(ItemsContent):
    """All PR curves."""

    kind = "pr_curves"
    prefetch_bytes = 8_000_000

    def __init__(self) -> None:
        # Curves are read again with each keyframe, and by each dashboard: their areas are computed once.
        self._known: weakref.WeakKeyDictionary[Any, dict[tuple[str, str], tuple[int, dict[int, tuple[float, float]]]]]
        self._known = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def read(self, logs: Logs, run: str, tag: str) -> CurveIndex:
        """Return the curves of a tag. Raises KeyError where they are gone."""
        curves = logs.pr_curves(run, tag)
        with self._lock:
            known = self._known.setdefault(logs.source, {})
            revision, areas = known.get((run, tag), (None, {}))
            if revision != curves.revision:
                areas = {}
                known[run, tag] = (curves.revision, areas)
        return CurveIndex(curves, areas)

    def entry(self, index: CurveIndex, rows: slice, columns: Columns) -> dict[str, Any]:
        """Add place in the order written, average precision and area under the ROC curve."""
        average_precision, roc_auc = index.areas(rows).T
        return {
            "place": columns.add_steps(index.places[rows]),
            "average_precision": columns.add_exact(average_precision),
            "roc_auc": columns.add_exact(roc_auc),
        }

    def blob(self, index: CurveIndex, row: int) -> bytes:
        """Encode a curve."""
        try:
            return encode(index[row])
        except ValueError as error:
            raise Refusal(plain_reason(error)) from error


def problem_of(curve: PRCurve) -> Reason | None:
    """Return why a curve cannot be drawn; None if it can."""
    counts = np.array([curve.tp, curve.fp, curve.tn, curve.fn])
    shares = np.array([curve.precision, curve.recall])
    if counts.shape[1] == 0:
        return Reason("pr-curve-empty")
    if not (np.isfinite(counts).all() and np.isfinite(shares).all()):
        return Reason("pr-curve-not-finite")
    if (counts < 0).any() or (shares < -_ROUNDING).any() or (shares > 1 + _ROUNDING).any():
        return Reason("pr-curve-out-of-range")
    return None


def encode(curve: PRCurve) -> bytes:
    """Encode a curve. Raises ValueError for one that cannot be drawn."""
    table = np.array([getattr(curve, name) for name in _COLUMNS], np.float64)
    if table.shape[1] > MAX_THRESHOLDS:
        raise ValueError(Reason("too-large-to-send", bytes=table.nbytes, call="logs.pr_curves(…)"))
    problem = problem_of(curve)
    if problem is not None:
        raise ValueError(problem)
    with np.errstate(over="ignore"):
        short = table.astype("<f4")
    sent = short if (short == table).all() else table.astype("<f8")
    return _HEADER.pack(table.shape[1], sent.itemsize) + sent.tobytes()


def curves(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with curves that were not pushed."""
    wanted = args.get("curves")
    if not isinstance(wanted, list) or len(wanted) > MAX_CURVES:
        raise Refusal(Reason("malformed-request", expected="a list of curves"))
    return answer_list(wanted, lambda curve, _room: sized(encode(_curve_of(logs, curve))), is_cancelled, ANSWER_BYTES)


def _curve_of(logs: Logs, wanted: object) -> PRCurve:
    match wanted:
        case [str(run), str(tag), int(revision), int(place)]:
            found = logs.pr_curves(*from_wire_names(logs, "pr_curves", run, tag))
            if found.revision != revision or not 0 <= place < len(found):
                raise ValueError(Reason("pr-curve-replaced"))
            return found[place]
    raise ValueError(Reason("malformed-request", expected="a curve"))


def _rows_of(logs: Logs, run: str, tag: str, first: int, revision: int | None, room: int) -> Rows:
    found = logs.pr_curves(run, tag)
    first = first if revision == found.revision else 0
    end, size = first, 0
    lengths: list[int] = []
    columns: list[list[NDArray[np.float64]]] = [[np.empty(0)] for _ in range(1 + len(_COLUMNS))]
    while end < len(found) and size < room:
        try:
            curve = found[end]
        except ValueError:  # a problem of the logs: it has a row without cells
            lengths.append(0)
        else:
            for column, name in zip(columns, ("thresholds", *_COLUMNS), strict=True):
                column.append(getattr(curve, name))
            lengths.append(len(curve.tp))
        size += POINT_BYTES * (1 + 3 * lengths[-1])
        end += 1
    cells = [np.concatenate(column) for column in columns]
    step, wall_time = found.step[first:end], found.wall_time[first:end]
    return Rows(first, len(found), found.revision, step, wall_time, np.array(lengths, np.int64), cells)


def preview(logs: Logs, pinned: Sequence[str], _language: str = "en") -> Iterator[PreviewChart]:
    """Yield a chart of each tag with the newest curve of each run, `pinned` tags first."""
    by_run = logs.tags().get("pr_curves", {})
    known = dict.fromkeys(in_order({tag for run in logs.runs for tag in by_run.get(run, ())}))
    numbers = logs.source.run_numbers()
    names = shown_names(logs, "pr_curves")
    for tag in (*(tag for tag in pinned if tag in known), *(tag for tag in known if tag not in pinned)):
        lines: list[PreviewLine] = []
        for run in [run for run in by_run if tag in by_run[run]][:MAX_PREVIEW_LINES]:
            try:
                index = StepIndex(logs.pr_curves(run, tag))
                curve = index[len(index) - 1]
            except (KeyError, ValueError, IndexError):  # gone or unreadable
                continue
            if problem_of(curve) is None:
                # The chart is read in the order of increasing recall.
                lines.append(
                    PreviewLine(run, run_color(numbers.get(run, 0)), curve.recall[::-1], curve.precision[::-1])
                )
        if lines:
            yield PreviewChart(names.get(tag, tag), lines)


class PRCurvesOptions(traitlets.HasTraits):
    """Options of PR curves alone."""

    pr_curve = option(
        traitlets.Enum(["pr", "roc", "average_precision"], "pr"),
        """What cards of PR curves draw. Type: str. "pr": precision over recall. "roc": true over false positive rate,
        from the same counts. "average_precision": average precision over steps. Default: "pr".""",
    )
    pr_threshold = option(
        Number(None, min=0.0, max=1.0, allow_none=True),
        """Threshold that is marked on all PR and ROC curves. Type: float from 0 to 1, or None. Default: None, no
        mark.""",
        remembered=False,
    )
    pr_iso_f1 = option(
        traitlets.Bool(default_value=True),
        """Draw lines of equal F1 behind PR curves. Type: bool. Default: True.""",
    )
    pr_earlier_steps = option(
        traitlets.Bool(default_value=True),
        """Draw a few earlier steps behind PR and ROC curves, faintly. Type: bool. Default: True.""",
    )


PANEL = Panel(
    name="pr_curves",
    contents=(PRCurvesContent(),),
    options=(TimeAxisOptions, NamedRangeOptions, PRCurvesOptions),
    view="PRCurvesView",
    view_doc="The precision-recall curves of a log directory, and nothing else.",
    view_options={
        "curve": "pr_curve",
        "threshold": "pr_threshold",
        "iso_f1": "pr_iso_f1",
        "earlier_steps": "pr_earlier_steps",
    },
    requests={"curves": curves, "table": table_of("pr_curves", _rows_of)},
    preview=preview,
)
