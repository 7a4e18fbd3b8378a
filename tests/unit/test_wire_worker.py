"""Workers make slow blobs and documents for later messages; everything else is sent meanwhile."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tbwidget.wire.channel import Channel
from tbwidget.wire.content import Refusal
from tbwidget.wire.plan import Priority
from tbwidget.wire.snapshot import snapshot
from tbwidget.wire.worker import Workers
from tests.support.contents import Paper, PapersContent, Pictures, PicturesContent, put_paper, put_pictures
from tests.support.feeds import CONTENTS, FakeSource, drain, logs_over
from tests.support.page import Page
from tests.support.waiting import PATIENCE, wait_for

PAPER = ("papers", "a", "")
MANY = 1000


class Gate:
    """A gate at which makers wait until the test opens it."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.threads: list[str] = []
        """The thread of each maker."""
        self._may_go = threading.Semaphore(0)

    def wait(self, name: str) -> None:
        self.threads.append(threading.current_thread().name)
        self.begun.append(name)
        assert self._may_go.acquire(timeout=PATIENCE)

    def open(self, times: int = MANY) -> None:
        self._may_go.release(times)


class SlowPictures(PicturesContent):
    """Pictures; those with names that begin with "slow" take long."""

    def __init__(self) -> None:
        self.gate = Gate()

    def blob(self, index: Any, row: int) -> bytes | Callable[[], bytes]:
        name = index.identity[row]
        if not name.startswith("slow"):
            return super().blob(index, row)

        def make() -> bytes:
            self.gate.wait(name)
            found = super(SlowPictures, self).blob(index, row)
            assert isinstance(found, bytes)
            return found

        return make


class SlowPapers(PapersContent):
    """Papers that all take long."""

    in_background = True

    def __init__(self) -> None:
        self.gate = Gate()

    def read(self, logs: Any, run: str, tag: str) -> Any:
        return SlowPaper(self.gate, super().read(logs, run, tag))


class SlowPaper:
    def __init__(self, gate: Gate, paper: Paper) -> None:
        self.revision = paper.revision
        self._gate, self._paper = gate, paper

    def encode(self) -> bytes:
        self._gate.wait(self._paper.data[:9].decode())
        if self._paper.data.startswith(b"!"):
            raise ValueError("this one cannot be made")
        return self._paper.data


class Feed:
    """A channel with workers, and the state of a page that receives its messages."""

    def __init__(self, workers: Workers) -> None:
        self.workers, self.pictures, self.papers = workers, SlowPictures(), SlowPapers()
        self.logs, self.page, self.now, self.points = FakeSource(), Page(), 0.0, 0
        self.channel = Channel(logs_over(self.logs), (*CONTENTS, self.pictures, self.papers), workers=workers)
        self.channel.receive({"type": "hello", "complete": True})

    def put(self, run: str, step: int, name: str, data: bytes | Exception, tag: str = "x") -> None:
        self.channel.notify(put_pictures(self.logs, run, tag, (step, name, data)))

    def put_paper(self, run: str, data: bytes) -> None:
        self.channel.notify(put_paper(self.logs, run, data))

    def look_at(self, tag: str, *want: list[str]) -> None:
        view = {"type": "view", "view": "v", "kinds": None, "tags": [tag], "want": list(want), "seq": 99}
        self.channel.receive({**view, "range": None, "near": None, "linked": None})

    def run(self, seconds: float = 1.0) -> None:
        for _, message in drain(self.channel, self.now, self.now + seconds):
            self.page.take(message)
            self.points = max([self.points, *(entry["total"] for entry in message.header["series"])])
        self.now += seconds

    def until(self, happened: Callable[[], object]) -> None:
        """Send until a condition holds."""

        def looks() -> object:
            self.run(0.2)
            return happened()

        wait_for(looks)

    def blobs(self, run: str = "a") -> dict[int, bytes | str]:
        """Return the received pictures of a run, by step: their bytes, or the reason of a missing one."""
        key = "pictures", run, "x"
        come: dict[tuple[Any, int], bytes | str] = {**self.page.blobs, **self.page.unreadable}
        return {step: come[key, item] for step, item in self.page.indices[key].rows if (key, item) in come}


@pytest.fixture
def feed() -> Iterator[Feed]:
    workers = Workers(lambda: None)
    made = Feed(workers)
    yield made
    made.pictures.gate.open()
    made.papers.gate.open()
    workers.close(PATIENCE)
    names = {thread.name for thread in threading.enumerate()}
    assert not names & {"tbwidget-items", "tbwidget-documents"}


# Items.


def test_everything_else_is_sent_while_a_blob_is_made(feed: Feed) -> None:
    feed.put("a", 1, "slow", b"one")
    feed.put("b", 1, "quick", b"two")
    feed.until(lambda: feed.pictures.gate.begun)
    feed.run()
    assert (feed.blobs("a"), feed.blobs("b")) == ({}, {1: b"two"})
    feed.put("b", 2, "next", b"three")
    feed.run()
    assert feed.blobs("b") == {1: b"two", 2: b"three"}
    feed.pictures.gate.open()
    feed.until(feed.blobs)
    assert feed.blobs() == {1: b"one"}
    assert feed.pictures.gate.threads == ["tbwidget-items"]


def test_a_blob_that_cannot_be_made_says_why(feed: Feed) -> None:
    feed.pictures.gate.open()
    feed.put("a", 1, "slow", Refusal("too dark"))
    feed.put("b", 1, "slow too", ValueError("broken"))
    feed.run()
    feed.until(lambda: feed.blobs("a") and feed.blobs("b"))
    assert (feed.blobs("a"), feed.blobs("b")) == ({1: "too dark"}, {1: "ValueError: broken"})


def test_the_newest_is_made_before_older_ones_that_no_client_waits_for(feed: Feed) -> None:
    for step in range(1, 4):
        feed.put("a", step, f"slow {step}", bytes([step]))
    feed.until(lambda: feed.pictures.gate.begun)
    # While the third is made, others arrive; among these, only the last one is wanted at once.
    for step in range(4, 8):
        feed.put("a", step, f"slow {step}", bytes([step]))
        feed.run()
    feed.pictures.gate.open()
    feed.until(lambda: len(feed.blobs()) == 7)
    assert feed.pictures.gate.begun[:2] == ["slow 3", "slow 7"]
    assert feed.blobs() == {step: bytes([step]) for step in range(1, 8)}


def test_visible_blobs_are_made_before_others(feed: Feed) -> None:
    for tag in "xyz":
        feed.put("a", 1, f"slow {tag}", b"", tag)
    feed.until(lambda: feed.pictures.gate.begun)
    feed.run()
    feed.look_at("z")
    feed.run()
    feed.pictures.gate.open()
    feed.until(lambda: len(feed.page.blobs) == 3)
    assert feed.pictures.gate.begun == ["slow x", "slow z", "slow y"]


def test_a_blob_that_was_replaced_is_not_sent(feed: Feed) -> None:
    feed.put("a", 1, "slow", b"before")
    feed.until(lambda: feed.pictures.gate.begun)
    feed.logs.values["pictures"]["a", "x"] = Pictures([(1, "slow after", b"after")], revision=1)
    feed.channel.notify(put_pictures(feed.logs, "a", "x"))
    feed.run()
    feed.pictures.gate.open()
    feed.until(feed.blobs)
    assert feed.blobs() == {1: b"after"}
    assert b"before" not in feed.page.blobs.values()


def test_a_page_that_lost_everything_gets_a_blob_again(feed: Feed) -> None:
    feed.put("a", 1, "slow", b"one")
    feed.until(lambda: feed.pictures.gate.begun)
    feed.page = Page()
    feed.channel.receive({"type": "resync", "complete": False})
    feed.run()
    feed.pictures.gate.open()
    feed.until(lambda: ("pictures", "a", "x") in feed.page.indices and feed.blobs())
    assert feed.blobs() == {1: b"one"}


# Documents.


def test_everything_else_is_sent_while_a_document_is_made(feed: Feed) -> None:
    feed.put_paper("a", b"first")
    feed.channel.notify(feed.logs.put("a", "loss", [1], [1.0]))
    feed.until(lambda: PAPER in feed.page.documents and feed.papers.gate.begun)
    assert feed.page.documents[PAPER][1] == 0, "named, and not there yet"
    feed.channel.notify(feed.logs.put("a", "loss", [2], [0.5]))
    feed.put("a", 1, "slow", b"one")
    feed.pictures.gate.open()
    feed.until(lambda: ("pictures", "a", "x") in feed.page.indices and feed.blobs())
    assert feed.points == 2
    assert PAPER not in feed.page.contents
    feed.papers.gate.open()
    feed.until(lambda: PAPER in feed.page.contents)
    assert feed.page.contents[PAPER] == (feed.page.documents[PAPER][0], b"first")
    assert feed.page.documents[PAPER][1] == len(b"first")
    assert feed.papers.gate.threads == ["tbwidget-documents"]


def test_a_document_stays_until_its_replacement_is_made(feed: Feed) -> None:
    feed.put_paper("a", b"first")
    feed.papers.gate.open(1)
    feed.until(lambda: PAPER in feed.page.contents)
    feed.put_paper("a", b"second")
    feed.until(lambda: len(feed.papers.gate.begun) == 2)
    feed.put_paper("a", b"third")
    feed.run(3)
    feed.channel.receive({"type": "resync", "complete": False})
    feed.run(3)
    assert feed.page.contents[PAPER][1] == b"first"
    assert PAPER in feed.page.documents, "a keyframe names what is being made"
    feed.papers.gate.open(1)
    feed.until(lambda: len(feed.papers.gate.begun) == 3)
    feed.run(3)
    assert feed.page.contents[PAPER][1] == b"first"
    feed.papers.gate.open(1)
    wait_for(lambda: not feed.workers.documents.is_occupied(Priority.UPDATE_BLOB))
    feed.put_paper("a", b"fourth")
    feed.run(3)
    assert feed.page.contents[PAPER][1] == b"first"
    feed.papers.gate.open(1)
    feed.until(lambda: feed.page.contents[PAPER][1] == b"fourth")
    assert feed.papers.gate.begun == ["first", "second", "third", "fourth"]


def test_an_unrequested_document_that_may_not_be_sent_is_not_kept(feed: Feed) -> None:
    feed.put_paper("a", bytes(PapersContent.prefetch_bytes))
    feed.put_paper("b", b"other")
    feed.until(lambda: feed.papers.gate.begun)
    feed.papers.gate.open(1)
    feed.until(lambda: PAPER in feed.page.contents and len(feed.papers.gate.begun) == 2)
    feed.papers.gate.open()
    wait_for(lambda: not feed.workers.documents.is_occupied(Priority.NEWEST_BLOB))
    feed.run(3)
    assert ("papers", "b", "") not in feed.page.contents
    feed.look_at("", ["papers", ""])
    feed.until(lambda: ("papers", "b", "") in feed.page.contents)
    assert feed.papers.gate.begun.count("other") == 2


def test_only_the_last_of_waiting_revisions_is_made(feed: Feed) -> None:
    feed.put_paper("a", b"first")
    feed.put_paper("b", b"other")
    feed.until(lambda: feed.papers.gate.begun)
    feed.run()
    for data in (b"second", b"third"):
        feed.put_paper("b", data)
        feed.run(3)
    feed.papers.gate.open()
    feed.until(lambda: feed.page.contents.get(("papers", "b", ""), (0, b""))[1] == b"third")
    assert feed.papers.gate.begun == ["first", "third"]


def test_a_document_that_cannot_be_made_is_a_failure_of_its_own(feed: Feed) -> None:
    feed.put_paper("a", b"!")
    feed.put_paper("b", b"fine")
    feed.papers.gate.open()
    feed.until(lambda: ("papers", "b", "") in feed.page.contents and feed.page.failed)
    assert feed.page.failed == {PAPER: "ValueError: this one cannot be made"}
    assert list(feed.logs.failures) == [PAPER]
    feed.put_paper("a", b"mended")
    feed.until(lambda: PAPER in feed.page.contents)
    assert not feed.page.failed
    assert not feed.logs.failures


def test_a_page_that_comes_later_gets_a_document_too(feed: Feed) -> None:
    feed.put_paper("a", bytes(200_000))
    feed.papers.gate.open()
    feed.until(lambda: PAPER in feed.page.contents)
    feed.page = Page()
    feed.channel.receive({"type": "resync", "complete": False})
    feed.run(3)
    assert PAPER in feed.page.documents
    feed.look_at("", ["papers", ""])
    feed.until(lambda: PAPER in feed.page.contents)


def test_a_snapshot_makes_its_blobs_and_documents_itself() -> None:
    logs, pictures, papers = FakeSource(), SlowPictures(), SlowPapers()
    pictures.gate.open()
    papers.gate.open()
    put_pictures(logs, "a", "x", (1, "slow", b"one"))
    put_paper(logs, "a", b"first")
    saved: Any = snapshot(logs_over(logs), (pictures, papers))
    pieces = [piece for message in saved["messages"] for piece in json.loads(message["header"])["pieces"]]
    assert sorted(piece["size"] for piece in pieces) == [len(b"one"), len(b"first")]
    assert {*pictures.gate.threads, *papers.gate.threads} == {threading.current_thread().name}
