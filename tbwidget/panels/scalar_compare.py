"""How runs are compared on the scalar charts: the options, which the browser draws by what it holds."""

from __future__ import annotations

import traitlets

from tbwidget.options import option
from tbwidget.options.traits import StepRange


class CompareOptions(traitlets.HasTraits):
    """What can be chosen for the comparison of runs, and what is said of them."""

    aggregate = option(
        traitlets.Enum(("mean", "median", None), default_value=None, allow_none=True),
        """Draw one line for all runs shown, or for each group of `group_by`, with the number of runs that count at each
        step. Runs are smoothed one by one before; then they are aligned by step: where a run has no value at a step of
        another, it counts with the value on the straight line between its neighbours, and not at all before its first
        step or behind its last; nor do values that are not finite. Exact where runs are held in points (up to 4,096 of
        them), about right where in stretches. Along another tag (`x_axis` is "tag") each run has its own line all the
        same. Type: "mean", "median" or None. Default: None, a line for each run.""",
    )
    band = option(
        traitlets.Enum(("std", "minmax", "quantile", None), default_value="std", allow_none=True),
        """The band around an aggregate: one population standard deviation about the mean, least to greatest, or first
        to third quartile (on the straight line between neighbours in order). Type: "std", "minmax", "quantile" or None.
        Default: "std".""",
    )
    aggregate_members = option(
        traitlets.Bool(default_value=False),
        """Draw the runs of an aggregate, too, faint behind it. Type: bool. Default: False.""",
    )
    baseline = option(
        traitlets.Unicode(None, allow_none=True),
        """Draw every run as compared with this one, by `compare_as`: at the run's own steps, with the baseline on the
        straight line between its steps, and only from its first step to its last. Values are compared as written, and
        smoothed then. Type: str, the name of a run, or None. Default: None.""",
        names="run",
    )
    compare_as = option(
        traitlets.Enum(("difference", "ratio"), default_value="difference"),
        """How runs are compared with `baseline`: value minus baseline, which has no logarithmic axis, or value divided
        by baseline. Type: "difference" or "ratio". Default: "difference".""",
    )
    x_tag = option(
        traitlets.Unicode(None, allow_none=True),
        """The tag that runs from left to right where `x_axis` is "tag": each value is joined with that of this tag at
        the same step, else with the last one before; lines go by step, and `step_range` says which steps are drawn.
        Type: str or None. Default: None, steps.""",
        names="tag",
    )
    selected_steps = option(
        StepRange(),
        """First and last step of those that are selected in the scalar charts, whose values a table tells. Type: tuple
        of two int, or None. Default: None.""",
        remembered=False,
    )
    tooltip_sort = option(
        traitlets.Enum(("nearest", "descending", "ascending", "name"), default_value="nearest"),
        """The order of the rows beside the pointer: the nearest line first, values downwards or upwards, or runs by
        name. Type: "nearest", "descending", "ascending" or "name". Default: "nearest".""",
    )
    tooltip_rows = option(
        traitlets.Int(10, min=1, max=100),
        """Rows beside the pointer at most. Type: int, 1 to 100. Default: 10.""",
    )
    line_labels = option(
        traitlets.Bool(default_value=True),
        """Write names at the ends of lines: of up to eight in charts with room for them, and of the one near the
        pointer. Type: bool. Default: True.""",
    )
    step_overview = option(
        traitlets.Bool(default_value=True),
        """Show a strip of all steps below the controls of the scalars, with handles for `step_range`. Type: bool.
        Default: True.""",
    )
    empty_cards = option(
        traitlets.Bool(default_value=False),
        """Show cards of tags under which none of the runs shown has values. Type: bool. Default: False.""",
    )
