"""Read a log directory once and print the cost as JSON.

Arguments are the reader, the directory and optionally a way of ways.py to switch off.
"""

from __future__ import annotations

import json
import resource
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

_held: list[object] = []  # keeps data alive, so that their memory can be measured


def tbwidget_reader() -> Callable[[str], list[float]]:
    """Read with tbwidget: verify every checksum, keep every point, access every series; count values in files."""
    import tbwidget  # noqa: PLC0415 (what an import costs is measured apart)

    def read(logdir: str) -> list[float]:
        logs = tbwidget.load(logdir)
        _held.append(logs)
        listed = logs.tags()
        sums = [
            float(logs.scalars(run, tag).value.sum()) for run, tags in listed.get("scalars", {}).items() for tag in tags
        ]
        for kind, series in (("histograms", logs.histograms), ("images", logs.images)):
            sums += [float(len(series(run, tag))) for run, tags in listed.get(kind, {}).items() for tag in tags]
        return sums

    return read


def protobuf_reader() -> Callable[[str], list[float]]:
    """Read with a plain loop over records, as users write it: framing, both checksums, protobuf, lists by tag."""
    import google_crc32c  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    from tbwidget.proto.event_pb2 import Event  # noqa: PLC0415

    def masked(data: bytes) -> int:
        crc: int = google_crc32c.value(data)
        return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF

    def read(logdir: str) -> list[float]:
        sums = []
        for path in sorted(Path(logdir).glob("**/*tfevents*")):
            series: dict[str, list[tuple[int, float, float]]] = {}
            data = path.read_bytes()
            position = 0
            while position < len(data):
                length, checksum = struct.unpack_from("<QI", data, position)
                content = data[position + 12 : position + 12 + length]
                good = masked(data[position : position + 8]) == checksum
                if not good or masked(content) != struct.unpack_from("<I", data, position + 12 + length)[0]:
                    raise ValueError(f"damaged record in {path} at {position}")
                event = Event.FromString(content)
                for value in event.summary.value:
                    number = (
                        struct.unpack("<f", value.tensor.tensor_content)[0]
                        if value.HasField("tensor")
                        else value.simple_value
                    )
                    series.setdefault(value.tag.decode(), []).append((event.step, event.wall_time, number))
                position += 16 + length
            sums += [float(np.array(points)[:, 2].sum()) for points in series.values()]
        return sums

    return read


def accumulator_reader() -> Callable[[str], list[float]]:
    """Read with TensorBoard's EventAccumulator, keeping all points."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: PLC0415
    from tensorboard.util import tensor_util  # noqa: PLC0415

    def read(logdir: str) -> list[float]:
        sums = []
        for run in sorted(Path(logdir).iterdir()):
            accumulator = EventAccumulator(str(run), size_guidance={"scalars": 0, "tensors": 0})
            accumulator.Reload()
            sums += [sum(e.value for e in accumulator.Scalars(tag)) for tag in accumulator.Tags()["scalars"]]
            sums += [
                sum(float(tensor_util.make_ndarray(e.tensor_proto)) for e in accumulator.Tensors(tag))
                for tag in accumulator.Tags()["tensors"]
            ]
        return sums

    return read


def tbparse_reader() -> Callable[[str], list[float]]:
    """Read with tbparse: an EventAccumulator for each run, put into one pandas table."""
    from tbparse import SummaryReader  # noqa: PLC0415

    def read(logdir: str) -> list[float]:
        tables = SummaryReader(logdir, extra_columns={"dir_name"})
        table = tables.scalars if len(tables.scalars) else tables.tensors
        return [float(column.sum()) for _, column in table.groupby(["dir_name", "tag"])["value"]]

    return read


def curves_reader() -> Callable[[str], list[float]]:
    """Read PR curves with tbwidget: every curve with its counts and thresholds."""
    import tbwidget  # noqa: PLC0415

    def read(logdir: str) -> list[float]:
        logs = tbwidget.load(logdir)
        _held.append(logs)
        listed = logs.tags().get("pr_curves", {})
        return [
            sum(float(curve.tp.sum()) for curve in logs.pr_curves(run, tag))
            for run, tags in listed.items()
            for tag in tags
        ]

    return read


def accumulated_curves_reader() -> Callable[[str], list[float]]:
    """Read PR curves with TensorBoard's EventAccumulator, keeping all of them."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: PLC0415
    from tensorboard.util import tensor_util  # noqa: PLC0415

    def read(logdir: str) -> list[float]:
        sums = []
        for run in sorted(Path(logdir).iterdir()):
            accumulator = EventAccumulator(str(run), size_guidance={"tensors": 0})
            accumulator.Reload()
            sums += [
                sum(float(tensor_util.make_ndarray(one.tensor_proto)[0].sum()) for one in accumulator.Tensors(tag))
                for tag in accumulator.Tags()["tensors"]
            ]
        return sums

    return read


READERS = {
    "tbwidget": tbwidget_reader,
    "protobuf": protobuf_reader,
    "accumulator": accumulator_reader,
    "tbparse": tbparse_reader,
    "curves": curves_reader,
    "accumulated curves": accumulated_curves_reader,
}


def _resident() -> int:
    """Return this process's resident memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _most() -> int:
    """Return this process's peak memory in bytes; ru_maxrss would include its parent's before the fork."""
    return 1024 * int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


def main() -> None:
    """Read once."""
    read = READERS[sys.argv[1]]()
    for way in sys.argv[3:]:
        from tests.benchmarks.ways import switch_off  # noqa: PLC0415 (which imports tbwidget)

        switch_off(way)
    time.sleep(0.2)  # numpy's BLAS threads spin for a moment after its import
    before = _resident()
    begin_cpu, begin_wall = time.process_time(), time.perf_counter()
    sums = read(sys.argv[2])
    cpu, wall = time.process_time() - begin_cpu, time.perf_counter() - begin_wall
    print(
        json.dumps(
            {
                "cpu": cpu,
                "wall": wall,
                "series": len(sums),
                "sum": sum(sums),
                "kept": _resident() - before,
                "peak": _most() - before,
            }
        )
    )


if __name__ == "__main__":
    main()
