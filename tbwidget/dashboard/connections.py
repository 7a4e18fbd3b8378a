"""Notices when a client connects to the kernel's iopub channel: a reloaded page, or another one.

While a cell runs, the messages of such a page wait. ZeroMQ's monitor of the iopub socket sees its connection at once.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from IPython.core.getipython import get_ipython

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger("tbwidget")

_TIMEOUT = 2.0  # seconds to wait for each thread to end

_SETTLING = 0.2
"""Seconds from a connection to its subscription. Messages sent before that are lost."""


class Connections:
    """Calls listeners from its own thread when a client connects. The thread lives while there are listeners.

    `iopub` is the thread of ipykernel that owns the socket; no other thread may use the socket.
    """

    def __init__(self, iopub: Any) -> None:
        self._iopub = iopub
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._listeners: dict[object, Callable[[], None]] = {}
        self._thread: threading.Thread | None = None

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when a client connects. Returns a function that ends this."""
        token = object()
        with self._lock:
            self._listeners[token] = listener
        self._schedule()
        return lambda: self._unsubscribe(token)

    def _unsubscribe(self, token: object) -> None:
        if os.getpid() != self._process:  # a forked child has the listeners, but neither the threads nor the socket
            return
        with self._lock:
            ended = self._listeners.pop(token, None) is not None and not self._listeners
        if ended:
            with suppress(Empty):
                thread = self._schedule().get(timeout=_TIMEOUT)
                if thread is not None and thread is not threading.current_thread():
                    thread.join(_TIMEOUT)

    def _schedule(self) -> SimpleQueue[threading.Thread | None]:
        """Adjust watching in the thread of the socket. The result receives the thread that was told to end, or None."""
        done: SimpleQueue[threading.Thread | None] = SimpleQueue()
        try:
            self._iopub.schedule(lambda: done.put(self._adjust()))
        except Exception:  # noqa: BLE001 (a kernel that ends may raise anything)
            done.put(None)
        return done

    # These run in the thread of the socket, in order. An exception there would lose other messages.

    def _adjust(self) -> threading.Thread | None:
        """Begin or end watching, as the current listeners need it. Returns the thread that was told to end."""
        ended = None
        try:
            with self._lock:
                wanted = bool(self._listeners)
            if wanted and (self._thread is None or not self._thread.is_alive()):
                self._start()
            elif not wanted and self._thread is not None:
                ended, self._thread = self._thread, None
                self._iopub.socket.disable_monitor()
        except Exception:
            log.debug("connections to the kernel are not watched", exc_info=True)
        return ended

    def _start(self) -> None:
        import zmq  # noqa: PLC0415 (ipykernel is here, and depends on it)

        events = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_MONITOR_STOPPED
        # The address is unique, because the previous monitor's may still be in use.
        monitor = self._iopub.socket.get_monitor_socket(events, f"inproc://tbwidget-{uuid4().hex}")
        thread = threading.Thread(target=self._watch, args=(monitor,), name="tbwidget-connections", daemon=True)
        try:
            thread.start()
        except BaseException:
            self._iopub.socket.disable_monitor()
            monitor.close()
            raise
        self._thread = thread

    # These run in the watching thread.

    def _watch(self, monitor: Any) -> None:
        import zmq  # noqa: PLC0415
        from zmq.utils.monitor import recv_monitor_message  # noqa: PLC0415

        # Only the stop event ends this loop: the socket would block if its monitor's messages were not read.
        with suppress(zmq.ZMQError), monitor:  # the kernel ends
            while True:
                try:
                    if recv_monitor_message(monitor)["event"] == zmq.EVENT_MONITOR_STOPPED:
                        break
                except zmq.ZMQError:
                    raise
                except Exception:
                    log.exception("a message of the kernel's socket could not be read")
                    continue
                time.sleep(_SETTLING)
                self._call()

    def _call(self) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for listener in listeners:
            try:
                listener()
            except Exception:
                log.exception("a dashboard could not be sent to a new page")


_connections_of: dict[int, Connections] = {}


def on_connection(listener: Callable[[], None]) -> Callable[[], None]:
    """Call `listener` from another thread when a client connects to this kernel. Returns a function that ends this."""
    kernel = getattr(get_ipython(), "kernel", None)
    iopub = getattr(kernel, "iopub_thread", None)
    if not _can_be_watched(iopub):
        return lambda: None
    return _connections_of.setdefault(id(iopub), Connections(iopub)).subscribe(listener)


def _can_be_watched(iopub: Any) -> bool:
    """Whether this is a running thread with an ordinary socket. In-process kernels have none, nor do forked children.

    A socket of asyncio would answer a request for its monitor with futures.
    """
    try:
        import zmq.asyncio  # noqa: PLC0415
    except ImportError:
        return False
    socket = getattr(iopub, "socket", None)
    ordinary = isinstance(socket, zmq.Socket) and not isinstance(socket, zmq.asyncio.Socket)
    thread = getattr(iopub, "thread", None)
    return ordinary and callable(getattr(iopub, "schedule", None)) and thread is not None and thread.is_alive()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_connections_of.clear)
