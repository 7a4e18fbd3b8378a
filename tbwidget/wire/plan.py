"""Plan one message: a pure function of the situation when it is composed.

A plan is a list of steps. The channel carries them out one after the other, until the message is full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tbwidget.wire.backlog import BEFORE_PREFETCH, Priority
from tbwidget.wire.draft import MAX_CONTENT_BYTES
from tbwidget.wire.scheduler import UPDATE_BYTES

if TYPE_CHECKING:
    from tbwidget.wire.content import Key

UNLIMITED = float("inf")

_NAMING = (Priority.KEYFRAME, Priority.NEW)
"""The first of `BEFORE_PREFETCH`: until they are empty, browsers do not know all keys."""


class Step(NamedTuple):
    """Add the keys of one priority to a message."""

    priority: Priority
    max_size: float = UNLIMITED
    """Size of the message in bytes up to which keys are added."""
    is_update: bool = False
    """Its bytes count as updates, whose rate is limited."""
    after: tuple[Priority, ...] = ()
    """Skip this step while keys of these priorities wait."""
    only: Key | None = None
    """Add this key alone."""


class Situation(NamedTuple):
    """The facts that a plan depends on."""

    is_busy: bool = False
    """There is more to send than updates."""
    is_first: bool = False
    """No message had data yet."""
    was_ready: bool = True
    """The initial scan had ended when the last message was composed."""
    has_caught_up: bool = False
    """The blobs of the initial scan were sent. From then on, blobs off the screen count as updates."""
    may_send_older: bool = True
    """Blobs of older items have not had their share of a core."""
    blob_share: float | None = None
    """Bytes of a message that blobs may take before series; None if nothing limits all messages together."""
    open_blob: Key | None = None
    """The key whose blob was begun and must be finished."""


class Plan(NamedTuple):
    """The steps of one message. Answers to requests come between the two lists."""

    updates: list[Step]
    """Steps for keys that changed."""
    others: list[Step]
    """Steps for keys that were never sent, that are on the screen, and that may come on it."""


def plan(situation: Situation) -> Plan:
    """Return what to send, the most urgent first."""
    return Plan(_updates(situation), _others(situation))


def _updates(situation: Situation) -> list[Step]:
    most = UPDATE_BYTES if situation.is_busy else MAX_CONTENT_BYTES
    return [
        Step(Priority.UPDATE, most, is_update=True),
        Step(Priority.STALE_DETAIL, is_update=True),
        Step(Priority.UPDATE_BLOB, is_update=True),
    ]


def _others(situation: Situation) -> list[Step]:
    steps = [Step(priority) for priority in BEFORE_PREFETCH]
    if situation.blob_share is not None:
        steps.insert(len(_NAMING), Step(Priority.NEWEST_BLOB, situation.blob_share))
        if situation.open_blob is not None:
            # Some pieces of a blob without the others would waste the space that they take.
            steps.insert(0, Step(Priority.NEWEST_BLOB, only=situation.open_blob))
    is_update = situation.has_caught_up
    # The first message has something to show, though it may not name everything.
    steps.append(Step(Priority.NEWEST_BLOB, is_update=is_update, after=() if situation.is_first else _NAMING))
    # Series off the screen do not get ahead of updates.
    updates = (Priority.UPDATE,) if situation.was_ready else ()
    steps.append(Step(Priority.PREFETCH, after=(*BEFORE_PREFETCH, *updates)))
    if situation.may_send_older:
        steps.append(Step(Priority.OLDER_BLOB, is_update=is_update, after=_NAMING))
    return steps
