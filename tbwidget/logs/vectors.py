"""Vectors in a file of tab-separated numbers, which may be still being written, or in a TensorFlow checkpoint."""

from __future__ import annotations

import codecs
import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tbwidget.logs import vectors_process
from tbwidget.logs.threads import have_threads

if TYPE_CHECKING:
    from tbwidget.records.files.storage import OpenFile

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
    vectors = np.empty(head["shape"], "<f4")
    room = memoryview(vectors).cast("B") if vectors.size else memoryview(bytearray())
    done = 0
    while done < len(room):
        count = process.stdout.readinto(room[done:])  # type: ignore[attr-defined]
        if not count:
            raise ReaderEndedError("the process that reads it ended early")
        done += count
    return vectors.astype(np.float32, copy=False)
