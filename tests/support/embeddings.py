"""Blobs of embeddings, read as a browser reads them."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np


def unpacked(blob: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header of a blob, and the bytes after it."""
    (length,) = struct.unpack_from("<I", blob)
    assert (4 + length) % 8 == 0
    return json.loads(blob[4 : 4 + length].decode("ascii")), blob[4 + length :]


def array(body: bytes, kind: str, offset: int, *shape: int) -> Any:
    """Return an array of a blob."""
    assert offset % 8 == 0
    return np.frombuffer(body, kind, int(np.prod(shape)), offset).reshape(shape)


def cells(header: dict[str, Any], body: bytes) -> dict[str, list[Any]]:
    """Return the columns of points by name."""
    found: dict[str, list[Any]] = {}
    for column in header["columns"]:
        if column["sort"] == "number":
            found[column["name"]] = array(body, "<f8", column["offset"], header["points"]).tolist()
        else:
            codes = array(body, "<u4", column["offset"], header["points"])
            found[column["name"]] = [column["values"][code] for code in codes]
    return found
