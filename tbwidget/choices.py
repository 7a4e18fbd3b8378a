"""What a user chooses on the dashboard, as traits: set from Python or in the browser, at any time."""

from __future__ import annotations

import math
import operator
import re
from typing import Any

import traitlets

_COLOUR = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)


class _Step(traitlets.Int):  # type: ignore[type-arg]  # older traitlets take none
    """A step: any whole number, numpy's too."""

    def validate(self, obj: Any, value: Any) -> int:
        try:
            return operator.index(value)
        except TypeError:
            self.error(obj, value)


def _synced(trait: Any) -> Any:
    # The browser knows what it has just set: an echo could only bring old values back.
    return trait.tag(sync=True, echo_update=False, choice=True)


class Choices(traitlets.HasTraits):
    """The user's choices, given by keyword or set at any time; a wrong value raises `TraitError`.

    The browser keeps them too, under the log directory: running the cell again or reloading the page brings back what
    was chosen there, but for what was given in Python.
    """

    selected_runs = _synced(traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True))
    """Names of the runs shown. Type: list of str or None. Default: None, all of them (of more than 500 runs, none)."""

    run_colors = _synced(traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Unicode()))
    """Colours of runs that shall not have the one they are given. Type: dict of str to "#rrggbb". Default: {}."""

    run_filter = _synced(traitlets.Unicode(""))
    """Only runs whose names match are listed, and shown if selected. Type: str, a regular expression as in JavaScript,
    found anywhere in the name, upper and lower case alike. Default: ""."""

    tag_filter = _synced(traitlets.Unicode(""))
    """Only tags that match are shown. Type: str, a regular expression like that of `run_filter`. Default: ""."""

    smoothing = _synced(traitlets.Float(0.6, min=0.0, max=0.999))
    """Weight of the past in the smoothed lines; 0 for none. Type: float, 0 to 0.999. Default: 0.6."""

    x_axis = _synced(traitlets.Enum(("step", "relative", "wall"), default_value="step"))
    """What runs from left to right: steps, the time since the first point of each line, or the time of day.
    Type: "step", "relative" or "wall". Default: "step"."""

    log_y = _synced(traitlets.List(traitlets.Unicode()))
    """Tags whose values are drawn on a logarithmic axis. Type: list of str. Default: []."""

    ignore_outliers = _synced(traitlets.Bool(default_value=True))
    """Fit the value axis without values that are farther from the middle 90 % than these are from one another.
    Type: bool. Default: True."""

    step_range = _synced(traitlets.Tuple(_Step(), _Step(), default_value=None, allow_none=True))
    """First and last step in sight, in all charts alike while `x_axis` is "step". Type: tuple of two int, or None.
    Default: None, all of them."""

    pinned = _synced(traitlets.List(traitlets.Unicode()))
    """Tags whose charts come first. Type: list of str. Default: []."""

    height = _synced(traitlets.Int(640, min=200))
    """Largest height in CSS pixels; more charts than fit are scrolled to. Type: int, at least 200. Default: 640."""

    _given = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Names of the choices made in Python: the browser keeps to those."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        choices = self.class_trait_names(choice=True)
        super().__init__(*args, _given=[name for name in choices if name in kwargs], **kwargs)
        self.observe(self._note_given, choices)

    def _note_given(self, change: Any) -> None:
        # While the browser's own choice is taken over, the widget holds it in its lock.
        if change.name not in self._given and change.name not in getattr(self, "_property_lock", ()):
            self._given = [*self._given, change.name]

    @traitlets.validate("run_colors")
    def _check_colours(self, proposal: Any) -> dict[str, str]:
        for run, colour in proposal.value.items():
            if not _COLOUR.fullmatch(colour):
                raise traitlets.TraitError(f"run_colors: a colour is written as '#1f77b4', not as {colour!r} ({run!r})")
        return {run: _six_digits(colour) for run, colour in proposal.value.items()}

    @traitlets.validate("smoothing")
    def _check_smoothing(self, proposal: Any) -> float:
        if math.isnan(proposal.value):
            raise traitlets.TraitError("smoothing is a number from 0 to 0.999")
        return float(proposal.value)

    @traitlets.validate("step_range")
    def _check_range(self, proposal: Any) -> tuple[int, int] | None:
        steps: tuple[int, int] | None = proposal.value
        if steps is not None and steps[0] > steps[1]:
            raise traitlets.TraitError(f"step_range: the first step comes first, unlike in {steps!r}")
        return steps


def _six_digits(colour: str) -> str:
    digits = colour[1:].lower()
    return "#" + ("".join(2 * digit for digit in digits) if len(digits) == len("rgb") else digits)
