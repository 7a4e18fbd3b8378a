"""What can be chosen, what cannot, and who chose it."""

from __future__ import annotations

import ast
import inspect
import random
import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from traitlets import TraitError

from tbwidget import choices
from tbwidget.choices import Choices, SharedChoices
from tbwidget.dashboard import Dashboard

NAMES = Choices.class_trait_names(choice=True)


class Widget(SharedChoices):
    """A widget with choices, as the dashboard is."""

    _esm = "export default {}"


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("selected_runs", None, None),
        ("selected_runs", ("b", "a"), ["b", "a"]),
        ("selected_runs", "a", ["a"]),
        ("run_colors", {"a": "#0AF", "b": "#1f77B4"}, {"a": "#00aaff", "b": "#1f77b4"}),
        ("run_filter", "lr=0.1|lr=1", "lr=0.1|lr=1"),
        ("smoothing", 0, 0.0),
        ("smoothing", 0.999, 0.999),
        ("x_axis", "wall", "wall"),
        ("log_y", ["loss"], ["loss"]),
        ("ignore_outliers", False, False),
        ("step_range", [3, 2**63 - 1], (3, 2**63 - 1)),
        ("step_range", tuple(np.arange(2)), (0, 1)),
        ("step_range", (7, 7), (7, 7)),
        ("step_range", None, None),
        ("pinned", ["loss", "a/b"], ["loss", "a/b"]),
        ("height", 200, 200),
    ],
)
def test_taken(name: str, value: Any, kept: Any) -> None:
    made = Choices(**{name: value})
    assert getattr(made, name) == kept
    assert type(getattr(made, name)) is type(kept)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("selected_runs", 1, "selected_runs"),
        ("run_colors", {"a": "red"}, "run_colors: a colour is written as '#1f77b4', not as 'red' ('a')"),
        ("smoothing", 1, "smoothing"),
        ("smoothing", -0.1, "smoothing"),
        ("smoothing", float("nan"), "smoothing"),
        ("x_axis", "time", "'step', 'relative'"),
        ("step_range", (5, 1), "the first step comes first, unlike in (5, 1)"),
        ("step_range", (0.5, 1), "step_range"),
        ("step_range", (1, 2, 3), "step_range"),
        ("height", 100, "height"),
        ("panel", "nonsense", "scalars"),
    ],
)
def test_refused_in_words(name: str, value: Any, said: str) -> None:
    made = Choices()
    before = getattr(made, name)
    with pytest.raises(TraitError) as caught:
        setattr(made, name, value)
    assert said in str(caught.value).replace('"', "'")
    assert getattr(made, name) == before


def test_choices_of_the_browser_are_told_from_those_of_python() -> None:
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


class Page:
    """The browser's side of a widget, as js/src/dashboard/choices.ts is; what either says may come late."""

    def __init__(self, widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget = widget
        self.to_kernel: list[dict[str, Any]] = []
        self.to_page: list[dict[str, Any]] = []
        self.model = widget.get_state()
        self.shown = {name: self.model[name] for name in NAMES}
        self.seen: dict[str, int] = {}
        monkeypatch.setattr(widget, "_send", lambda message, **_: self.to_page.append(message["state"]), raising=True)

    def choose(self, name: str, value: Any) -> None:
        self.shown[name] = self.model[name] = value
        self.seen[name] = self.model["_set_count"].get(name, 0)
        self.to_kernel.append({name: value, "_chosen": dict(self.seen)})

    def hear(self) -> None:
        state = self.to_page.pop(0)
        changed = [name for name in state if name in NAMES and state[name] != self.model[name]]
        self.model.update(state)
        for name in changed:
            if self.model["_set_count"].get(name, 0) > self.seen.get(name, -1):
                self.shown[name] = self.model[name]
            else:
                self.choose(name, self.shown[name])

    def kernel_hears(self) -> None:
        self.widget.set_state(self.to_kernel.pop(0))


def test_what_python_set_later_holds(monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert page.to_page == []
    finally:
        widget.close()


@pytest.mark.parametrize("seed", range(40))
def test_both_sides_agree_in_the_end_however_late_they_hear(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    widget = Widget(smoothing=0.1)
    try:
        page = Page(widget, monkeypatch)
        for number in range(60):
            act = rng.randrange(5)
            name, value = rng.choice(
                [("smoothing", number / 100), ("tag_filter", str(number)), ("pinned", [str(number)])]
            )
            if act == 0:
                page.choose(name, value)
            elif act == 1:
                setattr(widget, name, value)
            elif act == 2 and page.to_kernel:
                page.kernel_hears()
            elif act == 3 and page.to_page:
                page.hear()
            else:
                widget.repeat_choices()
        for _ in range(1000):
            if page.to_kernel:
                page.kernel_hears()
            elif page.to_page:
                page.hear()
            else:
                break
        assert {name: getattr(widget, name) for name in ("smoothing", "tag_filter", "pinned")} == {
            name: page.shown[name] for name in ("smoothing", "tag_filter", "pinned")
        }
    finally:
        widget.close()


def test_a_choice_that_an_observer_changes_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_every_choice_is_synced_unechoed_and_documented_with_type_and_default() -> None:
    assert set(NAMES) == set(Choices.class_trait_names(sync=True)) - {"_given"}
    assert len(NAMES) == 16
    tree = ast.parse(inspect.getsource(choices))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Choices")
    documented = {
        node.targets[0].id: after.value.value
        for node, after in pairwise(body)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    }
    for name in NAMES:
        assert Choices.class_traits()[name].metadata["echo_update"] is False
        assert "Type: " in str(documented[name])
        assert "Default: " in str(documented[name])


def test_help_names_every_option() -> None:
    said = Dashboard.__doc__ or ""
    assert [name for name in Dashboard.class_trait_names(choice=True) if f"`{name}`" not in said] == []
