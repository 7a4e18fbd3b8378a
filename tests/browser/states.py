"""A dashboard in each of its states, in a JupyterLab: for the pictures that `look` takes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.chromium import Chromium

SHOW = """
import tbwidget
board = tbwidget.Dashboard({logs!r})
board
"""

# A storage that answers for some files only.
SLOW = """
import asyncio, fsspec, pathlib
from fsspec.asyn import AsyncFileSystem
files = fsspec.filesystem("memory")
for path in pathlib.Path("logs").rglob("*tfevents*"):
    files.pipe(f"/{path}", path.read_bytes())
class Slow(AsyncFileSystem):
    protocol = "slow"
    async def _ls(self, path, detail=True, **_):
        return files.ls(path, detail=detail)
    async def _info(self, path, **_):
        return files.info(path)
    async def _cat_file(self, path, start=None, end=None, **_):
        await asyncio.sleep(3600 if "run9" in path else 0)
        return files.cat_file(path, start=start, end=end)
    @classmethod
    def _strip_protocol(cls, path):
        return type(files)._strip_protocol(path.replace("slow://", "memory://"))
fsspec.register_implementation("slow", Slow)
"""

TRAIN = """
from tensorboardX import SummaryWriter
writer = SummaryWriter("logs/new")
step = 0
"""

STEP = """
writer.add_scalar("loss", 1 / (1 + step), step)
writer.flush()
step += 1
time.sleep(0.05)
"""

OTHER_PROTOCOL = "import tbwidget.wire.channel\ntbwidget.wire.channel.PROTOCOL = 999"

# As the long scripts of other extensions.
BLOCK = "const until = performance.now() + 6_000; while (performance.now() < until) {}"

Again = Callable[[], None]
"""Brings the dashboard into the state again, which lasts for some seconds."""


def _nothing() -> None:
    pass


def _hide_side_bar(page: NotebookPage) -> None:
    page.wait("return app?.shell !== undefined && panel !== undefined")
    page.js("app.shell.collapseLeft(); return null")


def _reading(page: NotebookPage) -> Iterator[Again]:
    page.run_cell(0)
    page.run_cell(1)
    expect(page.page.locator(".tbwidget-news")).to_contain_text("files")
    yield _nothing


def _stopped(page: NotebookPage) -> Iterator[Again]:
    for _ in _reading(page):
        page.page.locator(".tbwidget-state").click()
        page.page.locator(".tbwidget-reading-switch").click()
        expect(page.page.locator(".tbwidget-state")).to_have_text("Stopped")
        page.page.keyboard.press("Escape")
        yield _nothing


def _idle(page: NotebookPage) -> Iterator[Again]:
    page.run_cell(0)
    page.wait_for_state("idle")
    yield _nothing


def _training(page: NotebookPage, state: str) -> Iterator[Again]:
    page.run_cell(0)
    page.start_cell(1)
    page.wait_for_state(state)
    yield _nothing
    page.release("states")
    page.end_of_cell(1)


def _behind(page: NotebookPage) -> Iterator[Again]:
    def block() -> None:
        page.js(BLOCK)
        page.wait("return document.querySelector('.tbwidget').dataset.behind !== undefined")

    for _ in _training(page, "live"):
        yield block


def _disconnected(page: NotebookPage) -> Iterator[Again]:
    for _ in _idle(page):
        page.js("return panel.sessionContext.session.kernel.restart().then(() => null)")
        page.wait_for_state("disconnected")
        yield _nothing


def _last_view(page: NotebookPage) -> Iterator[Again]:
    for _ in _idle(page):
        page.save()
        process = page.kernel_process()
        os.kill(process, signal.SIGSTOP)
        try:
            page.page.reload()
            _hide_side_bar(page)
            page.page.locator(".tbwidget[data-last-view] [data-last-step]").first.wait_for()
            yield _nothing
        finally:
            os.kill(process, signal.SIGCONT)


def _saved(page: NotebookPage) -> Iterator[Again]:
    for _ in _idle(page):
        page.save()
        for kernel in page.server.api("api/kernels"):
            page.server.api(f"api/kernels/{kernel['id']}", "DELETE")
        page.page.evaluate("localStorage.clear(); indexedDB.deleteDatabase('tbwidget')")
        page.open()
        _hide_side_bar(page)
        page.page.locator(".tbwidget-state", has_text="Saved").wait_for()
        yield _nothing


def _error(page: NotebookPage) -> Iterator[Again]:
    page.run_cell(0)
    page.run_cell(1)
    page.wait_for_state("error")
    yield _nothing


def _waiting(page: NotebookPage) -> Iterator[Again]:
    page.run_cell(0)
    page.wait_for_state("waiting")
    yield _nothing


_SHOW = SHOW.format(logs="logs")

STATES: dict[str, tuple[list[str], Callable[[NotebookPage], Iterator[Again]]]] = {
    "reading": ([SLOW, SHOW.format(logs="slow://logs")], _reading),
    "stopped": ([SLOW, SHOW.format(logs="slow://logs")], _stopped),
    "idle": ([_SHOW], _idle),
    "live": ([_SHOW, TRAIN + hold("states", STEP)], lambda page: _training(page, "live")),
    "busy": ([_SHOW, hold("states")], lambda page: _training(page, "busy")),
    "behind": ([_SHOW, TRAIN + hold("states", STEP)], _behind),
    "disconnected": ([_SHOW], _disconnected),
    "last-view": ([_SHOW], _last_view),
    "saved": ([_SHOW], _saved),
    "error": ([OTHER_PROTOCOL, _SHOW], _error),
    "waiting": ([SHOW.format(logs="empty")], _waiting),
    "no-directory": ([SHOW.format(logs="nowhere")], _waiting),
}
"""The cells of a notebook for each state, and what brings its dashboard into the state."""


def write_logs(server: JupyterServer) -> None:
    """Write ten runs, which are over, and an empty directory."""
    (server.root / "empty").mkdir()
    for run in range(10):
        events = [
            event(1.7e9 + step, step, simple("loss", (1 + run / 10) / (1 + step)), simple("accuracy", step / 60))
            for step in range(60)
        ]
        write(server.root / f"logs/run{run}" / NAME, event(1.7e9, version="brain.Event:2"), *events)


@contextmanager
def state(chromium: Chromium, name: str) -> Iterator[tuple[NotebookPage, Again]]:
    """Show a dashboard in a state."""
    sources, reach = STATES[name]
    settings = {"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}} if name == "saved" else None
    with JupyterServer(settings=settings, labextension=name == "last-view") as server:
        write_logs(server)
        server.write_notebook("states.ipynb", sources)
        with NotebookPage(server, "states.ipynb", chromium) as page:
            _hide_side_bar(page)
            with _steps(reach(page)) as again:
                yield page, again


@contextmanager
def _steps(steps: Iterator[Again]) -> Iterator[Again]:
    try:
        yield next(steps)
    finally:
        for _ in steps:
            pass
