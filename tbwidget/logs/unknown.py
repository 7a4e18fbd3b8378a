"""Names that are not there, and what may have been meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import TypeAlias

Names: TypeAlias = str | re.Pattern[str] | Sequence[str] | None
"""Some names: those of a list, a name or else what it matches as a regular expression, all that match a pattern; None:
all."""

_MOST_COMPARED = 5_000
_MOST_LISTED = 5


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` may have been meant for; None if none is like it."""
    names = list(islice(known, _MOST_COMPARED))
    folded = name.casefold()
    for part in (names, [other.rpartition("/")[2] for other in names]):
        if alike := next((other for other, text in zip(names, part, strict=True) if text.casefold() == folded), None):
            return alike
    return next(iter(difflib.get_close_matches(name, names, 1)), None)


def did_you_mean(name: str, known: Collection[str], what: str = "") -> str:
    """The end of a sentence: the name that is close, or else all of them, where `what` they are is said, and few."""
    if (alike := closest(name, known)) is not None:
        return f"; did you mean {alike!r}?"
    if what and 0 < len(known) <= _MOST_LISTED:
        listed = ", ".join(map(repr, known))
        return f"; there is {listed}" if len(known) == 1 else f"; the {what}s are {listed}"
    return ""


class UnknownNameError(KeyError):
    """A run or tag that is not there.

    What may have been meant is looked for only where somebody reads the message: much code asks and goes on.
    """

    def __init__(self, message: str, name: str, known: Callable[[], Collection[str]], what: str) -> None:
        super().__init__(message)
        self._name, self._known, self._what = name, known, what

    def __str__(self) -> str:
        """The message, with a suggestion."""
        return f"{self.args[0]}{did_you_mean(self._name, self._known(), self._what)}"

    def __reduce__(self) -> tuple[type[KeyError], tuple[str]]:
        """As an error that other processes can read."""
        return KeyError, (str(self),)


def chosen(names: Names, known: Sequence[str], message: Callable[[str], str], what: str) -> list[str]:
    """Those of the known names that are meant, without repetitions; `message` says of a name that it is not there."""
    if names is None:
        return list(known)
    if isinstance(names, re.Pattern):
        return [name for name in known if names.search(name)]
    unknown = [name for name in ([names] if isinstance(names, str) else names) if name not in known]
    if isinstance(names, str) and unknown:
        try:
            found = [name for name in known if re.search(names, name)]
        except re.error as error:
            raise KeyError(f"{message(names)}, and as a regular expression it is wrong: {error}") from None
        if found:
            return found
    if unknown:
        raise UnknownNameError(message(unknown[0]), unknown[0], lambda: known, what)
    return [names] if isinstance(names, str) else list(dict.fromkeys(names))
