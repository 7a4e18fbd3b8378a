"""Messages with every feature of the wire format: kernel and page are tested with js/tests/fixtures/messages.json."""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from tbwidget.logs.problems import Problem
from tbwidget.panels.histogram_bins import POWERS, Bins
from tbwidget.panels.histograms import HISTOGRAMS
from tbwidget.panels.scalars import SCALARS, next_part
from tbwidget.reasons import Reason
from tbwidget.wire.channel import Channel
from tbwidget.wire.content import Answer, Key, SeriesCounts
from tbwidget.wire.message import PROTOCOL, Message, MessageBuilder
from tests.support.contents import PAPERS, PICTURES, put_paper, put_pictures
from tests.support.feeds import CONTENTS, FakeSeries, FakeSource, channel_of, drain, logs_over

_STATUS = {"ready": True, "read": [1, 1], "path": "", "exists": True, "newest": None, "age": None}
_STATUS |= {"fresh": False, "cell": None, "left_out": 0, "problems": 0, "empty_files": 0}


def recorded_messages() -> list[dict[str, Any]]:
    """Return messages with every type of column; kernel and page are tested with them."""
    logs = FakeSource()
    logs.put("a", "loss", [0, 10, 20, 30], [1, 0.5, np.nan, 0.25])
    logs.put("b", "loss", [0, 10, 20, 30], [4, 3, 2, 1])
    logs.put("a", "odd/steps", [5, -2, 5, 7], [0.1, -np.inf, 1e300, 0])
    logs.put("a", "big", [1, 2**53 + 1, 2**63 - 1], [1, 2, 3])
    logs.problems.append(Problem("a/events", 12, Reason("damaged-record", bytes=36_493, cause="header")))
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    first = drain(channel, 0, 0.5)
    channel.notify(logs.put("a", "loss", [40, 50], [0.125, 0.0625]))
    second = drain(channel, 1, 1.5)
    messages = [
        *(message for _, message in (*first, *second)),
        *bucketed_messages(),
        histogram_message(),
        *blob_messages(),
    ]
    for message in messages:
        if "clock" in message.header["status"]:
            message.header["status"]["clock"][1] = 1.7e9
        if "places" in message.header["status"]:  # some are paths of this machine
            message.header["status"]["places"] = [["/nowhere/runs", "runs"]]
    return [{"header": message.header, "buffer": base64.b64encode(message.buffer).decode()} for message in messages]


def blob_messages() -> list[Message]:
    """Return items, documents, answers and failures on one channel, in pieces of ten bytes.

    A keyframe; an item inserted before the newest; a replaced document, and an unreadable item; answers: one with a
    value and data, and a refusal; then a keyframe that names everything again.
    """
    logs = FakeSource()
    logs.put("a", "both", [1, 2], [0.5, 0.25])
    put_pictures(logs, "a", "both", (5, "five", b"the blob of step five"), (9, "nine", b"nine"))
    put_paper(logs, "b", b'{"a document": [1, 2, 3]}')
    logs.values["pictures"]["b", "broken"] = MemoryError("no room")
    channel = Channel(logs_over(logs), (*CONTENTS, PICTURES, PAPERS))
    channel.receive({"type": "hello", "complete": True})
    with patch("tbwidget.wire.message.MAX_PIECE_BYTES", 10):
        messages = drain(channel, 0, 1)
        channel.notify(put_pictures(logs, "a", "both", (7, "seven", b"seven")))
        messages += drain(channel, 1, 2)
        channel.notify(put_paper(logs, "b", b'{"another": true}'))
        channel.notify(put_pictures(logs, "a", "both", (11, "eleven", OSError(5, "Input/output error"))))
        messages += drain(channel, 2, 3)
        channel.post_answer("page-1", Answer({"kind": "made up"}, b"the data of an answer"))
        channel.post_answer("page-2", Reason("series-gone"))
        channel.post_answer("page-3", Answer([1, 2]))
        messages += drain(channel, 3, 4)
        channel.receive({"type": "resync", "complete": False})
        messages += drain(channel, 4, 5)
    return [message for _, message in messages]


def bucketed_messages() -> list[Message]:
    """Return three messages of one series in buckets of four: ten buckets, then three more, then all but four again."""
    values = np.array([1, 2, 3, 6, np.nan, np.inf, np.nan, -np.inf, 5, np.nan, 4, -1, 8.25])
    steps = np.arange(13, dtype=np.int64) ** 2
    times = np.array([0, 1, 2, 4, 8, 9, 9, 9, 9, 12, 13, 14, 15], float)
    sent, messages, key = None, [], Key("scalars", "a", "long")
    for seq, count in ((3, 10), (4, 13), (5, 13)):
        series = FakeSeries(steps[:count], values[:count], revision=7, times=times[:count])
        part = next_part(series, 4, sent)
        draft = MessageBuilder(lambda _run: 0)
        if part is None:
            draft.add("details", key, SCALARS.detail_entry(series, range(4, count, 1), draft.columns, key.run))
        else:
            sent = part.sent
            draft.add("series", key, SCALARS.entry(series, part, draft.columns, key.run))
        head = {"type": "data", "protocol": PROTOCOL, "seq": seq, "keyframe": 1, "begins": False, "ends": False}
        messages.append(draft.message({**head, "status": {**_STATUS, "kinds": ["scalars"]}}))
    return messages


@dataclass
class FakeHistograms:
    """Like tbwidget.panels.histograms.Readable: a histogram with these edges and counts for each step."""

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
    """Return histograms with all kinds of bins: even, on the writers' grid, on their own, with own edges, apart."""
    draft = MessageBuilder(lambda _run: 0)
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
        part = HISTOGRAMS.next_part(series, None, SeriesCounts(5, 1), fine=True)
        assert part is not None
        draft.add("series", Key("histograms", "a", tag), HISTOGRAMS.entry(series, part, draft.columns, "a"))
    detail = HISTOGRAMS.detail_entry(kinds["grid"], range(1, 3, 1), draft.columns, "a")
    draft.add("details", Key("histograms", "a", "grid"), detail)
    head = {"type": "data", "protocol": PROTOCOL, "seq": 6, "keyframe": 1, "begins": False, "ends": False}
    return draft.message({**head, "status": {**_STATUS, "kinds": ["histograms"]}})


if __name__ == "__main__":  # python -m tests.support.recorded > js/tests/fixtures/messages.json
    json.dump(recorded_messages(), sys.stdout, indent=2)
    print()
