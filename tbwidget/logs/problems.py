"""Problems of a log directory: what could not be read or shown, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from tbwidget.reasons import Reason, text_reason

MAX_LISTED = 1000
"""Problems of each sort kept of one file."""

_MAX_FAILURES = 10_000  # kept at once


class Problem(NamedTuple):
    """Something in a log directory that was passed over; everything else was read."""

    path: str
    """Relative to the log directory."""
    offset: int | None
    """Bytes from the start of the file, where it is about a place in one."""
    message: str
    """Description of the problem, in English."""

    @property
    def code(self) -> str:
        """A stable identifier of the problem; docs/problems.md lists them."""
        return text_reason(self.message).code

    @property
    def arguments(self) -> dict[str, Any]:
        """The values in the message, by name; JSON can hold them."""
        return text_reason(self.message).arguments

    @property
    def place(self) -> str:
        """Path, and offset where there is one."""
        return self.path if self.offset is None else f"{self.path} at byte {self.offset}"

    def __str__(self) -> str:
        """Path, offset and message in one line."""
        return f"{self.place}: {self.message}"


class ValueProblems:
    """Problems with values of one file, found by those who asked for them: in whichever thread, without a lock."""

    def __init__(self, name: str, changed: Callable[[], None]) -> None:
        """`name` is the file's, relative to the log directory; `changed` is called after each new problem."""
        self._name = name
        self._changed = changed
        self._found: dict[tuple[int, int], Problem] = {}
        self._ended = False

    def __iter__(self) -> Iterator[Problem]:
        """Problems found so far."""
        return iter(list(self._found.values()))

    def add(self, offset: int, place: int, reason: Reason) -> None:
        """Add a problem with the value at a place in the event of the record at an offset. Once for each value."""
        if self._ended or (offset, place) in self._found or len(self._found) >= MAX_LISTED:
            return
        self._found[offset, place] = Problem(self._name, offset, reason)
        self._changed()

    def end(self) -> None:
        """Take no more: the file is another one now."""
        self._ended = True


class ReportedProblems:
    """Problems that programs which show the logs report. The owner ensures that one thread uses it at a time."""

    def __init__(self) -> None:
        self._failures: dict[tuple[str, str, str], Reason] = {}  # by kind, run and tag
        self._problems: dict[str, list[Problem]] = {}  # by what found them

    @property
    def has_failures(self) -> bool:
        """Whether some series, item or document could not be read or shown."""
        return bool(self._failures)

    def add_failure(self, kind: str, run: str, tag: str, reason: Reason) -> bool:
        """Add the reason why something cannot be read or shown; return whether that is new."""
        name = kind, run, tag
        if self._failures.get(name) == reason or (name not in self._failures and len(self._failures) >= _MAX_FAILURES):
            return False
        self._failures[name] = reason
        return True

    def remove_failure(self, kind: str, run: str, tag: str) -> bool:
        """Remove a failure; return whether there was one."""
        return self._failures.pop((kind, run, tag), None) is not None

    def replace(self, source: str, problems: list[Problem]) -> bool:
        """Replace the problems that a source reported; return whether they are others."""
        if self._problems.get(source, []) == problems:
            return False
        self._problems.pop(source, None)
        if problems:
            self._problems[source] = problems
        return True

    def problems(self, exists: Callable[[str, str], bool]) -> Iterator[Problem]:
        """Yield all problems, and remove the failures of runs and tags that do not exist any more.

        A problem that several sources found is listed once.
        """
        yield from dict.fromkeys(chain.from_iterable(self._problems.values()))
        for name in list(self._failures):
            kind, run, tag = name
            if not exists(run, tag):
                del self._failures[name]
                continue
            code = "content-failed" if tag else "run-content-failed" if run else "directory-content-failed"
            given = {"kind": kind, "run": run, "tag": tag, "reason": self._failures[name]}
            yield Problem(run or ".", None, Reason(code, **given))
