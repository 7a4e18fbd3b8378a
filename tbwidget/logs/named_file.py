"""A file that another one names: as of the last poll, and whether it is worth reading yet."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tbwidget.records.files.storage import Status

SETTLED_S = 1.0
"""Seconds without a change after which a file counts as complete."""

ABANDONED_S = 60.0
"""Seconds without a change after which the missing rest of a file is waited for no longer."""

_MAX_RETRIES = 2
"""Further attempts to read a file after failures that may pass."""

_versions = count(1)


@dataclass(slots=True, eq=False)
class NamedFile:
    """A file as of the last poll."""

    target: str | None
    """Where it is; None: outside the log directory."""
    status: Status | None = None
    """None: it is not there, or no walk over its remote storage has found it yet."""
    changed: float = 0.0
    """When it changed last, monotonic."""
    growths: int = 0
    """How often it grew, less than `SETTLED_S` after the change before."""
    is_awaited: bool = False
    """A reader met it before it was settled, and wants to know when it is."""
    is_rest_awaited: bool = False
    """A reader waits for the rest of a settled file, and wants to know when it is abandoned."""
    failures: int = 0
    """Attempts to read it that failed for a reason that may pass, since it changed last."""
    is_failed: bool = False
    """The last attempt failed so, and another one is due."""
    version: int = 0
    """Another number whenever it is worth reading again."""

    @property
    def is_growing(self) -> bool:
        """Whether it is worth waiting for more: a file that grew once may be complete."""
        return self.growths > 1

    @property
    def is_settled(self) -> bool:
        """Whether it has not changed for some time."""
        return time.monotonic() - self.changed >= SETTLED_S

    @property
    def is_abandoned(self) -> bool:
        """Whether it has not changed for so long that its rest is no longer expected."""
        return time.monotonic() - self.changed >= ABANDONED_S

    def opened(self, status: Status) -> None:
        """Take over the status of a file that is read before its first poll, which then finds it unchanged."""
        if self.status is None and not self.version:
            self.status = status

    def missed(self) -> None:
        """Note that a reader did not find it before its first poll: once that finds it, it is worth reading."""
        self.is_awaited = self.is_awaited or not self.version

    def update(self, status: Status | None) -> bool:
        """Take over its status; True if the file is worth reading again."""
        before, now = self.status, time.monotonic()
        if status == before and (self.version or status is not None):
            is_complete_now = (self.is_growing or self.is_awaited) and self.is_settled
            if not (is_complete_now or self.is_failed or (self.is_rest_awaited and self.is_abandoned)):
                return False
            if is_complete_now:
                self.growths = 0
        else:
            self.growths = self.growths + 1 if _has_grown(before, status) and not self.is_settled else 0
            self.status, self.changed, self.failures = status, now, 0
            if not self.version and status is not None:  # it may have been there for long
                self.changed = now - max(0.0, time.time() - status.modified_ns / 1e9)
        self.is_awaited = self.is_rest_awaited = self.is_failed = False
        self.version = next(_versions)
        return True

    def fail(self) -> None:
        """Note that reading it failed for a reason that may pass: the next poll asks to read it again."""
        self.failures += 1
        self.is_failed = self.failures <= _MAX_RETRIES


def _has_grown(before: Status | None, status: Status | None) -> bool:
    return (
        before is not None and status is not None and status.identity == before.identity and status.size > before.size
    )
