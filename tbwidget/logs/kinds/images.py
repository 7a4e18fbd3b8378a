"""Images: v1 messages and v2 tensors alike, as the bytes that were written.

The forms follow tensorboard/data_compat.py (v1 to v2) and plugins/image/summary_v2.py: strings
`[width, height, sample, sample, ...]`. The width and height written are not trusted: they are read from the bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tbwidget.logs.display import image_bundle, strip
from tbwidget.logs.kinds.declare import Kind, Table
from tbwidget.logs.sequences import Sample, SampleSequence
from tbwidget.media.image_header import UNKNOWN, ImageInfo, image_info
from tbwidget.media.pixels import to_numpy, to_pil
from tbwidget.reasons import Reason
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import TensorError

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

    from tbwidget.logs.items import Items
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary

HEADER = 2
"""Strings before the samples: width and height."""

MAX_SHOWN = 16
"""Images that a cell's result shows."""


class Image(Sample[bytes]):
    """One image; its bytes are read when they, or size and format, are asked for: ValueError if they are damaged."""

    __slots__ = ("_info",)
    _info: ImageInfo

    @property
    def data(self) -> bytes:
        """The encoded image, as written; empty if it was so."""
        return self._read()

    @property
    def format(self) -> str | None:
        """Pillow's name in upper case, "SVG", or None if it is not known; from the bytes, as width and height."""
        return self._read_info().format

    @property
    def width(self) -> int | None:
        """Pixels; None if the bytes are of no known format."""
        return self._read_info().width

    @property
    def height(self) -> int | None:
        """Pixels; None if the bytes are of no known format."""
        return self._read_info().height

    def _read_info(self) -> ImageInfo:
        try:
            return self._info
        except AttributeError:
            self._info = image_info(self.data)
            return self._info

    def to_numpy(self) -> npt.NDArray[Any]:
        """The pixels: height x width, and x channels unless it is gray; turned by its EXIF orientation.

        They are uint8, or uint16 where a gray image has 16 bits, and int32 or float32 of rare TIFF files. Colors are
        RGB, also from a palette; with alpha it is RGBA, or two channels where it is gray. An animation gives its first
        frame. Raises ValueError for drawings, and for bytes that are damaged, no image, or too large: more than 64
        million pixels, fewer in formats that take much memory.
        """
        return to_numpy(self.data)

    def to_pil(self) -> PillowImage:
        """The image as Pillow has it, in the mode in which it was written; raises ValueError as `to_numpy` does."""
        return to_pil(self.data)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show itself as a cell's result."""
        return image_bundle(self)

    def __repr__(self) -> str:
        """Name step and sample; reads nothing."""
        return f"Image(step {self.step}, sample {self.sample})"


class Images(SampleSequence[Image, bytes]):
    """The images of one tag of one run, n of them, by step then sample; with `superseded` in the order written.

    Elements read nothing until a property is asked for. An animation is one image.
    """

    _element = Image

    def __init__(self, items: Items, *, by_step: bool) -> None:
        super().__init__(items, _counts(items), _part, by_step=by_step)

    def _repr_html_(self) -> str:
        """Show the images of the newest step as a cell's result."""
        newest = np.flatnonzero(self.step == self.step[-1])[:MAX_SHOWN].tolist() if len(self) else []
        return strip(repr(self), map(self._at, newest))

    def sizes(self) -> tuple[list[ImageInfo], list[int | None]]:
        """Format, width and height of all images, and how many bytes they have: reads every value once, many at once.

        None where the format is unknown, and for images that cannot be read.
        """
        infos = [UNKNOWN] * len(self)
        lengths: list[int | None] = [None] * len(self)
        for place, data in self._parts():
            infos[place], lengths[place] = image_info(data), len(data)
        return infos, lengths


def _counts(items: Items) -> npt.NDArray[np.int64]:
    # A tensor has at least the two strings of its header.
    return np.where(items.samples > 1, items.samples - HEADER, items.samples)


def _part(value: Summary.Value, sample: int) -> bytes:
    if value.HasField("image"):
        return value.image.encoded_image_string
    strings = value.tensor.string_val
    if not strings:
        raise TensorError(Reason("images-expected"))
    return strings[min(HEADER + sample, len(strings) - 1)]


def _table(images: Images) -> dict[str, Any]:
    infos, lengths = images.sizes()
    return {
        "step": images.step,
        "wall_time": images.wall_time,
        "sample": images.sample,
        **{name: [getattr(each, name) for each in infos] for name in ("format", "width", "height")},
        "bytes": lengths,
    }


def images(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> Images:
    """Return the images of a tag, by step, then by sample.

    With `superseded`, return all images in the order written, those that a restart wrote again included.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.images("run1", "samples")[-1].to_pil()
    """
    return Images(source.items(run, tag, KIND.name, superseded=superseded), by_step=not superseded)


KIND = Kind(
    "images",
    plugins=("images",),
    forms=frozenset({forms.IMAGE, forms.TWO_STRINGS}),
    table=Table(_table, {"sample": np.int64, "format": object, "width": "Int64", "height": "Int64", "bytes": "Int64"}),
)
