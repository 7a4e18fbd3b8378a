"""Log directories in use by several at once: one reader and one follower for all who look at the same place."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from tbwidget.logs.logdir import LogDir

_opened: dict[str, tuple[LogDir, int]] = {}
"""By real path: those that were opened here, and how many use each."""
_lock = threading.Lock()


def borrow(logs: LogDir | str | os.PathLike[str]) -> LogDir:
    """A log directory that is followed until everybody who borrowed it has given it back.

    For a path this is the same one for all who name the same place, by whichever links. A `LogDir` of the caller's own
    is followed too, even when its owner closes it, and then goes back to what it was.
    Raises `NotADirectoryError` if the path names a file; a directory that does not exist yet is waited for.
    """
    if isinstance(logs, LogDir):
        logs.hold()
        return logs
    path = os.path.realpath(Path(logs).expanduser())
    if os.path.isfile(path):  # noqa: PTH113 (Path.is_file raises where a mount is lost)
        raise NotADirectoryError(f"{os.fspath(logs)} is a file: give the directory that holds the event files")
    with _lock:
        found, users = _opened.get(path) or (LogDir(logs), 0)
        _opened[path] = found, users + 1
        found.hold()
    return found


def give_back(logs: LogDir) -> None:
    """End one borrowing. The last one ends the follower, unless the owner of the log directory follows it."""
    with _lock:
        for path, (found, users) in _opened.items():
            if found is logs:
                if users > 1:
                    _opened[path] = found, users - 1
                else:
                    del _opened[path]
                break
    logs.release()
