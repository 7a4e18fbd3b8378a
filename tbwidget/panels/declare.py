"""How a panel declares itself: all that the dashboard and the wire need to know of it.

Adding one takes a module in this folder, a folder in js/src/panels, and a line in the registry of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import traitlets

    from tbwidget.logs.accessors import Logs
    from tbwidget.records.values.arrays import Array
    from tbwidget.wire.content import Answer, Content, Handler


Check: TypeAlias = "Callable[[Logs, Any], str | None]"
"""Takes the logs and the widget whose option it is; None where there is nothing to say."""

Value: TypeAlias = "Callable[[Logs, Any], Any]"
"""Takes the logs and the widget whose option it is; what the option comes to."""


Result: TypeAlias = "Callable[[Logs, Any], Any]"
"""Takes the logs and the widget whose attribute it is; the attribute has its docstring."""

Hold: TypeAlias = "Callable[[Logs], Callable[[], None]]"
"""Takes the logs of a dashboard, and returns what to call when it closes."""


class StillLine(NamedTuple):
    """A line of a chart in a still picture: finite points, at least one."""

    run: str
    color: str
    """As #rrggbb."""
    x: Array
    y: Array


class StillChart(NamedTuple):
    """A chart in a still picture: what is shown where no widget can be."""

    title: str
    lines: Sequence[StillLine]
    """At least one."""
    are_points: bool = False
    """Draw separate points: each line holds the points of one color, and its name is no run."""
    has_one_scale: bool = False
    """A unit is as long across as it is down."""


class StillAxis(NamedTuple):
    """An axis of parallel coordinates."""

    title: str
    ticks: Sequence[tuple[float, str]]
    """Places from 0 below to 1 above, and their labels."""


class StillParallel(NamedTuple):
    """Parallel coordinates in a still picture, as wide as it is."""

    title: str
    axes: Sequence[StillAxis]
    """At least one."""
    lines: Sequence[StillLine]
    """Each with one point an axis; its y is NaN where it has no value. The last one is on top."""


class StillTable(NamedTuple):
    """A table in a still picture, as wide as it is: the columns that there is room for."""

    title: str
    head: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    """A color, and a text for each column."""


StillPart: TypeAlias = StillChart | StillParallel | StillTable

Still: TypeAlias = "Callable[[Logs, Sequence[str]], Iterable[StillPart]]"
"""Takes the logs and the pinned tags, whose charts come first; parts are made one by one, as long as there is room."""


class SavedAnswer(NamedTuple):
    """An answer that a saved page holds."""

    request: str
    """Its name within the panel."""
    args: Mapping[str, Any]
    """Its arguments, as JSON has them."""
    answer: Answer


Saved: TypeAlias = "Callable[[Logs, Mapping[str, Any], int], Iterable[SavedAnswer]]"
"""Takes the logs, the options, and how many characters of JSON all answers may take; one that is larger is dropped."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel of the dashboard, the twin of a folder in js/src/panels."""

    name: str
    """Its name in options, requests and test hooks, such as "scalars"."""
    contents: tuple[Content, ...]
    """What it draws; panels that draw the same share it."""
    options: tuple[type[traitlets.HasTraits], ...]
    """Mixins whose traits are options of the dashboard, made by `options.traits.option`; panels may share them."""
    view: str
    """The name of the widget that shows this panel alone, such as "ScalarsView"."""
    view_doc: str
    """The first lines of that widget's docstring."""
    view_options: Mapping[str, str] = field(default_factory=dict)
    """Shorter names that options have on that widget, as options and attributes: name -> option."""
    view_values: Mapping[str, Value] = field(default_factory=dict)
    """By options: what their attributes on that widget say, for options whose None means an automatic choice."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    """By options: what is to be said of a value that Python set, once the logs are read and the cell has ended."""
    view_results: Mapping[str, Result] = field(default_factory=dict)
    """Read-only attributes of that widget, by name."""
    requests: Mapping[str, Handler] = field(default_factory=dict)
    """Answers to what the browser may ask for, by name; on the wire "<panel>.<name>"."""
    hold: Hold | None = None
    """Called when a dashboard with this panel opens; what it returns, when it closes. None where nothing is to end."""
    saved: Saved | None = None
    """Answers that a page without a kernel needs; None where it needs none."""
    still: Still | None = None
    """Its charts in a still picture of the dashboard; None where it has none."""

    def __post_init__(self) -> None:
        """Refuse what could not be found by its name."""
        if not self.view.endswith("View"):
            raise ValueError(f"the view of a panel is named like 'ScalarsView', unlike {self.view!r}")
