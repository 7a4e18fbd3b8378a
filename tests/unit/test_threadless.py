"""Without threads, logs are read on request, and shown by a task of the event loop."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tbwidget
from tbwidget.logs import threads
from tbwidget.wire.sender import EventLoopTask
from tests.support.threadless import frame_hash

ROOT = Path(__file__).resolve().parents[2]


def test_logs_are_read_shown_and_refreshed_without_threads(tmp_path: Path) -> None:
    logdir = tmp_path / "runs"
    shutil.copytree(ROOT / "tests/data/torch", logdir)
    with tbwidget.load(logdir) as logs:
        tags, points = logs.tags(), frame_hash(logs)
    command = [sys.executable, "-m", "tests.support.threadless", str(logdir), "grown"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "tags": tags,
        "frame": points,
        "first message in the cell": False,
        "shown": [
            "application/vnd.jupyter.widget-view+json",
            "application/vnd.tbwidget.dashboard+json",
            "image/png",
            "text/plain",
        ],
        "refreshed": True,
        "figure": 92.0,
        "after closing": 0,
        "threads": ["MainThread"],
    }


def test_a_limit_that_passes_is_not_kept_in_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    threads.have_threads.cache_clear()

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as limited:
        limited.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            threads.have_threads()
    assert threads.have_threads()


def test_a_step_run_outside_of_the_loop_leaves_the_one_that_is_due_in_it() -> None:
    async def main() -> None:
        called = threading.Event()

        def step() -> float:
            called.set()
            return 60.0

        task = EventLoopTask(step)
        task.run_later(0.05)
        await asyncio.to_thread(task.run)
        called.clear()
        assert await asyncio.to_thread(called.wait, 10)
        task.end()

    asyncio.run(main())


def test_a_step_that_raises_is_followed_by_others() -> None:
    async def main() -> None:
        called = asyncio.Event()
        count = 0

        def step() -> float:
            nonlocal count
            count += 1
            if count == 1:
                raise OSError("on purpose")
            called.set()
            return 60.0

        task = EventLoopTask(step)
        with pytest.raises(OSError, match="on purpose"):
            task.run()
        await asyncio.wait_for(called.wait(), 10)
        task.end()

    asyncio.run(main())
