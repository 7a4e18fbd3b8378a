"""What is known of the runs besides their data: the hyperparameters that they were begun with.

It belongs to no panel: the list of runs sorts, groups and colors by it, whatever is shown beside it.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import DocumentContent

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.hparams import HParams


class RunAttributes(NamedTuple):
    """The attributes of all runs."""

    revision: bytes
    """They themselves, as JSON: `names`, and for each run of `runs` its `values`, as many; null where it has none."""

    def encode(self) -> bytes:
        """As JSON."""
        return self.revision


class RunAttributesContent(DocumentContent):
    """One document: the hyperparameters of every run that has some."""

    kind = "run_attributes"
    push_bytes = 16_000_000

    @property
    def sources(self) -> tuple[str, ...]:
        """What of the logs holds them."""
        return ("hparams",)

    def key_of(self, _run: str, _tag: str) -> tuple[str, str]:
        """One document of the directory."""
        return "", ""

    def read(self, logs: Logs, _run: str, _tag: str) -> RunAttributes:
        """The document. A trial's group is a name of it, too: runs may be called so."""
        names: dict[str, int] = {}
        values: dict[str, dict[int, Any]] = {}
        for trial in logs.hparams(metrics=False):
            row = {names.setdefault(name, len(names)): _plain(value) for name, value in trial.values.items()}
            values[trial.run] = row
            if trial.group:
                values.setdefault(_named_group(logs, trial), row)
        rows = [[row.get(place) for place in range(len(names))] for row in values.values()]
        document = {
            "names": [*map(escape_surrogates, names)],
            "runs": [*map(escape_surrogates, values)],
            "values": rows,
        }
        return RunAttributes(json.dumps(document, separators=(",", ":")).encode("ascii"))


def _named_group(logs: Logs, trial: HParams) -> str:
    """A trial's group as a run of its directory would be called."""
    above = [f"{name}/" for name in logs.source.paths if name and trial.run.startswith(f"{name}/")]
    return f"{above[0] if above else ''}{trial.group}"


def _plain(value: Any) -> float | bool | str | None:
    """What JSON has and people compare: a number that it has not, a list, a mapping as text."""
    if isinstance(value, str):
        return escape_surrogates(value)
    if value is None or isinstance(value, bool) or (isinstance(value, int | float) and math.isfinite(value)):
        return value
    return escape_surrogates(str(value))


RUN_ATTRIBUTES = RunAttributesContent()
