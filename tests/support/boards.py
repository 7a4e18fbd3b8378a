"""Dashboards without a browser: a listener for their messages, and a stand-in for their kernel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tensorboardX import SummaryWriter

from tbwidget.dashboard import kernel
from tbwidget.dashboard.board import Board


class Listener:
    """Replaces the browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.headers: list[dict[str, Any]] = []
        monkeypatch.setattr(Board, "send", lambda _widget, header, buffers: self._hear(header, buffers))

    def _hear(self, header: dict[str, Any], buffers: list[bytes]) -> None:
        assert [type(buffer) for buffer in buffers] == [bytes]
        self.headers.append(header)

    def entries(self, part: str) -> list[dict[str, Any]]:
        """Return all received entries of one part of the headers."""
        return [entry for header in list(self.headers) for entry in header.get(part, ())]

    def total(self) -> int:
        """Return the number of points of the longest received series."""
        return max((entry["total"] for entry in self.entries("series")), default=0)

    def kinds(self) -> set[str]:
        """Return the kinds of the received series."""
        return {entry["kind"] for entry in self.entries("series")}


class Shell:
    """An IPython shell with its kernel and events, in which the cell with this id runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cell: str | None = None, *, takes_input: bool = True) -> None:
        self.cell = cell
        self.execution_count = 1
        self.callbacks: list[Callable[[], None]] = []
        self.kernel = self.events = self
        self._takes_input = takes_input
        monkeypatch.setattr("tbwidget.dashboard.kernel.get_ipython", lambda: self)
        monkeypatch.setattr("tbwidget.dashboard.board.get_ipython", lambda: self)
        monkeypatch.setattr(kernel, "_run_of", {})
        monkeypatch.setattr(kernel, "_clock_of", {})

    def get_parent(self, _channel: str) -> dict[str, Any]:
        """Answer as a kernel does."""
        metadata = {} if self.cell is None else {"cellId": self.cell}
        header = {"msg_type": "execute_request"}
        return {"header": header, "metadata": metadata, "content": {"allow_stdin": self._takes_input}}

    def register(self, name: str, call: Callable[[], None]) -> None:
        """Add a callback for an event."""
        if name == "post_execute":
            self.callbacks.append(call)

    def unregister(self, _name: str, call: Callable[[], None]) -> None:
        """Drop a callback."""
        self.callbacks.remove(call)

    def end_cell(self) -> None:
        """Report that a cell has ended."""
        for call in list(self.callbacks):
            call()


def write(folder: Path, steps: range, tag: str = "loss") -> None:
    """Write scalars, as a training would; two of them in the same second are two files."""
    with SummaryWriter(str(folder), filename_suffix=f".{steps.start}") as writer:
        for step in steps:
            writer.add_scalar(tag, 1 / (1 + step), step)
