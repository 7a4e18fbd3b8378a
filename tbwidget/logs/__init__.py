"""From records to what a user asks for: runs, series, problems, and the thread that keeps them up to date.

    logdir.py           `LogDir`, which users have: tables, following; the accessors of accessors.py; one source for all
                        dashboards that show the same directory
    source.py           `LogSource`, all that the packages beyond this one use of logs; `Changes`, which subscribers get
    kinds/<kind>.py     all about one kind of data: its plugins and forms, its result classes, its accessor, its table,
                        files that it alone reads. kinds/registry.py lists the kinds; a line there is an accessor, too
    engine/             the source that reads log directories: the map of engine/__init__.py
    alerts/             runs that need attention: rules, evaluated on what was read and while it grows
    inmemory.py         sources of graphs and embeddings without a file

    items.py            values that stay in their files until they are asked for; damage of those
    sequences.py        what the sequences of such values share; of images and clips, several to a value
    series.py           scalars, which are in memory; columns.py holds points while they grow
    frame.py            tables of pandas
    display.py          images, clips and texts as a cell's result

    roots.py            paths and URLs as the user gives them, and the names that runs get by them
    unknown.py          names and patterns that select; what may have been meant by an unknown name
    natural.py          the order of names
    problems.py         problems that values and programs report
    cachefiles.py       the files of the cache: where they are, how they are written, when they are removed
    watching.py         progress of a reading, shown in a bar or in words
    threads.py          what Python's threads need here, and hosts without threads

    checkpoints.py      checkpoints by the names of their files
    vectors.py, vectors_process.py    files of embeddings
    plain_yaml.py       hparams.yaml

Each name is imported from the module that defines it; `tbwidget` lists all that users have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tbwidget.logs.logdir import LogDir
from tbwidget.logs.roots import CheckpointPaths, OnePath, Paths, check_directory
from tbwidget.logs.source import Progress
from tbwidget.logs.watching import progress_bar, refresh_watched


def load(
    path: Paths,
    *more: OnePath,
    storage_options: Mapping[str, Any] | None = None,
    executor: Any = None,
    cache: bool = True,
    checkpoints: CheckpointPaths = None,
    progress: bool | Callable[[Progress], None] = False,
) -> LogDir:
    """Read all event files below a directory, or below several.

    `load("a", "b")` and `load({"baseline": "a", "new": "b"})` put a name before the name of each run: "baseline/run1".
    A path may be a URL, such as "s3://bucket/runs", whose files fsspec reads: docs/remote.md. `storage_options` are for
    its filesystem, such as credentials. With `cache`, what an earlier process has read of unchanged files comes from
    the user's cache directory: docs/reading.md. `progress=True` shows a bar of tqdm while it reads; a function is
    called with a `Progress` instead, ten times a second. An interruption (Ctrl+C) ends the reading and its requests.

    An `executor` is any `concurrent.futures.Executor`, or a `Client` of Dask. Its workers read the files, where these
    are large, and have to reach them by the same path. It pays from some 10 GB on, or where workers are near a remote
    storage: docs/executors.md. It stays the caller's: nothing is shut down.

    `checkpoints` is a directory of checkpoints that lie elsewhere than the logs, several, or {run: directory}. Those of
    several runs belong to the runs that their directories are named after, else to all. Its files are not opened.

    Raises FileNotFoundError if a path does not exist, NotADirectoryError if it is no directory. Raises ValueError for a
    URL that leads to no known storage, another OSError where a storage cannot be reached or refuses. `problems` lists
    files that cannot be read. Raises ImportError if the bar is wanted and tqdm is missing.
    """
    logs = LogDir(path, *more, storage_options=storage_options, executor=executor, cache=cache, checkpoints=checkpoints)
    roots = logs.source.roots
    for root in roots:
        if not root.storage.is_remote:
            check_directory(root)
    try:
        if progress is True:
            with progress_bar() as show:
                refresh_watched(logs.source, show)
        elif callable(progress):
            refresh_watched(logs.source, progress)
        else:
            logs.refresh()
        for root in roots:
            if root.storage.is_remote:  # known by now, without a further request
                check_directory(root)
    except BaseException:
        logs.close()
        raise
    return logs
