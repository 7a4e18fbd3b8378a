"""Messages of browsers are parsed once; malformed ones are only a sign of life."""

from __future__ import annotations

import pytest

from tbwidget.wire.clients import (
    MAX_ID_LENGTH,
    Announcement,
    BrowserMessage,
    Bye,
    Cancel,
    Drawn,
    Other,
    Request,
    ScanControl,
    ViewReport,
    parse_message,
)

REPORT = {"type": "view", "view": "v", "tags": ["a"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"type": "hello", "complete": True, "views": ["a", 3, "b"]}, Announcement(("a", "b"), True, True)),  # noqa: FBT003
        ({"type": "here", "complete": True, "views": ["a"]}, Announcement(("a",), True, False)),  # noqa: FBT003
        ({"type": "here", "complete": False, "views": []}, Announcement((), False, True)),  # noqa: FBT003
        ({"type": "resync", "complete": False}, Announcement((), False, False)),  # noqa: FBT003
        ({"type": "hello", "complete": "yes", "views": "all"}, Announcement((), False, True)),  # noqa: FBT003
        (REPORT, ViewReport("v", REPORT)),
        ({"type": "bye", "view": "v"}, Bye("v")),
        ({"type": "drawn", "seq": 3, "behind": 2.5}, Drawn(3, 2.5)),
        ({"type": "request", "id": "r", "name": "p.x"}, Request("r", "p.x", {})),
        ({"type": "request", "id": "r", "name": 3, "args": {"a": 1}}, Request("r", None, {"a": 1})),
        ({"type": "request", "id": "r", "name": "p.x", "args": [1]}, Request("r", "p.x", None)),
        ({"type": "cancel", "ids": ["a", 3, "b"]}, Cancel(("a", "b"))),
        ({"type": "stop"}, ScanControl(goes_on=False)),
        ({"type": "resume"}, ScanControl(goes_on=True)),
    ],
)
def test_a_message_becomes_one_of_a_few_types(content: object, message: BrowserMessage) -> None:
    assert parse_message(content) == message
    assert type(parse_message(content)) is type(message)


@pytest.mark.parametrize(
    "content",
    [
        None, [], "hello", {}, {"type": None}, {"type": ["hello"]}, {"type": "other"},
        {"type": "view"}, {"type": "view", "view": 3}, {"type": "view", "view": "x" * (MAX_ID_LENGTH + 1)},
        {"type": "bye", "view": None}, {"type": "drawn", "seq": True, "behind": 1.0}, {"type": "drawn", "seq": 1},
        {"type": "request", "id": ""}, {"type": "request", "id": "\ud800"}, {"type": "request", "id": 1},
    ],
)  # fmt: skip
def test_a_malformed_message_is_only_a_sign_of_life(content: object) -> None:
    assert type(parse_message(content)) is Other
