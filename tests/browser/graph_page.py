"""A graph in a notebook's page: finds its boxes, and waits for selected and open ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tbwidget.graph.view import BoxKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from playwright.sync_api import ElementHandle, Locator

    from tbwidget.graph import Graph
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
view = tbwidget.GraphView({logs!r}{options})
view
"""

NODES = "return [...document.querySelectorAll('.tbwidget [data-node]')].map(one => one.dataset.node).sort()"

OPENED_LIST = "[...document.querySelectorAll('.tbwidget [data-node][aria-expanded=true]')].map(one => one.dataset.node)"

PLACES = """
return [...document.querySelectorAll('.tbwidget [data-node]')].map(one => [one.dataset.node,
    ...['x', 'y', 'width', 'height'].map(side => Math.round(one.getBoundingClientRect()[side]))])
"""

_FIND = "path => [...document.querySelectorAll('.tbwidget [data-node]')].find(one => one.dataset.node === path)"

_SAME = f"const shown = (() => {{{NODES}}})(); return JSON.stringify(shown) === JSON.stringify(arg)"


def box(notebook: NotebookPage, path: str) -> Locator:
    """Find the element of a box."""
    return notebook.page.locator(f'.tbwidget [data-node="{path}"]').first


def any_box(notebook: NotebookPage, path: str) -> ElementHandle:
    """Find the element of a box whose path may contain any characters."""
    found = notebook.page.evaluate_handle(_FIND, path).as_element()
    assert found is not None, path
    return found


def info(notebook: NotebookPage) -> Locator:
    """Find the info card."""
    return notebook.page.locator(".tbwidget-graph-info")


def wait_for_selected(notebook: NotebookPage, path: str) -> None:
    """Wait until this box is the selected one."""
    notebook.wait("return document.querySelector('.tbwidget [aria-selected=true]')?.dataset.node === arg", arg=path)


def wait_for_view(
    notebook: NotebookPage, graph: Graph, opened: Collection[str], ungrouped: Collection[str] = ()
) -> None:
    """Wait until the page has exactly the boxes that Python expects, each once."""
    # JavaScript's order: by UTF-16 units.
    wanted = sorted(graph.view(opened, ungrouped).path, key=lambda path: path.encode("utf-16-be", "surrogatepass"))
    try:
        notebook.wait(_SAME, arg=wanted)
    except PlaywrightTimeoutError:
        shown = notebook.js(NODES)
        more, less = [path for path in shown if path not in wanted], [path for path in wanted if path not in shown]
        raise AssertionError(f"shown are also {more}, and not {less}") from None


def closed_boxes(graph: Graph, opened: Collection[str]) -> list[str]:
    """Return the paths of the boxes that can be opened."""
    view = graph.view(opened)
    kinds = zip(view.path, view.kind, view.open, strict=True)
    return [path for path, kind, is_open in kinds if not is_open and kind not in {BoxKind.NODE, BoxKind.MISSING}]
