"""From records to what a user asks for: runs, series, problems, and the thread that keeps them up to date."""

from __future__ import annotations

import os

from tbwidget.logs.audio import AudioClip, AudioClips
from tbwidget.logs.custom_scalars import Category, Chart, Layout, Margin
from tbwidget.logs.embeddings import Embedding, EmbeddingError, Labels, Sprite
from tbwidget.logs.histograms import Buckets, Histogram, Histograms
from tbwidget.logs.hparams import HParamInfo, HParams, Interval, MetricInfo
from tbwidget.logs.images import Image, Images
from tbwidget.logs.items import DamagedValueError
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.meshes import Mesh, Meshes
from tbwidget.logs.pr_curves import PRCurve, PRCurves
from tbwidget.logs.problems import Problem
from tbwidget.logs.reader import Changes
from tbwidget.logs.run_metadata import NodeStats, RunMetadata, RunMetadataError
from tbwidget.logs.sequences import UndecodableError
from tbwidget.logs.series import Scalars, TagMetadata
from tbwidget.logs.tensors import Tensor, Tensors
from tbwidget.logs.text import Text, Texts

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
    "RunMetadata",
    "RunMetadataError",
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
