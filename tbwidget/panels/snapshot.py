"""What an exported page shows without a kernel: the messages that a newcomer would get, as text of bounded size."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING, Any

from tbwidget.panels.feed import Feed
from tbwidget.panels.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tbwidget.logs import LogDir

MOST_SAVED = 5_000_000
"""Bytes of text that it takes at most; keep in step with js/src/wire/saved.ts."""


def snapshot(logs: LogDir, kinds: Sequence[str] = tuple(KINDS), most: int = MOST_SAVED) -> dict[str, Any]:
    """What has been read of `logs`: coarsely all of it, then in full as much as there is room for.

    Returns `{"at": milliseconds since the epoch, "messages": [{"header": …, "buffer": base64}, …]}`, the messages being
    those of WIRE.md; `{}` where there is nothing to show.
    """
    feed = Feed(logs, kinds)
    feed.hello(complete=True)
    messages: list[dict[str, Any]] = []
    size, now = 0, 0.0
    while True:
        message, wait = feed.next_message(now)
        now += wait
        if message is None:
            break
        text = {"header": message.header, "buffer": base64.b64encode(message.buffer).decode("ascii")}
        size += len(json.dumps(text))
        if size > most:
            break
        messages.append(text)
        if not feed.busy:
            break
    held = any(text["header"]["series"] for text in messages)
    return {"at": round(time.time() * 1000), "messages": messages} if held else {}
