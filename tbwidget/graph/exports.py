"""A graph as networkx and pandas have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.graph.inlining import Inlined
from tbwidget.graph.parse import Nodes
from tbwidget.graph.shapes import shape_text
from tbwidget.graph.structure import Structure

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from tbwidget.graph.arrays import Bools


def multi_graph(nodes: Nodes, within: Bools | None = None) -> nx.MultiDiGraph[str]:
    """Return a networkx graph of all nodes by name, and all edges; with `within`, of some nodes only."""
    import networkx as nx  # noqa: PLC0415 (imported when used)

    chosen = np.ones(len(nodes.names), np.bool_) if within is None else within
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    names, ops, devices = nodes.names, nodes.ops, nodes.devices
    op, device = nodes.op.tolist(), nodes.device.tolist()
    for node in np.flatnonzero(chosen).tolist():
        attributes: dict[str, Any] = {"op": ops[op[node]], "device": devices[device[node]]}
        if node >= nodes.count:
            attributes["missing"] = True
        graph.add_node(names[node], **attributes)
    edges = np.flatnonzero(chosen[nodes.source] & chosen[nodes.target])
    graph.add_edges_from(
        (names[source], names[target], {"slot": slot, "control": slot < 0})
        for source, target, slot in zip(
            nodes.source[edges].tolist(), nodes.target[edges].tolist(), nodes.slot[edges].tolist(), strict=True
        )
    )
    return graph


def node_frame(structure: Structure) -> pd.DataFrame:
    """One row a node, those that inputs name and that are not in the graph included."""
    import pandas as pd  # noqa: PLC0415 (imported when used)

    nodes, hierarchy = structure.nodes, structure.hierarchy
    paths = {int(scope): hierarchy.path(int(scope)) for scope in np.unique(hierarchy.parent[: hierarchy.count])}
    shapes = [", ".join(map(shape_text, outputs)) for outputs in structure.shapes.lists]
    return pd.DataFrame(
        {
            "name": nodes.names,
            "op": pd.Categorical.from_codes(nodes.op, pd.Index(nodes.ops)),
            "scope": [paths[scope] for scope in hierarchy.parent[: hierarchy.count].tolist()],
            "device": pd.Categorical.from_codes(nodes.device, pd.Index(nodes.devices)),
            "shapes": [shapes[value] if value >= 0 else "" for value in nodes.shape_value.tolist()],
            "embedded": [Inlined(kind).name.lower() for kind in structure.inlining.kind.tolist()],
            "missing": np.arange(len(nodes.names)) >= nodes.count,
        }
    )


def edge_frame(structure: Structure) -> pd.DataFrame:
    """One row an edge, in the order written."""
    import pandas as pd  # noqa: PLC0415 (imported when used)

    nodes = structure.nodes
    return pd.DataFrame(
        {
            "source": [nodes.names[node] for node in nodes.source.tolist()],
            "target": [nodes.names[node] for node in nodes.target.tolist()],
            "slot": nodes.slot,
            "control": nodes.control,
            "reference": nodes.reference,
            "elements": structure.tensors.size,
        }
    )
