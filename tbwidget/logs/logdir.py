"""A log directory: its runs, their series, read once and kept up to date; shared by all who look at the same place."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, overload

from tbwidget.logs.accessors import Logs
from tbwidget.logs.engine.directory import INTERVAL_S, DirectorySource
from tbwidget.logs.kinds.registry import SCALARS
from tbwidget.logs.roots import CheckpointPaths, OnePath, Paths, check_directory, checkpoint_roots, roots_of
from tbwidget.texts import pluralize

if TYPE_CHECKING:
    import pandas as pd

    from tbwidget.logs.unknown import Names


class LogDir(Logs):
    """The event files below a directory, or below several: `LogDir("a", "b")`, `LogDir({"baseline": "a", "new": "b"})`.

    Runs of several are called like "baseline/run1"; "baseline" is that directory itself. Without names these are the
    last parts of the paths. Not read yet when made: `refresh`, or the follower, reads. A missing directory counts as
    empty until it exists. The keywords are those of `load`.
    """

    source: DirectorySource

    def __init__(
        self,
        path: Paths,
        *more: OnePath,
        storage_options: Mapping[str, Any] | None = None,
        executor: Any = None,
        cache: bool = True,
        checkpoints: CheckpointPaths = None,
    ) -> None:
        roots = roots_of(path, more, storage_options)
        found = checkpoint_roots(checkpoints, storage_options)
        super().__init__(DirectorySource(roots, cache=cache, executor=executor, checkpoints=found))

    @property
    def path(self) -> Path | str:
        """The directory, or the common parent of several: a `Path`, or a URL as a str."""
        return self.source.path

    def frame(
        self,
        kind: str = SCALARS,
        *,
        runs: Names = None,
        tags: Names = None,
        superseded: bool = False,
        hparams: bool = False,
        times: bool = False,
    ) -> pd.DataFrame:
        """A table in long form: run, tag (categoricals), step, wall_time (s since the epoch), and what the kind has.

        | kind | a row | columns |
        |---|---|---|
        | scalars | a point | value |
        | histograms | a bucket | left, right, count |
        | images | a sample | sample, format, width, height, bytes |
        | audio | a sample | sample, sample_rate, content_type, label, bytes |
        | text | a string | element (place in the array), value |
        | pr_curves | a threshold | threshold, tp, fp, tn, fn, precision, recall |
        | tensors | an element | element, value; tensors of rank 0 and 1 only |
        | hparams | a trial | run, group, status, hparam/<name> ..., metric/<name> ... and nothing else |

        `runs` and `tags` choose some of them. A str is one exact name, a compiled `re.Pattern` is searched for in each
        name, and an iterable of both is their union. An unknown name raises KeyError; a pattern without a match gives
        an empty table. `superseded` keeps the points that a restart wrote again. `hparams` adds a column hparam/<name>
        for each hyperparameter of the run's trial; runs below a trial's belong to it. `times` turns wall_time into
        datetimes in UTC, to the microsecond; NaT for numbers that are no time.

        Raises ValueError for kinds without a table. Unreadable values are left out, and are among the problems.
        """
        from tbwidget.logs.frame import table  # noqa: PLC0415 (imports pandas)

        return table(self, kind, runs, tags, superseded=superseded, hparams=hparams, times=times)

    def follow(self, interval: float = INTERVAL_S) -> None:
        """Refresh in a background thread from now on, about every `interval` seconds where files grow.

        A run that appears directly below the directory is found within 0.5 s. Everything else is polled every 0.5 to 5
        s, so that polling costs 1 % of a core for up to some thousands of runs. Ends with `close()`, with the
        interpreter, or when the directory is no longer referenced. Where no thread can be started, as in JupyterLite,
        only `refresh()` reads new data.
        """
        self.alert_watch.subscribe()
        self.source.follow(interval)

    def close(self) -> None:
        """End following, and calling functions of `on_alert`; data that were read stay.

        May be called twice, and from any thread.

        A dashboard that shows the directory goes on until it is closed itself.
        """
        self.alert_watch.close()
        self.source.close()

    def __enter__(self) -> Self:
        """Close on leaving."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def __repr__(self) -> str:
        """Name the path and count the runs."""
        paths = {root.name: root.path for root in self.source.roots}
        return f"LogDir({paths.get('', paths)!r}, {pluralize(self.source.run_count, 'run')})"


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
