"""Names that are not there, and what may have been meant."""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from tbwidget.language import worded

Names: TypeAlias = str | re.Pattern[str] | Iterable[str | re.Pattern[str]] | None
"""Some names: a str is one exact name, a compiled pattern is searched for, an iterable of both is their union; None is
all. The meaning of a str never depends on the data."""

_MAX_COMPARED = 5_000
_MAX_LISTED = 5
_BETWEEN = frozenset({"tbwidget", "anywidget", "ipywidgets", "traitlets"})


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` may have been meant for; None if none is like it."""
    names = list(islice(known, _MAX_COMPARED))
    folded = name.casefold()
    for part in (names, [other.rpartition("/")[2] for other in names]):
        if alike := next((other for other, text in zip(names, part, strict=True) if text.casefold() == folded), None):
            return alike
    return next(iter(difflib.get_close_matches(name, names, 1)), None)


def did_you_mean(name: str, known: Collection[str], what: str = "", language: str = "en") -> str:
    """The end of a sentence: the name that is close, or else all of them, where `what` they are is said, and few."""
    if (alike := closest(name, known)) is not None:
        return worded("; did you mean {name!r}?", language, name=alike)
    if what and 0 < len(known) <= _MAX_LISTED:
        text = "; there is {names}" if len(known) == 1 else f"; the {what}s are {{names}}"
        return worded(text, language, names=", ".join(map(repr, known)))
    return ""


class UnknownNameError(KeyError):
    """A run or tag that is not there.

    The suggestion is computed only when the message is read: much code catches the error and goes on.
    """

    def __init__(self, message: str, name: str, known: Callable[[], Collection[str]], what: str) -> None:
        super().__init__(message)
        self._name, self._known, self._what = name, known, what

    def __str__(self) -> str:
        """The message, with a suggestion."""
        return self.text("en")

    def text(self, language: str) -> str:
        """The message as it was given, with a suggestion in a language."""
        known = self._known()
        hint = pattern_hint(self._name, known, language)
        return f"{self.args[0]}{f'; {hint}' if hint else did_you_mean(self._name, known, self._what, language)}"

    def __reduce__(self) -> tuple[type[KeyError], tuple[str]]:
        """As an error that other processes can read."""
        return KeyError, (str(self),)


def chosen(names: Names, known: Sequence[str], message: Callable[[str], str] | None, what: str) -> list[str]:
    """Return the known names that are meant, in the order given, without repetitions.

    `message` says of a name that it is not there; that raises UnknownNameError. Without it, such names are passed over.
    Raises TypeError for other objects.
    """
    if names is None:
        return list(known)
    there = set(known)
    found: dict[str, None] = {}
    for one in [names] if isinstance(names, (str, re.Pattern)) else names:
        if isinstance(one, re.Pattern):
            found.update(dict.fromkeys(name for name in known if one.search(name)))
        elif not isinstance(one, str):
            raise TypeError(f"a {what} must be a str or a compiled regular expression, not {one!r}")
        elif one in there:
            found[one] = None
        elif message is not None:
            raise UnknownNameError(message(one), one, lambda: known, what)
    return list(found)


def pattern_hint(name: str, known: Iterable[str], language: str = "en") -> str:
    """Return how an unknown name that is found in others as a regular expression is given as one, else ""."""
    if re.escape(name) == name:
        return ""
    try:
        search = re.compile(name).search
    except re.error:
        return ""
    matches = any(search(other) for other in islice(known, _MAX_COMPARED))
    return worded("a regular expression is given as re.compile({name!r})", language, name=name) if matches else ""


def missing_names_warning(what: str, names: Sequence[str], known: Collection[str]) -> str | None:
    """Return a warning about unknown names of `what` ("run" or "tag"); None if all, or no names at all, are known."""
    missing = [name for name in dict.fromkeys(names) if name not in known]
    if not missing or not known:
        return None
    listed = ", ".join(map(repr, missing[:_MAX_LISTED]))
    more = f" and {len(missing) - _MAX_LISTED} more" if len(missing) > _MAX_LISTED else ""
    is_there, it_is = (f"there is no {what}", "it is") if len(missing) == 1 else (f"there are no {what}s", "they are")
    close = closest(missing[0], known)
    suggestion = f" Did you mean {close!r}?" if close else ""
    return f"{is_there} {listed}{more} yet; {it_is} waited for.{suggestion}"


def warn(message: str) -> None:
    """Warn at the line of the user's that led here."""
    frame, level = sys._getframe(1), 2  # noqa: SLF001 (as warnings itself does)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)
