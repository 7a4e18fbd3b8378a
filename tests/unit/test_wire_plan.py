"""The order within a message, as a function of the state when it is composed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tbwidget.wire.content import Key
from tbwidget.wire.message import MAX_CONTENT_BYTES
from tbwidget.wire.plan import MAX_UPDATE_BYTES, Priority, Step, plan

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = Key("pictures", "a", "x")


def order(steps: Sequence[Step]) -> list[Priority]:
    return [step.priority for step in steps]


def others(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.priority >= Priority.KEYFRAME]


def test_a_message_takes_urgent_data_first() -> None:
    assert order(plan()) == sorted(Priority)


@pytest.mark.parametrize(("is_busy", "most"), [(True, MAX_UPDATE_BYTES), (False, MAX_CONTENT_BYTES)])
def test_updates_leave_space_for_other_waiting_data(is_busy: bool, most: int) -> None:  # noqa: FBT001
    steps = plan(is_busy=is_busy)
    assert steps[0].max_size == most
    assert [step.is_update for step in steps] == [step.priority < Priority.KEYFRAME for step in steps]


def test_unrequested_blobs_are_updates_once_the_backlog_is_sent() -> None:
    pushed = {Priority.NEWEST_BLOB, Priority.OLDER_BLOB}
    for has_caught_up in (False, True):
        found = others(plan(has_caught_up=has_caught_up))
        assert {step.priority for step in found if step.is_update} == (pushed if has_caught_up else set())


def test_data_outside_known_viewports_wait_for_the_names_of_all_keys() -> None:
    named = {Priority.KEYFRAME, Priority.NEW}
    after = {step.priority: set(step.after) for step in others(plan())}
    assert after[Priority.NEWEST_BLOB] == after[Priority.OLDER_BLOB] == named
    assert after[Priority.PREFETCH] >= named | {Priority.VISIBLE, Priority.DETAIL, Priority.UPDATE}
    assert Priority.OLDER_BLOB not in order(plan(may_send_older=False))
    # But the first message with data has a blob, and the initial scan never counts as an update.
    first = {step.priority: step.after for step in others(plan(is_first=True, was_ready=False))}
    assert first[Priority.NEWEST_BLOB] == ()
    assert Priority.UPDATE not in first[Priority.PREFETCH]


def test_a_snapshot_finishes_begun_blobs_and_gives_blobs_a_share_before_full_series() -> None:
    found = others(plan(blob_share=1000.0, open_blob=KEY))
    assert (found[0].priority, found[0].only) == (Priority.NEWEST_BLOB, KEY)
    share = found[order(found).index(Priority.VISIBLE) - 1]
    assert (share.priority, share.max_size, share.only) == (Priority.NEWEST_BLOB, 1000.0, None)
    assert all(step.only is None for step in plan(open_blob=KEY))
