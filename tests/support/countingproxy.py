"""An HTTP proxy that counts requests and breaks connections, because tests assert counts, not times."""

from __future__ import annotations

import re
import socket
import socketserver
import struct
import threading
import time
from contextlib import suppress
from typing import Any, Self

_REQUEST = re.compile(rb"(?:^|\r\n)(GET|HEAD|PUT|POST|DELETE) (\S+) HTTP/1\.[01]\r\n")


class CountingProxy:
    """Forwards bytes to a server on this machine."""

    def __init__(self, port: int) -> None:
        self.requests: list[tuple[str, str]] = []
        """Method and target of each request."""
        self.delay = 0.0
        """Seconds before the first bytes of each answer."""
        self.resets_after: int | None = None
        """Bytes of answers on one connection, after which it is reset; None: never."""
        self.held: str | None = None
        """Part of the targets of requests that stay unanswered until `release`."""
        self.is_held = threading.Event()
        """Set once such a request has arrived."""
        self._released = threading.Event()
        self.open_connections = 0
        self.answer: bytes | None = None
        """Answers all requests instead of the server."""
        self.answers: dict[str, bytes] = {}
        """Answers, instead of the server's, for requests whose targets contain a text."""
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                proxy._serve(self.request, port)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

            def shutdown_request(self, request: Any) -> None:
                self.close_request(request)  # without shutdown, so that the connection is reset

            def handle_error(self, *_: Any) -> None:
                """Ignore errors: tests break connections on purpose."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def count(self) -> dict[str, int]:
        """Return the number of requests by method; a GET without a key is a LIST."""
        found: dict[str, int] = {}
        for method, target in self.requests:
            name = "LIST" if method == "GET" and "list-type=2" in target else method
            found[name] = found.get(name, 0) + 1
        return found

    def release(self) -> None:
        """Answer the held requests, and hold no others."""
        self.held = None
        self._released.set()

    def _serve(self, client: socket.socket, port: int) -> None:
        self.open_connections += 1
        try:
            self._pass_on(client, port)
        finally:
            self.open_connections -= 1

    def _pass_on(self, client: socket.socket, port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as server:
            back = threading.Thread(target=self._pass_back, args=(server, client), daemon=True)
            back.start()
            with suppress(OSError):
                while data := client.recv(1 << 16):
                    found = _REQUEST.findall(data)
                    self.requests += [(method.decode(), target.decode()) for method, target in found]
                    if self.held is not None and any(self.held.encode() in target for _, target in found):
                        self.is_held.set()
                        self._wait_for_release(client)
                    answer = self._answer_to([target.decode() for _, target in found])
                    if answer is not None:
                        client.sendall(answer)
                    else:
                        server.sendall(data)
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            back.join()

    def _answer_to(self, targets: list[str]) -> bytes | None:
        """Return the configured answer that replaces the server's, if any."""
        if targets and self.answer is not None:
            return self.answer
        return next((data for part, data in self.answers.items() if any(part in target for target in targets)), None)

    def _wait_for_release(self, client: socket.socket) -> None:
        """Wait, but no longer than the client does. Raises OSError once it has closed the connection."""
        client.settimeout(0.05)
        while not self._released.is_set():
            with suppress(TimeoutError):
                if not client.recv(1, socket.MSG_PEEK):
                    raise ConnectionAbortedError
        client.settimeout(None)

    def _pass_back(self, server: socket.socket, client: socket.socket) -> None:
        passed = 0
        with suppress(OSError):
            while data := server.recv(1 << 16):
                time.sleep(self.delay)
                if self.resets_after is not None and passed + len(data) > self.resets_after:
                    client.sendall(data[: max(0, self.resets_after - passed)])
                    # The other side sees a reset, not an end.
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    client.shutdown(socket.SHUT_RD)  # so that the handler ends, and closes it
                    return
                passed += len(data)
                client.sendall(data)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
