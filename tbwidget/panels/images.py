"""The images panel: an index of all images, pictures of the newest and some older ones, and any other on request.

A blob is a *picture*: u32 little-endian n; n bytes of JSON in UTF-8; the encoded image to the end. The JSON holds

- `type`: MIME type of the encoded image.
- `format`: Pillow's name of the original format, "SVG", or null if unknown.
- `width`, `height`: pixels of the original, turned as EXIF says; null if unknown.
- `size`: bytes of the original.
- `scaled`: width and height of the encoded image if it is a reduced version: scaled down, or compressed with losses.
- `animated`: whether the encoded image has several frames.
- `notes`: reasons: changes to the original.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from tbwidget.media.image_header import image_info
from tbwidget.media.pixels import MAX_SIDE
from tbwidget.media.showable import SHOWN_TYPES, SVG_TYPE, showable
from tbwidget.options.common import NamedRangeOptions, TimeAxisOptions
from tbwidget.options.traits import Number, option
from tbwidget.panels.answer_list import Entry, answer_list, sized
from tbwidget.panels.declare import Panel
from tbwidget.reasons import Reason, plain_reason
from tbwidget.wire.content import Answer, ItemsContent, Refusal, from_wire_names
from tbwidget.wire.message import wire_reason

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.images import Images
    from tbwidget.wire.columns import Columns


ANSWER_BYTES = 8_000_000
"""Size at which an answer is full; the browser asks again for the rest."""

MAX_IMAGE_BYTES = 64_000_000
"""Upper bound for one image that is sent."""

SLOW_PIXELS = 1_000_000
"""Larger images are scaled in the background, because that takes 30 ms a million pixels."""

SLOW_SVG_BYTES = 16_000
"""The drawing cost of a larger SVG is estimated in the background, because that takes up to 0.1 s."""

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
    mime, shown, name, width, height, scaled, animated, notes = showable(data, pixels)
    return _packed(mime, shown, name, width, height, len(data), scaled=scaled, animated=animated, notes=notes)


def as_written(data: bytes) -> bytes:
    """Pack an image exactly as it was written, even in an unknown format."""
    name, width, height = image_info(data)
    mime = _TYPES.get(name or "", "application/octet-stream")
    return _packed(mime, data, name, width, height, len(data), scaled=None, animated=False)


def _packed(
    mime: str,
    data: bytes,
    name: str | None,
    width: int | None,
    height: int | None,
    size: int,
    *,
    scaled: tuple[int, int] | None,
    animated: bool,
    notes: Iterable[Reason] = (),
) -> bytes:
    header = {
        "type": mime,
        "format": name,
        "width": width,
        "height": height,
        "size": size,
        "scaled": scaled,
        "animated": animated,
        "notes": [wire_reason(note) for note in notes],
    }
    text = json.dumps(header).encode()
    return struct.pack("<I", len(text)) + text + data


class ImagesContent(ItemsContent):
    """All images of a tag, by step, then sample. The blob behind a row is a picture."""

    kind = "images"
    prefetch_bytes = 32_000_000

    def read(self, logs: Logs, run: str, tag: str) -> Images:
        """Return the images, without reading their bytes."""
        return logs.images(run, tag)

    def entry(self, index: Images, rows: slice, columns: Columns) -> dict[str, Any]:
        """Add `sample`: the index of each image within its value."""
        return {"sample": columns.add_counts(index.sample[rows])}

    def blob(self, index: Images, row: int) -> bytes | Callable[[], bytes]:
        """Encode the picture of a row in the size in which it is pushed."""
        try:
            data = index[row].data
        except ValueError as error:
            raise Refusal(plain_reason(error)) from error
        name, width, height = image_info(data)
        # The background task reads the bytes again, so that waiting images take no memory.
        if (width or 0) * (height or 0) > SLOW_PIXELS or (name == "SVG" and len(data) > SLOW_SVG_BYTES):
            return lambda: _thumbnail(index[row].data)
        return _thumbnail(data)


def _thumbnail(data: bytes) -> bytes:
    try:
        return picture(data, THUMBNAIL)
    except ValueError as error:
        raise Refusal(plain_reason(error)) from error


def pictures(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with pictures of images, of any size.

    `images`: a list of [run, tag, step as decimal text, sample, wall time]. `pixels`: upper bound for the longer side;
    null for full size. `written`: send the bytes exactly as written. The answer is a list, see `answer_list`.
    """
    wanted, pixels, written = args.get("images"), args.get("pixels"), args.get("written", False)
    if not isinstance(wanted, list) or not (pixels is None or (type(pixels) in {int, float} and pixels >= 1)):
        raise Refusal(Reason("malformed-request", expected="a list of images, and pixels as a number or null"))
    most = None if pixels is None else int(min(pixels, MAX_SIDE))
    read: dict[tuple[str, str], Images] = {}

    def encode(image: object, _room: int) -> Entry:
        data = _requested(logs, read, image)
        return sized(as_written(data) if written else picture(data, most))

    return answer_list(wanted, encode, is_cancelled, ANSWER_BYTES)


def _requested(logs: Logs, read: dict[tuple[str, str], Images], image: object) -> bytes:
    """Read the bytes of a requested image. Raises KeyError or ValueError if there is none."""
    match image:
        case [str(run), str(tag), str(step), int(sample), int() | float() as wall]:
            pass
        case _:
            raise ValueError(Reason("malformed-request", expected="run, tag, step, sample and wall time"))
    images = read.get((run, tag))
    if images is None:
        images = read[run, tag] = logs.images(*from_wire_names(logs, "images", run, tag))
    rows = np.flatnonzero((images.step == int(step)) & (images.sample == sample))
    if not len(rows):
        raise ValueError(Reason("image-gone"))
    # A step may be written several times, and wall times travel rounded.
    apart = np.nan_to_num(np.abs(images.wall_time[rows] - wall), nan=np.inf)
    data = images[int(rows[np.argmin(apart)])].data
    if len(data) > MAX_IMAGE_BYTES:
        raise ValueError(Reason("too-large-to-send", bytes=len(data), call="logs.images(…)"))
    return data


class ImagesOptions(traitlets.HasTraits):
    """Options of images alone."""

    image_size = option(
        traitlets.Int(160, min=32, max=1024),
        """Longer side of an image in CSS pixels. Type: int from 32 to 1024. Default: 160.""",
    )
    actual_size = option(
        traitlets.Bool(default_value=False),
        """Show each image pixel as one screen pixel; `image_size` has no effect then. Type: bool. Default: False.""",
    )
    pixelated = option(
        traitlets.Bool(default_value=True),
        """Show the pixels of enlarged images as squares, not smoothed. Type: bool. Default: True.""",
    )
    brightness = option(
        Number(1.0, min=0.0, max=4.0),
        """Factor for the values of all images, applied after `contrast`. Type: float from 0 to 4. Default: 1.""",
    )
    contrast = option(
        Number(1.0, min=0.0, max=4.0),
        """Factor for the distance of all values of images from middle gray. Type: float from 0 to 4. Default: 1.""",
    )


PANEL = Panel(
    name="images",
    contents=(ImagesContent(),),
    options=(TimeAxisOptions, NamedRangeOptions, ImagesOptions),
    view="ImagesView",
    view_doc="The images of a log directory, every step of them, and nothing else.",
    requests={"pictures": pictures},
)
