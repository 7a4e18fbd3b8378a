"""All data of a log directory, to the last bit, to compare a reading from the cache with one of the logs."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tbwidget
from tbwidget.logs.source import Changes
from tbwidget.records.values.attachments import META_GRAPH, RUN_GRAPH, RUN_METADATA, STEP_GRAPH


def contents(logs: tbwidget.LogDir) -> dict[Any, Any]:
    """Return all data of a log directory, with each array as its bytes."""
    source = logs.source
    found: dict[Any, Any] = {"runs": logs.runs, "tags": logs.tags(), "numbers": source.run_numbers()}
    for kind, runs in logs.tags().items():
        for run, tags in runs.items():
            for tag in tags:
                found[kind, run, tag] = str(logs.metadata(run, tag))
                for superseded in (False, True):
                    found[kind, run, tag, superseded] = _values(logs, kind, run, tag, superseded=superseded)
    for run in logs.runs:
        for what in (RUN_GRAPH, META_GRAPH, RUN_METADATA, STEP_GRAPH):
            for tag in ("", *(tag for runs in logs.tags().values() for tag in runs.get(run, ()))):
                attachment = source.attachment(run, what, tag)
                found[run, what, tag] = None if attachment is None else str(attachment[0][1:3] + attachment[1:])
    found["hparams"] = repr(logs.hparams())
    found["problems"] = [(each, each.code, each.arguments) for each in logs.problems]
    found["empty"] = source.empty_files
    return found


def _values(logs: tbwidget.LogDir, kind: str, run: str, tag: str, *, superseded: bool) -> Any:
    if kind == "scalars":
        series = logs.scalars(run, tag, superseded=superseded)
        return series.superseded, *(column.tobytes() for column in (series.step, series.wall_time, series.value))
    if kind in ("graphs", "run_metadata", "embeddings"):
        return None
    items = logs.source.items(run, tag, kind, superseded=superseded)
    columns = (items.step, items.wall_time, items.samples, items.form)
    return items.superseded, [str(value) for value in items.values()], *(column.tobytes() for column in columns)


def cold(path: Any, options: Mapping[str, Any] | None = None) -> dict[Any, Any]:
    """Return the data of the logs themselves."""
    return contents(tbwidget.load(path, cache=False, storage_options=options))


def keep(path: Any) -> dict[Any, Any]:
    """Read logs, perhaps from the cache, and write the cache; return their data."""
    with tbwidget.load(path) as logs:
        return contents(logs)


def settle(directory: Path, seconds: float = 100.0) -> None:
    """Set the times of all files back, as if nothing had been written for some time."""
    for path in directory.rglob("*"):
        if path.is_file():
            os.utime(path, (time.time() - seconds,) * 2)


def changed(changes: list[Changes]) -> set[tuple[str, str, str]]:
    """Return the series that changes name."""
    return set().union(*(each.series for each in changes))
