"""The scene that a writer describes in the terms of three.js: the settings that are drawn, and the others.

TensorBoard instantiates any class that a scene names. Here only listed settings count, because logs are untrusted.
"""

from __future__ import annotations

import math
import re
from typing import Any

from tbwidget.texts import shorten

MAX_NAMES = 8
"""Upper bound for the settings that are named; the rest is counted."""

_SHADES = {
    "MeshBasicMaterial": "plain",
    "MeshLambertMaterial": "lit",
    "MeshPhongMaterial": "lit",
    "MeshStandardMaterial": "lit",
    "PointsMaterial": "points",
}
_MATERIAL = {"color", "size", "wireframe", "flatShading"}
_CAMERAS = {"PerspectiveCamera", "OrthographicCamera"}
_CAMERA = {"fov", "position", "lookAt"}
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_MAX_COLOR = 0xFFFFFF
_MAX_FOV = 170


def scene_of(config: Any) -> dict[str, Any]:
    """Return the drawn settings of a scene: `shade`, `color`, `size`, `fov`, `position`, `look_at`, if they are set.

    `left_out` has the names of other settings, and `more_left_out` the count of those beyond `MAX_NAMES`, if any.
    """
    scene: dict[str, Any] = {}
    left_out: list[str] = []
    if not isinstance(config, dict):
        return {"left_out": []}
    for name, value in config.items():
        if name == "material" and isinstance(value, dict):
            left_out += _read(scene, name, value, _SHADES, _MATERIAL)
        elif name == "camera" and isinstance(value, dict):
            left_out += _read(scene, name, value, dict.fromkeys(_CAMERAS), _CAMERA)
        else:
            left_out.append(str(name))
    if scene.pop("wireframe", False):
        scene["shade"] = "wire"
    elif scene.pop("flatShading", False) and scene.get("shade", "lit") == "lit":
        scene["shade"] = "flat"
    if scene.pop("orthographic", False):
        scene["fov"] = 0
    named = [shorten(name) for name in left_out[:MAX_NAMES]]
    more = len(left_out) - len(named)
    return {**scene, "left_out": named} | ({"more_left_out": more} if more else {})


def _read(
    scene: dict[str, Any], name: str, settings: dict[str, Any], classes: dict[str, Any], known: set[str]
) -> list[str]:
    """Add the settings of a material or a camera to `scene`. Returns the names of other settings."""
    left_out = []
    for key, value in settings.items():
        read = None
        if key == "cls":
            if isinstance(value, str) and value in classes:
                read = {"shade": classes[value]} if name == "material" else {"orthographic": value[0] == "O"}
        elif key in known:
            read = _setting(key, value)
        if read is None:
            left_out.append(f"{name}.{key} {value}" if key == "cls" else f"{name}.{key}")
        else:
            scene |= read
    return left_out


def _setting(key: str, value: Any) -> dict[str, Any] | None:
    """Read one setting; None if its value is invalid."""
    if key == "color":
        if isinstance(value, str) and _COLOR.fullmatch(value):
            return {key: int(value[1:], 16)}
        return {key: value} if type(value) is int and 0 <= value <= _MAX_COLOR else None
    if key in {"wireframe", "flatShading"}:
        return {key: value} if isinstance(value, bool) else None
    if key in {"position", "lookAt"}:
        is_point = isinstance(value, list) and len(value) == 3 and all(map(_is_number, value))  # noqa: PLR2004
        return {"look_at" if key == "lookAt" else key: list(map(float, value))} if is_point else None
    most = _MAX_FOV if key == "fov" else math.inf
    return {key: float(value)} if _is_number(value) and 0 < value <= most else None


def _is_number(value: Any) -> bool:
    # Beyond this, squares are no longer float32.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e18  # noqa: PLR2004
