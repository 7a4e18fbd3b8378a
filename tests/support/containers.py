"""Reads what `tbwidget.panels.graph_columns.container` writes."""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Container(NamedTuple):
    """A header and columns by name."""

    header: dict[str, Any]
    columns: dict[str, NDArray[Any]]


def read_container(data: bytes) -> Container:
    """Decode a container; raises AssertionError if its format is wrong."""
    content = zlib.decompress(data)
    end = 4 + int.from_bytes(content[:4], "little")
    header = json.loads(content[4:end])
    columns = {}
    for name, (kind, count) in header["columns"].items():
        begin = -(-end // 8) * 8
        assert not any(content[end:begin])
        assert kind in ("u1", "i4", "f8")
        columns[name] = np.frombuffer(content, f"<{kind}", count, begin)
        end = begin + columns[name].nbytes
    assert len(content) == -(-end // 8) * 8
    return Container(header, columns)
