"""Seeded cases of each sort, made from real records and mutations of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from random import Random

from google.protobuf.message import DecodeError

from tbwidget.proto.event_pb2 import Event
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import FileState
from tbwidget.records.values.summary import TagTable
from tests.fuzz import targets
from tests.fuzz.mutations import damaged, mutated, real_pictures, real_records
from tests.support.eager import eager
from tests.support.eventfiles import record, simple
from tests.support.payloads import any_value

TOGETHER = 500
"""Cases that share a table of layouts, as the files of a directory do."""


class Cases:
    """Runs cases of each sort, one after another, each from its own seed. Warnings are failures."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.records = real_records()
        self.scalars = [payload for payload in self.records if targets.numbers_of(payload, TagTable())]
        self.pictures = real_pictures()
        self._table = LayoutTable(TagTable())
        self.sorts: dict[str, Callable[[Random], None]] = {
            "framing": self.framing,
            "layouts": self.layouts,
            "values": self.values,
            "tensors": self.tensors,
            "directories": self.directory,
            "pictures": self.picture,
        }

    def run(self, sort: str, number: int) -> None:
        """Run a case. Raises the target's exception."""
        if not number % TOGETHER:
            self._table = LayoutTable(TagTable())
        with warnings.catch_warnings(action="error"):
            self.sorts[sort](Random(f"{self.seed} {sort} {number}"))

    def payload(self, random: Random) -> bytes:
        """Return an event of a real writer, mutated or unchanged."""
        payload = random.choice(self.records)
        return mutated(payload, random, self.records) if random.random() < 0.8 else payload

    def framing(self, random: Random) -> None:
        """Use records whose lengths are periodic, interrupted and damaged."""
        pattern = [random.choice((0, 24, 43, 59, random.randrange(300))) for _ in range(random.randrange(1, 9))]
        parts = [record(bytes(length)) for length in pattern] * random.randrange(1, 60)
        for _ in range(random.randrange(3)):
            parts.insert(random.randrange(len(parts)), record(random.randbytes(random.randrange(900))))
        data = b"".join(parts)
        for _ in range(random.randrange(3)):
            data = damaged(data, random)
        with eager(wanted=random.random() < 0.5):
            targets.framing(data)

    def layouts(self, random: Random) -> None:
        """Use a loop of a few events, which continue as in a training, with mutated ones between them."""
        pool = self.scalars if random.random() < 0.7 else self.records
        loop = [random.choice(pool) for _ in range(random.choice((1, 1, 2, 3, 8)))]
        if random.random() < 0.2:
            loop = loop[:1] * random.randrange(1, 30) + loop
        if random.random() < 0.2:
            loop[0] = mutated(loop[0], random, self.records)
        events = [_parsed(payload) for payload in loop]
        step = random.choice((0, 120, 16380, 2**53, -7))
        payloads = []
        for turn in range(1 + random.choice((6, 20, 60, 200)) // len(loop)):
            payloads += [
                payload if event is None else _later(event, turn, step, random)
                for payload, event in zip(loop, events, strict=True)
            ]
        for _ in range(random.randrange(4)):
            place = random.randrange(len(payloads))
            payloads[place] = _changed(payloads[place], random, self.records)
        with eager(wanted=random.random() < 0.8):
            targets.layouts(payloads, self._table)

    def values(self, random: Random) -> None:
        """Use values of every form, some of them mutated; read twice, the second time with known layouts."""
        tags = [f"tag {number}".encode() for number in range(random.choice((1, 3, 40)))]
        loop = [_any_event(random, tags) for _ in range(random.choice((1, 2, 5, 12)))]
        loop += [random.choice(self.records) for _ in range(random.randrange(3))]
        share = random.choice((0.0, 0.1, 0.5))
        payloads = []
        for turn in range(1 + random.choice((1, 6, 20)) // len(loop)):
            for payload in loop:
                event = _parsed(payload)
                later = payload if event is None else _later(event, turn, 100, random)
                payloads.append(_changed(later, random, self.records) if random.random() < share else later)
        state = FileState()
        with eager(wanted=random.random() < 0.8):
            targets.layouts(payloads, self._table)
            for _ in range(2):
                targets.layouts(payloads, self._table, state)

    def tensors(self, random: Random) -> None:
        """Use one mutated event, and decode all its tensors."""
        targets.tensors(self.payload(random))

    def picture(self, random: Random) -> None:
        """Use an encoded image of any format, damaged in some places, mostly in its headers."""
        data = random.choice(self.pictures)
        for _ in range(random.randrange(1, 5)):
            head = random.choice((40, 200, len(data)))
            data = damaged(data[:head], random) + data[head:]
        targets.picture(data, random.choice((None, 8, 320)))

    def directory(self, random: Random) -> None:
        """Use a file of real and mutated events, damaged in places, read as a user does."""
        written = targets.Written()
        written.add(Event(wall_time=1.0, file_version=b"brain.Event:2").SerializeToString())
        for step in range(random.randrange(1, 12)):
            if random.random() < 0.2:
                written.add_damage(self.payload(random), random)
            else:
                written.add(self.payload(random))
            good = Event(wall_time=2.0 + step, step=step)
            good.summary.value.append(simple("good", step))
            written.add(good.SerializeToString())
        cuts = [random.random() for _ in range(random.choice((0, 0, 2, 4)))]
        with eager(wanted=random.random() < 0.5):
            targets.directory(written, cuts)


def _any_event(random: Random, tags: list[bytes]) -> bytes:
    """Return an event with values of any form, mostly one."""
    event = Event(wall_time=random.choice((0.0, 1.7e9, float("nan"))), step=random.choice((0, 1, 300, 1 << 40, -1)))
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        event.summary.value.append(any_value(random, random.choice(tags)))
    return event.SerializeToString()


def _parsed(payload: bytes) -> Event | None:
    try:
        return Event.FromString(payload)
    except DecodeError:
        return None


def _later(event: Event, turn: int, step: int, random: Random) -> bytes:
    """Return the same event as the next turn of a loop writes it."""
    event.wall_time = 1.7e9 + turn + random.random()
    event.step = step + turn
    for value in event.summary.value:
        if value.HasField("simple_value"):
            value.simple_value = random.choice((random.random(), 0.0, float("nan"), -1e38))
    return event.SerializeToString()


def _changed(payload: bytes, random: Random, others: list[bytes]) -> bytes:
    """Return the event with one byte changed, which keeps its length, or with larger mutations."""
    if random.random() < 0.5 or not payload:
        return mutated(payload, random, others)
    content = bytearray(payload)
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    return bytes(content)
