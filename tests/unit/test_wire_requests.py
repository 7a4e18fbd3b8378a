"""Requests: each gets one answer or refusal, from a thread that blocks nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from tbwidget.wire.clients import Cancel, Request, parse_message
from tbwidget.wire.content import Answer, Handler, Refusal
from tbwidget.wire.message import MAX_VALUE_BYTES
from tbwidget.wire.requests import MAX_PENDING, Requests
from tests.support.waiting import PATIENCE, wait_for


class Served:
    """Requests with some handlers, and their answers."""

    def __init__(self, **handlers: Handler) -> None:
        self.answers: list[tuple[str, Answer | str]] = []
        self.begun: list[Any] = []
        self.gate = threading.Event()
        self.cancelled: list[bool] = []
        every: dict[str, Handler] = {"p.wait": self._wait, "p.echo": self._echo}
        every.update({f"p.{name}": handler for name, handler in handlers.items()})
        self.requests = Requests(None, every, lambda *told: self.answers.append(told))  # type: ignore[arg-type]

    def _wait(self, _logs: object, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
        self.begun.append(args.get("n"))
        assert self.gate.wait(PATIENCE)
        self.cancelled.append(is_cancelled())
        return Answer(args.get("n"))

    def _echo(self, _logs: object, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
        return Answer(dict(args), b"data")

    def ask(self, request: object, name: object = "p.echo", args: object = None) -> None:
        self.receive({"type": "request", "id": request, "name": name, "args": args})

    def receive(self, content: object) -> None:
        match parse_message(content):
            case Request() as request:
                self.requests.add(request)
            case Cancel(ids):
                self.requests.cancel(ids)

    def wait_for(self, count: int) -> list[tuple[str, Answer | str]]:
        wait_for(lambda: len(self.answers) >= count)
        return self.answers


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.gate.set()
    served.requests.close(PATIENCE)
    assert not [thread for thread in threading.enumerate() if thread.name == "tbwidget-requests"]


def test_a_request_is_answered(served: Served) -> None:
    served.ask("r1", args={"scope": "a/b"})
    assert served.wait_for(1) == [("r1", Answer({"scope": "a/b"}, b"data"))]
    served.ask("r1")
    assert served.wait_for(2)[1] == ("r1", Answer({}, b"data")), "an answered one is answered again"


def test_nothing_waits_for_a_handler(served: Served) -> None:
    served.ask("slow", "p.wait")
    wait_for(lambda: served.begun)
    begin = time.monotonic()
    for n in range(20):
        served.ask(f"r{n}")
    assert time.monotonic() - begin < PATIENCE / 2, "it waited until the handler gave up"
    assert served.answers == []
    served.gate.set()
    assert [request for request, _ in served.wait_for(21)] == ["slow", *(f"r{n}" for n in range(20))]


def test_a_pending_request_that_comes_again_is_answered_once(served: Served) -> None:
    served.ask("first", "p.wait", {"n": 1})
    wait_for(lambda: served.begun)
    for _ in range(5):
        served.ask("first", "p.wait", {"n": 1})
        served.ask("second", "p.wait", {"n": 2})
    served.gate.set()
    served.wait_for(2)
    served.ask("third")
    assert [request for request, _ in served.wait_for(3)] == ["first", "second", "third"]
    assert served.begun == [1, 2]


def test_a_cancelled_request_is_not_begun_or_its_answer_is_dropped(served: Served) -> None:
    served.ask("running", "p.wait", {"n": 1})
    served.ask("waiting", "p.wait", {"n": 2})
    served.ask("other")
    wait_for(lambda: served.begun)
    served.receive({"type": "cancel", "ids": ["waiting", "running", "unknown", 7]})
    served.gate.set()
    assert [request for request, _ in served.wait_for(1)] == ["other"]
    assert (served.begun, served.cancelled) == ([1], [True])


def test_a_request_cancelled_while_it_ran_may_be_asked_again(served: Served) -> None:
    served.ask("r", "p.wait", {"n": 1})
    wait_for(lambda: served.begun)
    served.receive({"type": "cancel", "ids": ["r"]})
    served.ask("r", "p.wait", {"n": 2})
    served.gate.set()
    assert served.wait_for(1) == [("r", Answer(2))]
    assert served.begun == [1, 2]


def test_too_many_are_refused(served: Served) -> None:
    served.ask("running", "p.wait")
    wait_for(lambda: served.begun)
    for n in range(MAX_PENDING + 5):
        served.ask(f"r{n}")
    assert [answer for _, answer in served.answers] == ["too many requests"] * 6
    served.gate.set()
    served.wait_for(MAX_PENDING + 6)


def raising(error: BaseException) -> Handler:
    def handler(*_: object) -> Answer:
        raise error

    return handler


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (raising(MemoryError()), "MemoryError"),
        (raising(KeyError("no run 'x'")), "KeyError: \"no run 'x'\""),
        (raising(Refusal("there is no such step")), "there is no such step"),
        (lambda *_: Answer("x" * MAX_VALUE_BYTES), "the answer to p.x is too large"),
        (lambda *_: Answer(float("nan")), "ValueError"),
        (lambda *_: Answer(object()), "TypeError: Object of type object is not JSON serializable"),
        (lambda *_: Answer(data="text"), "TypeError"),  # type: ignore[arg-type]
        (lambda *_: None, "AttributeError"),
    ],
)
def test_any_failure_of_a_handler_is_a_refusal_with_its_reason(handler: Handler, reason: str) -> None:
    served = Served(x=handler)
    try:
        served.ask("r", "p.x")
        served.ask("next")
        (_, refusal), (_, answer) = served.wait_for(2)
    finally:
        served.requests.close(PATIENCE)
    assert isinstance(refusal, str)
    assert refusal.startswith(reason)
    assert answer == Answer({}, b"data")


@pytest.mark.parametrize("name", ["p.nothing", "", None, ["p.echo"], "__class__"])
def test_an_unknown_request_is_refused(served: Served, name: object) -> None:
    served.ask("r", name)
    assert served.wait_for(1) == [("r", "unknown request")]


@pytest.mark.parametrize("message", [None, [], {}, {"type": "request"}, {"type": "cancel", "ids": 3}, {"type": []}])
def test_malformed_requests_are_ignored(served: Served, message: object) -> None:
    served.receive(message)
    served.ask("")
    served.ask("x" * 101)
    served.ask(7)
    assert served.answers == []


def test_closing_ends_the_thread_and_drops_waiting_requests() -> None:
    served = Served()
    served.ask("running", "p.wait", {"n": 1})
    served.ask("waiting", "p.wait", {"n": 2})
    wait_for(lambda: served.begun)
    served.requests.close(0)
    served.gate.set()
    served.requests.close(PATIENCE)
    served.ask("late")
    assert served.answers == []
    assert (served.begun, served.cancelled) == ([1], [True])


class SpeechlessError(Exception):
    """An exception that has no text either."""

    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize("error", [SpeechlessError(), SystemExit(1)])
def test_the_next_request_is_answered_after_any_exception_of_a_handler(error: BaseException) -> None:
    served = Served(fails=raising(error))
    served.ask("one", "p.fails")
    served.ask("two")
    assert served.wait_for(2)[1] == ("two", Answer({}, b"data"))
    assert str(served.answers[0][1]).startswith(type(error).__name__)
    served.requests.close(PATIENCE)


def test_texts_that_are_no_utf_8_do_not_keep_a_message_from_being_sent() -> None:
    served = Served(value=lambda *_: Answer({"\udcff": ["\ud800", 1, None]}), refuses=raising(Refusal("no \ud800")))
    served.ask("\ud800")
    served.ask("one", "p.value")
    served.ask("two", "p.refuses")
    assert served.wait_for(2) == [("one", Answer({"\\udcff": ["\\ud800", 1, None]})), ("two", "no \ud800")]
    served.requests.close(PATIENCE)
