"""Make what an exported page shows without a kernel: messages for a new client, as text of bounded size."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING, Any

from tbwidget.wire.channel import Channel
from tbwidget.wire.message import ByteBudget
from tbwidget.wire.redaction import Redaction, places_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.wire.content import Content

MAX_SAVED_CHARACTERS = 500_000
"""Upper bound for characters in a notebook, beside the bundle. Keep in step with js/src/wire/snapshot.ts."""

_BYTES = 3 / 4  # of a message, for each character that it becomes
_STATUS = 30_000  # bytes that a status may take
# Fields of a status that are not saved.
_LIVE = ("places", "places_from", "places_left", "clock", "unsent", "share", "polled")
_MIN_MESSAGE_BYTES = 2_000  # bytes left that are worth one more message


def snapshot(
    logs: Logs,
    contents: Sequence[Content],
    most: int = MAX_SAVED_CHARACTERS,
    *,
    kinds: Collection[str] | None = None,
    paths: bool = False,
    answers: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the data read of `logs` as messages: everything coarsely, then as much in full, and blobs, as fits.

    `kinds` restricts the kinds that the page counts as present; None: all with data. With `paths` it tells where the
    logs are on this machine. `answers` hold the answers that a page without a kernel needs, as JSON.

    The result is `{"at": milliseconds since the epoch, "messages": [{"header": JSON, "buffer": base64}, …], "answers":
    …}`, with messages as in docs/wire.md; `{}` if there is nothing to show. A header is text, because notebooks are
    written with a line for each number.
    """
    most -= len(json.dumps(answers))
    budget = ByteBudget(most * _BYTES)
    channel = Channel(logs, contents if paths else [content.saved() for content in contents], budget=budget)
    channel.receive({"type": "hello", "complete": True})
    headers: list[dict[str, Any]] = []
    messages: list[dict[str, str]] = []
    now, redaction = 0.0, None if paths else Redaction(places_of(logs))
    size = 0
    while True:
        budget.left = (most - size) * _BYTES - _STATUS
        message, wait = channel.next_message(now)
        now += wait
        if message is None:
            break
        for name in _LIVE:
            message.header["status"].pop(name, None)
        header = message.header if redaction is None else redaction.header(message.header)
        if kinds is not None:
            header["status"]["kinds"] = [kind for kind in header["status"]["kinds"] if kind in kinds]
        text = {"header": json.dumps(header), "buffer": base64.b64encode(message.buffer).decode("ascii")}
        length = len(json.dumps(text))
        if size + length > most:
            break
        size += length
        headers.append(header)
        messages.append(text)
        if not channel.busy or budget.left < _MIN_MESSAGE_BYTES:
            break
    derived = {content.kind for content in contents if content.is_derived}
    named = (entry for header in headers for name in ("series", "items", "documents") for entry in header[name])
    if all(entry["kind"] in derived for entry in named):
        return {}
    headers[-1]["status"]["left_out"] += channel.unnamed
    messages[-1]["header"] = json.dumps(headers[-1])
    held = {"answers": list(answers)} if answers else {}
    return {"at": round(time.time() * 1000), "messages": messages, **held}
