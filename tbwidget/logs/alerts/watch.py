"""Evaluates the rules of alerts on series that changed, and calls the user's functions."""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from tbwidget.logs.alerts.curve import Curve
from tbwidget.logs.alerts.pauses import is_live, quiet_limit, usual_interval
from tbwidget.logs.alerts.rules import STALLED, Alert, AlertRules, checked_rules, direction_of
from tbwidget.logs.kinds.hparams import hparams, upwards
from tbwidget.logs.kinds.registry import SCALARS
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem
from tbwidget.logs.threads import have_threads, thread_time
from tbwidget.reasons import Reason, reason_of

if TYPE_CHECKING:
    from tbwidget.logs.series import Scalars
    from tbwidget.logs.source import Changes, LogSource

log = logging.getLogger("tbwidget")

MAX_LISTED = 1000
"""Alerts that are listed, the newest ones."""

_MIN_REST_S = 0.5
_MAX_REST_S = 10.0  # also between searches for runs that stall
_SHARE = 1 / 1000  # of a core, at most: the cost of evaluation while points arrive
_READY_POLL_S = 0.25  # while the initial scan, which is waited for, goes on
_PATIENCE_S = 2.0  # to wait for a thread to end; a user's function may take longer

_WHOLE_SECONDS = 10  # from here on, seconds are told without a fraction

_Key = tuple[str, str]


class _Growth(NamedTuple):
    """The last growth of a run."""

    tag: str
    """The tag that grew last."""
    at: float
    """When that was seen, by the clock of `polled_at`."""


class _Changed:
    """Series that changed since they were evaluated last. The source calls it, so it holds no reference to that."""

    def __init__(self, source: LogSource) -> None:
        self._source = weakref.ref(source)
        self._lock = threading.Lock()
        self._series: set[_Key] = set()
        self._growth: dict[str, _Growth] = {}
        self.event = threading.Event()
        """Set when something changed."""

    def add(self, changes: Changes) -> None:
        """Note the scalars among the changes, and which runs grew: the initial scan does not count."""
        found = {(run, tag) for kind, run, tag in changes.series if kind == SCALARS}
        source = self._source()
        if not found or source is None:
            return
        now = time.monotonic()
        with self._lock:
            self._series |= found
            if source.ready:
                self._growth |= {run: _Growth(tag, now) for run, tag in found}
        self.event.set()

    def take(self) -> tuple[set[_Key], dict[str, _Growth]]:
        """Return the series that changed and the runs that grew, and forget them."""
        with self._lock:
            taken = self._series, self._growth
            self._series, self._growth = set(), {}
            return taken


class _Caller:
    """A function of the user's, and the thread that calls it."""

    def __init__(self, function: Callable[[Alert], object], failed: Callable[[Exception], None]) -> None:
        self._function, self._failed = function, failed
        self._alerts: queue.SimpleQueue[Alert | None] = queue.SimpleQueue()
        self._is_over = False
        self._thread: threading.Thread | None = None
        if have_threads():
            self._thread = threading.Thread(target=self._run, name="tbwidget-on-alert", daemon=True)
            self._thread.start()

    def add(self, alert: Alert) -> None:
        """Call the function with an alert, soon."""
        if self._thread is None:
            self._call(alert)
        else:
            self._alerts.put(alert)

    def stop(self) -> None:
        """Call no more."""
        self._is_over = True
        self._alerts.put(None)

    def end(self) -> None:
        """Call no more, and wait for the thread unless it is the caller."""
        self.stop()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        while not self._is_over and (alert := self._alerts.get()) is not None:
            self._call(alert)

    def _call(self, alert: Alert) -> None:
        if self._is_over:
            return
        try:
            self._function(alert)
        except Exception as error:  # noqa: BLE001 (the user's own code)
            self._failed(error)


class AlertWatch:
    """The alerts of one source. Any thread may use it. The first caller starts the evaluation."""

    def __init__(self, source: LogSource) -> None:
        self._source = source
        self._given = AlertRules()
        self._is_chosen = False
        self._rules = self._given  # those of the evaluation
        self._known: dict[tuple[str, str, str], Alert] = {}
        """All that were found, also those that are too many to be listed, by run, tag and rule."""
        self._listed: tuple[Alert, ...] = ()
        self._ending = threading.Event()
        self._problem_source = f"alerts-{id(self)}"
        self._problems: list[Problem] = []
        self._forget()
        _all.add(self)

    def _forget(self) -> None:
        """Begin anew, also in a forked child: it has none of the threads, one of which may have held a lock."""
        self._lock = threading.RLock()  # of evaluation
        # Of the fields that others set, so that they do not wait for an evaluation; taken after the other one.
        self._members = threading.RLock()
        self._callers: list[_Caller] = []
        self._listeners: list[Callable[[], None]] = []
        self._thread: threading.Thread | None = None
        self._changed: _Changed | None = None
        self._is_evaluated = False
        self._noted_live_runs = False
        self._curves: dict[_Key, Curve] = {}
        self._found: dict[_Key, list[Alert]] = {}
        self._growth: dict[str, _Growth] = {}
        self._stalled: dict[str, Alert] = {}
        self._limits: dict[str, tuple[_Growth, float]] = {}

    # Results.

    @property
    def listed(self) -> tuple[Alert, ...]:
        """The alerts as last evaluated: another tuple when they change. Takes no lock."""
        return self._listed

    @property
    def rules(self) -> dict[str, Any]:
        """The thresholds by name."""
        return asdict(self._given)

    def set_rules(self, given: Mapping[str, Any], *, is_default: bool = False) -> None:
        """Replace the thresholds; those that are not given have their defaults. Raises ValueError for wrong ones.

        A default replaces none but another default.
        """
        rules = checked_rules(given)
        with self._members:
            if is_default and self._is_chosen:
                return
            self._is_chosen |= not is_default
            self._given = rules
            is_waited_for = bool(self._callers or self._listeners)
            changed = self._changed
        if is_waited_for and self._thread is None:
            self.update()
        elif changed is not None:
            changed.event.set()

    def subscribe(self) -> None:
        """Note from now on what changes; evaluate nothing."""
        with self._members:
            if self._changed is None:
                self._changed = _Changed(self._source)
                self._source.subscribe(self._changed.add if have_threads() else self._evaluate_at_once(), held=True)

    def update(self) -> tuple[Alert, ...]:
        """Evaluate what changed, and return the alerts."""
        self.subscribe()
        with self._lock:
            try:
                self._update()
            except BaseException:  # such as an interrupt: what changed is forgotten, so all is evaluated again
                self._is_evaluated = False
                self._curves.clear()
                self._found.clear()
                raise
            return self._listed

    # Evaluation, under the lock.

    def _all_series(self) -> list[_Key]:
        return [(run, tag) for run, tags in self._source.tags().get(SCALARS, {}).items() for tag in tags]

    def _update(self) -> None:
        given = self._given
        if given != self._rules:
            self._is_evaluated = False
            self._curves.clear()
            self._found.clear()
            self._stalled.clear()
            self._limits.clear()
            self._rules = given
        series, growth = self._changed.take() if self._changed is not None else (set(), {})
        self._growth |= growth
        for run in growth:
            self._stalled.pop(run, None)
        if not self._is_evaluated:
            self._evaluate(self._all_series())
            self._is_evaluated = True
        else:
            self._evaluate(series)
        if not self._noted_live_runs and self._source.polled_at is not None:
            self._note_live_runs(self._source.polled_at)
            self._noted_live_runs = True
        self._find_stalled()
        self._compose()

    def _evaluate(self, series: Iterable[_Key]) -> None:
        for key in series:
            try:
                found = self._alerts_of(*key)
            except Exception as error:
                if not isinstance(error, KeyError):  # which says that the series is gone
                    log.exception("evaluating alerts of %r of %r failed", key[1], key[0])
                self._curves.pop(key, None)
                found = []
            if found:
                self._found[key] = found
            else:
                self._found.pop(key, None)

    def _alerts_of(self, run: str, tag: str) -> list[Alert]:
        """Return the alerts of a series but for stalls. Raises KeyError if it is gone."""
        scalars = self._source.scalars(run, tag)
        curve = self._curves.get((run, tag))
        if curve is None:
            curve = self._curves[run, tag] = Curve(direction_of(tag))
        curve.update(scalars, self._rules)
        return list(curve.alerts(run, tag, scalars, self._rules))

    def _note_live_runs(self, polled: float) -> None:
        """Watch the runs that seem to go on once all were read; nothing says of the others when they ended."""
        now = time.time()
        for run, tag in self._curves:
            try:
                scalars = self._source.scalars(run, tag)
            except KeyError:
                continue
            if is_live(scalars, now):
                at = polled - max(0.0, now - float(scalars.wall_time[-1]))
                if run not in self._growth or at > self._growth[run].at:
                    self._growth[run] = _Growth(tag, at)

    def _find_stalled(self) -> None:
        rules, polled = self._rules, self._source.polled_at
        if rules.stalled_intervals is None or polled is None:
            return
        growing = [(run, growth) for run, growth in self._growth.items() if run not in self._stalled]
        quiet = [(run, growth) for run, growth in growing if polled - growth.at > rules.stalled_seconds]
        quiet = [(run, growth) for run, growth in quiet if polled - growth.at > self._limit(run, growth)]
        if not quiet:
            return
        ended = self._ended_runs()
        for run, growth in quiet:
            if next((above in ended[1] for above in upwards(run) if above in ended[0]), False):
                del self._growth[run]
                continue
            try:
                self._stalled[run] = self._stall(run, growth)
            except KeyError:  # the run is gone
                del self._growth[run]

    def _limit(self, run: str, growth: _Growth) -> float:
        """Return after how many seconds a run is stalled: the same until it grows. 0 if its scalars are gone."""
        known = self._limits.get(run)
        if known is None or known[0] != growth:
            try:
                limit = quiet_limit(min(self._series_of(run).values(), key=usual_interval), self._rules)
            except KeyError:
                limit = 0.0
            known = self._limits[run] = growth, limit
        return known[1]

    def _series_of(self, run: str) -> dict[str, Scalars]:
        """Return the scalars of a run by tag. Raises KeyError if it, or its last scalar, is gone."""
        found = ((tag, self._source.scalars(run, tag)) for tag in self._source.tags_of(run).get(SCALARS, []))
        series = {tag: scalars for tag, scalars in found if len(scalars)}
        if not series:
            raise KeyError(run)
        return series

    def _stall(self, run: str, growth: _Growth) -> Alert:
        """Return the alert of a run that is quiet for too long. Raises KeyError if it, or its last scalar, is gone."""
        series = self._series_of(run)
        quickest = min(series.values(), key=usual_interval)
        limit = quiet_limit(quickest, self._rules)
        tag = growth.tag if growth.tag in series else max(series, key=lambda tag: float(series[tag].wall_time[-1]))
        last = series[tag]
        reason = Reason(
            "alert-stalled",
            seconds=round(limit, None if limit >= _WHOLE_SECONDS else 1),
            interval=usual_interval(quickest),
        )
        return Alert(run, tag, int(last.step[-1]), STALLED, reason, float(last.wall_time[-1]))

    def _ended_runs(self) -> tuple[set[str], set[str]]:
        """Return the runs with a session, and those among them whose end was written."""
        sessions = hparams(self._source, metrics=False)
        ended = {one.run for one in sessions if one.end_time is not None or one.status in ("SUCCESS", "FAILURE")}
        return {one.run for one in sessions}, ended

    def _compose(self) -> None:
        """List the alerts, and tell of new ones."""
        found = {(alert.run, alert.tag, alert.rule): alert for alerts in self._found.values() for alert in alerts}
        found |= {(alert.run, alert.tag, alert.rule): alert for alert in self._stalled.values()}
        if found == self._known:
            return
        order = sorted(found, key=lambda key: (_time(found[key]), natural_key(key[0]), natural_key(key[1]), key[2]))
        new = [found[key] for key in order if key not in self._known]
        self._known = found
        listed = tuple(found[key] for key in order[-MAX_LISTED:])
        with self._members:
            self._listed = listed
            callers, listeners = list(self._callers), list(self._listeners)
        for caller in callers:
            for alert in new:
                caller.add(alert)
        for listener in listeners:
            listener()

    # Subscribers and the thread.

    def on_alert(self, function: Callable[[Alert], object]) -> Callable[[], None]:
        """Call a function with each alert, those that are listed already first; return a function that ends that."""
        reference = weakref.ref(self)  # the thread of the function keeps neither this nor the logs alive

        def failed(error: Exception) -> None:
            reason = Reason("alert-function-failed", function=name, reason=reason_of(error))
            if (watch := reference()) is not None:
                watch._add_problem(Problem(".", None, reason))  # noqa: SLF001 (the class's own method)

        name = str(getattr(function, "__qualname__", type(function).__name__))
        caller = _Caller(function, failed)
        dropped = weakref.finalize(self, caller.stop)
        dropped.atexit = False
        self.subscribe()
        with self._members:
            for alert in self._listed:
                caller.add(alert)
            self._callers.append(caller)
            self._start()

        def remove() -> None:
            with self._members:
                if caller in self._callers:
                    self._callers.remove(caller)
            self._end_if_unused()
            caller.end()
            dropped.detach()

        return remove

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Evaluate what changes from now on, and call back when alerts change; return a function that ends that.

        The callback is called in any thread, and returns at once.
        """
        self.subscribe()
        with self._members:
            self._listeners.append(listener)
            self._start()

        def remove() -> None:
            with self._members:
                if listener in self._listeners:
                    self._listeners.remove(listener)
            self._end_if_unused()

        return remove

    def close(self) -> None:
        """Call the user's functions no more. Alerts can still be read, and dashboards still hear of them."""
        with self._members:
            callers, self._callers = self._callers, []
        self._end_if_unused()
        for caller in callers:
            caller.end()

    def _add_problem(self, problem: Problem) -> None:
        """List a problem, once."""
        with self._members:
            if problem not in self._problems:
                self._problems.append(problem)
                self._source.report_problems(self._problem_source, list(self._problems))

    def _start(self) -> None:
        if self._thread is None and have_threads():
            self._ending = threading.Event()
            self._thread = threading.Thread(
                target=_run, args=(weakref.ref(self), self._ending), name="tbwidget-alerts", daemon=True
            )
            self._thread.start()

    def _end_if_unused(self) -> None:
        with self._members:
            if self._callers or self._listeners or self._thread is None:
                return
            thread, self._thread = self._thread, None
            self._ending.set()
            changed = self._changed
        if changed is not None:
            changed.event.set()
        if thread is not threading.current_thread():
            thread.join(_PATIENCE_S)

    def _evaluate_at_once(self) -> Callable[[Changes], None]:
        """Return a subscriber for hosts without threads: it evaluates in the thread that reads."""
        reference = weakref.ref(self)

        def notice(changes: Changes) -> None:
            watch = reference()
            if watch is not None:
                watch.notice(changes)

        return notice

    def notice(self, changes: Changes) -> None:
        """Evaluate changes now, if a function or a dashboard waits for alerts."""
        if self._changed is not None:
            self._changed.add(changes)
        if self._callers or self._listeners:
            self.update()

    def step(self) -> tuple[float, threading.Event | None]:
        """Evaluate for the thread; return how long it rests, and the event after which it goes on earlier, if any."""
        if not self._source.ready:
            return _READY_POLL_S, None
        begin = thread_time()
        changed = self._changed
        if changed is not None:
            changed.event.clear()  # before evaluation, so that what changes meanwhile is not left for later
        self.update()
        rest = min(max(_MIN_REST_S, (thread_time() - begin) / _SHARE), _MAX_REST_S)
        return rest, changed.event if changed is not None else None


def _run(reference: weakref.ref[AlertWatch], ending: threading.Event) -> None:
    """Evaluate until the end, or until nothing refers to the watch any more."""
    while not ending.is_set():
        watch = reference()
        if watch is None:
            return
        try:
            rest, event = watch.step()
        except Exception:
            log.exception("evaluating alerts failed")
            rest, event = _MAX_REST_S, None
        del watch  # so that it can go while this thread sleeps
        ending.wait(rest)
        if event is not None and not ending.is_set():
            event.wait(_MAX_REST_S)


_all: weakref.WeakSet[AlertWatch] = weakref.WeakSet()


def _after_fork() -> None:
    for watch in list(_all):
        watch._forget()  # noqa: SLF001 (the class's own module)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _time(alert: Alert) -> float:
    return alert.wall_time if abs(alert.wall_time) < float("inf") else float("inf")
