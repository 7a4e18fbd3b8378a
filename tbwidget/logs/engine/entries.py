"""Event files as the cache keeps them: encoded as JSON and arrays, and decoded.

The JSON refers to arrays of a pack by name, and to declarations of tags by number: most files of a log directory have
the same ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import astuple
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.cachefiles import ArrayParts, Pack, dtype_code
from tbwidget.logs.columns import ADDRESS, Points
from tbwidget.logs.engine.declarations import Repeated, TagDeclaration, TagDeclarations
from tbwidget.logs.engine.eventfile import EventFile, FileState
from tbwidget.logs.engine.partitioning import Chunk, ChunkLayout, RestoredPoints, Series
from tbwidget.reasons import Reason
from tbwidget.records.files.storage import Status
from tbwidget.records.recordfile import Checkpoint, Damage
from tbwidget.records.values.summary import TagInfo, TagTable

_FIELDS = ("step", "wall_time", "value")
_BYTES = np.dtype("u1")

Contents = ChunkLayout | list[Series]
Array = npt.NDArray[Any]


class Snapshot(NamedTuple):
    """The data of a file, as of one moment: none of it changes any more."""

    state: FileState
    declarations: list[tuple[int, Repeated | TagDeclaration]]
    numbers: Contents
    addresses: Contents

    @classmethod
    def of(cls, file: EventFile) -> Snapshot | None:
        """Take one, while no other thread uses the file. None where its data are not certain."""
        state = file.state()
        if state is None:
            return None
        return cls(
            state,
            [(tag, _copied(note)) for tag, note in state.declarations.items()],
            file.numbers.contents(),
            file.addresses.contents(),
        )


def _copied(note: Repeated | TagDeclaration) -> Repeated | TagDeclaration:
    return TagDeclaration(*astuple(note)) if isinstance(note, TagDeclaration) else note


class Encoder:
    """Encodes files into one pack. Equal tables and declarations are kept once."""

    def __init__(self, tags: TagTable, declarations: list[Any]) -> None:
        """Add to `declarations`, to which other packs of the index refer, too."""
        self._tags = tags
        self.declarations = declarations
        self.arrays: list[ArrayParts] = []
        """Arrays of the pack; `ordered` sorts them."""
        self.size = 0
        """Bytes of the arrays."""
        self._numbers = {_text(each): number for number, each in enumerate(declarations)}
        self._tables: dict[bytes, str] = {}
        self._count = 0

    def ordered(self) -> list[ArrayParts]:
        """The arrays of the pack, aligned where they follow each other."""
        return sorted(self.arrays, key=lambda array: array.dtype == "U8")

    def add(self, snapshot: Snapshot) -> dict[str, Any]:
        """Add a file to the pack; return what the index says about it."""
        before = self.size
        tags = [tag for tag, _ in snapshot.declarations]
        places = {tag: place for place, tag in enumerate(tags)}
        entry = _encoded_state(snapshot.state)
        entry["declarations"] = self._declared(snapshot.declarations)
        for name, contents in (("numbers", snapshot.numbers), ("addresses", snapshot.addresses)):
            made = self._contents(contents, places)
            if made is not None:
                entry[name] = made
        entry["bytes"] = self.size - before
        return entry

    def _declared(self, declarations: Sequence[tuple[int, Repeated | TagDeclaration]]) -> int:
        infos: dict[TagInfo, int] = {}
        rows: list[list[Any]] = []
        for tag, note in declarations:
            name = self._tags.names[tag]
            if isinstance(note, TagDeclaration):
                rows.append([name, astuple(note)])
            else:
                info, offset = note
                rows.append([name, infos.setdefault(info, len(infos)), offset])
        made = [list(infos), rows]
        number = self._numbers.setdefault(_text(made), len(self.declarations))
        if number == len(self.declarations):
            self.declarations.append(made)
        return number

    def _contents(self, contents: Contents, places: dict[int, int]) -> list[str] | None:
        """Add points; return the names of the table that says where each series is, and of the three columns."""
        if not contents:
            return None
        if isinstance(contents, ChunkLayout):
            table = _table_of_chunk(contents, places)
            columns: list[list[Array]] = [[column] for column in contents.points]
        else:
            table, columns = _table_of_series(contents, places)
        data = table.tobytes()
        known = self._tables.get(data)
        if known is None:
            known = self._tables[data] = f"table.{len(self._tables)}"
            self._add(known, [table], table.shape)
        self._count += 1
        names = [known, *(f"{self._count}.{field}" for field in _FIELDS)]
        for name, parts in zip(names[1:], columns, strict=True):
            count = sum(len(part) for part in parts)
            if parts[0].dtype == ADDRESS:
                self._add(name, [np.ascontiguousarray(part).view(_BYTES) for part in parts], (count, ADDRESS.itemsize))
            else:
                self._add(name, parts, (count,))
        return names

    def _add(self, name: str, parts: Sequence[Array], shape: tuple[int, ...]) -> None:
        parts = [np.ascontiguousarray(part) for part in parts]
        array = ArrayParts(name, dtype_code(parts[0].dtype), shape, parts)
        self.arrays.append(array)
        self.size += array.size


def _table_of_chunk(chunk: ChunkLayout, places: dict[int, int]) -> npt.NDArray[np.int64]:
    """Rows: place of the tag, count, offsets in the three columns, rank among the series of a tag, session."""
    count = len(chunk.tags)
    table = np.empty((7, count), np.int64)
    table[0] = [places[tag] for tag in chunk.tags.tolist()]
    table[1], table[2:5] = chunk.counts, chunk.offsets
    table[5], table[6] = 0, chunk.session
    return table


def _table_of_series(contents: list[Series], places: dict[int, int]) -> tuple[npt.NDArray[np.int64], list[list[Array]]]:
    """Return the table as of a chunk, and the parts of the columns. Columns that series share are kept once."""
    columns: list[list[Array]] = [[], [], []]
    ends = [0, 0, 0]
    begins: dict[Hashable, int] = {}
    ranks: dict[int, int] = {}
    rows = []
    for tag, session, parts in contents:
        row = [places[tag], sum(len(part.step) for part in parts)]
        for field in range(3):
            arrays = [part[field] for part in parts]
            key = field, *((each.__array_interface__["data"][0], len(each)) for each in arrays)
            begin = begins.setdefault(key, ends[field])
            if begin == ends[field]:
                columns[field] += arrays
                ends[field] += row[1]
            row.append(begin)
        ranks[tag] = ranks.get(tag, -1) + 1
        rows.append([*row, ranks[tag], session])
    return np.ascontiguousarray(np.array(rows, np.int64).T), columns


def chunks_of(pack: Pack, names: Sequence[str], tags: npt.NDArray[np.int64]) -> list[Chunk]:
    """Return the points that `Encoder` added, of tags with these numbers. Raises DamagedCacheError."""
    table, step, wall_time, value = (pack.array(name) for name in names)
    if value.dtype == _BYTES:
        value = value.view(ADDRESS).reshape(-1)
    points = Points(step, wall_time, value)
    groups: dict[tuple[int, int], list[int]] = {}
    if len(table[5]) and (table[5:7] == table[5:7, :1]).all():
        return [Chunk(tags[table[0]], table[1], list(table[2:5]), int(table[6, 0]), points)]
    for place, group in enumerate(zip(table[5].tolist(), table[6].tolist(), strict=True)):
        groups.setdefault(group, []).append(place)
    return [
        Chunk(tags[table[0, chosen]], table[1, chosen], list(table[2:5, chosen]), session, points)
        for (_, session), chosen in sorted(groups.items())
    ]


class Declared(NamedTuple):
    """Declarations that files share, decoded."""

    tags: npt.NDArray[np.int64]
    """Number of each tag, in the order written."""
    notes: TagDeclarations


def decoded_declarations(encoded: Any, tags: TagTable) -> Declared:
    """Return declarations, with the tags' numbers in this process."""
    infos = [TagInfo(*info) for info in encoded[0]]
    notes = TagDeclarations()
    notes.shared = {}
    for name, *note in encoded[1]:
        number = tags.number(name.encode("utf-8", "surrogateescape"))
        notes[number] = (infos[note[0]], note[1]) if len(note) > 1 else TagDeclaration(*note[0])
    return Declared(np.fromiter(notes, np.int64, len(notes)), notes)


def restore(file: EventFile, entry: Any, status: Status, declared: Declared, open_pack: Callable[[], Pack]) -> None:
    """Give a file its data; `status` is its present one, or an earlier one of a file that grew."""
    points = {
        what: RestoredPoints(declared.notes, partial(chunks_of, open_pack(), entry[what], declared.tags))
        for what in ("numbers", "addresses")
        if what in entry
    }
    file.install(_decoded_state(entry, status, declared.notes), points)


def extend(file: EventFile, entry: Any, status: Status, declared: Declared, pack: Pack) -> None:
    """Bring the data of a file that grew up to date; the pack has the new points. Raises DamagedCacheError."""
    numbers, addresses = (
        chunks_of(pack, entry[name], declared.tags) if name in entry else [] for name in ("numbers", "addresses")
    )
    file.extend(_decoded_state(entry, status, declared.notes), numbers, addresses)


def encoded_progress(file: EventFile, tags: TagTable) -> Any:
    """Return what a worker needs to read on where this process has stopped; None where that is not certain."""
    state = file.state()
    if state is None:
        return None
    encoder = Encoder(tags, [])
    entry = encoder.add(Snapshot(state, list(state.declarations.items()), [], []))
    return {**entry, "declarations": encoder.declarations[0]}


def resume(file: EventFile, progress: Any, tags: TagTable) -> None:
    """Go on in a worker where another process has stopped, without its points. Raises OSError.

    The other process knows that it is the same file, which may have another identity on this machine.
    """
    status = status_of(progress)._replace(identity=file.storage.status(file.path).identity)
    declared = decoded_declarations(progress["declarations"], tags)
    file.restore(_decoded_state(progress, status, declared.notes))


def _encoded_state(state: FileState) -> dict[str, Any]:
    checkpoint = state.checkpoint
    return {
        "status": list(checkpoint.status),
        "offset": checkpoint.offset,
        "last": [[offset, data.hex()] for offset, data in checkpoint.last],
        "large_end": checkpoint.large_end,
        "damage": [[offset, *_encoded_reason(reason)] for offset, reason in checkpoint.damage],
        "more_damage": checkpoint.more_damage,
        "suspect_ends": checkpoint.suspect_ends,
        "skipped": [[offset, data.hex()] for offset, data in checkpoint.skipped_headers],
        "grown": checkpoint.is_grown,
        "fingerprint": checkpoint.fingerprint,
        "settled": checkpoint.is_settled,
        "times": [state.first_wall_time, state.last_wall_time],
        "session": state.session,
        "attachments": [[what, tag, offset] for (what, tag), offset in state.attachments.items()],
        "unreadable": [[offset, *_encoded_reason(reason)] for offset, reason in state.unreadable],
        "more_unreadable": state.more_unreadable,
    }


def _decoded_state(entry: Any, status: Status, declarations: TagDeclarations) -> FileState:
    checkpoint = Checkpoint(
        status,
        entry["offset"],
        last_record(entry),
        entry["large_end"],
        [Damage(offset, Reason(code, **arguments)) for offset, code, arguments in entry["damage"]],
        entry["more_damage"],
        list(entry["suspect_ends"]),
        [(offset, bytes.fromhex(data)) for offset, data in entry["skipped"]],
        entry["grown"],
        tuple(entry["fingerprint"]) if entry["fingerprint"] else None,
        entry.get("settled", True),
    )
    first, last = entry["times"]
    return FileState(
        checkpoint,
        first,
        last,
        entry["session"],
        declarations,
        {(what, tag): offset for what, tag, offset in entry["attachments"]},
        [(offset, Reason(code, **arguments)) for offset, code, arguments in entry["unreadable"]],
        entry["more_unreadable"],
    )


def last_record(entry: Any) -> list[tuple[int, bytes]]:
    """Return the header and footer of the last record that was read, each with its offset."""
    return [(offset, bytes.fromhex(data)) for offset, data in entry["last"]]


def status_of(entry: Any) -> Status:
    """Return the status of the file as it was read."""
    identity, size, modified_ns, version = entry["status"]
    return Status(tuple(identity) if isinstance(identity, list) else identity, size, modified_ns, version)


def _encoded_reason(reason: Reason) -> tuple[str, dict[str, Any]]:
    return reason.code, reason.arguments


def _text(encoded: Any) -> str:
    return json.dumps(encoded)
