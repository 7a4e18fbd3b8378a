"""Images: v1 messages and v2 tensors alike, as the bytes that were written.

The forms are those of tensorboard/data_compat.py (v1 to v2) and plugins/image/summary_v2.py: strings
`[width, height, sample, sample, ...]`. The width and height written are not trusted; the bytes tell.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.samples import Sample, SampleSequence
from tbwidget.records.arrays import TensorError

if TYPE_CHECKING:
    from tbwidget.logs.items import Items
    from tbwidget.proto.summary_pb2 import Summary

HEADER = 2
"""Strings before the samples: width and height."""

# What Pillow opens by reading headers alone, without help of other programs.
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "AVIF")
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


class Look(NamedTuple):
    """What the bytes of an image say about it."""

    format: str | None
    """Pillow's name in upper case, "SVG", or None if it is not known."""
    width: int | None
    """Pixels; None if it is not known."""
    height: int | None


_UNKNOWN = Look(None, None, None)


def look(data: bytes) -> Look:
    """What kind of image this is and how large. Decodes no pixels, and raises nothing whatever the bytes are."""
    svg = _SVG.match(data[:_HEAD])
    return _svg_look(svg.group(1)) if svg else _pillow_look(data)


def _svg_look(attributes: bytes) -> Look:
    width, height = _WIDTH.search(attributes), _HEIGHT.search(attributes)
    if width and height:
        return Look("SVG", int(width.group(1)), int(height.group(1)))
    box = _VIEW_BOX.search(attributes)
    return Look("SVG", int(box.group(1)), int(box.group(2))) if box else Look("SVG", None, None)


def _pillow_look(data: bytes) -> Look:
    from PIL import Image  # noqa: PLC0415 (0.1 s, and not all logs have images)

    Image.init()
    for name in _FORMATS:
        factory, accepts = Image.OPEN.get(name, (None, None))
        # Image.open would refuse large ones: what they decode to does not matter here.
        if factory is None or (accepts and accepts(data[:_PREFIX]) is not True):
            continue
        try:
            with factory(io.BytesIO(data), "") as image:
                return Look(str(image.format or name), int(image.width), int(image.height))
        except Exception:  # noqa: BLE001, S112 (a parser of untrusted bytes raises what it likes)
            continue
    return _UNKNOWN


class Image(Sample[bytes]):
    """One image; its bytes are read when they, or what they tell, are asked for: ValueError if they are not true."""

    __slots__ = ("_look",)
    _look: Look

    @property
    def data(self) -> bytes:
        """The encoded image, as written; empty if it was so."""
        return self._read()

    @property
    def format(self) -> str | None:
        """Pillow's name in upper case, "SVG", or None if it is not known; from the bytes, as width and height."""
        return self._looked().format

    @property
    def width(self) -> int | None:
        """Pixels; None if the bytes do not tell."""
        return self._looked().width

    @property
    def height(self) -> int | None:
        """Pixels; None if the bytes do not tell."""
        return self._looked().height

    def _looked(self) -> Look:
        try:
            return self._look
        except AttributeError:
            self._look = look(self.data)
            return self._look

    def __repr__(self) -> str:
        """Name step and sample; reads nothing."""
        return f"Image(step {self.step}, sample {self.sample})"


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """What the bytes of n images say; None where they do not tell, and for images that cannot be read."""

    format: list[str | None]
    width: list[int | None]
    height: list[int | None]
    bytes: list[int | None]
    """How many there are."""


class Images(SampleSequence[Image, bytes]):
    """The images of one tag of one run, n of them, by step then sample; with `superseded` in the order written.

    Elements read nothing until a property is asked for. An animation is one image.
    """

    _element = Image

    def __init__(self, items: Items, *, by_step: bool) -> None:
        super().__init__(items, _counts(items), _part, by_step=by_step)

    def sizes(self) -> Sizes:
        """Format, width and height of all images: reads every value once, many at once."""
        looks = [_UNKNOWN] * len(self)
        lengths: list[int | None] = [None] * len(self)
        for place, data in self._parts():
            looks[place], lengths[place] = look(data), len(data)
        return Sizes(
            [each.format for each in looks],
            [each.width for each in looks],
            [each.height for each in looks],
            lengths,
        )


def _counts(items: Items) -> npt.NDArray[np.int64]:
    # A tensor has at least the two strings of its header.
    return np.where(items.samples > 1, items.samples - HEADER, items.samples)


def _part(value: Summary.Value, sample: int) -> bytes:
    if value.HasField("image"):
        return value.image.encoded_image_string
    strings = value.tensor.string_val
    if not strings:
        raise TensorError("a tensor without strings where images are wanted")
    return strings[min(HEADER + sample, len(strings) - 1)]
