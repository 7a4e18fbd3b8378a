"""The dashboard widget: traits for the user's choices, and a thread that sends what its feed composes."""

from __future__ import annotations

import difflib
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from tbwidget.logs import LogDir
from tbwidget.panels.feed import Feed

if TYPE_CHECKING:
    from collections.abc import Callable

_STATIC = Path(__file__).parent / "static"
_LONGEST_REST = 5.0  # seconds between looks at the feed; news wakes the thread at once
_FAREWELL = 2.0  # seconds that close() waits for the thread


def _asset(name: str) -> str | Path:
    """Text of a built file; its path while developing with hot reload, which anywidget then watches."""
    path = _STATIC / name
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    # As text: given a path, anywidget would hold every instance for ever.
    return path.read_text(encoding="utf-8") if path.exists() else ""


class Dashboard(anywidget.AnyWidget):
    """Live charts of a log directory, in the notebook.

    `logs` is a path, or a `LogDir`, which is then followed too. Options are the traits below, by keyword; all can be
    set later as well. The widget pushes what is written while a cell runs; `close()` ends it.

    Raises `TypeError` for an unknown option and `NotADirectoryError` if the path names a file. A directory that does
    not exist yet is waited for.
    """

    _esm = _asset("dashboard.js")
    _css = _asset("dashboard.css")

    # Identity, so that the browser finds the data of this widget whichever way its module was loaded.
    _session = traitlets.Unicode().tag(sync=True)

    selected_runs = traitlets.List(traitlets.Unicode(), default_value=None, allow_none=True).tag(
        sync=True, echo_update=False
    )
    """Names of the runs shown. Type: list of str or None. Default: None, all of them."""

    tag_filter = traitlets.Unicode("").tag(sync=True, echo_update=False)
    """Only tags that contain this text are shown, upper and lower case alike. Type: str. Default: ""."""

    height = traitlets.Int(640, min=200).tag(sync=True, echo_update=False)
    """Largest height in CSS pixels; more cards than fit are scrolled to. Type: int, at least 200. Default: 640."""

    def __init__(self, logs: LogDir | str | os.PathLike[str], **options: Any) -> None:
        _check_options(type(self), options)
        if not _STATIC.joinpath("dashboard.js").exists():
            raise FileNotFoundError(f"{_STATIC} holds no bundle: run `npm ci && npm run build` in js/")
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._wake = threading.Event()
        self._owned: LogDir | None = None
        super().__init__(_session=uuid4().hex, **options)
        if isinstance(logs, LogDir):
            self._logs = logs
        else:
            self._logs = self._owned = _open(logs)
        self._feed = Feed(self._logs)
        self._unsubscribe: Callable[[], None] = self._logs.subscribe(self._on_changes)
        self._logs.follow()
        self.on_msg(self._on_message)
        self._thread = threading.Thread(target=self._push, name="tbwidget-push", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the dashboard: its views disappear, its thread ends, and so does the follower if it was its own."""
        # ipywidgets also calls this from __del__, for widgets whose making failed half way too.
        if hasattr(self, "_thread"):
            with self._lock:
                ended = self._closed.is_set()
                self._closed.set()
            if not ended:
                self._end()
        super().close()

    def _end(self) -> None:
        self._wake.set()
        self._unsubscribe()
        if self._owned is not None:
            self._owned.close()
        if threading.current_thread() is not self._thread:
            self._thread.join(_FAREWELL)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over choices made in the browser. May be called from any thread."""
        with self._lock:
            super().set_state(sync_data)

    def notify_change(self, change: Any) -> None:
        """Send a choice made in Python to the browser. May be called from any thread."""
        with self._lock:
            super().notify_change(change)

    def _on_changes(self, changes: Any) -> None:
        self._feed.changed(changes)
        self._wake.set()

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Hear the browser. While a cell runs this may come late or not at all, and nothing depends on it."""
        if not isinstance(content, dict):
            return
        with self._lock:
            if content.get("type") in ("hello", "resync"):
                self._feed.hello(complete=content.get("complete") is True)
                self._wake.set()

    def _push(self) -> None:
        while not self._closed.is_set():
            message, wait = self._feed.next_message(time.monotonic())
            if message is not None:
                self._send_quietly(message.header, message.buffer)
            # News may come any time, but never hurries the next message: the feed keeps its pace.
            self._wake.wait(min(wait, _LONGEST_REST))
            self._wake.clear()

    def _send_quietly(self, header: dict[str, Any], buffer: bytes) -> None:
        try:
            self.send(header, buffers=[buffer])
        except Exception:  # noqa: BLE001 - whatever the transport raises, the next keyframe tries again
            return


_by_cell: dict[str, tuple[int, list[Dashboard]]] = {}


def show(logs: LogDir | str | os.PathLike[str], **options: Any) -> None:
    """Display the dashboard of a log directory; it refreshes by itself, also while another cell runs.

    `logs` and options are those of `Dashboard`. Running the cell again closes the dashboards it made before.
    """
    dashboards = _this_cells_dashboards()
    dashboard = Dashboard(logs, **options)
    dashboards.append(dashboard)
    display(dashboard)  # type: ignore[no-untyped-call]


def _this_cells_dashboards() -> list[Dashboard]:
    """Where to note the dashboards of the cell that runs now; those of its former run are closed first."""
    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    if shell is None or kernel is None:
        return []
    parent = kernel.get_parent("shell")
    # Only some front ends say which cell runs; without that, dashboards live until they are closed.
    cell = parent.get("metadata", {}).get("cellId")
    if not isinstance(cell, str):
        return []
    count, dashboards = _by_cell.get(cell, (-1, []))
    if count != shell.execution_count:
        for dashboard in dashboards:
            dashboard.close()
        dashboards = []
        _by_cell[cell] = shell.execution_count, dashboards
    return dashboards


def _open(path: str | os.PathLike[str]) -> LogDir:
    if Path(path).is_file():
        raise NotADirectoryError(f"{os.fspath(path)} is a file: give the directory that holds the event files")
    return LogDir(path)


def _check_options(cls: type[Dashboard], options: dict[str, Any]) -> None:
    known = sorted(name for name in cls.class_trait_names(sync=True) if name in vars(Dashboard))
    known = [name for name in known if not name.startswith("_")]
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(known)}."
            raise TypeError(f"{cls.__name__} has no option {name!r}: {hint}")
