"""A client that decodes messages: items, documents, answers and failures, as in docs/wire.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbwidget.wire.columns import type_names
from tbwidget.wire.message import Message

Key = tuple[str, str, str]


def column(message: Message, row: int) -> NDArray[Any]:
    """Return a column of a message."""
    kind, count, *rest = message.header["columns"][row]
    if kind == "range":
        return np.array([rest[0] + rest[1] * i for i in range(count)])
    return np.frombuffer(message.buffer, type_names[kind], count, rest[0])


@dataclass
class HeldIndex:
    """An index of items: step and id of each row."""

    revision: int
    total: int
    rows: list[tuple[int, int]] = field(default_factory=list)


class Page:
    """Takes messages in their order; some may be missing."""

    def __init__(self) -> None:
        self.indices: dict[Key, HeldIndex] = {}
        self.stale: set[Key] = set()
        self.blobs: dict[tuple[Key, int], bytes] = {}
        self.unreadable: dict[tuple[Key, int], str] = {}
        self.documents: dict[Key, tuple[int, int]] = {}
        self.contents: dict[Key, tuple[int, bytes]] = {}
        self.answers: dict[str, tuple[Any, bytes]] = {}
        self.refusals: dict[str, str] = {}
        self.failed: dict[Key, str] = {}
        self.numbers: dict[str, int] = {}
        self.named: set[Key] | None = None
        self.seq: int | None = None
        self._partial: dict[tuple[Any, ...], bytearray] = {}
        self._waiting: dict[str, tuple[Any, int]] = {}

    def take(self, message: Message) -> None:
        """Apply one message."""
        header = message.header
        self._begin(header)
        for entry in header["failed"]:
            key = self._key(header, entry)
            self.failed[key] = entry["reason"]
            if self.named is not None:
                self.named.add(key)
        for entry in (*header["series"], *header["items"], *header["documents"]):
            self._name(self._key(header, entry))
        for entry in header["items"]:
            self._items(message, entry)
        for entry in header["documents"]:
            self.documents[self._key(header, entry)] = entry["revision"], entry["size"]
        for entry in header["answers"]:
            self._answer(entry)
        for entry in header["pieces"]:
            self._piece(message, entry)
        if header["ends"] and self.named is not None:
            self._drop_unnamed(self.named)

    def _drop_unnamed(self, named: set[Key]) -> None:
        for held in (self.indices, self.documents, self.failed):
            for key in [key for key in held if key not in named]:
                del held[key]

    def _begin(self, header: dict[str, Any]) -> None:
        if self.seq is not None and header["seq"] != self.seq + 1:
            self._partial.clear()
            self.named = None
        self.seq = header["seq"]
        if header["begins"]:
            self.named = set()
        self.numbers.update(zip(header["runs"], header["numbers"], strict=True))

    def _answer(self, entry: dict[str, Any]) -> None:
        if not entry["ok"]:
            self.refusals[entry["request"]] = entry["reason"]
        elif entry["size"] == 0:
            self.answers[entry["request"]] = entry["value"], b""
        else:
            self._waiting[entry["request"]] = entry["value"], entry["size"]

    def _name(self, key: Key) -> None:
        if self.named is not None:
            self.named.add(key)
        self.failed.pop(key, None)

    def _key(self, header: dict[str, Any], entry: dict[str, Any]) -> Key:
        return entry["kind"], header["runs"][entry["run"]], header["tags"][entry["tag"]]

    def _items(self, message: Message, entry: dict[str, Any]) -> None:
        key = self._key(message.header, entry)
        held = self.indices.get(key)
        if entry["keep"] > 0 and (held is None or held.revision != entry["revision"] or len(held.rows) < entry["keep"]):
            self.stale.add(key)
            return
        kept = [] if held is None else held.rows[: entry["keep"]]
        steps, ids = column(message, entry["step"]), column(message, entry["id"])
        assert len(column(message, entry["wall"])) == len(steps) == len(ids)
        rows = [*kept, *zip(steps.tolist(), map(int, ids.tolist()), strict=True)]
        self.indices[key] = HeldIndex(entry["revision"], entry["total"], rows)
        self.stale.discard(key)

    def _piece(self, message: Message, entry: dict[str, Any]) -> None:
        key = None if entry["of"] == "answer" else self._key(message.header, entry)
        if "reason" in entry:
            assert key is not None
            assert (entry["of"], entry["size"], entry["from"]) == ("item", 0, 0)
            self.unreadable[key, entry["id"]] = entry["reason"]
            return
        data = column(message, entry["bytes"]).tobytes()
        assert len(data) <= 512_000
        name = entry["of"], key, entry["id"]
        if entry["from"] == 0:
            self._partial[name] = bytearray()
        held = self._partial.get(name)
        if held is None or len(held) != entry["from"]:
            return
        held += data
        if len(held) == entry["size"]:
            self._complete(name, bytes(self._partial.pop(name)))

    def _complete(self, name: tuple[Any, ...], data: bytes) -> None:
        of, key, number = name
        if of == "item":
            self.blobs[key, number] = data
        elif of == "document":
            self.contents[key] = number, data
        else:
            value, size = self._waiting.pop(number)
            assert size == len(data)
            self.answers[number] = value, data
