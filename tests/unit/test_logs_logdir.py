"""The public interface of a log directory."""

from __future__ import annotations

import copy
import gc
import logging
import os
import pickle
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.engine import eventfile, follower
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.engine.follower import poll
from tbwidget.logs.engine.reader import PollStep, Reader
from tbwidget.logs.engine.run import Run
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.logs.source import Changes, Progress
from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, numbers, plugin, points, record, simple, strings, write
from tests.support.waiting import PATIENCE, wait_for


def test_paths_that_are_no_directory(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no such log directory.*missing"):
        tbwidget.load(tmp_path / "missing")
    with pytest.raises(NotADirectoryError, match=r"file is a file: pass the directory"):
        tbwidget.load(write(tmp_path / "file"))


def test_an_empty_directory(tmp_path: Path) -> None:
    logs = tbwidget.load(str(tmp_path))
    assert (logs.runs, logs.tags(), logs.problems, len(logs.frame())) == ([], {}, [], 0)
    assert list(logs.frame().columns) == ["run", "tag", "step", "wall_time", "value"]


def test_scalars_are_read_only_columns(tmp_path: Path) -> None:
    steps = [0, 1, 2**31 + 5, 2**53 + 1, 2**63 - 1, -1, -(2**63)]
    values = [0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1e-45, 3.4e38]
    write(
        tmp_path / NAME,
        *(event(1.7e9 + n, s, simple("loss", v)) for n, (s, v) in enumerate(zip(steps, values, strict=True))),
    )
    scalars = tbwidget.load(tmp_path).scalars(".", "loss")
    assert [column.dtype.str for column in (scalars.step, scalars.wall_time, scalars.value)] == ["<i8", "<f8", "<f8"]
    assert scalars.step.tolist() == steps
    assert scalars.value.tobytes() == np.array(values, np.float32).astype(np.float64).tobytes()
    assert scalars.wall_time.tolist() == [1.7e9 + n for n in range(7)]
    assert len(scalars) == 7
    for column in (scalars.step, scalars.wall_time, scalars.value):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_unknown_names(tmp_path: Path) -> None:
    write(tmp_path / NAME, points("loss", [0], 1), event(2, 0, numbers("weights", plugin("histograms"), 4, 3)))
    logs = tbwidget.load(tmp_path)
    with pytest.raises(KeyError, match="nope"):
        logs.scalars("nope", "loss")
    with pytest.raises(KeyError, match="nope"):
        logs.scalars(".", "nope")
    with pytest.raises(KeyError, match=r"weights.*histograms"):
        logs.scalars(".", "weights")
    with pytest.raises(KeyError, match="nope"):
        logs.metadata(".", "nope")
    with pytest.raises(KeyError, match="nope"):
        logs.frame(runs=["nope"])
    with pytest.raises(KeyError, match="nope"):
        logs.frame(tags=["nope"])
    with pytest.raises(ValueError, match="graphs"):
        logs.frame("graphs")


def test_all_kinds_are_listed(tmp_path: Path) -> None:
    texts = {"text": "text", "custom_scalars": "custom_scalars", "graph_keras_model": "graphs"}
    texts |= {"graph_run_metadata_graph": "graphs", "graph_run_metadata": "run_metadata"}
    values = [strings(f"of {name}", plugin(name), b"said", shape=()) for name in texts]
    values += [
        numbers("of histograms", plugin("histograms"), 30, 3),
        strings("of images", plugin("images"), b"1", b"1", b"image"),
        strings("of audio", plugin("audio"), b"clip"),
        numbers("of pr_curves", plugin("pr_curves"), 6, 10),
        numbers("of mesh", plugin("mesh"), 1, 20, 3),
        numbers("of somebody's own", plugin("somebody's own"), 3),
        numbers("raw", None, 2),
        numbers("one number", None),
        simple("loss", 1),
        Summary.Value(tag=b"v1 histogram", histo=HistogramProto(num=1)),
        Summary.Value(tag=b"v1 image", image=Summary.Image(width=1)),
        Summary.Value(tag=b"v1 audio", audio=Summary.Audio(sample_rate=1)),
        Summary.Value(tag=b"_hparams_/experiment", metadata=plugin("hparams")),
        Summary.Value(tag=b"nothing at all"),
    ]
    others = [
        Event(graph_def=b""),
        Event(meta_graph_def=b""),
        Event(tagged_run_metadata=TaggedRunMetadata(tag=b"step1")),
    ]
    write(tmp_path / NAME, event(1, 0, *values), *(record(other.SerializeToString()) for other in others))
    logs = tbwidget.load(tmp_path)
    assert {kind: runs["."] for kind, runs in logs.tags().items()} == {
        "scalars": ["loss"],
        "histograms": ["of histograms", "v1 histogram"],
        "images": ["of images", "v1 image"],
        "audio": ["of audio", "v1 audio"],
        "text": ["of text"],
        "pr_curves": ["of pr_curves"],
        "meshes": ["of mesh"],
        "hparams": ["_hparams_/experiment"],
        "graphs": ["__run_graph__", "of graph_keras_model", "of graph_run_metadata", "of graph_run_metadata_graph"],
        "custom_scalars": ["of custom_scalars"],
        "tensors": ["of somebody's own", "one number", "raw"],
        "run_metadata": ["of graph_run_metadata", "step1"],
    }
    assert logs.problems == []
    assert logs.metadata(".", "v1 image") == ("images", "v1 image", "")
    assert logs.metadata(".", "step1").plugin == "graph_tagged_run_metadata"


def test_a_meta_graph_alone_is_a_graph(tmp_path: Path) -> None:
    write(tmp_path / NAME, record(Event(meta_graph_def=b"").SerializeToString()))
    assert tbwidget.load(tmp_path).tags() == {"graphs": {".": ["__meta_graph__"]}}


def test_the_first_metadata_in_written_order_decide(tmp_path: Path) -> None:
    """Written order is the order of names, not of wall times; values before and after it inherit the metadata."""
    write(tmp_path / "events.out.tfevents.2", event(100, 0, numbers("t", plugin("images"), value=1)))
    write(
        tmp_path / "events.out.tfevents.1",
        event(200, 0, numbers("t", None, value=1)),
        event(201, 1, numbers("t", plugin("scalars", "Shown", "TagMetadata"), value=2)),
        event(202, 2, numbers("t", plugin("text"), value=3)),
    )
    logs = tbwidget.load(tmp_path)
    assert logs.tags() == {"scalars": {".": ["t"]}}
    assert logs.metadata(".", "t") == ("scalars", "Shown", "TagMetadata")
    assert logs.scalars(".", "t", superseded=True).value.tolist() == [1, 2, 3, 1]


def test_the_first_metadata_count_also_in_the_middle_of_many_records(tmp_path: Path) -> None:
    parts = [event(100 + n, n, numbers("t", None, value=n)) for n in range(200)]
    parts[70] = event(170, 70, numbers("t", plugin("scalars"), value=70))
    parts[90] = event(190, 90, numbers("t", plugin("text"), value=90))
    write(tmp_path / NAME, *parts)
    logs = tbwidget.load(tmp_path)
    assert logs.scalars(".", "t").value.tolist() == list(range(200))


def test_values_that_do_not_fit_are_one_problem_a_form(tmp_path: Path) -> None:
    histogram = Summary.Value(tag=b"t", histo=HistogramProto(num=1))
    first = event(1, 0, simple("t", 1))
    write(tmp_path / NAME, first, *(event(2, 1, histogram) for _ in range(3)), event(3, 2, simple("t", 2)))
    logs = tbwidget.load(tmp_path)
    assert logs.scalars(".", "t").value.tolist() == [1, 2]
    assert logs.problems == [Problem(NAME, len(first), "tag 't': a histogram does not fit its kind, scalars")]
    assert str(logs.problems[0]).startswith(f"{NAME} at byte {len(first)}: tag")


def test_the_tag_is_the_node_name_if_there_is_no_tag(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(1, 0, Summary.Value(node_name=b"node", simple_value=1), Summary.Value(simple_value=2)))
    assert tbwidget.load(tmp_path).tags() == {"scalars": {".": ["", "node"]}}


def test_frame(tmp_path: Path) -> None:
    for run in ("run2", "run10"):
        write(tmp_path / run / NAME, points("loss", [0, 1], 100), points("acc", [5], 101))
    logs = tbwidget.load(tmp_path)
    frame = logs.frame()
    assert frame["run"].tolist() == ["run2"] * 3 + ["run10"] * 3
    assert frame["tag"].tolist() == ["acc", "loss", "loss"] * 2
    assert frame["run"].cat.categories.tolist() == ["run2", "run10"]
    assert frame[["step", "value"]].to_numpy().tolist() == [[5, 5], [0, 0], [1, 1]] * 2
    assert frame.dtypes[["step", "wall_time", "value"]].tolist() == [np.int64, np.float64, np.float64]
    assert len(logs.frame(runs=["run2"], tags=["loss"])) == 2
    assert len(logs.frame(runs="run2", tags="loss")) == 2
    assert len(logs.frame(runs=["run2", "run2"], tags=["loss", "loss"])) == 2


def test_frame_with_superseded_points(tmp_path: Path) -> None:
    write(tmp_path / "events.out.tfevents.1", points("loss", [0, 1, 2], 100))
    write(tmp_path / "events.out.tfevents.2", points("loss", [1], 200))
    logs = tbwidget.load(tmp_path)
    assert logs.frame()["step"].tolist() == [0, 1]
    assert logs.frame(superseded=True)["step"].tolist() == [0, 1, 2, 1]


def test_a_cut_end_is_a_problem_once_the_file_stops_growing(tmp_path: Path) -> None:
    whole = points("loss", [1, 2], 100)
    path = write(tmp_path / NAME, whole[:-3])
    assert tbwidget.load(tmp_path).problems == []
    os.utime(path, (time.time() - 3600,) * 2)
    (problem,) = tbwidget.load(tmp_path).problems
    half = len(whole) // 2
    assert (problem.offset, problem.message) == (half, f"the file ends inside a record, after {half - 3} bytes of it")


def test_files_without_data_are_counted(tmp_path: Path) -> None:
    write(tmp_path / "data" / NAME, points("loss", [0], 100))
    logs = tbwidget.load(tmp_path)
    assert logs.source.empty_files == 0
    empty = write(tmp_path / "empty" / NAME)
    write(tmp_path / "begun" / NAME, event(100, version="brain.Event:2"))
    write(tmp_path / "damaged" / NAME, b"no record of anything" * 9)
    logs.refresh()
    assert logs.source.empty_files == 2
    assert {problem.path for problem in logs.problems} == {f"damaged/{NAME}"}
    write(empty, points("loss", [0], 100))
    logs.refresh()
    assert logs.source.empty_files == 1


def test_a_file_that_is_only_partly_read_is_not_cut_off(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, points("loss", list(range(80_000)), 100))  # more than one step reads
    os.utime(path, (time.time() - 3600,) * 2)
    logs = LogDir(tmp_path)
    met = []
    logs.source.subscribe(lambda _: met.append(list(logs.problems)))
    poll(logs.source, everywhere=True)
    assert len(met) > 2
    assert met == [[]] * len(met)
    assert len(logs.scalars(".", "loss")) == 80_000


def test_a_new_run_is_read_between_looks_at_all_files(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, points("loss", [0], 100))
    logs = LogDir(tmp_path)
    poll(logs.source, everywhere=True)
    told: list[Changes] = []
    logs.source.subscribe(told.append)
    write(tmp_path / "b" / NAME, points("loss", [0, 1], 100))
    poll(logs.source, everywhere=False)
    assert logs.runs == ["a", "b"]
    assert len(logs.scalars("b", "loss")) == 2
    assert ("scalars", "b", "loss") in frozenset().union(*(changes.series for changes in told))
    assert told[0].catalog


def test_one_line_in_the_log_for_each_bad_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    good = points("loss", list(range(10)), 100)
    bad = b"".join(good[: 40 + n] + b"?" + good for n in range(3))
    write(tmp_path / "a" / NAME, bad)
    write(tmp_path / "b" / NAME, bad)
    write(tmp_path / "c" / NAME, good)
    with caplog.at_level(logging.WARNING, "tbwidget"):
        logs = tbwidget.load(tmp_path)
        write(tmp_path / "a" / NAME, bad, b"more damage", good)
        logs.refresh()
    assert len(logs.problems) > 4
    assert sorted(message.split(" at ")[0] for message in caplog.messages) == [f"a/{NAME}", f"b/{NAME}"]


def test_problems_of_the_file_system_come_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "run" / NAME, points("loss", [0], 1))
    logs = tbwidget.load(tmp_path)
    write(path, points("loss", [0, 1], 1))
    opened = os.open

    def broken(name: str, *rest: int) -> int:
        if str(name) == str(path):
            raise OSError(5, "Input/output error")
        return opened(name, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", broken)
        assert logs.refresh()
        assert logs.problems == [Problem(f"run/{NAME}", None, "Input/output error")]
        assert len(logs.scalars("run", "loss")) == 1
    assert logs.refresh()
    assert (logs.problems, len(logs.scalars("run", "loss"))) == ([], 2)


def test_a_directory_that_is_not_there_yet(tmp_path: Path) -> None:
    logs = tbwidget.LogDir(tmp_path / "later")
    assert not logs.source.ready
    logs.refresh()
    assert (logs.source.ready, logs.runs) == (True, [])
    write(tmp_path / "later" / NAME, points("loss", [0], 1))
    assert logs.refresh()
    assert logs.runs == ["."]


def test_progress_counts_files_that_were_not_begun(tmp_path: Path) -> None:
    sizes = [write(tmp_path / run / NAME, points("loss", [0], 1)).stat().st_size for run in "abc"]
    logs = tbwidget.LogDir(tmp_path)
    told = []
    logs.source.subscribe(lambda _: told.append(logs.source.progress[-2:]))
    poll(logs.source, everywhere=True)
    total = sum(sizes)
    assert told == [(0, 0), (sizes[0], total), (sum(sizes[:2]), total), (total, total), (total, total)]


def test_progress_and_repr(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, points("loss", [0], 1))
    logs = tbwidget.load(tmp_path)
    size = path.stat().st_size
    assert logs.source.progress == Progress("ready", 1, 1, 1, 0, size, size)
    assert repr(logs) == f"LogDir({str(tmp_path)!r}, 1 run)"
    assert repr(logs.scalars(".", "loss")) == "Scalars(1 point, steps 0 to 0, values 0 to 0)"


def test_an_interrupted_reading_neither_loses_nor_doubles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / NAME, points("loss", list(range(5)), 1))
    logs = tbwidget.load(tmp_path)
    write(tmp_path / NAME, points("loss", list(range(8)), 1))
    add = EventFile._add

    def interrupted(self: EventFile, *arguments: Any) -> None:
        add(self, *arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(EventFile, "_add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            logs.refresh()
    assert logs.refresh()
    assert logs.scalars(".", "loss").step.tolist() == list(range(8))


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (lambda logs: logs.runs, [".", "b"]),
        (lambda logs: logs.source.run_numbers(), {".": 0, "b": 1}),
        (lambda logs: logs.source.empty_files, 1),
    ],
)
def test_a_repair_that_is_interrupted_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[[LogDir], object], answer: object
) -> None:
    write(tmp_path / NAME, points("loss", [1], 1))
    logs = tbwidget.load(tmp_path)
    interrupt_a_snapshot(logs, monkeypatch)
    write(tmp_path / "b" / NAME)
    with monkeypatch.context() as patched:
        patched.setattr(Reader, "poll", interrupt)
        with pytest.raises(KeyboardInterrupt):
            _ = logs.runs
    assert ask(logs) == answer


def test_a_reader_during_a_repair_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / NAME, points("loss", [1], 1))
    logs = tbwidget.load(tmp_path)
    interrupt_a_snapshot(logs, monkeypatch)
    write(tmp_path / "b" / NAME, points("loss", [1], 1))
    begun, go_on, look = threading.Event(), threading.Event(), Reader.poll

    def slow(self: Reader, *, force: bool = False) -> Any:
        begun.set()
        go_on.wait(20)
        yield from look(self, force=force)

    monkeypatch.setattr(Reader, "poll", slow)
    found: list[list[str]] = []
    first, second = (threading.Thread(target=lambda: found.append(logs.runs)) for _ in range(2))
    first.start()
    begun.wait(20)
    second.start()
    second.join(0.2)
    go_on.set()
    first.join()
    second.join()
    assert found == [[".", "b"]] * 2


def interrupt(*_arguments: Any, **_keywords: Any) -> Any:
    raise KeyboardInterrupt


def interrupt_a_snapshot(logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Run, "scalars", interrupt)
        with pytest.raises(KeyboardInterrupt):
            logs.scalars(".", "loss")


def test_a_file_that_stops_growing_notifies_subscribers_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / NAME, points("loss", [1, 2], 100)[:-3])
    os.utime(path, (time.time() - 30,) * 2)
    logs = tbwidget.load(tmp_path)
    assert (logs.problems, logs.refresh()) == ([], False)
    monkeypatch.setattr(eventfile, "_TORN_AFTER", 20)
    assert logs.refresh()
    assert len(logs.problems) == 1
    assert not logs.refresh()


def test_problems_are_counted_where_there_are_very_many(tmp_path: Path) -> None:
    write(tmp_path / NAME, *[record(b"\x0a\xff\xff\xff\xff\xff")] * 1500, points("loss", [1], 1))
    problems = tbwidget.load(tmp_path).problems
    assert len(problems) == 1001
    assert Problem(NAME, None, "500 more unreadable records") in problems


def test_messages_are_short_with_any_names(tmp_path: Path) -> None:
    tag = "t" * 100_000
    write(tmp_path / NAME, event(1, 0, simple(tag, 1), Summary.Value(tag=tag.encode(), histo=HistogramProto(num=1))))
    write(tmp_path / "projector_config.pbtxt", b"x" * 100_000)
    assert all(len(problem.message) < 400 for problem in tbwidget.load(tmp_path).problems)


def test_the_follower_goes_on_after_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "_AFTER_ERROR", 0.01)
    write(tmp_path / NAME, points("loss", [0], 1))
    failures: list[int] = []
    with tbwidget.LogDir(tmp_path) as logs:
        real = logs.source.poll

        def failing(*, everywhere: bool) -> Iterator[PollStep]:
            if len(failures) < 2:
                failures.append(1)
                raise RuntimeError("on purpose")
            return real(everywhere=everywhere)

        monkeypatch.setattr(logs.source, "poll", failing)
        logs.follow(0.01)
        wait_for(lambda: logs.source.ready)


def test_close_ends_a_reading_that_goes_on(tmp_path: Path) -> None:
    """It ends between two windows, not after the last."""
    for run in range(300):
        write(tmp_path / f"run{run}" / NAME, points("loss", list(range(10)), 1))
    logs = tbwidget.LogDir(tmp_path)
    begun = threading.Event()

    def subscriber(changes: Changes) -> None:
        if changes.series:
            begun.set()
        time.sleep(0.2)  # one window has been read, and the next has not: close() is called now

    logs.source.subscribe(subscriber)
    logs.follow()
    assert begun.wait(PATIENCE)
    logs.close()
    assert 0 < sum(len(tags) for tags in logs.tags().get("scalars", {}).values()) < 300


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_may_use_it(tmp_path: Path) -> None:
    """Data loaders fork like this, while the follower works."""
    path = write(tmp_path / NAME, points("loss", list(range(20_000)), 1))
    with tbwidget.LogDir(tmp_path) as logs:
        logs.follow(0.001)
        for _ in range(10):
            with path.open("ab") as file:
                file.write(points("loss", [1], 1))
            child = os.fork()
            if not child:
                signal.alarm(20)
                logs.refresh()
                os._exit(0 if len(logs.scalars(".", "loss")) >= 20_000 else 1)
            assert os.waitpid(child, 0)[1] == 0


def test_a_child_forked_during_a_poll_reads_from_the_start(tmp_path: Path) -> None:
    """Another thread holds the lock then, and its changes to the data never end in the child."""
    write(tmp_path / "run" / NAME, points("loss", [0, 1], 1))
    logs = tbwidget.load(tmp_path)
    held, forked = threading.Event(), threading.Event()

    def hold() -> None:
        with logs.source._lock:
            held.set()
            forked.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    checks: list[Callable[[], bool]] = [
        lambda: logs.runs == ["run"],
        lambda: logs.tags() == {"scalars": {"run": ["loss"]}},
        lambda: len(logs.scalars("run", "loss")) == 2,
        lambda: logs.metadata("run", "loss").display_name == "loss",
    ]
    for check in checks:
        child = os.fork()
        if not child:
            signal.alarm(20)
            os._exit(0 if check() else 1)
        assert os.waitpid(child, 0)[1] == 0
    forked.set()
    thread.join()


def test_nothing_outlives_close(tmp_path: Path) -> None:
    write(tmp_path / NAME, points("loss", [0], 1))
    before = set(threading.enumerate())

    def handles() -> list[str]:
        found = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]  # noqa: PTH208 (names are enough)
        return [handle for handle in found if handle.startswith(str(tmp_path))]

    with tbwidget.load(tmp_path) as logs:
        logs.follow(0.01)
        logs.follow(0.02)
        (follower,) = set(threading.enumerate()) - before
        wait_for(lambda: not handles())  # the directory itself is open while it is listed
    assert not follower.is_alive()
    assert handles() == []
    logs.close()
    assert len(logs.scalars(".", "loss")) == 1


def test_the_follower_ends_with_its_last_user(tmp_path: Path) -> None:
    write(tmp_path / NAME, points("loss", [0], 1))
    before = set(threading.enumerate())
    logs = tbwidget.load(tmp_path)
    logs.follow()
    (follower,) = set(threading.enumerate()) - before
    reference = weakref.ref(logs)
    del logs
    gc.collect()
    wait_for(lambda: not follower.is_alive())
    assert reference() is None


def test_data_are_freed_with_their_last_user(tmp_path: Path) -> None:
    """Garbage collection alone would be too late: arrays do not trigger it, however large they are."""
    write(tmp_path / NAME, points("loss", [0], 1))
    gc.disable()
    try:
        logs = tbwidget.LogDir(tmp_path)
        references: list[weakref.ref[object]] = [weakref.ref(logs), weakref.ref(logs.source._reader)]
        del logs
        assert [reference() for reference in references] == [None, None]
    finally:
        gc.enable()


def test_closing_from_a_subscriber_does_not_wait_for_itself(tmp_path: Path) -> None:
    write(tmp_path / NAME, points("loss", [0], 1))
    logs = tbwidget.LogDir(tmp_path)
    closed = threading.Event()

    def close(_: object) -> None:
        logs.close()
        closed.set()

    logs.source.subscribe(close)
    logs.follow(0.01)
    assert closed.wait(PATIENCE)


def test_a_subscriber_that_fails_does_not_stop_others(tmp_path: Path) -> None:
    write(tmp_path / NAME, points("loss", [0], 1))
    logs = tbwidget.LogDir(tmp_path)
    told: list[Changes] = []

    def fail(_: Changes) -> None:
        raise RuntimeError("on purpose")

    logs.source.subscribe(fail)
    end = logs.source.subscribe(told.append)
    assert logs.refresh()
    assert told
    assert told[0].series == {("scalars", ".", "loss")}
    assert told[0].catalog
    end()
    write(tmp_path / NAME, points("loss", [0, 1], 1))
    assert logs.refresh()
    assert len(told) == 1


def test_arrays_are_read_only_after_pickling_and_copying() -> None:
    for name, kind in (
        ("tf2_plugins", "pr_curves"),
        ("tf2_plugins", "meshes"),
        ("torch_all_kinds", "scalars"),
        ("torch_all_kinds", "histograms"),
        ("torch_all_kinds", "text"),
    ):
        logs = tbwidget.load(CORPUS / name / "logs")
        (run, tags), *_ = logs.tags()[kind].items()
        values = getattr(logs, kind)(run, tags[0])
        value = values if kind == "scalars" else values[0]
        for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):  # noqa: S301
            assert repr(again) == repr(value)
            arrays = [each for each in (getattr(again, f.name) for f in fields(again)) if isinstance(each, np.ndarray)]
            assert arrays
            assert not any(array.flags.writeable for array in arrays), kind
