"""The thread that brings a figure up to date after changes of its logs, at a pace that page and server can take."""

from __future__ import annotations

import atexit
import logging
import threading
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.logs.threads import have_threads, thread_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from tbwidget.logs.source import Changes

log = logging.getLogger("tbwidget")

_MIN_REST = 0.2  # s between two updates
_MAX_REST = 5.0
_BYTES = 1_000_000  # a second
_MESSAGES = 50  # a second: the server drops whatever comes beyond 1,000, also of others
_SHARE = 1 / 20  # of a core at most: this time is taken from the cell that trains
_PATIENCE = 2.0  # s to wait for the thread to end


class Sent(NamedTuple):
    """Traffic of an update."""

    messages: int
    bytes: int


class Feed:
    """One daemon thread that calls `update` with the series that have changed; None: any series may have.

    It ends with `stop` or with the interpreter. Where no thread can be started, what changes is drawn at once.
    """

    def __init__(self, update: Callable[[frozenset[tuple[str, str, str]] | None], Sent]) -> None:
        self._update = update
        self._lock = threading.Lock()
        self._series: frozenset[tuple[str, str, str]] = frozenset()
        self._everything = False
        self._due = threading.Event()
        self._ended = threading.Event()
        # A daemon thread that still runs while the interpreter is taken down may crash it.
        atexit.register(self.stop)
        self._thread = threading.Thread(target=self._run, name="tbwidget-figure", daemon=True)
        self._is_thread = have_threads()
        if self._is_thread:
            self._thread.start()

    def changed(self, changes: Changes | None = None) -> None:
        """Note what changed, or that everything must be redrawn; from any thread, and at once."""
        with self._lock:
            self._series |= changes.series if changes else frozenset()
            self._everything = self._everything or changes is None or changes.catalog
        self._due.set()
        if not self._is_thread and not self._ended.is_set():
            self._update_due()

    def stop(self) -> None:
        """End the thread and wait for it, unless it is the caller."""
        self._ended.set()
        self._due.set()
        atexit.unregister(self.stop)
        if self._is_thread and self._thread is not threading.current_thread():
            self._thread.join(_PATIENCE)

    def _update_due(self) -> Sent:
        with self._lock:
            series, everything = self._series, self._everything
            self._series, self._everything = frozenset(), False
        try:
            return self._update(None if everything else series)
        except Exception:
            log.exception("a figure could not be brought up to date")
            return Sent(0, 0)

    def _run(self) -> None:
        while True:
            self._due.wait()
            if self._ended.is_set():
                return
            self._due.clear()
            begin = thread_time()
            sent = self._update_due()
            spent = thread_time() - begin
            rest = max(_MIN_REST, spent / _SHARE, sent.bytes / _BYTES, sent.messages / _MESSAGES)
            self._ended.wait(min(rest, _MAX_REST))
