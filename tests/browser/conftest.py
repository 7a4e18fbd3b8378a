"""One JupyterLab for all browser tests, with this environment's kernel, and the Chromium to look at it with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage

ROOT = Path(__file__).resolve().parents[2]

Open = Callable[[str], NotebookPage]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; without one the tests fail, for a skip would look like success."""
    found = subprocess.run(
        [sys.executable, ROOT / "tools" / "chromium.py"], capture_output=True, text=True, timeout=600, check=False
    )
    if found.returncode != 0:
        pytest.fail(found.stderr, pytrace=False)
    return found.stdout.strip()


@pytest.fixture(scope="session")
def server() -> Iterator[JupyterServer]:
    with JupyterServer() as running:
        yield running


@pytest.fixture
def open_notebook(server: JupyterServer, chromium: str) -> Iterator[Open]:
    """Opens notebooks of the server; they are closed after the test."""
    opened: list[NotebookPage] = []

    def open_one(name: str) -> NotebookPage:
        page = NotebookPage(server, name, chromium).__enter__()
        opened.append(page)
        return page

    yield open_one
    for page in opened:
        page.close()
