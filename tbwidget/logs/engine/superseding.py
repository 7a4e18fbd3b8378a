"""Which points a restarted training wrote again.

A session is what one writer wrote without a restart: a file, cut at each SessionLog START. The first step that a
session writes for a tag supersedes the earlier points of that tag with that step or a later one. Earlier points are in
earlier sessions of the same file, and in files that ended before this one began. Files whose wall times overlap are two
writers and leave each other alone, and so does everything within a session.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Session

NEVER = 1 << 63
"""A step that no point has: none is superseded from there on."""


class FileTimeSpan(NamedTuple):
    """The wall times at which a file as a whole begins and ends, in a form that can be compared."""

    begin: float
    end: float

    @classmethod
    def of(cls, first: float | None, last: float) -> FileTimeSpan:
        """Return the span of a file. A missing first wall time counts as earliest, a missing last one as latest."""
        begin = -math.inf if first is None or math.isnan(first) else first
        return cls(begin, math.inf if last == -math.inf else last)


def step_limits(parts: Sequence[tuple[FileTimeSpan, Sequence[Session]]]) -> list[list[int]]:
    """For each session of a tag in each of some files, the step from which on its points are superseded.

    Files come in the order of their begins.
    """
    firsts = (min(session.step for session in sessions) for _, sessions in reversed(parts))
    later = [*accumulate(firsts, min, initial=NEVER)][::-1]  # the smallest first step in each file and all behind it
    limits: list[list[int]] = []
    overlaps = overlap_counts([time_span for time_span, _ in parts])
    for number, (_, sessions) in enumerate(parts):
        limit = later[max(overlaps[number], number + 1)]
        of_part: list[int] = []
        for session in reversed(sessions):
            of_part.append(limit)
            limit = min(limit, session.step)
        limits.append(of_part[::-1])
    return limits


def kept(
    step: npt.NDArray[np.int64], sessions: Sequence[Session], limits: Sequence[int]
) -> npt.NDArray[np.bool_] | None:
    """Which points of a part stay; None when all do."""
    if limits.count(NEVER) == len(limits):
        return None
    keep = np.ones(len(step), np.bool_)
    ends = [*(session.begin for session in sessions[1:]), len(step)]
    for session, end, limit in zip(sessions, ends, limits, strict=True):
        if limit != NEVER:
            np.less(step[session.begin : end], limit, out=keep[session.begin : end])
    return None if keep.all() else keep


def overlap_counts(time_spans: Sequence[FileTimeSpan]) -> list[int]:
    """For each file, in the order of their begins, count those that begin by the time it ends."""
    begins = [time_span.begin for time_span in time_spans]
    return [bisect_right(begins, time_span.end) for time_span in time_spans]
