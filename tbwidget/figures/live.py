"""Base of all live figures: which series they draw, their own marks among the user's, their end."""

from __future__ import annotations

import re
import reprlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import bqplot
import ipywidgets
import numpy as np
import traitlets
from traitlets import TraitError

from tbwidget.dashboard.inputs import given_logs, short_name
from tbwidget.dashboard.kernel import this_cell_run
from tbwidget.figures.feed import Feed, Sent
from tbwidget.figures.legend import STYLE, free_place, most_names
from tbwidget.figures.page import FigurePage
from tbwidget.figures.parts import (
    Part,
    Series,
    close_all,
    full_name,
    labels,
    numbers,
    place,
    short_label,
    size_of,
)
from tbwidget.logs.logdir import acquire, release
from tbwidget.logs.unknown import chosen, did_you_mean, missing_names_warning, pattern_hint, warn
from tbwidget.options.colors import Palette, run_color

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.roots import Paths

_MARGIN = {"top": 44, "bottom": 44, "left": 60, "right": 24}
TEXT = "var(--jp-ui-font-color1, black)"  # as the notebook's own text, in its dark theme, too
_PARTS = ("layout", "scale_x", "scale_y")  # bqplot makes them, unless they are given
_BACKGROUND = "var(--jp-layout-color0, white)"
_DASHES = ("solid", "dashed", "dotted", "dash_dotted")


class BrushedFigure(bqplot.Figure):  # type: ignore[misc] # bqplot has no types
    """A `bqplot.Figure` in which places on the x axis are selected by dragging, or by setting `selected`."""

    x_scale: Any

    selected: Any = traitlets.Tuple(
        traitlets.Float(),
        traitlets.Float(),
        default_value=None,
        allow_none=True,
        help="First and last place on the x axis that the brush spans, or None. May be set.",
    )

    brush: Any = None
    """An interaction: dragging selects places on the x axis, which `selected` says."""

    def _make_brush(self) -> None:
        self.brush = bqplot.interacts.BrushIntervalSelector(scale=self.x_scale)
        self.brush.observe(self._on_brush, "selected")
        self.observe(self._on_selected, "selected")

    def _on_brush(self, change: Any) -> None:
        ends = change.new
        self.selected = None if ends is None or len(ends) != 2 else tuple(sorted(map(float, numbers(ends))))  # noqa: PLR2004

    def _on_selected(self, change: Any) -> None:
        ends = self.brush.selected
        if change.new is None:
            if ends is not None and len(ends):
                self.brush.selected = None
                self.brush.reset()
        elif ends is None or not np.array_equal(numbers(ends), change.new):
            ends = np.array(change.new, np.float64)
            dates = isinstance(self.x_scale, bqplot.DateScale)
            self.brush.selected = (ends * 1e3).astype("datetime64[ms]") if dates else ends

    def _forget_brushed(self, removed: Sequence[Any]) -> None:
        """Take marks that will be closed from those that the brush tells, in the page, what it selects of them."""
        kept = [mark for mark in self.brush.marks if not any(mark is other for other in removed)]
        if len(kept) < len(self.brush.marks):
            self.brush.marks = kept

    @property
    def visible(self) -> tuple[float, float] | None:
        """Visible range of the x axis (ms since the epoch for dates); None for all."""
        first, last = getattr(self.x_scale, "min", None), getattr(self.x_scale, "max", None)
        return None if first is None or last is None else (place(first), place(last))


class LiveFigure(BrushedFigure):
    """A `bqplot.Figure` that a log directory is drawn in until `close()`; `tbwidget.figure` makes them.

    Its kinds say which marks a series has, and what these hold.
    """

    kind: ClassVar[str]
    """The kind of data, as `Logs.tags` names it."""

    most_series: ClassVar[int] = 300
    """Series that are drawn at most: each is several widgets."""

    unlisted: ClassVar[frozenset[str]] = frozenset()
    """Names of parts that are not in the legend."""

    redraws: ClassVar[tuple[str, ...]] = ()
    """Options whose changes draw everything again."""

    tags = traitlets.Any(None, allow_none=True, help="What tags are drawn: names, an expression, or None for all.")
    runs = traitlets.Any(None, allow_none=True, help="What runs are drawn, likewise.")
    run_colors = traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=ipywidgets.Color())
    palette = traitlets.Enum(("auto", "light", "dark"), default_value="auto")
    flush_writers = traitlets.Bool(default_value=True, help="Whether writers of this process are flushed.")
    x_scale = traitlets.Instance(bqplot.Scale, help="The scale from left to right.")
    y_scale = traitlets.Instance(bqplot.Scale, help="The scale of values.")
    if TYPE_CHECKING:
        legend_location: Any
        marks: Any
        title: Any

    def __init__(self, logs: Logs | Paths, **options: Any) -> None:
        storage_options = options.pop("storage_options", None)
        self._check_names(options)
        given = given_logs(logs, (), storage_options)
        self._ended = False
        self._lock = threading.RLock()
        self._marks: dict[Part, Any] = {}
        self._auto_title = ""
        self._auto_legend = "" if "legend_location" in options else str(bqplot.Figure.legend_location.default_value)
        self._lists = True  # whether the legend names lines: of more than a few, it would hide them
        self._auto_labels: dict[Part, list[str]] = {}
        self._name = short_name(given)
        self._given_scales = [options[name] for name in ("x_scale", "y_scale") if name in options]
        self._own_axes: list[Any] = []
        self._own_parts: list[Any] = []
        self._common: list[Any] = []  # own marks that belong to no series
        self._interactions: list[Any] = []
        self.panzoom: Any = None
        """An interaction: dragging pans, the wheel zooms."""
        self._page: Any = None
        self._unobserve: list[Callable[[], None]] = []
        self._logs = acquire(given, storage_options)
        try:
            self._cell_run = this_cell_run()
            defaults = {
                "fig_margin": dict(_MARGIN),
                "title_style": {"font-size": "14px", "fill": TEXT},
                "legend_style": {"fill": _BACKGROUND, "fill-opacity": "0.6", "stroke": "none", **STYLE},
                **self._figure_options(),
            }
            super().__init__(**{**defaults, **options})
            self._own_parts = [part for name in _PARTS if (part := getattr(self, name)) is not options.get(name)]
            if not self._logs.source.ready:
                self._logs.refresh()
            self.panzoom = bqplot.PanZoom(scales={"x": [self.x_scale], "y": [self.y_scale]})
            self._make_brush()
            self._own_axes = self._axes()
            self._page = FigurePage(self)
            self._wire(options)
            self._warn_of_missing()
            self.update(None)
        except BaseException:
            self._ended = True
            release(self._logs)
            self._close_own()
            super().close()
            raise
        self._feed = Feed(self.update)
        self._unsubscribe = self._logs.source.subscribe(self._feed.changed, held=True)
        self._end_flushing: Callable[[], None] | None = None
        self._set_flushing()
        self.observe(self._set_flushing, "flush_writers")
        self._cell_run.add(self)
        self._feed.changed()  # what came since it was drawn

    @classmethod
    def _check_names(cls, options: Iterable[str]) -> None:
        known = sorted(name for name in cls.class_trait_names() if name[0] != "_" and name != "selected")
        for name in options:
            if name not in known:
                raise TypeError(f"{cls.__name__} has no option {name!r}{did_you_mean(name, known)}")

    def lines(self, contents: Mapping[str, Any], **style: Any) -> Any:
        """A mark of lines on the figure's scales, without points where nothing is given."""
        scales = {"x": self.x_scale, "y": self.y_scale}
        return bqplot.Lines(**{"x": np.empty(0), "y": np.empty(0), **contents}, scales=scales, **style)

    def axis(self, scale: Any, label: str = "", **options: Any) -> Any:
        """An axis in the colors of the notebook."""
        return bqplot.Axis(scale=scale, label=label, label_color=TEXT, **options)

    # Hooks for the kinds.

    def _figure_options(self) -> dict[str, Any]:
        """Traits of the figure that differ from bqplot's."""
        return {}

    def _axes(self) -> list[Any]:
        """The axes."""
        raise NotImplementedError

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        """Return the traits of the marks, in drawing order; None for marks that stay as they are."""
        raise NotImplementedError

    def _mark(self, part: Part, contents: Mapping[str, Any], wanted: Sequence[Series]) -> Any:
        """Make a mark; `wanted` are all series that are drawn."""
        raise NotImplementedError

    def _fill(self, mark: Any, contents: Mapping[str, Any]) -> None:
        """Write what a mark holds now."""
        with mark.hold_sync():  # else the page would draw arrays of two lengths
            for name, value in contents.items():
                setattr(mark, name, value)

    def _discard(self, mark: Any) -> None:
        """Close a mark, and what belongs to it alone."""
        close_all([mark])

    def _annotate(self, wanted: Sequence[Series]) -> None:
        """Update the marks that belong to no series."""

    def _named(self, wanted: Sequence[Series]) -> str:
        """The title, unless the user gives one."""
        tags = list(dict.fromkeys(series.tag for series in wanted))
        return short_label(tags[0]) if len(tags) == 1 else ""

    # Drawing.

    def update(self, changed: frozenset[tuple[str, str, str]] | None = None) -> Sent:
        """Update the figure's own marks: all of them, or the marks of each (kind, run, tag) that has changed."""
        with self._lock:
            if self._ended:
                return Sent(0, 0)
            there = self._wanted()
            wanted = there[: self.most_series]
            if changed is not None and not any((self.kind, *series) in changed for series in wanted):
                return Sent(0, 0)
            drawn = {part.series for part in self._marks}
            contents = self._contents(
                wanted, lambda series: changed is None or series not in drawn or (self.kind, *series) in changed
            )
            with self.hold_sync():
                sent = self._write(wanted, contents)
                self._annotate(wanted)
                self._entitle(there)
                self._place_legend()
            return sent

    def _wanted(self) -> list[Series]:
        listed = self._logs.tags().get(self.kind, {})
        runs = chosen(self.runs, list(listed), None, "name")
        tags = chosen(self.tags, list(dict.fromkeys(tag for run in runs for tag in listed[run])), None, "name")
        held = {run: frozenset(listed[run]) for run in runs}
        return [Series(run, tag) for tag in tags for run in runs if tag in held[run]]

    def _write(self, wanted: Sequence[Series], contents: Mapping[Part, dict[str, Any] | None]) -> Sent:
        written = []
        shown = set(map(id, self.marks))
        for part, traits in contents.items():
            mark = self._marks.get(part)
            if mark is not None and traits is not None and id(mark) in shown:
                self._fill(mark, traits)
                written.append(traits)
        self._label(wanted)
        gone = [part for part in self._marks if part not in contents]
        new = [part for part in contents if part not in self._marks]
        if not (gone or new):
            return Sent(len(written), sum(map(size_of, written)))
        removed = [self._marks.pop(part) for part in gone]
        self._auto_labels = {part: held for part, held in self._auto_labels.items() if part in self._marks}
        before = [*self._common[:1], *self._marks.values()]  # the marks of series come after the bands
        for part in new:
            written.append(contents[part] or {})
            self._marks[part] = self._mark(part, written[-1], wanted)
        kept = [mark for mark in self.marks if not any(mark is other for other in removed)]
        last = max((place for place, mark in enumerate(kept, 1) if any(mark is other for other in before)), default=0)
        self.marks = [*kept[:last], *(self._marks[part] for part in new), *kept[last:]]
        self._follow_theme(wanted)
        self._forget_brushed(removed)
        for mark in removed:
            self._discard(mark)
        return Sent(len(written) + 1 + len(removed), sum(map(size_of, written)))

    def _entitle(self, there: Sequence[Series]) -> None:
        """Set the title to the tag that is drawn, and to how many series are left out, unless the user has set one."""
        title = self._named(there[: self.most_series])
        if len(there) > self.most_series:
            title = f"{title} (first {self.most_series} of {len(there):,})".lstrip()
        if self.title == self._auto_title:
            self.title = self._auto_title = title

    def _label(self, wanted: Sequence[Series]) -> None:
        """Update labels that the user has not set: they depend on all lines. Too many lines have no legend."""
        lists, before = len(wanted) <= most_names(self), self._lists
        self._lists = lists
        names = self._names(wanted)
        for part, mark in self._marks.items() if lists != before else ():
            if part.name not in self.unlisted and getattr(mark, "display_legend", None) is before:
                mark.display_legend = lists
        for part, given in self._auto_labels.items():
            mark, name = self._marks[part], names.get(part.series)
            if name is not None and mark.labels == given and given[0] != name:
                mark.labels = self._auto_labels[part] = [name] * len(given)

    def _names(self, wanted: Sequence[Series]) -> dict[Series, str]:
        """Return the labels: short in a legend, full without one, where the page names the nearest line."""
        return labels(wanted, short_label if self._lists else full_name)

    def _style(self, part: Part, wanted: Sequence[Series], rows: int = 1) -> dict[str, Any]:
        """Color, dashes and label of a mark of `rows` lines: colors tell runs apart, dashes tags."""
        tags = list(dict.fromkeys(series.tag for series in wanted))
        self._auto_labels[part] = [self._names(wanted)[part.series]] * rows
        return {
            "colors": [self.color_of(part.series.run)] * rows,
            "line_style": _DASHES[tags.index(part.series.tag) % len(_DASHES)],
            "labels": self._auto_labels[part],
            "display_legend": self._lists and part.name not in self.unlisted,
            "stroke_width": 2.0 if self._lists else 1.2,
        }

    def color_of(self, run: str) -> str:
        """Color of a run, as #rrggbb: as in dashboards, unless `run_colors` has another.

        With the palette "auto" it is the color for a light page.
        """
        palette: Palette = "dark" if self.palette == "dark" else "light"
        return str(self.run_colors.get(run) or run_color(self._logs.source.run_numbers().get(run, 0), palette))

    def _follow_theme(self, wanted: Sequence[Series]) -> None:
        """Tell the page which colors the marks have in its dark theme."""
        if self.palette == "auto":
            numbers, own = self._logs.source.run_numbers(), {run for run, color in self.run_colors.items() if color}
            self._page.paint(self._marks.values(), {numbers.get(each.run, 0) for each in wanted if each.run not in own})

    def _place_legend(self) -> None:
        """Put the legend where it hides least, unless the user has placed it."""
        if self.legend_location == self._auto_legend:
            self._auto_legend = free_place(
                self, self._marks.values(), is_top_free=not any(len(mark.x) for mark in self._common)
            )
            self.legend_location = self._auto_legend

    # Interaction.

    def _wire(self, options: Mapping[str, Any]) -> None:
        """Connect traits with one another; give the figure its axes and its interaction, unless it has others."""
        with self.hold_sync():
            if "axes" not in options:
                self.axes = self._own_axes
            self.observe(self._note_interaction, "interaction")
            if "interaction" not in options:
                self.interaction = self.brush
        self.observe(self._on_names, ["tags", "runs"])
        if self.redraws:  # to traitlets, no names are all names
            self.observe(self.redraw, self.redraws)
        self.observe(self._on_scale, ["x_scale", "y_scale"])
        self._watch_zoom()

    def redraw(self, _change: Any = None) -> None:
        """Draw everything as it is wanted now, in the thread that asks."""
        if not self._ended:
            self.update(None)

    def _on_names(self, _change: Any) -> None:
        self._warn_of_missing()
        self.redraw()

    @traitlets.validate("tags", "runs")
    def _check_chosen(self, proposal: Any) -> Any:
        return checked_names(proposal.trait.name, proposal.value)

    def _warn_of_missing(self) -> None:
        for warning in missing_warnings(self._logs.tags().get(self.kind, {}), self.runs, self.tags):
            warn(warning)
        if (count := len(self._wanted())) > self.most_series:
            warn(f"only the first {self.most_series} of {count:,} series are drawn: choose some with `tags` and `runs`")

    def _note_interaction(self, change: Any) -> None:
        if change.new is not None:
            self._interactions.append(change.new)

    def _on_scale(self, change: Any) -> None:
        """Put a scale in the place of another one, wherever the figure has this."""
        with self._lock:
            if self._ended:
                return

            def swapped(scale: Any) -> Any:
                return change.new if scale is change.old else scale

            for mark in (*self._marks.values(), *self._common):
                mark.scales = {name: swapped(scale) for name, scale in mark.scales.items()}
            for axis in self._own_axes:
                axis.scale = swapped(axis.scale)
            self.panzoom.scales = {name: [*map(swapped, held)] for name, held in self.panzoom.scales.items()}
            self.brush.scale = swapped(self.brush.scale)
            self._watch_zoom()
            if not any(change.old is given for given in self._given_scales):
                change.old.close()
            self._given_scales.append(change.new)
            self.update(None)

    def _watch_zoom(self) -> None:
        """Redraw after a zoom, since the visible range is drawn more finely."""
        for unobserve in self._unobserve:
            unobserve()
        scale = self.x_scale

        def zoomed(_change: Any) -> None:
            if hasattr(self, "_feed"):
                self._feed.changed()

        ends = [name for name in ("min", "max") if scale.has_trait(name)]
        scale.observe(zoomed, ends)
        self._unobserve = [lambda: scale.unobserve(zoomed, ends)]

    # The end.

    def close(self) -> None:
        """End it: its views disappear, its thread ends, and the follower ends with its last user.

        Marks, axes and scales of the user's own stay.
        """
        # ipywidgets also calls this from __del__, for widgets whose making failed half way too.
        if hasattr(self, "_feed"):
            with self._lock:
                ended, self._ended = self._ended, True
            if not ended:
                self._end()
        super().close()

    def _set_flushing(self, _change: Any = None) -> None:
        with self._lock:
            wanted = self.flush_writers and not self._ended
            end, self._end_flushing = self._end_flushing, None
            if wanted:
                self._end_flushing = end or self._logs.source.flush_writers()
                return
        if end is not None:  # it may wait for the thread
            end()

    def _end(self) -> None:
        self._set_flushing()
        self._unsubscribe()
        self._feed.stop()
        self._cell_run.discard(self)
        release(self._logs)
        self._close_own()

    def _close_own(self) -> None:
        """Close all widgets of the figure's own, as far as they were made."""
        for unobserve in self._unobserve:
            unobserve()
        for mark in self._marks.values():
            self._discard(mark)
        self._marks.clear()
        scales = [scale for name in ("x_scale", "y_scale") if (scale := self._trait_values.get(name)) is not None]
        held = {*map(id, scales)}
        # The page's toolbar makes interactions that pan and zoom only these scales.
        panzooms = [each for each in self._interactions if isinstance(each, bqplot.PanZoom)]
        made = [each for each in panzooms if {id(one) for own in each.scales.values() for one in own} <= held]
        own = [scale for scale in scales if not any(scale is given for given in self._given_scales)]
        close_all([*self._common, *self._own_axes, self.panzoom, self.brush, self._page, *made, *own, *self._own_parts])

    def __repr__(self) -> str:
        """Name the directory, runs and tags, but not the path of the directory."""
        if not hasattr(self, "_name"):  # its making failed
            return f"{type(self).__name__}()"
        named = {name: value for name in ("tags", "runs") if (value := getattr(self, name)) is not None}
        options = "".join(f", {name}={value!r}" for name, value in named.items())
        text = f"{type(self).__name__}(logs={self._name!r}{options})"
        return f"<closed {text}>" if self._ended else text


def checked_names(what: str, names: Any) -> Any:
    """Names as `chosen` takes them; TraitError for anything else, given as the trait `what`."""
    if names is None or _is_name(names):
        return names
    if isinstance(names, Iterable) and not isinstance(names, (bytes, Mapping)):
        names = names if isinstance(names, (list, tuple)) else list(names)
        if all(map(_is_name, names)):
            return names
    expected = "a name, a compiled regular expression, a list of both, or None for all"
    raise TraitError(f"{what}: expected {expected}, not {reprlib.repr(names)}")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, re.Pattern) and isinstance(value.pattern, str))


def missing_warnings(listed: Mapping[str, Sequence[str]], runs: Any, tags: Any) -> list[str]:
    """Return warnings about selected runs and tags that do not exist yet; `listed` are the tags of each run."""
    all_tags = list(dict.fromkeys(tag for own in listed.values() for tag in own))
    found = (_missing("run", runs, list(listed)), _missing("tag", tags, all_tags))
    return [warning for warning in found if warning]


def _missing(what: str, names: Any, known: list[str]) -> str | None:
    exact = [name for name in ([names] if _is_name(names) else names or []) if isinstance(name, str)]
    warning = missing_names_warning(what, exact, known)
    hints = (pattern_hint(name, known) for name in exact if name not in known)
    hint = next(filter(None, hints), "")
    return f"{warning} {hint[0].upper()}{hint[1:]}." if warning and hint else warning
