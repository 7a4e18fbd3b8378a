"""The content of a notebook's cell where no widget can be shown: on GitHub, in nbviewer, reopened without its state.

A picture as PNG, which every host shows, and a line of text. No HTML: hosts that show both take that, and some of them
take away its images.
"""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING

from tbwidget.export.preview import preview
from tbwidget.export.summary import summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.panels.declare import Panel

_TICK = 0.005  # s


def wait_for_logs(logs: Logs, most: float) -> None:
    """Wait until the first pass over the directory has ended, `most` seconds at most."""
    until = time.monotonic() + most
    while not logs.source.ready and time.monotonic() < until:
        time.sleep(_TICK)


def preview_bundle(logs: Logs, name: str, pinned: Sequence[str], panels: Iterable[Panel]) -> dict[str, str]:
    """Return a static preview by MIME types, of the data that has been read. `name` and `panels` are the widget's."""
    if not logs.source.ready:
        return {"text/plain": name}
    words = f"{summary(logs)}, as of {time.strftime('%Y-%m-%d %H:%M')}"
    try:
        picture = preview(logs, words, pinned, panels)
    except Exception:  # noqa: BLE001 (a dashboard is shown whatever becomes of its picture)
        picture = None
    found = {"text/plain": f"{name}: {words}"}
    return found if picture is None else {**found, "image/png": base64.b64encode(picture).decode("ascii")}


def described(bundle: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The metadata of such a bundle: a text in place of the picture, in nbconvert's classic and basic pages."""
    return {"image/png": {"alt": bundle["text/plain"]}} if "image/png" in bundle else {}
