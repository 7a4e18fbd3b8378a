"""Log directories to measure: a million scalar values in each of the three forms that writers use."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import Summary, SummaryMetadata
from tests.support.eventfiles import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

RUNS, TAGS = 5, 20
NAME = "events.out.tfevents.1700000000.bench"
_SCALARS = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=b"scalars"))


def tag(number: int) -> str:
    """Name a tag, in one of ten groups."""
    return f"group_{number % 10:02d}/metric_{number:04d}"


def simple(number: int, value: float) -> Summary.Value:
    """Make a scalar as TF1, torch and tensorboardX write it."""
    return Summary.Value(tag=tag(number).encode(), simple_value=value)


def tensor(number: int, value: float) -> Summary.Value:
    """Make a scalar as TF2 writes it: a tensor, with its metadata each time."""
    content = pb.TensorProto(
        dtype=pb.DT_FLOAT, tensor_content=struct.pack("<f", value), tensor_shape=pb.TensorShapeProto()
    )
    return Summary.Value(tag=tag(number).encode(), tensor=content, metadata=_SCALARS)


def _events(make: Callable[[int, float], Summary.Value], steps: int, together: int) -> Iterator[bytes]:
    """Yield events with `together` tags each."""
    for step in range(steps):
        for first in range(0, TAGS, together):
            event = Event(wall_time=1.7e9 + 0.1 * step, step=step)
            event.summary.value.extend(
                make(number, math.exp(-step / steps) * (1 + number % 5)) for number in range(first, first + together)
            )
            yield record(event.SerializeToString())


SHAPES: dict[str, tuple[Callable[[int, float], Summary.Value], int]] = {
    "one event a tag (torch)": (simple, 1),
    "20 tags an event (TF1)": (simple, TAGS),
    "tensors with metadata (TF2)": (tensor, 1),
}


def write_shape(folder: Path, shape: str, points: int) -> None:
    """Write `points` values of one shape, as RUNS runs of TAGS tags."""
    make, together = SHAPES[shape]
    for run in range(RUNS):
        path = folder / f"run_{run}" / NAME
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            file.write(record(Event(wall_time=1.7e9, file_version=b"brain.Event:2").SerializeToString()))
            file.writelines(_events(make, points // RUNS // TAGS, together))


def write_copies(folder: Path, points: int) -> None:
    """Write `points` values, an event each, as equal runs of 200,000."""
    each = 200_000
    content = b"".join(_events(simple, each // TAGS, 1))
    for run in range(points // each):
        path = folder / f"run_{run}" / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(content)


def write_runs(folder: Path, runs: int, tags: int, steps: int, *, groups: int = 10) -> None:
    """Write noisy curves, an event each, in ten groups of tags or one; to save time, at most ten runs differ."""
    numbers = range(0, tags * 10 // groups, 10 // groups)
    kinds = [b"".join(_noisy_events(kind, numbers, steps)) for kind in range(min(runs, 10))]
    for run in range(runs):
        path = folder / f"run_{run:02d}" / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(kinds[run % len(kinds)])


def _noisy_events(kind: int, numbers: range, steps: int) -> Iterator[bytes]:
    random = Random(kind)
    yield record(Event(wall_time=1.7e9, file_version=b"brain.Event:2").SerializeToString())
    for step in range(steps):
        for number in numbers:
            level = math.exp(-step / steps * (1 + kind % 5)) + number % 3
            event = Event(wall_time=1.7e9 + 0.1 * step, step=step)
            event.summary.value.append(simple(number, level + 0.05 * random.random()))
            yield record(event.SerializeToString())


TOGETHER = 20
"""Tags an event, and a group, of `write_board`."""


def write_board(folder: Path, runs: int, tags: int, steps: int) -> None:
    """Write noisy curves, no two alike, in few bytes: about 17 for each value."""
    random = np.random.default_rng(0)
    for run in range(runs):
        path = folder / f"run_{run:03d}" / NAME
        path.parent.mkdir(parents=True)
        level = np.exp(-np.arange(steps) / steps * (1 + run % 7)) * (1 + run / runs)
        values = level[:, None] + random.normal(0, 0.05, (steps, tags))
        path.write_bytes(_board(values.astype("<f4")))


def board_tag(number: int) -> str:
    """Name a tag of `write_board`; all names have the same length."""
    return f"g{number // TOGETHER:02}/{number % TOGETHER:02}"


def _board(values: NDArray[np.float32]) -> bytes:
    """Make events that differ in few bytes, which numpy fills in; steps begin at 1."""
    steps, tags = values.shape
    parts = [record(Event(wall_time=1.7e9, file_version=b"brain.Event:2").SerializeToString())]
    for length in range(1, 5):  # bytes of a step
        rows = np.arange(max(1, 1 << 7 * (length - 1)), min(steps + 1, 1 << 7 * length))
        blocks = [
            _alike(rows, length, first, values[rows - 1, first : first + TOGETHER])
            for first in range(0, tags, TOGETHER)
        ]
        parts += [record(block[row].tobytes()) for row in range(len(rows)) for block in blocks]
    return b"".join(parts)


def _alike(rows: NDArray[np.int64], length: int, first: int, values: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Make events of equal length, one a row: for these steps in `length` bytes, and for tags from `first` on."""
    count = values.shape[1]
    event = Event(wall_time=1, step=1 << 7 * (length - 1))
    event.summary.value.extend(
        Summary.Value(tag=board_tag(first + place).encode(), simple_value=1) for place in range(count)
    )
    data = event.SerializeToString()
    block = np.tile(np.frombuffer(data, np.uint8), (len(rows), 1))
    block[:, 1:9] = (1.7e9 + 0.1 * rows[:, None]).view(np.uint8)
    for byte in range(length):
        block[:, 10 + byte] = rows >> 7 * byte & 127 | 128 * (byte < length - 1)
    size = event.summary.value[0].ByteSize() + 2
    for place in range(count):
        end = len(data) - (count - 1 - place) * size
        block[:, end - 4 : end] = np.ascontiguousarray(values[:, place, None]).view(np.uint8)
    return block


def write_idle_runs(folder: Path, count: int) -> None:
    """Write runs that no longer change, in directories as a sweep leaves them."""
    content = b"".join(_events(simple, 20, 1))
    for run in range(count):
        path = folder / f"sweep_{run // 50}" / f"run_{run}" / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
