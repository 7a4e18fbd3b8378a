"""Options: valid values, invalid ones, and whether Python or the page set them."""

from __future__ import annotations

import inspect
import itertools
import json
import random
import re
import threading
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traitlets import Int, TraitError

from tbwidget.dashboard import Dashboard
from tbwidget.logs.unknown import missing_names_warning
from tbwidget.options.agreement import SharedOptions
from tbwidget.options.cards import CardOptions
from tbwidget.options.common import BoardOptions
from tbwidget.options.patterns import pattern_error
from tbwidget.options.runs import RunTableOptions
from tbwidget.panels import registry
from tests.support.options import options

_MIXINS = dict.fromkeys(mixin for panel in registry.PANELS for mixin in panel.options)
Widget: Any = types.new_class(
    "Widget",
    (BoardOptions, RunTableOptions, CardOptions, *_MIXINS, SharedOptions),
    exec_body=lambda body: body.update(_esm="export default {}"),
)
"""A widget with options, like the dashboard."""

NAMES = Widget.class_trait_names(option=True)


@pytest.fixture
def widget() -> Iterator[Any]:
    made = Widget()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("selected_runs", None, None),
        ("selected_runs", ("b", "a"), ["b", "a"]),
        ("selected_runs", "a", ["a"]),
        ("run_colors", {"a": "#0AF", "b": "#1f77B4"}, {"a": "#00aaff", "b": "#1f77b4"}),
        ("run_colors", {"a": "rgb(300, 0, 12)", "b": "hsl(0, 900%, 50%)"}, {"a": "#ff000c", "b": "#ff0000"}),
        ("run_colors", {"a": "Tomato", "b": "hsl(240, 100%, 50%)"}, {"a": "#ff6347", "b": "#0000ff"}),
        ("run_columns", ("steps", "min:a:b", "hparam:lr", "steps"), ["steps", "min:a:b", "hparam:lr"]),
        ("run_sort", "-min:loss", "-min:loss"),
        ("run_sort", "name", "name"),
        ("run_names", {"a": "the first"}, {"a": "the first"}),
        ("run_notes", {"a": "x" * 2_000, "__proto__": ""}, {"a": "x" * 2_000, "__proto__": ""}),
        ("archived_runs", ("b", "a", "b"), ["b", "a"]),
        ("run_color_by", "hparam:lr", "hparam:lr"),
        ("run_color_by", "regex:lr=([^,]*)", "regex:lr=([^,]*)"),
        ("group_by", "hparam:lr", "hparam:lr"),
        ("runs_width", None, None),
        ("run_filter", "lr=0.1|lr=1", "lr=0.1|lr=1"),
        ("smoothing", 0, 0.0),
        ("smoothing", 0.999, 0.999),
        ("smoothing", np.float32(0.5), 0.5),
        ("smoothing", np.int64(0), 0.0),
        ("symlog_constant", np.float16(0.25), 0.25),
        ("selected_steps", [np.int64(2**60), 2**60 + 1], (2**60, 2**60 + 1)),
        ("pinned", "loss", ["loss"]),
        ("graph_expanded", "encoder", ["encoder"]),
        ("x_axis", "wall", "wall"),
        ("log_y", ["loss"], ["loss"]),
        ("ignore_outliers", False, False),
        ("smoothing_kind", "gaussian", "gaussian"),
        ("smoothing_window", 50, 50),
        ("raw_values", "band", "band"),
        ("x_scale", "symlog", "symlog"),
        ("symlog_y", ["gap"], ["gap"]),
        ("symlog_constant", 1e-6, 1e-6),
        ("y_ranges", {"loss": [0, 2], "a/b": (None, np.float32(1))}, {"loss": (0.0, 2.0), "a/b": (None, 1.0)}),
        ("share_y", True, True),
        ("split_restarts", False, False),
        ("superseded", True, True),
        ("step_range", [3, 2**63 - 1], (3, 2**63 - 1)),
        ("step_range", tuple(np.arange(2)), (0, 1)),
        ("step_range", (7, 7), (7, 7)),
        ("step_range", None, None),
        ("named_ranges", [("lr drop", np.int64(2**60), 2**60 + 1)], [("lr drop", 2**60, 2**60 + 1)]),
        ("named_ranges", (["12", -3, -3], ("lone \udcff", 0, 1)), [("12", -3, -3), ("lone \\udcff", 0, 1)]),
        ("named_ranges", [("🙂" * 80, -(2**63), 2**63 - 1)], [("🙂" * 80, -(2**63), 2**63 - 1)]),
        ("pinned", ["loss", "a/b"], ["loss", "a/b"]),
        ("height", 200, 200),
        ("flush_writers", False, False),
        ("projector_dimensions", 3, 3),
        ("projector_components", np.array([2, 10]), [2, 10]),
        ("projector_selected", (np.int64(3), 0), [3, 0]),
        ("projector_axes", [{"from": "^man$", "to": "woman"}], [{"from": "^man$", "to": "woman"}]),
        ("projector_perplexity", 30, 30.0),
    ],
)
def test_taken(widget: Any, name: str, value: Any, kept: Any) -> None:
    setattr(widget, name, value)
    assert getattr(widget, name) == kept
    assert type(getattr(widget, name)) is type(kept)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("selected_runs", 1, "selected_runs"),
        ("run_colors", {"a": "rot"}, "run_colors: a color is written as '#1f77b4' or 'tomato', not as 'rot' ('a')"),
        ("run_columns", ["steps", "loss"], "run_columns: a column is 'steps', "),
        ("run_columns", ["hparam:"], "run_columns"),
        ("run_sort", "loss", "run_sort: runs are sorted by 'name', "),
        ("run_sort", "-", "run_sort"),
        (
            "run_color_by",
            "",
            "run_color_by: write 'auto', 'run', 'group', 'folder', 'regex:' and an expression, or 'hparam:'",
        ),
        ("run_color_by", "regex:(", "run_color_by: '(' is not a valid regular expression: "),
        ("group_by", "hparam:", "group_by: write '', 'folder', 'regex:' and an expression, or 'hparam:' and a name"),
        ("runs_width", 3, "runs_width"),
        ("run_names", {"a": 1}, "run_names"),
        ("run_notes", {"a": "x" * 2_001}, "run_notes: a note has at most 2,000 characters, not 2,001 ('a')"),
        ("run_notes", {str(i): "" for i in range(1_001)}, "run_notes: at most 1,000 notes are kept, not 1,001"),
        ("archived_runs", [1], "archived_runs"),
        ("smoothing", 1, "smoothing"),
        ("smoothing", -0.1, "smoothing"),
        ("smoothing", float("nan"), "smoothing"),
        ("x_axis", "time", "'step', 'relative'"),
        ("smoothing_kind", "median", "'ema', 'mean'"),
        ("smoothing_window", 0, "smoothing_window"),
        ("smoothing_window", 2.5, "smoothing_window"),
        ("raw_values", "dots", "'line', 'band'"),
        ("x_scale", "sqrt", "'linear', 'log'"),
        ("symlog_constant", 0, "symlog_constant"),
        ("symlog_constant", float("nan"), "symlog_constant"),
        ("y_ranges", {"loss": 5}, "None for an end that is fitted, are expected for 'loss', not 5"),
        ("y_ranges", {"loss": (1, 2, 3)}, "are expected for 'loss', not (1, 2, 3)"),
        ("y_ranges", {"loss": ("low", 1)}, "are expected for 'loss'"),
        ("y_ranges", {"loss": "05"}, "are expected for 'loss', not '05'"),
        ("y_ranges", {"loss": (10**400, None)}, "are expected for 'loss'"),
        ("y_ranges", {"loss": (0, float("inf"))}, "two finite numbers"),
        ("y_ranges", {"loss": (2, 2)}, "the smaller value comes first, unlike in (2, 2) ('loss')"),
        ("step_range", (5, 1), "the first step comes first, unlike in (5, 1)"),
        ("selected_steps", (5, 1), "selected_steps: the first step comes first, unlike in (5, 1)"),
        (
            "named_ranges",
            {"warm-up": (0, 500)},
            "named_ranges: a list of (name, first step, last step) is expected, not {'warm-up': (0, 500)}",
        ),
        ("named_ranges", None, "is expected, not None"),
        ("named_ranges", ["warm-up"], "named_ranges: a range is (name, first step, last step), such as"),
        ("named_ranges", [("warm-up", 0)], "not ('warm-up', 0)"),
        ("named_ranges", [("warm-up", 0, 0.5)], "not ('warm-up', 0, 0.5)"),
        ("named_ranges", [(" ", 0, 1)], "named_ranges: a name is one line of text, unlike in (' ', 0, 1)"),
        ("named_ranges", [("\ufeff \ufeff", 0, 1)], "named_ranges: a name is one line of text"),
        ("named_ranges", [("a\nb", 0, 1)], "a name is one line of text"),
        ("named_ranges", [(3, 0, 1)], "a name is one line of text, unlike in (3, 0, 1)"),
        ("named_ranges", [("a" * 10_000, 0, 1)], "a name has at most 80 characters, unlike in ('aaa"),
        ("named_ranges", [("warm-up", 5, 1)], "the first step comes first, unlike in ('warm-up', 5, 1)"),
        ("named_ranges", [("late", 0, 2**63)], "a step has 64 bits, unlike in ('late', 0, 9223372036854775808)"),
        ("named_ranges", [("a", 0, 1)] * 101, "named_ranges: at most 100 ranges, not 101"),
        ("smoothing", "0.5", "smoothing"),
        ("smoothing", 10**400, "smoothing"),
        ("aggregate", "mea", "aggregate: 'mea' is none of 'mean', 'median', None; did you mean 'mean'?"),
        ("step_range", (0.5, 1), "step_range"),
        ("step_range", (1, 2, 3), "step_range"),
        ("height", 100, "height"),
        ("projector_dimensions", 4, "projector_dimensions: 4 is none of 2, 3"),
        (
            "projector_components",
            [1],
            "projector_components: 2 or 3 distinct numbers from 1 to 10 are expected, not [1]",
        ),
        ("projector_components", [1, 1], "2 or 3 distinct numbers"),
        ("projector_components", [0, 11], "2 or 3 distinct numbers"),
        ("projector_components", [1.5, 2], "projector_components"),
        ("projector_selected", [2, -1], "none is negative"),
        ("projector_axes", [{"from": "a"}], "projector_axes: an axis is {'from': …, 'to': …}, not {'from': 'a'}"),
        ("projector_axes", [{"from": "(", "to": "a"}], "projector_axes: '(' is not a valid regular expression: "),
        ("projector_axes", [{"from": "a", "to": "b"}] * 4, "at most 3 axes, not 4"),
        ("tag_filter", "a[", "tag_filter: 'a[' is not a valid regular expression: unterminated character set"),
        ("run_filter", "(", "run_filter: '(' is not a valid regular expression: missing ), unterminated subpattern"),
        ("run_filter", 1, "run_filter"),
    ],
)
def test_refused_in_words(widget: Any, name: str, value: Any, said: str) -> None:
    before = getattr(widget, name)
    with pytest.raises(TraitError) as caught:
        setattr(widget, name, value)
    assert said in str(caught.value).replace('"', "'")
    assert getattr(widget, name) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "loss",
        "lr=0.1|lr=1",
        r"(?<name>a)\k<name>",
        r"(?<$a_1>x)",
        r"(?<=ab*)c(?<!d|ef)",
        r"(?:a)(?=b)(?!c)",
        r"(?i:a)(?s-i:b)",
        r"[^]",
        r"[]a",
        r"[\w-]",
        r"[a-\d]",
        r"[--/]",
        r"[[]",
        r"a{",
        r"a{,5}",
        r"x{2,}?",
        r"{a}",
        r"]",
        r"\/\-\y\cA\0\1",
        r"\u{1F600}\u0041\x41",
        r"\p{L}",
        r"(a)|\2",
        r"a{99999999999}",
        r"(?=a)*",
        "(" * 300 + ")" * 300,
        "über.*[ä-ü]",
        "a\nb",
        "[" * 50_000,  # too long to be validated here in quadratic time
    ],
)
def test_regular_expressions_of_the_browsers_are_taken(text: str) -> None:
    assert pattern_error(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a[", "unterminated character set"),
        ("[^", "unterminated character set"),
        (r"[\]", "unterminated character set"),
        ("(", "missing ), unterminated subpattern"),
        ("a)", "unbalanced parenthesis"),
        ("*", "nothing to repeat"),
        ("a|+", "nothing to repeat"),
        ("{2}", "nothing to repeat"),
        ("a**", "multiple repeat"),
        ("a++", "multiple repeat"),
        ("a{2}{3}", "multiple repeat"),
        ("x{3,2}", "min repeat greater than max repeat"),
        ("[z-a]", "bad character range z-a"),
        ("[a-c9-0]", "bad character range 9-0"),
        ("a\\", "bad escape (end of pattern)"),
        ("(?P<a>b)", "unknown group (?P"),
        ("(?>a)", "unknown group (?>"),
        ("(?#a)", "unknown group (?#"),
        ("(?i)a", "unknown group (?i"),
        ("(?", "unknown group (?"),
    ],
)
def test_invalid_regular_expressions_are_explained(text: str, reason: str) -> None:
    assert pattern_error(text) == reason


@pytest.mark.parametrize(
    ("names", "known", "said"),
    [
        (["a"], ["a"], None),
        ([], [], None),
        (["los"], ["acc", "loss"], "there is no tag 'los' yet; it is waited for. Did you mean 'loss'?"),
        (["loss"], [], None),
        (["x", "y", "x"], ["loss"], "there are no tags 'x', 'y' yet; they are waited for."),
        (
            list("abcdefg"),
            ["loss"],
            "there are no tags 'a', 'b', 'c', 'd', 'e' and 2 more yet; they are waited for.",
        ),
    ],
)
def test_missing_names_are_announced_as_awaited(names: list[str], known: list[str], said: str) -> None:
    assert missing_names_warning("tag", names, known) == said


def test_an_unknown_attribute_is_refused_with_a_hint(widget: Any) -> None:
    with pytest.raises(AttributeError, match="Widget has no option 'smothing': did you mean 'smoothing'"):
        widget.smothing = 0.2
    assert not hasattr(widget, "smothing")
    widget._mine = 1
    widget.tooltip = "a trait of ipywidgets"
    widget.layout.width = "50%"
    widget.notify_change = widget.notify_change
    del widget.notify_change
    widget.smoothing = 0.2
    assert widget.smoothing == 0.2


@pytest.mark.parametrize(
    "state",
    [
        {"smoothing": 7},
        {"smoothing": "much", "tag_filter": None},
        {"step_range": [5, 1]},
        {"run_colors": {"a": "rot"}},
        {"panel": "nonsense"},
        {"_given": ["smoothing"]},
        {"_esm": "alert()"},
        {"_session": 1, "nonsense": 2},
        {"_chosen": 3},
        {"_chosen": {"smoothing": [0, 3, 1], "x_axis": 0, "bins": [1, "a", None]}, "_chosen_by": {"a": "b"}},
        {"x_axis": {"a": []}},
        [],
        None,
    ],
)
def test_nonsense_from_the_browser_changes_nothing_and_raises_nothing(widget: Any, state: Any) -> None:
    before = widget.get_state()
    widget.set_state(state)
    if isinstance(state, dict):
        widget.set_state({**state, "height": 300})
        before["height"] = 300
    assert widget.get_state() == before


@pytest.mark.parametrize("half", ["\ud83d", ["\ude00"], {"a": "\ud83d"}, {"\ud83d": "a"}])
def test_half_a_character_from_the_browser_changes_nothing(widget: Any, half: Any) -> None:
    before = widget.get_state()
    widget.set_state(dict.fromkeys(NAMES, half))
    widget.set_state({"height": 300, "_chosen": {"height": [0, "\ud83d", 1]}})
    assert widget.get_state() == before
    json.dumps(widget.get_state(), ensure_ascii=False).encode()  # as it is sent


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("group_by", "lr", "write '', 'folder'"),
        ("group_by", "regex:(", "not a valid regular expression"),
        ("selected_steps", (4, 2), "the first step comes first"),
        ("tooltip_rows", 0, "tooltip_rows"),
        ("aggregate", "sum", "aggregate"),
        ("baseline", 3, "baseline"),
    ],
)
def test_values_that_cannot_be_compared_are_refused_in_words(widget: Any, name: str, wrong: Any, said: str) -> None:
    before = getattr(widget, name)
    with pytest.raises(TraitError, match=re.escape(said)):
        setattr(widget, name, wrong)
    assert getattr(widget, name) == before
    for good in {"group_by": ("folder", "regex:lr=(.*)", ""), "aggregate": ("median", None)}.get(name, ()):
        setattr(widget, name, good)


def test_a_filter_that_is_being_typed_is_kept(widget: Any) -> None:
    """The page explains it where the user types."""
    widget.set_state({"tag_filter": "a[", "smoothing": 0.3})
    assert (widget.tag_filter, widget.smoothing) == ("a[", 0.3)
    with pytest.raises(TraitError):
        widget.tag_filter = "b["


def test_view_state_is_not_remembered() -> None:
    not_remembered = set(NAMES) - set(Widget.class_trait_names(remembered=True))
    assert not_remembered == {
        "alert_rules",
        "step_range",
        "linked_step",
        "selected_steps",
        "pr_threshold",
        "text_search",
        "graph_selected",
        "projector_selected",
        "flush_writers",
    }


def test_options_of_the_browser_are_distinguished_from_those_of_python() -> None:
    widget = Widget(smoothing=0.6)
    try:
        assert widget._given == ["smoothing"]
        widget.set_state({"x_axis": "wall", "smoothing": 0.1})
        assert (widget.x_axis, widget.smoothing, widget._given) == ("wall", 0.1, ["smoothing"])
        widget.pinned = ["loss"]
        widget.x_axis = "step"
        assert widget._given == ["smoothing", "pinned", "x_axis"]
    finally:
        widget.close()


def test_steps_beyond_2_to_the_53_travel_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = Widget()
    try:
        page = Page(widget, monkeypatch)
        for step, text in (
            (7, 7),
            (2**53, 2**53),
            (2**62 + 1, "4611686018427387905"),
            (-(2**60) - 1, str(-(2**60) - 1)),
        ):
            widget.linked_step = step
            page.hear()
            assert page.shown["linked_step"] == text
            assert widget.get_state("linked_step") == {"linked_step": text}
        count = widget._set_count["linked_step"]
        page.choose("linked_step", "4611686018427387907")
        page.kernel_hears()
        assert (widget.linked_step, widget._set_count["linked_step"]) == (2**62 + 3, count)
        assert page.to_page == [{"_chosen_by": {"linked_step": "0 1"}}]
        page.choose("linked_step", "no step")
        page.kernel_hears()
        assert widget.linked_step == 2**62 + 3
    finally:
        widget.close()


class Page:
    """A page that shows a widget, like js/src/options/sync.ts; messages in both directions may be late."""

    def __init__(
        self, widget: Any, monkeypatch: pytest.MonkeyPatch, pages: Sequence[Page] = (), number: int = 0
    ) -> None:
        """`pages` are the others, to which the kernel sends the same."""
        self.widget = widget
        self.number = number
        self.to_kernel: list[dict[str, Any]] = []
        self.to_page: list[dict[str, Any]] = []
        self.model = widget.get_state()
        self.shown = {name: self.model[name] for name in NAMES}
        self.own: dict[str, tuple[int, str, int]] = {}
        self.pending: set[str] = set()
        self.choices = 0

        def send(message: Any, **_: Any) -> None:
            for page in (*pages, self):
                page.to_page.append(message["state"])

        monkeypatch.setattr(widget, "_send", send, raising=True)

    def choose(self, name: str, value: Any) -> None:
        self.choices += 1
        self.shown[name] = value
        self.own[name] = self.model["_set_count"].get(name, 0), str(self.number), self.choices
        self.pending.add(name)
        self.send(name)

    def send(self, name: str) -> None:
        self.model[name] = self.shown[name]
        self.to_kernel.append({name: self.shown[name], "_chosen": {key: [*one] for key, one in self.own.items()}})

    def hear(self) -> None:
        state = self.to_page.pop(0)
        changed = [name for name in state if name in NAMES and state[name] != self.model[name]]
        self.model.update(state)
        for name in list(self.pending):
            count, *choice = self.own[name]
            is_heard = self.model["_chosen_by"].get(name) == " ".join(map(str, choice))
            if is_heard or count < self.model["_set_count"].get(name, 0):
                self.pending.remove(name)
        for name in changed:
            if name in self.pending:
                self.send(name)
            else:
                self.shown[name] = self.model[name]

    def kernel_hears(self) -> None:
        self.widget.set_state(self.to_kernel.pop(0))


def settle(*pages: Page) -> None:
    """Deliver all messages to all sides."""
    for _ in range(1000):
        for page in pages:
            if page.to_kernel:
                page.kernel_hears()
            elif page.to_page:
                page.hear()
    assert not any(page.to_kernel or page.to_page for page in pages)


def test_a_later_value_of_python_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = Widget()
    try:
        page = Page(widget, monkeypatch)
        page.choose("smoothing", 0.9)
        widget.smoothing = 0.3
        page.kernel_hears()
        while page.to_page:
            page.hear()
        assert widget.smoothing == page.shown["smoothing"] == 0.3
        page.choose("smoothing", 0.5)
        page.kernel_hears()
        assert widget.smoothing == page.shown["smoothing"] == 0.5
        assert page.to_page == [{"smoothing": 0.5, "_chosen_by": {"smoothing": "0 2"}}]
        page.choose("smoothing", 0.4)
        page.hear()
        assert page.shown["smoothing"] == 0.4, "what comes back is not newer"
    finally:
        widget.close()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("seed", range(40))
def test_all_sides_agree_in_the_end_however_late_messages_arrive(
    seed: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    widget = Widget(smoothing=0.1)
    pages: list[Page] = []
    names = ("smoothing", "tag_filter", "pinned")
    try:
        for number in range(count):
            pages.append(Page(widget, monkeypatch, tuple(pages), number))
        for number in range(60):
            act, page = rng.randrange(5), rng.choice(pages)
            name, value = rng.choice(list(zip(names, (number / 100, str(number), [str(number)]), strict=True)))
            if act == 0:
                page.choose(name, value)
            elif act == 1:
                setattr(widget, name, value)
            elif act == 2 and page.to_kernel:
                page.kernel_hears()
            elif act == 3 and page.to_page:
                page.hear()
            else:
                widget.repeat_options()
        settle(*pages)
        agreed = {name: getattr(widget, name) for name in names}
        for page in pages:
            assert {name: page.shown[name] for name in names} == agreed
    finally:
        widget.close()


def test_two_pages_share_options_and_each_has_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = Widget()
    try:
        first = Page(widget, monkeypatch)
        second = Page(widget, monkeypatch, (first,), 1)

        first.choose("smoothing", 0.9)
        first.choose("linked_step", 7)
        settle(first, second)
        second.choose("linked_step", 8)
        settle(first, second)
        assert (first.shown["smoothing"], second.shown["smoothing"]) == (0.9, 0.9)
        assert (first.shown["linked_step"], second.shown["linked_step"]) == (7, 8)
        assert widget.linked_step == 8, "Python has what any page set last"
        widget.repeat_options()
        settle(first, second)
        assert (first.shown["linked_step"], second.shown["linked_step"], widget.linked_step) == (7, 8, 8)
        widget.linked_step = 9
        settle(first, second)
        assert [page.shown["linked_step"] for page in (first, second)] == [9, 9], "Python sets it in all"
        second.choose("smoothing", 0.2)
        first.choose("smoothing", 0.3)
        settle(first, second)
        assert first.shown["smoothing"] == second.shown["smoothing"] == widget.smoothing
        first.choose("x_axis", "wall")
        settle(first, second)
        second.choose("x_axis", "relative")
        settle(first, second)
        first.to_kernel.append({"x_axis": "wall", "_chosen": {"x_axis": [*first.own["x_axis"]]}})
        settle(first, second)
        assert widget.x_axis == second.shown["x_axis"] == "relative", "nothing is taken over twice"
        third = Page(widget, monkeypatch, (first, second), 2)
        assert third.shown["smoothing"] == widget.smoothing
    finally:
        widget.close()


def test_an_option_that_an_observer_changes_is_sent_as_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = Widget()
    try:
        page = Page(widget, monkeypatch)
        widget.observe(lambda change: setattr(widget, "smoothing", min(change.new, 0.5)), "smoothing")
        page.choose("smoothing", 0.9)
        page.kernel_hears()
        while page.to_page:
            page.hear()
        assert widget.smoothing == page.shown["smoothing"] == 0.5
    finally:
        widget.close()


def test_traits_are_set_by_one_thread_at_a_time() -> None:
    widget = Widget()
    seen: list[float] = []
    widget.observe(lambda change: seen.append(change.new), "smoothing")

    def set_many(base: float) -> None:
        for i in range(200):
            widget.smoothing = base + i / 1000
            widget.set_trait("x_axis", ("step", "wall")[i % 2])

    try:
        threads = [threading.Thread(target=set_many, args=(base,)) for base in (0.0001, 0.3002)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 400
        assert widget._set_count["smoothing"] == 400
    finally:
        widget.close()


def test_every_option_is_synced_unechoed_and_documented_with_type_and_default() -> None:
    for name in NAMES:
        trait = Dashboard.class_traits()[name]
        assert trait.metadata["sync"] is True
        assert trait.metadata["echo_update"] is False
        assert "Type: " in trait.help
        assert "Default: " in trait.help


def test_help_names_every_option() -> None:
    said = " ".join((Dashboard.__doc__ or "").split())
    for name in Dashboard.class_trait_names(option=True):
        assert f"- `{name}`: {Dashboard.class_traits()[name].help}" in said
    assert set(inspect.signature(Dashboard).parameters) == {"logs", "layout", "profile", "storage_options", *NAMES}


def test_the_browser_is_tested_with_the_options_as_they_are() -> None:
    """The twins of js/tests/options compare the page's tables with this file: names, defaults, limits."""
    fixture = Path(__file__).resolve().parents[2] / "js/tests/fixtures/options.json"
    assert json.loads(fixture.read_text("utf-8")) == options(), "run `make generated`"


def test_python_refuses_the_numbers_that_the_browser_refuses(widget: Any) -> None:
    said = options()
    for name in ("alert_rules", *(name for name in NAMES if isinstance(widget.traits()[name], Int))):
        for value in said[name]["refused"]:
            before = widget.get_state(name)
            widget.set_state({name: value})
            assert widget.get_state(name) == before, (name, value)


def test_steps_that_no_number_of_javascript_has_travel_as_text(widget: Any) -> None:
    steps, numbers = (2**60 + 1, 2**60 + 3), itertools.count(1)
    widget.step_range, widget.selected_steps = steps, (-5, 2**60 + 1)
    state = widget.get_state(["step_range", "selected_steps"])
    assert state == {"step_range": [str(step) for step in steps], "selected_steps": [-5, str(2**60 + 1)]}
    widget.step_range = None
    widget.set_state(
        {
            "step_range": [str(step) for step in steps],
            "_chosen": {"step_range": [widget._set_count["step_range"], "0", next(numbers)]},
        }
    )
    assert widget.step_range == steps
    for wrong in (["a", 1], ["5", "1"], [1], "12", [True, {}], [1, 2, 3]):
        widget.set_state(
            {"step_range": wrong, "_chosen": {"step_range": [widget._set_count["step_range"], "0", next(numbers)]}}
        )
        assert widget.step_range == steps
