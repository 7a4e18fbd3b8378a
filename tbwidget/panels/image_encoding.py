"""Images on the wire: a *picture* is u32 little-endian n; n bytes of JSON in UTF-8; the encoded image to the end.

The JSON holds

- `type`: MIME type of the encoded image.
- `format`: Pillow's name of the original format, "SVG", or null if unknown.
- `width`, `height`: pixels of the original, turned as EXIF says; null if unknown.
- `size`: bytes of the original.
- `scaled`: width and height of the encoded image if it is a reduced version: scaled down, or compressed with losses.
- `animated`: whether the encoded image has several frames.
- `note`: changes to the original, for people; null if there are none.
"""

from __future__ import annotations

import json
import struct
from typing import Any

from tbwidget.media.image_header import image_info
from tbwidget.media.showable import SHOWN_TYPES, SVG_TYPE, showable

THUMBNAIL = 320
"""Pixels of the longer side of a large image when it is pushed."""

_TYPES = SHOWN_TYPES | {
    "SVG": SVG_TYPE,
    "TIFF": "image/tiff",
    "JPEG2000": "image/jp2",
    "PPM": "image/x-portable-anymap",
}


def picture(data: bytes, pixels: int | None) -> bytes:
    """Encode an image for the page, its longer side scaled down to `pixels`, or in full.

    Raises ValueError, with a text for people, if it cannot be shown.
    """
    mime, shown, name, width, height, scaled, animated, note = showable(data, pixels)
    return _packed(mime, shown, name, width, height, len(data), scaled=scaled, animated=animated, note=note)


def as_written(data: bytes) -> bytes:
    """Pack an image exactly as it was written, even in an unknown format."""
    name, width, height = image_info(data)
    mime = _TYPES.get(name or "", "application/octet-stream")
    return _packed(mime, data, name, width, height, len(data), scaled=None, animated=False, note=None)


def _packed(
    mime: str, data: bytes, name: str | None, width: int | None, height: int | None, size: int, **others: Any
) -> bytes:
    header = {"type": mime, "format": name, "width": width, "height": height, "size": size, **others}
    text = json.dumps(header).encode()
    return struct.pack("<I", len(text)) + text + data
