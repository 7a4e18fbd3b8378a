"""Wide log directories instead of long ones: many tags, many runs, values that stay in their files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.benchmarks import logs, measures
from tests.support.eventfiles import record


class Shape(NamedTuple):
    """A directory."""

    name: str
    values: int
    write: Callable[[Path], None]


def tags(count: int, steps: int) -> Shape:
    """One run of many tags."""

    def write(folder: Path) -> None:
        logs.write_runs(folder, 1, count, steps)

    return Shape(f"{count:,} tags of {steps:,} points, one run", count * steps, write)


def runs(count: int, tags: int, steps: int) -> Shape:
    """Many runs."""

    def write(folder: Path) -> None:
        logs.write_runs(folder, count, tags, steps)

    return Shape(f"{count:,} runs of {tags} tags of {steps:,} points", count * tags * steps, write)


def _held(what: str, tags: int, steps: int, make: Callable[[np.random.Generator], Summary.Value]) -> Shape:
    """Values that are read on request, for `tags` tags, an event each."""

    def write(folder: Path) -> None:
        values = [make(np.random.default_rng(number)) for number in range(50)]
        path = folder / "run" / logs.NAME
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            for step in range(steps):
                for number in range(tags):
                    value = values[(step + number) % len(values)]
                    value.tag = logs.tag(number).encode()
                    event = Event(wall_time=1.7e9 + 0.1 * step, step=step, summary=Summary(value=[value]))
                    file.write(record(event.SerializeToString()))

    return Shape(f"{steps * tags:,} {what} of {tags:,} tags", steps * tags, write)


def _histogram(random: np.random.Generator) -> Summary.Value:
    counts, edges = np.histogram(random.normal(size=1000), 30)
    histo = HistogramProto(min=edges[0], max=edges[-1], num=1000, bucket_limit=edges[1:], bucket=counts)
    return Summary.Value(histo=histo)


def histograms(tags: int, steps: int) -> Shape:
    """Histograms of `tags` tags, an event each."""
    return _held("histograms of 30 bins", tags, steps, _histogram)


def _image(random: np.random.Generator) -> Summary.Value:
    return Summary.Value(
        image=Summary.Image(height=256, width=256, colorspace=3, encoded_image_string=random.bytes(200_000))
    )


def shapes(points: int) -> list[Shape]:
    """Return directories with about `points` values, or fewer if the values are large."""
    return [
        tags(10, points // 10),
        tags(12_345, points // 12_345),
        tags(10, points // 12_345),
        runs(1_000, 20, points // 2_000),
        histograms(500, points // 1_000),
        _held("images of 200 kB", 10, points // 1_000, _image),
    ]


def section(points: int, repeats: int) -> None:
    """Print a line for each directory and reader."""
    print(
        "\nCold reading of wide directories, every checksum verified; all points kept, or all that the server can keep"
    )
    print(f"{'':34}{'CPU s':>9}{'wall s':>9}{'us a value':>12}{'peak MB':>9}")
    for shape in shapes(points):
        with tempfile.TemporaryDirectory() as folder:
            shape.write(Path(folder))
            print(shape.name)
            costs = {
                "tbwidget": measures.read_with("tbwidget", Path(folder), repeats),
                "Rust server": measures.read_with_server(Path(folder), repeats, everything=True),
            }
        for name, cost in costs.items():
            each = 1e6 * cost.cpu / shape.values
            print(f"  {name:32}{cost.cpu:9.3f}{cost.wall:9.3f}{each:12.2f}{cost.peak / 1e6:9.0f}")
