"""How an option is declared."""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Iterable
from typing import Any

import traitlets

from tbwidget.options.patterns import pattern_error
from tbwidget.texts import escape_surrogates, shorten
from tbwidget.wire.columns import EXACT_INTEGER


def option(trait: Any, doc: str, *, remembered: bool = True, shared: bool = True, names: str | None = None) -> Any:
    """Make a trait an option of the user's, which the browser keeps in step.

    `doc` gives its effect, type and default, and becomes part of the dashboard's docstring. `remembered` options are
    restored when the cell is run again; view state (zoom, linked step) is not. Those that are `shared` as well are the
    same in all pages of a board. `names` is "run" or "tag" if the option holds such names: unknown ones are waited for,
    with a warning.
    """
    trait.help = " ".join(doc.split())
    # The page knows what it has just set: an echo could only bring old values back. Other pages hear it by `set_state`.
    tags = {"option": True, "remembered": remembered, "shared": remembered and shared, "names": names}
    return trait.tag(sync=True, echo_update=False, **tags)


def options_of(classes: Iterable[type[traitlets.HasTraits]]) -> dict[str, str]:
    """The options that these classes declare, in the order of their declarations: name -> doc."""
    found: dict[str, str] = {}
    for owner in classes:
        for name, trait in vars(owner).items():
            if isinstance(trait, traitlets.TraitType) and trait.metadata.get("option"):
                found.setdefault(name, trait.help)
    return found


_INTEGER = re.compile(r"-?\d{1,40}")


def _to_json(value: Any, _owner: Any = None) -> Any:
    if isinstance(value, tuple):
        return [*map(_to_json, value)]
    # A larger one is no number of JavaScript's: it travels as text.
    return str(value) if value is not None and abs(value) > EXACT_INTEGER else value


def _from_json(value: Any, _owner: Any = None) -> Any:
    if isinstance(value, list):
        return tuple(map(_from_json, value))
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else value


_STEP_JSON = {"to_json": _to_json, "from_json": _from_json}


class Step(traitlets.Int):  # type: ignore[type-arg]  # older traitlets take none
    """A step: any whole number, numpy's too."""

    metadata = _STEP_JSON

    def validate(self, obj: Any, value: Any) -> int:
        """The step as an int."""
        try:
            return operator.index(value)
        except TypeError:
            self.error(obj, value)


class StepRange(traitlets.Tuple):
    """A first and a last step, or None."""

    metadata = _STEP_JSON

    def __init__(self) -> None:
        super().__init__(Step(), Step(), default_value=None, allow_none=True)

    def validate(self, obj: Any, value: Any) -> tuple[int, int] | None:
        """The steps as int, in order."""
        steps: tuple[int, int] | None = super().validate(obj, value)
        if steps is not None and steps[0] > steps[1]:
            raise traitlets.TraitError(f"{self.name}: the first step comes first, unlike in {steps!r}")
        return steps


MAX_NAMED_RANGES = 100
MAX_RANGE_NAME_CHARACTERS = 80

_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LEAST_STEP, _GREATEST_STEP = -(2**63), 2**63 - 1


def _ranges_to_json(value: Any, _owner: Any = None) -> Any:
    return [[name, _to_json(first), _to_json(last)] for name, first, last in value]


def _ranges_from_json(value: Any, _owner: Any = None) -> Any:
    if not isinstance(value, list):
        return value
    # A name of digits stays a name.
    return [(one[0], *map(_from_json, one[1:])) if isinstance(one, list) and one else one for one in value]


_RANGES_JSON = {"to_json": _ranges_to_json, "from_json": _ranges_from_json}


class NamedRanges(traitlets.List):  # type: ignore[type-arg]
    """Ranges of steps with names: (name, first step, last step) each."""

    metadata = _RANGES_JSON

    def validate(self, obj: Any, value: Any) -> list[tuple[str, int, int]]:
        """The ranges as tuples of str, int and int."""
        if not isinstance(value, (list, tuple)):
            expected = f"a list of (name, first step, last step) is expected, not {shorten(repr(value))}"
            raise traitlets.TraitError(f"{self.name}: {expected}")
        ranges: list[tuple[str, int, int]] = super().validate(obj, [self._checked(one) for one in value]) or []
        if len(ranges) > MAX_NAMED_RANGES:
            raise traitlets.TraitError(f"{self.name}: at most {MAX_NAMED_RANGES} ranges, not {len(ranges)}")
        return ranges

    def _checked(self, one: Any) -> tuple[str, int, int]:
        shown = shorten(repr(one))
        try:
            name, first, last = one
            steps = (operator.index(first), operator.index(last))
        except (TypeError, ValueError):
            expected = f"(name, first step, last step), such as ('warm-up', 0, 500), not {shown}"
            raise traitlets.TraitError(f"{self.name}: a range is {expected}") from None
        # U+FEFF is blank in JavaScript alone.
        if not isinstance(name, str) or not name.replace("\ufeff", "").strip() or _CONTROL_CHARACTER.search(name):
            raise traitlets.TraitError(f"{self.name}: a name is one line of text, unlike in {shown}")
        name = escape_surrogates(name)
        if len(name) > MAX_RANGE_NAME_CHARACTERS:
            most = f"at most {MAX_RANGE_NAME_CHARACTERS} characters"
            raise traitlets.TraitError(f"{self.name}: a name has {most}, unlike in {shown}")
        if steps[0] > steps[1]:
            raise traitlets.TraitError(f"{self.name}: the first step comes first, unlike in {shown}")
        if steps[0] < _LEAST_STEP or steps[1] > _GREATEST_STEP:
            raise traitlets.TraitError(f"{self.name}: a step has 64 bits, unlike in {shown}")
        return (name, *steps)


class Number(traitlets.Float):  # type: ignore[type-arg]  # likewise
    """A float: anything that Python counts as a real number, numpy's too, but NaN."""

    def validate(self, obj: Any, value: Any) -> float | None:
        """The number as a float."""
        if hasattr(value, "__float__") or hasattr(value, "__index__"):
            try:
                value = float(value)
            except (TypeError, ValueError, OverflowError):
                self.error(obj, value)
        number: float | None = super().validate(obj, value)
        if number is not None and math.isnan(number):
            self.error(obj, value)
        return number


class ExactDict(traitlets.Dict):
    """A dict that tells 1 from True: what holds one in place of the other is announced as a change."""

    def set(self, obj: Any, value: Any) -> None:
        """Set the value, and notify of each change that is one in JSON."""
        before = self.get(obj)
        super().set(obj, value)
        after = self.get(obj)
        if before == after and json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True):
            obj._notify_trait(self.name, before, after)  # noqa: SLF001 (what traitlets' own traits call)


class Pattern(traitlets.Unicode):  # type: ignore[type-arg]
    """A regular expression in the syntax of JavaScript, in which the browser understands it."""

    def validate(self, obj: Any, value: Any) -> str:
        """The text itself; what is typed in the browser is explained there, if it is not a valid regular expression."""
        text: str = super().validate(obj, value)
        self._check_pattern(obj, text, text)
        return text

    def _check_pattern(self, obj: Any, text: str, pattern: str) -> None:
        if not obj.is_from_browser(self.name, text) and (reason := pattern_error(pattern)):
            raise traitlets.TraitError(f"{self.name}: {pattern!r} is not a valid regular expression: {reason}")


class Grouping(Pattern):
    """A grouping of runs: one of some words, "regex:" and an expression of JavaScript, or "hparam:" and a name."""

    def __init__(self, default: str, words: tuple[str, ...] = ("", "folder")) -> None:
        super().__init__(default)
        self._words = words

    def validate(self, obj: Any, value: Any) -> str:
        """The text itself, as for a pattern."""
        text: str = traitlets.Unicode.validate(self, obj, value)
        kind, _, rest = text.partition(":")
        if text not in self._words and not (kind in {"regex", "hparam"} and rest):
            words = ", ".join(map(repr, self._words))
            expected = f"{words}, 'regex:' and an expression, or 'hparam:' and a name"
            raise traitlets.TraitError(f"{self.name}: write {expected}, not {text!r}")
        if kind == "regex":
            self._check_pattern(obj, text, rest)
        return text
