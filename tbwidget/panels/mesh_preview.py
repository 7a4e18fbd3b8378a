"""The static preview of meshes: the vertices of the newest step, seen obliquely from above."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tbwidget.logs.kinds.meshes import part_name
from tbwidget.logs.natural import natural_key
from tbwidget.panels.declare import PreviewChart, PreviewLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.meshes import Mesh

MAX_NUMBERS = 3_000_000
"""Upper bound for the coordinates of a step, which are drawn in about 0.1 s."""

_TURN, _TILT = np.radians(30), np.radians(20)
_SHADES = 12  # of gray, by depth
_DARKEST, _LIGHTEST = 0x30, 0xC8
_LEVELS = 4  # of red, green and blue each


def preview(logs: Logs, pinned: Sequence[str]) -> Iterator[PreviewChart]:
    """Return the first mesh of the newest step of each tag; `pinned` tags before others."""
    if logs.source.poll_interval is not None:
        return  # reading from remote storage may take long
    by_run = logs.tags().get("meshes", {})
    parts = {(part_name(tag, None).mesh, run): tag for run, tags in by_run.items() for tag in reversed(tags)}
    for name, run in sorted(parts, key=lambda key: (key[0] not in pinned, natural_key(key[0]), natural_key(key[1]))):
        try:
            mesh = logs.meshes(run, parts[name, run])[-1]
        except (KeyError, IndexError, ValueError):  # its card says so
            continue
        if lines := list(_lines(mesh)):
            title = f"{name} of {run}" if len(by_run) > 1 else name
            yield PreviewChart(f"{title}: vertices", lines, are_points=True, has_one_scale=True)


def _lines(mesh: Mesh) -> Iterator[PreviewLine]:
    """Yield the vertices of each color, the farthest first."""
    if mesh.vertices is None or not mesh.vertices.size or mesh.vertices[0].size > MAX_NUMBERS:
        return
    points = mesh.vertices[0].astype(np.float64)
    with np.errstate(over="ignore"):
        has_place = np.isfinite(points.astype(np.float32)).all(axis=1)
    if not has_place.any():
        return
    x, y, z = points[has_place].T
    right, toward = np.cos(_TURN) * x - np.sin(_TURN) * z, np.sin(_TURN) * x + np.cos(_TURN) * z
    up, near = np.cos(_TILT) * y - np.sin(_TILT) * toward, np.sin(_TILT) * y + np.cos(_TILT) * toward
    colors = _written(mesh, has_place)
    if colors is None:
        colors = _shades(near)
    order = np.argsort(near, kind="stable")
    for part in np.array_split(order, min(_SHADES, len(order))):
        for color in np.unique(colors[part]).tolist():
            chosen = part[colors[part] == color]
            yield PreviewLine("", f"#{color:06x}", right[chosen], up[chosen])


def _written(mesh: Mesh, has_place: NDArray[np.bool_]) -> NDArray[np.intp] | None:
    """Return the written colors in a few levels; None unless each vertex has one."""
    if mesh.colors is None or not len(mesh.colors) or len(mesh.colors[0]) != len(has_place):
        return None
    steps = np.nan_to_num(np.clip(mesh.colors[0][has_place].astype(np.float64), 0, 255)) * (_LEVELS - 1) / 255
    levels: NDArray[np.intp] = np.round(steps).astype(np.intp) * (255 // (_LEVELS - 1))
    packed: NDArray[np.intp] = levels @ np.array([1 << 16, 1 << 8, 1])
    return packed


def _shades(near: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return grays that are darker for nearer vertices."""
    share = (near - near.min()) / (np.ptp(near) or 1.0)
    steps = np.round((1 - share) * (_SHADES - 1)) / (_SHADES - 1)
    return (_DARKEST + steps * (_LIGHTEST - _DARKEST)).astype(np.intp) * 0x10101
