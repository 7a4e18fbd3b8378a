"""TensorBoard's whole job inside the notebook, with no server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget._version import __version__
from tbwidget.logs import LogDir, load

if TYPE_CHECKING:
    from tbwidget.dashboard import Dashboard, DistributionsView, HistogramsView, ScalarsView, show
    from tbwidget.extension import load_ipython_extension

__all__ = [
    "Dashboard",
    "DistributionsView",
    "HistogramsView",
    "LogDir",
    "ScalarsView",
    "__version__",
    "load",
    "load_ipython_extension",
    "show",
]


def __getattr__(name: str) -> object:
    """Import the widget when it is asked for: reading logs needs none of it."""
    if name in {"Dashboard", "DistributionsView", "HistogramsView", "ScalarsView", "show"}:
        from tbwidget import dashboard  # noqa: PLC0415

        return getattr(dashboard, name)
    if name == "load_ipython_extension":
        from tbwidget import extension  # noqa: PLC0415

        return extension.load_ipython_extension
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
