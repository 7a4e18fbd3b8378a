"""Large records are indexed without being read, with the same result as small ones."""

from __future__ import annotations

import os
import tracemalloc
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tbwidget
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.event_pb2 import Event, SessionLog, TaggedRunMetadata
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import FileState, decode
from tbwidget.records.files.framing import frame
from tbwidget.records.files.storage import LOCAL
from tbwidget.records.files.wire import MalformedMessageError
from tbwidget.records.large import LARGE, LargeRecord, parse_large_record
from tbwidget.records.values.batch import Batch
from tbwidget.records.values.forms import CODES, MISMATCHED
from tbwidget.records.values.summary import TagTable
from tests.support.attached import attached
from tests.support.eventfiles import NAME, event, numbers, plugin, record, simple, strings, write
from tests.support.examples import examples
from tests.support.recordfiles import Kept, read, record_file


def parse_alone(path: Path, content: bytes, tags: TagTable) -> Batch:
    """Read the file's only record as if it were large."""
    write(path, content)
    with closing(LOCAL.open(str(path))) as file:
        return parse_large_record(LargeRecord(file, 0, len(content) - 16, content[:12]), tags)


def known(batch: Batch, tags: TagTable) -> dict[str, object]:
    """Return the contents of a record, except for values that may have been left out."""
    rows = zip(batch.tag.tolist(), batch.step.tolist(), batch.wall_time, batch.value, strict=True)
    return {
        "numbers": [(tags.names[tag], step, time.tobytes(), value.tobytes()) for tag, step, time, value in rows],
        "restarts": len(batch.restart),
        "attachments": [(what, tag) for _, what, tag in batch.attachments],
        "names": list(dict.fromkeys((tags.names[tag], *info[1:4]) for _, tag, info in batch.occurrences)),
        "wall time": np.float64(batch.first_wall_time or 0).tobytes(),
    }


def addresses(batch: Batch, tags: TagTable) -> list[tuple[object, ...]]:
    if batch.addresses is None:
        return []
    _, place, tag, step, wall_time, samples, form = batch.addresses
    names_of = [tags.names[number] for number in tag.tolist()]
    times = [time.tobytes() for time in wall_time]
    return list(zip(place.tolist(), names_of, step.tolist(), times, samples.tolist(), form.tolist(), strict=True))


names = st.binary(max_size=8) | st.just(1200).map(bytes)
contents = st.binary(max_size=40) | st.integers(0, 1500).map(bytes)
shapes = st.lists(st.integers(-1, 4), max_size=3).map(
    lambda sizes: pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size, name=b"\xff") for size in sizes])
)
tensors = st.builds(
    pb.TensorProto,
    dtype=st.sampled_from([0, pb.DT_FLOAT, pb.DT_STRING, pb.DT_INT64, pb.DT_HALF, 101]),
    tensor_shape=shapes,
    tensor_content=st.just(b"") | contents,
    string_val=st.lists(contents, max_size=4),
    float_val=st.lists(st.floats(width=32), max_size=3) | st.just(500).map(np.ones),
    int64_val=st.lists(st.integers(-5, 2**60), max_size=3),
)
values = st.one_of(
    st.builds(Summary.Value, tag=names, node_name=names, simple_value=st.floats(width=32)),
    st.builds(
        Summary.Value,
        tag=names,
        tensor=tensors,
        metadata=st.none()
        | st.builds(plugin, st.sampled_from(["scalars", "images"]), st.integers(0, 500).map("y".__mul__)),
    ),
    st.builds(
        Summary.Value, tag=names, image=st.builds(Summary.Image, width=st.integers(0, 9), encoded_image_string=contents)
    ),
    st.builds(
        Summary.Value, tag=names, audio=st.builds(Summary.Audio, encoded_audio_string=contents, content_type=names)
    ),
    st.builds(Summary.Value, tag=names, histo=st.builds(HistogramProto, bucket=st.just(150).map(np.ones))),
    st.builds(Summary.Value, tag=names, obsolete_old_style_histogram=contents),
)
events = st.one_of(
    st.builds(
        lambda held, step, wall_time: Event(step=step, wall_time=wall_time, summary=Summary(value=held)),
        st.lists(values, max_size=6),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(),
    ),
    st.builds(Event, graph_def=contents, step=st.integers(0, 3)),
    st.builds(Event, meta_graph_def=contents),
    st.builds(
        lambda tag, data: Event(tagged_run_metadata=TaggedRunMetadata(tag=tag, run_metadata=data)), names, contents
    ),
    st.builds(
        lambda status, text: Event(session_log=SessionLog(status=status, msg=text)),
        st.integers(0, 3),
        contents,
    ),
    st.builds(Event, file_version=contents),
)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")  # of long bytes
@examples(200)
@given(parts=st.lists(events, min_size=1, max_size=3))
def test_a_large_record_has_the_contents_of_a_small_one(
    tmp_path_factory: pytest.TempPathFactory, parts: list[Event]
) -> None:
    """A writer may have concatenated several messages: protobuf merges them, or takes the last."""
    data = b"".join(part.SerializeToString() for part in parts)
    content, tags = record(data), TagTable()
    small = decode(content, frame(content), LayoutTable(tags), FileState())
    large = parse_alone(tmp_path_factory.mktemp("large") / "file", content, tags)
    assert known(small, tags) == known(large, tags)
    for one, other in zip(addresses(small, tags), addresses(large, tags), strict=True):
        # A tensor that was left out is not compared with its shape.
        assert one == other or (one[:4], one[5]) == (other[:4], CODES[MISMATCHED])


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")  # of long bytes
@examples(200)
@given(
    data=st.binary(max_size=300)
    | st.tuples(events, st.binary(max_size=9)).map(lambda parts: parts[0].SerializeToString() + parts[1])
)
def test_bytes_that_are_no_event(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("large") / "file"
    try:
        parse_alone(path, record(data), TagTable())
    except MalformedMessageError:
        return
    with pytest.MonkeyPatch.context() as patched:  # parsing in pieces must not use the whole record
        patched.setattr("tbwidget.records.limits.MAX_KEPT_FIELD_BYTES", 1 << 20)
        parse_alone(path, record(data), TagTable())


def image(step: int, size: int = 200_000) -> bytes:
    return event(1e9 + step, step, strings("picture", plugin("images"), b"1", b"1", bytes([step % 251]) * size))


class Counting(Kept):
    """Counts the records, small and large."""

    @property
    def large(self) -> int:
        return sum(len(data) > LARGE for data in self.records)

    @property
    def small(self) -> int:
        return len(self.records) - self.large


def test_the_data_of_large_records_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first window was read before any layout was known."""
    path = write(tmp_path / "file", *(image(n) + event(1, n, simple("loss", n)) * 3 for n in range(100)))
    asked: list[int] = []
    pread, preadv = os.pread, os.preadv

    def counted(descriptor: int, size: int, offset: int) -> bytes:
        asked.append(size)
        return pread(descriptor, size, offset)

    def counted_into(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        asked.append(sum(map(len, buffers)))
        return preadv(descriptor, buffers, offset)

    monkeypatch.setattr(os, "pread", counted)
    monkeypatch.setattr(os, "preadv", counted_into)
    counts = Counting()
    read(record_file(path), counts)
    assert (counts.large, counts.small) == (100, 300)
    assert sum(asked) < (4 << 20) + 100 * 3 * 4200


@pytest.mark.parametrize("what", ["number", "number in a tensor", "start"])
def test_a_large_record_with_numbers_is_checked_at_once(tmp_path: Path, what: str) -> None:
    attachment = {"number": simple("loss", 1), "number in a tensor": numbers("loss", None, value=1)}.get(what)
    if attachment is None:
        made = record(Event(session_log=SessionLog(status=SessionLog.START, msg=bytes(100_000))).SerializeToString())
    else:
        made = event(1, 1, strings("picture", plugin("images"), b"1", b"1", bytes(100_000)), attachment)
    for damaged in (False, True):
        content = bytearray(made)
        content[50_000] ^= damaged
        path = write(tmp_path / f"{damaged}", bytes(content), event(2, 2, simple("loss", 2)))
        tags = TagTable()
        file = EventFile(LOCAL, str(path), "file", LayoutTable(tags))
        while file.read():
            pass
        assert len(file.problems()) == damaged
        columns = [file.numbers.column(tag) for tag in range(len(tags.names))]
        assert sum(len(column) for column in columns if column) == 2 - damaged - (what == "start" and not damaged)


def test_records_within_an_unfinished_large_record_are_read(tmp_path: Path) -> None:
    """The writer was killed, and another one continued beyond the record's end."""
    cut = image(1)[:50_000]
    path = write(tmp_path / "file", image(0), cut, *(event(1, n, simple("loss", n)) for n in range(9000)), image(2))
    file, counts = record_file(path), Counting()
    read(file, counts)
    assert (counts.large, counts.small, counts.restarts) == (2, 9000, 0)
    ((offset, message),) = file.damage
    assert offset == len(image(0))
    assert message == "damaged record: 50 kB skipped"


def test_later_bytes_decide_whether_an_invalid_large_record_counts(tmp_path: Path) -> None:
    """An invalid one at the end of the file is no record; one before another record is, until it is read."""
    inner = event(1, 1, simple("loss", 1))
    made = record(Event(graph_def=bytes(200_000)).SerializeToString())  # an event, whatever its last bytes are
    path = write(tmp_path / "file", image(3), made[: len(made) - len(inner)] + inner)
    file, counts = record_file(path), Counting()
    read(file, counts)
    assert (counts.large, counts.small, len(file.damage)) == (1, 1, 1)
    write(path, path.read_bytes(), event(1, 2, simple("loss", 2)))
    read(file, counts)
    assert (counts.large, counts.small, file.damage) == (2, 1, [])
    fresh = Counting()
    read(record_file(path), fresh)
    assert (fresh.large, fresh.small) == (2, 1)


def test_a_huge_event_costs_little_memory(tmp_path: Path) -> None:
    """100 MB in pictures and numbers: read value by value, and each value by itself."""
    path = tmp_path / NAME
    pictures = [strings(f"picture{n}", plugin("images"), b"1", b"1", bytes([n]) * 10_000_000) for n in range(10)]
    mixed = [value for n in range(10) for value in (pictures[n], *(simple(f"loss{k}", n) for k in range(100)))]
    write(path, event(5, 7, *mixed), record(Event(graph_def=bytes(30_000_000)).SerializeToString()))
    del mixed, pictures
    tracemalloc.start()
    try:
        logs = tbwidget.load(tmp_path)
        assert [len(logs.scalars(".", f"loss{k}")) for k in range(100)] == [10] * 100
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
        assert logs.source.items(".", "picture9", "images").value(0).tensor.string_val[2] == bytes([9]) * 10_000_000
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()
    assert attached(logs.source, ".", "run graph") == bytes(30_000_000)
    assert logs.problems == []
