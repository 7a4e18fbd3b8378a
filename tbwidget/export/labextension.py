"""Information in an output for the extension of JupyterLab, which restores the dashboard in a reloaded page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tbwidget.wire.message import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Mapping

MIME = "application/vnd.tbwidget.dashboard+json"
"""Keep in step with js/src/jupyterlab/renderer.ts."""


def labextension_bundle(model_id: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """By MIME type: which model's messages to draw, and the options set in Python. Other hosts do not know the type."""
    return {MIME: {"protocol": PROTOCOL, "model_id": model_id, "state": dict(state)}}
