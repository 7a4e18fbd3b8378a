"""Content of a log directory, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs

_MAX_RUNS = 3
_MAX_NAME_CHARACTERS = 40  # characters of a run's name


def summary(logs: Logs) -> str:
    """The runs by name, the first of them, and how many tags there are of each kind."""
    runs, tags = logs.runs, logs.tags()
    if not runs:
        return "no runs yet"
    names = [_short(escape_surrogates(run)) for run in runs[:_MAX_RUNS]]
    more = ", …" if len(runs) > len(names) else ""
    counts = [f"{_words(kind)} {len(set().union(*by_run.values()))}" for kind, by_run in tags.items()]
    listed = f"{len(runs)} run{'s' if len(runs) > 1 else ''} ({', '.join(names)}{more})"
    return f"{listed}; tags: {', '.join(counts)}" if counts else listed


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= _MAX_NAME_CHARACTERS else f"{line[: _MAX_NAME_CHARACTERS - 1]}…"


def _words(kind: str) -> str:
    return kind.replace("_", " ")
