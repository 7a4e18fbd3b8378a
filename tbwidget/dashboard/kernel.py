"""Facts about the kernel: which cell runs, whether one does, and whether a person or a program runs it."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

from IPython.core.getipython import get_ipython

from tbwidget.wire.clients import IdleClock

if TYPE_CHECKING:
    from collections.abc import Callable


class Closable(Protocol):
    """The part of a dashboard that a cell run uses."""

    def close(self) -> None:
        """End it."""


class CellRun:
    """One run of a cell, and the dashboards that it made."""

    def __init__(self, cell: str, count: int = 0) -> None:
        self._cell = cell
        self.count = count
        """How many cells the kernel had run before."""
        self._made = 0
        self._boards: list[Closable] = []

    def next_identity(self) -> str:
        """Return the identity of the next dashboard, equal in each run of the cell."""
        self._made += 1
        return f"{self._cell}:{self._made}"

    def add(self, board: Closable) -> None:
        """Add an open dashboard."""
        self._boards.append(board)

    def discard(self, board: Closable) -> None:
        """Remove a closed dashboard."""
        self._boards = [other for other in self._boards if other is not board]

    def close(self) -> None:
        """Close the dashboards."""
        for board in list(self._boards):
            board.close()


_run_of: dict[str, CellRun] = {}


def this_cell_run() -> CellRun:
    """Return the current run of the current cell. Dashboards of its former run are closed first.

    Only some front ends tell which cell runs. Elsewhere, dashboards live until they are closed, and each counts as a
    new one.
    """
    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    cell = None
    if shell is not None and kernel is not None:
        cell = kernel.get_parent("shell").get("metadata", {}).get("cellId")
    if shell is None or not isinstance(cell, str):
        return CellRun(uuid4().hex)
    run = _run_of.get(cell)
    if run is None or run.count != shell.execution_count:
        if run is not None:
            run.close()
        run = _run_of[cell] = CellRun(cell, shell.execution_count)
    return run


_clock_of: dict[int, IdleClock] = {}


def idle_clock() -> IdleClock:
    """Return the clock of this kernel. Without IPython it cannot tell whether a cell runs."""
    shell = get_ipython()
    if shell is None:
        return IdleClock(cell_runs=None)
    known = _clock_of.get(id(shell))
    if known is None:
        clock = IdleClock(cell_runs=_a_cell_runs(shell), ask=_main_loop(shell))
        known = _clock_of[id(shell)] = clock
        shell.events.register("pre_execute", lambda: clock.cell_begins(time.monotonic()))
        shell.events.register("post_execute", lambda: clock.cell_ends(time.monotonic()))
    return known


def _main_loop(shell: Any) -> Callable[[Callable[[float], None]], object] | None:
    """Return a function that makes the kernel's main loop call back with the time; None if the loop is unknown."""
    add_callback = getattr(getattr(getattr(shell, "kernel", None), "io_loop", None), "add_callback", None)
    if not callable(add_callback):
        return None

    def ask(answer: Callable[[float], None]) -> None:
        if getattr(shell.kernel, "eventloop", None) is not None:
            # A GUI loop, such as Qt's, blocks the callbacks of the main loop until a message comes.
            raise RuntimeError("this kernel's loop does not answer while it can hear")
        add_callback(lambda: answer(time.monotonic()))

    return ask


def _a_cell_runs(shell: Any) -> bool:
    """Whether a cell runs now, rather than the callback of a button or a task between cells."""
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return True
    with contextlib.suppress(Exception):
        return bool(kernel.get_parent("shell").get("header", {}).get("msg_type") == "execute_request")
    return True


def is_run_by_a_program(shell: Any) -> bool:
    """Whether nbclient (of nbconvert, papermill …) sent the running cell: unlike people, it takes no input."""
    with contextlib.suppress(Exception):
        return shell.kernel.get_parent("shell")["content"]["allow_stdin"] is False
    return False


def handle_beside_cells(comm: Any) -> None:
    """Let messages of the browser through while a cell runs, without a trace in that cell."""
    answer_beside_cells(comm)
    suppress_cell_events(comm)


def answer_beside_cells(comm: Any) -> None:
    """Let messages of the browser through while a cell runs, if the kernel has subshells.

    ipykernel 7.4 routes replies to the loop that sent last, which is busy during a cell, although JupyterLab asks for a
    subshell. The patched name is private to that version. Without it, messages wait for the end of the cell.
    """
    with contextlib.suppress(Exception):
        if callable(getattr(comm, "_reply_subshell_for", None)):
            comm._reply_subshell_for = lambda _data, default: default  # noqa: SLF001


def suppress_cell_events(comm: Any) -> None:
    """Handle messages that come on a subshell without the events of a cell.

    A comm triggers pre_execute and post_execute around each message. On a subshell, a cell may run at the same time: at
    post_execute, matplotlib's inline backend shows and closes the figures that this cell is drawing.
    """
    handle = getattr(comm, "handle_msg", None)
    if not callable(handle):
        return

    def handle_msg(message: Any) -> None:
        callback = getattr(comm, "_msg_callback", None)
        if callback is None or threading.current_thread() is threading.main_thread():
            handle(message)
        else:
            callback(message)

    with contextlib.suppress(Exception):
        comm.handle_msg = handle_msg
