"""Options of scalar charts: axes, smoothing and splitting of lines, and the comparison of runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from tbwidget.options.traits import Number, StepRange, option

if TYPE_CHECKING:
    from numpy.typing import NDArray


SMOOTHING_KINDS = ("ema", "mean", "gaussian", "none")
MAX_WINDOW = 1000
"""Upper bound for the points of a window of "mean" and "gaussian"."""

_MIN_CONSTANT, _MAX_CONSTANT = 1e-300, 1e300

_MIN_SMOOTHED_POINTS = 30
"""Shorter series are not smoothed."""

_STEP_LIKE_SHARE = 0.8
"""Series are not smoothed if at least this fraction of the values equals the previous one."""

_MAX_COMPARED = 4096
"""About as many pairs of neighbors are compared, so that the cost of an update does not grow with the series."""


def is_smoothable(values: NDArray[np.float64]) -> bool:
    """Whether smoothing helps a series: it is not short, not monotone, and its values often change.

    Twin of `isSmoothable` in js/src/lines/series.ts. Changes are counted in the first 2**k values only, so that the
    result for a growing series can change only when it has doubled; in long series, at evenly spaced places.
    """
    count = len(values)
    if count < _MIN_SMOOTHED_POINTS:
        return False
    judged = 1 << (count.bit_length() - 1)
    every = max(1, judged // _MAX_COMPARED)
    before, after = values[: judged - 1 : every], values[1:judged:every]
    changes = np.count_nonzero(before != after)
    if changes <= (1 - _STEP_LIKE_SHARE) * len(before):
        return False
    if every == 1:
        held = values[np.isfinite(values)]
        before, after = held[:-1], held[1:]
    else:
        finite = np.isfinite(before) & np.isfinite(after)
        before, after = before[finite], after[finite]
    return bool((after < before).any() and (after > before).any())


class SmoothingOptions(traitlets.HasTraits):
    """Options of smoothing, and of raw values behind smoothed lines."""

    smoothing_kind = option(
        traitlets.Enum(SMOOTHING_KINDS, default_value="ema"),
        """How lines are smoothed. "ema": the exponential moving average m[i] = w m[i-1] + (1 - w) v[i], m[-1] = 0,
        divided by 1 - w**(i + 1), with w = `smoothing`. "mean": the mean of v[i-n+1] to v[i], with n =
        `smoothing_window`. "gaussian": the mean of v[j] with |j - i| <= n / 2, weighted by exp(-(j - i)**2 / (2
        s**2)) with s = n / 6. "none": no smoothing. Non-finite values are skipped; where a line breaks, each piece
        is smoothed separately. In the buckets of long series, each point counts as the mean of its bucket. Series are
        not smoothed if they have fewer than 30 points, only rise or only fall, or if at least 80 % of their values
        equal the previous value. Type: "ema", "mean", "gaussian" or "none". Default: "ema".""",
    )
    smoothing_window = option(
        traitlets.Int(20, min=1, max=MAX_WINDOW),
        """Number of points that "mean" and "gaussian" average; 1 means no smoothing. Type: int, 1 to 1000. Default:
        20.""",
    )
    raw_values = option(
        traitlets.Enum(("line", "band", "hidden"), default_value="line"),
        """How raw values are drawn behind smoothed lines: as a faint line, as a band between min and max of nine
        neighboring values, or not at all. Type: "line", "band" or "hidden". Default: "line".""",
    )


class ScalarAxisOptions(traitlets.HasTraits):
    """Scales and limits of axes."""

    x_scale = option(
        traitlets.Enum(("linear", "log", "symlog"), default_value="linear"),
        """Scale of steps, or of seconds since the first point: linear; log10(x), which leaves out x <= 0; or sign(x)
        log10(1 + |x|). Dates are always linear. Type: "linear", "log" or "symlog". Default: "linear".""",
    )
    symlog_y = option(
        traitlets.List(traitlets.Unicode()),
        """Tags whose values v are drawn at sign(v) log10(1 + |v| / c), with c = `symlog_constant`: nearly linear from
        -c to c, logarithmic beyond. It takes precedence over `log_y`. Type: list of str. Default: [].""",
    )
    symlog_constant = option(
        Number(1.0, min=_MIN_CONSTANT, max=_MAX_CONSTANT),
        """The c of `symlog_y`. Type: positive float. Default: 1.0.""",
    )
    y_ranges = option(
        traitlets.Dict(key_trait=traitlets.Unicode()),
        """Min and max of the y axis, by tag; None for an end that is fitted to the visible lines. Tags without an entry
        are fitted at both ends. Type: dict of str to (float or None, float or None). Default: {}.""",
    )
    outliers_y = option(
        traitlets.List(traitlets.Unicode()),
        """Tags whose y axis includes outliers although `ignore_outliers` is on. Type: list of str. Default: [].""",
    )
    share_y = option(
        traitlets.Bool(default_value=False),
        """Give tags with the same text before the first slash the same y axis. It is fitted to all their values, at all
        steps, of the shown runs, without outliers if these are ignored. Type: bool. Default: False.""",
    )
    split_restarts = option(
        traitlets.Bool(default_value=True),
        """Break the line of a run where its steps go back (a restart, or several writers); dashes mark the gap. Type:
        bool. Default: True.""",
    )
    superseded = option(
        traitlets.Bool(default_value=False),
        """Draw the points that later restarts overwrote, dashed, with a mark where each restart began. They are
        requested from the kernel, so they wait for a running cell. Type: bool. Default: False.""",
    )

    @traitlets.validate("y_ranges")
    def _check_ranges(self, proposal: Any) -> dict[str, tuple[float | None, float | None]]:
        return {tag: _limits(tag, ends) for tag, ends in proposal.value.items()}


def _limits(tag: str, ends: Any) -> tuple[float | None, float | None]:
    wanted = f"y_ranges: two finite numbers, or None for an end that is fitted, are expected for {tag!r}, not {ends!r}"
    if not isinstance(ends, Sequence | np.ndarray) or isinstance(ends, str):
        raise traitlets.TraitError(wanted)
    try:
        low, high = (None if end is None else float(end) for end in ends)
    except (TypeError, ValueError, OverflowError):
        raise traitlets.TraitError(wanted) from None
    if not all(end is None or math.isfinite(end) for end in (low, high)):
        raise traitlets.TraitError(wanted)
    if low is not None and high is not None and low >= high:
        raise traitlets.TraitError(f"y_ranges: the smaller value comes first, unlike in {ends!r} ({tag!r})")
    return low, high


class CompareOptions(traitlets.HasTraits):
    """Options of comparing runs, of tooltips and labels."""

    aggregate = option(
        traitlets.Enum(("mean", "median", None), default_value=None, allow_none=True),
        """Draw one line for all shown runs, or for each group of `group_by`. The tooltip shows the number of runs at
        each step. Each run is smoothed first, then runs are aligned by step: between two of its steps, a run counts
        with its linear interpolation; before its first step and after its last it does not count, nor do non-finite
        values. The result is exact for runs of up to 4,096 points and approximate for longer ones, which are held in
        buckets. It has no effect while `x_axis` is "tag". Type: "mean", "median" or None. Default: None, one line for
        each run.""",
    )
    band = option(
        traitlets.Enum(("std", "minmax", "quantile", None), default_value="std", allow_none=True),
        """Band around an aggregate: one population standard deviation around the mean, min to max, or first to third
        quartile (linearly interpolated). Type: "std", "minmax", "quantile" or None. Default: "std".""",
    )
    aggregate_members = option(
        traitlets.Bool(default_value=False),
        """Draw the single runs faintly behind the line of their group. Type: bool. Default: False.""",
    )
    baseline = option(
        traitlets.Unicode(None, allow_none=True),
        """Compare every run with this one, as `compare_as` says. Lines are drawn at the steps of each run, from the
        first to the last step of the baseline, which is linearly interpolated between its steps. Raw values are
        compared, and the result is smoothed. Type: str, the name of a run, or None. Default: None.""",
        names="run",
    )
    compare_as = option(
        traitlets.Enum(("difference", "ratio"), default_value="difference"),
        """How runs are compared with `baseline`: value minus baseline (never on a logarithmic axis), or value divided
        by baseline. Type: "difference" or "ratio". Default: "difference".""",
    )
    x_tag = option(
        traitlets.Unicode(None, allow_none=True),
        """The tag on the x axis while `x_axis` is "tag". Each value is joined with the value of this tag at the same
        step, or the last one before it. Lines follow the steps, and `step_range` limits which are drawn. Type: str or
        None. Default: None, steps.""",
        names="tag",
    )
    selected_steps = option(
        StepRange(),
        """First and last step of the selection in scalar charts, which the table of values describes. Type: tuple of
        two int, or None. Default: None.""",
        remembered=False,
    )
    tooltip_sort = option(
        traitlets.Enum(("nearest", "descending", "ascending", "name"), default_value="nearest"),
        """Order of the rows of tooltips: nearest line first, by descending or ascending value, or by the name of the
        run. Type: "nearest", "descending", "ascending" or "name". Default: "nearest".""",
    )
    tooltip_rows = option(
        traitlets.Int(10, min=1, max=100),
        """Maximum number of rows in tooltips. Type: int, 1 to 100. Default: 10.""",
    )
    line_labels = option(
        traitlets.Bool(default_value=True),
        """Write run names at the ends of lines: in charts with up to eight lines and enough room, and at the line near
        the pointer. Type: bool. Default: True.""",
    )
    checkpoints = option(
        traitlets.Bool(default_value=True),
        """Mark checkpoints on the x axis of scalars, where they lie beside the logs. Type: bool. Default: True.""",
    )
    empty_cards = option(
        traitlets.Bool(default_value=False),
        """Show the charts of tags for which no shown run has data. Type: bool. Default: False.""",
    )
    join_splits = option(
        traitlets.Bool(default_value=True),
        """Draw training, validation and test of one stem in one card, such as `train_loss` and `val_loss`, or
        `acc/train` and `acc/val`, unless there are more than 12 runs or `card_layout` says otherwise. Where folders
        tell them apart, as in `train/loss` and `val/loss`, only losses and scores. Type: bool. Default: True.""",
    )
