"""Display names and descriptions of tags on the wire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tbwidget
from tbwidget.panels.descriptions import (
    DESCRIPTIONS,
    MAX_DESCRIPTION_CHARACTERS,
    MAX_DOCUMENT_BYTES,
    MAX_RUNS,
)
from tbwidget.panels.scalars import scalars_preview
from tests.support.eventfiles import NAME, event, numbers, plugin, simple, write


def scalar(tag: str, name: str = "", description: str = "", step: int = 0) -> bytes:
    return event(1e9 + step, step, simple(tag, 1.0, plugin("scalars", name, description)))


def document(logs: tbwidget.LogDir) -> Any:
    encoded = DESCRIPTIONS.read(logs, "", "").encode()
    assert len(encoded) <= MAX_DOCUMENT_BYTES + 100
    return json.loads(encoded)


def test_a_tag_has_each_pair_of_name_and_description_with_its_runs(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, scalar("loss", "Loss", "*how* wrong"), scalar("plain"), scalar("same", "same"))
    write(tmp_path / "b" / NAME, scalar("loss", "Loss", "*how* wrong"))
    write(tmp_path / "c" / NAME, scalar("loss", "", "another"))
    write(tmp_path / "d" / NAME, scalar("loss"))
    with tbwidget.load(tmp_path) as logs:
        assert document(logs) == {
            "scalars": {
                "loss": [["Loss", "*how* wrong", False, ["a", "b"], 0], ["", "another", False, ["c"], 0]],
            }
        }


def test_kinds_are_told_apart_and_the_parts_of_a_mesh_are_one(tmp_path: Path) -> None:
    parts = [numbers(f"bunny_{part}", plugin("mesh", "bunny", "of wood"), 1, 3, 3) for part in ("VERTEX", "FACE")]
    curve = numbers("x/pr", plugin("pr_curves", "Curve"), 6, 3)
    write(tmp_path / "a" / NAME, event(1e9, 0, *parts, curve))
    with tbwidget.load(tmp_path) as logs:
        assert document(logs) == {
            "meshes": {"bunny": [["", "of wood", False, ["a"], 0]]},
            "pr_curves": {"x/pr": [["Curve", "", False, ["a"], 0]]},
        }


def test_a_description_that_comes_later_is_found_as_by_a_fresh_load(tmp_path: Path) -> None:
    path = write(tmp_path / "a" / NAME, scalar("loss"))
    with tbwidget.load(tmp_path) as logs:
        before = DESCRIPTIONS.read(logs, "", "").revision
        assert document(logs) == {}
        logs.refresh()
        assert DESCRIPTIONS.read(logs, "", "").revision == before
        with path.open("ab") as file:
            file.write(scalar("loss", "Late", "said later", step=1))
        assert logs.refresh()
        assert DESCRIPTIONS.read(logs, "", "").revision != before
        found = document(logs)
        assert found == {"scalars": {"loss": [["Late", "said later", False, ["a"], 0]]}}
        after = DESCRIPTIONS.read(logs, "", "").revision
        with path.open("ab") as file:
            file.write(scalar("loss", "Late", "said later", step=2))
        logs.refresh()
        assert DESCRIPTIONS.read(logs, "", "").revision == after, "no point makes it travel again"
    with tbwidget.load(tmp_path) as fresh:
        assert document(fresh) == found


def test_texts_are_bounded_and_say_so(tmp_path: Path) -> None:
    long = "x" * (MAX_DESCRIPTION_CHARACTERS + 1)
    for run in range(MAX_RUNS + 3):
        write(tmp_path / f"r{run}" / NAME, scalar("long", "n" * 10_000, long))
    write(tmp_path / "r0" / f"{NAME}.2", *(scalar(f"many/{i}", f"Name {i}", long) for i in range(60)))
    with tbwidget.load(tmp_path) as logs:
        found = document(logs)["scalars"]
    [[name, description, is_cut, runs, others]] = found["long"]
    assert (len(name), len(description), is_cut) == (301, MAX_DESCRIPTION_CHARACTERS, True)
    assert (len(runs), others) == (MAX_RUNS, 3)
    assert found["many/59"] == [["Name 59", "", True, ["r0"], 0]], "there was room for the name alone"


def test_hostile_texts_travel_as_text(tmp_path: Path) -> None:
    name = "\u202eeman</script>"
    write(tmp_path / "a" / NAME, scalar("__proto__", name, "<img src=x onerror=alert(1)>"))
    bad = plugin("scalars")
    bad.display_name, bad.summary_description = b"\xff", b"\x80"
    write(tmp_path / "b" / NAME, event(1e9, 0, simple("bad", 1.0, bad)))
    with tbwidget.load(tmp_path) as logs:
        assert document(logs)["scalars"] == {
            "__proto__": [[name, "<img src=x onerror=alert(1)>", False, ["a"], 0]],
            "bad": [["\\udcff", "\\udc80", False, ["b"], 0]],
        }


def test_a_static_preview_has_the_names(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, scalar("loss"), scalar("rate", "Learning rate"))
    write(tmp_path / "b" / NAME, scalar("loss", "Cross entropy"))
    with tbwidget.load(tmp_path) as logs:
        assert [chart.title for chart in scalars_preview(logs, ["rate"])] == ["Learning rate", "Cross entropy"]
