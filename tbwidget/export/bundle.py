"""The built files of the browser's side, and the MIME type that JupyterLab's extension draws."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tbwidget.wire.message import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Mapping


STATIC = Path(__file__).parent.parent / "static"
_SCRIPTS = ("dashboard.js", "page.js", "figure.js")


def asset(name: str) -> str | Path:
    """Return the text of a built file; with hot reload its path, which anywidget watches."""
    path = STATIC / name
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    # Text, because anywidget never drops an instance that was given a path.
    return path.read_text(encoding="utf-8") if path.exists() else ""


def require_bundle() -> None:
    """Raise FileNotFoundError, with the command to run, if the bundle is incomplete."""
    if not all(STATIC.joinpath(name).exists() for name in _SCRIPTS):
        raise FileNotFoundError(f"{STATIC} does not hold the whole bundle: run `npm ci && npm run build` in js/")


def built(name: str) -> str:
    """Return the text of a built file."""
    return STATIC.joinpath(name).read_text(encoding="utf-8")


MIME = "application/vnd.tbwidget.dashboard+json"
"""Twin of the constant in js/src/jupyterlab/renderer.ts."""


def labextension_bundle(model_id: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return, by MIME type, the model to draw and the options set in Python. Other hosts ignore the type."""
    return {MIME: {"protocol": PROTOCOL, "model_id": model_id, "state": dict(state)}}
