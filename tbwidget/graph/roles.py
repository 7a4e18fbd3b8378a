"""The roles of boxes: the model, bookkeeping (initialization, checkpoints, summaries), or scalars that many boxes read.

Only bookkeeping and such scalars may leave the main drawing. Bookkeeping is found node by node: an op that initializes,
saves, restores or groups, and what serves nothing else.
"""

from __future__ import annotations

import re
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Adjacency, Bools, Ints, adjacency
from tbwidget.graph.hierarchy import Hierarchy
from tbwidget.graph.inlining import Inlined, Inlining
from tbwidget.graph.metaedges import MetaEdges, Tensors
from tbwidget.graph.parse import Nodes
from tbwidget.records.indices import bincount

LARGE_SHARE = 0.02
"""Boxes of several nodes with a larger share of the graph's nodes stay in the main drawing."""

_MAX_SOURCE_NODES = 20

_GROUPING = re.compile(r"NoOp|.*Summary.*")
_SERVICE = re.compile(
    r"Save(V2|Slices)?|Restore(V2|Slice)?|Sharded(Filename|Filespec)|MergeV2Checkpoints|IsVariableInitialized"
    r"|VarIsInitializedOp|InitializeTable.*|LookupTableImport(V2)?"
)
_ASSIGN = re.compile(r"Assign(VariableOp)?")
_INPUT = re.compile(r"Placeholder(V2)?|.*Iterator.*|.*Dequeue.*|.*Reader.*|_?Arg|input_arg|IO Node|InputLayer")
_BACKWARD = re.compile(r".*Grad(V\d)?|BroadcastGradientArgs|.*BackpropFilter(V\d)?|(Resource|Sparse)*Apply[A-Z].*")
"""Ops of gradients and optimizers. Conv2DBackpropInput is absent, because transposed convolutions use it."""
_GRADIENTS = re.compile(r"gradients?(_tape)?(_\d+)?")
"""Scopes that TensorFlow makes for gradients. Their ops do not tell: products, sums and shapes occur in models, too."""
_HANDLING = re.compile(r"(Read|Assign.*)VariableOp|Resource.*")
_WEIGHTED = re.compile(r".*(conv|matmul|gemm|linear|addmm|einsum|\bb?mm\b|dense).*", re.IGNORECASE | re.DOTALL)
_WEIGHT = 20
"""Ops without weights for which an op with weights counts: a loss has many ops, a layer few."""
_PASSING = re.compile(r"Identity|ReadVariableOp|Cast|Enter|Switch")


_FRAME = re.compile(r"(Ref)?(Enter|Exit|NextIteration)|LoopCond")
_CARRYING = re.compile(r"(Ref)?(Enter|NextIteration)")
_CONDITION = re.compile(r"LoopCond")
_MERGE, _SWITCH, _IDENTITY = (re.compile(f"(Ref)?{op}") for op in ("Merge", "Switch", "Identity"))


def loop_control(nodes: Nodes) -> Bools:
    """Which nodes, missing ones too, do nothing but carry the variables of a loop from one iteration to the next.

    Conditions have merges and switches too, also around loops and inside them. A loop's merges read what it carries,
    and its switches read its condition.
    """
    frame = nodes.with_ops(_FRAME)
    if not frame.any():
        return frame
    merge = nodes.with_ops(_MERGE) & _reading(nodes, nodes.with_ops(_CARRYING))
    switch = nodes.with_ops(_SWITCH) & _reading(nodes, merge) & _reading(nodes, nodes.with_ops(_CONDITION))
    return frame | merge | switch | (nodes.with_ops(_IDENTITY) & _reading(nodes, switch))


def _reading(nodes: Nodes, read: Bools) -> Bools:
    """Nodes that read data of one of these."""
    found = np.zeros(len(read), np.bool_)
    found[nodes.target[read[nodes.source] & ~nodes.control]] = True
    return found


class Role(IntEnum):
    """The role of a box in the drawing."""

    MODEL = 0
    BOOKKEEPING = 1
    """Serves initialization, checkpoints or summaries alone: drawn aside."""
    SCALARS = 2
    """A small source that puts out scalars alone, such as a learning rate: drawn aside where many boxes read it."""
    LARGE = 3
    """Bookkeeping that is too large to be drawn aside: its edges are drawn as marks."""


class Roles:
    """The role of each item of a hierarchy, and of boxes that hold several."""

    def __init__(
        self, nodes: Nodes, hierarchy: Hierarchy, inlining: Inlining, meta: MetaEdges, tensors: Tensors
    ) -> None:
        shown = inlining.kind == Inlined.NOT
        self._count = nodes.count
        self._most = LARGE_SHARE * nodes.count
        self._shown = _within(hierarchy, shown)
        leading_on = data_readers(nodes)
        self._serving = _within(hierarchy, shown & bookkeeping(nodes, leading_on))
        self._nodes = _within(hierarchy, np.arange(hierarchy.count) < nodes.count)
        weights = np.where(nodes.with_ops(_WEIGHTED), _WEIGHT, 1)
        model = shown & computing(nodes, hierarchy, leading_on)
        self._computing = _within(hierarchy, (model if model.any() else shown) * weights)
        self.of_items = self._of_items(nodes, hierarchy, inlining, meta, tensors)
        """`Role` of each item."""

    def computing(self, items: Ints) -> int:
        """Number of nodes in these items that compute the model; a weighted op counts `_WEIGHT` times.

        All drawn nodes count in a graph where none is known to compute.
        """
        return int(self._computing[items].sum())

    def share(self, item: int) -> float:
        """The share of the graph's nodes that an item holds, inlined ones included."""
        return float(self._nodes[item]) / self._count

    def of_all(self, items: Ints) -> Role:
        """The role of a box that is an item or holds some."""
        if len(items) == 1:
            return Role(self.of_items[items[0]])
        return self._of_several(*(int(counts[items].sum()) for counts in (self._shown, self._serving, self._nodes)))

    def of_fold(self, items: Ints, parent: Ints) -> list[Role]:
        """The roles of the boxes of a fold that stand behind its items; `parent` is the box around each box, or -1."""
        counts = np.zeros((len(parent), 3), np.int64)
        counts[: len(items)] = np.stack((self._shown[items], self._serving[items], self._nodes[items]), 1)
        inside = np.flatnonzero(parent[: len(items)] >= 0)
        np.add.at(counts, parent[inside], counts[inside])
        for box in range(len(items), len(parent)):
            if parent[box] >= 0:
                counts[parent[box]] += counts[box]
        return [self._of_several(*row) for row in counts[len(items) :].tolist()]

    def _of_several(self, shown: int, serving: int, nodes: int) -> Role:
        if shown == 0 or serving < shown:
            return Role.MODEL
        return Role.LARGE if nodes > self._most else Role.BOOKKEEPING

    def _of_items(
        self, nodes: Nodes, hierarchy: Hierarchy, inlining: Inlining, meta: MetaEdges, tensors: Tensors
    ) -> npt.NDArray[np.uint8]:
        role = np.zeros(hierarchy.size, np.uint8)
        is_large = (self._nodes > self._most) & (np.arange(hierarchy.size) >= hierarchy.count)
        serves = (self._shown > 0) & (self._serving == self._shown)
        role[_sources(nodes, hierarchy, inlining, meta, tensors) & (self._nodes <= _MAX_SOURCE_NODES) & ~is_large] = (
            Role.SCALARS
        )
        role[serves] = Role.BOOKKEEPING
        role[serves & is_large] = Role.LARGE
        return role


def data_readers(nodes: Nodes) -> Adjacency:
    """The nodes that read data of each node."""
    data = ~nodes.control
    return adjacency(nodes.source[data], nodes.target[data], len(nodes.names))


def bookkeeping(nodes: Nodes, readers: Adjacency) -> Bools:
    """Nodes that initialize, save, restore, group or summarize, and those whose outputs serve these alone."""
    count = len(nodes.names)
    grouping, service, assign, inputs = (nodes.with_ops(ops) for ops in (_GROUPING, _SERVICE, _ASSIGN, _INPUT))
    if not (service.any() or assign.any()):
        return grouping
    # A value that is assigned initially depends on no input and on no weights.
    fed = inputs | nodes.with_ops(_WEIGHTED)
    fed[nodes.count :] = True
    fed = _reached(fed, readers)
    certain = service | (assign & ~fed)
    unread = bincount(nodes.source, minlength=count) == 0
    # Outputs that are computed from a service op, such as IsVariableInitialized, and that no node reads.
    last = np.zeros(count, np.bool_)
    if service.any():
        last = unread & ~fed & _reached(service, adjacency(nodes.source, nodes.target, count))
    candidates = certain | (~fed & ~grouping & (~unread | last))
    return grouping | _serving(nodes, candidates, certain, last)


def computing(nodes: Nodes, hierarchy: Hierarchy, readers: Adjacency) -> Bools:
    """Nodes that compute the model's outputs from its inputs: no variables, gradients, optimizers or bookkeeping.

    They are downstream of inputs or weighted ops, and neither are gradients nor downstream of such.
    """
    backward = nodes.with_ops(_BACKWARD)
    for scope in range(hierarchy.root + 1, hierarchy.size):
        if _GRADIENTS.fullmatch(hierarchy.labels[scope]):
            backward[hierarchy.nodes(scope)] = True
    barred = _reached(backward, readers) | nodes.with_ops(_SERVICE) | nodes.with_ops(_GROUPING)
    # In the body of a function variables are arguments too.
    inputs = nodes.with_ops(_INPUT)
    barred[nodes.source[nodes.with_ops(_HANDLING)[nodes.target] & inputs[nodes.source] & ~nodes.control]] = True
    starts = inputs | nodes.with_ops(_WEIGHTED)
    # Control flow is what a loop is made of, not what it computes.
    return _reached(starts & ~barred, readers, ~barred) & ~loop_control(nodes)


def _serving(nodes: Nodes, candidates: Bools, certain: Bools, last: Bools) -> Bools:
    """Candidates that lead to certain or last nodes and to nothing else."""
    among = candidates[nodes.source] & candidates[nodes.target]
    leading = adjacency(nodes.target[among], nodes.source[among], len(candidates))
    kept = candidates
    while True:
        # A control edge from a certain node says nothing about its use; only a reader does.
        away = kept[nodes.source] & ~kept[nodes.target] & (~nodes.control | ~certain[nodes.source])
        if away.any():
            gone = np.zeros(len(kept), np.bool_)
            gone[nodes.source[away]] = True
            kept = kept & ~_reached(gone, leading, kept & ~certain)
            continue
        serving = _reached((certain | last) & kept, leading, kept)
        if (serving == kept).all():
            return kept
        kept = serving


def _reached(starts: Bools, neighbors: Adjacency, among: Bools | None = None) -> Bools:
    """Nodes reachable from `starts`, which are included; with `among`, only by way of those."""
    waiting = np.flatnonzero(starts).tolist()
    if not waiting:
        return starts
    # Lists, not arrays step by step: a graph may be as deep as it has nodes, with one node in each step.
    free = (~starts if among is None else among & ~starts).tolist()
    start, items = neighbors.start.tolist(), neighbors.items.tolist()
    found = starts.copy()
    for node in waiting:  # grows in the loop
        for other in items[start[node] : start[node + 1]]:
            if free[other]:
                free[other] = False
                waiting.append(other)
    found[waiting] = True
    return found


def _sources(nodes: Nodes, hierarchy: Hierarchy, inlining: Inlining, meta: MetaEdges, tensors: Tensors) -> Bools:
    """Items that read nothing from outside and whose outputs are scalars that no weighted op reads."""
    data = ~tensors.control[inlining.edge]
    source, target = inlining.source[data], inlining.target[data]
    large = tensors.size[inlining.edge][data] != 1
    weighted = nodes.with_ops(_WEIGHTED)
    weights = weighted[target]
    passing = np.zeros(hierarchy.count, np.bool_)
    passing[source[weights]] = True
    passing &= nodes.with_ops(_PASSING)
    large |= weights | passing[target]
    loops = source == target
    groups = meta.groups
    inner = np.zeros(hierarchy.size, np.int64)
    np.add.at(inner, meta.scope, groups.data)
    inside = _summed(hierarchy, inner)
    into, out_of = (bincount(ends, minlength=hierarchy.count) for ends in (target[~loops], source[~loops]))
    incoming = _within(hierarchy, into) - inside + _loops(hierarchy, source[loops])
    outgoing = _within(hierarchy, out_of) - inside + _loops(hierarchy, source[loops])
    heavy = _within(hierarchy, bincount(source[large], minlength=hierarchy.count))
    found: Bools = (incoming == 0) & (outgoing > 0) & (heavy == 0)
    return found


def _loops(hierarchy: Hierarchy, looped: Ints) -> Ints:
    """Self loops of the nodes in each scope, which its inner edges include."""
    within = _within(hierarchy, bincount(looped, minlength=hierarchy.count))
    within[: hierarchy.count] = 0
    return within


def _within(hierarchy: Hierarchy, of_nodes: npt.NDArray[np.generic]) -> Ints:
    """The sum over the nodes in each item."""
    total = np.append(0, np.cumsum(of_nodes[hierarchy.order].astype(np.int64)))
    summed: Ints = total[hierarchy.end] - total[hierarchy.begin]
    return summed


def _summed(hierarchy: Hierarchy, of_scopes: Ints) -> Ints:
    """The sum over the scopes in each item, itself included."""
    values, parent = of_scopes.tolist(), hierarchy.parent.tolist()
    for scope in range(hierarchy.size - 1, hierarchy.root, -1):
        values[parent[scope]] += values[scope]
    return np.array(values, np.int64)
