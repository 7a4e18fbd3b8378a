"""The next series are read together, while no thread reads the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.support.feeds import FakeSeries, FakeSource, channel_of, drain

BROKEN = ("run7", "tag3")


@dataclass
class RestingSource(FakeSource):
    """A source that counts the series read in each exclusive period, and has one unreadable series."""

    rests: list[int] = field(default_factory=list)
    resting: bool = False

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        self.rests.append(0)
        self.resting = True
        try:
            yield
        finally:
            self.resting = False

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> FakeSeries:
        if (run, tag) == BROKEN:
            raise RuntimeError("broken")
        if self.resting:
            self.rests[-1] += 1
        return super().scalars(run, tag, superseded=superseded)


def test_many_series_wait_once_for_the_logs() -> None:
    logs = RestingSource()
    for run in range(50):
        for tag in range(20):
            logs.put(f"run{run}", f"tag{tag}", range(5), [1.0] * 5)
    sent = drain(channel_of(logs), 0, 0.9)
    came = {
        (message.header["runs"][entry["run"]], message.header["tags"][entry["tag"]])
        for _, message in sent
        for entry in message.header["series"]
    }
    assert came == set(logs.series) - {BROKEN}
    # The unreadable series does not affect others, and is reported in its turn.
    assert logs.failures == {("scalars", *BROKEN): "RuntimeError: broken"}
    assert max(logs.rests) > 100
    assert len(logs.rests) < 50
    assert not logs.resting
