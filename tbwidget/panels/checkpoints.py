"""The checkpoints of all runs, which every dashboard is sent: charts mark them, and the list of runs counts them.

One document, JSON in ASCII, by columns, in order of step:

| field | meaning |
|---|---|
| `directories` | `[name, path]` of each directory that was searched; in a saved page the path is the name. |
| `runs` | names of the runs that have some. |
| `owners` | lists of indices of runs. |
| `owner`, `directory` | one index a checkpoint; the directory is -1 for a checkpoint that a log names. |
| `names` | the path below the directory, or what the log says; lone surrogates stand for bytes that are no UTF-8. |
| `formats`, `steps`, `epochs`, `times` | as `LogDir.checkpoints` has them; steps are text, unknown is null. |
| `left_out` | count of those that would make the document too large. |
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tbwidget.records.values.attachments import CHECKPOINTS
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import DocumentContent

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.checkpoints import Checkpoint
    from tbwidget.logs.source import LogSource

MAX_NAMES_BYTES = 2_000_000
"""Upper bound for the names in the document; the first steps are left out."""


class CheckpointsContent(DocumentContent):
    """One document: the checkpoints of every run."""

    kind = CHECKPOINTS
    prefetch_bytes = 4 * MAX_NAMES_BYTES
    in_background = True  # it asks for the time of each file

    def __init__(self, *, has_paths: bool = True) -> None:
        self._has_paths = has_paths

    def listed(self, logs: Logs) -> dict[str, list[str]]:
        """Return the runs that have checkpoints: without any there is no document."""
        return {run: [""] for run in logs.source.runs_with_checkpoints()}

    def key_of(self, _run: str, _tag: str) -> tuple[str, str]:
        """Return the one key of all runs."""
        return "", ""

    def saved(self) -> CheckpointsContent:
        """The same without the paths of directories."""
        return CheckpointsContent(has_paths=False)

    def read(self, logs: Logs, _run: str, _tag: str) -> CheckpointsDocument:
        """Return the document without asking for any file yet."""
        return CheckpointsDocument(logs.source, logs.source.checkpoints_revision(), self._has_paths)


@dataclass(frozen=True)
class CheckpointsDocument:
    """The document of all checkpoints."""

    source: LogSource
    revision: Hashable
    """Changes with the checkpoints. A file that is written again under its name changes nothing."""
    has_paths: bool

    def encode(self) -> bytes:
        """Compose the document, with the times that the files have now."""
        kept, left_out = _kept(self.source.every_checkpoint())
        names: dict[str, int] = {}
        owners: dict[tuple[str, ...], int] = {}
        directories = {root.path: root.last_part for root in self.source.checkpoint_roots}
        places = {path: place for place, path in enumerate(directories)}
        rows: list[list[Any]] = []
        for each, runs in kept:
            owner = owners.setdefault(runs, len(owners))
            name = each.path.removeprefix(each.directory).lstrip("/") if each.directory else each.path
            if not each.directory and not self.has_paths:
                name = name.replace("\\", "/").rpartition("/")[2]
            step = None if each.step is None else str(each.step)
            wall_time = each.wall_time if math.isfinite(each.wall_time) else None
            place = places.get(each.directory, -1)
            rows.append([owner, place, name, each.format, step, each.epoch, wall_time])
        columns = list(zip(*rows, strict=True)) or [()] * 7
        document = {
            "directories": [[name, path if self.has_paths else name] for path, name in directories.items()],
            "owners": [[names.setdefault(run, len(names)) for run in runs] for runs in owners],
            "runs": [escape_surrogates(run) for run in names],
            **dict(zip(("owner", "directory", "names", "formats", "steps", "epochs", "times"), columns, strict=True)),
            "left_out": left_out,
        }
        return json.dumps(document, separators=(",", ":"), allow_nan=False).encode("ascii")


def _kept(every: Iterable[tuple[Checkpoint, tuple[str, ...]]]) -> tuple[list[tuple[Checkpoint, tuple[str, ...]]], int]:
    """Return as many of the last checkpoints as fit, and the count of the others."""
    found = list(every)
    size = 0
    for place in range(len(found) - 1, -1, -1):
        size += len(found[place][0].path)
        if size > MAX_NAMES_BYTES:
            return found[place + 1 :], place + 1
    return found, 0


CONTENT = CheckpointsContent()
