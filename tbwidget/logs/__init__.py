"""From records to what a user asks for: runs, series, problems, and the thread that keeps them up to date."""

from __future__ import annotations

import os

from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.logs.reader import Changes
from tbwidget.logs.series import Scalars, TagMetadata

__all__ = ["Changes", "LogDir", "Problem", "Scalars", "TagMetadata", "load"]


def load(path: str | os.PathLike[str]) -> LogDir:
    """Read all event files below a directory.

    Raises FileNotFoundError if there is nothing at `path`, NotADirectoryError if it is no directory. What cannot be
    read below it is listed in `problems`.
    """
    logs = LogDir(path)
    if not logs.path.exists():
        raise FileNotFoundError(f"no such log directory: {logs.path}")
    if not logs.path.is_dir():
        raise NotADirectoryError(f"a log directory is wanted, and this is a file: {logs.path}")
    logs.refresh()
    return logs
