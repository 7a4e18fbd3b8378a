"""Sends the messages of a channel to the browser: in a thread, or in the event loop where there are none."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import ExitStack
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from tbwidget.logs.threads import have_threads, short_switch_interval, thread_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from tbwidget.wire.channel import Channel
    from tbwidget.wire.message import Message


class EventLoopTask:
    """Calls `step`, which does one thing that is due, and returns the seconds until another may be.

    Where no event loop runs, only `run` does that.
    """

    def __init__(self, step: Callable[[], float]) -> None:
        self._step = step
        self._running = False
        self._again = False
        self._ended = False
        self._later: asyncio.TimerHandle | None = None

    def run(self) -> None:
        """Do one thing if one is due. If that asks for more in the middle, do that, too."""
        if self._ended:
            return
        if self._running:
            self._again = True
            return
        self._running = True
        wait = _AFTER_ERROR
        try:
            wait = self._step()
            if self._again:
                self._again = False
                wait = self._step()
        finally:
            self._running = False
            self.run_later(wait)

    def run_later(self, wait: float) -> None:
        """Do the next thing after `wait` seconds, instead of when it was due."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # what a loop does later stays
            return
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if not self._ended:
            self._later = loop.call_later(wait, self.run)

    def end(self) -> None:
        """Do nothing more."""
        self._ended = True
        if self._later is not None:
            self._later.cancel()
            self._later = None


log = logging.getLogger("tbwidget")

_SHARE = 1 / 200  # of a core that small messages may take beside a training cell
_SMALL_MESSAGE = 50_000  # bytes
_MAX_PAUSE_S = 0.15  # seconds after one of them, however much it cost: many tags that grow are seen as soon as few
_AFTER_ERROR = 2.0  # seconds until the next step after one that raised
_MAX_WAIT_S = 5.0  # seconds between calls of the channel; `wake` ends the wait at once


class Sender:
    """Sends the messages of one channel, from `start` to `close`, while the channel has clients.

    `send` takes the header and the buffer of each. It may raise anything: a later keyframe replaces a lost message.
    Without clients the thread ends: `paused` is called then, from that thread, and `resumed` before it begins again.
    """

    def __init__(
        self,
        channel: Channel,
        send: Callable[[dict[str, Any], bytes], object],
        *,
        paused: Callable[[], object] = lambda: None,
        resumed: Callable[[], object] = lambda: None,
    ) -> None:
        self._channel = channel
        self._send = send
        self._on_paused, self._on_resumed = paused, resumed
        self._closed = threading.Event()
        self._wake = threading.Event()
        self._failing = False
        # ipykernel 7.0 finds in its context which cell a message belongs to, and without that cannot send any.
        self._context = copy_context()
        self._lock = threading.Lock()
        self.paused = False
        """The thread has ended for lack of clients."""
        self._thread = self._new_thread()
        self._task = None if have_threads() else EventLoopTask(self._send_due)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._context.copy().run, args=(self._run,), name="tbwidget-sender", daemon=True)

    def start(self) -> None:
        """Begin; the cell that made the dashboard counts as a client now."""
        self._channel.note_client()
        if self._task is None:
            self._thread.start()
        else:
            self._task.run_later(0.0)

    def resume(self) -> None:
        """Send at once, also after a pause: the channel has heard of a client. From any thread."""
        with self._lock:
            if self.paused and not self._closed.is_set():
                self.paused = False
                self._thread = self._new_thread()
                self._on_resumed()
                self._thread.start()
        self.wake()

    def wake(self) -> None:
        """Ask the channel at once: something was posted to it. From any thread."""
        self._wake.set()
        if self._task is not None:
            self._task.run()

    def close(self, timeout: float) -> None:
        """End the thread, and wait for it at most `timeout` seconds unless it is the caller."""
        with self._lock:
            self._closed.set()
            thread = self._thread
        self._wake.set()
        if self._task is not None:
            self._task.end()
        if thread.ident is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _run(self) -> None:
        # Beside a thread that computes all the time, the initial scan mostly waits for Python's lock.
        with ExitStack() as opening:
            opening.enter_context(short_switch_interval())
            paused = self._send_until_paused(opening)
        if paused:
            self._on_paused()

    def _send_until_paused(self, opening: ExitStack) -> bool:
        """Send messages when they are due. Return False after `close`, True once no client is left.

        `opening` is closed once the data of the initial scan were sent.
        """
        while not self._closed.is_set():
            now = time.monotonic()
            if self._channel.is_abandoned(now):
                with self._lock:  # the thread ends, unless a client was heard meanwhile
                    self.paused = self._channel.is_abandoned(time.monotonic()) and not self._closed.is_set()
                    if self.paused:
                        return True
            if not self._channel.opening:
                opening.close()
            begin = thread_time()
            sent = self._send_next(now)
            if sent is None:
                self._closed.wait(_AFTER_ERROR)
                continue
            message, wait = sent
            if message is not None and len(message.buffer) < _SMALL_MESSAGE:
                # The training cell shares the core with this thread.
                self._closed.wait(min((thread_time() - begin) / _SHARE, _MAX_PAUSE_S))
            # A wake never hurries the next message: the channel keeps its pace.
            self._wake.wait(wait)
            self._wake.clear()
        return False

    def _send_due(self) -> float:
        """Send one message if it is due; returns the seconds until another may be."""
        now = time.monotonic()
        if self._channel.is_abandoned(now):
            return _MAX_WAIT_S
        sent = self._send_next(now)
        return _AFTER_ERROR if sent is None else sent[1]

    def _send_next(self, now: float) -> tuple[Message | None, float] | None:
        """Send the message that is due, if any; return it, and the seconds until the next may be. None: that failed."""
        try:
            message, wait = self._channel.next_message(now)
        except Exception:
            log.exception("composing a message failed")
            self._channel.repeat()
            return None
        if message is not None:
            try:
                self._send(message.header, message.buffer)
            except Exception:
                if not self._failing:
                    log.exception("sending a message failed")
                self._failing = True
            else:
                self._failing = False
        return message, min(wait, _MAX_WAIT_S)
