"""The built files of the browser's side."""

from __future__ import annotations

import os
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
_SCRIPTS = ("dashboard.js", "page.js", "figure.js")


def asset(name: str) -> str | Path:
    """Text of a built file; its path while developing with hot reload, which anywidget then watches."""
    path = STATIC / name
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    # As text: given a path, anywidget would hold every instance for ever.
    return path.read_text(encoding="utf-8") if path.exists() else ""


def require_bundle() -> None:
    """FileNotFoundError, with what to do, where something has not been built."""
    if not all(STATIC.joinpath(name).exists() for name in _SCRIPTS):
        raise FileNotFoundError(f"{STATIC} does not hold the whole bundle: run `npm ci && npm run build` in js/")


def built(name: str) -> str:
    """Text of a built file."""
    return STATIC.joinpath(name).read_text(encoding="utf-8")
