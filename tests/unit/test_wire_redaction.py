"""Saved data contain neither the path of the logs nor the name of the machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.reasons import Reason
from tbwidget.wire.channel import Channel
from tbwidget.wire.redaction import Redaction, places_of, wire_title
from tbwidget.wire.snapshot import snapshot
from tests.support.feeds import CONTENTS, FakeSource, channel_of, drain, logs_over

SHARED = Path(__file__).resolve().parents[2] / "js/tests/fixtures/redaction.json"


def logs_of_problems() -> FakeSource:
    logs = FakeSource()
    logs.put("a", "loss", [0, 1], [1, 2])
    logs.problems = [
        Problem("a/events.out.tfevents.1700000000.my-host.local.12.0.v2", 5, "no such file: '/nowhere/runs/a/b'"),
        Problem("b", None, "/nowhere/runs-2 is another"),
    ]
    return logs


def test_saved_data_do_not_contain_the_path_of_the_logs() -> None:
    saved = json.dumps(snapshot(logs_over(logs_of_problems()), CONTENTS))
    assert "my-host" not in saved
    assert "/nowhere/runs/" not in saved
    assert "'runs/a/b'" in saved
    assert "/nowhere/runs-2 is another" in saved
    wanted = json.dumps(snapshot(logs_over(logs_of_problems()), CONTENTS, paths=True))
    assert "my-host" in wanted
    assert "/nowhere/runs/a/b" in wanted
    assert "places" not in saved + wanted


def test_each_keyframe_lists_texts_that_the_browser_must_not_save() -> None:
    logs = logs_of_problems()
    channel = channel_of(logs)
    sent = []
    for begin in (0, 20):
        channel.receive({"type": "hello", "complete": False})
        sent.append([message.header["status"] for _, message in drain(channel, begin, begin + 15)])
    for first, *others in sent:
        assert ("/nowhere/runs", "runs") in first["places"]
        assert others
        assert not any("places" in status for status in others)


def test_both_sides_redact_alike() -> None:
    shared = json.loads(SHARED.read_text("utf-8"))
    redaction = Redaction([(place, shown) for place, shown in shared["places"]])
    assert [redaction.text(text) for text, _ in shared["redacted"]] == [shown for _, shown in shared["redacted"]]
    assert shared["places"] == sorted(shared["places"], key=lambda place: len(place[0]), reverse=True)


@pytest.mark.parametrize(
    ("paths", "live", "saved"),
    [
        (("/a/b/runs",), [("", "/a/b/runs")], [("", "runs")]),
        (("/",), [("", "/")], [("", "/")]),
        (({"all": "/"},), [("all", "/")], [("all", "all")]),
        (("/a/b/x", "/a/c/x"), [("b/x", "/a/b/x"), ("c/x", "/a/c/x")], [("b/x", "b/x"), ("c/x", "c/x")]),
        (("/a/it's \"{b, c: d}",), [("", "/a/it's \"{b, c: d}")], [("", "it's \"{b, c: d}")]),
        (({"a, b: c": "/{y}", "d": "/"},), [("a, b: c", "/{y}"), ("d", "/")], [("a, b: c", "a, b: c"), ("d", "d")]),
        # Bytes that are no UTF-8 travel as visible escapes, which would be another path.
        (("/a/\udcff",), [], []),
        (tuple(f"/{'long' * 100}/{i}" for i in range(100)), [], []),
    ],
)  # fmt: skip
def test_directories_are_named_as_load_takes_them(paths: Any, live: list[Any], saved: list[Any]) -> None:
    logs = LogDir(*paths)
    first, *others = statuses(logs)
    assert [*map(tuple, first["directories"])] == live
    assert not any("directories" in status for status in others)
    header: dict[str, Any] = {"status": first, "failed": [], "pieces": []}
    assert [*map(tuple, Redaction(places_of(logs)).header(header)["status"]["directories"])] == saved


def test_directories_hold_no_credentials() -> None:
    pytest.importorskip("fsspec")
    url = "https://someone:pa55word@host.invalid/runs"
    for given, name in ((url, ""), ({"far": url}, "far")):
        first, *_ = statuses(LogDir(given, storage_options={"client_kwargs": {"headers": {"Authorization": "tok-en"}}}))
        assert first["directories"] == [[name, "https://host.invalid/runs"]]
        assert not re.search("someone|pa55word|tok-en", json.dumps(first))


def statuses(logs: LogDir) -> list[dict[str, Any]]:
    channel = Channel(logs, CONTENTS)
    channel.receive({"type": "hello", "complete": True})
    return [message.header["status"] for _, message in drain(channel, 0, 30)]


@pytest.mark.parametrize(
    ("paths", "title"),
    [
        (("/a/b/runs",), "runs"),
        (("/a{b",), "a{b"),
        (("/",), "/"),
        (("/a/b/x", "/a/b/y/z"), "{x, z}"),
        (({"new": "/home/alice/secret/new", "old": "/mnt/x/old"},), "{new, old}"),
        (({"a": "/scratch"},), "{a}"),
        (({"all": "/", "c": "/c"},), "{all, c}"),
        (("/a/" + "long/" * 1000 + "runs",), "runs"),
        (("/a/b\0c/runs",), "runs"),
        (("/a/\udcff/runs\udcff",), "runs\\udcff"),
    ],
)
def test_a_title_names_the_directories_alone(paths: tuple[str, ...], title: str) -> None:
    logs = LogDir(*paths)
    assert Redaction(places_of(logs)).text(wire_title(logs)) == title


def test_messages_may_name_a_directory_by_links_or_quoted_or_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "somebody"
    (home / "it's \\ there").mkdir(parents=True)
    (tmp_path / "link").symlink_to(home / "it's \\ there")
    monkeypatch.setenv("HOME", str(home))
    redaction = Redaction(places_of(LogDir({"new": tmp_path / "link", "old": home / "x/old"})))
    assert redaction.text(f"{tmp_path / 'link'}/a {home / 'x/old'}/b") == "new/a old/b"
    assert redaction.text(str(home / "c")) == "~/c"
    with pytest.raises(FileNotFoundError) as raised:
        (tmp_path / "link").resolve().joinpath("a").read_bytes()
    assert redaction.text(str(raised.value)).endswith("'new/a'") or '"new/a"' in redaction.text(str(raised.value))


def test_a_place_that_a_reason_cuts_is_left_out(tmp_path: Path) -> None:
    project = tmp_path / "/".join(["confidential-project"] * 12)
    redaction = Redaction(places_of(LogDir({"new": project / "new", "other": tmp_path / "other"})))
    reasons = [
        Reason("missing-directory", path=str(project / "new")),
        Reason("embedding-outside", embedding="a", path=str(project / "new" / "x.tsv")),
    ]
    for reason in reasons:
        shown = redaction.text(reason)
        assert "new…" in shown
        assert "confidential" not in shown
    assert redaction.text(reasons[0].arguments["path"]) == "new…"
    two = Redaction(places_of(LogDir({"new": project / "new", "old": project / "old"})))
    assert two.text(reasons[0]) == "the directory … does not exist yet"
