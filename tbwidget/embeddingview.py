"""Embeddings without a log: `show_embedding`."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from IPython.display import display

from tbwidget import dashboard
from tbwidget.logs.accessors import Logs
from tbwidget.logs.inmemory import HeldEmbedding, InMemoryEmbeddings
from tbwidget.logs.kinds.embeddings import Sprite
from tbwidget.logs.vectors import Labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.dashboard.board import Board

MAX_SPRITE_SIDE = 8192
"""Pixels of the sprite's sides; images that do not fit are made smaller."""

MAX_SPRITE_BYTES = 16_000_000
"""Bytes of the sprite as PNG; images are made smaller until it fits."""

_SAMPLE_GROUPS, _SAMPLE_IMAGES = 16, 16  # compressed to estimate the size of the sprite; images in each group
_MAX_EXCESS = 1.2  # estimate, relative to the bound, with which the sprite may still fit

_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
"""Pillow's modes by the number of channels."""


def show_embedding(array: Any, metadata: Any = None, images: Any = None, **options: Any) -> None:
    """Display vectors that are in no log in the projector.

    `array` holds n vectors of d dimensions: a numpy array, a tensor, or a list of rows, of shape [n, d].

    `metadata` says what each stands for: a list or array of n values; several columns as a pandas DataFrame, a dict of
    lists, a two-dimensional array, or a list of n tuples. Points are colored and labeled by its columns.

    `images` are n images, one for each vector: an array of shape [n, height, width] or [n, height, width, channels],
    with 1, 3 or 4 channels, which may come first, as torch has them. Values are 0 to 255, or 0 to 1 for floats. Very
    many or large ones are shown smaller.

    `options` are passed to `ProjectorView`. Running the cell again closes what it displayed before.

    Raises ValueError for shapes that do not match, TypeError for anything but arrays of numbers.

    Example:
        >>> tbwidget.show_embedding(features, metadata={"digit": labels}, images=pictures, dimensions=3)
    """
    display(embedding_view(array, metadata, images, **options))  # type: ignore[no-untyped-call]


def embedding_view(array: Any, metadata: Any = None, images: Any = None, **options: Any) -> Board:
    """The widget that `show_embedding` displays."""
    vectors = _vectors(array)
    labels = None if metadata is None else _labels(metadata, len(vectors))
    sprite = None if images is None else _sprite(images, len(vectors))
    held = InMemoryEmbeddings([HeldEmbedding("embedding", vectors, labels, sprite)])
    view: Board = dashboard.ProjectorView(Logs(held), **options)
    return view


def _array(given: Any) -> NDArray[Any]:
    """A numpy array of what may be a tensor of some framework."""
    if hasattr(given, "detach"):  # of torch: with gradients, or on another device
        given = given.detach().cpu()
    return np.asarray(given)


def _vectors(given: Any) -> NDArray[np.float32]:
    found = _array(given)
    if found.dtype.kind not in "biuf":
        raise TypeError(f"vectors are numbers, not {found.dtype}")
    if found.ndim != 2:  # noqa: PLR2004 (vectors and dimensions)
        raise ValueError(f"vectors have shape [n, d], not {list(found.shape)}")
    with np.errstate(over="ignore"):
        vectors = np.array(found, np.float32, order="C")  # a copy: the caller may change his
    vectors.flags.writeable = False
    return vectors


def _labels(given: Any, count: int) -> Labels:
    columns = _columns(given)
    for name, values in columns.items():
        if len(values) != count:
            of = f" of {name!r}" if name else ""
            raise ValueError(f"the metadata{of} have {len(values)} values for {count} vectors")
    texts = [[_text(value) for value in values] for values in columns.values()]
    if list(columns) == [""]:
        return Labels((), texts[0])
    rows: list[tuple[str, ...]] = list(zip(*texts, strict=True)) if texts else [()] * count
    return Labels(tuple(columns), rows)


def _columns(given: Any) -> dict[str, list[Any]]:
    """Columns of values by name; the name of a single one may be ""."""
    if hasattr(given, "columns") and hasattr(given, "items"):  # a frame of pandas
        names = [str(name) for name in given.columns]
        unique = [f"{name} ({place})" if name in names[:place] else name for place, name in enumerate(names)]
        return {name: list(given.iloc[:, place]) for place, name in enumerate(unique)}
    if isinstance(given, Mapping):
        return {str(name): list(_values(values)) for name, values in given.items()}
    values = list(_values(given))
    if values and all(isinstance(value, list | tuple | np.ndarray) for value in values):
        if len({len(value) for value in values}) > 1:
            raise ValueError("rows of the metadata have different lengths")
        return {f"column {place}": list(column) for place, column in enumerate(zip(*values, strict=True))}
    name = getattr(given, "name", None)  # of a series of pandas
    return {"" if name is None else str(name): values}


def _values(given: Any) -> Iterable[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"metadata are a list, an array, a dict or a DataFrame, not {type(given).__name__}")
    return _array(given) if hasattr(given, "detach") else given


def _text(value: Any) -> str:
    """A value as metadata have it; "" where it is missing."""
    if value is None or (isinstance(value, float | np.floating) and math.isnan(value)):
        return ""
    # pandas' NA and NaT are equal to nothing.
    text = str(value.item() if isinstance(value, np.generic) else value)
    return "" if text in ("<NA>", "NaT") else text


def _sprite(given: Any, count: int) -> Sprite | None:
    pixels = _pixels(_array(given), count)
    if not count or not pixels.size:
        return None
    _, height, width, _ = pixels.shape
    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns)
    step = max(1, math.ceil(columns * width / MAX_SPRITE_SIDE), math.ceil(rows * height / MAX_SPRITE_SIDE))
    sample = _sample(pixels)
    while True:
        is_smallest = step >= max(height, width)
        # Compressing all of very many images takes seconds each time.
        if len(sample) == count or is_smallest or _estimate(sample, step, count) <= MAX_SPRITE_BYTES * _MAX_EXCESS:
            tiles = _reduced(pixels, step)
            made = _png(tiles, columns)
            if is_smallest or len(made) <= MAX_SPRITE_BYTES:
                return Sprite(made, (tiles.shape[2], tiles.shape[1]))
        step += 1


def _estimate(sample: NDArray[np.uint8], step: int, count: int) -> float:
    """About how many bytes the sprite has."""
    return len(_png(_reduced(sample, step), _SAMPLE_IMAGES)) * count / len(sample)


def _sample(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Some images, in groups of neighbors, which may be alike."""
    groups = len(pixels) // _SAMPLE_IMAGES
    if groups <= _SAMPLE_GROUPS:
        return pixels
    begins = np.linspace(0, groups - 1, _SAMPLE_GROUPS).astype(np.intp) * _SAMPLE_IMAGES
    sample: NDArray[np.uint8] = pixels[(begins[:, np.newaxis] + np.arange(_SAMPLE_IMAGES)).ravel()]
    return sample


def _png(tiles: NDArray[np.uint8], columns: int) -> bytes:
    """A PNG of images, `columns` of them side by side."""
    from PIL import Image  # noqa: PLC0415 (0.1 s, and few have images)

    count, high, wide, channels = tiles.shape
    rows = math.ceil(count / columns)
    padded = np.zeros((rows * columns, high, wide, channels), np.uint8)
    padded[:count] = tiles
    grid = padded.reshape(rows, columns, high, wide, channels).swapaxes(1, 2)
    sheet = grid.reshape(rows * high, columns * wide, channels)
    made = io.BytesIO()
    Image.fromarray(sheet[:, :, 0] if channels == 1 else sheet, _MODES[channels]).save(made, "PNG")
    return made.getvalue()


def _pixels(images: NDArray[Any], count: int) -> NDArray[np.uint8]:
    """Images as uint8[n, height, width, channels]."""
    if images.ndim == 3:  # noqa: PLR2004 (without channels)
        images = images[..., np.newaxis]
    if images.ndim == 4 and images.shape[3] not in _MODES and images.shape[1] in _MODES:  # noqa: PLR2004
        images = images.transpose(0, 2, 3, 1)
    if images.ndim != 4 or images.shape[3] not in _MODES:  # noqa: PLR2004
        raise ValueError(f"images have shape [n, height, width] or [n, height, width, 1, 3 or 4], not {images.shape}")
    if len(images) != count:
        raise ValueError(f"there are {len(images)} images for {count} vectors")
    if images.dtype.kind == "f":
        images = (np.nan_to_num(np.clip(images, 0, 1)) * 255).round()
    elif images.dtype.kind == "b":
        images = images.astype(np.uint8) * 255
    elif images.dtype.kind not in "iu":
        raise TypeError(f"images are numbers, not {images.dtype}")
    pixels: NDArray[np.uint8] = np.clip(images, 0, 255).astype(np.uint8)
    return pixels


def _reduced(pixels: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Every `step`-th pixel as the mean of those around it."""
    if step == 1:
        return pixels
    count, height, width, channels = pixels.shape
    high, wide = max(1, height // step), max(1, width // step)
    down, across = min(step, height), min(step, width)
    cut = pixels[:, : high * down, : wide * across].reshape(count, high, down, wide, across, channels)
    made: NDArray[np.uint8] = cut.mean(axis=(2, 4), dtype=np.float32).round().astype(np.uint8)
    return made
