"""Reads and shows logs in a Python without threads, without thread clocks and without mmap, like Pyodide.

`python -m tests.support.threadless LOGDIR RUN` prints the results as JSON. It removes all of these before it imports
anything of tbwidget.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd  # needs mmap when it is imported

if TYPE_CHECKING:
    from tbwidget.logs.logdir import LogDir


def frame_hash(logs: LogDir) -> int:
    """Return a hash of all points."""
    return int(pd.util.hash_pandas_object(logs.frame(), index=False).sum())


def _take_away() -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    threading.Thread.start = refuse  # type: ignore[method-assign, assignment]
    del time.thread_time
    sys.modules["mmap"] = None  # type: ignore[assignment]
    from tbwidget.logs import threads  # noqa: PLC0415

    threads._MAY_HAVE_NONE = True


async def _seen(logdir: Path, run: str) -> dict[str, Any]:
    """Load, show, write more, read it, send a request, close: in an event loop, like a kernel of JupyterLite."""
    import tbwidget  # noqa: PLC0415 (here and below: once threads were taken away)
    from tbwidget.dashboard.board import Board  # noqa: PLC0415
    from tbwidget.wire.message import Message  # noqa: PLC0415
    from tests.support.eventfiles import NAME, event, simple  # noqa: PLC0415
    from tests.support.page import Page  # noqa: PLC0415
    from tests.support.waiting import PATIENCE  # noqa: PLC0415

    page, headers = Page(), []

    def hear(_board: Any, header: dict[str, Any], buffers: list[bytes]) -> None:
        headers.append(header)
        page.take(Message(header, buffers[0], 0, 0))

    Board.send = hear

    async def until(count: int) -> None:
        """Wait until this many points of the growing series have arrived."""
        end = time.monotonic() + PATIENCE
        while not any(entry["total"] == count for header in headers for entry in header["series"]):
            assert time.monotonic() < end, [entry for header in headers for entry in header["series"]]
            await asyncio.sleep(0.01)

    logs = tbwidget.load(logdir)
    seen: dict[str, Any] = {"tags": logs.tags(), "frame": frame_hash(logs)}
    file = logdir / run / NAME
    file.parent.mkdir()
    file.write_bytes(b"".join(event(1.8e9 + step, step, simple("grows", step)) for step in range(71)))
    logs.refresh()
    board: Any = tbwidget.Dashboard(logs)
    seen["first message in the cell"] = bool(headers)
    shown = board._repr_mimebundle_()[0]
    seen["shown"] = sorted(shown)
    await until(71)
    figure: Any = tbwidget.figure(logs, "grows")
    with file.open("ab") as more:
        more.write(b"".join(event(1.8e9 + step, step, simple("grows", step)) for step in range(71, 93)))
    seen["refreshed"] = logs.refresh()
    seen["figure"] = float(figure.marks[0].x[-1])
    figure.close()
    await until(93)
    board._on_message(
        board, {"type": "request", "id": "1", "name": "text.search", "args": {"words": "e", "keys": []}}, []
    )
    board._on_message(board, {"type": "request", "id": "2", "name": "text.none", "args": {}}, [])
    end = time.monotonic() + PATIENCE
    while not (page.answers and page.refusals and page.blobs and page.contents):
        assert time.monotonic() < end, (page.answers, page.refusals)
        await asyncio.sleep(0.01)
    board.close()
    sent = len(headers)
    await asyncio.sleep(0.3)
    seen["after closing"] = len(headers) - sent
    # Nothing else is needed: the directory is read when it is shown.
    tbwidget.show(logdir)
    seen["threads"] = [thread.name for thread in threading.enumerate()]
    return seen


if __name__ == "__main__":
    _take_away()
    print(json.dumps(asyncio.run(_seen(Path(sys.argv[1]), sys.argv[2]))))
