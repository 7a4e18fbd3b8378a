"""What the dashboards of a kernel know of it: which cell runs, whether one does, and who runs it."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

from IPython.core.getipython import get_ipython

from tbwidget.wire.idle_clock import IdleClock

if TYPE_CHECKING:
    from collections.abc import Callable


class Closable(Protocol):
    """What is needed of a dashboard."""

    def close(self) -> None:
        """End it."""


class CellRun:
    """One run of a cell, and the dashboards that it has made."""

    def __init__(self, cell: str, count: int = 0) -> None:
        self._cell = cell
        self.count = count
        """How many cells the kernel had run before."""
        self._made = 0
        self._boards: list[Closable] = []

    def next_identity(self) -> str:
        """The same for the same dashboard whenever the cell is run."""
        self._made += 1
        return f"{self._cell}:{self._made}"

    def add(self, board: Closable) -> None:
        """Note a dashboard that is open."""
        self._boards.append(board)

    def discard(self, board: Closable) -> None:
        """Forget one that is closed."""
        self._boards = [other for other in self._boards if other is not board]

    def close(self) -> None:
        """Close the dashboards."""
        for board in list(self._boards):
            board.close()


_run_of: dict[str, CellRun] = {}


def this_cell_run() -> CellRun:
    """The run of the cell that runs now; the dashboards of its former run are closed first.

    Only some front ends say which cell runs. Without that, dashboards live until they are closed, and each counts as
    another one.
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
    """The clock of this kernel. Where there is no IPython, nobody knows whether a cell runs."""
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
    """What has the loop that hears the browser between cells call back with the time; None where it is not known."""
    add_callback = getattr(getattr(getattr(shell, "kernel", None), "io_loop", None), "add_callback", None)
    if not callable(add_callback):
        return None

    def ask(answer: Callable[[float], None]) -> None:
        if getattr(shell.kernel, "eventloop", None) is not None:
            # A window's loop, such as Qt's, keeps the main one from its callbacks until a message comes.
            raise RuntimeError("this kernel's loop does not answer while it can hear")
        add_callback(lambda: answer(time.monotonic()))

    return ask


def _a_cell_runs(shell: Any) -> bool:
    """Whether the code that runs now is a cell's, and not that of a button or a task between cells."""
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return True
    with contextlib.suppress(Exception):
        return bool(kernel.get_parent("shell").get("header", {}).get("msg_type") == "execute_request")
    return True


def is_run_by_a_program(shell: Any) -> bool:
    """Whether the cell that runs was sent by nbclient (of nbconvert, papermill …): it takes no input, unlike people."""
    with contextlib.suppress(Exception):
        return shell.kernel.get_parent("shell")["content"]["allow_stdin"] is False
    return False


def answer_beside_cells(comm: Any) -> None:
    """Let the browser be heard while a cell runs, where the kernel has subshells for that.

    ipykernel 7.4 sends what comes back to the loop that sent last, which is busy then, though JupyterLab asks for a
    subshell. This is a private name of one version: where it is not there, all works as before, and waits for the cell.
    """
    with contextlib.suppress(Exception):
        if callable(getattr(comm, "_reply_subshell_for", None)):
            comm._reply_subshell_for = lambda _data, default: default  # noqa: SLF001
