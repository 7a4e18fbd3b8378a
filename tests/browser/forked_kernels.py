"""Kernels forked from one process that has imported what they need: to import it takes as long as most tests.

    python forked_kernels.py SOCKET                    the process that forks
    python forked_kernels.py SOCKET CONNECTION_FILE    what a Jupyter server starts as a kernel

A kernel is ipykernel's as it comes, with the environment, folder and output of the process that the server has started.
What interrupts or ends that process does so to the kernel. Linux only.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import signal
import socket
import sys
from pathlib import Path

_LARGEST = 1 << 18
"""Bytes of a request, of which the environment is the larger part."""

_IMPORTED = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "IPython.core.completer"),
    *("numpy", "google.protobuf.message", "tensorboardX"),
)
"""None of ours, so that a kernel imports tbwidget as anyone's does; nor ipywidgets, which asks for its kernel then."""


def _fork_kernels(path: str) -> None:
    """Listen on a socket, and fork a kernel for each connection."""
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # read when ipykernel is imported
    for name in _IMPORTED:
        importlib.import_module(name)
    if len(list(Path("/proc/self/task").iterdir())) > 1:
        raise RuntimeError("an import has started a thread, which forks would lack")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(path)
        listening.listen()
        while True:
            connection = listening.accept()[0]
            if os.fork() == 0:
                listening.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _run_kernel(connection)
            connection.close()


def _run_kernel(connection: socket.socket) -> None:
    data, outputs, _, _ = socket.recv_fds(connection, _LARGEST, 2)
    request = json.loads(data)
    os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    for number, output in enumerate(outputs, 1):
        os.dup2(output, number)
        os.close(output)
    connection.sendall(str(os.getpid()).encode())
    # When the other process ends, SIGIO ends this one, whatever it does.
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETFL, os.O_ASYNC)
    sys.argv = ["ipykernel_launcher", "-f", request["file"]]
    importlib.import_module("ipykernel.kernelapp").launch_new_instance()
    sys.exit()


def _await_kernel(path: str, connection_file: str) -> None:
    """Ask for a kernel, and pass signals on to it; returns when it has ended."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(path)
        request = {"file": connection_file, "folder": str(Path.cwd()), "environment": dict(os.environ)}
        socket.send_fds(connection, [json.dumps(request).encode()], [1, 2])
        kernel = int(connection.recv(20))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _frame: os.kill(kernel, number))
        connection.recv(1)


if __name__ == "__main__":
    (_fork_kernels if len(sys.argv) == 2 else _await_kernel)(*sys.argv[1:])
