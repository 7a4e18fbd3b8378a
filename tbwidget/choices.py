"""What a user chooses on the dashboard, as traits: set from Python or in the browser, at any time."""

from __future__ import annotations

import json
import math
import operator
import re
import threading
from typing import Any

import anywidget
import traitlets

from tbwidget.panels import PANELS

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

    panel = _synced(traitlets.Enum((None, *PANELS), default_value=None, allow_none=True))
    """What is shown, of the kinds that there are: the name of a panel, such as "scalars". Type: str or None.
    Default: None, the first that has data."""

    linked_step = _synced(_Step(None, allow_none=True))
    """The step pointed out in all charts: where one has no value at it, the last before. Type: int or None.
    Default: None. A click on a chart sets it."""

    histogram_mode = _synced(traitlets.Enum(("offset", "overlay", "heatmap"), default_value="offset"))
    """How histograms are drawn: each step as a ridge, all upon one another, or as colours along steps and values.
    Type: "offset", "overlay" or "heatmap". Default: "offset"."""

    log_counts = _synced(traitlets.List(traitlets.Unicode()))
    """Tags whose histograms are drawn with logarithmic counts. Type: list of str. Default: []."""

    overlay_runs = _synced(traitlets.Bool(default_value=False))
    """Draw the runs of a tag in one plot, not side by side: histograms, distributions. Type: bool. Default: False."""

    height = _synced(traitlets.Int(640, min=200))
    """Largest height in CSS pixels; more charts than fit are scrolled to. Type: int, at least 200. Default: 640."""

    _given = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Names of the choices made in Python: the browser keeps to those."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        choices = self.class_trait_names(choice=True)
        super().__init__(*args, _given=[name for name in choices if name in kwargs], **kwargs)
        self.observe(self._note_given, choices)

    def _note_given(self, change: Any) -> None:
        if change.name not in self._given and not self._is_of_the_browser(change.name):
            self._given = [*self._given, change.name]

    def _is_of_the_browser(self, name: str) -> bool:
        """Whether a choice is being taken over from the browser, as it was made there."""
        # While it is taken over, the widget holds it in its lock.
        lock = getattr(self, "_property_lock", {})
        return name in lock and json.loads(json.dumps(getattr(self, name))) == lock[name]

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


class SharedChoices(Choices, anywidget.AnyWidget):
    """Choices that Python and the browser agree about, though what the browser says may be heard late.

    The browser may choose while the kernel is busy; what Python sets until that is heard was set later, and holds. Both
    sides count how often Python has set a choice, and the browser says which count it had seen when it chose.
    """

    _set_count = traitlets.Dict().tag(sync=True)
    """How often each choice was set in Python, by name."""

    _chosen = traitlets.Dict().tag(sync=True, echo_update=False)
    """Those counts as the browser knew them when it made its choices, by name."""

    def setup_instance(*args: Any, **kwargs: Any) -> None:  # noqa: D102 (as traitlets has it)
        self = args[0]
        # Before all else: widgets whose making fails set traits too, when they are closed.
        self._lock = threading.RLock()
        super(SharedChoices, self).setup_instance(*args[1:], **kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; traits one after the other, whatever thread sets them."""
        if not self.has_trait(name):
            super().__setattr__(name, value)
            return
        with self._lock:
            super().__setattr__(name, value)

    def set_trait(self, name: str, value: Any) -> None:
        """Set a trait, also one that is read-only. May be called from any thread."""
        with self._lock:
            super().set_trait(name, value)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over choices made in the browser, but for those that Python made later; from any thread."""
        with self._lock:
            chosen = sync_data.get("_chosen")
            seen = chosen if isinstance(chosen, dict) else {}
            late = [name for name in sync_data if isinstance(seen.get(name), int) and seen[name] < self._count(name)]
            super().set_state({name: value for name, value in sync_data.items() if name not in late})
            if late:
                self.send_state([*late, "_set_count"])

    def notify_change(self, change: Any) -> None:
        """Send a choice made in Python to the browser, with its count. May be called from any thread."""
        with self._lock:
            name = change["name"]
            if name not in _NAMES or self._is_of_the_browser(name):
                super().notify_change(change)
                return
            with self.hold_sync():
                self._set_count = {**self._set_count, name: self._count(name) + 1}
                super().notify_change(change)

    def repeat_choices(self) -> None:
        """Send what was chosen in Python once more: messages are lost where a cell prints too much."""
        with self._lock:
            self.send_state([*self._set_count, "_set_count"])

    def _count(self, name: str) -> int:
        count: int = self._set_count.get(name, 0)
        return count


_NAMES = frozenset(Choices.class_trait_names(choice=True))


def _six_digits(colour: str) -> str:
    digits = colour[1:].lower()
    return "#" + ("".join(2 * digit for digit in digits) if len(digits) == len("rgb") else digits)
