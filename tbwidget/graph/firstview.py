"""Chooses the scopes that a first view opens, so that it shows what the graph computes."""

from __future__ import annotations

from tbwidget.graph.roles import Role
from tbwidget.graph.structure import Structure
from tbwidget.graph.view import BoxKind, View, make_boxes

MIN_BOXES = 12
"""Scopes are opened until at least as many closed boxes and nodes are on the screen."""

MAX_BOXES = 60
"""Boxes on the screen after a scope has been opened."""

MAX_BOXES_OF_MAIN_SCOPE = 400
"""Boxes on the screen after the main scope has been opened while there were fewer than `MIN_BOXES`."""

_MAIN_SHARE = 0.6
"""A box with a larger share of the model's nodes is the main one."""


def first_opened(graph: Structure) -> list[str]:
    """Paths of the boxes that are open at first: those with most nodes of the model, the outer ones first."""
    opened: list[str] = []
    view = make_boxes(graph, opened)
    sizes = _sizes(graph, view)
    least_main = _MAIN_SHARE * sum(size for size, _ in sizes)
    while True:
        is_enough = _closed(view) >= MIN_BOXES
        for box in _candidates(view, sizes):
            is_main = sizes[box][0] >= max(1, least_main)
            # However many boxes there are, they tell little if one of them is the model.
            is_outer = view.parent[box] < 0 or view.parent[view.parent[box]] < 0
            if is_enough and not (is_main and is_outer and view.kind[box] == BoxKind.SCOPE):
                continue
            most = MAX_BOXES_OF_MAIN_SCOPE if is_main and not is_enough else MAX_BOXES
            after = make_boxes(graph, [*opened, view.path[box]])
            if len(after) <= most and not _holds_one_node(after, view.path[box]):
                # With a stack its member is open, which is named too.
                opened = [path for path, is_open in zip(after.path, after.open, strict=True) if is_open]
                view, sizes = after, _sizes(graph, after)
                break
        else:
            return opened


def _sizes(graph: Structure, view: View) -> list[tuple[int, int]]:
    """Number of nodes in each box that compute the model, and number of all its nodes."""
    return [(graph.roles.computing(held), nodes) for held, nodes in zip(view.held, view.nodes, strict=True)]


def _closed(view: View) -> int:
    """Boxes that are neither open nor bookkeeping."""
    return sum(not is_open and role != Role.BOOKKEEPING for is_open, role in zip(view.open, view.role, strict=True))


def _holds_one_node(view: View, path: str) -> bool:
    """Whether nothing but a node is in an open box: nothing more is seen then."""
    box = view.path.index(path)
    inside = [view.kind[other] for other, around in enumerate(view.parent) if around == box]
    return inside == [BoxKind.NODE]


def _candidates(view: View, sizes: list[tuple[int, int]]) -> list[int]:
    """Closed boxes with several nodes that are no bookkeeping; those with most nodes of the model first."""
    found = [
        box
        for box, kind in enumerate(view.kind)
        if kind not in {BoxKind.NODE, BoxKind.MISSING}
        and not view.open[box]
        and view.nodes[box] > 1
        and view.role[box] not in {Role.BOOKKEEPING, Role.LARGE}
    ]
    return sorted(found, key=lambda box: sizes[box], reverse=True)
