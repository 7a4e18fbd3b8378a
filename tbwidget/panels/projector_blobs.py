"""Blobs of an embedding: its points with their metadata, its vectors, and its sprite.

A blob is the length of its header, uint32; the header, ASCII JSON, padded with spaces so that what follows begins at a
multiple of 8; then arrays, each at `offset` bytes behind the header, a multiple of 8. All is little-endian.

**Points** (`embeddings`): `points`, `dimensions` of the vectors, `components` and the `variance` of each, a fraction of
the total; `without_place`, the count of points with a value that is not finite; `coordinates`, float32
[components][points], NaN for these; `columns`, each `{"name", "sort": "number"}` with float64[points] or `{"name",
"sort": "text", "values"}` with uint32[points], which are indices into `values`; `columns_left_out`; `notes`, reasons;
`waits`, the reason why there are no points yet, or null.
A saved notebook or exported page with too little room holds three components as int16, with `coordinates.steps` of
each to a number and -32,768 for NaN; and columns with fewer `bits`: uint8 or uint16, or float32 if that is exact.

**Vectors** (`embedding_vectors`): `points`, `dimensions`, `held`, `type`, "float32" or "float16", `scale`, by which
float16 numbers are to be multiplied, and [points][held] numbers; `digest`, which names the vectors, null for more
points than a page computes UMAP of. If `held` is less than `dimensions`, the numbers are coordinates along the first
principal components. The last number is the rest of the mean, so that distances and angles stay about the same.

**Sprites** (`embedding_sprites`): `width` and `height` of one image, `columns` of them side by side, `count`, and
`bytes` of the whole image as it was written, of MIME type `type`.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.logs.kinds.embeddings import EmbeddingError
from tbwidget.media.image_header import image_info
from tbwidget.media.pixels import check_size
from tbwidget.panels.projector_columns import MAX_COLUMNS, columns_of
from tbwidget.panels.projector_options import COMPONENTS
from tbwidget.panels.projector_vectors import MAX_COMPONENTS, MAX_PAGE_POINTS, readable_vectors
from tbwidget.reasons import Reason, plain_reason, reason_of
from tbwidget.wire.content import Refusal
from tbwidget.wire.message import wire_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding, Sprite
    from tbwidget.logs.vectors import FirstLabels
    from tbwidget.panels.projector_vectors import KeptVectors

MAX_POINTS_BYTES = 48_000_000
"""Bytes of a blob of points: as many components as fit, at least two; columns that do not fit are left out."""

WHOLE_VECTORS_BYTES = 16_000_000
"""Bytes up to which all dimensions travel as float32."""

MAX_VECTORS_BYTES = 48_000_000
"""Bytes of float16 vectors, in as many dimensions as fit, at least two."""

MAX_SPRITE_BYTES = 16_000_000

_ALIGNMENT = 8
_MAX_REDUCED_COMPONENTS = 3  # that a plot can draw
_MAX_ROUNDED, _NO_POSITION = 32_767, -32_768
_MAX_FLOAT16 = 32_768.0
_ROWS_AT_ONCE = 1 << 16
_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp", "BMP": "image/bmp"}
"""MIME types of what browsers show, by Pillow's names."""


class _Blob:
    """A blob being put together."""

    def __init__(self) -> None:
        self._parts: list[bytes | memoryview] = []
        self._size = 0

    def add(self, data: bytes | NDArray[Any]) -> int:
        """Add an array, little-endian by its type, or bytes; returns where it begins."""
        part = data if isinstance(data, bytes) else memoryview(np.ascontiguousarray(data).reshape(-1)).cast("B")
        offset = self._size
        padding = bytes(-len(part) % _ALIGNMENT)
        self._parts += [part, padding]
        self._size += len(part) + len(padding)
        return offset

    def finish(self, header: str) -> bytes:
        """Return the whole."""
        head = header.encode("ascii")
        head += b" " * (-(4 + len(head)) % _ALIGNMENT)
        return b"".join((struct.pack("<I", len(head)), head, *self._parts))


def points_blob(logs: Logs, run: str, embedding: Embedding) -> bytes:
    """Return the points of an embedding. Raises Refusal where its vectors cannot be read."""
    if (waits := embedding.waits) is not None:
        return _points(embedding, None, waits)
    return _points(embedding, readable_vectors(logs, run, embedding), None)


def _points(embedding: Embedding, kept: KeptVectors | None, waits: Reason | None) -> bytes:
    vectors = np.empty((0, 0), np.float32) if kept is None else kept.vectors
    points, dimensions = vectors.shape
    blob, notes, columns, left_out = _Blob(), [], "", 0
    head: dict[str, Any] = {"points": points, "dimensions": dimensions, "components": 0, "variance": []}
    if kept is not None:
        count = _held(kept, COMPONENTS, 4, MAX_POINTS_BYTES)
        principal = kept.principal
        coordinates = principal.project(vectors, count)
        has_place = np.isfinite(coordinates).all(axis=0)
        coordinates[:, ~has_place] = np.nan
        head["components"] = len(coordinates)
        head["variance"] = [round(float(part), 9) for part in principal.fractions[: len(coordinates)]]
        head["without_place"] = int(np.count_nonzero(~has_place))
        head["coordinates"] = {"offset": blob.add(coordinates.astype("<f4", copy=False))}
        if principal.is_approximate:
            notes.append(Reason("embedding-approximate", embedding=embedding.name))
        notes += _vector_notes(embedding, kept, head["without_place"])
        labels = _labels(embedding, points, notes)
        if labels is not None:
            found, left_out = columns_of(labels.labels, points, MAX_POINTS_BYTES - coordinates.nbytes)
            left_out += labels.column_count - len(labels.labels.columns)
            columns = ",".join(f'{{{one.head},"offset":{blob.add(_little(one.array))}}}' for one in found)
    else:
        head |= {"without_place": 0, "coordinates": {"offset": blob.add(b"")}}
    head["columns_left_out"] = left_out
    head["notes"] = [wire_reason(note) for note in notes]
    head["waits"] = None if waits is None else wire_reason(waits)
    return blob.finish(f'{json.dumps(head)[:-1]},"columns":[{columns}]}}')


def reduced_points(blob: bytes) -> bytes | None:
    """Return the points for a page without room for the whole blob; None if they are reduced already, or not there.

    Coordinates are rounded, values of columns are not. Twin of `reducedBlob` in js/src/panels/projector/codec.ts.
    """
    (length,) = struct.unpack_from("<I", blob)
    head: dict[str, Any] = json.loads(blob[4 : 4 + length])
    coordinates = head.get("coordinates")
    if coordinates is None or "steps" in coordinates:
        return None
    points, components = head["points"], min(head["components"], _MAX_REDUCED_COMPONENTS)
    body, made = memoryview(blob)[4 + length :], _Blob()
    steps, rounded = [], np.empty((components, points), "<i2")
    planes = np.frombuffer(body, "<f4", components * points, coordinates["offset"]).reshape(rounded.shape)
    for plane, places in zip(planes, rounded, strict=True):
        step = float(np.fmax.reduce(np.abs(plane), initial=0)) / _MAX_ROUNDED or 1.0
        places[:] = np.where(np.isnan(plane), _NO_POSITION, np.floor(plane.astype(np.float64) / step + 0.5))
        steps.append(step)
    head |= {"components": components, "coordinates": {"offset": made.add(rounded), "steps": steps}}
    head["columns"] = [_packed(column, points, body, made) for column in head["columns"]]
    return made.finish(json.dumps(head))


def _packed(column: dict[str, Any], points: int, body: memoryview, made: _Blob) -> dict[str, Any]:
    """Add the values of a column in as few bits as hold them, and return how it is described."""
    array: NDArray[Any]
    if column["sort"] == "number":
        array = np.frombuffer(body, "<f8", points, column["offset"])
        with np.errstate(over="ignore"):
            short = array.astype("<f4")
        bits = 32 if np.array_equal(short, array, equal_nan=True) else None
        array = array if bits is None else short
    else:
        count = len(column["values"])
        bits = next((bits for bits in (8, 16) if count <= 1 << bits), None)
        array = np.frombuffer(body, "<u4", points, column["offset"])
        array = array if bits is None else array.astype(f"<u{bits // 8}")
    return {**column, **({} if bits is None else {"bits": bits}), "offset": made.add(array)}


def _held(kept: KeptVectors, most: int, number_bytes: int, max_bytes: int) -> int:
    """Return how many numbers of each point travel, at most `most`. Raises Refusal where not even two fit."""
    dimensions: int
    points, dimensions = kept.vectors.shape
    fitting: int = max_bytes // (number_bytes * max(1, points))
    if fitting < min(2, dimensions):
        raise Refusal(Reason("too-large-to-send", bytes=kept.vectors.nbytes, call="logs.embeddings(run)"))
    return min(most, dimensions, fitting)


def _little(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _vector_notes(embedding: Embedding, kept: KeptVectors, without_place: int) -> Iterable[Reason]:
    """Reasons why not all vectors are drawn, or not as the configuration says."""
    vectors = kept.vectors
    given = {"embedding": embedding.name, "path": embedding.vectors_path}
    if (contradiction := embedding.shape_contradiction(vectors)) is not None:
        yield contradiction
    if without_place:
        yield Reason("embedding-not-finite", **given, points=without_place)
    if len(vectors) < 2:  # noqa: PLR2004
        yield Reason("embedding-few", **given, points=len(vectors))
    elif len(vectors) - without_place > 1 and not kept.principal.fractions.any():
        yield Reason("embedding-equal", **given)


def _labels(embedding: Embedding, points: int, notes: list[Reason]) -> FirstLabels | None:
    """Return the labels of the points, and note why they are missing or do not match these."""
    # A cell takes at least 4 bytes.
    most_columns = max(1, min(MAX_COLUMNS, MAX_POINTS_BYTES // (4 * max(1, points))))
    try:
        labels = embedding.first_labels(points, most_columns)
    except EmbeddingError as error:
        notes.append(error.reason or reason_of(error))
        return None
    if labels is None:
        return None
    given = {"embedding": embedding.name, "path": embedding.metadata_path}
    if labels.row_count != points:
        notes.append(Reason("embedding-rows", **given, rows=labels.row_count, points=points))
    if labels.is_ragged:
        notes.append(Reason("embedding-cells", **given))
    return labels


def vectors_blob(logs: Logs, run: str, embedding: Embedding) -> bytes:
    """Return the vectors of an embedding, in fewer dimensions where it is large. Raises Refusal."""
    if (waits := embedding.waits) is not None:
        raise Refusal(waits)
    kept = readable_vectors(logs, run, embedding)
    points, dimensions = kept.vectors.shape
    blob = _Blob()
    head: dict[str, Any] = {"points": points, "dimensions": dimensions, "held": dimensions, "type": "float32"}
    head["digest"] = kept.digest if points <= MAX_PAGE_POINTS else None
    if kept.vectors.nbytes <= WHOLE_VECTORS_BYTES:
        head |= {"scale": 1, "offset": blob.add(kept.vectors.astype("<f4", copy=False))}
    else:
        held, scale = _reduced(kept)
        head |= {"held": held.shape[1], "type": "float16", "scale": scale, "offset": blob.add(_little(held))}
    return blob.finish(json.dumps(head))


def _reduced(kept: KeptVectors) -> tuple[NDArray[np.float16], float]:
    """Vectors in fewer dimensions, divided by a scale so that they are float16 numbers, and the scale."""
    vectors = kept.vectors
    points, dimensions = vectors.shape
    count = _held(kept, MAX_COMPONENTS, 2, MAX_VECTORS_BYTES)
    basis = np.eye(dimensions, dtype=np.float32) if dimensions == count else _directions(kept, count)
    largest = 0.0
    parts = [slice(begin, begin + _ROWS_AT_ONCE) for begin in range(0, points, _ROWS_AT_ONCE)]
    made = np.empty((points, basis.shape[1]), np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        for part in parts:
            made[part] = vectors[part] @ basis
            finite = np.abs(made[part][np.isfinite(made[part])])
            largest = max(largest, float(finite.max(initial=0.0)))
        scale = largest / _MAX_FLOAT16 or 1.0
        held = np.empty(made.shape, np.float16)
        for part in parts:
            held[part] = made[part] / scale
    held[~kept.principal.has_place] = np.nan
    return held, scale


def _directions(kept: KeptVectors, count: int) -> NDArray[np.float32]:
    """An orthonormal basis [d, count]: principal components, and what of the mean is in none of them.

    Components alone would keep distances and lose angles at the origin, which the mean takes part in.
    """
    principal = kept.principal
    components = principal.components[: count - 1]
    rest = principal.mean.copy()
    for component in components:  # one at a time: all of them as float64 may be as large as the vectors
        rest -= component * float(component.astype(np.float64) @ principal.mean)
    length = float(np.linalg.norm(rest))
    return np.vstack((components, (rest / length if length > 0 else rest).astype(np.float32))).T


def sprite_blob(logs: Logs, run: str, embedding: Embedding) -> bytes:
    """Return the sprite of an embedding. Raises Refusal where it cannot be read or shown."""
    path = embedding.sprite_path
    try:
        sprite = embedding.read_sprite()
        if sprite is None:
            raise Refusal(Reason("no-such-embedding"))
        mime, columns, rows = _checked(sprite)
    except EmbeddingError as error:
        raise Refusal(error.reason or reason_of(error)) from error
    except ValueError as error:
        reason = Reason("embedding-sprite", embedding=embedding.name, path=path, detail=plain_reason(error))
        embedding.report(path, reason)
        raise Refusal(reason) from error
    width, height = sprite.single_image_dim
    points = len(readable_vectors(logs, run, embedding).vectors)
    blob = _Blob()
    head = {
        "width": width,
        "height": height,
        "columns": columns,
        "count": min(points, columns * rows),
        "offset": blob.add(sprite.data),
        "bytes": len(sprite.data),
        "type": mime,
    }
    return blob.finish(json.dumps(head))


def _checked(sprite: Sprite) -> tuple[str, int, int]:
    """Return the MIME type of a sprite, and how many images are side by side, and above one another.

    Raises ValueError, in words for people, where browsers do not show it, or it is too large.
    """
    if len(sprite.data) > MAX_SPRITE_BYTES:
        raise ValueError(Reason("too-large-to-send", bytes=len(sprite.data), call="logs.embeddings(run)"))
    name, width, height = image_info(sprite.data)
    if name not in _TYPES or width is None or height is None:
        raise ValueError(Reason("image-format", bytes=len(sprite.data)))
    check_size(width, height, name)
    size = sprite.single_image_dim
    if len(size) != 2 or not (0 < size[0] <= width and 0 < size[1] <= height):  # noqa: PLR2004 (width and height)
        raise ValueError(Reason("embedding-tiles", size=list(size), width=width, height=height))
    return _TYPES[name], width // size[0], height // size[1]
