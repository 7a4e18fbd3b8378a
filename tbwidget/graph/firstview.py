"""Which scopes are open when a graph is first shown: so many that what it computes can be seen."""

from __future__ import annotations

from tbwidget.graph.roles import Role
from tbwidget.graph.structure import Structure
from tbwidget.graph.view import BoxKind, View, make_boxes

FEWEST_BOXES = 12
"""Scopes are opened until so many closed boxes and nodes are on the screen."""

MOST_BOXES = 60
"""Boxes on the screen after a scope has been opened."""

MOST_BOXES_OF_MAIN_SCOPE = 400
"""Likewise, after opening a scope without which there is hardly anything to see."""

_MAIN_SHARE = 0.6


def first_opened(graph: Structure) -> list[str]:
    """Paths of the boxes that are open at first: those with most nodes, the outer ones first."""
    opened: list[str] = []
    view = make_boxes(graph, opened)
    while _closed(view) < FEWEST_BOXES:
        for box in _candidates(view):
            trial = [*opened, view.path[box]]
            after = make_boxes(graph, trial)
            is_main = view.nodes[box] >= _MAIN_SHARE * graph.nodes.count
            if len(after) <= (MOST_BOXES_OF_MAIN_SCOPE if is_main else MOST_BOXES):
                # With a stack its member is open, which is named too.
                opened = [path for path, is_open in zip(after.path, after.open, strict=True) if is_open]
                view = after
                break
        else:
            break
    return opened


def _closed(view: View) -> int:
    """Boxes that are not open."""
    return len(view) - sum(view.open)


def _candidates(view: View) -> list[int]:
    """Closed boxes of the model that hold several nodes, those with most nodes first."""
    found = [
        box
        for box, kind in enumerate(view.kind)
        if kind not in {BoxKind.NODE, BoxKind.MISSING}
        and not view.open[box]
        and view.nodes[box] > 1
        and view.role[box] not in {Role.BOOKKEEPING, Role.LARGE}
    ]
    return sorted(found, key=lambda box: -view.nodes[box])
