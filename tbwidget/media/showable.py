"""Images as browsers show them: as they were written where they can, else scaled or converted.

An image that cannot be shown raises ValueError with a short text for people.
"""

from __future__ import annotations

import io
import math
import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tbwidget.media.image_header import ImageInfo, image_info
from tbwidget.media.pixels import (
    MAX_PIXELS,
    bands,
    check_size,
    deep_type,
    is_transparent,
    opened,
    orientation,
    turned,
    turned_size,
)
from tbwidget.media.svg import check_svg
from tbwidget.reasons import Reason

if TYPE_CHECKING:
    from PIL.Image import Image

AS_WRITTEN_BYTES = 64_000
"""A smaller image stays as written, where browsers can show it."""

AS_WRITTEN_PIXELS = 4_194_304
"""And has no more pixels: a few bytes may decode to very many."""

ANIMATION_BYTES = 1_000_000
"""Animations that are larger are shown as their first frame, unless they are wanted in full."""

SVG_BYTES = 256_000
"""Drawings that are larger are not shown: they may keep a page busy for very long."""

SHOWN_TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",  # of cameras: a JPEG with others behind it, which browsers pass over
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "BMP": "image/bmp",
    "AVIF": "image/avif",
}
"""MIME types of what browsers show, but for drawings."""

SVG_TYPE = "image/svg+xml"

_DEFAULT_SVG = (300, 150)  # what browsers take for one that names no size
_SIXTEEN_BITS = {"bits": 16, "low": 0, "high": 65_535}
_FEW_COLORS = 64  # as masks and drawings have
_MAX_FRAMES = 1000  # that are counted
_MAX_PROFILE_BYTES = 8_000  # bytes of a color profile that stays with a scaled image
_QUALITY, _FINE_QUALITY = 85, 92
_LARGE = 4_194_304  # pixels above which one image at a time is in memory
_one_large = threading.Lock()


class Showable(NamedTuple):
    """An encoded image that browsers show."""

    mime: str
    data: bytes
    format: str
    """Pillow's name of the format written, or "SVG"."""
    width: int
    """Pixels of the image as written, turned by the EXIF orientation."""
    height: int
    scaled: tuple[int, int] | None = None
    """Pixels of `data` where it is a reduced version: scaled down, or compressed with losses."""
    animated: bool = False
    """`data` has several frames."""
    notes: tuple[Reason, ...] = ()
    """Changes to the image."""


def showable(data: bytes, pixels: int | None) -> Showable:
    """An image as it is shown within this many pixels (of its longer side; nothing is enlarged), or in full.

    Raises ValueError, with a text for people, where it cannot be shown.
    """
    found = image_info(data)
    if found.format == "SVG":
        return _drawing(data, found)
    with opened(data) as image:
        large = image.width * image.height > _LARGE
        with _one_large if large else nullcontext():
            return _raster(data, image, pixels)


def _drawing(data: bytes, found: ImageInfo) -> Showable:
    if len(data) > SVG_BYTES:
        raise ValueError(Reason("svg-size", bytes=len(data), most=SVG_BYTES))
    width, height = (found.width, found.height) if found.width and found.height else _DEFAULT_SVG
    check_size(width, height, found.format)
    check_svg(data, width, height)
    return Showable(SVG_TYPE, data, "SVG", width, height)


def _raster(data: bytes, image: Image, pixels: int | None) -> Showable:
    """An image that Pillow has opened."""
    name, how = str(image.format), orientation(image)
    width, height = turned_size(image)
    frames = _frame_count(data, image)
    notes = _notes(data, image)
    # All browsers apply the EXIF orientation of a JPEG.
    can = name in SHOWN_TYPES and image.mode != "CMYK" and (how == 1 or SHOWN_TYPES[name] == "image/jpeg")
    fits = pixels is None or max(width, height) <= pixels
    written = Showable(SHOWN_TYPES.get(name, ""), data, name, width, height, notes=tuple(notes))
    if can and frames == 1:
        is_small = len(data) <= AS_WRITTEN_BYTES and width * height <= AS_WRITTEN_PIXELS
        if pixels is None or is_small:
            return written
    elif can and frames * width * height <= MAX_PIXELS and (pixels is None or len(data) <= ANIMATION_BYTES):
        return written._replace(animated=True)
    if frames > 1:
        notes.append(Reason("image-frames", frames=frames))
    reduced, mime, size, exact = _reduced(image, how, pixels, notes)
    if can and fits and frames == 1 and len(data) <= len(reduced):
        return written
    scaled = None if exact and size == (width, height) else size
    return Showable(mime, reduced, name, width, height, scaled, notes=tuple(notes))


def _frame_count(data: bytes, image: Image) -> int:
    """Frames of an animation; 1 of all else."""
    if image.format not in SHOWN_TYPES or image.format == "MPO":
        return 1
    # To count the frames of a GIF is to walk through it; of very many, what looks like their beginnings is counted.
    many = data.count(b"\x00,") if image.format == "GIF" else 0
    return many if many > _MAX_FRAMES else int(getattr(image, "n_frames", 1))


def _notes(data: bytes, image: Image) -> list[Reason]:
    """Changes that people should know about; more is added as it is converted."""
    found = [] if image.format in SHOWN_TYPES else [Reason("image-converted", format=image.format)]
    if image.mode == "CMYK":
        found.append(Reason("image-cmyk"))
    if image.format == "PNG" and data[24:25] == b"\x10":  # bits a channel
        found.append(Reason("image-bits", **_SIXTEEN_BITS))
    if image.format == "TIFF" and _has_pages(image):
        found.append(Reason("image-pages"))
    return found


def _has_pages(image: Image) -> bool:
    """Whether a TIFF has another page. To count them is to walk through them."""
    from PIL.TiffImagePlugin import TiffImageFile  # noqa: PLC0415 (only of those)

    return isinstance(image, TiffImageFile) and bool(image.tag_v2.next)


class _Encoded(NamedTuple):
    data: bytes
    mime: str
    size: tuple[int, int]
    exact: bool
    """Its pixels are the image's."""


def _reduced(image: Image, how: int, pixels: int | None, notes: list[Reason]) -> _Encoded:
    """An image in a form that browsers show, no larger than this; notes say what that changed."""
    from PIL import Image as Pillow  # noqa: PLC0415
    from PIL import features  # noqa: PLC0415

    profile = image.info.get("icc_profile") if image.mode in {"RGB", "RGBA", "L", "LA"} else None
    profile = profile if isinstance(profile, bytes) and len(profile) <= _MAX_PROFILE_BYTES else None
    image = _eight_bits(image, notes)
    mask = _is_mask(image)
    # A JPEG is converted when it is small.
    keeps = {"1", "L", "LA", "P", "RGB", "RGBA"} if mask else {"CMYK", "L", "RGB", "RGBA", "YCbCr"}
    if image.mode not in keeps or (not mask and is_transparent(image) and image.mode != "RGBA"):
        image = image.convert("RGBA" if is_transparent(image) else "RGB")
    before = image.size
    if pixels is not None:
        # This decodes only a part of a JPEG.
        image.thumbnail((pixels, pixels), Pillow.Resampling.NEAREST if mask else Pillow.Resampling.BICUBIC)
    else:
        image.load()
    scaled = image.size != before
    image = turned(image, how)
    if mask:
        return _encoded(image, "PNG", exact=not scaled)
    is_opaque = image.mode == "RGBA" and image.getchannel("A").getextrema()[0] == 255  # noqa: PLR2004 (no other value)
    if is_opaque or image.mode not in {"L", "RGB", "RGBA"}:
        image = image.convert("RGB")
    area = image.width * image.height
    is_small = area * len(image.getbands()) <= AS_WRITTEN_BYTES
    if not scaled and (is_small or (pixels is None and area <= AS_WRITTEN_PIXELS)):
        return _encoded(image, "PNG", exact=True, compress_level=1, icc_profile=profile)
    quality = _QUALITY if pixels is not None else _FINE_QUALITY
    if image.mode == "RGBA":
        name = "WEBP" if features.check("webp") else "PNG"
        return _encoded(image, name, exact=False, quality=quality, method=0, icc_profile=profile)
    return _encoded(image, "JPEG", exact=False, quality=quality, icc_profile=profile)


def _encoded(image: Image, name: str, *, exact: bool, **options: Any) -> _Encoded:
    stream = io.BytesIO()
    # Without what Pillow would take along: texts, and an orientation that was heeded.
    for key in set(image.info) - {"transparency"}:
        del image.info[key]
    image.save(stream, name, **{key: value for key, value in options.items() if value is not None})
    return _Encoded(stream.getvalue(), SHOWN_TYPES[name], image.size, exact)


def _is_mask(image: Image) -> bool:
    """Whether its colors are names of things, which are not to be mixed."""
    if image.format in {"JPEG", "MPO"}:
        return False
    if image.mode == "1" or (image.mode == "P" and image.format != "GIF"):
        return True
    return image.getcolors(_FEW_COLORS) is not None


def _eight_bits(image: Image, notes: list[Reason]) -> Image:
    """Gray of more than eight bits in eight: 16 bits by their range, all others by the values that there are."""
    from PIL import Image as Pillow  # noqa: PLC0415

    dtype = deep_type(image)
    if dtype is None:
        return image
    shades = np.empty((image.height, image.width), np.uint8)
    if dtype is np.uint16:
        # The high byte, as browsers show it.
        for rows, deep in bands(image, dtype):
            np.right_shift(deep, 8, out=shades[rows], casting="unsafe")
        note = Reason("image-bits", **_SIXTEEN_BITS)
        if note not in notes:
            notes.append(note)
        return Pillow.fromarray(shades)
    low, high = _range(image, dtype)
    shown = {"low": low, "high": high}
    notes.append(Reason("image-float", **shown) if dtype is np.float32 else Reason("image-bits", bits=32, **shown))
    scale = np.float32(255 / (high - low) if high > low else 0)
    for rows, deep in bands(image, dtype):
        with np.errstate(invalid="ignore", over="ignore"):
            values = (deep.astype(np.float32, copy=False) - np.float32(low)) * scale
        np.nan_to_num(values, copy=False, posinf=255, neginf=0)
        shades[rows] = np.rint(values, out=values).clip(0, 255, out=values)
    return Pillow.fromarray(shades)


def _range(image: Image, dtype: type[np.generic]) -> tuple[float, float]:
    """The least and the greatest value that is a number; 0 and 0 where there is none."""
    low, high = math.inf, -math.inf
    for _, deep in bands(image, dtype):
        finite = deep[np.isfinite(deep)]
        if finite.size:
            low, high = min(low, float(finite.min())), max(high, float(finite.max()))
    return (low, high) if low <= high else (0.0, 0.0)
