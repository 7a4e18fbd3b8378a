"""Servers of remote storage, each in its own process."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

_START_S = 60.0


class Store(NamedTuple):
    """A log directory on a server, which gets copies of local files."""

    url: str
    options: Mapping[str, Any]
    upload: Callable[[Path], None]
    """Makes the remote files equal to a local directory; equal files are left alone."""


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], port: int, folder: Path, **environment: str) -> Iterator[None]:
    """Run a server until the end of the context; its output is in `folder`."""
    log = folder / "server.log"
    with (
        log.open("wb") as file,
        subprocess.Popen(command, stdout=file, stderr=file, cwd=folder, env=environment or None) as process,
    ):
        try:
            end = time.monotonic() + _START_S
            while not _listens(port):
                if process.poll() is not None or time.monotonic() > end:
                    pytest.fail(f"{command[0]} does not start: {log.read_text()[-2000:]}", pytrace=False)
                time.sleep(0.1)
            yield
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def mirror(filesystem: Any, root: str, directory: Path) -> None:
    """Make the objects below `root` equal to the files of a directory."""
    filesystem.invalidate_cache()
    files = {f"{root}/{path.relative_to(directory).as_posix()}": path for path in directory.rglob("*")}
    files = {key: path for key, path in files.items() if path.is_file()}
    try:
        there = filesystem.find(root)
    except FileNotFoundError:
        there = []
    for key in there:
        if key not in files:
            filesystem.rm_file(key)
    for key, path in files.items():
        data = path.read_bytes()
        if key not in there or filesystem.cat_file(key) != data:
            filesystem.pipe_file(key, data)
