"""A dashboard without clients ends its threads, in a kernel whose front end does not say which cell runs."""

from __future__ import annotations

import ast
import contextlib
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

import pytest
from jupyter_client.manager import start_new_kernel

from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import PATIENCE, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyter_client.blocking.client import BlockingKernelClient

MAKE = """
import threading
import tbwidget
from tbwidget.wire import clients
clients.SILENCE_S = 0.5
before = set(threading.enumerate())
board = tbwidget.Dashboard({logs!r})
print([board.model_id])
"""

THREADS = "print(sorted(t.name for t in set(threading.enumerate()) - before if t.name in {wanted}))"

OURS = ["tbwidget-follower", "tbwidget-sender"]


@pytest.fixture
def client() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def printed(client: BlockingKernelClient, code: str) -> Any:
    """Return the output of a cell as a Python value."""
    texts: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        texts.append(message["content"].get("text", "") if message["msg_type"] == "stream" else "")

    client.execute_interactive(code, output_hook=hear, timeout=PATIENCE)
    return ast.literal_eval("".join(texts))


def hears_data(client: BlockingKernelClient, total: int) -> bool:
    with contextlib.suppress(Empty):
        while True:
            content = client.get_iopub_msg(timeout=0.2)["content"]
            series = content.get("data", {}).get("content", {}).get("series", []) if "data" in content else []
            if any(entry["total"] == total for entry in series):
                return True
    return False


def test_threads_end_and_begin_again_when_a_view_comes_back(client: BlockingKernelClient, tmp_path: Path) -> None:
    (model,) = printed(client, MAKE.format(logs=str(tmp_path)))
    threads = THREADS.format(wanted=OURS)
    assert printed(client, threads) == OURS
    wait_for(lambda: printed(client, threads) == [])
    write(tmp_path / NAME, event(1.7e9, version="brain.Event:2"), event(1.7e9, 1, simple("loss", 1.0)))
    hello = {"method": "custom", "content": {"type": "hello", "complete": False, "views": ["view"]}}
    client.shell_channel.send(client.session.msg("comm_msg", {"comm_id": model, "data": hello}))
    wait_for(lambda: hears_data(client, 1))
