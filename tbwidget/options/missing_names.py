"""Names of runs and tags that do not exist yet."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection, Sequence

from tbwidget.logs.unknown import closest

_BETWEEN = frozenset({"tbwidget", "anywidget", "ipywidgets", "traitlets"})
_MAX_NAMED = 5


def missing_names_warning(what: str, names: Sequence[str], known: Collection[str]) -> str | None:
    """Return a warning about unknown names of `what` ("run" or "tag"); None if all, or no names at all, are known."""
    missing = [name for name in dict.fromkeys(names) if name not in known]
    if not missing or not known:
        return None
    listed = ", ".join(map(repr, missing[:_MAX_NAMED]))
    more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
    is_there, it_is = (f"there is no {what}", "it is") if len(missing) == 1 else (f"there are no {what}s", "they are")
    close = closest(missing[0], known)
    suggestion = f" Did you mean {close!r}?" if close else ""
    return f"{is_there} {listed}{more} yet; {it_is} waited for.{suggestion}"


def warn(message: str) -> None:
    """Warn at the line of the user's that led here."""
    frame, level = sys._getframe(1), 2  # noqa: SLF001 (as warnings itself does)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)
