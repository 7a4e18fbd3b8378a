"""A log directory: its runs, their series, read once and kept up to date."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tbwidget.logs.accessors import Logs
from tbwidget.logs.engine.directory import INTERVAL_S, DirectorySource
from tbwidget.logs.kinds.registry import SCALARS
from tbwidget.logs.roots import OnePath, Paths, roots_of
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
    ) -> None:
        super().__init__(DirectorySource(roots_of(path, more, storage_options), cache=cache, executor=executor))

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
        self.source.follow(interval)

    def close(self) -> None:
        """End following; data that were read stay. May be called twice, and from any thread.

        A dashboard that shows the directory goes on until it is closed itself.
        """
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
