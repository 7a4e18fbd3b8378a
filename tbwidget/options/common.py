"""The options that every dashboard has, and those that several panels share."""

from __future__ import annotations

from typing import Any

import traitlets

from tbwidget.language import LANGUAGES
from tbwidget.logs.alerts.rules import checked_rules
from tbwidget.options.traits import ExactDict, Grouping, NamedRanges, Pattern, Step, StepRange, option


class BoardOptions(traitlets.HasTraits):
    """Which runs and tags are shown, and how much room they take."""

    panel = option(
        traitlets.Enum((None,), default_value=None, allow_none=True),
        """The panel that is shown. Type: the name of a panel, or None. Default: None, the first that has data.""",
        shared=False,
    )
    selected_runs = option(
        traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True),
        """Names of the shown runs. Type: list of str, or None. Default: None, all runs; with more than 500 runs, the 50
        that began last until runs are selected.""",
        names="run",
    )
    run_filter = option(
        Pattern(""),
        """List only runs whose names match. Type: str, a JavaScript regular expression, searched anywhere in the name,
        case-insensitive. Default: "".""",
    )
    tag_filter = option(
        Pattern(""),
        """Show only tags that match. Type: str, a regular expression like `run_filter`. Default: "".""",
    )
    run_colors = option(
        traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Unicode()),
        """Colors of runs that replace their automatic ones. Type: dict of str to a CSS color, such as "#1f77b4",
        "tomato" or "hsl(210, 60%, 45%)"; read back as "#rrggbb". Default: {}.""",
        names="run",
    )
    pinned = option(
        traitlets.List(traitlets.Unicode()),
        """Tags whose charts come first; `pin(tag)` adds one. Type: list of str. Default: [].""",
        names="tag",
    )
    group_by = option(
        Grouping(""),
        """How runs are grouped. "folder": by the part of the name before the last slash. "regex:" and a JavaScript
        regular expression, such as "regex:lr=([^,]*)": by the match, or its first group in parentheses. "hparam:" and
        the name of a hyperparameter: by its value. Type: str. Default: "", not grouped.""",
    )
    height = option(
        traitlets.Int(640, min=200),
        """Maximum height in CSS pixels; the rest is reached by scrolling. Type: int, at least 200. Default: 640.""",
    )
    language = option(
        traitlets.Enum(LANGUAGES, default_value=None, allow_none=True),
        """The language of the interface. Type: "en", "ko" (Korean), or None. Default: None, that of the page or else of
        the browser, and English where there are no texts in it.""",
    )
    flush_writers = option(
        traitlets.Bool(default_value=True),
        """Flush the writers of this kernel that log below the log directory, four times a second. Those of tensorboardX
        and TensorFlow hold values back for up to 120 s, as does torch's where TensorFlow is installed. A writer to
        remote or network storage is never flushed; one whose flushes take more than 100 ms no longer is, which is a
        problem. Type: bool. Default: True.""",
        remembered=False,
    )

    alert_rules = option(
        ExactDict(key_trait=traitlets.Unicode()),
        """Thresholds of alerts that replace the usual ones, such as {"plateau_steps": 5000, "stalled_intervals": None}:
        `non_finite`, `diverged`, `diverged_noise`, `plateau_steps`, `plateau_minutes`, `stalled_intervals` and
        `stalled_seconds`, as in docs/alerts.md. All dashboards of the logs share them. Type: dict of str to a number,
        bool or None. Default: {}.""",
        remembered=False,
    )

    @traitlets.validate("alert_rules")
    def _check_alert_rules(self, proposal: Any) -> dict[str, Any]:
        try:
            checked_rules(proposal.value)
        except ValueError as error:
            raise traitlets.TraitError(f"alert_rules: {error}") from None
        return dict(proposal.value)

    @traitlets.validate("run_colors")
    def _check_colors(self, proposal: Any) -> dict[str, str]:
        return {run: _hexadecimal(color, run) for run, color in proposal.value.items()}


class TimeAxisOptions(traitlets.HasTraits):
    """For panels that draw values along steps or time."""

    x_axis = option(
        traitlets.Enum(("step", "relative", "wall", "tag"), default_value="step"),
        """The x axis: steps, the time since the first point of each line, the date and time, or, for scalars only, the
        values of another tag, `x_tag`. Type: "step", "relative", "wall" or "tag". Default: "step".""",
    )
    step_range = option(
        StepRange(),
        """First and last visible step, in all charts, while `x_axis` is "step". Type: tuple of two int, or None.
        Default: None, all steps.""",
        remembered=False,
    )
    linked_step = option(
        Step(None, allow_none=True),
        """The step that all charts mark: each shows its last value at or before it. A click on a chart sets it. Type:
        int or None. Default: None.""",
        remembered=False,
    )
    ignore_outliers = option(
        traitlets.Bool(default_value=True),
        """Fit the y axis without outliers: values whose distance from the middle 90 % exceeds the width of that middle,
        and runs that would leave less than a tenth of the axis to the others. Type: bool. Default: True.""",
    )


class NamedRangeOptions(traitlets.HasTraits):
    """For panels with steps."""

    named_ranges = option(
        NamedRanges(),
        """Ranges of steps with names, such as [("warm-up", 0, 500), ("lr drop", 1200, 1200)]: bands in all charts along
        steps or times and marks at the sliders of steps, or a line where first and last step are equal. At most 100,
        with names of up to 80 characters. Type: list of (str, int, int). Default: [].""",
    )


class LogValueOptions(traitlets.HasTraits):
    """For panels with an axis of values in every card."""

    log_y = option(
        traitlets.List(traitlets.Unicode()),
        """Tags with a logarithmic y axis. Type: list of str. Default: [].""",
    )


class StepOverviewOptions(traitlets.HasTraits):
    """For panels whose charts stand along steps."""

    step_overview = option(
        traitlets.Bool(default_value=True),
        """Show a strip of all steps at the foot of charts along steps, with handles for `step_range`. Type: bool.
        Default: True.""",
    )


class OverlayRunsOptions(traitlets.HasTraits):
    """For panels that draw runs side by side, unless they are wanted in one plot."""

    overlay_runs = option(
        traitlets.Bool(default_value=False),
        """Draw the runs of a tag in one plot, not side by side. Type: bool. Default: False.""",
    )


def _hexadecimal(color: str, run: str) -> str:
    """The color as #rrggbb."""
    from PIL import ImageColor  # noqa: PLC0415 (only where colors are given)

    try:
        channels = ImageColor.getrgb(color.strip())[:3]
    except ValueError:
        expected = f"run_colors: a color is written as '#1f77b4' or 'tomato', not as {color!r} ({run!r})"
        raise traitlets.TraitError(expected) from None
    # As in CSS: a number beyond the range, such as rgb(300, 0, 0), counts as its end.
    return "#" + "".join(f"{min(max(channel, 0), 255):02x}" for channel in channels)
