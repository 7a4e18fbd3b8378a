"""What other threads bring about is waited for, as long as a busy machine may take."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 30.0
"""Seconds."""


def wait_for(happened: Callable[[], object]) -> None:
    """Wait until something is the case."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)
