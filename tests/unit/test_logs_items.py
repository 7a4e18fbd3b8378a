"""Values that stay in their files: they are located, verified, and superseded like numbers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.items import DamagedValueError, Items
from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tbwidget.reasons import text_reason
from tbwidget.records.values.attachments import META_GRAPH, RUN_GRAPH, RUN_METADATA
from tests.support.attached import attached
from tests.support.eventfiles import NAME, event, numbers, plugin, points, record, simple, strings, write

A, B, C = (f"events.out.tfevents.{name}" for name in ("1", "2", "3"))


def notes(steps: list[int], wall_time: float, tag: str = "note") -> bytes:
    """Frame a text with its step for each step."""
    return b"".join(
        event(wall_time + 0.1 * n, step, strings(tag, plugin("text"), b"%d" % step)) for n, step in enumerate(steps)
    )


def texts(items: Items) -> list[str]:
    return [value.tensor.string_val[0].decode() for value in items.values()]


def test_values_are_found_by_index(tmp_path: Path) -> None:
    first = [strings("note", plugin("text"), b"a"), simple("loss", 1), strings("note", plugin("text"), b"b", b"c")]
    write(tmp_path / NAME, event(100, 5, *first), notes([7, 8, 9], 101))
    items = tbwidget.load(tmp_path).source.items(".", "note", "text")
    assert (len(items), items.step.tolist(), items.samples.tolist()) == (5, [5, 5, 7, 8, 9], [1, 2, 1, 1, 1])
    assert items.wall_time.tolist() == [100, 100, 101, 101.1, 101.2]
    assert texts(items) == ["a", "b", "7", "8", "9"]
    assert items.value(1) == first[2]
    assert items.value(-1).tensor.string_val == [b"9"]
    assert [value.tensor.string_val[0] for value in items.values([4, 0, 3, 3])] == [b"9", b"a", b"8", b"8"]
    assert list(items.values([])) == []
    for index in (5, -6):
        with pytest.raises(IndexError, match="there are only 5"):
            items.value(index)
    for column in (items.step, items.wall_time, items.samples, items.form):
        assert not column.flags.writeable


def test_unknown_names(tmp_path: Path) -> None:
    write(tmp_path / NAME, notes([1], 100), points("loss", [1], 100))
    logs = tbwidget.load(tmp_path)
    with pytest.raises(KeyError, match="nope"):
        logs.source.items("nope", "note", "text")
    with pytest.raises(KeyError, match="nope"):
        logs.source.items(".", "nope", "text")
    with pytest.raises(KeyError, match=r"note.*images.*it holds text"):
        logs.source.items(".", "note", "images")
    with pytest.raises(KeyError, match="nope"):
        logs.source.attachment("nope", RUN_GRAPH)


def test_a_later_file_supersedes_from_its_first_step(tmp_path: Path) -> None:
    write(tmp_path / A, notes([0, 1, 2, 3, 4, 5], 100))
    write(tmp_path / B, notes([3, 4], 200))
    logs = tbwidget.load(tmp_path)
    items = logs.source.items(".", "note", "text")
    assert (texts(items), items.superseded) == (["0", "1", "2", "3", "4"], 3)
    assert [items.wall_time[3], items.wall_time[4]] == [200, 200.1]
    every = logs.source.items(".", "note", "text", superseded=True)
    assert (texts(every), every.superseded) == (["0", "1", "2", "3", "4", "5", "3", "4"], 0)


def test_a_restart_within_a_file_and_two_writers(tmp_path: Path) -> None:
    write(tmp_path / A, notes([0, 1, 2, 3], 100), event(101, 2, start=True), notes([2], 102))
    write(tmp_path / "two" / A, notes([0, 2, 4], 100))
    write(tmp_path / "two" / B, notes([1, 3], 100.1))
    logs = tbwidget.load(tmp_path)
    assert texts(logs.source.items(".", "note", "text")) == ["0", "1", "2"]
    assert texts(logs.source.items("two", "note", "text")) == ["0", "2", "4", "1", "3"]


def test_values_of_another_kind_supersede_nothing(tmp_path: Path) -> None:
    """They are no values of the series: they are one problem."""
    misfit = event(150, 0, numbers("note", plugin("text"), 4))
    write(tmp_path / A, notes([0, 1, 2], 100))
    write(tmp_path / B, misfit, notes([2, 3], 200))
    logs = tbwidget.load(tmp_path)
    assert texts(logs.source.items(".", "note", "text")) == ["0", "1", "2", "3"]
    assert [str(problem) for problem in logs.problems] == [
        f"{B} at byte 0: tag 'note': a numeric tensor does not fit its kind, text"
    ]


def test_revision_stays_while_values_are_only_appended(tmp_path: Path) -> None:
    write(tmp_path / A, notes([0, 1], 100))
    logs = tbwidget.load(tmp_path)
    first = logs.source.items(".", "note", "text")
    assert logs.source.items(".", "note", "text") is first
    write(tmp_path / A, notes([0, 1, 2], 100))
    logs.refresh()
    second = logs.source.items(".", "note", "text")
    assert (second.revision, len(first), len(second)) == (first.revision, 2, 3)
    write(tmp_path / B, notes([1], 200))
    logs.refresh()
    assert logs.source.items(".", "note", "text").revision != first.revision


def changed(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda path: changed(path, 40), "was cut or changed"),
        (lambda path: changed(path, 2), "no record begins here any more"),
        (lambda path: os.truncate(path, 20), "was cut or changed"),
        (lambda path: os.truncate(path, 0), "the file ends before this record"),
        (Path.unlink, "No such file"),
        (lambda path: write(path, notes([9], 100)), "the value of step 5 was overwritten"),
        (lambda path: write(path, notes([5], 200)), "the value of step 5 was overwritten"),
        (lambda path: write(path, notes([5], 100, "other")), "the value of step 5 was overwritten"),
        (lambda path: write(path, event(100, 5, simple("loss", 1))), "the value of step 5 was overwritten"),
        (lambda path: write(path, record(b"\x0a\xff\xff\xff\xff\xff")), "no event"),
    ],
)
@pytest.mark.parametrize("large", [False, True])
def test_values_that_are_no_longer_there(
    tmp_path: Path, change: Callable[[Path], object], message: str, *, large: bool
) -> None:
    """The error names file and offset, and is a problem until the file is reread."""
    text = b"5" * (100_000 if large else 100)
    path = write(tmp_path / "run" / NAME, event(100, 5, strings("note", plugin("text"), text)))
    logs = tbwidget.load(tmp_path)
    items = logs.source.items("run", "note", "text")
    change(path)
    for _ in range(3):
        with pytest.raises(DamagedValueError, match=rf"run/{NAME} at byte 0: .*{message}"):
            items.value(0)
    assert [(problem.path, problem.offset) for problem in logs.problems] == [(f"run/{NAME}", 0)] * (
        "No such" not in message
    )
    logs.refresh()
    assert logs.refresh() is False


def test_damage_in_a_large_record_is_met_when_it_is_read(tmp_path: Path) -> None:
    images = [strings("im", plugin("images"), b"1", b"1", bytes([n]) * 100_000) for n in range(3)]
    parts = [event(100 + n, n, image) for n, image in enumerate(images)]
    damaged = bytearray(parts[1])
    damaged[50_000] ^= 1
    write(tmp_path / NAME, parts[0], bytes(damaged), parts[2])
    told: list[tbwidget.Changes] = []
    logs = tbwidget.load(tmp_path)
    logs.source.subscribe(told.append)
    assert logs.problems == []
    items = logs.source.items(".", "im", "images")
    values = items.values()
    assert next(values) == images[0]
    with pytest.raises(DamagedValueError, match=rf"{NAME} at byte {len(parts[0])}"):
        next(values)
    assert items.value(2) == images[2]
    assert [problem.offset for problem in logs.problems] == [len(parts[0])]
    assert logs.refresh()  # a new problem appeared
    assert (told[0].catalog, logs.refresh()) == (True, False)


def test_values_that_cannot_be_decoded_are_reported_once(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, notes([1, 2], 100))
    logs = tbwidget.load(tmp_path)
    items = logs.source.items(".", "note", "text")
    for _ in range(3):
        assert items.report_invalid(1, text_reason("no good")) == f"{NAME} at byte {len(notes([1], 100))}: no good"
    assert [str(problem) for problem in logs.problems] == [f"{NAME} at byte {len(notes([1], 100))}: no good"]
    write(path, notes([7, 8, 9, 10], 300))
    logs.refresh()
    assert logs.problems == []  # another file
    items.report_invalid(0, text_reason("of the file before"))
    assert logs.problems == []


def test_adjacent_values_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [strings(f"note{n}", plugin("text"), b"%d" % n) for n in range(50)]
    write(tmp_path / NAME, *(event(100 + step, step, *many) for step in range(100)))
    logs = tbwidget.load(tmp_path)
    items = [logs.source.items(".", f"note{n}", "text") for n in range(50)]
    calls: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return real(*arguments)

        return call

    for name in ("open", "pread"):
        monkeypatch.setattr(os, name, counted(name))
    assert texts(items[7]) == ["7"] * 100
    assert calls["open"] == 1
    assert calls["pread"] <= 3


def test_numbers_without_a_kind(tmp_path: Path) -> None:
    """Tensors of one number have a kind of their own, unless something marks them as scalars."""
    silent = [event(100 + n, n, numbers("raw", None, 1, value=n)) for n in range(200)]
    write(tmp_path / "silent" / NAME, *silent)
    write(tmp_path / "unknown" / NAME, *(event(1, n, numbers("raw", plugin("mine"), value=n)) for n in range(40)))
    write(tmp_path / "mixed" / NAME, *silent[:100], event(300, 7, numbers("raw", plugin("mine"), 2)), *silent[100:])
    said = event(300, 7, numbers("raw", plugin("scalars"), value=7))
    write(tmp_path / "scalars" / NAME, silent[0], said, *silent[1:])
    write(tmp_path / "unknown" / f"{NAME}.later", said)
    logs = tbwidget.load(tmp_path)
    assert logs.tags() == {
        "scalars": {"scalars": ["raw"]},
        "tensors": {"mixed": ["raw"], "silent": ["raw"], "unknown": ["raw"]},
    }
    assert logs.source.items("silent", "raw", "tensors").step.tolist() == list(range(200))
    assert logs.source.items("silent", "raw", "tensors").value(199).tensor.tensor_content == b"\0\0\x47\x43"
    assert len(logs.source.items("unknown", "raw", "tensors")) == 40
    assert logs.source.items("mixed", "raw", "tensors").step.tolist() == [*range(100), 7, *range(100, 200)]
    assert len(logs.scalars("scalars", "raw", superseded=True)) == 201
    assert [(problem.path, problem.offset, problem.message) for problem in logs.problems] == [
        (f"unknown/{NAME}.later", 0, "tag 'raw': a number declared as a scalar does not fit its kind, tensors")
    ]


def test_a_later_number_decides_the_kind_of_its_tag(tmp_path: Path) -> None:
    """It also decides for earlier numbers, however few are read at a time."""
    logs = tbwidget.LogDir(tmp_path)
    path = write(tmp_path / NAME)
    for n in range(4):
        said = plugin("scalars", "name" if n == 1 else "", "words" if n == 3 else "") if n % 2 else None
        with path.open("ab") as file:
            file.write(event(n, n, simple("a", n, said), simple("b", n)))
        logs.refresh()
        assert [logs.scalars(".", tag).value.tolist() for tag in "ab"] == [list(range(n + 1))] * 2
    assert logs.metadata(".", "a")[1:] == ("name", "words")
    assert logs.metadata(".", "b")[1:] == ("b", "")


def test_graphs_and_run_metadata(tmp_path: Path) -> None:
    def of(**fields: object) -> bytes:
        return record(Event(**fields).SerializeToString())  # type: ignore[arg-type]

    def traced(tag: bytes, data: bytes) -> bytes:
        return of(tagged_run_metadata=TaggedRunMetadata(tag=tag, run_metadata=data))

    first = write(tmp_path / A, of(graph_def=b"first"), of(meta_graph_def=b"meta"), traced(b"step1", b"one"))
    write(tmp_path / B, of(graph_def=b"second"), of(graph_def=b"third" * 30_000), traced(b"\xff", b"two"))
    logs = tbwidget.load(tmp_path)
    assert attached(logs.source, ".", RUN_GRAPH) == b"third" * 30_000
    assert attached(logs.source, ".", META_GRAPH) == b"meta"
    assert attached(logs.source, ".", RUN_METADATA, "step1") == b"one"
    assert attached(logs.source, ".", RUN_METADATA, "\udcff") == b"two"
    assert logs.source.attachment(".", RUN_METADATA, "nope") is None
    told: list[tuple[str, str, str]] = []
    logs.source.subscribe(lambda changes: told.extend(changes.series))
    write(first, first.read_bytes(), of(meta_graph_def=b"another"))
    logs.refresh()
    assert attached(logs.source, ".", META_GRAPH) == b"another"
    assert ("graphs", ".", "__meta_graph__") in told
    changed(tmp_path / B, 100_000)
    with pytest.raises(DamagedValueError, match=rf"{B} at byte \d+: .*was cut or changed"):
        attached(logs.source, ".", RUN_GRAPH)
    assert len(logs.problems) == 1


def test_every_kind_is_recognized(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, points("loss", [1], 1))
    logs = tbwidget.load(tmp_path)
    told: list[tuple[str, str, str]] = []
    logs.source.subscribe(lambda changes: told.extend(changes.series))
    values = [
        numbers("hist", plugin("histograms"), 5, 3),
        Summary.Value(tag=b"old", histo=HistogramProto(num=1)),
        strings("im", plugin("images"), b"1", b"1", b"png"),
        numbers("raw", None, 2, 2),
        Summary.Value(tag=b"_hparams_/experiment", metadata=plugin("hparams")),
        simple("acc", 1),
    ]
    write(path, path.read_bytes(), event(2, 2, *values))
    logs.refresh()
    kinds = {"hist": "histograms", "old": "histograms", "im": "images", "raw": "tensors", "acc": "scalars"}
    kinds["_hparams_/experiment"] = "hparams"
    assert sorted(told) == sorted((kind, ".", tag) for tag, kind in kinds.items())
    told.clear()
    path.unlink()
    logs.refresh()
    assert {("histograms", ".", "hist"), ("images", ".", "im"), ("scalars", ".", "loss")} <= set(told)


BAD = "n\udcffe"


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """Files, directories and tags with such names are as Python decodes them; others are not affected."""
    folder = tmp_path / f"r{BAD}"
    values = [simple(BAD, 1), simple("loss", 2), strings(f"note{BAD}", plugin("text"), b"\xff")]
    write(
        folder / f"{NAME}.{BAD}",
        event(1, 1, *values),
    )
    write(tmp_path / "other" / NAME, event(1, 1, simple(BAD, 3), simple("\udcfe", 4)))
    logs = tbwidget.load(tmp_path)
    assert sorted(logs.runs) == sorted(["other", f"r{BAD}"])
    assert logs.tags()["scalars"] == {"other": [BAD, "\udcfe"], f"r{BAD}": ["loss", BAD]}
    assert [logs.scalars("other", tag).value.tolist() for tag in (BAD, "\udcfe")] == [[3], [4]]
    assert logs.source.items(f"r{BAD}", f"note{BAD}", "text").value(0) == values[2]
    assert logs.metadata("other", BAD).display_name == BAD
    with pytest.raises(KeyError):
        logs.scalars("other", "\ud800")  # not representable as bytes


def test_metadata_that_are_no_text(tmp_path: Path) -> None:
    metadata = plugin("text")
    metadata.plugin_data.plugin_name, metadata.display_name, metadata.summary_description = b"\xfe", b"\xff", b"\x80"
    audio = Summary.Value(tag=b"clip", audio=Summary.Audio(content_type=b"\xff", encoded_audio_string=b"x"))
    header = Event(file_version=b"\xff")
    header.source_metadata.writer = b"\xff"
    write(tmp_path / NAME, record(header.SerializeToString()), event(1, 1, numbers("x", metadata, 3), audio))
    logs = tbwidget.load(tmp_path)
    assert logs.metadata(".", "x") == ("\udcfe", "\udcff", "\udc80")
    assert logs.source.items(".", "clip", "audio").value(0) == audio
    assert logs.problems == []
