"""Logs made in memory, and the messages of a channel for them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbwidget.logs.accessors import Logs
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.logs.roots import Root
from tbwidget.logs.source import Changes, Progress
from tbwidget.panels.histograms import HISTOGRAMS
from tbwidget.panels.scalars import SCALARS
from tbwidget.wire.channel import Channel
from tbwidget.wire.message import Message


@dataclass
class FakeSeries:
    """A stand-in for tbwidget.Scalars."""

    step: NDArray[np.int64]
    value: NDArray[np.float64]
    revision: int = 0
    superseded: int = 0
    begun: float = 1.7e9
    times: NDArray[np.float64] | None = None

    @property
    def wall_time(self) -> NDArray[np.float64]:
        times = np.arange(1, len(self.step) + 1, dtype=np.float64) if self.times is None else self.times
        return times + self.begun

    def __len__(self) -> int:
        return len(self.step)


@dataclass
class FakeSource:
    """The part of a `LogSource` that a channel needs."""

    series: dict[tuple[str, str], FakeSeries] = field(default_factory=dict)
    title: str = "/nowhere/runs"
    paths: dict[str, Path] = field(default_factory=lambda: {"": Path("/nowhere/runs")})
    exists: bool = False
    empty_files: int = 0
    polled_at: float | None = None
    poll_interval: float | None = None
    ready: bool = True
    progress: Progress = field(default_factory=lambda: Progress("ready", 1, 1, 1, 0, 100, 100))
    others: tuple[str, ...] = ()
    values: dict[str, dict[tuple[str, str], Any]] = field(default_factory=dict)
    """Series of other kinds, by run and tag."""
    problems: list[Problem] = field(default_factory=list)
    failures: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def tags(self) -> dict[str, dict[str, list[str]]]:
        found: dict[str, list[str]] = {}
        for run, tag in self.series:
            found.setdefault(run, []).append(tag)
        tags = {**({"scalars": found} if found else {}), **{kind: {"a": ["x"]} for kind in self.others}}
        for kind, values in self.values.items():
            for run, tag in values:
                tags.setdefault(kind, {}).setdefault(run, []).append(tag)
        return tags

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> FakeSeries:  # noqa: ARG002 (none is)
        return self.series[run, tag]

    @property
    def roots(self) -> tuple[Root, ...]:
        return tuple(Root(name, str(path)) for name, path in self.paths.items())

    @property
    def checkpoint_roots(self) -> tuple[Root, ...]:
        return self.roots

    def runs_with_checkpoints(self) -> list[str]:
        return []

    def exclusive(self) -> AbstractContextManager[None]:
        return nullcontext()

    def run_numbers(self) -> dict[str, int]:
        runs = dict.fromkeys(run for runs in self.tags().values() for run in runs)
        return {run: number for number, run in enumerate(runs)}

    def report_failure(self, kind: str, run: str, tag: str, reason: str) -> None:
        self.failures[kind, run, tag] = reason

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        del self.failures[kind, run, tag]

    def put(self, run: str, tag: str, steps: Sequence[int], values: Sequence[float]) -> Changes:
        """Append points; returns the follower's changes."""
        new = (run, tag) not in self.series
        old = self.series.get((run, tag), FakeSeries(np.empty(0, np.int64), np.empty(0)))
        self.series[run, tag] = FakeSeries(
            np.append(old.step, np.array(steps, np.int64)), np.append(old.value, np.array(values, float)), old.revision
        )
        return Changes(frozenset({("scalars", run, tag)}), catalog=new)


CONTENTS = (SCALARS, HISTOGRAMS)


def logs_over(source: FakeSource) -> Logs:
    return Logs(source)  # type: ignore[arg-type]


def channel_of(source: FakeSource | LogDir) -> Channel:
    return Channel(logs_over(source) if isinstance(source, FakeSource) else source, CONTENTS)


def report_view(
    channel: Channel,
    tags: Sequence[str],
    want: Sequence[str] = (),
    seq: int = 0,
    steps: tuple[float, float] | None = None,
    near: Sequence[str] | None = None,
    linked: float | None = None,
    view: str = "v1",
    runs: Sequence[str] | None = None,
    short: Sequence[Sequence[str | int]] = (),
    *,
    in_window: bool = True,
) -> None:
    """Report a viewport to a channel; each kind lacks the tags in `want`."""
    lacking = [[content.kind, tag] for tag in want for content in CONTENTS]
    message = {"type": "view", "view": view, "kinds": None, "tags": list(tags), "want": lacking, "seq": seq}
    steps_and_near = {"range": steps and list(steps), "near": None if near is None else list(near)}
    shown: dict[str, Any] = {} if runs is None else {"runs": list(runs)}
    if short:
        shown["short"] = [list(one) for one in short]
    if not in_window:
        shown["in_window"] = False
    channel.receive({**message, **steps_and_near, "linked": linked, **shown})


def drain(channel: Channel, begin: float, end: float) -> list[tuple[float, Message]]:
    """Return all messages between two times, each with its time."""
    sent, now = [], begin
    while now < end:
        message, wait = channel.next_message(now)
        if message is not None:
            sent.append((now, message))
        assert wait > 0, "a channel that never rests would keep a core busy"
        now += wait
    return sent
