"""Frozen frames and memory of a page that shows hostile logs: `make bench ARGS="--only hostile"`."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Error

from tests.benchmarks.browser import opened
from tests.support.drawings import BOMBS
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.longtexts import MARKDOWN_BOMBS

LIMIT = 45.0
"""Seconds after which the benchmark gives up on a page that does not answer."""

WATCHED = 8.0
"""Seconds for which a page is observed after it has shown the panel."""

SHOW = "import tbwidget\ntbwidget.Dashboard('logs', panel={panel!r}, height=600)"

_OBSERVE = """
window.benchGap = 0;
let last = performance.now();
requestAnimationFrame(function look() {
    const now = performance.now();
    window.benchGap = Math.max(window.benchGap, now - last);
    last = now;
    requestAnimationFrame(look);
});
"""


class Frozen(NamedTuple):
    """Effect of one log on a page."""

    gap: float
    """Longest time between two frames in seconds; infinite if the page never answered."""
    peak: int
    """Peak memory of the largest renderer in bytes."""


def _renderers() -> dict[int, int]:
    """Return the renderers that this process started, with their peak memory in bytes."""
    parents: dict[int, int] = {}
    peaks: dict[int, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":", 1) for line in (process / "status").read_text("utf-8").splitlines())
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(process.name)] = int(status["PPid"])
        if b"--type=renderer" in command:
            peaks[int(process.name)] = 1024 * int(status.get("VmHWM", "0 kB").split()[0])

    def is_own(process: int) -> bool:
        while process > 1 and process != os.getpid():
            process = parents.get(process, 0)
        return process == os.getpid()

    return {process: peak for process, peak in peaks.items() if is_own(process)}


def measure(panel: str, kind: str, bomb: bytes, copies: int = 1, begin: str = "") -> Frozen:
    """Show a log with one bomb in each of its `copies` tags."""
    header = () if kind == "text" else (b"9", b"9")
    with opened([begin + SHOW.format(panel=panel)]) as page:
        values = [
            strings(f"t{n}", plugin(kind), *header, bomb, **({} if header else {"shape": ()})) for n in range(copies)
        ]
        events = [event(1.7e9, version="brain.Event:2"), *(event(1.7e9, 1, value) for value in values)]
        write(page.server.root / "logs" / "run" / NAME, *events)
        peaks: list[int] = []

        def give_up() -> None:
            peaks.append(max(_renderers().values(), default=0))
            for process in _renderers():
                os.kill(process, signal.SIGKILL)

        watchdog = threading.Timer(LIMIT, give_up)
        page.js(_OBSERVE)
        page.start_cell(0)
        watchdog.start()
        try:
            page.sleep(WATCHED)
            gap = page.js("return window.benchGap / 1e3")
        except Error:
            gap = float("inf")
        finally:
            watchdog.cancel()
        peaks.append(max(_renderers().values(), default=0))
    return Frozen(gap, max(peaks))


LOGS: dict[str, tuple[str, bytes, int]] = {
    "plain text": ("text", b"text", 1),
    "SVG: use": ("images", BOMBS["use"], 1),
    **{name: ("text", text.encode(), 1) for name, text in MARKDOWN_BOMBS.items()},
    "links, 20 texts": ("text", MARKDOWN_BOMBS["links"].encode(), 20),
}
"""Panel, contents of each tag, and number of tags: for a harmless text and image, and for bombs."""


def measure_log(name: str) -> Frozen:
    """Show one of `LOGS`."""
    panel, bomb, copies = LOGS[name]
    return measure(panel, panel, bomb, copies)


def section() -> None:
    """Measure a harmless text and image, and bombs."""
    print(f"\nLogs made to freeze a page; watched for {WATCHED:.0f} s, given up after {LIMIT:.0f} s")
    print(f"{'':34}{'longest gap, s':>16}{'peak MB':>9}")
    for name in LOGS:
        found = measure_log(name)
        print(f"  {name:32}{found.gap:16.2f}{found.peak / 1e6:9.0f}", flush=True)
