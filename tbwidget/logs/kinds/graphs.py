"""What of a run holds a graph: the bytes that a model of it is made from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tbwidget.logs.kinds.declare import Kind
from tbwidget.records.values import forms

if TYPE_CHECKING:
    from tbwidget.graph import Graph

shown: Callable[[Graph], Mapping[str, Any]] | None = None
"""What a graph of a log is as a notebook's result, by MIME types: set by what draws graphs, which logs do not know."""

KERAS_PLUGIN = "graph_keras_model"
"""The plugin whose values are the JSON of a model (tensorboard/plugins/graph/metadata.py); others hold a trace."""


@dataclass(frozen=True, slots=True)
class GraphSource:
    """One graph of a run, not read yet."""

    name: str
    """As `tags()` lists it."""
    form: str
    """One of `tbwidget.graph.FORMS`."""
    revision: Hashable
    """Another one when it is written again, or its file is read anew."""
    read: Callable[[], bytes] = field(repr=False)
    """Gives the bytes; raises ValueError, naming file and offset, where they are no longer there or not true."""
    report: Callable[[str], object] = field(repr=False)
    """Makes a problem of the log directory of what is wrong with them."""


KIND = Kind("graphs", plugins=("graph_run_metadata_graph", KERAS_PLUGIN), forms=forms.STRING_TENSORS)
