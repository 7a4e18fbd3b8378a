"""Names of runs and tags that a browser gives back as they traveled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs


def from_wire_names(logs: Logs, kind: str, run: str, tag: str) -> tuple[str, str]:
    """The names in the logs of what a browser calls so; as they are where there is none."""
    if (run + tag).isascii() and "\\" not in run + tag:
        return run, tag
    tags = logs.tags().get(kind, {})
    runs = [other for other in tags if escape_surrogates(other) == run]
    return next(((other, own) for other in runs for own in tags[other] if escape_surrogates(own) == tag), (run, tag))
