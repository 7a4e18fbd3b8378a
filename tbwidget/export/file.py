"""Writes logs as a page of limited size, with the answers to requests that it needs without a kernel."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tbwidget.export.atomic_write import atomic_write
from tbwidget.export.page import page
from tbwidget.export.preview import summary
from tbwidget.language import language_of
from tbwidget.wire.redaction import Redaction, places_of, wire_title
from tbwidget.wire.snapshot import snapshot

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.panels.declare import Panel
    from tbwidget.wire.content import Content


MAX_PAGE_BYTES = 20_000_000
"""Largest size of a page in bytes, unless another is given."""

_PACKED = 0.98  # characters of a snapshot for each byte that it takes in a page, at least


def write_page(
    path: str | os.PathLike[str],
    logs: Logs,
    panels: Sequence[Panel],
    always_sent: Sequence[Content],
    state: Mapping[str, Any],
    *,
    max_bytes: int = MAX_PAGE_BYTES,
    only: bool = False,
    paths: bool = False,
) -> Path:
    """Write the page of `panels`, with the contents `always_sent`, and return its path. `only`: no other tabs.

    Raises ValueError if the logs hold no data to show, or the page is too small for them.
    """
    title = wire_title(logs) if paths else Redaction(places_of(logs)).text(wire_title(logs))
    words = summary(logs, language_of(state) or "en")
    logs.alert_watch.update()
    state = {**state, **({"_only": [panel.name for panel in panels]} if only else {})}
    contents = [*dict.fromkeys(content for panel in panels for content in panel.contents), *always_sent]
    shown = {kind for panel in panels for content in panel.contents for kind in content.sources}
    kinds = shown if only else None
    empty = len(page(title, words, state))
    room = int((max_bytes - empty) * _PACKED)
    answers = saved_answers(logs, panels, state, room)
    saved = snapshot(logs, contents, room, kinds=kinds, paths=paths, answers=answers) if room > 0 else {}
    if not saved:
        if shown.intersection(logs.tags()):
            raise ValueError(f"max_bytes: {max_bytes:,} bytes are too few; a page without data takes {empty:,}")
        raise ValueError(f"{title} holds no data to show")
    text = page(title, words, {**state, "_saved": saved})
    with atomic_write(path) as file:
        file.write_text(text, "ascii")
    return Path(path)


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
