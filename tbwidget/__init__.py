"""TensorBoard's whole job inside the notebook, with no server."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tbwidget._version import __version__
from tbwidget.logs import load
from tbwidget.logs.alerts.rules import Alert
from tbwidget.logs.checkpoints import Checkpoint
from tbwidget.logs.items import DamagedValueError
from tbwidget.logs.kinds import graphs as _graphs
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
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.logs.sequences import UndecodableError
from tbwidget.logs.series import Scalar, Scalars, TagMetadata
from tbwidget.logs.source import Changes, Progress
from tbwidget.logs.vectors import Labels

if TYPE_CHECKING:
    from tbwidget.dashboard import show
    from tbwidget.dashboard.exporting import export_html
    from tbwidget.dashboard.views import (
        AudioView,
        CustomScalarsView,
        Dashboard,
        DistributionsView,
        GraphView,
        HistogramsView,
        HParamsView,
        ImagesView,
        MeshesView,
        PRCurvesView,
        ProjectorView,
        ScalarsView,
        TextView,
    )
    from tbwidget.embeddingview import show_embedding
    from tbwidget.extension import load_ipython_extension
    from tbwidget.figures import figure
    from tbwidget.graphview import show_graph

__all__ = [
    "Alert",
    "AudioClip",
    "AudioClips",
    "AudioView",
    "Buckets",
    "Category",
    "Changes",
    "Chart",
    "Checkpoint",
    "CustomScalarsView",
    "DamagedValueError",
    "Dashboard",
    "DistributionsView",
    "Embedding",
    "EmbeddingError",
    "GraphView",
    "HParamInfo",
    "HParams",
    "HParamsView",
    "Histogram",
    "Histograms",
    "HistogramsView",
    "Image",
    "Images",
    "ImagesView",
    "Interval",
    "Labels",
    "Layout",
    "LogDir",
    "Margin",
    "Mesh",
    "Meshes",
    "MeshesView",
    "MetricInfo",
    "NodeStats",
    "PRCurve",
    "PRCurves",
    "PRCurvesView",
    "Problem",
    "Progress",
    "ProjectorView",
    "RunMetadata",
    "RunMetadataError",
    "Scalar",
    "Scalars",
    "ScalarsView",
    "Sprite",
    "TagMetadata",
    "Tensor",
    "Tensors",
    "Text",
    "TextView",
    "Texts",
    "UndecodableError",
    "__version__",
    "export_html",
    "figure",
    "load",
    "load_ipython_extension",
    "show",
    "show_embedding",
    "show_graph",
]

_LAZY = {
    "Dashboard": "tbwidget.dashboard",
    "export_html": "tbwidget.dashboard.exporting",
    "figure": "tbwidget.figures",
    "load_ipython_extension": "tbwidget.extension",
    "show": "tbwidget.dashboard",
    "show_embedding": "tbwidget.embeddingview",
    "show_graph": "tbwidget.graphview",
}
"""Modules that are imported when one of their names is asked for, as the views are: reading logs needs no widget."""


def _shown(graph: Any) -> dict[str, Any]:
    from tbwidget import graphview  # noqa: PLC0415

    return graphview.result(graph)


_graphs.shown = _shown


def __getattr__(name: str) -> Any:
    """Import what shows logs when it is asked for, views of panels that others registered included."""
    if name in _LAZY or name.endswith("View"):
        module = import_module(_LAZY.get(name, "tbwidget.dashboard"))
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from tbwidget.panels import registry  # noqa: PLC0415 (the views of panels that others registered, too)

    return sorted({*__all__, *(panel.view for panel in registry.PANELS)})
