"""Event files made by hand: framed records of our own messages, intact, incomplete or damaged."""

from __future__ import annotations

import math
import struct
from pathlib import Path

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.event_pb2 import Event, SessionLog
from tbwidget.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tbwidget.records.files.checksums import masked_checksum

NAME = "events.out.tfevents.1700000000.host"


def record(data: bytes) -> bytes:
    """Frame the data of a record."""
    header = struct.pack("<Q", len(data))
    return b"".join(
        (header, struct.pack("<I", masked_checksum(header)), data, struct.pack("<I", masked_checksum(data)))
    )


def event(wall_time: float, step: int = 0, *values: Summary.Value, version: str = "", start: bool = False) -> bytes:
    """Frame an event: of values, of a file version, or a SessionLog START."""
    made = Event(wall_time=wall_time, step=step)
    if values:
        made.summary.value.extend(values)
    if version:
        made.file_version = version.encode()
    if start:
        made.session_log.status = SessionLog.START
    return record(made.SerializeToString())


def name(text: str) -> bytes:
    """Return the bytes of a name in a file; surrogates become arbitrary bytes."""
    return text.encode("utf-8", "surrogateescape")


def simple(tag: str, value: float, metadata: SummaryMetadata | None = None) -> Summary.Value:
    """Make a scalar as TF1, torch and tensorboardX write it."""
    return Summary.Value(tag=name(tag), simple_value=value, metadata=metadata)


def histogram(tag: str, limits: list[float], counts: list[float], least: float = 0, **moments: float) -> Summary.Value:
    """Make a histogram as TF1, torch and tensorboardX write it: the upper limits, and the first lower one."""
    made = HistogramProto(min=least, max=limits[-1], bucket_limit=limits, bucket=counts, **moments)
    return Summary.Value(tag=name(tag), histo=made)


def plugin(name: str, display_name: str = "", description: str = "") -> SummaryMetadata:
    """Make metadata with the name of a plugin."""
    return SummaryMetadata(
        plugin_data=SummaryMetadata.PluginData(plugin_name=name.encode()),
        display_name=display_name.encode(),
        summary_description=description.encode(),
    )


def numbers(tag: str, metadata: SummaryMetadata | None, *shape: int, value: float = 0.5) -> Summary.Value:
    """Make a tensor of this shape, filled with one number."""
    tensor = pb.TensorProto(
        dtype=pb.DT_FLOAT,
        tensor_shape=pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in shape]),
        tensor_content=struct.pack("<f", value) * math.prod(shape),
    )
    return Summary.Value(tag=name(tag), metadata=metadata, tensor=tensor)


def strings(
    tag: str, metadata: SummaryMetadata | None, *values: bytes, shape: tuple[int, ...] | None = None
) -> Summary.Value:
    """Make a tensor of strings: a list of them, unless another shape is given."""
    sizes = (len(values),) if shape is None else shape
    tensor = pb.TensorProto(
        dtype=pb.DT_STRING,
        tensor_shape=pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in sizes]),
        string_val=values,
    )
    return Summary.Value(tag=name(tag), metadata=metadata, tensor=tensor)


def points(tag: str, steps: list[int], wall_time: float, *, spacing: float = 0.1) -> bytes:
    """Frame an event for each step; the value is the step."""
    return b"".join(event(wall_time + n * spacing, step, simple(tag, step)) for n, step in enumerate(steps))


def write(path: Path, *parts: bytes) -> Path:
    """Write parts into a file, making its directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(parts))
    return path
