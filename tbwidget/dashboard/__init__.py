"""The dashboard: a widget composed of what the panels declare."""

from __future__ import annotations

import inspect
import textwrap
import types
from typing import TYPE_CHECKING, Any, Unpack

import traitlets
from IPython.display import display

from tbwidget.dashboard.alerts import ALERTS
from tbwidget.dashboard.board import Board
from tbwidget.dashboard.inputs import usual_directory
from tbwidget.options.cards import CardOptions
from tbwidget.options.common import BoardOptions
from tbwidget.options.runs import RunTableOptions
from tbwidget.options.traits import option, options_of
from tbwidget.panels import registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tbwidget.dashboard.views import Dashboard as Dashboard
    from tbwidget.dashboard.views import DashboardOptions
    from tbwidget.logs.logdir import LogDir
    from tbwidget.logs.roots import OnePath, Paths
    from tbwidget.panels.declare import Panel, Result, Value

ALWAYS_SENT = (*registry.ALWAYS_SENT, ALERTS)
"""Contents that are sent whichever panel is shown."""

_DOC = """Live charts of a log directory, in the notebook.

`logs` is a path, or a `LogDir`, which is followed while a dashboard shows it. Several paths, or a dict of them by name,
are shown in one dashboard: their runs are called like "baseline/run1", after the name or the last part of the path.

The widget pushes new data while a cell runs; `close()` ends it. An idle kernel that has not heard from its page for a
minute stops sending until it does.

Options are keywords, and attributes that can be set at any time. Each also has the value that the browser set:

{options}

`layout` is ipywidgets' own, as in `board.layout.width = "50%"`; its height, when set, replaces `height`.
`logs` may be a URL, such as "s3://bucket/runs". `storage_options` go to fsspec's filesystem, such as credentials; they
are shown and saved nowhere.

`profile` is all options as one dict for JSON, or the path of such a file; it can be given and read on any dashboard.

`hovered` is the point below the pointer. `observe` calls back when it or an option changes:

    board.observe(lambda change: print(change.new), "hovered")

The page remembers the options that the user set there, and restores them when the cell is run again or the page is
reloaded. Options given in Python win over them.

Where a list of str is expected, a single str counts as a list of one.

Raises `TypeError` for an unknown option, `TraitError` for a wrong value, `ValueError` for a URL that leads to no known
storage and `NotADirectoryError` if the path names a file. A directory that does not exist yet is waited for, as are
runs and tags.
"""


def compose(panels: Sequence[Panel]) -> type[Board]:
    """Return the class of a dashboard with these panels, in the order of their tabs."""
    mixins = option_mixins(panels)
    names = [panel.name for panel in panels]
    listed = ", ".join(f'"{name}"' for name in names)
    panel = option(
        traitlets.Enum((None, *names), default_value=None, allow_none=True),
        f"The panel that is shown. Type: str, one of {listed}, or None. Default: None, the first that has data.",
    )
    body = {"panel": panel, "_panels": tuple(panels), "_always_sent": ALWAYS_SENT}
    made: type[Board] = _class("Dashboard", (*mixins, Board), **body)
    docs = {**options_of(mixins), "panel": panel.help}
    made.__doc__ = _DOC.format(options=_listed(docs))
    made.__signature__ = _signature(made, {name: name for name in docs})
    return made


def _listed(docs: Mapping[str, str]) -> str:
    """Return the options and their documentation as a list in a docstring."""
    lines = textwrap.TextWrapper(116, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines.fill(f"- `{name}`: {doc}") for name, doc in docs.items())


def option_mixins(panels: Sequence[Panel]) -> list[type[traitlets.HasTraits]]:
    """Return the mixins that declare the options of a dashboard, each once, although panels share some."""
    of_panels = dict.fromkeys(mixin for panel in panels for mixin in panel.options)
    return [BoardOptions, RunTableOptions, CardOptions, *of_panels]


def _class(name: str, bases: tuple[type, ...], /, **body: Any) -> Any:
    """Make a class with these traits and attributes."""
    body |= {"__module__": __name__, "__qualname__": name}
    return types.new_class(name, bases, exec_body=lambda namespace: namespace.update(body))


def _signature(board: type[Board], options: Mapping[str, str]) -> inspect.Signature:
    """Return the signature of a class, so that editors complete its options."""
    traits = board.class_traits()
    by_name = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=traits[own].default())
        for name, own in options.items()
    ]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in ("layout", "profile", "storage_options")
    ]
    return inspect.Signature([inspect.Parameter("logs", inspect.Parameter.VAR_POSITIONAL), *by_name, *more])


def compose_view(panel: Panel) -> type[Board]:
    """Return the class of a view: a dashboard of one panel, whose options may have shorter names."""
    short = panel.view_options
    mixins = option_mixins([panel])
    own_names = {own: name for name, own in short.items()}
    docs = {own_names.get(name, name): doc for name, doc in options_of(mixins).items() if name != "panel"}
    made: type[Board] = _class(
        panel.view,
        (*mixins, Board),
        panel=traitlets.Unicode(panel.name, read_only=True, help="The one panel. Never changes.").tag(sync=True),
        _panels=(panel,),
        _always_sent=ALWAYS_SENT,
        _single=traitlets.Bool(default_value=True).tag(sync=True),
        _view_class=traitlets.Unicode(panel.view).tag(sync=True),
        _short_names=dict(short),
        __doc__=f"{panel.view_doc}\n\nUsed like `Dashboard`. Options:\n\n{_listed(docs)}\n",
        **{name: _attribute(own, panel.view_values.get(own)) for name, own in short.items()},
        **{name: _result(result) for name, result in panel.view_results.items()},
    )
    made.__signature__ = _signature(made, {name: short.get(name, name) for name in docs})
    return made


def _attribute(option_name: str, value: Value | None) -> property:
    """Return a property for an option by another name; `value` computes its effective value."""

    def read(board: Board) -> Any:
        return getattr(board, option_name) if value is None else value(board._logs, board)  # noqa: SLF001 (its own)

    return property(
        read,
        lambda board, value: setattr(board, option_name, value),
        doc=f"Short for `{option_name}`.",
    )


def _result(result: Result) -> property:
    """Return a read-only property with a result that a panel computes."""
    return property(lambda board: result(board._logs, board), doc=result.__doc__)  # noqa: SLF001 (its own)


if not TYPE_CHECKING:
    Dashboard = compose(registry.PANELS)

_views: dict[str, type[Board]] = {}


def __getattr__(name: str) -> Any:
    """The view of a panel, by the name that it declares."""
    panel = next((panel for panel in registry.PANELS if panel.view == name), None)
    if panel is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _views:
        _views[name] = compose_view(panel)
    return _views[name]


def show(logs: LogDir | Paths | None = None, *more: OnePath, **options: Unpack[DashboardOptions]) -> None:
    """Display the dashboard of a log directory; it refreshes by itself, also while another cell runs.

    `show("a", "b")` and `show({"baseline": "a", "new": "b"})` show several in one. Without a directory, `show()` takes
    `runs`, `logs` or `lightning_logs`, if exactly one of them exists. It takes the options of `Dashboard`. Running
    the cell again closes the dashboards it made before.
    """
    if logs is None:
        logs = usual_directory()
    display(Dashboard(logs, *more, **options))  # type: ignore[no-untyped-call]
