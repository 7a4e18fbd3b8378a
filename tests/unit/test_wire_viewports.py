"""Several views of one dashboard: each gets the data it shows, until it ends or no page names it any more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tbwidget.wire.channel import Channel
from tbwidget.wire.clients import (
    MAX_VIEWS,
    SILENCE_S,
    Clients,
    IdleClock,
    Other,
    Viewport,
    ViewReport,
    focus_of,
    parse_message,
    viewport_of,
)
from tbwidget.wire.content import Group, Key
from tbwidget.wire.keys import Keys
from tests.support.feeds import CONTENTS, FakeSource, drain, logs_over, report_view


def long_logs(tags: int) -> FakeSource:
    logs = FakeSource()
    for i in range(tags):
        logs.put("a", f"tag{i}", range(50_000), np.sin(np.arange(50_000)).tolist())
    return logs


def details(channel: Channel, begin: float, end: float) -> list[tuple[str, int, int]]:
    return [
        (message.header["tags"][detail["tag"]], detail["from"], detail["from"] + detail["total"])
        for _, message in drain(channel, begin, end)
        for detail in message.header["details"]
    ]


def channel_of(logs: FakeSource, clock: IdleClock | None = None) -> Channel:
    channel = Channel(logs_over(logs), CONTENTS, idle_clock=clock)
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 5)
    return channel


def test_two_views_each_get_the_data_they_show() -> None:
    channel = channel_of(long_logs(3))
    report_view(channel, ["tag0"], steps=(100, 200), view="one")
    report_view(channel, ["tag1"], steps=(40_000, 40_100), view="two")
    found = details(channel, 5, 6)
    assert {tag for tag, _, _ in found} == {"tag0", "tag1"}
    assert all(begin <= (100 if tag == "tag0" else 40_000) for tag, begin, _ in found)


def test_a_tag_in_both_views_is_sent_with_the_steps_of_both() -> None:
    channel = channel_of(long_logs(1))
    report_view(channel, ["tag0"], steps=(100, 200), view="one")
    report_view(channel, ["tag0"], steps=(900, 1000), view="two")
    ((_, begin, end),) = details(channel, 5, 6)
    assert begin <= 100
    assert end > 1000
    channel.receive({"type": "bye", "view": "two"})
    ((_, begin, end),) = details(channel, 6, 7)
    assert end < 900


def test_a_view_does_not_delay_data_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.panels.scalars.ScalarsContent.prefetch_bytes", 1)
    logs = FakeSource()
    for run in range(30):
        for tag in range(60):
            logs.put(f"run{run}", f"tag{tag}", range(600), np.random.default_rng(run).normal(size=600).tolist())
    channel = channel_of(logs)
    report_view(channel, ["tag50"], view="one")
    report_view(channel, ["tag40", "tag41"], view="two")
    fine = [
        message.header["tags"][entry["tag"]]
        for _, message in drain(channel, 5, 7)
        for entry in message.header["series"]
        if entry["width"] == 1
    ]
    assert list(dict.fromkeys(fine)) == ["tag40", "tag41", "tag50"]


def test_a_viewport_that_no_page_names_is_forgotten_when_the_kernel_could_hear() -> None:
    clock = IdleClock(cell_runs=True)
    channel = channel_of(long_logs(2), clock)
    report_view(channel, ["tag0"], steps=(100, 200), view="one")
    report_view(channel, ["tag1"], steps=(100, 200), view="two")
    drain(channel, 5, 500)
    assert len(channel._clients.viewports) == 2, "a cell runs: nothing can be heard"
    clock.cell_ends(500)
    channel.receive({"type": "here", "complete": True, "views": ["one", 3]})
    drain(channel, 500, 530)
    channel.receive({"type": "here", "complete": True, "views": ["one"]})
    drain(channel, 530, 530 + SILENCE_S - 5)
    assert [viewport.groups for viewport in channel._clients.viewports] == [
        (("scalars", "tag0"), ("histograms", "tag0"))
    ]
    drain(channel, 530, 540 + SILENCE_S)
    assert channel._clients.viewports == []


def test_viewports_are_bounded() -> None:
    clients = Clients(IdleClock(cell_runs=False))
    for number in range(MAX_VIEWS + 10):
        clients.hear(number, ViewReport(f"view {number}", {}))
        clients.show(f"view {number}", Viewport(seq=number))
    assert [viewport.seq for viewport in clients.viewports] == list(range(MAX_VIEWS + 9, 9, -1))
    for odd in (None, 3, ["x"], "x" * 101):
        assert parse_message({"type": "view", "view": odd}) == Other()
        assert parse_message({"type": "bye", "view": odd}) == Other()


def test_a_viewport_ends_when_new_views_take_its_place() -> None:
    channel = channel_of(long_logs(2))
    report_view(channel, ["tag0"], steps=(100, 200), view="one")
    assert details(channel, 5, 6)
    assert channel._state.in_view
    others = [f"other {number}" for number in range(MAX_VIEWS)]
    channel.receive({"type": "here", "complete": True, "views": others})
    drain(channel, 6, 7)
    assert channel._state.in_view == {}


def parsed(**message: Any) -> Viewport:
    report = parse_message({"type": "view", "view": "v", **message})
    assert isinstance(report, ViewReport)
    keys = Keys(CONTENTS)
    keys.add([Key("scalars", "a", "x\udcff")])
    return viewport_of(report.fields, keys.groups_named)


def test_a_viewport_is_of_its_kinds_and_names_tags_as_they_traveled() -> None:
    assert parsed(tags=["x\\udcff"], kinds=["scalars", "odd"]).groups == (("scalars", "x\udcff"),)
    assert parsed(tags=["y"], kinds=None).groups == (("scalars", "y"), ("histograms", "y"))
    assert parsed(tags=["y"], want=[["scalars", "y"], ["odd", "y"]]).lacking == {("scalars", "y")}
    assert parsed(tags=["y", "z"], kinds=["scalars"], near=["z"], range=[1, 2]).near == {("scalars", "z")}


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"tags": {"a": 1}, "kinds": "scalars", "want": [["x"], 3, ["a", 3]], "seq": "x", "range": [1], "near": 7},
        {"tags": [3, None], "want": "x", "range": [1, "2"], "linked": "3", "seq": None},
        {"range": [True, 2], "linked": True},
        {"range": [1, 10**400], "linked": 10**400},
    ],
)
def test_malformed_fields_count_as_missing(message: dict[str, Any]) -> None:
    assert parsed(**message) == Viewport()


def test_the_last_of_several_linked_steps_counts() -> None:
    one, two = (("scalars", "x"),), (("scalars", "x"), ("scalars", "y"))
    viewports = [Viewport(two, linked=4.0), Viewport(one, linked=3.0), Viewport(two)]  # type: ignore[arg-type]
    focus = focus_of(viewports)
    assert {group: (found.steps, found.linked) for group, found in focus.items()} == {
        ("scalars", "x"): (None, 4.0),
        ("scalars", "y"): (None, 4.0),
    }


def test_a_series_beyond_the_browsers_memory_is_sent_in_detail_with_its_own_rows() -> None:
    logs = FakeSource()
    logs.put("a", "tag", range(4000), np.sin(np.arange(4000)).tolist())
    channel = channel_of(logs)
    report_view(channel, ["tag"], steps=(1000, 1100))
    assert details(channel, 5, 6) == [], "it was sent all points"
    report_view(channel, ["tag"], steps=(1000, 1100), short=[["scalars", "tag", 32, 600]])
    assert details(channel, 6, 8) == [("tag", 960, 1152)]
    report_view(channel, ["tag"], steps=(1000, 1100), short=[["scalars", "tag", 64, 600]])
    assert details(channel, 8, 10) == [("tag", 896, 1216)]
    focus = focus_of(
        [
            parsed(tags=["y"], range=[1, 2], short=[["scalars", "y", 8, 600]]),
            parsed(tags=["y"], range=[1, 2], short=[["scalars", "y", 16, 900]]),
        ]
    )
    assert focus[Group("scalars", "y")].reduced == (16, 600)


@pytest.mark.parametrize(
    "short",
    [
        "x", [3], [["scalars", "y"]], [["scalars", "y", 3, 600]], [["scalars", "y", 1, 600]], [["scalars", 3, 8, 600]],
        [["scalars", "y", True, 600]], [["scalars", "y", 8, 0]], [["scalars", "y", 2**64, 600]],
        [["scalars", "y", 8.0, 600]],
    ],
)  # fmt: skip
def test_a_malformed_shortage_counts_as_none(short: object) -> None:
    assert parsed(tags=["y"], short=short).reduced == {}


def test_nonsense_from_a_browser_changes_nothing() -> None:
    channel = channel_of(long_logs(1))
    nonsenses: list[Any] = [
        None, [], {"type": []}, {"type": "other"}, {"type": "bye", "view": []}, {"type": "view", "view": None},
        {"type": "cancel", "ids": "x"}, {"type": "here", "views": 4, "complete": True},
    ]  # fmt: skip
    for nonsense in nonsenses:
        channel.receive(nonsense)
    assert drain(channel, 5, 6) == []


def test_names_that_a_viewport_repeats_count_once() -> None:
    viewport = parsed(kinds=["scalars"] * 2000, tags=["a", "b"] * 1000, range=[1, 2])
    assert viewport.groups == (("scalars", "a"), ("scalars", "b"))
