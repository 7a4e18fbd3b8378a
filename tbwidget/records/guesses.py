"""Which layouts records seem to have, at a glance: what a cycle of layouts is looked for in."""

from __future__ import annotations

import numpy as np

from tbwidget.records.framing import FRAME, HEADER, Buffer, Frames
from tbwidget.records.places import Block, Home, Int64s, Places, UInt8s
from tbwidget.records.turns import Turn

_FEWEST, _MOST = 16, 64  # records that are looked at as one turn
_MOST_TURNS = 64  # kept: many files may have the same


class Guesses:
    """Layouts by the length of their records and the bytes between the summary's begin and the first slot."""

    def __init__(self) -> None:
        self._homes: list[Home] = []
        self._examples: list[bytes] = []  # data and footer of a record; empty where no turn may have the layout
        self._turns: dict[bytes, Turn | None] = {}
        self._starts: dict[int, dict[tuple[int, int], None]] = {}  # heads and first slots of records, by length
        self._numbers: dict[tuple[int, bytes], int] = {}  # of homes

    def add(self, places: Places, rows: UInt8s) -> None:
        """Add layouts that are about to be added to these places, each with a row that has it."""
        length, slot = len(places.constant), places.slots[0].offset
        self._starts.setdefault(length, {})[places.head, slot] = None
        first = len(self._homes)
        self._numbers |= {(length, begin): n for n, begin in enumerate(pieces(rows[:, places.head : slot]), first)}
        self._homes += [Home(places, len(places.layouts) + entry) for entry in range(len(rows))]
        self._examples += pieces(rows) if Turn.may_have(places) else [b""] * len(rows)

    def of(self, data: Buffer, frames: Frames, begin: int, count: int) -> Int64s | None:
        """The layouts that records (at least one) seem to have, as `homes` takes them; None if one seems to be new."""
        starts, lengths = frames.starts[begin : begin + count], frames.lengths[begin : begin + count]
        first = int(starts[0]) + HEADER
        content = bytes(data[first : int(starts[-1] + lengths[-1]) + HEADER])
        numbers = []
        for start, length in zip((starts + HEADER - first).tolist(), lengths.tolist(), strict=True):
            for head, slot in self._starts.get(length, ()):
                number = self._numbers.get((length, content[start + head : start + slot]))
                if number is not None:
                    numbers.append(number)
                    break
            else:
                return None
        return np.array(numbers)

    def homes(self, numbers: Int64s) -> list[Home]:
        """Where these layouts are kept."""
        return [self._homes[number] for number in numbers.tolist()]

    def turn(self, numbers: Int64s) -> Turn | None:
        """One turn of these layouts; None if they cannot be read so."""
        key = numbers.tobytes()
        if key not in self._turns:
            if len(self._turns) >= _MOST_TURNS:
                self._turns.clear()
            cycle = self.homes(numbers)
            examples = [self._examples[number] for number in numbers.tolist()]
            one = all(examples) and len({places.slots[0].format for places, _ in cycle}) == 1
            self._turns[key] = Turn(cycle, examples) if one else None
        return self._turns[key]

    def one_turn(self, data: Buffer, raw: UInt8s, frames: Frames, chosen: Int64s) -> list[Block]:
        """Some records, if they are few and one turn: as the first of many files are, that have no step."""
        chosen = chosen[chosen > 0]  # what a file begins with is its version
        if not _FEWEST <= len(chosen) <= _MOST:
            return []
        begin, end = int(chosen[0]), int(chosen[-1]) + 1
        if end - begin > len(chosen):
            return []
        numbers = self.of(data, frames, begin, end - begin)
        turn = None if numbers is None else self.turn(numbers)
        start = int(frames.starts[begin])
        if turn is None or start + turn.size != int(frames.starts[end - 1] + frames.lengths[end - 1]) + FRAME:
            return []
        return turn.read(raw, start, begin, 1)[1]


def pieces(rows: UInt8s) -> list[bytes]:
    """The bytes of each row."""
    together, width = rows.tobytes(), rows.shape[1]
    return [together[begin : begin + width] for begin in range(0, len(together), width)] if width else [b""] * len(rows)
