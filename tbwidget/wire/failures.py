"""Keys that cannot be read or encoded. Each fails alone: nothing else suffers."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tbwidget.reasons import Reason, reason_of
from tbwidget.texts import escape_surrogates, shorten

if TYPE_CHECKING:
    from tbwidget.wire.content import Key

log = logging.getLogger("tbwidget")

RETRY_AFTER = 30.0
"""Seconds after which a keyframe tries again what failed."""

RETRY_CHANGED_AFTER = 5.0
"""Seconds after which it is tried again when it changed: trying may cost as much as it did to fail."""


class FailureLog(Protocol):
    """The part of a `LogSource` that is needed here."""

    def report_failure(self, kind: str, run: str, tag: str, reason: Reason) -> None:
        """List a problem that names the key."""

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        """Remove it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a key failed, and when."""

    reason: Reason
    at: float


class Failures:
    """The keys of one channel that failed; without `logs` none is listed as a problem."""

    def __init__(self, logs: FailureLog | None) -> None:
        self._logs = logs
        self._failed: dict[Key, Failure] = {}

    def get(self, key: Key) -> Failure | None:
        """Why and when a key failed; None if it did not."""
        return self._failed.get(key)

    def add(self, key: Key, error: BaseException, now: float) -> Reason:
        """A key failed; returns the reason, as it is shown."""
        reason = reason_of(error)
        if key not in self._failed:
            # Not every handler takes text that is no UTF-8.
            tag, run = shorten(repr(key.tag)), shorten(repr(key.run))
            log.warning("%s %s of run %s: %s", key.kind, tag, run, escape_surrogates(reason))
        self._failed[key] = Failure(reason, now)
        if self._logs is not None:
            self._logs.report_failure(*key, reason)
        return reason

    def clear(self, key: Key) -> bool:
        """A key was sent; True if it had failed before."""
        if self._failed.pop(key, None) is None:
            return False
        if self._logs is not None:
            self._logs.clear_failure(*key)
        return True

    def close(self) -> None:
        """Nothing is sent any more: what failed here may be readable for others."""
        for key in list(self._failed):
            self.clear(key)
