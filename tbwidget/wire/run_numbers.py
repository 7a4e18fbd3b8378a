"""The numbers of runs, from which the browser takes their colors: the same in every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tbwidget.logs.natural import natural_key

if TYPE_CHECKING:
    from collections.abc import Collection


class NumberedRuns(Protocol):
    """The part of a `LogSource` that is needed here."""

    def run_numbers(self) -> dict[str, int]:
        """A number for each run, the same for all who ask."""


class RunNumbers:
    """Numbers by run. Provisional (places in natural order) until the first pass has ended; then none changes."""

    def __init__(self, logs: NumberedRuns) -> None:
        self._logs = logs
        self._numbers: dict[str, int] = {}
        self._sent: dict[str, int] = {}
        self._final = False
        self.changed: dict[str, None] = {}
        """Runs whose numbers are others than those sent last."""

    def of(self, run: str) -> int:
        """The number of a run, which is sent now; -1 if it has none yet."""
        number = self._numbers.get(run, -1)
        self._sent[run] = number
        self.changed.pop(run, None)
        return number

    def update(self, runs: Collection[str], *, ready: bool) -> None:
        """There are these runs now."""
        if not ready:
            self._numbers = {run: place for place, run in enumerate(sorted(runs, key=natural_key))}
        elif not self._final or not all(run in self._numbers for run in runs):
            self._numbers = self._logs.run_numbers()
            self._final = True
        else:
            return
        self.changed = {run: None for run, number in self._sent.items() if self._numbers.get(run, number) != number}
