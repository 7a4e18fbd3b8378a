"""What can be chosen, what cannot, and who chose it."""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from typing import Any

import anywidget
import numpy as np
import pytest
from traitlets import TraitError

from tbwidget import choices
from tbwidget.choices import Choices

NAMES = Choices.class_trait_names(choice=True)


class Widget(Choices, anywidget.AnyWidget):
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


def test_every_choice_is_synced_unechoed_and_documented_with_type_and_default() -> None:
    assert set(NAMES) == set(Choices.class_trait_names(sync=True)) - {"_given"}
    assert len(NAMES) == 11
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
