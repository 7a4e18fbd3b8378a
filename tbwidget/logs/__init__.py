"""From records to what a user asks for: runs, series, problems, and the thread that keeps them up to date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tbwidget.logs.items import DamagedValueError
from tbwidget.logs.kinds.audio import AudioClip, AudioClips
from tbwidget.logs.kinds.custom_scalars import Category, Chart, Layout, Margin
from tbwidget.logs.kinds.embeddings import Embedding, EmbeddingError, Sprite
from tbwidget.logs.kinds.histograms import Buckets, Histogram, Histograms
from tbwidget.logs.kinds.hparams import HParamInfo, HParams, Interval, MetricInfo
from tbwidget.logs.kinds.images import Image, Images
from tbwidget.logs.kinds.meshes import Mesh, Meshes
from tbwidget.logs.kinds.pr_curves import PRCurve, PRCurves
from tbwidget.logs.kinds.run_metadata import NodeStats, RunMetadata, RunMetadataError
from tbwidget.logs.kinds.tensors import Tensor, Tensors
from tbwidget.logs.kinds.text import Text, Texts
from tbwidget.logs.labels import Labels
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.logs.roots import OnePath, Paths, check_directory
from tbwidget.logs.sequences import UndecodableError
from tbwidget.logs.series import Scalar, Scalars, TagMetadata
from tbwidget.logs.source import Changes, Progress
from tbwidget.logs.watching import import_tqdm, progress_bar, refresh_watched

__all__ = [
    "AudioClip",
    "AudioClips",
    "Buckets",
    "Category",
    "Changes",
    "Chart",
    "DamagedValueError",
    "Embedding",
    "EmbeddingError",
    "HParamInfo",
    "HParams",
    "Histogram",
    "Histograms",
    "Image",
    "Images",
    "Interval",
    "Labels",
    "Layout",
    "LogDir",
    "Margin",
    "Mesh",
    "Meshes",
    "MetricInfo",
    "NodeStats",
    "PRCurve",
    "PRCurves",
    "Problem",
    "Progress",
    "RunMetadata",
    "RunMetadataError",
    "Scalar",
    "Scalars",
    "Sprite",
    "TagMetadata",
    "Tensor",
    "Tensors",
    "Text",
    "Texts",
    "UndecodableError",
    "load",
]


def load(
    path: Paths,
    *more: OnePath,
    storage_options: Mapping[str, Any] | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> LogDir:
    """Read all event files below a directory, or below several.

    `load("a", "b")` and `load({"baseline": "a", "new": "b"})` put a name before the name of each run: "baseline/run1".
    A path may be a URL, such as "s3://bucket/runs", whose files fsspec reads: docs/remote.md. `storage_options` are for
    its filesystem, such as credentials. `progress=True` shows a bar of tqdm while it reads; a function is called with a
    `Progress` instead, ten times a second. An interruption (Ctrl+C) ends the reading and its requests.

    Raises FileNotFoundError if a path does not exist, NotADirectoryError if it is no directory. Raises ValueError for a
    URL that leads to no known storage, another OSError where a storage cannot be reached or refuses. `problems` lists
    files that cannot be read. Raises ImportError if the bar is wanted and tqdm is missing.
    """
    tqdm = import_tqdm() if progress is True else None
    logs = LogDir(path, *more, storage_options=storage_options)
    roots = logs.source.roots
    for root in roots:
        if not root.storage.is_remote:
            check_directory(root)
    try:
        if tqdm is not None:
            with progress_bar(tqdm) as show:
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
