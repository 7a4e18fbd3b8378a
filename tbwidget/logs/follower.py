"""The background thread that keeps a log directory up to date."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tbwidget.logs.logdir import LogDir

_EVERYWHERE = 1.0  # s between looks at all files
_SLOWEST = 2.0  # s between looks at files that grow, however much they cost
_SHARE = 1 / 200  # of a core for each of the two sorts of looks
_PATIENCE = 5.0  # s to wait for the thread to end; a dead file system may hold it for longer


class Follower:
    """One daemon thread. It ends with `stop`, with the interpreter, or when nobody holds the log directory any more."""

    def __init__(self, logs: weakref.ref[LogDir], interval: float) -> None:
        self.interval = interval
        """Seconds between looks at files that grow."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(logs,), name="tbwidget-follower", daemon=True)
        # A daemon thread that still runs while the interpreter is taken down may crash it.
        atexit.register(self.stop)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it, unless it is the caller."""
        self._stop.set()
        atexit.unregister(self.stop)
        if self._thread is not threading.current_thread():
            self._thread.join(_PATIENCE)

    def _run(self, reference: weakref.ref[LogDir]) -> None:
        next_everywhere = 0.0
        while not self._stop.is_set():
            logs = reference()
            if logs is None:
                return
            everywhere = time.monotonic() >= next_everywhere
            spent = logs.look(everywhere=everywhere)
            rest = spent / _SHARE
            now = time.monotonic()
            if everywhere:
                next_everywhere = now + max(_EVERYWHERE, rest)
                rest = 0.0
            growing = logs.growing
            del logs  # so that it can go while this thread sleeps
            until_everywhere = max(0.0, next_everywhere - now)
            self._stop.wait(
                min(max(self.interval, min(rest, _SLOWEST)), until_everywhere) if growing else until_everywhere
            )
