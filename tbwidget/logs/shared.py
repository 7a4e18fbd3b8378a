"""Log directories in use by several at once: one reader and one follower for all who look at the same place."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Mapping
from typing import Any, overload

from tbwidget.logs.accessors import Logs
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.roots import Paths, check_directory, roots_of

_opened: dict[tuple[tuple[str, str, Hashable], ...], tuple[LogDir, int]] = {}
"""By names, real paths and storages: those that were opened here, and how many use each."""
_lock = threading.Lock()


@overload
def acquire(logs: Paths, storage_options: Mapping[str, Any] | None = None) -> LogDir: ...


@overload
def acquire(logs: Logs | Paths, storage_options: Mapping[str, Any] | None = None) -> Logs: ...


def acquire(logs: Logs | Paths, storage_options: Mapping[str, Any] | None = None) -> Logs:
    """A log directory that is followed until everybody who acquired it has released it.

    For one path or several, callers that name the same places get the same object, whatever links they use. For a
    URL it is that only with equal `storage_options`, and nothing is asked of the storage yet. A
    `LogDir` of the caller's own is followed too, even when its owner closes it, and then goes back to what it was.
    Raises `NotADirectoryError` if the path names a file; a directory that does not exist yet is waited for.
    """
    if isinstance(logs, Logs):
        logs.source.hold()
        return logs
    roots = roots_of(logs, (), storage_options)
    for root in roots:
        if root.storage.is_remote:
            continue
        try:
            check_directory(root)
        except NotADirectoryError:
            raise
        except OSError:
            pass  # it may come, or come back
    places = tuple((root.name, root.storage.canonical(root.path), root.storage.key) for root in roots)
    with _lock:
        found, users = _opened.get(places) or (LogDir(logs, storage_options=storage_options), 0)
        found.source.hold()
        _opened[places] = found, users + 1
    return found


def release(logs: Logs) -> None:
    """End one use. The last one ends the follower, unless the owner of the log directory follows it."""
    last: LogDir | None = None
    with _lock:
        for places, (found, users) in _opened.items():
            if found is logs:
                if users > 1:
                    _opened[places] = found, users - 1
                else:
                    del _opened[places]
                    last = found
                break
    logs.source.release()
    if last is not None:
        last.close()


def _after_fork() -> None:
    """A child does not use its parent's directories; a thread of the parent may have held the lock."""
    global _lock  # noqa: PLW0603 (the old one may never be released)
    _lock = threading.Lock()
    _opened.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
