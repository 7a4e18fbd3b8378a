"""The cache of columns of one log directory: what an earlier process read is used again, without reading the logs.

A file is taken from the cache where its status is the same as when it was read; where it has grown, and the last record
that was read is still in place; and where it is a copy of the same size and time with that record. Every other file is
read. Where anything is wrong with the cache, the logs are read.

Files are kept that were read to their end and have not changed for some seconds, unless they end in damage: those are
cheap to read again. Files that are kept already stay in their packs. All packs are written again as one where they
become many, or where much of them is unused.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import count
from typing import Any, NamedTuple

from tbwidget.logs.cachefiles import CacheDirectory, DamagedCacheError, Pack, PackName, cache_path, evict
from tbwidget.logs.engine.entries import (
    Declared,
    Encoder,
    Snapshot,
    decoded_declarations,
    last_record,
    restore,
    status_of,
)
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.roots import Root
from tbwidget.logs.threads import thread_time
from tbwidget.records.files.storage import Status
from tbwidget.records.files.urls import ConnectionKey
from tbwidget.records.values.forms import FORMS
from tbwidget.records.values.summary import TagTable

log = logging.getLogger("tbwidget")

DECODER = 2
"""Number of the meaning of values: raised whenever the same bytes are read differently, which empties all caches."""

MIN_READ_S = 1.0
"""CPU seconds of reading that are worth to be kept."""
MIN_FETCHED_BYTES = 32 << 20
"""Bytes from remote storage that are worth to be kept."""
_IDLE_S = 10.0  # without a change, before a file is kept
_INTERVAL_S = 60.0
_PACK_BYTES = 256 << 20
_MAX_PACKS = 8  # that are not full
_MAX_DEAD_SHARE = 0.3

Lock = AbstractContextManager[Any]
Token = tuple[int, int]
"""Generation of a file's data, and the offset that it was read to: equal as long as nothing else was read."""


class _Kept(NamedTuple):
    """A file in the cache."""

    token: Token
    entry: dict[str, Any]
    pack: int
    """Number of its pack in this process."""


class Cache:
    """The caches of the directories that one reader reads. Errors are logged; nothing is raised."""

    def __init__(self, roots: Iterable[Root], tags: TagTable) -> None:
        self._tags = tags
        self._roots = list(roots)
        self._directories: dict[Root, _RootCache] | None = None
        self._read_s = 0.0  # since it was written last
        self._fetched = 0  # by the storages, when it was written last
        self._written = -_INTERVAL_S  # monotonic
        self._writing = threading.Lock()

    def restored(self, root: Root, make: Callable[[], EventFile]) -> tuple[EventFile, bool]:
        """Make a file; return it and whether it has its data already. The caller holds the reader's lock."""
        try:
            if self._directories is None:
                self._directories = _directories(self._roots, self._tags)
            directory, file = self._directories.get(root), make()
            return file, directory is not None and directory.restore(file)
        except Exception as error:  # noqa: BLE001 (the logs are read instead)
            log.debug("no cache for %s: %r", root.path, error)
            return make(), False

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Count the CPU time of a reading."""
        begun = thread_time()
        try:
            yield
        finally:
            self._read_s += thread_time() - begun

    def add(self, cpu_s: float) -> None:
        """Count CPU seconds of workers."""
        self._read_s += cpu_s

    @property
    def is_due(self) -> bool:
        """Whether enough was read since the cache was written last, and that is long ago."""
        return time.monotonic() - self._written >= _INTERVAL_S and self.is_worthwhile

    @property
    def is_worthwhile(self) -> bool:
        """Whether enough was read since the cache was written last."""
        return self._read_s >= MIN_READ_S or self._bytes_fetched() - self._fetched >= MIN_FETCHED_BYTES

    def _bytes_fetched(self) -> int:
        return sum(storage.bytes_fetched for storage in {root.storage for root in self._roots})

    def write(self, files: Mapping[Root, Mapping[str, EventFile]], lock: Lock, fair_lock: Lock) -> None:
        """Keep the files of each directory. The locks are the reader's, taken for one file after the other.

        Do nothing while another thread does this.
        """
        if self._writing.acquire(blocking=False):
            try:
                self._write(files, lock, fair_lock)
            finally:
                self._writing.release()

    def _write(self, files: Mapping[Root, Mapping[str, EventFile]], lock: Lock, fair_lock: Lock) -> None:
        self._written = time.monotonic()
        kept = left = 0
        for root, of_root in files.items():
            try:
                if self._directories is None:
                    self._directories = _directories(self._roots, self._tags)
                if root in self._directories:
                    sizes = self._directories[root].write(of_root.values(), lock, fair_lock)
                    kept, left = kept + sizes[0], left + sizes[1]
            except Exception as error:  # noqa: BLE001 (the next process reads the logs)
                log.debug("no cache for %s: %r", root.path, error)
        # Files that still change are kept once they are idle: count what it took to read them.
        share, fetched = left / max(1, kept + left), self._bytes_fetched()
        self._read_s *= share
        self._fetched = fetched - int(share * (fetched - self._fetched))


def _directories(roots: Iterable[Root], tags: TagTable) -> dict[Root, _RootCache]:
    path = cache_path()
    found = {}
    for root in roots if path is not None else ():
        key = root.storage.key
        place = key.place if isinstance(key, ConnectionKey) else key
        if isinstance(place, str) and path is not None:
            where = root.storage.canonical(root.path)
            name = hashlib.sha256(f"{place}\n{where}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
            found[root] = _RootCache(CacheDirectory(path / name, where), root, tags)
    return found


class _RootCache:
    """The cache of one directory."""

    def __init__(self, directory: CacheDirectory, root: Root, tags: TagTable) -> None:
        self._directory = directory
        self._root = root
        self._tags = tags
        self._pack_numbers = count()
        self._packs: dict[int, PackName] = {}
        self._opened: dict[int, Pack] = {}
        self._entries: dict[str, _Kept] = {}  # by name in the directory; the tokens of files not restored are none's
        self._declarations: list[Any] = []
        self._declared: dict[int, Declared] = {}
        try:
            body = directory.read_index()
            if body is not None:
                self._take_over(body)
        except Exception as error:  # noqa: BLE001 (the logs are read instead)
            log.debug("no cache for %s: %r", root.path, error)

    def _take_over(self, body: Any) -> None:
        if body["versions"] != _versions():
            return
        packs = {next(self._pack_numbers): PackName(*pack) for pack in body["packs"]}
        opened = {number: self._directory.open_pack(pack) for number, pack in packs.items()}
        self._entries = {name: _Kept((-1, -1), entry, entry["pack"]) for name, entry in body["files"].items()}
        self._packs, self._opened, self._declarations = packs, opened, body["declarations"]
        self._directory.touch()

    def _name(self, file: EventFile) -> str:
        """The name of a file in this directory, whatever the directory is called."""
        return file.name.removeprefix(f"{self._root.name}/") if self._root.name else file.name

    def restore(self, file: EventFile) -> bool:
        name = self._name(file)
        kept = self._entries.get(name)
        if kept is None:
            return False
        status = accepted_status(file, kept.entry)
        if status is None:
            return False
        number = kept.entry["declarations"]
        declared = self._declared.get(number)
        if declared is None:
            declared = self._declared[number] = decoded_declarations(self._declarations[number], self._tags)
        restore(file, kept.entry, status, declared, lambda: self._pack(kept.pack))
        self._entries[name] = kept._replace(token=token_of(file))
        return True

    def _pack(self, number: int) -> Pack:
        found = self._opened.get(number)
        if found is None:
            found = self._opened[number] = self._directory.open_pack(self._packs[number])
        return found

    def write(self, files: Iterable[EventFile], lock: Lock, fair_lock: Lock) -> tuple[int, int]:
        """Return how many bytes the files have that were kept now, and those that still change."""
        files = list(files)
        kept = {name: each for file in files if (each := self._entries.get(name := self._name(file)))}
        others = [file for file in files if not self._is_kept(file)]
        fresh = self._snapshots(others, lock, fair_lock)
        left = [file for file in others if self._name(file) not in fresh and not _is_idle(file)]
        sizes = _size(file for file in others if self._name(file) in fresh), _size(left)
        if not fresh:
            return sizes
        live = sum(each.entry["bytes"] for name, each in kept.items() if name not in fresh)
        dead = sum(pack.size for pack in self._packs.values()) - live
        small = sum(pack.size < _PACK_BYTES for pack in self._packs.values())
        is_whole = small >= _MAX_PACKS or dead > _MAX_DEAD_SHARE * (live + dead)
        if is_whole or not self._directory.has_packs(self._packs.values()):
            fresh |= self._snapshots([file for file in files if self._is_kept(file)], lock, fair_lock)
            self._write({}, fresh, [], lock)
        else:
            self._write(kept, fresh, list(self._declarations), lock)
        evict(self._directory.path)
        return sizes

    def _is_kept(self, file: EventFile) -> bool:
        kept = self._entries.get(self._name(file))
        return kept is not None and kept.token == token_of(file)

    def _snapshots(self, files: Iterable[EventFile], lock: Lock, fair_lock: Lock) -> dict[str, tuple[Token, Snapshot]]:
        found = {}
        for file in files:
            with fair_lock:
                pass
            with lock:
                try:
                    snapshot = Snapshot.of(file) if _is_idle(file) else None
                except DamagedCacheError:
                    snapshot = None  # it is read when it is asked for
                token = token_of(file)
            if snapshot is not None:
                found[self._name(file)] = token, snapshot
        return found

    def _write(
        self, kept: dict[str, _Kept], fresh: dict[str, tuple[Token, Snapshot]], declarations: list[Any], lock: Lock
    ) -> None:
        """Write packs of the fresh files, and an index of all. A failure removes the packs written so far."""
        written: list[PackName] = []
        try:
            self._write_packs(kept, fresh, declarations, lock, written)
        except BaseException:
            self._directory.remove_packs(written)
            raise

    def _write_packs(
        self,
        kept: dict[str, _Kept],
        fresh: dict[str, tuple[Token, Snapshot]],
        declarations: list[Any],
        lock: Lock,
        written: list[PackName],
    ) -> None:
        packs, made = dict(self._packs), dict(kept)
        encoder, of_pack = Encoder(self._tags, declarations), dict[str, _Kept]()
        size = sum(packs[number].size for number in {each.pack for each in kept.values()})

        def finish() -> None:
            if not self._directory.has_room(size + sum(pack.size for pack in written) + encoder.size):
                raise OSError("too large for the free space")
            packs[number] = self._directory.write_pack(encoder.ordered())
            written.append(packs[number])
            made.update(of_pack)

        number = next(self._pack_numbers)
        for name, (token, snapshot) in fresh.items():
            if encoder.size > _PACK_BYTES:
                finish()
                encoder, of_pack, number = Encoder(self._tags, declarations), {}, next(self._pack_numbers)
            of_pack[name] = _Kept(token, encoder.add(snapshot), number)
        finish()
        used = sorted({each.pack for each in made.values()})
        places = {number: place for place, number in enumerate(used)}
        self._directory.write_index(
            {
                "versions": _versions(),
                "packs": [list(packs[number]) for number in used],
                "declarations": declarations,
                "files": {name: {**each.entry, "pack": places[each.pack]} for name, each in made.items()},
            }
        )
        with lock:
            self._packs = {number: packs[number] for number in used}
            self._opened = {number: pack for number, pack in self._opened.items() if number in self._packs}
            self._entries, self._declarations, self._declared = made, declarations, {}


def _versions() -> list[Any]:
    """Numbers that must be the same for a cache to be used: addresses hold the places of forms."""
    return [DECODER, zlib.crc32(repr(FORMS).encode())]


def _size(files: Iterable[EventFile]) -> int:
    return sum(file.records.offset for file in files)


def token_of(file: EventFile) -> Token:
    """How far a file was read."""
    return file.generation, file.records.offset


def _is_idle(file: EventFile) -> bool:
    """Whether a file has not changed for some time, so that its status shows each later change."""
    try:
        status = file.storage.status(file.path)
    except OSError:
        return False
    changed = [status.modified_ns, *([status.version] if isinstance(status.version, int) else [])]
    return file.records.unchanged(status) and max(changed) / 1e9 < time.time() - _IDLE_S


def accepted_status(file: EventFile, entry: Any) -> Status | None:
    """Return the status that a file was kept with, or the present one of a copy; None if the file is another one.

    Where a file grew, the reader compares the last record and reads on. Raises OSError.
    """
    before, status = status_of(entry), file.storage.status(file.path)
    if status == before:
        return before
    if status.identity == before.identity:
        if file.storage.is_remote and (status.size, status.version) == (before.size, before.version):
            return status  # which process has seen the last change decides by which clock it is dated
        return before if status.size > before.size else None
    if (status.size, status.modified_ns) != (before.size, before.modified_ns) or file.storage.is_remote:
        return None
    with closing(file.storage.open(file.path)) as opened:
        is_same = all(opened.read_at(offset, len(data)) == data for offset, data in last_record(entry))
        return status if is_same and opened.status() == status else None
