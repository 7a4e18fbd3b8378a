"""Read `s3://bucket/runs` once, poll it once more, and print the cost as JSON.

Arguments are the reader and the address of the server. Imports are not counted.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any
from urllib.request import urlopen

URL = "s3://bucket/runs"
_KEYS = {"key": "testing", "secret": "testing"}
_POLL_S = 0.005


def _requests(address: str) -> dict[str, int]:
    """Return the requests since the last call."""
    with urlopen(f"{address}/-/requests") as answer:
        counts: dict[str, int] = json.load(answer)
    return counts


class _Clock:
    """Seconds and requests since the beginning of a reading."""

    def __init__(self, address: str) -> None:
        self._address = address
        _requests(address)
        self._begin, self._cpu = time.perf_counter(), time.process_time()
        self._first: float | None = None

    def first(self) -> None:
        """Record that a first series can be shown; later calls change nothing."""
        if self._first is None:
            self._first = time.perf_counter() - self._begin

    def end(self) -> dict[str, Any]:
        """Return the cost until now."""
        wall, cpu = time.perf_counter() - self._begin, time.process_time() - self._cpu
        return {"first": self._first, "all": wall, "cpu": cpu, "requests": _requests(self._address)}


def tbwidget(address: str, *, one_by_one: bool = False) -> dict[str, Any]:
    """Follow as dashboards do; or with the same code, but one request after another."""
    import tbwidget  # noqa: PLC0415 (what an import costs is measured apart)
    from tbwidget.records.files.remote import RemoteStorage  # noqa: PLC0415

    if one_by_one:
        RemoteStorage.files_at_once = 1
    logs = tbwidget.LogDir(URL, storage_options={**_KEYS, "client_kwargs": {"endpoint_url": address}})
    clock = _Clock(address)
    logs.source.subscribe(lambda changes: clock.first() if changes.series else None)
    logs.follow()
    while not logs.source.ready:
        time.sleep(_POLL_S)
    found = clock.end()
    logs.close()
    clock = _Clock(address)
    assert not logs.refresh()
    found["idle"] = clock.end()
    assert not logs.problems, logs.problems[0]
    tags = logs.tags()["scalars"]
    return {**found, "points": sum(len(logs.scalars(run, tag)) for run in tags for tag in tags[run])}


def tensorboard(address: str) -> dict[str, Any]:
    """Read as TensorBoard's Python server does, keeping all points; it lists runs, then reads one after another."""
    from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator  # noqa: PLC0415
    from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer  # noqa: PLC0415
    from tensorboard.compat.tensorflow_stub.io import gfile  # noqa: PLC0415

    assert (sys.modules.get("boto3") is not None) == gfile.S3_ENABLED
    multiplexer = EventMultiplexer(size_guidance={"scalars": 0, "tensors": 0}, max_reload_threads=1)
    clock = _Clock(address)
    reload = EventAccumulator.Reload

    def reload_and_note(accumulator: Any) -> Any:
        answer = reload(accumulator)
        clock.first()
        return answer

    EventAccumulator.Reload = reload_and_note
    multiplexer.AddRunsFromDirectory(URL)
    multiplexer.Reload()
    found = clock.end()
    clock = _Clock(address)
    multiplexer.AddRunsFromDirectory(URL)
    multiplexer.Reload()
    found["idle"] = clock.end()
    accumulators = [multiplexer.GetAccumulator(run) for run in multiplexer.Runs()]
    return {**found, "points": sum(len(each.Tensors(tag)) for each in accumulators for tag in each.Tags()["tensors"])}


def main() -> None:
    """Read with one of the readers."""
    reader, address = sys.argv[1:]
    os.environ |= {
        "AWS_ACCESS_KEY_ID": _KEYS["key"],
        "AWS_SECRET_ACCESS_KEY": _KEYS["secret"],
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "S3_ENDPOINT": address,
        "FSSPEC_S3_ENDPOINT_URL": address,
    }
    if reader == "TensorBoard by fsspec":
        sys.modules["boto3"] = None  # type: ignore[assignment]
    found = (
        tensorboard(address)
        if reader.startswith("TensorBoard")
        else tbwidget(address, one_by_one="one by one" in reader)
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
