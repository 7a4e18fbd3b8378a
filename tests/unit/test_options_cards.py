"""Layouts of cards: valid ones, errors of invalid ones, and the names that set them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from comm import get_comm_manager
from traitlets import TraitError

import tbwidget
from tbwidget.dashboard import Dashboard
from tests.support.boards import Listener

LAYOUT = {
    "version": 1,
    "sections": [
        {
            "name": "losses",
            "open": False,
            "cards": [{"tags": ["loss/train", "loss/valid"], "title": "both", "width": 2}],
        },
        {"name": "mine", "prefix": "acc", "open": True, "cards": [{"pattern": "grad.*norm", "height": 2}]},
        {
            "name": "kin",
            "cards": [{"tags": ["f1/train", "f1/val"], "joined": True}, {"tags": ["auc/val"], "apart": True}],
        },
        {"name": "", "prefix": "/headline"},
        {"name": "", "prefix": "/small"},
    ],
    "apart": ["mse/train", "mse/val"],
    "joined": ["top1/train", "top1/val"],
}


@pytest.fixture(autouse=True)
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Any]:
    made = Dashboard(tmp_path)
    yield made
    made.close()


def test_a_layout_is_set_read_written_and_reset(board: Any, tmp_path: Path) -> None:
    assert board.card_layout is None
    changes: list[Any] = []
    board.observe(lambda change: changes.append(change.new), "card_layout")
    board.card_layout = LAYOUT
    assert board.card_layout == LAYOUT
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(board.card_layout))
    board.card_layout = None
    assert board.card_layout is None
    board.card_layout = json.loads(path.read_text())
    assert changes == [LAYOUT, None, LAYOUT]
    board.unobserve_all()


def test_layouts_read_or_given_can_be_changed_without_changing_the_board(board: Any) -> None:
    given: Any = json.loads(json.dumps(LAYOUT))
    board.card_layout = given
    given["sections"].clear()
    board.card_layout["sections"].clear()
    assert board.card_layout == LAYOUT


def test_it_is_an_option_of_every_view(tmp_path: Path) -> None:
    view: Any = tbwidget.ScalarsView(tmp_path, card_layout=LAYOUT)
    assert view.card_layout == LAYOUT
    assert view._given == ["card_layout"]
    view.close()
    graph = tbwidget.GraphView(tmp_path, card_layout=LAYOUT, run="a")
    assert (graph.card_layout, graph.graph_run) == (LAYOUT, "a")
    graph.close()


def test_the_browser_sets_it(board: Any) -> None:
    board.set_state({"card_layout": LAYOUT})
    assert board.card_layout == LAYOUT
    board.set_state({"card_layout": {"version": 1, "sections": [{}]}})
    assert board.card_layout == LAYOUT


def test_layout_is_that_of_ipywidgets(tmp_path: Path, board: Any) -> None:
    assert isinstance(board.layout, ipywidgets.Layout)
    board.layout.width = "50%"
    board.layout = {"height": "400px"}
    assert (board.layout.width, board.layout.height) == (None, "400px")
    for given in (LAYOUT, {"version": 1}):
        with pytest.raises(TraitError, match="set the arrangement of cards as card_layout"):
            board.layout = given
        with pytest.raises(TraitError, match="card_layout"):
            Dashboard(tmp_path, layout=given)
    with pytest.raises(TraitError):
        Dashboard(tmp_path, layout=3)


def test_a_layout_is_closed_with_the_board_that_made_it(tmp_path: Path) -> None:
    own = ipywidgets.Layout(width="50%")
    comms = get_comm_manager().comms
    before = set(comms)
    for given in (None, {"width": "20%"}, own):
        made = Dashboard(tmp_path, layout=given)
        made.close()
    assert set(comms) == before
    own.close()


def in_card(card: Any) -> Any:
    return {"version": 1, "sections": [{"name": "a"}, {"name": "b", "cards": [{"tags": ["t"]}, card]}]}


CARD = "sections[1]['cards'][1]"


@pytest.mark.parametrize(
    ("layout", "wrong"),
    [
        (3, "card_layout: a layout is a dict, not 3"),
        ({"version": 1}, "has no 'sections'"),
        ({"sections": []}, "has no 'version'"),
        ({"version": 2, "sections": []}, "'version' is 1, not 2"),
        ({"version": 1, "sections": {}}, "['sections'] is a list, not {}"),
        (
            {"version": 1, "sections": [], "tags": []},
            "has 'tags', which is none of 'apart', 'joined', 'sections', 'version'",
        ),
        ({"version": 1, "sections": [], "apart": "x"}, "['apart'] is a list, not 'x'"),
        ({"version": 1, "sections": [], "apart": [1]}, "['apart'] is a list of str, not [1]"),
        ({"version": 1, "sections": [], "joined": ["a", "a"]}, "['joined'] names a tag twice: ['a', 'a']"),
        ({"version": 1, "sections": ["a"]}, "sections[0] is a dict, not 'a'"),
        ({"version": 1, "sections": [{"open": True}]}, "sections[0] has no 'name'"),
        ({"version": 1, "sections": [{"name": 1}]}, "sections[0]['name'] is a str, not 1"),
        ({"version": 1, "sections": [{"name": "a", "open": 1}]}, "sections[0]['open'] is True or False, not 1"),
        (
            {"version": 1, "sections": [{"name": "a"}, {"name": "a"}]},
            "sections[1] has the same name as sections[0]: 'a'",
        ),
        (
            {"version": 1, "sections": [{"name": "", "prefix": "/small"}, {"name": "", "prefix": "/small"}]},
            "sections[1] has the same name as sections[0]: ''",
        ),
        ({"version": 1, "sections": [{"name": "a", "cards": "x"}]}, "sections[0]['cards'] is a list, not 'x'"),
        (in_card({}), f"{CARD} has either 'tags' or 'pattern'"),
        (in_card({"tags": ["t"], "pattern": "t"}), f"{CARD} has either 'tags' or 'pattern'"),
        (in_card({"tags": []}), f"{CARD}['tags'] is a list of one str at least, not []"),
        (in_card({"tags": ["t", 1]}), f"{CARD}['tags'] is a list of str, not ['t', 1]"),
        (in_card({"tags": ["t", "t"]}), f"{CARD}['tags'] names a tag twice"),
        (in_card({"pattern": "("}), f"{CARD}['pattern'] '(' is not a valid regular expression: "),
        (in_card({"tags": ["t"], "width": 0}), f"{CARD}['width'] is an int from 1 to 12, not 0"),
        (in_card({"tags": ["t"], "height": 1.5}), f"{CARD}['height'] is an int from 1 to 12, not 1.5"),
        (in_card({"tags": ["t"], "width": True}), f"{CARD}['width'] is an int from 1 to 12, not True"),
        (in_card({"tags": ["t"], "apart": 1}), f"{CARD}['apart'] is True or False, not 1"),
        (in_card({"tags": ["t"], "joined": "yes"}), f"{CARD}['joined'] is True or False, not 'yes'"),
        (
            in_card({"tags": ["t"], "size": 1}),
            f"{CARD} has 'size', which is none of 'apart', 'height', 'joined', 'pattern'",
        ),
    ],
)
def test_errors_of_a_layout_name_the_place(board: Any, layout: Any, wrong: str) -> None:
    board.card_layout = LAYOUT
    with pytest.raises(TraitError) as caught:
        board.card_layout = layout
    assert wrong in str(caught.value)
    assert board.card_layout == LAYOUT


@pytest.mark.parametrize(
    ("name", "value"), [("card_width", 100), ("card_width", 1e9), ("card_height", 20), ("card_width", "wide")]
)
def test_sizes_have_limits(board: Any, name: str, value: Any) -> None:
    with pytest.raises(TraitError, match=name):
        setattr(board, name, value)
