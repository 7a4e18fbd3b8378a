"""After any refresh the data equal a fresh load of the disk, whatever writers and people do to it."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.logs.items import DamagedValueError
from tbwidget.logs.source import Changes
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import Summary
from tests.support.attached import attached
from tests.support.eventfiles import NAME, event, name, numbers, plugin, points, record, simple, strings, write
from tests.support.examples import examples
from tests.support.waiting import wait_for

TAGS = ("loss", "acc", "lr")


def state(logs: tbwidget.LogDir) -> dict[str, Any]:
    """Return everything that a user can see."""
    tags = logs.tags()
    series = {
        (kind, run, tag, superseded): scalars(logs, run, tag, superseded=superseded)
        if kind == "scalars"
        else values(logs, kind, run, tag, superseded=superseded)
        for kind, by_run in tags.items()
        for run, names in by_run.items()
        for tag in names
        for superseded in (False, True)
    }
    return {
        "runs": logs.runs,
        "tags": tags,
        "metadata": {
            (run, tag): logs.metadata(run, tag)
            for by_run in tags.values()
            for run, names in by_run.items()
            for tag in names
        },
        "series": series,
        "problems": logs.problems,  # reading the values above may have added some
    }


def scalars(logs: tbwidget.LogDir, run: str, tag: str, *, superseded: bool) -> list[object]:
    """Return all points of a series of numbers, and the number of those left out."""
    series = logs.scalars(run, tag, superseded=superseded)
    return [series.superseded, *(column.tolist() for column in (series.step, series.wall_time, series.value))]


def values(logs: tbwidget.LogDir, kind: str, run: str, tag: str, *, superseded: bool) -> list[object]:
    """Return all values of any other series, read now; a damaged value is represented by its error."""
    if tag in ("__run_graph__", "__meta_graph__"):
        try:
            return [attached(logs.source, run, "run graph" if tag == "__run_graph__" else "meta graph")]
        except DamagedValueError as error:
            return [str(error)]
    items = logs.source.items(run, tag, kind, superseded=superseded)
    found: list[object] = [items.superseded, items.step.tolist(), items.wall_time.tolist(), items.samples.tolist()]
    for index in range(len(items)):
        try:
            found.append(items.value(index).SerializeToString())
        except DamagedValueError as error:
            found.append(str(error))
    return found


class World:
    """A log directory under construction, with the actions that change it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = 1000.0
        self.step = 0

    def path(self, which: int) -> Path:
        return self.root / f"run{which % 3}" / f"{NAME}.{which % 2}"

    def append(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(content)

    def content(self, size: int) -> bytes:
        count = 1 + size % 5 + (200 if size % 7 == 0 else 0)
        made = []
        for _ in range(count):
            self.clock += 0.5
            self.step += 1
            tags = TAGS[: 1 + size % 3]
            made.append(event(self.clock, self.step, *(simple(tag, self.step) for tag in tags)))
            made += self.other_kinds(size)
        return b"".join(made)

    def picture(self, *others: Summary.Value) -> bytes:
        """Make a large record; no two are equal."""
        self.clock += 0.25
        self.step += 1
        image = strings("picture", plugin("images"), b"1", b"1", b"%016d" % self.step * 4200)
        return event(self.clock, self.step, image, *others)

    def other_kinds(self, size: int) -> list[bytes]:
        """Make values that are read on request, small and large; those that may be damaged are all different."""
        self.clock += 0.25
        noise = b"%016d" % self.step
        made = []
        if size % 3 == 0:
            made.append(event(self.clock, self.step, numbers("weights", plugin("histograms"), 4, 3, value=self.step)))
        if size % 5 == 0:
            made.append(event(self.clock, self.step, strings("note", plugin("text"), noise), numbers("raw", None, 2)))
        if size % 11 == 0:
            made.append(self.picture(*[simple("beside", 1)] * (size % 2)))
        if size % 13 == 0:
            graph = Event(wall_time=self.clock, graph_def=noise * (5000 if size % 2 else 1))
            made.append(record(graph.SerializeToString()))
        return made

    def do(self, action: str, which: int, size: int) -> None:  # noqa: C901, PLR0912, PLR0915 (a case an action)
        path = self.path(which)
        self.clock += 1
        if action == "whole":
            self.append(path, self.content(size))
        elif action == "torn":
            content = self.content(size)
            self.append(path, content[: max(1, len(content) - 1 - size % 60)])
        elif action == "start":
            self.step = max(0, self.step - size % 20)
            self.append(path, event(self.clock, self.step, start=True))
        elif action == "back":
            self.step = max(0, self.step - size % 20)
            self.append(path, self.content(1))
        elif action == "other kind":
            image = Summary.Value(tag=name(TAGS[size % 3]), image=Summary.Image(width=1))
            self.append(path, event(self.clock, 0, image))
        elif action == "untrue":
            picture = bytearray(self.picture())
            picture[(20, 60, 1000, -3)[size % 4]] ^= 1 + size
            self.append(path, bytes(picture))
        elif action == "killed":
            # Another writer continues where a large record was cut off.
            self.append(path, self.picture()[: 20 + size] + points("loss", [self.step] * 300, self.clock, spacing=0))
            self.append(path, b"".join(self.picture() for _ in range(size % 3)))
        elif action == "filled":
            # The same, but the file ends where the large record would have ended.
            written = points("loss", list(range(size % 9)), self.clock)
            whole = self.picture()
            self.append(path, whole[: len(whole) - len(written)] + written)
        elif action == "garbage":
            self.append(path, bytes([size % 256]) * (size % 50))
        elif not path.exists():
            return
        elif action == "shrink":
            content = path.read_bytes()
            path.write_bytes(content[: max(0, len(content) - size)])
        elif action == "replace":
            other = path.with_name("incoming")
            other.write_bytes(self.content(size))
            other.replace(path)
        elif action == "delete":
            path.unlink()
        elif action == "reborn":
            path.unlink()
            self.step = 0
            self.append(path, self.content(size))
        elif action == "rename":
            target = path.with_name(f"{NAME}.{size % 4}")
            path.replace(target)
        elif action == "drop run":
            shutil.rmtree(path.parent)
        elif action == "move run":
            target = self.root / "moved"
            shutil.rmtree(target, ignore_errors=True)
            path.parent.rename(target)


ACTIONS = (
    *["whole"] * 4,
    *["torn"] * 2,
    "untrue",
    "killed",
    "filled",
    "start",
    "back",
    "other kind",
    "garbage",
    "shrink",
    "replace",
    "delete",
    "reborn",
    "rename",
    "drop run",
    "move run",
)
schedules = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.integers(0, 5), st.integers(0, 200), st.booleans()), min_size=1, max_size=14
)


@examples(60)
@given(schedule=schedules)
def test_refresh_equals_a_first_reading(
    tmp_path_factory: pytest.TempPathFactory, schedule: list[tuple[str, int, int, bool]]
) -> None:
    root = tmp_path_factory.mktemp("world")
    world, logs = World(root), tbwidget.LogDir(root)
    notified: list[Changes] = []
    logs.source.subscribe(notified.append)
    before = state(logs)
    for action, which, size, refresh in [*schedule, ("nothing", 0, 0, True)]:
        world.do(action, which, size)
        if refresh:
            notified.clear()
            changed = logs.refresh()
            problems = logs.problems
            now = state(logs)
            assert now == state(tbwidget.load(root))
            check_notified(before, now | {"problems": problems}, notified, changed=changed)
            before = now
    logs.refresh()  # notifies of problems that reading the values has found
    assert not logs.refresh()


def check_notified(before: dict[str, Any], now: dict[str, Any], notified: list[Changes], *, changed: bool) -> None:
    """Check that subscribers were notified of all changes."""
    assert changed == bool(notified)
    assert changed or before == now
    series = {name for changes in notified for name in changes.series}
    for kind, run, tag, superseded in before["series"].keys() | now["series"].keys():
        key = (kind, run, tag, superseded)
        if before["series"].get(key) != now["series"].get(key):
            assert (kind, run, tag) in series
    if any(before[what] != now[what] for what in ("runs", "tags", "problems", "metadata")):
        assert any(changes.catalog for changes in notified)


def count(logs: tbwidget.LogDir, run: str) -> int:
    """Count the points of the loss read so far; a run is listed before it is read."""
    try:
        return len(logs.scalars(run, "loss"))
    except KeyError:
        return 0


@examples(8)
@given(schedule=schedules)
def test_the_follower_ends_up_at_the_same(
    tmp_path_factory: pytest.TempPathFactory, schedule: list[tuple[str, int, int, bool]]
) -> None:
    root = tmp_path_factory.mktemp("world")
    with tbwidget.LogDir(root) as logs:
        world = World(root)
        logs.follow(0.01)
        for action, which, size, wait in schedule:
            world.do(action, which, size)
            if wait:
                time.sleep(0.02)
        expected = state(tbwidget.load(root))

        def is_as_expected() -> bool:
            try:
                return state(logs) == expected
            except KeyError:  # the follower removed a run or tag after it was listed
                return False

        wait_for(is_as_expected)


def test_a_writer_is_followed_while_it_writes(tmp_path: Path) -> None:
    """With tensorboardX in another thread: subscribers are notified of every series, and points keep their order."""
    heard: set[tuple[str, str, str]] = set()
    with tbwidget.LogDir(tmp_path) as logs:
        logs.source.subscribe(lambda changes: heard.update(changes.series))
        logs.follow(0.02)

        def train() -> None:
            for run in ("a", "b"):
                with SummaryWriter(str(tmp_path / run)) as writer:
                    for step in range(200):
                        writer.add_scalar("loss", 1 / (1 + step), step)
                        if step % 20 == 0:
                            writer.flush()

        training = threading.Thread(target=train)
        training.start()
        training.join(60)
        wait_for(lambda: [count(logs, "a"), count(logs, "b")] == [200, 200])
        wait_for(lambda: heard == {("scalars", "a", "loss"), ("scalars", "b", "loss")})  # notified after data arrive
        assert logs.scalars("b", "loss").step.tolist() == list(range(200))
        assert logs.problems == []


def test_torn_records_are_waited_for(tmp_path: Path) -> None:
    content = points("loss", [1, 2], 100)
    with tbwidget.LogDir(tmp_path) as logs:
        logs.follow(0.01)
        path = write(tmp_path / NAME, content[:60])
        wait_for(lambda: count(logs, ".") == 1)
        with path.open("ab") as file:
            for byte in content[60:]:
                file.write(bytes([byte]))
                file.flush()
        wait_for(lambda: count(logs, ".") == 2)
        assert logs.problems == []
        assert logs.scalars(".", "loss").superseded == 0


def test_snapshots_do_not_change(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, points("loss", list(range(100)), 100))
    logs = tbwidget.load(tmp_path)
    snapshots = []
    for turn in range(1, 30):
        snapshot = logs.scalars(".", "loss")
        snapshots.append((snapshot, len(snapshot), snapshot.step.tolist()))
        with path.open("ab") as file:
            file.write(points("loss", list(range(100 * turn, 100 * turn + turn)), 200 + turn))
        assert logs.refresh()
    for snapshot, length, steps in snapshots:
        assert (len(snapshot), snapshot.step.tolist()) == (length, steps)


def test_reading_from_many_threads(tmp_path: Path) -> None:
    """Refresh and read at once, while a file grows and is replaced."""
    path = write(tmp_path / NAME, points("loss", list(range(300)), 100))
    logs = tbwidget.load(tmp_path)
    errors: list[BaseException] = []
    stop = threading.Event()

    def use(work: Callable[[], object]) -> None:
        while not stop.is_set():
            try:
                work()
            except KeyError:
                pass  # between deletion and recreation
            except BaseException as error:  # noqa: BLE001 (reported below)
                errors.append(error)
                return

    def consistent() -> None:
        scalars = logs.scalars(".", "loss")
        assert scalars.value.tolist() == scalars.step.tolist()

    workers = [
        threading.Thread(target=use, args=(work,)) for work in (logs.refresh, logs.refresh, consistent, logs.frame)
    ]
    for worker in workers:
        worker.start()
    for turn in range(40):
        if turn % 10 == 9:
            path.unlink()
        with path.open("ab") as file:
            file.write(points("loss", list(range(300 * turn, 300 * turn + 300)), 100 + 100 * turn))
        time.sleep(0.005)
    stop.set()
    for worker in workers:
        worker.join(30)
    assert errors == []
    logs.refresh()
    assert state(logs) == state(tbwidget.load(tmp_path))


def test_the_lock_of_the_reader_is_fair(tmp_path: Path) -> None:
    write(tmp_path / NAME, points("loss", list(range(200_000)), 100))  # more than is read in one step
    logs = tbwidget.LogDir(tmp_path)
    steps, turn = logs.source._reader.poll(), logs.source._reader.fair_lock
    while not logs.source.progress.bytes_read:
        next(steps)
    before, read = logs.source.progress.bytes_read, []

    def look() -> None:
        with logs.source.exclusive():
            read.append(logs.source.progress.bytes_read)

    waiting = threading.Thread(target=look)
    with logs.source._lock:
        waiting.start()
        while turn.acquire(blocking=False):
            turn.release()
            time.sleep(0.001)
    # The thread that released the lock could re-acquire it first.
    next(steps)
    waiting.join(10)
    assert read == [before]
    assert logs.source.progress.bytes_read > before
