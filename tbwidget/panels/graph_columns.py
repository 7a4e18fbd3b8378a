"""Graphs on the wire: the structure, with which the browser opens scopes alone, and a first view that comes earlier.

Both are *containers*, deflated as in RFC 1950 (zlib): u32 little-endian n; n bytes of JSON, the header; zeros up to a
multiple of 8; then columns, little-endian, each beginning at a multiple of 8. The header lists the columns in order:
`"columns": {name: [type, length]}`, with the types u1, i4 and f8.

The **structure** of a graph numbers *items*: first the `nodes` of the graph; then missing nodes, which only inputs
name; then the scopes, beginning with the root, item `root`. The boxes that folding made follow the `items`, scope by
scope. Items and boxes together are *entries*.

| field | meaning |
|---|---|
| `labels` | name of each entry within its scope. |
| `call_labels` | in a trace of torch, by number of a node: the text to draw instead of its label. |
| `odd` | by number of a stack: labels of siblings with like names and another structure. |
| `unordered` | numbers of stacks whose members lead to one another through other boxes. |
| `optional` | numbers of stacks that are made only if the user asks for them. |
| `ops`, `devices`, `clusters` | distinct texts. |
| `shapes` | distinct lists of output shapes, as text. |
| `functions` | names of the functions in its library. |
| `is_torch` | whether it is a trace of torch. |
| `problems` | reasons: the first 50 problems of reading, then how many more there are. |
| `opened` | paths of the boxes that are open at first. |

| column | rows | meaning |
|---|---|---|
| `parent`, `fold_parent` | entries | scope; box of the fold around it. -1: none. |
| `fold_kind`, `representative` | boxes of folding | `Kind`; the entry that stands for a stack's members, else -1. |
| `role` | entries | `Role`. |
| `alike` | scopes | equal numbers for equal structures; -1 for a unique one. |
| `op`, `device`, `cluster` | all nodes, missing ones too | index into `ops` and so on. |
| `outputs` | all nodes | index into `shapes`, or -1. |
| `embedded` | all nodes | `Inlined`. |
| `annotation_start`, `annotation_items` | all nodes | beside node i: `start[i]` to before `start[i + 1]`. |
| `source`, `target` | edges, led past inlined nodes | both nodes. |
| `carrier`, `slot` | edges | the node and output that the edge carries; slot -1 for control edges. |
| `reference`, `size` | edges | 1: the target changes it in place; elements of the tensor carried. |

The **root** of a graph is its first view, with the fields of `View` and `EdgeGroups`: `path`, `label`, `op`, `odd` and
`shape` in the header; the columns `kind`, `parent`, `nodes`, `copies`, `alike`, `unordered`, `role`, `open` of the
boxes; `source`, `target`, `data`, `control`, `reference`, `size` of the groups of edges. A large view has no columns
and `"large": true`: the browser waits for the structure.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tbwidget.graph.arrays import adjacency
from tbwidget.graph.attributes import read_attribute
from tbwidget.graph.folding import Kind
from tbwidget.graph.inlining import Inlined
from tbwidget.graph.roles import Role
from tbwidget.graph.shapes import shape_text
from tbwidget.reasons import Reason
from tbwidget.wire.message import wire_reason
from tbwidget.wire.worker import unless_stopped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tbwidget.graph import Graph
    from tbwidget.graph.arrays import Adjacency, Ints
    from tbwidget.graph.parse import Nodes
    from tbwidget.graph.sources import GraphProblem
    from tbwidget.graph.structure import Structure

    Columns = Mapping[str, NDArray[Any]]

ROOT_BYTES = 100_000
"""Upper bound for a first view; a larger one waits for the structure."""

MAX_PROBLEMS = 50
"""Upper bound for the problems that travel with a graph."""

_ALIGNMENT = 8


def container(header: Mapping[str, Any], columns: Columns) -> bytes:
    """Encode a header and columns. Columns of integers become u1 or i4, all others f8."""
    made = {name: _column(column) for name, column in columns.items()}
    listed = {name: [column.dtype.str[1:], len(column)] for name, column in made.items()}
    text = json.dumps({**header, "columns": listed}, separators=(",", ":")).encode("ascii")
    parts = [struct.pack("<I", len(text)) + text, *(column.tobytes() for column in made.values())]
    return zlib.compress(b"".join(part + bytes(-len(part) % _ALIGNMENT) for part in parts))


def _column(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype in (np.uint8, np.bool_):
        return values.astype("u1")
    return values.astype("<f8" if values.dtype.kind == "f" else "<i4")


def encode_root(graph: Graph) -> bytes:
    """Encode the first view of a graph."""
    _prepare(graph.structure)
    view = graph.view()
    edges = view.edges
    header = {"path": view.path, "label": view.label, "op": view.op, "odd": view.odd, "shape": view.shapes}
    columns: Columns = {
        "kind": np.array(view.kind, np.uint8),
        "parent": np.array(view.parent, np.int64),
        "nodes": np.array(view.nodes, np.int64),
        "copies": np.array(view.copies, np.int64),
        "alike": np.array(view.alike, np.int64),
        "unordered": np.array(view.unordered, np.bool_),
        "role": np.array(view.role, np.uint8),
        "open": np.array(view.open, np.uint8),
        "source": edges.source,
        "target": edges.target,
        "data": edges.data,
        "control": edges.control,
        "reference": edges.reference,
        "size": edges.size,
    }
    made = container(header, columns)
    return made if len(made) <= ROOT_BYTES else container({"large": True}, {})


def _prepare(structure: Structure) -> None:
    """Compute the parts that every view needs. A worker can be stopped between two parts."""
    for compute in (
        lambda: structure.inlining,
        lambda: structure.hierarchy,
        lambda: structure.meta,
        lambda: structure.classes,
        lambda: structure.roles,
    ):
        unless_stopped()
        compute()


def encode_structure(graph: Graph) -> bytes:
    """Encode the structure of a graph. This computes every fold."""
    structure = graph.structure
    _prepare(structure)
    nodes, hierarchy, inlining = structure.nodes, structure.hierarchy, structure.inlining
    folds = _folds(structure)
    annotations = _annotations(nodes, inlining.kind)
    alike = np.full(hierarchy.size - hierarchy.root, -1, np.int64)
    alike[np.fromiter(structure.alike, np.int64) - hierarchy.root] = np.fromiter(structure.alike.values(), np.int64)
    header = {
        "nodes": nodes.count,
        "root": hierarchy.root,
        "items": hierarchy.size,
        "entries": hierarchy.size + len(folds.labels),
        "labels": hierarchy.labels + folds.labels,
        "call_labels": _call_labels(graph) if graph.is_torch else {},
        "odd": folds.odd,
        "unordered": folds.unordered,
        "optional": folds.optional,
        "ops": nodes.ops,
        "devices": nodes.devices,
        "clusters": [str(read_attribute(cluster) or "") for cluster in nodes.clusters],
        "shapes": [[shape_text(shape) for shape in shapes] for shapes in structure.shapes.lists],
        "functions": graph.functions,
        "is_torch": graph.is_torch,
        "problems": problem_rows(graph.problems),
        "opened": list(graph.first_opened),
    }
    columns: Columns = {
        "parent": np.concatenate((hierarchy.parent, folds.scope)),
        "fold_parent": folds.parent,
        "fold_kind": folds.kind,
        "representative": folds.representative,
        "role": np.concatenate((structure.roles.of_items, folds.role)),
        "alike": alike,
        "op": nodes.op,
        "device": nodes.device,
        "cluster": nodes.cluster,
        "embedded": inlining.kind,
        "outputs": nodes.shape_value,
        "source": inlining.source,
        "target": inlining.target,
        "carrier": nodes.source[inlining.edge],
        "slot": nodes.slot[inlining.edge],
        "reference": nodes.reference[inlining.edge],
        "size": structure.tensors.size[inlining.edge],
        "annotation_start": annotations.start,
        "annotation_items": annotations.items,
    }
    return container(header, columns)


class _Folds(NamedTuple):
    """The folds of all scopes, as entries behind the items."""

    scope: Ints
    """Scope of each box that folding made."""
    labels: list[str]
    kind: NDArray[np.uint8]
    representative: Ints
    role: NDArray[np.uint8]
    odd: dict[int, list[str]]
    unordered: list[int]
    optional: list[int]
    parent: Ints
    """Box around each item and each box that folding made, or -1."""


def _folds(structure: Structure) -> _Folds:
    first = structure.hierarchy.size
    scopes: list[int] = []
    labels: list[str] = []
    kinds: list[Kind] = []
    representatives: list[int] = []
    roles: list[Role] = []
    odd: dict[int, list[str]] = {}
    unordered: list[int] = []
    optional: list[int] = []
    around_items = np.full(first, -1, np.int64)
    around_made = []
    for scope in range(structure.hierarchy.root, first):
        unless_stopped()
        fold, children = structure.fold(scope)
        count = len(children)
        made = len(fold.parent) - count
        if made == 0:
            continue
        entries = np.concatenate((children, np.arange(made) + first + len(labels)))
        around = np.append(entries, -1)[fold.parent]
        around_items[children] = around[:count]
        around_made.append(around[count:])
        for box in range(count, count + made):
            if fold.odd.get(box):
                odd[int(entries[box])] = fold.odd[box]
            representatives.append(int(entries[fold.members[box][0]]) if box in fold.members else -1)
        unordered += entries[sorted(fold.unordered)].tolist()
        optional += entries[sorted(fold.optional)].tolist()
        roles += structure.roles.of_fold(children, fold.parent)
        scopes += [scope] * made
        labels += fold.labels[count:]
        kinds += fold.kind[count:]
    return _Folds(
        np.array(scopes, np.int64),
        labels,
        np.array(kinds, np.uint8),
        np.array(representatives, np.int64),
        np.array(roles, np.uint8),
        odd,
        unordered,
        optional,
        np.concatenate((around_items, *around_made)),
    )


def _annotations(nodes: Nodes, inlined: NDArray[np.uint8]) -> Adjacency:
    """Return the nodes inlined beside each node: its inputs in order, then its summaries."""
    read = inlined[nodes.source] != Inlined.NOT
    of_it = inlined[nodes.target] == Inlined.SUMMARY
    rows = np.concatenate((nodes.target[read], nodes.source[of_it]))
    items = np.concatenate((nodes.source[read], nodes.target[of_it]))
    count = len(inlined)
    _, once = np.unique(rows * count + items, return_index=True)
    once.sort()
    return adjacency(rows[once], items[once], count)


def _call_labels(graph: Graph) -> dict[int, str]:
    labels = graph.structure.hierarchy.labels
    labels_of = {other.name: other.label for name in graph.names for other in graph.annotations(name)}
    called = {number: labels_of.get(name, graph.label(name)) for number, name in enumerate(graph.names)}
    return {number: label for number, label in called.items() if label != labels[number]}


def problem_rows(problems: Sequence[GraphProblem]) -> list[dict[str, Any]]:
    """Return the first problems as reasons that travel, then the number of the others."""
    first = [
        message if offset is None else Reason("graph-place", offset=offset, problem=message)
        for offset, message in problems[:MAX_PROBLEMS]
    ]
    more = len(problems) - len(first)
    reasons = [*first, Reason("more-problems", problems=more)] if more else first
    return [wire_reason(reason) for reason in reasons]
