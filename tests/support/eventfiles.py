"""Event files made by hand: framed records of our own messages, whole, torn or damaged as a test wants them."""

from __future__ import annotations

import struct
from pathlib import Path

from tbwidget.proto.event_pb2 import Event, SessionLog
from tbwidget.proto.summary_pb2 import Summary, SummaryMetadata
from tbwidget.records.checksums import masked_checksum

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
        made.file_version = version
    if start:
        made.session_log.status = SessionLog.START
    return record(made.SerializeToString())


def simple(tag: str, value: float, metadata: SummaryMetadata | None = None) -> Summary.Value:
    """Make a scalar as TF1, torch and tensorboardX write it."""
    return Summary.Value(tag=tag, simple_value=value, metadata=metadata)


def points(tag: str, steps: list[int], wall_time: float, *, spacing: float = 0.1) -> bytes:
    """Frame an event for each step; the value is the step."""
    return b"".join(event(wall_time + n * spacing, step, simple(tag, step)) for n, step in enumerate(steps))


def write(path: Path, *parts: bytes) -> Path:
    """Write parts into a file, making its directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(parts))
    return path
