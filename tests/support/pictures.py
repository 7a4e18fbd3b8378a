"""Encoded images of every form, made with Pillow or by hand, and decoders for them."""

from __future__ import annotations

import io
import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def encoded(image: Image.Image, name: str, **options: Any) -> bytes:
    """Encode an image in one of Pillow's formats."""
    stream = io.BytesIO()
    image.save(stream, name, **options)
    return stream.getvalue()


def photo(width: int, height: int, mode: str = "RGB", seed: int = 0) -> Image.Image:
    """Make an image of many colors: smooth, with some noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    channels = [(x * 255 / width), (y * 255 / height), ((x + y) * 255 / (width + height))]
    noisy = np.stack(channels, axis=-1) + rng.normal(0, 8, (height, width, 3))
    return Image.fromarray(noisy.clip(0, 255).astype(np.uint8), "RGB").convert(mode)


def chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, pixels: bytes, *, depth: int = 8, color: int = 0) -> bytes:
    """Write a PNG by hand; the pixels are rows of samples, each row after its filter byte."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")


def png16(values: NDArray[np.uint16]) -> bytes:
    """Write a gray PNG of 16 bits."""
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    return png(values.shape[1], values.shape[0], rows, depth=16)


def bomb(side: int) -> bytes:
    """Return a PNG with a large number of black pixels in few bytes."""
    packer = zlib.compressobj(9)
    row = bytes((side + 7) // 8 + 1)
    data = b"".join([*(packer.compress(row) for _ in range(side)), packer.flush()])
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def taken_apart(picture: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header of a picture, and its encoded image."""
    (length,) = struct.unpack_from("<I", picture)
    return json.loads(picture[4 : 4 + length]), picture[4 + length :]


def decoded(data: bytes) -> Image.Image:
    """Return a loaded image."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image
