"""Cost of a frame in which the pointer moves something."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.page import MeasuredPage


class FrameCost(NamedTuple):
    """Average milliseconds of one frame."""

    wall: float
    main: float
    """CPU of the page's main thread."""
    all: float
    """CPU of all of Chromium's processes, which includes drawing."""


def frame_cost(page: MeasuredPage, work: Callable[[], int]) -> FrameCost:
    """Measure some work that returns its number of frames."""
    browser = page.page.context.browser
    assert browser is not None
    system = browser.new_browser_cdp_session()
    page.devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def clocks() -> tuple[float, float, float]:
        metrics = page.devtools.send("Performance.getMetrics")["metrics"]
        own = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        processes = system.send("SystemInfo.getProcessInfo")["processInfo"]
        return time.perf_counter(), own, sum(process["cpuTime"] for process in processes)

    before = clocks()
    frames = work()
    after = clocks()
    page.devtools.send("Performance.disable")
    system.detach()
    return FrameCost(*(1e3 * (end - begin) / max(1, frames) for begin, end in zip(before, after, strict=True)))
