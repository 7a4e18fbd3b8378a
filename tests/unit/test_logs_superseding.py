"""The points that a restart supersedes by the rules of the public contract, and the result of `superseded=True`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tbwidget
from tbwidget.logs.columns import Points, Session, joined
from tbwidget.logs.engine import follower, reader, run
from tbwidget.logs.engine.superseding import NEVER, FileTimeSpan, overlap_counts, step_limits
from tbwidget.logs.source import Changes
from tests.support.eventfiles import event, points, simple, write
from tests.support.examples import examples

A, B, C = (f"events.out.tfevents.{name}" for name in ("1", "2", "3"))


def steps(logdir: Path, tag: str = "loss", *, superseded: bool = False) -> list[int]:
    return [int(step) for step in tbwidget.load(logdir).scalars(".", tag, superseded=superseded).step]


def test_a_later_file_supersedes_from_its_first_step(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2, 3, 4, 5], 100))
    write(tmp_path / B, points("loss", [3, 4], 200))
    assert steps(tmp_path) == [0, 1, 2, 3, 4]
    assert steps(tmp_path, superseded=True) == [0, 1, 2, 3, 4, 5, 3, 4]
    scalars = tbwidget.load(tmp_path).scalars(".", "loss")
    assert (scalars.superseded, scalars.wall_time[-2]) == (3, 200)


def test_a_later_file_that_goes_on_supersedes_nothing(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2], 100))
    write(tmp_path / B, points("loss", [3, 4], 200))
    assert steps(tmp_path) == [0, 1, 2, 3, 4]


def test_each_tag_has_its_own_first_step(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2, 3], 100), points("acc", [0, 2], 101))
    write(tmp_path / B, points("loss", [2, 3], 200), points("acc", [4], 201))
    assert steps(tmp_path) == [0, 1, 2, 3]
    assert steps(tmp_path, "acc") == [0, 2, 4]


def test_files_go_by_wall_time_not_by_name(tmp_path: Path) -> None:
    """Names of 9 and 10 digits sort the wrong way round."""
    write(tmp_path / "events.out.tfevents.1000000000.h", points("loss", [2, 3, 4], 1e9))
    write(tmp_path / "events.out.tfevents.999999999.h", points("loss", [0, 1, 2, 3], 999999999))
    assert steps(tmp_path) == [0, 1, 2, 3, 4]
    assert steps(tmp_path, superseded=True) == [2, 3, 4, 0, 1, 2, 3]


def test_the_name_decides_between_equal_wall_times(tmp_path: Path) -> None:
    write(tmp_path / B, points("loss", [5, 6], 100))
    write(tmp_path / A, points("loss", [0, 1], 100))
    assert steps(tmp_path) == [0, 1, 5, 6]


def test_the_order_of_the_files_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Doing so after each file would be slow: thousands are possible."""
    for n in range(50):
        write(tmp_path / f"events.out.tfevents.{n:02d}", points("loss", [n], 100 + n))
    compared = 0

    def counted(time_spans: Sequence[FileTimeSpan]) -> list[int]:
        nonlocal compared
        compared += len(time_spans)
        return overlap_counts(time_spans)

    monkeypatch.setattr(run, "overlap_counts", counted)
    assert steps(tmp_path) == list(range(50))
    assert compared <= 3 * 50


def test_a_file_that_comes_to_supersede_others_changes_all_series(tmp_path: Path) -> None:
    path = write(tmp_path / A, points("loss", [0, 1, 2, 3], 100), points("acc", [0, 2], 101))
    write(tmp_path / B, points("loss", [2], 150, spacing=100), points("acc", [1], 160))
    with tbwidget.load(tmp_path) as logs:
        told: list[Changes] = []
        logs.source.subscribe(told.append)
        before = logs.scalars(".", "acc").step.tolist()
        write(path, points("loss", [0, 1, 2, 3], 100), points("acc", [0, 2], 101), points("loss", [4], 1000))
        assert logs.refresh()
        assert (before, logs.scalars(".", "acc").step.tolist()) == ([0, 1], [0, 2, 1])
        assert {tag for changes in told for _, _, tag in changes.series} == {"loss", "acc"}


def test_two_writers_at_once_supersede_nothing(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 2, 4, 6], 100, spacing=10))
    write(tmp_path / B, points("loss", [1, 3, 5], 105, spacing=10))
    assert steps(tmp_path) == [0, 2, 4, 6, 1, 3, 5]


def test_a_later_file_supersedes_both_of_two_writers(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 2, 4, 6], 100, spacing=10))
    write(tmp_path / B, points("loss", [1, 3, 5], 105, spacing=10))
    write(tmp_path / C, points("loss", [3], 1000))
    assert steps(tmp_path) == [0, 2, 1, 3]


def test_any_event_counts_for_when_a_file_ends(tmp_path: Path) -> None:
    """The first file lived on, though with another tag."""
    write(tmp_path / A, points("loss", [0, 1, 2], 100), points("acc", [9], 300))
    write(tmp_path / B, event(200, version="brain.Event:2"), points("loss", [1], 400))
    assert steps(tmp_path) == [0, 1, 2, 1]


def test_session_start_within_a_file(tmp_path: Path) -> None:
    """As with purge_step: the next first step of each tag counts, not the step of the START."""
    write(
        tmp_path / A,
        points("loss", [0, 1, 2, 3, 4], 100),
        points("acc", [0, 4], 100.6),
        event(101, 2, start=True),
        points("loss", [2, 3], 102),
    )
    assert steps(tmp_path) == [0, 1, 2, 3]
    assert steps(tmp_path, "acc") == [0, 4]


def test_session_start_again_and_again(tmp_path: Path) -> None:
    write(
        tmp_path / A,
        event(99, start=True),
        points("loss", [0, 1, 2, 3, 4], 100),
        event(101, start=True),
        event(101, start=True),
        points("loss", [3, 4, 5], 102),
        event(103, start=True),
        points("loss", [1], 104),
    )
    assert steps(tmp_path) == [0, 1]


def test_session_start_in_a_later_file(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2, 3, 4], 100))
    write(
        tmp_path / B,
        event(200, start=True),
        points("loss", [3, 4], 201),
        event(202, start=True),
        points("loss", [1], 203),
    )
    assert steps(tmp_path) == [0, 1]


def test_session_start_of_another_writer_supersedes_its_own_points_only(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2, 3], 100, spacing=10))
    write(tmp_path / B, points("loss", [10, 11], 105), event(106, start=True), points("loss", [0, 11], 107))
    assert steps(tmp_path) == [0, 1, 2, 3, 0, 11]


def test_shuffled_constant_and_repeated_steps_stay(tmp_path: Path) -> None:
    order = [5, 0, 3, 3, 1, 4, 4, 4, 2, -7, 2**62, 0]
    write(tmp_path / A, points("loss", order, 100))
    write(tmp_path / "run" / A, points("loss", [7] * 50, 100))
    assert steps(tmp_path) == order
    assert tbwidget.load(tmp_path).scalars("run", "loss").step.tolist() == [7] * 50


def test_a_restart_with_shuffled_steps_goes_by_the_first_one_written(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2, 3, 4, 5], 100))
    write(tmp_path / B, points("loss", [4, 2, 3], 200))
    assert steps(tmp_path) == [0, 1, 2, 3, 4, 2, 3]


def test_wall_times_that_are_no_numbers(tmp_path: Path) -> None:
    write(tmp_path / A, event(float("nan"), 0, simple("loss", 0)), event(float("nan"), 1, simple("loss", 1)))
    write(tmp_path / B, points("loss", [0], 200))
    assert steps(tmp_path) == [0, 1, 0]


def test_revision_stays_while_points_are_only_appended(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2], 100))
    logs = tbwidget.load(tmp_path)
    first = logs.scalars(".", "loss")
    write(tmp_path / A, points("loss", [0, 1, 2, 3], 100))
    assert logs.refresh()
    second = logs.scalars(".", "loss")
    assert (second.revision, len(second)) == (first.revision, 4)
    assert first.step.tolist() == [0, 1, 2]
    write(tmp_path / B, points("loss", [2], 200))
    assert logs.refresh()
    third = logs.scalars(".", "loss")
    assert third.revision != second.revision
    assert third.step.tolist() == [0, 1, 2]
    (tmp_path / B).unlink()
    logs.refresh()
    assert logs.scalars(".", "loss").revision not in (second.revision, third.revision)


def test_revision_of_all_points_in_the_order_written(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1], 100))
    write(tmp_path / B, points("loss", [3, 4], 200))
    logs = tbwidget.load(tmp_path)
    before = logs.scalars(".", "loss", superseded=True)
    write(tmp_path / A, points("loss", [0, 1, 2], 100))
    logs.refresh()
    after = logs.scalars(".", "loss", superseded=True)
    assert after.step.tolist() == [0, 1, 2, 3, 4]
    assert after.revision != before.revision


def test_only_new_points_of_a_series_of_several_files_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / A, points("loss", list(range(1000)), 100))
    logs = tbwidget.load(tmp_path)
    copied: list[int] = []

    def counting(parts: list[Points]) -> Points:
        copied.append(sum(len(part.step) for part in parts))
        return joined(parts)

    monkeypatch.setattr(run, "joined", counting)
    held = []
    for last in range(900, 940):
        write(tmp_path / B, points("loss", list(range(900, last + 1)), 5000))
        logs.refresh()
        scalars = logs.scalars(".", "loss")
        assert scalars.step.tolist() == [*range(900), *range(900, last + 1)]
        assert scalars.superseded == 100
        assert not scalars.step.flags.writeable
        held.append(scalars)
    assert copied == [901, 902]
    assert np.shares_memory(held[-1].step, held[-2].step)
    assert [len(scalars) for scalars in held] == list(range(901, 941)), "what was handed out stays"
    assert {scalars.revision for scalars in held} == {held[0].revision}
    write(tmp_path / A, points("loss", list(range(1001)), 100))
    logs.refresh()
    assert logs.scalars(".", "loss", superseded=True).step.tolist() == [*range(1001), *range(900, 940)]


def test_only_new_points_after_a_restart_within_a_file_are_copied(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", list(range(1000)), 100), event(5000, start=True))
    logs = tbwidget.load(tmp_path)
    held = []
    for last in range(900, 940):
        with (tmp_path / A).open("ab") as file:
            file.write(event(5001 + last, last, simple("loss", float(last))))
        logs.refresh()
        held.append(logs.scalars(".", "loss"))
        assert held[-1].step.tolist() == [*range(900), *range(900, last + 1)]
        assert held[-1].superseded == 100
    assert np.shares_memory(held[-1].step, held[-2].step)


def test_copies_of_series_are_freed_when_their_files_stop_growing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / A, points("loss", list(range(1000)), 100))
    write(tmp_path / B, points("loss", list(range(1000, 1010)), 5000))
    logs = tbwidget.load(tmp_path)
    for last in (1010, 1011, 1012):
        write(tmp_path / B, points("loss", list(range(1000, last + 1)), 5000))
        logs.refresh()
        assert len(logs.scalars(".", "loss")) == last + 1

    def copies() -> list[object]:
        return [merged.column for merged in logs.source._reader.runs["."]._merged.values() if merged.column]

    assert len(copies()) == 1
    monkeypatch.setattr(reader, "_GROWING_S", -1.0)
    follower.poll(logs.source, everywhere=False)
    assert copies() == []
    assert len(logs.scalars(".", "loss")) == 1013
    logs.frame()
    assert copies() == [], "a series that does not grow is not copied"
    for last in (1013, 1014, 1015):
        write(tmp_path / B, points("loss", list(range(1000, last + 1)), 5000))
        logs.refresh()
        assert len(logs.scalars(".", "loss")) == last + 1
    logs.refresh()
    assert copies() == [], "nothing follows, and copies are freed all the same"


def test_points_that_remain_are_read_only_too(tmp_path: Path) -> None:
    write(tmp_path / A, points("loss", [0, 1, 2], 100), event(101, start=True), points("loss", [1], 102))
    scalars = tbwidget.load(tmp_path).scalars(".", "loss")
    assert scalars.superseded == 2
    assert not any(column.flags.writeable for column in (scalars.step, scalars.wall_time, scalars.value))


def test_series_that_change_with_the_end_of_another_file_are_notified(tmp_path: Path) -> None:
    """The first file turns out to live on, so the second supersedes none of it, whatever the tag."""
    first = points("loss", [0, 1, 2, 3, 4, 5], 100)
    write(tmp_path / A, first)
    write(tmp_path / B, points("loss", [3, 4], 200))
    logs = tbwidget.load(tmp_path)
    told: list[tuple[str, str, str]] = []
    logs.source.subscribe(lambda changes: told.extend(changes.series))
    write(tmp_path / A, first, event(300, version="brain.Event:2"))
    assert logs.refresh()
    assert told == [("scalars", ".", "loss")]
    assert logs.scalars(".", "loss").step.tolist() == [0, 1, 2, 3, 4, 5, 3, 4]


parts = st.lists(
    st.builds(
        lambda begin, length, firsts: (
            FileTimeSpan(begin, begin + length),
            [Session(number, step) for number, step in enumerate(firsts)],
        ),
        st.integers(0, 20),
        st.integers(0, 8),
        st.lists(st.integers(0, 9), min_size=1, max_size=3),
    ),
    max_size=7,
).map(lambda made: sorted(made, key=lambda part: part[0].begin))


@examples(300)
@given(parts)
def test_limits_against_the_rule_spelled_out(made: list[tuple[FileTimeSpan, list[Session]]]) -> None:
    for number, (time_span, sessions) in enumerate(made):
        for place in range(len(sessions)):
            later = [session.step for session in sessions[place + 1 :]]
            for other_span, others in made[number + 1 :]:
                if other_span.begin > time_span.end:
                    later += [session.step for session in others]
            assert step_limits(made)[number][place] == min(later, default=NEVER)
