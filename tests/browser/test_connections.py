"""New clients of a kernel's iopub channel are noticed: real sockets, and ipykernel's own thread."""

from __future__ import annotations

import os
import threading
import time
import types
from collections.abc import Callable, Iterator
from queue import SimpleQueue

import pytest
import zmq
import zmq.asyncio
from ipykernel.inprocess.socket import DummySocket
from ipykernel.iostream import IOPubThread

from tbwidget.dashboard import connections as module
from tbwidget.dashboard.connections import Connections, on_connection
from tests.support.waiting import PATIENCE, wait_for


@pytest.fixture
def context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    with zmq.Context() as made:
        yield made


@pytest.fixture
def address(iopub: IOPubThread) -> str:
    return str(iopub.socket.last_endpoint.decode())


@pytest.fixture
def iopub(context: zmq.Context[zmq.Socket[bytes]]) -> Iterator[IOPubThread]:
    socket = context.socket(zmq.PUB)
    socket.linger = 0
    socket.bind("tcp://127.0.0.1:*")
    thread = IOPubThread(socket)  # type: ignore[no-untyped-call]
    thread.start()  # type: ignore[no-untyped-call]
    yield thread
    thread.stop()  # type: ignore[no-untyped-call]
    thread.close()  # type: ignore[no-untyped-call]


@pytest.fixture
def connect(context: zmq.Context[zmq.Socket[bytes]], address: str) -> Iterator[Callable[[], None]]:
    """Connects another client."""
    made = []

    def one() -> None:
        client = context.socket(zmq.SUB)
        client.linger = 0
        client.subscribe(b"")
        client.connect(address)
        made.append(client)

    yield one
    for client in made:
        client.close()


def watchers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "tbwidget-connections"]


def test_every_listener_notices_each_client(iopub: IOPubThread, connect: Callable[[], None]) -> None:
    connections = Connections(iopub)
    first: list[None] = []
    second: list[None] = []
    end_first = connections.subscribe(lambda: first.append(None))
    end_second = connections.subscribe(lambda: second.append(None))
    wait_for(watchers)
    assert len(watchers()) == 1
    connect()
    wait_for(lambda: len(first) == len(second) == 1)
    end_first()
    end_first()
    connect()
    wait_for(lambda: len(second) == 2)
    assert len(first) == 1
    end_second()
    wait_for(lambda: not watchers())

    end = connections.subscribe(lambda: first.append(None))
    wait_for(watchers)
    connect()
    wait_for(lambda: len(first) == 2)
    assert len(second) == 2
    end()
    wait_for(lambda: not watchers())


def runs_what_is_scheduled(iopub: IOPubThread) -> bool:
    ran = threading.Event()
    iopub.schedule(ran.set)  # type: ignore[no-untyped-call]
    return ran.wait(10)


def test_unsubscribing_and_subscribing_at_once_leaves_one_watcher(
    iopub: IOPubThread, connect: Callable[[], None]
) -> None:
    connections = Connections(iopub)
    seen: list[None] = []
    others: SimpleQueue[Callable[[], None]] = SimpleQueue()
    for _ in range(30):
        end = connections.subscribe(lambda: seen.append(None))
        # Another listener is added after the last one's end, before the socket's thread takes its turn.
        iopub.schedule(lambda: others.put(connections.subscribe(lambda: None)))  # type: ignore[no-untyped-call]
        end()
        others.get(timeout=10)()
    end = connections.subscribe(lambda: seen.append(None))
    # Threads that were told to end may still run: after the next turn of the socket's thread, only one watches.
    connections._schedule().get(timeout=PATIENCE)
    wait_for(lambda: len(watchers()) == 1)
    connect()
    wait_for(lambda: seen)
    end()
    wait_for(lambda: not watchers())


def test_a_listener_that_raises_does_not_affect_others(iopub: IOPubThread, connect: Callable[[], None]) -> None:
    connections = Connections(iopub)
    seen: list[None] = []

    def fails() -> None:
        raise RuntimeError("on purpose")

    ends = [connections.subscribe(fails), connections.subscribe(lambda: seen.append(None))]
    wait_for(watchers)
    connect()
    wait_for(lambda: len(seen) == 1)
    connect()
    wait_for(lambda: len(seen) == 2)
    for end in ends:
        end()
    wait_for(lambda: not watchers())


def test_nothing_is_raised_where_the_socket_cannot_be_watched() -> None:
    iopub = IOPubThread(DummySocket())  # type: ignore[no-untyped-call]
    iopub.start()  # type: ignore[no-untyped-call]
    assert runs_what_is_scheduled(iopub)
    end = Connections(iopub).subscribe(lambda: None)
    assert runs_what_is_scheduled(iopub)
    end()
    assert runs_what_is_scheduled(iopub)
    assert not watchers()
    iopub.stop()  # type: ignore[no-untyped-call]


def test_the_kernel_may_have_closed_its_socket(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    socket = context.socket(zmq.PUB)
    iopub = IOPubThread(socket)  # type: ignore[no-untyped-call]
    iopub.start()  # type: ignore[no-untyped-call]
    end = Connections(iopub).subscribe(lambda: None)
    wait_for(watchers)
    iopub.stop()  # type: ignore[no-untyped-call]
    iopub.close()  # type: ignore[no-untyped-call]
    end()
    wait_for(lambda: not watchers())


def test_only_sockets_of_a_kernel_of_its_own_process_are_watched(
    iopub: IOPubThread, context: zmq.Context[zmq.Socket[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = types.SimpleNamespace(iopub_thread=iopub)
    monkeypatch.setattr(module, "get_ipython", lambda: types.SimpleNamespace(kernel=kernel))
    real = iopub.socket
    with zmq.asyncio.Context.shadow(context).socket(zmq.PUB) as of_asyncio:
        for other in (DummySocket(), of_asyncio, None):
            iopub.socket = other
            on_connection(lambda: None)()
    iopub.socket = real
    assert not module._connections_of
    end = on_connection(lambda: None)
    wait_for(watchers)
    assert list(module._connections_of) == [id(iopub)]

    child = os.fork()
    if not child:  # it has neither the threads nor the sockets; ending there what its parent began is nothing
        failed = 1
        try:
            began = time.monotonic()
            end()
            on_connection(lambda: None)()
            failed = int(bool(module._connections_of) or time.monotonic() - began > 1.0)
        finally:
            os._exit(failed)
    assert os.waitpid(child, 0)[1] == 0
    assert len(watchers()) == 1
    end()
    wait_for(lambda: not watchers())
    module._connections_of.clear()
