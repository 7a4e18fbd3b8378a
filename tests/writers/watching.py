"""Runs one training in this process while its log directory is followed: `python -m tests.writers.watching NAME`.

Prints, as JSON, when each step was logged and when its value was read, in seconds of one clock.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from tbwidget.logs.logdir import LogDir
from tests.writers.trainings import TRAININGS, Training

MAX_TRAINING_S = 60.0
"""Seconds after which the training ends in any case: half the time for which writers buffer values."""


class Watch:
    """Follows a log directory, and records when each step of a tag is read."""

    def __init__(self, folder: str, training: Training) -> None:
        self._training = training
        self.logs = LogDir(folder)
        self.read: dict[int, float] = {}
        self.ended = float("inf")
        """Time of the last step's end; later values are what the library writes when it closes."""
        self.logs.source.subscribe(self._changed)

    def _changed(self, _changes: Any) -> None:
        now = time.perf_counter()
        try:
            steps = self.logs.scalars(self._training.run, self._training.tag).step
        except KeyError:
            return
        for step in (steps - self._training.first_step).tolist():
            self.read.setdefault(step, now)


def busy_steps(count: int, seconds: float, logged: list[float], watch: Watch, *, waits: bool) -> Iterator[int]:
    """Yield steps with work for one core between them; with `waits` only after the previous one was read."""
    end = time.perf_counter() + MAX_TRAINING_S
    for step in range(count):
        logged.append(time.perf_counter())
        yield step
        until = time.perf_counter() + seconds
        while time.perf_counter() < until or (waits and step not in watch.read and time.perf_counter() < end):
            sum(range(1000))
        if time.perf_counter() > end:
            break
    watch.ended = time.perf_counter()


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description="Runs one training while its log directory is followed.")
    parser.add_argument("name", choices=TRAININGS)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1, help="of work between two steps")
    parser.add_argument("--unflushed", action="store_true", help="without flushing the writer")
    parser.add_argument("--waits", action="store_true", help="log no further step before the last was read")
    options = parser.parse_args()
    training = TRAININGS[options.name]
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch(folder, training)
        watch.logs.follow()
        end = None if options.unflushed else watch.logs.source.flush_writers()
        logged: list[float] = []
        training.train(folder, busy_steps(options.steps, options.seconds, logged, watch, waits=options.waits))
        read = {step: at for step, at in watch.read.items() if at < watch.ended}
        if end is not None:
            end()
        watch.logs.close()
        problems = [str(problem) for problem in watch.logs.problems]
    print(json.dumps({"logged": logged, "read": read, "problems": problems}))


if __name__ == "__main__":
    main()
