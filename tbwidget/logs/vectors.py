"""Files of an embedding: as of the last poll, and whether each is worth reading yet; vectors and labels in them.

Vectors stand in tab-separated numbers, which may be still being written, or in a TensorFlow checkpoint.
"""

from __future__ import annotations

import codecs
import json
import math
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tbwidget.logs import vectors_process
from tbwidget.logs.threads import have_threads

if TYPE_CHECKING:
    from tbwidget.records.files.storage import OpenFile, Status

Vectors = npt.NDArray[np.float32]

NUMBERS_HERE = 1_000_000
"""Numbers that are parsed by the calling thread, in 0.15 to 0.5 s of CPU time; more are parsed by a process,
which takes longer to start than to parse fewer."""

_CHUNK_BYTES = 1 << 20
_HEAD_BYTES = 4096  # which tell text from other files
_MAX_PROCESS_S = 300.0


class ReaderEndedError(Exception):
    """The process that reads vectors was killed, or crashed: another attempt may succeed."""


class BinaryError(ValueError):
    """The file is not text."""


class Readers:
    """The processes that read vectors for one owner, who can end them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    @contextmanager
    def own(self) -> Iterator[None]:
        """Own the processes that this thread starts."""
        token = _owner.set(self)
        try:
            yield
        finally:
            _owner.reset(token)

    @contextmanager
    def watch(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        """End a process when `close` is called meanwhile, or has been."""
        with self._lock:
            self._running.add(process)
            if self._is_closed:
                process.kill()
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(process)

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            self._is_closed = True
            for process in self._running:
                process.kill()


_owner: ContextVar[Readers | None] = ContextVar("tbwidget-readers", default=None)


def read_table(file: OpenFile, size: int) -> Vectors:
    """Return float32[n, d] of the first `size` bytes of a table. Raises ValueError where it is none.

    The error is a BinaryError where the file is not text. Also raises OSError, and ReaderEndedError.
    """
    first = file.read_at(0, min(size, _CHUNK_BYTES))
    if len(first) in (0, size) and not first.strip():
        return np.empty((0, 0), np.float32)
    if _is_no_text(first[:_HEAD_BYTES]):
        raise BinaryError("not text")
    numbers = (first.count(b"\t") + first.count(b"\n") + 1) * size / len(first)
    if numbers > vectors_process.MAX_NUMBERS:
        raise ValueError(f"about {numbers:,.0f} numbers; at most {vectors_process.MAX_NUMBERS:,} are read")
    if numbers > NUMBERS_HERE and have_threads():
        with suppress(OSError):  # no process can be started here
            return _in_process(["table"], _chunks(file, size, first))
    return vectors_process.parse_table(_lines(_chunks(file, size, first)))


def read_checkpoint(prefix: str, name: str) -> Vectors:
    """Return float32[n, d], a tensor of a TensorFlow checkpoint of this machine, read by TensorFlow.

    Raises ValueError where TensorFlow cannot read it, OSError where no process can be started, and ReaderEndedError.
    """
    return _in_process(["checkpoint", prefix, name], ())


def is_binary(file: OpenFile) -> bool:
    """Whether the file is not text, as far as its beginning tells."""
    return _is_no_text(file.read_at(0, min(file.status().size, _HEAD_BYTES)))


def is_cut_off(file: OpenFile, size: int) -> bool | None:
    """Whether the last line of a table ends before its row does; None: only what follows can tell, no line end does."""
    begin = max(0, size - vectors_process.MAX_LINE_BYTES)
    head, tail = file.read_at(0, min(size, vectors_process.MAX_LINE_BYTES)), file.read_at(begin, size - begin)
    has_long_line = size > len(head) and (b"\n" not in head or b"\n" not in tail)
    if _is_no_text(head[:_HEAD_BYTES]) or has_long_line:
        return False  # no table: reading it says why
    is_ended = tail.endswith(b"\n")
    first, last = head.lstrip(b"\r\n").partition(b"\n")[0], tail.rstrip(b"\r\n").rpartition(b"\n")[2]
    if first.count(b"\t") != last.count(b"\t"):
        return True
    try:
        float(last.rpartition(b"\t")[2])
    except ValueError:
        return not is_ended
    return False if is_ended else None


def _is_no_text(head: bytes) -> bool:
    """Whether the first bytes of a file are not UTF-8 text; they may end inside a character."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return True
    return b"\0" in head


def _chunks(file: OpenFile, size: int, first: bytes) -> Iterator[bytes]:
    yield first
    for begin in range(len(first), size, _CHUNK_BYTES):
        yield file.read_at(begin, min(_CHUNK_BYTES, size - begin))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > vectors_process.MAX_LINE_BYTES:
            break
    if rest:
        yield rest


def _in_process(task: list[str], feed: Iterable[bytes]) -> Vectors:
    """Run `vectors_process` on what it is fed with."""
    # -P: no module beside the script hides one of Python's.
    command = [sys.executable, "-P", vectors_process.__file__, *task]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    # An interrupt, which a notebook sends to the whole process group, does not reach a session of its own.
    readers = _owner.get() or Readers()
    with subprocess.Popen(command, start_new_session=True, **pipes) as process, readers.watch(process):
        killer = threading.Timer(_MAX_PROCESS_S, process.kill)
        killer.daemon = True
        killer.start()
        try:
            with suppress(BrokenPipeError):  # it ended early; its answer, or its exit code, says why
                for chunk in feed:
                    process.stdin.write(chunk)  # type: ignore[union-attr]
            with suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]
            return _answer(process)
        except BaseException:
            process.kill()
            raise
        finally:
            killer.cancel()


def _answer(process: subprocess.Popen[bytes]) -> Vectors:
    assert process.stdout is not None  # noqa: S101 (a pipe was asked for)
    try:
        head = json.loads(process.stdout.readline())
    except ValueError:
        raise ReaderEndedError(f"the process that reads it ended with code {process.wait()}") from None
    if "error" in head:
        raise ValueError(head["error"])
    size = 4 * math.prod(head["shape"])
    content = process.stdout.read(size)
    if len(content) < size:
        raise ReaderEndedError("the process that reads it ended early")
    return np.frombuffer(content, "<f4").reshape(head["shape"]).astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of n vectors."""

    columns: tuple[str, ...]
    """Names of the columns; empty without a header, which only several columns have."""
    rows: list[str] | list[tuple[str, ...]] = field(repr=False)
    """One a vector; tuples if the columns have names."""


@dataclass(frozen=True, slots=True)
class FirstLabels:
    """The beginning of metadata, and the size of the whole."""

    labels: Labels
    """The first rows, with the first cells of each."""
    row_count: int
    """Rows of the whole."""
    column_count: int
    """Names of columns in the header; 0 without one."""
    is_ragged: bool
    """Some of the first rows have more or fewer cells than the header."""


def parse_labels(data: bytes, most_rows: int | None, most_columns: int | None) -> FirstLabels:
    """Parse the first rows and columns of tab-separated text; None: all.

    The first line names the columns if it has a tab (tensorboard/plugins/projector/vz_projector/data-provider.ts).
    """
    is_ended = data in (b"", b"\r") or data.endswith((b"\n", b"\n\r"))
    count = data.count(b"\n") + (0 if is_ended else 1)
    has_header = data.find(b"\t", 0, data.find(b"\n") if b"\n" in data else None) >= 0
    row_count = count - has_header
    rows = row_count if most_rows is None else min(row_count, most_rows)
    lines = islice(_label_lines(data), rows + has_header)
    if not has_header:
        return FirstLabels(Labels((), list(lines)), row_count, 0, is_ragged=False)
    most, is_ragged = -1 if most_columns is None else most_columns, False
    found: list[tuple[str, ...]] = []
    header = next(lines)
    tabs = header.count("\t")
    for line in lines:
        is_ragged = is_ragged or line.count("\t") != tabs
        found.append(_cells(line, most))
    return FirstLabels(Labels(_cells(header, most), found), row_count, tabs + 1, is_ragged)


def _cells(line: str, most: int) -> tuple[str, ...]:
    return tuple(line.split("\t", most)[: most if most >= 0 else None])


def _label_lines(data: bytes) -> Iterator[str]:
    begin = 0
    while begin <= len(data):  # in chunks, between which other threads run
        end = data.find(b"\n", begin + _CHUNK_BYTES)
        end = len(data) if end < 0 else end
        for line in data[begin:end].decode("utf-8", "surrogateescape").split("\n"):
            yield line.removesuffix("\r")
        begin = end + 1


SETTLED_S = 1.0
"""Seconds without a change after which a file counts as complete."""

ABANDONED_S = 60.0
"""Seconds without a change after which the missing rest of a file is waited for no longer."""

_MAX_RETRIES = 2
"""Further attempts to read a file after failures that may pass."""

_versions = count(1)


@dataclass(slots=True, eq=False)
class NamedFile:
    """A file as of the last poll."""

    target: str | None
    """Where it is; None: outside the log directory."""
    status: Status | None = None
    """None: it is not there, or no walk over its remote storage has found it yet."""
    changed: float = 0.0
    """When it changed last, monotonic."""
    growths: int = 0
    """How often it grew, less than `SETTLED_S` after the change before."""
    is_awaited: bool = False
    """A reader met it before it was settled, and wants to know when it is."""
    is_rest_awaited: bool = False
    """A reader waits for the rest of a settled file, and wants to know when it is abandoned."""
    failures: int = 0
    """Attempts to read it that failed for a reason that may pass, since it changed last."""
    is_failed: bool = False
    """The last attempt failed so, and another one is due."""
    version: int = 0
    """Another number whenever it is worth reading again."""

    @property
    def is_growing(self) -> bool:
        """Whether it is worth waiting for more: a file that grew once may be complete."""
        return self.growths > 1

    @property
    def is_settled(self) -> bool:
        """Whether it has not changed for some time."""
        return time.monotonic() - self.changed >= SETTLED_S

    @property
    def is_abandoned(self) -> bool:
        """Whether it has not changed for so long that its rest is no longer expected."""
        return time.monotonic() - self.changed >= ABANDONED_S

    def opened(self, status: Status) -> None:
        """Take over the status of a file that is read before its first poll, which then finds it unchanged."""
        if self.status is None and not self.version:
            self.status = status

    def missed(self) -> None:
        """Note that a reader did not find it before its first poll: once that finds it, it is worth reading."""
        self.is_awaited = self.is_awaited or not self.version

    def update(self, status: Status | None) -> bool:
        """Take over its status; True if the file is worth reading again."""
        before, now = self.status, time.monotonic()
        if status == before and (self.version or status is not None):
            is_complete_now = (self.is_growing or self.is_awaited) and self.is_settled
            if not (is_complete_now or self.is_failed or (self.is_rest_awaited and self.is_abandoned)):
                return False
            if is_complete_now:
                self.growths = 0
        else:
            self.growths = self.growths + 1 if _has_grown(before, status) and not self.is_settled else 0
            self.status, self.changed, self.failures = status, now, 0
            if not self.version and status is not None:  # it may have been there for long
                self.changed = now - max(0.0, time.time() - status.modified_ns / 1e9)
        self.is_awaited = self.is_rest_awaited = self.is_failed = False
        self.version = next(_versions)
        return True

    def fail(self) -> None:
        """Note that reading it failed for a reason that may pass: the next poll asks to read it again."""
        self.failures += 1
        self.is_failed = self.failures <= _MAX_RETRIES


def _has_grown(before: Status | None, status: Status | None) -> bool:
    return (
        before is not None and status is not None and status.identity == before.identity and status.size > before.size
    )
