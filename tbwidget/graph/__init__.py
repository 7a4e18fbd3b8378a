"""Graphs, from the bytes of any framework to a structure that can be folded, searched and drawn."""

from __future__ import annotations

from tbwidget.graph.model import Graph, read_graph
from tbwidget.graph.sources import FORMS, GRAPH_DEF, KERAS, META_GRAPH_DEF, RUN_METADATA, GraphProblem

__all__ = ["FORMS", "GRAPH_DEF", "KERAS", "META_GRAPH_DEF", "RUN_METADATA", "Graph", "GraphProblem", "read_graph"]
