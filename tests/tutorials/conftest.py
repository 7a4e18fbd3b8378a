"""One JupyterLab and one Chromium for all tests here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    with Chromium() as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Iterator[JupyterServer]:
    with JupyterServer() as running:
        yield running
