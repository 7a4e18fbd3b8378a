"""A graph that a run recorded: its nodes, their nesting, and their edges."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.graph import exports, functions, search
from tbwidget.graph.arrays import Bools, Ints, Relations
from tbwidget.graph.attributes import read_attribute, read_attributes
from tbwidget.graph.auxiliary import Area
from tbwidget.graph.firstview import first_opened
from tbwidget.graph.inlining import MAX_LIST_DEPTH, MAX_LIST_ITEMS, Annotation, Inlined, annotation
from tbwidget.graph.keras import read_keras
from tbwidget.graph.parse import NodeTable, parse_nodes
from tbwidget.graph.series import Series
from tbwidget.graph.shapes import Shape
from tbwidget.graph.sources import KERAS, GraphProblem, graph_parts
from tbwidget.graph.statistics import Statistics, join
from tbwidget.graph.structure import Structure
from tbwidget.graph.view import Revealed, View, make_view, reveal
from tbwidget.records.indices import bincount

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class Graph:
    """The nodes and edges that a framework wrote, as it wrote them; derived properties are computed when asked for.

    `node_count` is the number of distinct names, constants and plumbing included, function bodies not. Every input of
    every node is an edge: duplicates, self loops, and inputs from nodes that are not there.

    Where a method takes a node, that is its name; where it takes a scope, its path, "" being the root. Unknown ones
    raise KeyError.
    """

    def __init__(
        self,
        data: bytes,
        table: NodeTable,
        library: dict[str, functions.Function] | None = None,
        attributes: dict[str, dict[str, Any]] | None = None,
    ) -> None:
        nodes = table.finish()
        self.problems: list[GraphProblem] = table.problems
        """Problems with the bytes of the graph."""
        self.structure = Structure(nodes, is_onnx=table.is_onnx)
        """How the nodes are nested, connected and alike, in columns."""
        self.shown: Callable[[Graph], Mapping[str, Any]] | None = None
        """Returns its display in a notebook, by MIME types; None: only `repr`."""
        self._nodes = nodes
        self._data = data
        self._library = library or {}
        self._attributes = attributes

    @property
    def node_count(self) -> int:
        """Distinct names of nodes."""
        return self._nodes.count

    @property
    def edge_count(self) -> int:
        """Data edges."""
        return len(self._nodes.slot) - self.control_edge_count

    @property
    def control_edge_count(self) -> int:
        """Control edges: those that carry nothing and only say what must run before."""
        return int(self._nodes.control.sum())

    @property
    def names(self) -> list[str]:
        """Distinct names of nodes, in the order written."""
        return self._nodes.names[: self._nodes.count]

    @property
    def is_torch(self) -> bool:
        """Whether it is a trace of torch, whose nodes are better called by what they do."""
        return self.structure.is_torch

    def __repr__(self) -> str:
        """Counts."""
        counts = ((self.node_count, "node"), (self.edge_count, "edge"), (self.control_edge_count, "control edge"))
        said = (f"{count} {what}" if count == 1 else f"{count} {what}s" for count, what in counts)
        return f"<Graph: {', '.join(said)}>"

    def _repr_mimebundle_(self, **_: object) -> Mapping[str, Any] | None:
        """As a notebook's result."""
        return None if self.shown is None else self.shown(self)

    def to_networkx(self, scope: str | None = None) -> nx.MultiDiGraph[str]:
        """A networkx graph of the nodes by name, of the whole graph or of the nodes in one scope.

        Nodes have `op` and `device`; one that inputs name and that is not in the graph has `missing`. Edges have
        `slot`, the output that they carry (-1 for control edges), and `control`.
        """
        return exports.multi_graph(self._nodes, None if scope is None else self._inside(scope))

    def node_frame(self) -> pd.DataFrame:
        """One row a node: name, op, scope, device, shapes, embedded, missing."""
        return exports.node_frame(self.structure)

    def edge_frame(self) -> pd.DataFrame:
        """One row an edge: source, target, slot, control, reference, and elements of the tensor carried."""
        return exports.edge_frame(self.structure)

    def op(self, node: str) -> str:
        """The op of a node; of a layer of a Keras model, its class."""
        op: int = self._nodes.op[self._number(node)]
        return self._nodes.ops[op]

    def attributes(self, node: str) -> dict[str, Any]:
        """The attributes of a node: text, numbers, types by name, shapes as tuples (-1 unknown), lists of such."""
        number = self._number(node)
        if self._attributes is not None:
            return dict(self._attributes.get(node, {}))
        return read_attributes(self._data, (int(self._nodes.begin[number]), int(self._nodes.end[number])))

    def output_shapes(self, node: str) -> tuple[Shape, ...]:
        """Shapes of a node's outputs, as far as the graph says them."""
        value = int(self._nodes.shape_value[self._number(node)])
        return self.structure.shapes.lists[value] if value >= 0 else ()

    def strict_name(self, node: str) -> str:
        """The name of a node in the hierarchy: its own or, where that is a scope too, one within it."""
        return self.structure.hierarchy.path(self._number(node))

    def label(self, node: str) -> str:
        """Label of a node within its scope; in a trace of torch, what it does."""
        return self.structure.label(self._number(node))

    def annotations(self, node: str) -> list[Annotation]:
        """Nodes that are inlined beside a node: what it reads, in the order of its inputs, and summaries of it."""
        number = self._number(node)
        kind, relations = self.structure.inlining.kind, self._with_control
        read, of_it = relations.leading.of(number), relations.following.of(number)
        others = np.concatenate((read, of_it[kind[of_it] == Inlined.SUMMARY]))
        return [self._annotation(other) for other in dict.fromkeys(others[kind[others] != Inlined.NOT].tolist())]

    def find(self, text: str | re.Pattern[str]) -> list[str]:
        """Names of nodes with the text or pattern in their name, op, attributes (`key=value`) or output shapes.

        Text is looked for without regard to case; shapes read `32x10`.
        """
        return self._names(search.find_nodes(self._nodes, self.structure.shapes.lists, self.attribute_index, text))

    def ancestors(self, node: str, *, control: bool = True) -> list[str]:
        """Names of all nodes that this one depends on, without control edges if so wished."""
        return self._names(self._relations(control=control).ancestors(self._number(node)))

    def descendants(self, node: str, *, control: bool = True) -> list[str]:
        """Names of all nodes that depend on this one, without control edges if so wished."""
        return self._names(self._relations(control=control).descendants(self._number(node)))

    def path(self, source: str, target: str, *, control: bool = True) -> list[str] | None:
        """Names along a shortest way from one node to another, both included; None if there is none."""
        way = self._relations(control=control).path(self._number(source), self._number(target))
        return None if way is None else [self._nodes.names[node] for node in way]

    def op_counts(self, scope: str = "") -> dict[str, int]:
        """How many nodes of each op are in a scope, the most frequent first."""
        return self._counts(self._nodes.ops, self._nodes.op, scope)

    def device_counts(self, scope: str = "") -> dict[str, int]:
        """How many nodes of a scope were put on each device, "" being none."""
        return self._counts(self._nodes.devices, self._nodes.device, scope)

    def cluster_counts(self, scope: str = "") -> dict[str, int]:
        """How many nodes of a scope are in each XLA cluster, "" being none."""
        clusters = [str(read_attribute(cluster) or "") for cluster in self._nodes.clusters]
        return self._counts(clusters, self._nodes.cluster, scope)

    def series(self, scope: str = "") -> list[Series]:
        """Siblings in a scope that are numbered one after the other; members are items of the hierarchy."""
        return self.structure.series(self._scope(scope))

    def auxiliary(
        self, scope: str = "", *, kept: Collection[str] = (), removed: Collection[str] = ()
    ) -> dict[str, Area]:
        """Children drawn beside a scope's main drawing, by strict name: bookkeeping, and scalars that very many read.

        The user may have `kept` some in the main drawing, or `removed` some from it.
        """
        hierarchy = self.structure.hierarchy
        item = self._scope(scope)
        paths = {hierarchy.path(child): child for child in hierarchy.children.of(item).tolist()}
        chosen = [np.array([paths[name] for name in names if name in paths], np.int64) for names in (kept, removed)]
        extraction, children = self.structure.extraction(item, *chosen)
        return {
            hierarchy.path(int(children[number])): Area(extraction.area[number])
            for number in np.flatnonzero(extraction.area).tolist()
        }

    @cached_property
    def first_opened(self) -> tuple[str, ...]:
        """Paths of the boxes that are open when the graph is first shown."""
        return tuple(first_opened(self.structure))

    def view(
        self, opened: Collection[str] | None = None, ungrouped: Collection[str] = (), grouped: Collection[str] = ()
    ) -> View:
        """The boxes on the screen when those with the paths `opened` are open, and the edges between them.

        Without `opened`, the first view decides; an empty list opens nothing. A stack opens together with the member
        that it shows. Stacks and layers whose paths are in `ungrouped` are not made. A stack that hides the order of
        its siblings is made only if its path is in `grouped`; `groupable` lists these paths.
        """
        view = make_view(self.structure, self.first_opened if opened is None else opened, ungrouped, grouped)
        if self.is_torch:
            for box, item in enumerate(view.item):
                if 0 <= item < self.node_count:
                    view.label[box] = self.structure.label(item)
        return view

    def groupable(self, scope: str = "") -> list[str]:
        """Paths of the stacks that can be made in a scope of siblings that are alike, if their order need not show."""
        fold, _ = self.structure.fold(self._scope(scope))
        return [f"{scope}/{fold.labels[stack]}" if scope else fold.labels[stack] for stack in sorted(fold.optional)]

    def reveal(self, name: str) -> Revealed:
        """Return the paths to open and to ungroup so that the node or scope of this strict name is on the screen.

        For an inlined node, this is the scope that holds it.
        """
        scope = self.structure.hierarchy.scope(name)
        return reveal(self.structure, self._number(name) if scope is None else scope)

    def statistics(self, run_metadata: bytes, devices: Collection[str] | None = None) -> Statistics:
        """Cost of one run of the graph, from a serialized RunMetadata; with `devices`, on those alone."""
        return join(self.structure.hierarchy, self._numbers, run_metadata, devices)

    @property
    def functions(self) -> list[str]:
        """Names of the functions in the graph's library."""
        return list(self._library)

    def function(self, name: str) -> Graph:
        """The body of a function as a graph, with nodes for its arguments and results."""
        if name not in self._library:
            raise KeyError(f"no such function in the graph: {name!r}")
        table = NodeTable()
        functions.parse_body(self._data, self._library[name].place, table)
        body = Graph(self._data, table, self._library)
        body.shown = self.shown
        return body

    def called_functions(self, node: str) -> list[str]:
        """Names of the functions that a node calls."""
        return functions.called_functions(node, self.op(node), self.attributes(node), self._library)

    def _number(self, node: str) -> int:
        try:
            return self._numbers[node]
        except KeyError:
            raise KeyError(f"no such node in the graph: {node!r}") from None

    def _annotation(self, number: int, depth: int = 0) -> Annotation:
        name, kind = self._nodes.names[number], Inlined(self.structure.inlining.kind[number])
        inside = ["…"]
        if kind == Inlined.PLUMBING and depth < MAX_LIST_DEPTH:
            inside = [
                self._annotation(other, depth + 1).label
                if self.structure.inlining.kind[other] != Inlined.NOT
                else self.label(self._nodes.names[other])
                for other in self._with_control.leading.of(number)[:MAX_LIST_ITEMS].tolist()
            ]
        return annotation(name, self._nodes.ops[self._nodes.op[number]], kind, self.attributes(name), inside)

    def _scope(self, path: str) -> int:
        item = self.structure.hierarchy.scope(path)
        if item is None:
            raise KeyError(f"no such scope in the graph: {path!r}")
        return item

    def _inside(self, scope: str) -> Bools:
        """Which nodes are in a scope, be it one that holds inlined nodes alone and is no box."""
        hierarchy = self.structure.hierarchy
        if hierarchy.scope(scope) is None:
            before = f"{scope}/"
            inside = np.array([name.startswith(before) for name in self._nodes.names], np.bool_)
            if inside.any():
                return inside
        inside = np.zeros(len(self._nodes.names), np.bool_)
        inside[hierarchy.nodes(self._scope(scope))] = True
        return inside

    def _counts(self, labels: list[str], column: Ints, scope: str) -> dict[str, int]:
        inside = self._inside(scope)
        inside[self._nodes.count :] = False
        counts = bincount(column[inside], minlength=len(labels))
        ordered = sorted(np.flatnonzero(counts).tolist(), key=lambda number: -int(counts[number]))
        return {labels[number]: int(counts[number]) for number in ordered}

    def _names(self, nodes: Ints) -> list[str]:
        return [self._nodes.names[node] for node in nodes.tolist()]

    def _relations(self, *, control: bool) -> Relations:
        return self._with_control if control else self._without_control

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._nodes.names)}

    @cached_property
    def _with_control(self) -> Relations:
        return Relations(len(self._nodes.names), self._nodes.source, self._nodes.target)

    @cached_property
    def _without_control(self) -> Relations:
        data = ~self._nodes.control
        return Relations(len(self._nodes.names), self._nodes.source[data], self._nodes.target[data])

    @cached_property
    def attribute_index(self) -> search.AttributeIndex:
        """Every attribute of every node as a line of text, `key=value`."""
        if self._attributes is not None:
            return search.index_values(self._nodes, self._attributes)
        return search.index_messages(self._data, self._nodes)


def read_graph(data: bytes, form: str) -> Graph:
    """Read a graph from the bytes of one of `FORMS`; what cannot be read is listed in its `problems`.

    A form that there is not raises ValueError.
    """
    table = NodeTable()
    if form == KERAS:
        return Graph(data, table, attributes=read_keras(data, table))
    parts, problems = graph_parts(data, form)
    table.problems += problems
    parse_nodes(data, parts, table)
    return Graph(data, table, functions.list_functions(data, parts, table.problems))
