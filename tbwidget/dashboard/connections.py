"""Notices when a client connects to the kernel's iopub channel: a page that was loaded again, or another one.

While a cell runs, such a page may not make itself heard. Its connection to the socket that all messages leave by is
seen all the same, by ZeroMQ's own monitor of that socket.
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

_TIMEOUT = 2.0  # seconds that ending waits for each thread

_SETTLING = 0.2
"""Seconds from the connection to its subscription, before which all that is sent is lost."""


class Connections:
    """Calls back, from a thread of its own, when a client connects; that thread lives while there are listeners.

    `iopub` is ipykernel's thread that owns the socket: sockets are for one thread alone.
    """

    def __init__(self, iopub: Any) -> None:
        self._iopub = iopub
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._listeners: dict[object, Callable[[], None]] = {}
        self._thread: threading.Thread | None = None

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call back when a client connects; returns how to end that."""
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
        """Have the thread of the socket watch as long as there are listeners; returns where it says what it ended."""
        done: SimpleQueue[threading.Thread | None] = SimpleQueue()
        try:
            self._iopub.schedule(lambda: done.put(self._adjust()))
        except Exception:  # noqa: BLE001 (whatever a kernel that ends raises)
            done.put(None)
        return done

    # In the thread of the socket, where these come in their order. What is raised there would cost other messages.

    def _adjust(self) -> threading.Thread | None:
        """Begin or end watching, as the listeners of this moment need it; returns the thread that is told to end."""
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
        import zmq  # noqa: PLC0415 (there is ipykernel, whose dependency it is)

        events = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_MONITOR_STOPPED
        # By an address of its own: that of the monitor before may still be in use.
        monitor = self._iopub.socket.get_monitor_socket(events, f"inproc://tbwidget-{uuid4().hex}")
        thread = threading.Thread(target=self._watch, args=(monitor,), name="tbwidget-connections", daemon=True)
        try:
            thread.start()
        except BaseException:
            self._iopub.socket.disable_monitor()
            monitor.close()
            raise
        self._thread = thread

    # In the thread of its own.

    def _watch(self, monitor: Any) -> None:
        import zmq  # noqa: PLC0415
        from zmq.utils.monitor import recv_monitor_message  # noqa: PLC0415

        # Nothing else ends it: where nobody took the monitor's messages, the socket would wait for that.
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
    """Call back, from another thread, when a client connects to this kernel, if it is one; returns how to end that."""
    kernel = getattr(get_ipython(), "kernel", None)
    iopub = getattr(kernel, "iopub_thread", None)
    if not _can_be_watched(iopub):
        return lambda: None
    return _connections_of.setdefault(id(iopub), Connections(iopub)).subscribe(listener)


def _can_be_watched(iopub: Any) -> bool:
    """Whether it is a thread that runs, also after a fork, and has a socket: kernels in a process of others have none.

    ZeroMQ's monitor is asked for from an ordinary socket: one of asyncio would answer with futures.
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
