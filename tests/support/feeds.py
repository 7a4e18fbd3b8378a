"""Logs made in memory, and the messages a feed makes of them."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbwidget.logs import Changes, Problem
from tbwidget.panels.bins import POWERS, Bins
from tbwidget.panels.draft import PROTOCOL, Draft, Message
from tbwidget.panels.feed import Feed
from tbwidget.panels.kinds import KINDS, Crowd
from tbwidget.panels.scalars import next_part


@dataclass
class FakeSeries:
    """Like tbwidget.logs.Scalars."""

    step: NDArray[np.int64]
    value: NDArray[np.float64]
    revision: int = 0
    superseded: int = 0
    begun: float = 1.7e9
    times: NDArray[np.float64] | None = None

    @property
    def wall_time(self) -> NDArray[np.float64]:
        times = np.arange(1, len(self.step) + 1, dtype=np.float64) if self.times is None else self.times
        return times + self.begun

    def __len__(self) -> int:
        return len(self.step)


@dataclass
class FakeLogs:
    """What a feed needs of a LogDir."""

    series: dict[tuple[str, str], FakeSeries] = field(default_factory=dict)
    path: Path = Path("/nowhere/runs")
    ready: bool = True
    progress: tuple[int, int] = (100, 100)
    others: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)

    def tags(self) -> dict[str, dict[str, list[str]]]:
        found: dict[str, list[str]] = {}
        for run, tag in self.series:
            found.setdefault(run, []).append(tag)
        return {**({"scalars": found} if found else {}), **{kind: {"a": ["x"]} for kind in self.others}}

    def scalars(self, run: str, tag: str) -> FakeSeries:
        return self.series[run, tag]

    def put(self, run: str, tag: str, steps: Sequence[int], values: Sequence[float]) -> Changes:
        """Append points; returns what the follower would say."""
        new = (run, tag) not in self.series
        old = self.series.get((run, tag), FakeSeries(np.empty(0, np.int64), np.empty(0)))
        self.series[run, tag] = FakeSeries(
            np.append(old.step, np.array(steps, np.int64)), np.append(old.value, np.array(values, float)), old.revision
        )
        return Changes(frozenset({("scalars", run, tag)}), catalog=new)


def feed_of(logs: FakeLogs) -> Feed:
    return Feed(logs)  # type: ignore[arg-type]


def drain(feed: Feed, begin: float, end: float) -> list[tuple[float, Message]]:
    """All messages that leave between two times, each with its time."""
    sent, now = [], begin
    while now < end:
        message, wait = feed.next_message(now)
        if message is not None:
            sent.append((now, message))
        assert wait > 0, "a feed that never rests would keep a core busy"
        now += wait
    return sent


def recorded_messages() -> list[dict[str, Any]]:
    """Messages that show every type of column; both sides are tested against them."""
    logs = FakeLogs()
    logs.put("a", "loss", [0, 10, 20, 30], [1, 0.5, np.nan, 0.25])
    logs.put("b", "loss", [0, 10, 20, 30], [4, 3, 2, 1])
    logs.put("a", "odd/steps", [5, -2, 5, 7], [0.1, -np.inf, 1e300, 0])
    logs.put("a", "big", [1, 2**53 + 1, 2**63 - 1], [1, 2, 3])
    logs.problems.append(Problem("a/events", 12, "bad checksum"))
    feed = feed_of(logs)
    feed.hello(complete=True)
    first = drain(feed, 0, 0.5)
    feed.changed(logs.put("a", "loss", [40, 50], [0.125, 0.0625]))
    second = drain(feed, 1, 1.5)
    messages = [*(message for _, message in (*first, *second)), *bucketed_messages(), histogram_message()]
    return [{"header": message.header, "buffer": base64.b64encode(message.buffer).decode()} for message in messages]


def bucketed_messages() -> list[Message]:
    """Three messages of one series in buckets of four points: ten of them, then three more, then all but four again."""
    values = np.array([1, 2, 3, 6, np.nan, np.inf, np.nan, -np.inf, 5, np.nan, 4, -1, 8.25])
    steps = np.arange(13, dtype=np.int64) ** 2
    times = np.array([0, 1, 2, 4, 8, 9, 9, 9, 9, 12, 13, 14, 15], float)
    sent, messages = None, []
    for seq, count in ((3, 10), (4, 13), (5, 13)):
        series = FakeSeries(steps[:count], values[:count], revision=7, times=times[:count])
        part = next_part(series, 4, sent)
        draft = Draft()
        if part is None:
            draft.add_detail("scalars", ("a", "long"), series, range(4, count, 1))
        else:
            sent = part.sent
            draft.add("scalars", ("a", "long"), series, part)
        status = {"ready": True, "read": [1, 1], "path": "", "exists": True, "newest": None, "age": None}
        head = {"type": "data", "protocol": PROTOCOL, "seq": seq, "keyframe": 1, "begins": False, "ends": False}
        counts = {"left_out": 0, "problems": 0, "kinds": ["scalars"]}
        messages.append(draft.message({**head, "status": {**status, **counts}}))
    return messages


@dataclass
class FakeHistograms:
    """Like tbwidget.panels.histograms.Readable: a histogram for each step, of these edges and counts."""

    edges: list[tuple[list[float], list[float]]]
    counts: list[list[float]]
    moments: bool = False
    revision: int = 7
    superseded: int = 0

    @property
    def step(self) -> NDArray[np.int64]:
        return np.arange(len(self.counts), dtype=np.int64) * 5

    @property
    def wall_time(self) -> NDArray[np.float64]:
        return 1.7e9 + np.arange(len(self.counts), dtype=np.float64)

    def __len__(self) -> int:
        return len(self.counts)

    def read(self, places: NDArray[np.int64]) -> Bins:
        lengths = np.array([len(self.counts[i]) for i in places], np.int64)
        left, right, counts = (
            np.array([x for i in places for x in column[i]], float)
            for column in ([one[0] for one in self.edges], [one[1] for one in self.edges], self.counts)
        )
        said = np.array(places, float) if self.moments else np.full(len(places), np.nan)
        return Bins(lengths, left, right, counts, said, said / 2)


def histogram_message() -> Message:
    """Histograms cut in every way: evenly, along the writers' grid, along their own, with edges of their own, apart."""
    draft = Draft()
    powers = list(POWERS)

    def between(*edges: float) -> tuple[list[float], list[float]]:
        return list(edges[:-1]), list(edges[1:])

    kinds = {
        "even": FakeHistograms([between(-1, 0, 1, 2), ([], []), between(3, 3)], [[1, 300, 2], [], [7]], moments=True),
        "powers": FakeHistograms(
            [between(-0.5, *powers[700:703], 0.25), between(0, *powers[774:776], 4)], [[1, 2, 70_000, 4], [0.5, 1, 2]]
        ),
        "grid": FakeHistograms([between(0, 1, 3, 7, 8)] * 2 + [between(2, 3, 7, 9)], [[1] * 4, [2] * 4, [3] * 3]),
        "edges": FakeHistograms([between(0, 1, 3, 7), between(0, 2, 9)], [[1, 2, 3], [-1, 0.1]]),
        "apart": FakeHistograms([([0, 1, 5], [2, 3, 6])], [[1, 2, 3]]),
    }
    for tag, series in kinds.items():
        part = KINDS["histograms"].next_part(series, None, Crowd(5, 1), fine=True)
        assert part is not None
        draft.add("histograms", ("a", tag), series, part)
    draft.add_detail("histograms", ("a", "grid"), kinds["grid"], range(1, 3, 1))
    status = {"ready": True, "read": [1, 1], "path": "", "exists": True, "newest": None, "age": None}
    head = {"type": "data", "protocol": PROTOCOL, "seq": 6, "keyframe": 1, "begins": False, "ends": False}
    return draft.message({**head, "status": {**status, "left_out": 0, "problems": 0, "kinds": ["histograms"]}})


if __name__ == "__main__":  # python -m tests.support.feeds > js/tests/fixtures/messages.json
    json.dump(recorded_messages(), sys.stdout, indent=2)
    print()
