"""The declaration of a panel: everything that the dashboard and the wire need.

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
"""Checks an option set in Python. Takes the logs and the widget; returns a warning or None."""

Value: TypeAlias = "Callable[[Logs, Any], Any]"
"""Computes the effective value of an option. Takes the logs and the widget."""


Result: TypeAlias = "Callable[[Logs, Any], Any]"
"""Computes a read-only attribute, which gets its docstring. Takes the logs and the widget."""

Hold: TypeAlias = "Callable[[Logs], Callable[[], None]]"
"""Takes the logs of a dashboard that opens; returns a function to call when it closes."""


class PreviewLine(NamedTuple):
    """A line of a chart in a static preview: finite points, at least one."""

    run: str
    color: str
    """As #rrggbb."""
    x: Array
    y: Array


class PreviewChart(NamedTuple):
    """A chart in a static preview, the picture that stands for a dashboard where no widget can be."""

    title: str
    lines: Sequence[PreviewLine]
    """At least one."""
    are_points: bool = False
    """Whether to draw separate points: each line then holds the points of one color and belongs to no run."""
    has_one_scale: bool = False
    """Whether both axes have the same scale."""
    is_along_steps: bool = False
    """Whether the x axis has steps: then named ranges of steps are drawn behind the lines."""


class PreviewAxis(NamedTuple):
    """An axis of parallel coordinates."""

    title: str
    ticks: Sequence[tuple[float, str]]
    """Positions, from 0 at the bottom to 1 at the top, and their labels."""


class PreviewParallel(NamedTuple):
    """Parallel coordinates across the width of a static preview."""

    title: str
    axes: Sequence[PreviewAxis]
    """At least one."""
    lines: Sequence[PreviewLine]
    """Each with one point an axis; its y is NaN where it has no value. The last one is on top."""


class PreviewTable(NamedTuple):
    """A table across the width of a static preview, with as many columns as fit."""

    title: str
    head: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    """For each row a color, and a text for each column."""


PreviewPart: TypeAlias = PreviewChart | PreviewParallel | PreviewTable

Preview: TypeAlias = "Callable[[Logs, Sequence[str], str], Iterable[PreviewPart]]"
"""Yields parts of a static preview, which uses as many as fit. Takes the logs and the pinned tags, to put first."""


class SavedAnswer(NamedTuple):
    """An answer that a saved page holds."""

    request: str
    """Its name within the panel."""
    args: Mapping[str, Any]
    """Its arguments, as JSON has them."""
    answer: Answer


Saved: TypeAlias = "Callable[[Logs, Mapping[str, Any], int], Iterable[SavedAnswer]]"
"""Yields answers for a saved page. Takes the logs, the options, and the budget of all answers in characters of JSON."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel of the dashboard, the twin of a folder in js/src/panels."""

    name: str
    """Its name in options, requests and test hooks, such as "scalars"."""
    contents: tuple[Content, ...]
    """The data it draws. Panels that draw the same data share a content."""
    options: tuple[type[traitlets.HasTraits], ...]
    """Mixins whose traits are options of the dashboard, made by `options.traits.option`; panels may share them."""
    view: str
    """The name of the widget that shows this panel alone, such as "ScalarsView"."""
    view_doc: str
    """The first lines of that widget's docstring."""
    view_options: Mapping[str, str] = field(default_factory=dict)
    """Shorter names that options have on that widget, as options and attributes: name -> option."""
    view_values: Mapping[str, Value] = field(default_factory=dict)
    """Effective values of options whose None means an automatic choice: option -> function."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    """Checks of values set in Python, made after the initial scan and the cell: option -> function."""
    view_results: Mapping[str, Result] = field(default_factory=dict)
    """Read-only attributes of that widget, by name."""
    requests: Mapping[str, Handler] = field(default_factory=dict)
    """Handlers of the browser's requests, by name; on the wire "<panel>.<name>"."""
    hold: Hold | None = None
    """Called when a dashboard with this panel opens; its result is called when it closes. None if not needed."""
    saved: Saved | None = None
    """Answers that a page without a kernel needs; None if it needs none."""
    preview: Preview | None = None
    """Its parts of a static preview; None if it has none."""

    def __post_init__(self) -> None:
        """Refuse a view that could not be found by its name."""
        if not self.view.endswith("View"):
            raise ValueError(f"the view of a panel is named like 'ScalarsView', unlike {self.view!r}")
