"""Waiting for other threads, long enough for a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 30.0
"""Upper bound of a wait, in seconds."""


def wait_for(happened: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)
