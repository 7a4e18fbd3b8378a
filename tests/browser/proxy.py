"""A network between browser and server that a test can cut: a TCP proxy on loopback, with its own threads."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

_CHUNK = 1 << 16


class Proxy:
    """Forwards `port` to another port of this machine, and back, while the network is whole."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._links: set[socket.socket] = set()
        self._is_cut = False
        self._held: set[socket.socket] = set()
        self._flows = threading.Event()
        self._flows.set()
        self.refused = 0
        """Connections that came while the network was cut."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        """Start the proxy."""
        threading.Thread(target=self._accept, name="test-proxy", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections and end the proxy."""
        self.cut()
        self._flows.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def cut(self) -> None:
        """Close all connections, and each new one from now on."""
        with self._lock:
            self._is_cut = True
            links, self._links = self._links, set()
        for link in links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def silence(self) -> None:
        """Forward nothing more on the existing connections, without closing them; new ones are forwarded."""
        with self._lock:
            self._held |= self._links
            self._flows.clear()

    def mend(self) -> None:
        """Undo `cut` and `silence`."""
        with self._lock:
            self._is_cut = False
            self._held.clear()
        self._flows.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(near,), name="test-proxy", daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, contextlib.suppress(OSError):
            with self._lock:
                self.refused += self._is_cut
                if self._is_cut:
                    return
            with socket.create_connection(("127.0.0.1", self._target)) as far:
                with self._lock:
                    if self._is_cut:  # meanwhile
                        return
                    self._links.update((near, far))
                back = threading.Thread(target=self._pass_on, args=(far, near), name="test-proxy", daemon=True)
                back.start()
                self._pass_on(near, far)
                back.join()
                with self._lock:
                    self._links.difference_update((near, far))

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                if source in self._held:
                    self._flows.wait()
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
