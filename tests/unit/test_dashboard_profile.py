"""Profiles: all options as one dict."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from traitlets import TraitError

import tbwidget
from tbwidget.dashboard import Dashboard

CARDS = {"version": 1, "sections": [{"name": "a", "cards": [{"tags": ["x", "y"]}]}]}
CHOSEN: dict[str, Any] = {
    "smoothing": 0.25,
    "selected_runs": ["a"],
    "card_layout": CARDS,
    "step_range": (2**60 + 1, 2**60 + 3),
    "y_ranges": {"x": (None, 3)},
    "panel": "images",
    "bins": "written",
}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Any]:
    made = Dashboard(tmp_path, **CHOSEN)
    yield made
    made.close()


def values(board: Any) -> dict[str, Any]:
    return {name: getattr(board, name) for name in board.class_trait_names(option=True)}


def test_a_profile_has_every_option_and_survives_json(board: Any, tmp_path: Path) -> None:
    profile = json.loads(json.dumps(board.profile))
    assert profile["version"] == 1
    assert profile.keys() == {"version", *Dashboard.class_trait_names(option=True)}
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(profile))
    for given in (profile, path, str(path)):
        other: Any = Dashboard(tmp_path, profile=given)
        try:
            assert values(other) == values(board)
            assert other.step_range == CHOSEN["step_range"]
        finally:
            other.close()
    other = Dashboard(tmp_path)
    try:
        other.profile = profile
        assert values(other) == values(board)
    finally:
        other.close()


def test_an_option_given_beside_it_wins_and_it_wins_over_what_the_page_remembers(board: Any, tmp_path: Path) -> None:
    other: Any = Dashboard(tmp_path, profile=board.profile, smoothing=0.5)
    try:
        assert (other.smoothing, other.bins) == (0.5, "written")
        assert {"smoothing", "bins", "height"} <= set(other._given), "the page leaves these alone"
    finally:
        other.close()


def test_a_view_takes_its_part_of_the_profile_of_a_dashboard(board: Any, tmp_path: Path) -> None:
    view = tbwidget.HistogramsView(tmp_path, profile=board.profile)
    try:
        assert (view.panel, view.bins, view.card_layout) == ("histograms", "written", CARDS)
        assert "smoothing" not in view.profile
        other: Any = Dashboard(tmp_path, profile=view.profile)
        assert (other.bins, other.smoothing) == ("written", 0.6)
        other.close()
    finally:
        view.close()


@pytest.mark.parametrize(
    ("profile", "error", "message"),
    [
        ([], ValueError, "a profile is a dict of options, not list"),
        ({}, ValueError, "'version' is 1 in a profile, not None"),
        ({"version": 2}, ValueError, "'version' is 1 in a profile, not 2"),
        ({"version": True}, ValueError, "not True"),
        ({"version": 1, "smothing": 0.5}, ValueError, "there is no option 'smothing': did you mean 'smoothing'"),
        ({"version": 1, "smoothing": 7}, TraitError, "smoothing"),
        ({"version": 1, "step_range": ["a", "b"]}, TraitError, "step_range"),
        ({"version": 1, "card_layout": {"version": 1}}, TraitError, "card_layout"),
        ({"version": 1, "_esm": "alert()"}, ValueError, "there is no option '_esm'"),
    ],
)
def test_a_wrong_profile_is_refused(tmp_path: Path, profile: Any, error: type[Exception], message: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(profile))
    with pytest.raises(error, match=message):
        Dashboard(tmp_path, profile=path)
    if isinstance(profile, dict):
        with pytest.raises(error, match=message):
            Dashboard(tmp_path, profile=profile)
    with pytest.raises(error, match=message):
        tbwidget.export_html(tmp_path, tmp_path / "page.html", profile=path)


@pytest.mark.parametrize("text", ["", "{", '{"version": 1', "[" * 100_000, "\0", "null"])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"damaged\.json"):
        Dashboard(tmp_path, profile=path)
    with pytest.raises(FileNotFoundError):
        Dashboard(tmp_path, profile=tmp_path / "none.json")
