"""Both sides of the wire agree: constants, the order of names, and messages recorded here and read there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tbwidget.logs.natural import natural_key
from tbwidget.panels.columns import ALIGNMENT
from tbwidget.panels.feed import PROTOCOL
from tbwidget.panels.pace import HEARTBEAT
from tbwidget.panels.scalars import WHOLE_SERIES
from tests.support.feeds import recorded_messages

JS = Path(__file__).resolve().parents[2] / "js"


@pytest.mark.parametrize(
    ("name", "value"),
    [("PROTOCOL", PROTOCOL), ("WHOLE_SERIES", WHOLE_SERIES), ("HEARTBEAT", HEARTBEAT), ("ALIGNMENT", ALIGNMENT)],
)
def test_constants_agree(name: str, value: float) -> None:
    source = (JS / "src/wire/protocol.ts").read_text(encoding="utf-8")
    found = re.findall(rf"^export const {name} = (\d+);$", source, re.MULTILINE)
    assert [float(text) for text in found] == [value]


def test_the_messages_that_the_browser_is_tested_with_are_ours() -> None:
    stored = json.loads((JS / "tests/fixtures/messages.json").read_text(encoding="utf-8"))
    assert recorded_messages() == stored, "record anew: python -m tests.support.feeds > js/tests/fixtures/messages.json"


def test_names_have_one_order() -> None:
    names = json.loads((JS / "tests/fixtures/natural.json").read_text(encoding="utf-8"))
    names_of_the_browser = list(names)
    names.reverse()
    assert sorted(names, key=natural_key) == names_of_the_browser
