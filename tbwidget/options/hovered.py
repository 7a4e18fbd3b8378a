"""The point below the pointer, as the browser reports it; twin of js/src/options/hovered.ts."""

from __future__ import annotations

from typing import Any

_NUMBERS = ("value", "left", "right")


def point_from_json(message: Any) -> dict[str, Any] | None:
    """The point, with numbers that JSON does not have; None where the pointer is on none."""
    if not isinstance(message, dict) or not isinstance(message.get("values"), dict):
        return None
    point = dict(message)
    try:
        point["step"] = int(message["step"])
        point["values"] = {str(run): float(value) for run, value in message["values"].items()}
        point |= {name: float(message[name]) for name in _NUMBERS if name in message}
        if "group" in point:
            point["group"] = str(point["group"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return point
