"""What of a run holds a graph: the bytes that a model of it is made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

KERAS_PLUGIN = "graph_keras_model"
"""The plugin whose values are the JSON of a model (tensorboard/plugins/graph/metadata.py); others hold a trace."""


@dataclass(frozen=True, slots=True)
class GraphSource:
    """One graph of a run, not read yet."""

    name: str
    """As `tags()` lists it."""
    form: str
    """One of `tbwidget.graph.FORMS`."""
    read: Callable[[], bytes] = field(repr=False)
    """Gives the bytes; raises ValueError, naming file and offset, where they are no longer there or not true."""
    report: Callable[[str], object] = field(repr=False)
    """Makes a problem of the log directory of what is wrong with them."""
