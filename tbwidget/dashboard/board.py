"""The widget: a transport between a channel and the browser, whatever the panels are."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

import traitlets
from IPython.core.getipython import get_ipython
from ipywidgets import Layout

from tbwidget.dashboard.alerts import ALERTS_KIND
from tbwidget.dashboard.connections import on_connection
from tbwidget.dashboard.inputs import checked_options, given_logs, panels_named, short_name
from tbwidget.dashboard.kernel import handle_beside_cells, idle_clock, is_run_by_a_program, this_cell_run
from tbwidget.dashboard.profile import (
    invalid_option,
    options_of_directory,
    options_of_profile,
    profile_of,
)
from tbwidget.export.bundle import asset, labextension_bundle, require_bundle
from tbwidget.export.file import MAX_PAGE_BYTES, saved_answers, write_page
from tbwidget.export.preview import described, preview_bundle, wait_for_logs
from tbwidget.logs.logdir import acquire, release
from tbwidget.logs.source import Changes
from tbwidget.logs.threads import have_threads
from tbwidget.logs.unknown import missing_names_warning, warn
from tbwidget.options.agreement import SharedOptions, point_from_json
from tbwidget.wire.channel import Channel
from tbwidget.wire.clients import Cancel, Request, ScanControl
from tbwidget.wire.requests import Requests
from tbwidget.wire.sender import Sender
from tbwidget.wire.snapshot import MAX_SAVED_CHARACTERS, snapshot
from tbwidget.wire.worker import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from pathlib import Path

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.alerts.rules import Alert
    from tbwidget.logs.roots import OnePath, Paths
    from tbwidget.panels.declare import Panel
    from tbwidget.wire.content import Answer, Content

log = logging.getLogger("tbwidget")

_TIMEOUT = 2.0  # seconds that close() waits for each thread
_MAX_OPTION_CHARACTERS = 40  # characters of an option in the repr

# Seconds that displaying waits for the initial scan, for the static preview. A program that runs a notebook can wait.
_READING, _READING_BY_PROGRAM = 0.05, 20.0

_ALERTS_CHANGED = Changes(frozenset({(ALERTS_KIND, "", "")}), catalog=False)

_OPTIONS_WAIT = 5.0  # seconds that saving waits for the file in the log directory


def _checked_layout(value: Any) -> Any:
    """Return what ipywidgets takes as a layout. TraitError for an arrangement of cards, which has another name."""
    if isinstance(value, Mapping) and not value.keys().isdisjoint(("sections", "version")):
        raise traitlets.TraitError(
            "layout: ipywidgets' Layout (CSS) belongs here; set the arrangement of cards as card_layout"
        )
    return value


class Board(SharedOptions):
    """A dashboard without panels; `tbwidget.dashboard.compose` adds them."""

    _esm = asset("dashboard.js")

    # Also the model's id, so that the browser finds the data of this widget however its module was loaded.
    _session = traitlets.Unicode().tag(sync=True)

    _board = traitlets.Unicode().tag(sync=True)
    """Identity of this dashboard within its notebook. It survives a re-run: the page remembers options by it."""

    _saved = traitlets.Dict().tag(sync=True)
    """Data for pages without a kernel. Empty except in exported pages and notebooks."""

    _single = traitlets.Bool(default_value=False).tag(sync=True)
    """Whether this is a view: a dashboard of one panel."""

    _view_class = traitlets.Unicode().tag(sync=True)
    """The public name of that view's class, for code that makes it; empty for a dashboard."""

    hovered = traitlets.Dict(default_value=None, allow_none=True, read_only=True)
    """The point below the pointer, or None: panel, tag, and run, step and value of the nearest point; `values` by run.

    For a line of several runs, `run` is None and `group` is the name of the line, as in `values`. For a bin, the value
    is its count, and `left` and `right` are its edges. Changes a few times a second; read-only.
    """

    _hovered = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True, echo_update=False)
    """`hovered` as the browser sends it. It stays JSON, because a value that differs would be sent back."""

    _short_names: ClassVar[Mapping[str, str]] = {}
    """Other names of options, as options and attributes: name -> option."""

    _panels: ClassVar[tuple[Panel, ...]] = ()
    """The panels of this class, in the order of their tabs."""

    _end_listening: Callable[[], None] | None = None
    """Ends the subscription to alerts; None while no client needs it."""

    _always_sent: ClassVar[tuple[Content, ...]] = ()
    """Contents that are sent whichever panel is shown."""

    if TYPE_CHECKING:  # options, which panels and tbwidget.options declare
        panel: Any
        pinned: Any
        card_layout: Any
        alert_rules: Any

    def __init__(self, logs: Logs | Paths, *more: OnePath, **options: Any) -> None:
        css = {"layout": _checked_layout(options.pop("layout"))} if options.get("layout") is not None else {}
        options.pop("layout", None)
        profile = options.pop("profile", None)
        storage_options = options.pop("storage_options", None)
        options = checked_options(type(self), options, self._short_names)
        if profile is not None:
            options = {**options_of_profile(profile, type(self)), **options}
        given = given_logs(logs, more, storage_options)
        require_bundle()
        self._ended = False
        self._unread: dict[str, list[str]] = {}  # names given before the directory had been read, by option
        self._checks = {name: check for panel in self._shown() for name, check in panel.checks.items()}
        self._unchecked: set[str] = set()  # options that Python has set
        self._name = short_name(given)
        self._logs = acquire(given, storage_options)
        try:
            self._cell_run = this_cell_run()
            session, identity = uuid4().hex, self._cell_run.next_identity()
            if self._single:
                identity += f":{self.panel}"
            super().__init__(_session=session, model_id=session, _board=identity, **options, **css)
        except BaseException:
            release(self._logs)
            raise
        self._own_layout = None if isinstance(css.get("layout"), Layout) else self.layout
        self._cell_run.add(self)
        handle_beside_cells(self.comm)
        self._clock = clock = idle_clock()
        self._workers = Workers(self._on_made) if have_threads() else None
        self._channel = Channel(self._logs, self._contents(), idle_clock=clock, workers=self._workers)
        self._flushing = threading.Lock()
        self._end_flushing: Callable[[], None] | None = None
        # A dashboard without clients, as one whose cell was deleted, does not follow its logs either.
        self._sender = Sender(self._channel, self._transmit, paused=self._rest, resumed=self._resume)
        handlers = {
            f"{panel.name}.{name}": handler for panel in self._shown() for name, handler in panel.requests.items()
        }
        self._requests = Requests(self._logs, handlers, self._on_answer)
        self._release_panels = [panel.hold(self._logs) for panel in self._shown() if panel.hold is not None]
        self._unsubscribe: list[Callable[[], None]] = [
            self._logs.source.subscribe(self._on_changes, held=True),
            clock.subscribe(self._sender.wake),
            on_connection(self._on_connection),
        ]
        self._unsaved = True
        self._shell = get_ipython()
        if self._shell is not None:
            self._shell.events.register("post_execute", self._after_cell)
        self.on_msg(self._on_message)
        self._set_services()
        self.observe(self._set_services, "flush_writers")
        self._sender.start()
        # A thread, because the directory may be slow to answer. Without threads, the directory is in memory.
        # Like the sender, it needs the context of the cell: ipykernel 7.0 cannot send without one.
        self._file_reader = threading.Thread(
            target=copy_context().run, args=(self._take_directory_options,), name="tbwidget-options", daemon=True
        )
        if have_threads():
            self._file_reader.start()
        else:
            self._take_directory_options()

    def _take_directory_options(self) -> None:
        """Take over the options in the log directory's file, if it has one."""
        found = options_of_directory(self._logs.source.roots, type(self))
        problems = list(found.problems)
        checked = {}
        for name, value in found.options.items():
            try:
                checked[name] = self.checked(name, value)
            except Exception as error:  # noqa: BLE001 (a file that others wrote: one wrong value spoils no other)
                problems.append(invalid_option(found.file, name, error))
        if self._ended:
            return
        self._logs.source.report_problems(self._session, problems)
        if self._ended:  # closed in between, perhaps after its problems were withdrawn
            self._logs.source.report_problems(self._session, [])
            return
        try:
            self.set_from_file(checked, found.file)
        except Exception:  # an observer's, or the kernel's
            log.exception("the options in %s of %s could not be taken over", found.file, self._name)

    def _await_directory_options(self, most: float) -> None:
        """Wait until the options in the log directory's file are taken over, `most` seconds at most."""
        is_read_here = self._file_reader is threading.current_thread()  # by an observer of an option
        if self._file_reader.ident is not None and not is_read_here:
            self._file_reader.join(most)

    def _shown(self) -> tuple[Panel, ...]:
        """Return the panels, the initially shown one first."""
        first = tuple(panel for panel in self._panels if panel.name == self.panel)
        return first if self._single else tuple(dict.fromkeys((*first, *self._panels)))

    def _contents(self) -> list[Content]:
        contents = [content for panel in self._shown() for content in panel.contents]
        return list({id(content): content for content in (*contents, *self._always_sent)}.values())

    @property
    def profile(self) -> dict[str, Any]:
        """All options, the arrangement of cards included, as one dict for JSON with a "version".

        Set it, or give it as `profile=`, on any dashboard or view. It may also be the path of a JSON file. It wins over
        the options that the page remembers, and loses to options given as keywords.
        """
        return profile_of(self)

    @profile.setter
    def profile(self, profile: Any) -> None:
        options = options_of_profile(profile, type(self))
        checked = {name: self.checked(name, value) for name, value in options.items()}  # all before any is set
        for name, value in checked.items():
            setattr(self, name, value)

    @traitlets.observe("_hovered")
    def _point(self, change: Any) -> None:
        self.set_trait("hovered", point_from_json(change.new))

    def pin(self, tag: str) -> None:
        """Put the chart of a tag before all others, even if it has no data yet."""
        if not isinstance(tag, str):
            raise TypeError(f"a tag is a str, not {tag!r}")
        if self._ended:
            warn(f"this {type(self).__name__} is closed: pin changes nothing")
        with self._lock:
            if tag not in self.pinned:
                self.set_trait("pinned", [*self.pinned, tag])
        self._look_for("pinned", [tag])

    def close(self) -> None:
        """End the dashboard: its views disappear, its threads end, and the follower ends with its last user."""
        # ipywidgets also calls this from __del__, even for widgets whose construction failed.
        try:
            if hasattr(self, "_sender"):
                with self._lock:
                    ended, self._ended = self._ended, True
                if not ended:
                    self._end()
        finally:
            with self._lock:
                # ipywidgets never drops a layout, neither in the kernel nor in the page.
                if (layout := getattr(self, "_own_layout", None)) is not None:
                    layout.close()
                super().close()

    def _end(self) -> None:
        with ExitStack() as parts:  # in reverse order; each is closed, whatever another raises
            parts.callback(self._release_logs)
            parts.callback(self._cell_run.discard, self)
            for release_panel in self._release_panels:
                parts.callback(release_panel)
            parts.callback(self._requests.close, _TIMEOUT)
            if self._workers is not None:
                parts.callback(self._workers.close, _TIMEOUT)
            parts.callback(self._channel.close)
            parts.callback(self._sender.close, _TIMEOUT)
            parts.callback(self._await_directory_options, _TIMEOUT)
            if self._shell is not None:
                parts.enter_context(suppress(ValueError))  # the events of the shell were reset
                parts.callback(self._shell.events.unregister, "post_execute", self._after_cell)
            for unsubscribe in reversed(self._unsubscribe):
                parts.callback(unsubscribe)

    def _release_logs(self) -> None:
        self._set_services()
        if self._sender.paused:  # pausing has released them
            self._logs.source.hold()
        self._logs.source.report_problems(self._session, [])
        release(self._logs)

    def _rest(self) -> None:
        self._set_services()
        self._logs.source.release()

    def _resume(self) -> None:
        self._logs.source.hold()
        self._set_services()

    def _set_services(self, _change: Any = None) -> None:
        """Begin or end flushing the writers of this kernel, and evaluating alerts, as options and clients require."""
        with self._flushing:  # not the lock of the options: the sender holds its own
            is_active = not self._ended and not self._sender.paused
            ends = []
            if (self.flush_writers and is_active) != (self._end_flushing is not None):
                ends.append(self._end_flushing)
                self._end_flushing = self._logs.source.flush_writers() if self._end_flushing is None else None
            if is_active != (self._end_listening is not None):
                ends.append(self._end_listening)
                listen = self._logs.alert_watch.listen
                self._end_listening = listen(self._on_alerts) if is_active else None
        for end in ends:
            if end is not None:
                end()

    @property
    def alerts(self) -> list[Alert]:
        """Runs that need attention, as in `LogDir.alerts`: `run`, `tag`, `step`, `rule`, `message`; docs/alerts.md."""
        return self._logs.alerts

    @traitlets.observe("alert_rules")
    def _set_alert_rules(self, _change: Any) -> None:
        # A file with options counts less than what Python said, here or of the logs.
        self._logs.alert_watch.set_rules(self.alert_rules, is_default=self._set_by_file == "alert_rules")

    def __repr__(self) -> str:
        """Name the directory and the options given, but not where on this machine they are."""
        if not hasattr(self, "_name"):  # the constructor failed
            return f"{type(self).__name__}()"
        options = [(name, repr(getattr(self, name))) for name in self._given]
        shown = [f"{name}={text if len(text) <= _MAX_OPTION_CHARACTERS else '…'}" for name, text in options]
        text = f"{type(self).__name__}({', '.join([f'logs={self._name!r}', *shown])})"
        return f"<closed {text}>" if self._ended else text

    # Options.

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a wrong or unknown option is refused, an unknown run or tag is waited for."""
        is_option = self.has_trait(name) and self.trait_metadata(name, "option")
        if is_option and self._ended:
            warn(f"this {type(self).__name__} is closed: setting {name} changes nothing")
        if name == "layout":
            value = _checked_layout(value)
        before = self._names_in(name)
        super().__setattr__(name, value)
        if is_option and name in self._checks:
            self._unchecked.add(name)
        if before is not None:
            self._look_for(name, [one for one in self._names_in(name) or () if one not in before])

    def _names_in(self, option: str) -> list[str] | None:
        """The names of runs or tags in an option; None if it holds no such names."""
        if not self.has_trait(option) or not self.trait_metadata(option, "names"):
            return None
        value = getattr(self, option) or ()
        return [value] if isinstance(value, str) else list(value)

    def _look_for(self, option: str, names: list[str]) -> None:
        """Warn of missing runs or tags. Call without the lock of the traits: the logs may be reading the disk."""
        if not self._logs.source.ready:
            self._unread.setdefault(option, []).extend(names)
        elif warning := self._awaited(option, names):
            warn(warning)

    def _awaited(self, option: str, names: list[str]) -> str | None:
        what = self.trait_metadata(option, "names")
        if what == "run":
            known = set(self._logs.runs)
        else:
            listed = self._logs.tags()
            kinds = {source for panel in self._shown() for content in panel.contents for source in content.sources}
            known = {tag for kind in kinds for tags in listed.get(kind, {}).values() for tag in tags}
        warning = missing_names_warning(what, names, sorted(known))
        return warning and f"{option}: {warning}"

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over options set in the browser, except those that Python set later. Safe in any thread."""
        super().set_state(sync_data)
        if hasattr(self, "_sender"):
            self._note_client()

    # Saving.

    def save(
        self,
        path: str | PathLike[str],
        panels: Sequence[str] | str | None = None,
        max_bytes: int = MAX_PAGE_BYTES,
        *,
        paths: bool = False,
    ) -> Path:
        """Write the logs and this dashboard's options as one HTML file: see `tbwidget.export_html`.

        Prints the file's size, and returns its path.
        """
        shown = [panel for panel in panels_named(panels, self._panels) if not self._single or panel.name == self.panel]
        self._await_directory_options(_OPTIONS_WAIT)
        with self._lock:
            own = ["panel", "_given", "_from_file", "_single", "_view_class"]
            state = self.get_state([*self.class_trait_names(option=True), *own])
        self._logs.refresh()
        only = panels is not None
        written = write_page(
            path, self._logs, shown, self._always_sent, state, max_bytes=max_bytes, only=only, paths=paths
        )
        print(f"{written}: {written.stat().st_size / 1e6:.1f} MB")  # noqa: T201 (the cell's own output)
        return written

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the widget and, for places that show no widgets, a static preview and a line of text."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None or self._ended:
            return bundle
        data, metadata = bundle
        self._follow_again()
        by_program = self._shell is not None and is_run_by_a_program(self._shell)
        self._read_unfollowed()
        self._await_directory_options(_OPTIONS_WAIT if by_program else _READING)
        wait_for_logs(self._logs, _READING_BY_PROGRAM if by_program else _READING)
        with self._lock:
            set_here = {*self._given, *self._from_file}
            own = ["_board", "_single", "_view_class", "_given", "_from_file", "_set_count", "panel"]
            state = self.get_state([*own, *set_here])
        # The widget's own view comes first, because some hosts take the first type that they know.
        back = labextension_bundle(self._session, state)
        ranges = getattr(self, "named_ranges", ())
        fallback = preview_bundle(self._logs, repr(self), self.pinned, self._shown(), ranges, self.language)
        return {**data, **back, **fallback}, {**metadata, **described(fallback)}

    def _follow_again(self) -> None:
        """Read new data of a suspended dashboard, since it is about to be displayed."""
        if self._sender.paused:
            self._note_client()
            self._logs.refresh()

    def _read_unfollowed(self) -> None:
        """Poll the logs where no thread can follow them: when they are displayed, and after each cell."""
        if not have_threads():
            self._logs.refresh()

    def _get_embed_state(self, drop_defaults: bool = False) -> Any:  # noqa: ARG002, FBT001, FBT002 (ipywidgets' own)
        """Return the state for an exported page: with the data, and with the bundle, although it is a default."""
        self._await_directory_options(_OPTIONS_WAIT)
        state = super()._get_embed_state(drop_defaults=False)
        self._logs.refresh()
        state["state"]["_saved"] = self._snapshot()
        return state

    def _snapshot(self) -> dict[str, Any]:
        """Return the data of the logs for a saved notebook."""
        with self._lock:
            options = self.get_state(self.class_trait_names(option=True))
        self._logs.alert_watch.update()
        answers = saved_answers(self._logs, self._shown(), options, MAX_SAVED_CHARACTERS)
        return snapshot(self._logs, self._contents(), answers=answers)

    def _after_cell(self) -> None:
        """Give warnings that had to wait for the initial scan. Where a program runs the notebook, save the data.

        No browser is there to save a view of it.
        """
        self._read_unfollowed()
        if self._unread and self._logs.source.ready:
            unread, self._unread = self._unread, {}
            for option, names in unread.items():
                still = [name for name in names if name in (self._names_in(option) or ())]
                if warning := self._awaited(option, still):
                    warnings.warn_explicit(warning, UserWarning, "tbwidget", 1)
        if self._unchecked and self._logs.source.ready:
            unchecked, self._unchecked = self._unchecked, set()
            short = {own: name for name, own in self._short_names.items()}
            for option in sorted(unchecked):
                with suppress(KeyError, ValueError):  # a graph that is gone or unreadable is reported on its own
                    if warning := self._checks[option](self._logs, self):
                        warnings.warn_explicit(f"{short.get(option, option)}: {warning}", UserWarning, "tbwidget", 1)
        if is_run_by_a_program(self._shell):
            self._logs.refresh()
            if self._unsaved:
                self._unsaved = False
                self._saved = self._snapshot()

    def _transmit(self, header: dict[str, Any], buffer: bytes) -> None:
        """Send a message of the channel. Browsers that come with a keyframe know nothing, not even the options."""
        if header["begins"]:
            self.repeat_options()
        self.send(header, buffers=[buffer])

    # Events. Handlers post and return, because they may run in any thread.

    def _on_changes(self, changes: Changes) -> None:
        self._unsaved = True
        self._channel.notify(changes)
        self._sender.wake()

    def _on_alerts(self) -> None:
        self._channel.notify(_ALERTS_CHANGED)
        self._sender.wake()

    def _on_made(self) -> None:
        self._sender.wake()

    def _on_answer(self, request: str, answer: Answer | str) -> None:
        self._channel.post_answer(request, answer)
        self._sender.wake()

    def _on_connection(self) -> None:
        """Serve a page that may have no data yet. An idle kernel can wait for its request."""
        if self._clock.cell_runs is not False:
            self._channel.connect()
            self._sender.resume()

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Handle a message of the browser. While a cell runs it may come late or never, so nothing depends on it."""
        match self._channel.receive(content):
            case Request() as request:
                self._requests.add(request)
            case Cancel(ids):
                self._requests.cancel(ids)
            case ScanControl(goes_on=False):
                self._stop_initial_scan()
            case ScanControl():
                self._logs.source.resume()
        self._sender.resume()

    def _note_client(self) -> None:
        """Note activity of a client that sent no message of the channel."""
        self._channel.note_client()
        self._sender.resume()

    def _stop_initial_scan(self) -> None:
        """Stop the initial scan; a request that comes after its end must not stop the updates."""
        source = self._logs.source
        if not source.ready:
            source.stop()
            if source.ready:  # the scan has ended in between
                source.resume()
