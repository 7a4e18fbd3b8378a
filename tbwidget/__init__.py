"""TensorBoard's whole job inside the notebook, with no server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tbwidget._version import __version__ as __version__
from tbwidget.logs import LogDir as LogDir
from tbwidget.logs import load as load
from tbwidget.logs.kinds import graphs as _graphs

if TYPE_CHECKING:
    from tbwidget.dashboard import Dashboard as Dashboard
    from tbwidget.dashboard import show as show
    from tbwidget.dashboard.exporting import export_html as export_html
    from tbwidget.extension import load_ipython_extension as load_ipython_extension
    from tbwidget.figures import figure as figure
    from tbwidget.graphview import show_graph as show_graph

_PUBLIC = (
    "Dashboard",
    "LogDir",
    "__version__",
    "export_html",
    "figure",
    "load",
    "load_ipython_extension",
    "show",
    "show_graph",
)


def _shown(graph: Any) -> dict[str, Any]:
    from tbwidget import graphview  # noqa: PLC0415

    return graphview.result(graph)


_graphs.shown = _shown


def __getattr__(name: str) -> Any:
    """Import the widget when it is asked for: reading logs needs none of it. Panels name their own views."""
    if name in {"Dashboard", "show"} or name.endswith("View"):
        from tbwidget import dashboard  # noqa: PLC0415

        if hasattr(dashboard, name):
            return getattr(dashboard, name)
    elif name == "export_html":
        from tbwidget.dashboard import exporting  # noqa: PLC0415

        return exporting.export_html
    elif name == "load_ipython_extension":
        from tbwidget import extension  # noqa: PLC0415

        return extension.load_ipython_extension
    elif name == "figure":
        from tbwidget import figures  # noqa: PLC0415

        return figures.figure
    elif name == "show_graph":
        from tbwidget import graphview  # noqa: PLC0415

        return graphview.show_graph
    elif name == "__all__":
        return __dir__()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from tbwidget.panels import registry  # noqa: PLC0415

    return sorted([*_PUBLIC, *(panel.view for panel in registry.PANELS)])
