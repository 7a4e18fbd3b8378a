"""Answers to requests, as a page without a kernel holds them."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tbwidget.logs.accessors import Logs
    from tbwidget.panels.declare import Panel

_SHARE = 4
"""Answers have one part in this many of a page's room."""


def saved_answers(
    logs: Logs, panels: Iterable[Panel], options: Mapping[str, Any], max_characters: int
) -> list[dict[str, Any]]:
    """Return what the panels need of answers with these options, as JSON; none that would be too large.

    Each is `{"name": "<panel>.<request>", "args": …, "value": …, "data": base64}`.
    """
    found = []
    room = max_characters // _SHARE
    for panel in panels:
        for name, args, answer in panel.saved(logs, options, room) if panel.saved else ():
            data = base64.b64encode(answer.data).decode("ascii")
            one = {"name": f"{panel.name}.{name}", "args": dict(args), "value": answer.value, "data": data}
            size = len(json.dumps(one))
            if size <= room:
                room -= size
                found.append(one)
    return found
