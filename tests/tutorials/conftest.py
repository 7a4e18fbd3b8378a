"""One JupyterLab and one Chromium for all tests here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer
from tests.tutorials.lab import one_core_server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    with Chromium() as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Iterator[JupyterServer]:
    with one_core_server() as running:
        yield running
