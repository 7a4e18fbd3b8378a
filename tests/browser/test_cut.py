"""The network between page and kernel is cut and comes back: the dashboard is live again, and no point is missing."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import csv
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tornado.websocket import websocket_connect

import tbwidget
from tests.browser.cells import hold
from tests.browser.jupyter import KERNEL6
from tests.browser.proxy import Proxy
from tests.browser.test_reload import BEGIN, SHOW, VIEW, wait_until_it_moves
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

# Slow enough for every point to be drawn, however long the cell is held.
STEP = """
writer.add_scalar("loss", 1 / (1 + step), step)
step += 1
writer.flush()
time.sleep(0.1)
"""

MISSED = 1_600
"""Bytes of events that are written while the network is cut: forty steps."""


@contextlib.contextmanager
def listening(server: JupyterServer, notebook: str) -> Iterator[None]:
    """Connect another client to the notebook's kernel: with it, the server keeps no messages for disconnected ones."""
    (kernel,) = [one["kernel"]["id"] for one in server.api("api/sessions") if one["path"] == notebook]
    address = f"{server.url.replace('http', 'ws', 1)}api/kernels/{kernel}/channels?session_id=other"
    is_open, loop = threading.Event(), asyncio.new_event_loop()

    async def listen() -> None:
        socket = await websocket_connect(f"{address}&token={server.token}")
        is_open.set()
        while await socket.read_message() is not None:
            pass

    task = loop.create_task(listen())
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])), daemon=True)
    thread.start()
    try:
        assert is_open.wait(PATIENCE)
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(PATIENCE)
        loop.close()


def cut(notebook: NotebookPage, proxy: Proxy) -> None:
    """Cut the network; the dashboard stays, and shows since when it is disconnected."""
    proxy.cut()
    expect(notebook.page.locator(".tbwidget-news")).to_contain_text("no connection to the kernel since")
    # Not earlier: Chromium might not tell the page that its connection was closed.
    notebook.page.context.set_offline(True)
    assert notebook.state() == "disconnected"


def mend(notebook: NotebookPage, proxy: Proxy) -> None:
    proxy.mend()
    notebook.page.context.set_offline(False)


def same_as_logs(notebook: NotebookPage, logs: Path) -> None:
    """Check that the page, saved while no kernel answers, has all points of the logs."""
    notebook.wait("return !document.querySelector('.tbwidget [data-tag=loss]').textContent.includes('≈')")
    card = notebook.card("loss")
    card.hover()
    card.get_by_role("button", name="Save", exact=True).click()
    card.get_by_role("button", name="Save as CSV", exact=True).click()
    with notebook.page.expect_download() as download:
        card.get_by_role("button", name="save what is loaded", exact=True).click()
    with Path(download.value.path()).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert "points" not in rows[0], "each row is a point"
    found = {(row["run"], int(row["step"]), float(row["value"])) for row in rows}
    frame = tbwidget.load(logs).frame("scalars")
    assert found == set(zip(frame["run"], frame["step"], frame["value"], strict=True))
    notebook.page.keyboard.press("Escape")


@pytest.mark.own_window
def test_a_network_that_was_cut_in_mid_cell(extended_server: JupyterServer, open_notebook: Open) -> None:
    server, folder = extended_server, extended_server.root / "cut"
    events = [event(1.7e9 + i, i, simple("loss", i / 60)) for i in range(60)]
    write(folder / "first" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    cells = [SHOW, BEGIN + hold("cut", STEP) + "writer.close(); print(step)", hold("cut-after")]
    # The kernel receives nothing from the page: it has no subshells, and a cell runs all the time.
    server.write_notebook("cut.ipynb", [cell.replace("{folder}", "cut") for cell in cells], KERNEL6)
    with Proxy(server.port) as proxy:
        far = copy.copy(server)
        far.port = proxy.port
        notebook = open_notebook("cut.ipynb", far)
        # JupyterLab's own dialog about the network, which may appear at any time.
        notebook.page.add_locator_handler(
            notebook.page.locator(".jp-Dialog"), lambda dialog: dialog.get_by_role("button", name="Close").click()
        )
        notebook.run_cell(0)
        notebook.wait_for_last_steps({"loss": "59"})
        notebook.save()
        notebook.start_cell(1)
        wait_until_it_moves(notebook, 60)
        (written,) = (folder / "second").iterdir()
        with listening(server, "cut.ipynb"):
            cut(notebook, proxy)
            size = written.stat().st_size
            wait_for(lambda: written.stat().st_size > size + MISSED)
            before = int(notebook.last_steps()["loss"])
            mend(notebook, proxy)
            wait_until_it_moves(notebook, before)
            notebook.wait_for_state("live")
            notebook.start_cell(2)
            notebook.release("cut")
            steps = int(notebook.end_of_cell(1))
            notebook.wait_for_last_steps({"loss": str(steps - 1)})
            same_as_logs(notebook, folder)

            # The same holds for a page that was loaded while the cell ran, which has no widget manager.
            notebook.page.reload()
            expect(notebook.page.locator(".tbwidget:not([data-last-view])")).to_be_visible()
            notebook.wait_for_last_steps({"loss": str(steps - 1)})
            expect(notebook.page.locator(".tbwidget[data-last-view]")).to_have_count(0)
            cut(notebook, proxy)
            write(folder / "third" / NAME, *[event(1.7e9 + i, i, simple("loss", i)) for i in range(steps + 500)])
            mend(notebook, proxy)
            notebook.wait_for_last_steps({"loss": str(steps + 499)})
            same_as_logs(notebook, folder)
            # A closed dashboard leaves no empty output here either.
            outputs = notebook.page.locator(".jp-OutputArea-output")
            expect(outputs.first).to_be_visible()
            notebook.release("cut-after")
            notebook.ask_kernel("board.close()")
            expect(outputs.first).to_be_hidden()
            assert notebook.outputs(0)[0]["data"][VIEW]["model_id"] == ""
