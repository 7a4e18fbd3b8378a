"""The meshes panel: an index of the steps of each mesh, and behind each row the meshes of its batch.

A blob is a little-endian uint32 n, n bytes of JSON in ASCII, padded so that 4 + n is a multiple of 8, then arrays in
little-endian. Offsets count from the end of the JSON, which holds:

- `samples`: the meshes of the batch. Each has the counts `vertices` and `faces`, and offsets of its arrays, null for an
  absent one: `places` of float32[3][vertices] (all x, all y, all z), `triangles` of uint32[faces][3], and `colors` of
  uint8[vertices][3]. A vertex without a finite place has NaN.
- `scene`: the drawn settings of the writer's scene, see `mesh_scene`.
- `notes`: reasons why something was left out or changed.

The request `meshes.mesh` has the arguments run, tag, step (in decimal, as text) and wall (seconds since the epoch,
about); its answer's data are a blob.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from tbwidget.language import worded
from tbwidget.logs.kinds.meshes import COLOR, FACE, VERTEX, part_name
from tbwidget.logs.natural import natural_key
from tbwidget.options.common import NamedRangeOptions, TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel, PreviewChart, PreviewLine
from tbwidget.panels.descriptions import shown_names
from tbwidget.panels.mesh_scene import scene_of
from tbwidget.reasons import Reason, plain_reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, ItemsContent, Refusal
from tbwidget.wire.message import wire_reason
from tbwidget.wire.redaction import without_machine

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.meshes import Mesh, Meshes
    from tbwidget.records.values.arrays import Array
    from tbwidget.wire.columns import Columns


MAX_STEP_BYTES = 32_000_000
"""Upper bound for the meshes of one step that are sent."""

MAX_SAMPLES = 64
"""Upper bound for their number: empty ones have no bytes, and a shape may claim any number of them."""

_PART_OF = {
    "mesh-places": VERTEX,
    "mesh-batch": VERTEX,
    "mesh-faces": FACE,
    "mesh-colors": COLOR,
    "mesh-color-range": COLOR,
}
"""The part of a mesh that a fault was found in, by the code of its reason."""

_LIMITS = frozenset({"invalid-scene", "mesh-equal", "mesh-vertices", "mesh-too-large", "mesh-samples"})
"""Further reasons about a step."""

_ALIGNMENT = 8
_MAX_COLOR = 255


class MeshIndex:
    """The values of a mesh by step; values of equal steps in the order written."""

    def __init__(self, written: Meshes) -> None:
        self._written = written
        self._places: list[int] = np.argsort(written.step, kind="stable").tolist()
        self.revision = written.revision
        self.superseded = written.superseded
        self.step = written.step[self._places]
        self.wall_time = written.wall_time[self._places]

    @property
    def identity(self) -> Sequence[Hashable]:
        """Step, number within the step, and present parts of each row. Missing parts may follow."""
        return [self._written.identity[place] for place in self._places]

    def __len__(self) -> int:
        """Count the values."""
        return len(self._places)

    def located(self, row: int, reason: Reason) -> Reason:
        """Return a reason with its file and offset; a fault of the file becomes a problem of the logs.

        Names of machines are left out: notes are saved as they are.
        """
        place, part = self._places[row], _PART_OF.get(reason.code)
        if part is not None:
            self._written.report(place, part, reason)
        elif reason.code not in _LIMITS:
            return reason
        file, offset = self._written.place(place, VERTEX if part is None else part)
        return Reason("mesh-place", reason=reason, file=without_machine(file), offset=offset)

    def __getitem__(self, row: int) -> Mesh:
        """Read the value of a row. Raises ValueError where it cannot be read."""
        found: Mesh = self._written[self._places[row]]
        return found


class MeshesContent(ItemsContent):
    """The meshes of all tags. The tags of vertices, faces and colors form one mesh."""

    kind = "meshes"
    prefetch_bytes = 32_000_000

    def key_of(self, run: str, tag: str) -> tuple[str, str]:
        """Join the parts of a mesh, as far as their tags tell."""
        return run, part_name(tag, None).mesh

    def read(self, logs: Logs, run: str, tag: str) -> MeshIndex:
        """Index the steps of a mesh; no array is read."""
        return MeshIndex(_meshes(logs, run, tag))

    def entry(self, index: MeshIndex, rows: slice, columns: Columns) -> dict[str, Any]:  # noqa: ARG002 (of the protocol)
        """Add nothing: meshes have the columns of all items."""
        return {}

    def blob(self, index: MeshIndex, row: int) -> Callable[[], bytes]:
        """Make the blob of a row in a worker."""
        return lambda: _blob(index, row)


def _meshes(logs: Logs, run: str, tag: str) -> Meshes:
    """Return the mesh whose parts have tags with this name. Raises KeyError if there is none."""
    parts = [own for own in logs.tags().get("meshes", {}).get(run, ()) if part_name(own, None).mesh == tag]
    return logs.meshes(run, min(parts, key=lambda own: part_name(own, None).content, default=tag))


def _blob(index: MeshIndex, row: int) -> bytes:
    def located(reason: Reason) -> Reason:
        return index.located(row, reason)

    try:
        return encode(index[row], located)
    except ValueError as error:
        raise Refusal(located(plain_reason(error))) from error


def encode(mesh: Mesh, located: Callable[[Reason], Reason] = lambda reason: reason) -> bytes:
    """Encode the meshes of a step, with notes as `located` returns them.

    Raises ValueError if there is nothing to draw, or too much.
    """
    if mesh.vertices is None:
        raise ValueError(Reason("mesh-vertices"))
    notes: list[Reason] = [] if mesh.config_problem is None else [mesh.config_problem]
    samples: list[dict[str, Any]] = []
    arrays: list[Array] = []
    size = 0
    for number in range(min(MAX_SAMPLES, len(mesh.vertices))):
        places, triangles, colors = _sample(mesh, number, notes)
        found = [places, triangles, colors]
        bytes_here = sum(_padded(array.nbytes) for array in found if array is not None)
        if size + bytes_here > MAX_STEP_BYTES:
            if not samples:
                faces = 0 if triangles is None else len(triangles)
                counts = {"vertices": places.shape[1], "faces": faces, "bytes": bytes_here, "most": MAX_STEP_BYTES}
                raise ValueError(Reason("mesh-too-large", **counts, call="logs.meshes(…)"))
            break
        said: dict[str, Any] = {
            "vertices": places.shape[1],
            "faces": 0 if triangles is None else len(triangles),
        }
        for name, array in zip(("places", "triangles", "colors"), found, strict=True):
            said[name] = None if array is None else size
            if array is not None:
                arrays.append(array)
                size += _padded(array.nbytes)
        samples.append(said)
    if left_out := len(mesh.vertices) - len(samples):
        notes.append(Reason("mesh-samples", samples=left_out, count=MAX_SAMPLES, most=MAX_STEP_BYTES))
    if not isinstance(mesh.config, dict | None):
        notes.append(Reason("mesh-scene"))
    scene = scene_of(mesh.config)
    fields = {"samples": samples, "scene": scene, "notes": [wire_reason(located(note)) for note in _joined(notes)]}
    header = json.dumps(fields, allow_nan=False).encode()
    header += b" " * (_padded(4 + len(header)) - 4 - len(header))
    padding = (bytes(_padded(array.nbytes) - array.nbytes) for array in arrays)
    data = [part for array, rest in zip(arrays, padding, strict=True) for part in (array.tobytes(), rest)]
    return b"".join([struct.pack("<I", len(header)), header, *data])


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _sample(mesh: Mesh, number: int, notes: list[Reason]) -> tuple[Array, Array | None, Array | None]:
    """Convert one mesh of a batch: places of shape [3, n], triangles of shape [m, 3], colors of shape [n, 3]."""
    assert mesh.vertices is not None  # noqa: S101 (the caller has asked)
    with np.errstate(over="ignore", invalid="ignore"):
        places = np.ascontiguousarray(mesh.vertices[number].T, "<f4")
    is_placed = np.isfinite(places).all(axis=0)
    if not is_placed.all():
        places = np.where(is_placed, places, np.float32(np.nan))
        notes.append(Reason("mesh-places", vertices=int((~is_placed).sum())))
    count = places.shape[1]
    if count > 1 and is_placed.all() and (places == places[:, :1]).all():
        notes.append(Reason("mesh-equal", vertices=count))
    faces, colors = _of(mesh.faces, mesh, number), _of(mesh.colors, mesh, number)
    if (mesh.faces is not None and faces is None) or (mesh.colors is not None and colors is None):
        notes.append(Reason("mesh-batch", vertices=list(mesh.vertices.shape)))
    triangles = None if faces is None else _triangles(faces, count, notes)
    return places, triangles, None if colors is None else _colors(colors, count, notes)


def _of(part: Array | None, mesh: Mesh, number: int) -> Array | None:
    """Return the part of one mesh of the batch. A part that was written once belongs to all."""
    if part is None or mesh.vertices is None or len(part) not in {1, len(mesh.vertices)}:
        return None
    found: Array = part[number if len(part) > 1 else 0]
    return found


def _triangles(faces: Array, vertices: int, notes: list[Reason]) -> Array:
    """Return the faces with three existing vertices. Some writers write indices as floats."""
    with np.errstate(invalid="ignore"):
        is_valid = ((faces >= 0) & (faces < vertices) & (np.floor(faces) == faces)).all(axis=1)
    if not is_valid.all():
        notes.append(Reason("mesh-faces", faces=int((~is_valid).sum())))
    return np.ascontiguousarray(faces[is_valid], "<u4")


def _colors(colors: Array, vertices: int, notes: list[Reason]) -> Array | None:
    """Return red, green and blue of each vertex as bytes; None unless each vertex has a color."""
    if len(colors) != vertices:
        notes.append(Reason("mesh-colors", colors=len(colors), vertices=vertices))
        return None
    if colors.dtype == np.uint8:
        return np.ascontiguousarray(colors)
    with np.errstate(invalid="ignore"):
        is_valid = (colors >= 0) & (colors <= _MAX_COLOR)
    if not is_valid.all():
        notes.append(Reason("mesh-color-range", values=int((~is_valid).sum())))
    return np.ascontiguousarray(np.clip(np.nan_to_num(colors.astype("<f8")), 0, _MAX_COLOR).round(), "u1")


def _joined(notes: Sequence[Reason]) -> list[Reason]:
    """Merge the notes of all meshes of a batch: one of each code, with the sum of the counts."""
    joined: dict[str, dict[str, Any]] = {}
    for note in notes:
        known = joined.get(note.code)
        if known is None:
            joined[note.code] = dict(note.arguments)
        elif note.code in {"mesh-faces", "mesh-places", "mesh-color-range", "mesh-equal"}:
            name = next(iter(known))
            known[name] += note.arguments[name]
    return [Reason(code, **arguments) for code, arguments in joined.items()]


def mesh(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with the meshes of one step."""
    run, tag = str(args["run"]), str(args["tag"])
    for own_run, tags in logs.tags().get("meshes", {}).items():
        stems = {escape_surrogates(stem): stem for stem in (part_name(own, None).mesh for own in tags)}
        if escape_surrogates(own_run) == run and tag in stems:
            run, tag = own_run, stems[tag]
            break
    index = MeshIndex(_meshes(logs, run, tag))
    same = np.flatnonzero(index.step == int(args["step"]))
    if len(same) == 0:
        raise Refusal(Reason("mesh-gone"))
    # A step may be written several times, and wall times travel rounded.
    apart = np.nan_to_num(np.abs(index.wall_time[same] - float(args["wall"])), nan=np.inf)
    return Answer(data=_blob(index, int(same[np.argmin(apart)])))


MAX_NUMBERS = 3_000_000
"""Upper bound for the coordinates of a step, which are drawn in about 0.1 s."""

_TURN, _TILT = np.radians(30), np.radians(20)
_SHADES = 12  # of gray, by depth
_DARKEST, _LIGHTEST = 0x30, 0xC8
_LEVELS = 4  # of red, green and blue each


def preview(logs: Logs, pinned: Sequence[str], language: str = "en") -> Iterator[PreviewChart]:
    """Return the first mesh of the newest step of each tag; `pinned` tags before others."""
    if logs.source.poll_interval is not None:
        return  # reading from remote storage may take long
    by_run = logs.tags().get("meshes", {})
    names = shown_names(logs, "meshes")
    parts = {(part_name(tag, None).mesh, run): tag for run, tags in by_run.items() for tag in reversed(tags)}
    for name, run in sorted(parts, key=lambda key: (key[0] not in pinned, natural_key(key[0]), natural_key(key[1]))):
        try:
            mesh = logs.meshes(run, parts[name, run])[-1]
        except (KeyError, IndexError, ValueError):  # its card says so
            continue
        if lines := list(_lines(mesh)):
            shown = names.get(name, name)
            title = worded("{name} of {run}", language, name=shown, run=run) if len(by_run) > 1 else shown
            title = worded("{title}: vertices", language, title=title)
            yield PreviewChart(title, lines, are_points=True, has_one_scale=True)


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


class MeshesOptions(traitlets.HasTraits):
    """Options of meshes alone."""

    mesh_size = option(
        traitlets.Int(320, min=96, max=1024),
        """Side of a mesh's tile in CSS pixels. Type: int from 96 to 1024. Default: 320.""",
    )
    mesh_shade = option(
        traitlets.Enum(["lit", "flat", "plain", "wire", "points"], default_value=None, allow_none=True),
        """How meshes are drawn: "lit" (smoothly), "flat" (one shade for each face), "plain" (without light), "wire"
        (edges) or "points". None follows the scene of the mesh, else it is "lit", or "points" for a mesh without faces.
        Type: str or None. Default: None.""",
    )
    mesh_color = option(
        traitlets.Enum(["written", "depth", "normal"], "written"),
        """Color of meshes: "written" (without written colors, the color of the run), "depth" (distance from the viewer)
        or "normal" (direction of the surface). Type: str. Default: "written".""",
    )
    mesh_same_camera = option(
        traitlets.Bool(default_value=True),
        """Share one camera among all runs and samples of a tag. Type: bool. Default: True.""",
    )


PANEL = Panel(
    name="meshes",
    contents=(MeshesContent(),),
    options=(TimeAxisOptions, NamedRangeOptions, MeshesOptions),
    view="MeshesView",
    view_doc="The meshes and point clouds of a log directory, and nothing else.",
    view_options={
        "size": "mesh_size",
        "shade": "mesh_shade",
        "color": "mesh_color",
        "same_camera": "mesh_same_camera",
    },
    requests={"mesh": mesh},
    preview=preview,
)
