"""Requests of the browser, answered one after the other by a thread of their own.

Reading from disk may take long. So the answering thread holds no lock while a handler runs, and nothing waits for it.
"""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING, Any

from tbwidget.logs.threads import have_threads
from tbwidget.reasons import Reason, reason_of
from tbwidget.wire.content import Answer, Handler, Refusal
from tbwidget.wire.message import MAX_VALUE_BYTES, wire_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tbwidget.logs.accessors import Logs
    from tbwidget.wire.clients import Request

log = logging.getLogger("tbwidget")

MAX_PENDING = 64
"""Requests that wait for their answers; more are refused."""


class Requests:
    """Requests of one dashboard. `add` and `cancel` may be called from any thread, and never wait.

    `handlers` answer requests by name. `answered` gets each request's id with its answer, or the reason why there is
    none, as text for people.
    """

    def __init__(
        self, logs: Logs, handlers: Mapping[str, Handler], answered: Callable[[str, Answer | Reason], None]
    ) -> None:
        self._logs = logs
        self._handlers = dict(handlers)
        self._answered = answered
        self._changed = threading.Condition(threading.Lock())
        self._pending: dict[str, tuple[str, Mapping[str, Any], threading.Event]] = {}
        """Name, arguments and "cancelled" by id, in the order in which they came; also the one being answered."""
        self._closed = False
        self._thread: threading.Thread | None = None

    def add(self, request: Request) -> None:
        """Answer a request, unless it waits already."""
        name, args = request.name, request.args
        refusal: Reason | None = None
        with self._changed:
            if self._closed or request.id in self._pending:
                return
            if name is None or args is None or name not in self._handlers:
                refusal = Reason("unknown-request")
            elif len(self._pending) >= MAX_PENDING:
                refusal = Reason("too-many-requests")
            else:
                self._pending[request.id] = name, args, threading.Event()
                if self._thread is None and have_threads():
                    self._thread = threading.Thread(target=self._run, name="tbwidget-requests", daemon=True)
                    self._thread.start()
                self._changed.notify_all()
        if refusal is not None:
            self._answered(request.id, refusal)
        elif self._thread is None:
            self._answer_next()

    def cancel(self, ids: Iterable[str]) -> None:
        """Answer none of these requests; the handler that runs for one is told."""
        with self._changed:
            for pending in [self._pending.pop(request) for request in set(ids) if request in self._pending]:
                pending[2].set()

    def close(self, timeout: float) -> None:
        """Answer nothing more, and wait at most `timeout` seconds for the handler that runs to notice."""
        with self._changed:
            self._closed = True
            for pending in self._pending.values():
                pending[2].set()
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _run(self) -> None:
        while self._answer_next():
            pass

    def _answer_next(self) -> bool:
        """Wait for a request, and answer it; False once this is closed."""
        with self._changed:
            while not self._pending and not self._closed:
                self._changed.wait()
            if self._closed:
                return False
            request, pending = next(iter(self._pending.items()))
        answer = self._answer(*pending)
        with self._changed:
            if self._pending.get(request) is pending:  # else it was cancelled, and perhaps asked again
                del self._pending[request]
        if not pending[2].is_set():  # as closing does, too
            self._answered(request, answer)
        return True

    def _answer(self, name: str, args: Mapping[str, Any], cancelled: threading.Event) -> Answer | Reason:
        """The answer, or the reason why there is none, whatever the handler raises."""
        try:
            answer = self._handlers[name](self._logs, args, cancelled.is_set)
            if len(json.dumps(answer.value, allow_nan=False)) > MAX_VALUE_BYTES:
                raise Refusal(Reason("answer-too-large", request=name))  # noqa: TRY301
            return Answer(wire_value(answer.value), bytes(answer.data))
        except Refusal as refusal:
            return reason_of(refusal)
        except BaseException as error:
            log.info("request %s failed", name, exc_info=True)
            return reason_of(error)
