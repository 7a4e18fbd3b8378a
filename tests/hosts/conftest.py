"""Fixtures of the tests of hosts: a page of Chromium, and a server of a host that ends with its test."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer
from tests.browser.window import PATIENCE
from tests.hosts.firefox import Firefox

os.environ["TBWIDGET_CACHE"] = "0"  # for kernels: they read and write nothing in the user's home

Serve = Callable[[Sequence[str]], str]
"""Takes the arguments of `python -m`, containing {port}; returns the address of the server once it answers."""

OpenPage = Callable[[str], Page]
"""Takes an address; returns the page once it is loaded."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    with Chromium() as running:
        yield running


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with Firefox(tmp_path_factory.mktemp("downloads")) as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Iterator[JupyterServer]:
    with JupyterServer() as running:
        yield running


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a host's server in `tmp_path`, with its log in host.log there."""
    started: list[subprocess.Popen[bytes]] = []

    def start(arguments: Sequence[str]) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", *(argument.format(port=port) for argument in arguments)]
        with (tmp_path / "host.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log, start_new_session=True)
        started.append(process)
        address = f"http://127.0.0.1:{port}/"
        end = time.monotonic() + 2 * PATIENCE
        while not _answers(address):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError((tmp_path / "host.log").read_text(errors="replace")[-4000:])
            time.sleep(0.2)
        return address

    yield start
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def open_page(chromium: Chromium) -> Iterator[OpenPage]:
    """Opens pages of Chromium, which are closed with the test; an error in one of them fails the test."""
    errors: list[str] = []
    pages: list[Page] = []

    def opened(address: str) -> Page:
        page = chromium.context((1400, 1000), 1).new_page()
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
        page.goto(address)
        return page

    yield opened
    for page in pages:
        page.context.close()
    assert errors == []


def _answers(address: str) -> bool:
    # A page may take as long as its notebook, but a missing one is answered at once.
    try:
        urllib.request.urlopen(f"{address}not-there", timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
