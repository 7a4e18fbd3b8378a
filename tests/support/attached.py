"""Graphs and run metadata as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource


def attached(source: LogSource, run: str, what: str, tag: str = "") -> bytes:
    """Return the bytes of a run's last graph or run metadata."""
    attachment = source.attachment(run, what, tag)
    assert attachment is not None
    return attachment.read()
