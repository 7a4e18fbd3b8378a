"""Values of real writers that buffer them for two minutes are read while the training continues: `make writers`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.writers.trainings import TRAININGS

ROOT = Path(__file__).resolve().parents[2]
STEPS = 4


def watched(name: str, *options: str) -> dict[str, Any]:
    """Return the report of a process that trained and watched."""
    command = [sys.executable, "-m", "tests.writers.watching", name, "--steps", str(STEPS), *options]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=240)
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


@pytest.mark.parametrize("name", TRAININGS)
def test_each_value_is_read_before_the_next_is_logged(name: str) -> None:
    """The training waits for each value, and ends after half the time for which the writer buffers."""
    said = watched(name, "--waits")
    assert sorted(map(int, said["read"])) == list(range(STEPS))
    assert said["problems"] == []


@pytest.mark.parametrize("name", [name for name, training in TRAININGS.items() if training.holds_back])
def test_without_flushing_values_are_held_back(name: str) -> None:
    """Otherwise the test above would prove nothing. Some writers write the first value at once."""
    assert len(watched(name, "--unflushed")["read"]) <= 1
