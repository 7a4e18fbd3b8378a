"""The code that the page copies has the page's values. js/tests/options/pythoncode.test.ts writes it."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tests.support.eventfiles import NAME, event, simple, write

FIXTURES = Path(__file__).parents[2] / "js/tests/fixtures"


def stored(name: str) -> list[dict[str, Any]]:
    """Read the file that the tests of the page have written."""
    found: list[dict[str, Any]] = [json.loads(line) for line in (FIXTURES / name).read_bytes().splitlines()]
    assert len(found) > 100
    return found


def test_values_of_any_kind_are_literals_of_python() -> None:
    for pair in stored("python_values.jsonl"):
        if "value" not in pair:
            ((name, number),) = evaluated(pair["code"])[0].items()
            made = int(pair["int"]) if "int" in pair else float(pair["float"])
            assert (name, type(number), repr(number)) == ("x", type(made), repr(made))
            continue
        value = ast.literal_eval(pair["code"])
        assert value == pair["value"]
        assert json.dumps(value) == json.dumps(pair["value"]) or not is_exact(pair["value"])


def evaluated(code: str) -> Any:
    """Evaluate code as a new notebook does that has imported tbwidget alone."""
    return eval(code, {"tbwidget": tbwidget})  # noqa: S307 (the code is the test's)


def is_exact(value: Any) -> bool:
    """Return whether JSON has only one spelling of the value: 1e21 and 1 have several."""
    if isinstance(value, list | dict):
        return all(map(is_exact, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or (math.isfinite(value) and not value.is_integer())


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Return a log directory whose name needs quoting."""
    path = tmp_path / 'it\'s "runs" \\ 한국어'
    for run in ("a", "b"):
        write(path / run / NAME, event(1.7e9, 0, simple("loss", 1)))
    return path


def test_every_option_is_taken_as_the_page_has_it(logs: Path) -> None:
    board: Any = tbwidget.Dashboard(str(logs))
    options = stored("copied_options.jsonl")
    apart = {"panel"}
    assert {one["name"] for one in options} | apart == set(board.class_trait_names(option=True))
    for one in options:
        checked = board.checked(one["name"], evaluated(one["code"]))
        assert board._as_json(one["name"], checked) == plain(board, one["name"], one["value"]), one["name"]
    board.close()


def plain(board: Any, name: str, value: Any) -> Any:
    """Return the value as the trait stores it, such as a tuple where JSON has a list."""
    from_json = board.trait_metadata(name, "from_json", lambda given, _owner: given)
    return board._as_json(name, board.checked(name, from_json(value, None)))


# The warning depends on how far the logs have been read.
@pytest.mark.filterwarnings("ignore:.* yet; (they are|it is) waited for:UserWarning")
def test_code_with_all_options_makes_the_same_dashboard(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = {one["name"]: one for one in stored("copied_options.jsonl")}
    given = ", ".join(f"{name}={one['code']}" for name, one in last.items())
    made: list[Any] = []
    monkeypatch.setattr(tbwidget, "show", lambda *args, **options: made.append(tbwidget.Dashboard(*args, **options)))
    exec(f"import tbwidget\n\ntbwidget.show({str(logs)!r}, {given})", {})  # noqa: S102 (the code is the test's)
    (board,) = made
    for name, one in last.items():
        assert board._as_json(name, getattr(board, name)) == plain(board, name, one["value"]), name
    board.close()


@pytest.mark.parametrize("panel", [name for name in dir(tbwidget) if name.endswith("View")])
def test_a_view_tells_the_page_the_name_that_makes_it(logs: Path, panel: str) -> None:
    view = getattr(tbwidget, panel)(str(logs))
    assert view.get_state()["_view_class"] == panel
    view.close()


def test_a_dashboard_is_no_view(logs: Path) -> None:
    board: Any = tbwidget.Dashboard(str(logs))
    assert board.get_state()["_view_class"] == ""
    board.close()
