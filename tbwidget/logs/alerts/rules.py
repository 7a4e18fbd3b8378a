"""The rules of alerts, their thresholds, and the tags that they apply to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any, NamedTuple

from tbwidget.reasons import text_reason

KINDS = ("scalars",)
"""The kinds of data that alerts are about."""

NON_FINITE = "non-finite"
DIVERGED = "diverged"
PLATEAU = "plateau"
STALLED = "stalled"


class Alert(NamedTuple):
    """Something about a run that needs attention."""

    run: str
    tag: str
    step: int
    """Where it began: the first non-finite or diverged point, the last improvement, the last point before a stall."""
    rule: str
    """One of "non-finite", "diverged", "plateau" and "stalled"."""
    message: str
    """Description in English."""
    wall_time: float
    """When the point at this step was written: seconds since the epoch."""

    @property
    def code(self) -> str:
        """A stable identifier of the message."""
        return text_reason(self.message).code

    @property
    def arguments(self) -> dict[str, Any]:
        """The values in the message, by name; JSON can hold them."""
        return text_reason(self.message).arguments

    def __str__(self) -> str:
        """Run, tag, step and message in one line."""
        return f"{self.run}: {self.tag} at step {self.step}: {self.message}"


@dataclass(frozen=True, slots=True)
class AlertRules:
    """Which rules apply, and their thresholds."""

    non_finite: bool = True
    """Whether NaN and infinities raise an alert."""
    diverged: float | None = 0.5
    """Share of the improvement that is lost again; None: off."""
    diverged_noise: float = 6.0
    """How many times the noise of a curve it must rise, too."""
    plateau_steps: int | None = None
    """Steps without an improvement; None: off."""
    plateau_minutes: float | None = None
    """Minutes without an improvement; None: off."""
    stalled_intervals: float | None = 10.0
    """Usual intervals without a point; None: off."""
    stalled_seconds: float = 120.0
    """Seconds without a point before any run counts as stalled."""


_DEFAULTS = AlertRules()
_OPTIONAL = ("diverged", "plateau_steps", "plateau_minutes", "stalled_intervals")


def checked_rules(given: Mapping[str, Any]) -> AlertRules:
    """Return the rules with some thresholds replaced. Raises ValueError for an unknown name or a wrong value."""
    names = [field.name for field in fields(AlertRules)]
    for name, value in given.items():
        if name not in names:
            near = get_close_matches(str(name), names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
            raise ValueError(f"there is no threshold {name!r}: {hint}")
        if name == "non_finite":
            if not isinstance(value, bool):
                raise ValueError(f"non_finite is True or False, not {value!r}")
        elif value is None:
            if name not in _OPTIONAL:
                raise ValueError(f"{name} is a number, not None")
        elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
            raise ValueError(f"{name} is a number above 0{', or None' if name in _OPTIONAL else ''}, not {value!r}")
    return AlertRules(**{**asdict(_DEFAULTS), **given})


_SMALLER = re.compile(
    r"(?<![a-z])(?:loss(?:es)?|cost|perplexity|ppl|nll|cross[^a-z]?entropy|xent|error|rmse|mse|mae|wer|cer)(?![a-z])"
)
_LARGER = re.compile(r"(?<![a-z])(?:accuracy|acc|rewards?|rew|returns?|auc|auroc|f1|bleu|top[^a-z]?\d)(?![a-z])")
_SIDE = re.compile(
    r"(?<![a-z])(?:reg|regulari[sz](?:ation|er)|penalty|decay|lr|learning[^a-z]?rate|time|times|grads?|gradients?|norms?"
    r"|scale|weight|std|var|min|ema)(?![a-z])"
)
_PLAIN = re.compile(
    r"(?<![a-z])(?:val|valid|validation|test|eval|evaluation|dev|train|training|total|mean|avg|average|epochs?|steps?|batch"
    r"|ep|episode|top|rollout|metrics?|vs|iterations?|summary|categorical|sparse|binary|smoothed|lm|model|score"
    r"|episodic|cumulative|charts?|env(?:ironment)?|runners|ray|tune)(?![a-z])"
)
_MAX_TAG_CHARACTERS = 200


def direction_of(tag: str) -> int:
    """Return -1 where smaller values are better, 1 where larger ones are, 0 where the name does not tell.

    A part of a total, such as the loss of an actor or of a discriminator, may rise while the training goes well: its
    direction is not known. Twin of directionOf in js/src/lib/headline.ts.
    """
    if len(tag) > _MAX_TAG_CHARACTERS:
        return 0
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", tag).lower()
    if _SIDE.search(name):
        return 0
    smaller, larger = _SMALLER.search(name), _LARGER.search(name)
    if (smaller is None) == (larger is None):
        return 0
    rest = _PLAIN.sub("", _SMALLER.sub("", _LARGER.sub("", name)))
    if any(character.isalpha() for character in rest):
        return 0
    return -1 if smaller else 1
