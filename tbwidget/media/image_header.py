"""Format and size of an image, from its first bytes."""

from __future__ import annotations

import io
import logging
import re
from typing import NamedTuple

from tbwidget.media.suppress_warnings import suppress_warnings

# Pillow also logs what it raises about damaged images; without any handler Python would print that.
logging.getLogger("PIL").addHandler(logging.NullHandler())

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "AVIF", "JPEG2000")
"""Formats that Pillow opens by reading headers alone, without help of other programs; older versions know fewer."""

_PREFIX = 16  # bytes that Pillow tells formats apart by

_HEAD = 4096  # bytes in which an SVG must have begun
_DOCTYPE = rb"<!DOCTYPE[^>\[]*+(?>\[[^\]]*+\][^>]*+)?>"
_BEFORE = rb"(?>\xef\xbb\xbf)?\s*+(?>(?><\?.*?\?>|<!--.*?-->|%s)\s*+)*+" % _DOCTYPE  # nothing is tried twice
_SVG = re.compile(_BEFORE + rb"<(?>[\w.-]{1,64}+:)?svg(?=[\s/>])([^>]*)>", re.DOTALL)
_LENGTH = rb"""(?<![\w-])%s\s*=\s*["']\s*([0-9]{1,9})(?:\.[0-9]*)?\s*(?:px)?\s*["']"""
_WIDTH, _HEIGHT = re.compile(_LENGTH % b"width"), re.compile(_LENGTH % b"height")
_NUMBER = rb"[-+]?[0-9]{1,9}(?:\.[0-9]*)?"
_CORNER = _NUMBER + rb"[\s,]+" + _NUMBER
_VIEW_BOX = re.compile(rb"""viewBox\s*=\s*["']\s*%s[\s,]+([0-9]{1,9})[^\s,]*[\s,]+([0-9]{1,9})""" % _CORNER)


class ImageInfo(NamedTuple):
    """Format and size of an image, from its bytes."""

    format: str | None
    """Pillow's name in upper case, "SVG", or None if it is not known."""
    width: int | None
    """Pixels; None if it is not known."""
    height: int | None


UNKNOWN = ImageInfo(None, None, None)


def image_info(data: bytes) -> ImageInfo:
    """Return the format and size of an image. Decodes no pixels, and raises nothing whatever the bytes are."""
    svg = _SVG.match(data[:_HEAD])
    return _svg_look(svg.group(1)) if svg else _pillow_look(data)


def _svg_look(attributes: bytes) -> ImageInfo:
    width, height = _WIDTH.search(attributes), _HEIGHT.search(attributes)
    if width and height:
        return ImageInfo("SVG", int(width.group(1)), int(height.group(1)))
    box = _VIEW_BOX.search(attributes)
    return ImageInfo("SVG", int(box.group(1)), int(box.group(2))) if box else ImageInfo("SVG", None, None)


def _pillow_look(data: bytes) -> ImageInfo:
    from PIL import Image  # noqa: PLC0415 (not all logs have images)

    # The second imports the rarer formats, which takes 0.1 s.
    for prepare in (Image.preinit, Image.init):
        prepare()
        if (found := _opened_look(data)) is not None:
            return found
    return UNKNOWN


def _opened_look(data: bytes) -> ImageInfo | None:
    """Return the result of the first imported format that accepts the bytes."""
    from PIL import Image  # noqa: PLC0415

    for name in FORMATS:
        factory, accepts = Image.OPEN.get(name, (None, None))
        # Image.open would refuse large ones: what they decode to does not matter here.
        if factory is None or (accepts and accepts(data[:_PREFIX]) is not True):
            continue
        try:
            with suppress_warnings(), factory(io.BytesIO(data), "") as image:
                return ImageInfo(str(image.format or name), int(image.width), int(image.height))
        except Exception:  # noqa: BLE001, S112 (a parser of untrusted bytes raises what it likes)
            continue
    return None
