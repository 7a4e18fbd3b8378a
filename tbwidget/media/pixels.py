"""Pixels of images: decoded within limits, turned as they are to be shown, as Pillow or numpy have them.

The header tells format and size before anything is decoded; too large images never are.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.media.image_header import FORMATS, image_info
from tbwidget.media.suppress_warnings import suppress_warnings
from tbwidget.reasons import Reason

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

MAX_PIXELS = 64_000_000
"""Upper bound for the pixels of an image that is decoded."""

MAX_SIDE = 16_384
"""Pixels of an image's width and height at most; browsers draw nothing larger either."""

_ORIENTATION = 0x0112  # of EXIF
_SWAPPED = 5  # orientations from here on exchange width and height
_BAND_PIXELS = 1_000_000
_DEEP = ("PNG", "PPM")  # older versions of Pillow have 16 bits of these as 32


MAX_PIXELS_OF_FORMAT = {"WEBP": 17_000_000, "JPEG2000": 10_000_000, "TIFF": 24_000_000}
"""Pixels of formats that take several times as much memory while they are decoded."""


def check_size(width: int, height: int, name: str | None) -> None:
    """Raise ValueError, in words for people, for an image too large to be decoded. `name` is its format's."""
    most = MAX_PIXELS_OF_FORMAT.get(name or "", MAX_PIXELS)
    if width * height > most:
        raise ValueError(Reason("image-pixels", width=width, height=height, most=most // 1_000_000))
    if max(width, height) > MAX_SIDE:
        raise ValueError(Reason("image-side", width=width, height=height, most=MAX_SIDE))


@contextmanager
def opened(data: bytes) -> Iterator[Image]:
    """An image whose header was read; its pixels are decoded when they are used.

    Raises ValueError, in words for people, where it is none, too large, or turns out to be damaged inside the context.
    """
    if not data:
        raise ValueError(Reason("image-empty"))
    found = image_info(data)
    if found.format == "SVG":
        raise ValueError(Reason("image-vector"))
    if found.width is None or found.height is None:
        raise ValueError(Reason("image-format", bytes=len(data)))
    check_size(found.width, found.height, found.format)
    from PIL import Image as Pillow  # noqa: PLC0415 (0.1 s, and not all logs have images)

    formats = [name for name in FORMATS if name in Pillow.OPEN]
    with _broken_said(), suppress_warnings(), Pillow.open(io.BytesIO(data), formats=formats) as image:
        if image.format == "TIFF":
            image.load()  # which turns it
        yield image


@contextmanager
def _broken_said() -> Iterator[None]:
    """A context in which whatever a decoder of untrusted bytes raises becomes a ValueError in words for people."""
    try:
        yield
    except MemoryError as error:
        raise ValueError(Reason("image-memory")) from error
    except Exception as error:
        raise ValueError(Reason("image-broken", detail=str(error) or type(error).__name__)) from error


def orientation(image: Image) -> int:
    """The EXIF orientation of what `opened` gave: 1 (not turned) to 8."""
    from PIL import Image as Pillow  # noqa: PLC0415

    if image.format == "TIFF" or "exif" not in image.info:
        return 1
    # Not `getexif`, which decodes a PNG and believes XMP, too; browsers do not.
    exif = Pillow.Exif()
    try:
        exif.load(image.info["exif"])
        value = exif.get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001 (a parser of untrusted bytes raises what it likes)
        return 1
    return value if value in range(1, 9) else 1


def turned_size(image: Image) -> tuple[int, int]:
    """Width and height as it is to be shown."""
    width, height = image.size
    return (height, width) if orientation(image) >= _SWAPPED else (width, height)


def turned(image: Image, how: int) -> Image:
    """The image in an orientation of EXIF."""
    from PIL.Image import Transpose  # noqa: PLC0415

    ways = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return image.transpose(ways[how]) if how in ways else image


def is_transparent(image: Image) -> bool:
    """Whether it has transparency of any form, used or not."""
    return image.mode in {"LA", "La", "PA", "RGBA", "RGBa"} or "transparency" in image.info


def deep_type(image: Image) -> type[np.generic] | None:
    """The type of the values of an image whose pixels are larger than a byte; None of all others."""
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format in _DEEP):
        return np.uint16
    if image.mode == "I":
        return np.int32
    return np.float32 if image.mode == "F" else None


def bands(image: Image, dtype: type[np.generic]) -> Iterator[tuple[slice, NDArray[Any]]]:
    """The values of an image, some of its rows at a time: all of them would take several times its memory."""
    rows = max(1, _BAND_PIXELS // image.width)
    for top in range(0, image.height, rows):
        bottom = min(image.height, top + rows)
        yield slice(top, bottom), np.asarray(image.crop((0, top, image.width, bottom))).astype(dtype, copy=False)


def to_pil(data: bytes) -> Image:
    """The image as Pillow has it, decoded and turned; of an animation the first frame. Raises ValueError."""
    with opened(data) as image:
        how = orientation(image)
        image.load()
        found = turned(image, how) if how > 1 else image.copy()
        # A copy has no format, and must not be turned again.
        found.info.pop("exif", None)
        return found


def to_numpy(data: bytes) -> NDArray[Any]:
    """Decode the pixels: height x width, and x channels unless it is gray. Raises ValueError.

    They are uint8; uint16 for gray images of 16 bits; int32 or float32 for rare TIFF files. Palettes are resolved:
    colors are RGB, or RGBA with alpha. Gray with alpha has two channels.
    """
    with opened(data) as image:
        how = orientation(image)
        dtype = deep_type(image)
        if dtype is not None:
            deep = np.asarray(image).astype(dtype)
            from PIL import Image as Pillow  # noqa: PLC0415

            if how > 1:
                deep = np.asarray(turned(Pillow.fromarray(deep), how)).astype(deep.dtype)
            return deep
        return np.array(turned(image.convert(_plain_mode(image)), how))


def _plain_mode(image: Image) -> str:
    """The mode of eight bits a channel that loses nothing of the image but depth."""
    alpha = is_transparent(image)
    if image.mode in {"1", "L", "LA", "La"}:
        return "LA" if alpha else "L"
    return "RGBA" if alpha else "RGB"
