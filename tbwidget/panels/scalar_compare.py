"""Options of comparing runs on scalar charts. The browser does it with the data that it has."""

from __future__ import annotations

import traitlets

from tbwidget.options import option
from tbwidget.options.traits import StepRange


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
    step_overview = option(
        traitlets.Bool(default_value=True),
        """Show a strip of all steps below the toolbar of scalars, with handles for `step_range`. Type: bool. Default:
        True.""",
    )
    empty_cards = option(
        traitlets.Bool(default_value=False),
        """Show the charts of tags for which no shown run has data. Type: bool. Default: False.""",
    )
