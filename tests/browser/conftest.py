"""One JupyterLab and one Notebook 7 for all browser tests, their kernels, and the Chromium to look at them with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.jupyter import KERNEL, KERNEL6, JupyterServer
from tests.browser.page import NotebookPage

ROOT = Path(__file__).resolve().parents[2]

Open = Callable[..., NotebookPage]
"""Takes the notebook's name, and a server if it is not JupyterLab's."""


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


@pytest.fixture(scope="session")
def notebook_server() -> Iterator[JupyterServer]:
    with JupyterServer("notebook") as running:
        yield running


@pytest.fixture(params=[KERNEL, KERNEL6])
def kernel(request: pytest.FixtureRequest) -> str:
    """The name of a kernel; ipykernel 7 is this environment's, 6 has one of its own."""
    name: str = request.param
    if name == KERNEL6 and not (ROOT / ".environments/kernel6/bin/python").exists():
        pytest.fail("there is no .environments/kernel6: run `python tools/environments.py kernel6`", pytrace=False)
    return name


@pytest.fixture
def open_notebook(server: JupyterServer, chromium: str) -> Iterator[Open]:
    """Opens notebooks; they are closed after the test."""
    opened: list[NotebookPage] = []

    def open_one(name: str, where: JupyterServer | None = None) -> NotebookPage:
        page = NotebookPage(where or server, name, chromium).__enter__()
        opened.append(page)
        return page

    yield open_one
    for page in opened:
        page.close()
