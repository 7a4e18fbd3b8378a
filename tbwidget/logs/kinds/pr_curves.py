"""Precision-recall curves: tensors `[6, t]` over evenly spaced thresholds (tensorboard/plugins/pr_curve)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tbwidget.logs.kinds.declare import Kind, Table
from tbwidget.logs.sequences import ItemSequence, ReadOnlyArrays
from tbwidget.reasons import Reason
from tbwidget.records.indices import repeat
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import Array, TensorError, floats_of

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary

_ROWS = 6

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PRCurve(ReadOnlyArrays):
    """One curve over t thresholds, uncut: also where precision is not defined. All arrays are float64[t], read-only."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    tp: Floats
    """True positives: counts, or sums of weights."""
    fp: Floats
    tn: Floats
    fn: Floats
    precision: Floats
    recall: Floats

    @property
    def thresholds(self) -> Floats:
        """From 0 to 1; not stored, but those that every writer counts at."""
        thresholds = np.linspace(0, 1, len(self.tp))
        thresholds.flags.writeable = False
        return thresholds

    @property
    def average_precision(self) -> float:
        """Sum of precision times the gain in recall, from the highest threshold down: of these thresholds alone."""
        return float(-np.diff(self.recall, append=0.0) @ self.precision)

    @property
    def roc_auc(self) -> float:
        """Area under the ROC curve of the counts, by trapezoids from (0, 0); NaN without positives or negatives."""
        with np.errstate(invalid="ignore", divide="ignore"):
            true_rate = np.append(self.tp / (self.tp + self.fn), 0.0)
            false_rate = np.append(self.fp / (self.fp + self.tn), 0.0)
        return float(-np.diff(false_rate) @ (true_rate[1:] + true_rate[:-1]) / 2)

    def __repr__(self) -> str:
        """Say at which step and over how many thresholds."""
        return f"PRCurve(step {self.step}, {len(self.tp)} thresholds)"


class PRCurves(ItemSequence[PRCurve]):
    """The curves of one tag of one run, n of them in the order written; `c[i]` is a `PRCurve`."""

    def _decode(self, index: int, value: Summary.Value) -> PRCurve:
        table = floats_of(value.tensor)
        if table.ndim != 2 or len(table) != _ROWS:  # noqa: PLR2004 (rows and columns)
            raise TensorError(Reason("pr-curve-shape", shape=list(table.shape)))
        table.flags.writeable = False
        return PRCurve(int(self.step[index]), float(self.wall_time[index]), *table)


def _table(curves: PRCurves) -> dict[str, Array]:
    found = [curve for _, curve in curves.readable()]
    lengths = [len(curve.tp) for curve in found]
    columns = {
        "step": repeat(np.array([curve.step for curve in found], np.int64), lengths),
        "wall_time": repeat(np.array([curve.wall_time for curve in found], np.float64), lengths),
        "threshold": np.concatenate([np.empty(0), *(curve.thresholds for curve in found)]),
    }
    for name in _COUNTS:
        columns[name] = np.concatenate([np.empty(0), *(getattr(curve, name) for curve in found)])
    return columns


_COUNTS = ("tp", "fp", "tn", "fn", "precision", "recall")


def pr_curves(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> PRCurves:
    """Return the precision-recall curves of a tag, in the order written.

    Values that a restart wrote again are left out unless `superseded` is true.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.pr_curves("run1", "class_0")[-1].precision
    """
    return PRCurves(source.items(run, tag, KIND.name, superseded=superseded))


KIND = Kind(
    "pr_curves",
    plugins=("pr_curves",),
    forms=frozenset({forms.SIX_ROWS, forms.SIX_TRIPLES}),
    table=Table(_table, dict.fromkeys(("threshold", *_COUNTS), np.float64)),
)
