"""A kernel that is gone, restarted, or silent: the dashboard says so within 45 seconds."""

from __future__ import annotations

import copy
import os
import re
import signal
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import cells
from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage
from tests.browser.proxy import Proxy
from tests.browser.test_reload import BEGIN, QUIET_STEP, wait_until_it_moves
from tests.support.eventfiles import NAME, event, simple, write

SOON = 45
"""Upper bound in seconds for the dashboard to notice."""

RESTART = "return panel.sessionContext.session.kernel.restart().then(() => null)"


def opened(
    server: JupyterServer, open_notebook: Open, name: str, *more: str, where: JupyterServer | None = None
) -> NotebookPage:
    """Open a notebook whose first cell shows a directory of its own."""
    events = [event(1.7e9 + i, i, simple("loss", i / 60)) for i in range(60)]
    write(server.root / name / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook(f"{name}.ipynb", [f"import tbwidget; tbwidget.show({name!r})", *more])
    page = open_notebook(f"{name}.ipynb", where)
    page.run_cell(0)
    page.wait_for_last_steps({"loss": "59"})
    page.wait_for_state("idle", "live")
    return page


NO_NEWS = "nothing heard from the kernel since {}; if it has ended, run the cell again"

ENDED = "run the cell again: kernel ended {}"


def wait_until_it_shows(notebook: NotebookPage, words: str) -> None:
    begin = time.monotonic()
    notebook.wait_for_state("disconnected", timeout=SOON)
    assert time.monotonic() - begin < SOON
    # The dashboard shows the time of day since when it is disconnected.
    shown = re.compile(words.replace("{}", r"\d\d:\d\d:\d\d"))
    expect(notebook.page.locator(".tbwidget-news")).to_contain_text(shown)
    # The data stay on the screen.
    notebook.wait_for_last_steps({"loss": "59"})


@pytest.mark.own_window
def test_a_kernel_that_was_restarted_or_killed(extended_server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(extended_server, open_notebook, "restarted", where=extended_server)
    smoothing = notebook.page.locator(".tbwidget input[type=number]")
    smoothing.fill("0.73")
    notebook.js(RESTART)
    wait_until_it_shows(notebook, ENDED)
    # The option set on the disconnected dashboard is kept, too.
    expect(smoothing).to_have_value("0.73")
    smoothing.fill("0.81")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    notebook.wait_for_last_steps({"loss": "59"})
    expect(smoothing).to_have_count(1)
    expect(smoothing).to_have_value("0.81")
    os.kill(notebook.kernel_process(), signal.SIGKILL)
    wait_until_it_shows(notebook, ENDED)


@pytest.fixture
def proxy(server: JupyterServer) -> Iterator[Proxy]:
    with Proxy(server.port) as proxy:
        yield proxy


def test_kernels_that_fall_silent_are_gone_and_one_that_trains_is_not(
    server: JupyterServer, proxy: Proxy, open_notebook: Open
) -> None:
    far = copy.copy(server)
    far.port = proxy.port
    # All notebooks are open at once: the test waits for all of them together.
    training = opened(server, open_notebook, "long-cell", cells.hold("long-cell"))
    shut_down = opened(server, open_notebook, "shut-down")
    stopped = opened(server, open_notebook, "stopped")
    cell = BEGIN.replace("{folder}", "held") + cells.hold("held", QUIET_STEP)
    held = opened(server, open_notebook, "held", cell, where=far)
    training.start_cell(1)
    training.wait("return running(cells[1])")
    held.start_cell(1)
    before = wait_until_it_moves(held, 60)
    proxy.silence()
    begin = time.monotonic()
    process = stopped.kernel_process()
    os.kill(process, signal.SIGSTOP)
    try:
        server.end_kernels(shut_down.notebook)
        wait_until_it_shows(shut_down, f"{ENDED}|{NO_NEWS}")
        wait_until_it_shows(stopped, NO_NEWS)
        # Longer than the silence after which the page considers a kernel gone.
        while time.monotonic() < begin + SOON:
            assert training.state() != "disconnected"
            training.sleep(0.5)
    finally:
        os.kill(process, signal.SIGCONT)
    stopped.wait_for_state("idle", "live")
    assert training.busy(1)
    training.release("long-cell")
    training.end_of_cell(1)
    # A stalled connection gives the page no event: it has to open a new one.
    wait_until_it_moves(held, before)
    held.wait_for_state("live")
    held.release("held")
    held.end_of_cell(1)
