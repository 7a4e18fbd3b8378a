"""Meshes and point clouds: the vertices, faces and colors that writers put under tags of their own, joined by step.

The metadata of a tag (tensorboard/plugins/mesh/plugin_data.proto) name the mesh, and say whether its values are
vertices, faces or colors. The mask of components there is not asked: torch always says all three, tensorboardX none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.logs.kinds.declare import Kind
from tbwidget.logs.sequences import LazySequence, ReadOnlyArrays, readable, reported
from tbwidget.proto.plugins_pb2 import MeshPluginData
from tbwidget.reasons import Reason, reason_of
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import Array, TensorError, array_of
from tbwidget.texts import decode_text, format_steps

if TYPE_CHECKING:
    from tbwidget.logs.items import Items
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary

VERTEX, FACE, COLOR = MeshPluginData.VERTEX, MeshPluginData.FACE, MeshPluginData.COLOR
_RANK = 3

# TensorBoard's own tags, and tensorboardX's; for values whose metadata are gone.
_SUFFIX = re.compile(r"_(?:(VERTEX|1)|(FACE|2)|(COLOR|3))\Z")


class PartName(NamedTuple):
    """The mesh that a tag belongs to, and the part of it that the tag holds."""

    mesh: str
    content: int


def part_name(tag: str, value: Summary.Value | None) -> PartName:
    """Return the mesh and part that a tag holds, by the metadata of its first value, or else by the tag itself."""
    if value is not None and value.metadata.plugin_data.content:
        try:
            metadata = MeshPluginData.FromString(value.metadata.plugin_data.content)
        except DecodeError:
            metadata = MeshPluginData()
        if metadata.content_type in (VERTEX, FACE, COLOR):
            return PartName(decode_text(metadata.name) or _SUFFIX.sub("", tag), metadata.content_type)
    suffix = _SUFFIX.search(tag)
    if suffix is None or suffix.lastindex is None:
        return PartName(tag, VERTEX)
    return PartName(tag[: suffix.start()], (VERTEX, FACE, COLOR)[suffix.lastindex - 1])


@dataclass(frozen=True, slots=True, eq=False)
class Mesh(ReadOnlyArrays):
    """A mesh as written at one step; missing parts are None. Arrays are read-only."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    vertices: Array | None
    """[b, n, 3] real: n points in each of b meshes."""
    faces: Array | None
    """[b, m, 3]: indices of vertices; some writers write them as floats."""
    colors: Array | None
    """[b, n, 3]: red, green and blue of each vertex, 0 to 255."""
    config: Any
    """The scene as the writer describes it, in the terms of three.js: parsed JSON; None if there is none."""
    config_problem: Reason | None = None
    """Why the description of the scene could not be parsed; None if it could, or there is none."""

    def __repr__(self) -> str:
        """Name the step, and the shapes of the parts."""
        parts = ((name, getattr(self, name)) for name in ("vertices", "faces", "colors"))
        shapes = "".join(f", {name} {list(part.shape)}" for name, part in parts if part is not None)
        return f"Mesh(step {self.step}{shapes})"


class Meshes(LazySequence[Mesh]):
    """One mesh of one run over training: n of them, in the order in which their vertices (or else parts) were written.

    Parts of one step belong together; where a step occurs again, first and first, second and second. Read when
    indexed; ValueError where the bytes are no longer there or make no sense.
    """

    def __init__(self, name: str, parts: Mapping[int, Items]) -> None:
        self.name = name
        """Name of the mesh, from its metadata."""
        self._parts: dict[int, Items] = {
            content: parts[content] for content in (VERTEX, FACE, COLOR) if content in parts
        }
        rows: dict[tuple[int, int], dict[int, int]] = {}
        for content, items in self._parts.items():
            occurred: dict[int, int] = {}
            for index, step in enumerate(items.step.tolist()):
                occurred[step] = occurred.get(step, -1) + 1
                rows.setdefault((step, occurred[step]), {})[content] = index
        self._rows = list(rows.values())
        self.identity: list[tuple[int, ...]] = [(*key, *row) for key, row in rows.items()]
        """A tuple a row: its step, its number among the values of that step, and its parts (1, 2, 3)."""
        first = [next(iter(row.items())) for row in self._rows]
        self.step: npt.NDArray[np.int64] = np.array([step for step, _ in rows], np.int64)
        """int64[n]"""
        self.wall_time = np.array([self._parts[content].wall_time[index] for content, index in first], np.float64)
        """float64[n], seconds since the epoch: when the vertices were written, or else another part."""
        self.revision = max((items.revision for items in self._parts.values()), default=0)
        """As long as it stays the same, parts and steps are only added."""
        self.superseded = max((items.superseded for items in self._parts.values()), default=0)
        """Values left out, because a later restart of the same training wrote their steps again."""
        for column in (self.step, self.wall_time):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Count the steps."""
        return len(self._rows)

    def _at(self, index: int) -> Mesh:
        found: dict[int, Array] = {}
        config, problem = None, None
        for content, row in self._rows[index].items():
            items = self._parts[content]
            value = items.value(row)
            with reported(items, row):
                found[content] = _points(value)
            if config is None:
                try:
                    config = _config(value)
                except ValueError as error:  # the mesh itself can be drawn
                    problem = reason_of(error)
                    items.report_invalid(row, problem)
        return Mesh(
            int(self.step[index]),
            float(self.wall_time[index]),
            found.get(VERTEX),
            found.get(FACE),
            found.get(COLOR),
            config,
            problem if config is None else None,
        )

    def place(self, index: int, content: int) -> tuple[str, int]:
        """Return the file and offset of a part of a step, or of its first one where that is missing."""
        items, row = self._part(index, content)
        return items.place(row)

    def report(self, index: int, content: int, reason: Reason) -> None:
        """Make a problem of the logs of a part that was read, and cannot be drawn as it is."""
        items, row = self._part(index, content)
        items.report_invalid(row, reason)

    def _part(self, index: int, content: int) -> tuple[Items, int]:
        rows = self._rows[index]
        content = content if content in rows else next(iter(rows))
        return self._parts[content], rows[content]

    def __repr__(self) -> str:
        """Name the mesh and say how many steps there are."""
        return f"Meshes({self.name!r}, {format_steps(self.step)})"


def _points(value: Summary.Value) -> Array:
    array = array_of(value.tensor)
    if array.ndim != _RANK or array.shape[-1] != _RANK:
        raise TensorError(Reason("mesh-shape", shape=list(array.shape)))
    return array


def _config(value: Summary.Value) -> Any:
    try:
        described = MeshPluginData.FromString(value.metadata.plugin_data.content).json_config
        return json.loads(decode_text(described)) if described else None
    except DecodeError:
        return None
    except (ValueError, RecursionError) as error:
        raise TensorError(Reason("invalid-scene", detail=str(error))) from error


def meshes(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> Meshes:
    """Return a mesh: its vertices, faces and colors joined by step.

    `tag` is the tag of any of these parts, as `tags()` lists them, or the name of the mesh in their metadata.
    Steps that a restart wrote again are left out unless `superseded` is true.

    Raises:
        KeyError: The run or the mesh does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.meshes("run1", "bunny")[-1].vertices.shape
    """
    parts, values = {}, {}
    for each in source.tags_of(run).get(KIND.name, []):
        with suppress(KeyError):  # gone since it was listed
            values[each] = source.items(run, each, KIND.name, superseded=superseded)
            first = next(readable(source.items(run, each, KIND.name, superseded=True), [0]), None)
            parts[each] = part_name(each, first[1] if first else None)
    name = parts[tag].mesh if tag in parts else tag
    # Another tag that claims to be the same part never hides the tag asked for.
    chosen = {part.content: each for each, part in sorted(parts.items(), reverse=True) if part.mesh == name}
    if tag in parts:
        chosen[parts[tag].content] = tag
    if not chosen:
        source.items(run, tag, KIND.name)  # its error says what the tag holds instead
    return Meshes(name, {content: values[each] for content, each in sorted(chosen.items())})


KIND = Kind("meshes", plugins=("mesh",), forms=frozenset({forms.POINTS}))
