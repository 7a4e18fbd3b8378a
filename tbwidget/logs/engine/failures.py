"""What of a log directory could not be read or shown, as those who tried to report it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from tbwidget.logs.problems import Problem
from tbwidget.reasons import Reason

Name = tuple[str, str, str]
"""Kind, run and tag."""

_MOST = 10_000  # kept at once


class Failures:
    """The last reason for each (kind, run, tag) that failed. Its owner sees to it that one thread uses it at a time."""

    def __init__(self) -> None:
        self._reasons: dict[Name, Reason] = {}
        self._problems: dict[str, list[Problem]] = {}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._reasons)

    def replace(self, source: str, problems: list[Problem]) -> bool:
        """Take these as the problems of a source; False if they were known."""
        if self._problems.get(source, []) == problems:
            return False
        self._problems.pop(source, None)
        if problems:
            self._problems[source] = problems
        return True

    def add(self, name: Name, reason: Reason) -> bool:
        """Note a failure; False if it was known."""
        if self._reasons.get(name) == reason or (name not in self._reasons and len(self._reasons) >= _MOST):
            return False
        self._reasons[name] = reason
        return True

    def remove(self, name: Name) -> bool:
        """Forget a failure; False if there was none."""
        return self._reasons.pop(name, None) is not None

    def problems(self, is_there: Callable[[str, str], bool]) -> Iterator[Problem]:
        """A problem for each, but for runs and tags that are not there any more: these are forgotten.

        Several sources may find the same problem; it is listed once.
        """
        yield from dict.fromkeys(chain.from_iterable(self._problems.values()))
        for name in list(self._reasons):
            kind, run, tag = name
            if not is_there(run, tag):
                del self._reasons[name]
                continue
            code = "content-failed" if tag else "run-content-failed" if run else "directory-content-failed"
            given = {"kind": kind, "run": run, "tag": tag, "reason": self._reasons[name]}
            yield Problem(run or ".", None, Reason(code, **given))
