"""Log directories in use by several at once: one reader and one follower for all who look at the same place."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from tbwidget.logs.logdir import LogDir


@dataclass
class _Use:
    logs: LogDir
    path: str | None
    """Its real path, if it was opened here; None for one that was handed in."""
    interval: float | None
    """How one that was handed in was followed before; None if it was not."""
    users: int = 0


_uses: dict[int, _Use] = {}
"""By the identity of the log directory, which an entry keeps alive."""
_opened: dict[str, LogDir] = {}
"""By real path."""
_lock = threading.Lock()


def borrow(logs: LogDir | str | os.PathLike[str]) -> LogDir:
    """A log directory that is followed until everybody who borrowed it has given it back.

    For a path this is the same one for all who name the same place, by whichever links. A `LogDir` of the caller's own
    is followed too, and goes back to what it was.
    Raises `NotADirectoryError` if the path names a file; a directory that does not exist yet is waited for.
    """
    path = None if isinstance(logs, LogDir) else os.path.realpath(logs)
    if path is not None and Path(path).is_file():
        raise NotADirectoryError(f"{os.fspath(path)} is a file: give the directory that holds the event files")
    with _lock:
        if isinstance(logs, LogDir):
            found = logs
        else:
            found = _opened.get(path or "") or LogDir(logs)
            _opened[path or ""] = found
        use = _uses.get(id(found))
        if use is None:
            follower = found._follower  # noqa: SLF001 (a neighbour in this room)
            use = _uses[id(found)] = _Use(found, path, follower.interval if follower else None)
        use.users += 1
        found.follow()
    return found


def give_back(logs: LogDir) -> None:
    """End one borrowing. The last one ends the follower, unless the owner of the log directory had one before."""
    with _lock:
        use = _uses[id(logs)]
        use.users -= 1
        if use.users:
            return
        del _uses[id(logs)]
        if use.path is not None:
            _opened.pop(use.path, None)
    if use.path is not None:
        logs.close()
    elif use.interval is not None:
        logs.follow(use.interval)
    else:
        _stop_following(logs)


def _stop_following(logs: LogDir) -> None:
    # Its close() would drop the subscribers of its owner, too.
    with logs._lock:  # noqa: SLF001 (a neighbour in this room)
        follower, logs._follower = logs._follower, None  # noqa: SLF001
    if follower:
        follower.stop()
