"""The dashboard widget: traits for the user's choices, and a thread that sends what its feed composes."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from tbwidget.choices import SharedChoices
from tbwidget.logs.reader import log
from tbwidget.logs.shared import borrow, give_back
from tbwidget.panels import PANELS
from tbwidget.panels.feed import Feed
from tbwidget.panels.kinds import KINDS
from tbwidget.panels.presence import Ears, Presence
from tbwidget.panels.snapshot import snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from tbwidget.logs import LogDir

_STATIC = Path(__file__).parent / "static"
_SHARE = 1 / 200  # of a core that small messages, those of a training that goes on, may take
_SMALL_MESSAGE = 50_000  # bytes
_LONGEST_PAUSE = 0.25  # seconds after one of them, however dear it was
_AFTER_ERROR = 2.0  # seconds
_LONGEST_REST = 5.0  # seconds between looks at the feed; news wakes the thread at once
_FAREWELL = 2.0  # seconds that close() waits for the thread


def _asset(name: str) -> str | Path:
    """Text of a built file; its path while developing with hot reload, which anywidget then watches."""
    path = _STATIC / name
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path
    # As text: given a path, anywidget would hold every instance for ever.
    return path.read_text(encoding="utf-8") if path.exists() else ""


class Dashboard(SharedChoices):
    """Live charts of a log directory, in the notebook.

    `logs` is a path, or a `LogDir`, which is followed while a dashboard shows it. The widget pushes what is written
    while a cell runs; `close()` ends it. An idle kernel that has not heard from its page for a minute sends no more
    until it does.

    Options, by keyword or set at any time; each also says what was chosen in the browser:

    - `panel`: "scalars", "histograms" or "distributions"; None for the first that has data
    - `selected_runs`: list of names; None for all (of more than 500, none)
    - `run_filter`, `tag_filter`: regular expressions, found anywhere in a name, upper and lower case alike
    - `run_colors`: dict of a run's name to "#rrggbb"
    - `pinned`: list of tags whose charts come first; `pin(tag)` adds one
    - `x_axis`: "step", "relative" or "wall"
    - `step_range`: (first, last) step in sight; None for all
    - `linked_step`: the step pointed out in all charts, or None
    - `smoothing`: weight of the past, 0 to 0.999
    - `ignore_outliers`: whether value axes leave out what lies far from the middle 90 %
    - `log_y`, `log_counts`: lists of tags with logarithmic values, or counts of histograms
    - `histogram_mode`: "offset" (ridges), "overlay" or "heatmap"
    - `overlay_runs`: whether the histograms of all runs are drawn in one plot
    - `height`: largest height in CSS pixels, at least 200

    Raises `TypeError` for an unknown option, `ValueError` for an address like "gs://…" and `NotADirectoryError` if the
    path names a file. A directory that does not exist yet is waited for.
    """

    _esm = _asset("dashboard.js")
    _css = _asset("dashboard.css")

    # Identity, also of the model: so the browser finds the data of this widget whichever way its module was loaded.
    _session = traitlets.Unicode().tag(sync=True)

    _saved = traitlets.Dict().tag(sync=True)
    """What is shown where there is no kernel; filled only in what is exported."""

    _single = traitlets.Bool(default_value=False).tag(sync=True)
    """There are no other panels than the one that is shown."""

    def __init__(self, logs: LogDir | str | os.PathLike[str], **options: Any) -> None:
        _check_options(type(self), options)
        _check_local(logs)
        if not _STATIC.joinpath("dashboard.js").exists():
            raise FileNotFoundError(f"{_STATIC} holds no bundle: run `npm ci && npm run build` in js/")
        self._closed = threading.Event()
        self._wake = threading.Event()
        self._presence = Presence(_ears())
        self._logs = borrow(logs)
        try:
            of_this_cell = _this_cells_dashboards()
            session = uuid4().hex
            super().__init__(_session=session, model_id=session, **options)
        except BaseException:
            give_back(self._logs)
            raise
        of_this_cell.append(self)
        _answer_beside_cells(self.comm)
        self._feed = Feed(self._logs, self._kinds())
        self._unsubscribe: Callable[[], None] = self._logs.subscribe(self._on_changes, held=True)
        self._presence.heard(time.monotonic())
        self._unsaved = True
        self._shell = get_ipython()
        if self._shell is not None:
            self._shell.events.register("post_execute", self._after_cell)
        self.on_msg(self._on_message)
        self._thread = threading.Thread(target=self._push, name="tbwidget-push", daemon=True)
        self._thread.start()

    def _kinds(self) -> tuple[str, ...]:
        """The kinds of series that are shown, those first that are shown first."""
        first = PANELS.get(self.panel or "", ())
        return first if self._single else tuple(dict.fromkeys((*first, *KINDS)))

    def pin(self, tag: str) -> None:
        """Put the chart of a tag before all others, also of one that has no data yet."""
        if not isinstance(tag, str):
            raise TypeError(f"a tag is a str, not {tag!r}")
        with self._lock:
            if tag not in self.pinned:
                self.pinned = [*self.pinned, tag]

    def close(self) -> None:
        """End the dashboard: its views disappear, its thread ends, and the follower ends with its last user."""
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
        if self._shell is not None:
            self._shell.events.unregister("post_execute", self._after_cell)
        give_back(self._logs)
        if threading.current_thread() is not self._thread:
            self._thread.join(_FAREWELL)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over choices made in the browser, but for those that Python made later; from any thread."""
        try:
            super().set_state(sync_data)
        finally:
            self._heard()

    def _get_embed_state(self, drop_defaults: bool = False) -> Any:  # noqa: ARG002, FBT001, FBT002 (ipywidgets' own)
        """The state as an exported page holds it: with what the logs hold, and with the bundle, though a default."""
        state = super()._get_embed_state(drop_defaults=False)
        self._logs.refresh()
        state["state"]["_saved"] = snapshot(self._logs, self._kinds())
        return state

    def _after_cell(self) -> None:
        """Put what the logs hold into the state where nothing else is kept: nobody looks, the notebook is executed."""
        if not _is_executed_by_a_program(self._shell):
            return
        self._logs.refresh()
        if self._unsaved:
            self._unsaved = False
            self._saved = snapshot(self._logs, self._kinds())

    def _on_changes(self, changes: Any) -> None:
        self._unsaved = True
        self._feed.changed(changes)
        self._wake.set()

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Hear the browser. While a cell runs this may come late or not at all, and nothing depends on it."""
        if not isinstance(content, dict):
            return
        with self._lock:
            if content.get("type") in ("hello", "here", "resync"):
                self._feed.hello(complete=content.get("complete") is True)
            elif content.get("type") == "view":
                seq = content.get("seq")
                tags, want = _texts(content.get("tags")), _texts(content.get("want"))
                near = None if content.get("near") is None else _texts(content["near"])
                seq, linked = seq if isinstance(seq, int) else 0, _number(content.get("linked"))
                self._feed.view(tags, want, seq, _steps(content.get("range")), near, linked)
            self._heard()

    def _heard(self) -> None:
        self._presence.heard(time.monotonic())
        self._wake.set()

    def _push(self) -> None:
        while not self._closed.is_set():
            now = time.monotonic()
            if self._presence.gone(now):
                self._wake.wait(_LONGEST_REST)
                self._wake.clear()
                continue
            begin = time.thread_time()
            try:
                message, wait = self._feed.next_message(now)
            except Exception:  # noqa: BLE001 (a thread has nobody to raise it to, and goes on)
                log.exception("a message about %s failed", self._logs.path)
                self._feed.hello(complete=False)  # what it was to say is said anew
                self._closed.wait(_AFTER_ERROR)
                continue
            if message is not None:
                self._send_quietly(message.header, message.buffer)
                if len(message.buffer) < _SMALL_MESSAGE:
                    # The training cell shares the core with this thread.
                    self._closed.wait(min((time.thread_time() - begin) / _SHARE, _LONGEST_PAUSE))
            # News may come any time, but never hurries the next message: the feed keeps its pace.
            self._wake.wait(min(wait, _LONGEST_REST))
            self._wake.clear()

    def _send_quietly(self, header: dict[str, Any], buffer: bytes) -> None:
        try:
            if header["begins"]:
                self.repeat_choices()
            self.send(header, buffers=[buffer])
        except Exception:  # noqa: BLE001 - whatever the transport raises, the next keyframe tries again
            return


class ScalarsView(Dashboard):
    """The scalar charts of a log directory, and nothing else; used like `Dashboard`."""

    panel = traitlets.Unicode("scalars", read_only=True).tag(sync=True)
    """The one panel that is shown. Never changes."""

    _single = traitlets.Bool(default_value=True).tag(sync=True)


class HistogramsView(Dashboard):
    """The histograms of a log directory, and nothing else; used like `Dashboard`."""

    panel = traitlets.Unicode("histograms", read_only=True).tag(sync=True)
    """The one panel that is shown. Never changes."""

    _single = traitlets.Bool(default_value=True).tag(sync=True)


class DistributionsView(Dashboard):
    """The percentiles of histograms along their steps, and nothing else; used like `Dashboard`.

    They are computed of the bins that the page holds: of very long series, not of every step until one zooms in.
    """

    panel = traitlets.Unicode("distributions", read_only=True).tag(sync=True)
    """The one panel that is shown. Never changes."""

    _single = traitlets.Bool(default_value=True).tag(sync=True)


_by_cell: dict[str, tuple[int, list[Dashboard]]] = {}


def show(logs: LogDir | str | os.PathLike[str], **options: Any) -> None:
    """Display the dashboard of a log directory; it refreshes by itself, also while another cell runs.

    `logs` and options are those of `Dashboard`. Running the cell again closes the dashboards it made before.
    """
    display(Dashboard(logs, **options))  # type: ignore[no-untyped-call]


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


_ears_by_shell: dict[int, Ears] = {}


def _ears() -> Ears:
    """When the kernel can hear: while none of its cells runs. Where there is no IPython, nobody knows."""
    shell = get_ipython()
    if shell is None:
        return Ears()
    known = _ears_by_shell.get(id(shell))
    if known is None:
        known = ears = _ears_by_shell[id(shell)] = Ears(cell_runs=_a_cell_runs(shell))
        shell.events.register("pre_execute", lambda: ears.cell_begins(time.monotonic()))
        shell.events.register("post_execute", lambda: ears.cell_ends(time.monotonic()))
    return known


def _is_executed_by_a_program(shell: Any) -> bool:
    """Whether the cell that runs was sent by nbclient (of nbconvert, papermill …): it takes no input, unlike people."""
    with contextlib.suppress(Exception):
        return shell.kernel.get_parent("shell")["content"]["allow_stdin"] is False
    return False


def _a_cell_runs(shell: Any) -> bool:
    """Whether the code that runs now is a cell's, and not that of a button or a task between cells."""
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return True
    with contextlib.suppress(Exception):
        return bool(kernel.get_parent("shell").get("header", {}).get("msg_type") == "execute_request")
    return True


def _answer_beside_cells(comm: Any) -> None:
    """Let the browser be heard while a cell runs, where the kernel has subshells for that.

    ipykernel 7.4 sends what comes back to the loop that sent last, which is busy then, though JupyterLab asks for a
    subshell. This is a private name of one version: where it is not there, all works as before, and waits for the cell.
    """
    with contextlib.suppress(Exception):
        if callable(getattr(comm, "_reply_subshell_for", None)):
            comm._reply_subshell_for = lambda _data, default: default  # noqa: SLF001


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _steps(value: Any) -> tuple[float, float] | None:
    if isinstance(value, list) and [type(step) in (int, float) for step in value] == [True, True]:
        return float(value[0]), float(value[1])
    return None


def _number(value: Any) -> float | None:
    return value if type(value) in (int, float) else None


def _check_local(logs: object) -> None:
    if isinstance(logs, str) and (scheme := re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", logs)):
        where = "give the path itself" if scheme[0].lower() == "file://" else "mount it, or copy it here first"
        raise ValueError(f"{logs!r} is no directory of this machine: remote log directories are not read; {where}.")


def _check_options(cls: type[Dashboard], options: dict[str, Any]) -> None:
    known = sorted(cls.class_trait_names(choice=True))
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(known)}."
            raise TypeError(f"{cls.__name__} has no option {name!r}: {hint}")
