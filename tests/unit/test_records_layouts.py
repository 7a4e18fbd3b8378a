"""The fast path equals plain protobuf parsing: same numbers, same order, same first occurrence of each tag."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import Summary, SummaryMetadata
from tbwidget.records.columnar.groups import LayoutGroup
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import FileState, decode
from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.framing import frame
from tbwidget.records.values.batch import Batch
from tbwidget.records.values.forms import FORMS
from tbwidget.records.values.summary import TagInfo, TagTable, read_value
from tests.support.eager import eager
from tests.support.eventfiles import event, name, plugin, record, simple
from tests.support.eventfiles import numbers as a_number
from tests.support.examples import examples

Firsts = dict[str, tuple[str, str, str]]
Address = tuple[int, int, str, int, bytes, int, str]


def by_protobuf(data: bytes) -> tuple[list[tuple[str, int, float, float]], list[Address], Firsts]:
    """Parse record by record: all numbers, the places of other values, and the first value's metadata by tag and form.

    A number in a tensor that is not marked as a scalar is also among the places.
    """
    tags = TagTable()
    places: list[Address] = []
    numbers: list[tuple[str, int, float, float]] = []
    firsts: Firsts = {}
    frames = frame(data)
    for index, (start, length) in enumerate(zip(frames.starts.tolist(), frames.lengths.tolist(), strict=True)):
        content = data[start + 12 : start + 12 + length]
        if masked_checksum(content) != struct.unpack_from("<I", data, start + 12 + length)[0]:
            break
        made = Event.FromString(content)
        for place, value in enumerate(made.summary.value):
            number_of_tag, info, number = read_value(value, tags)
            tag = tags.names[number_of_tag]
            if number is not None:
                numbers.append((tag, made.step, made.wall_time, number))
            if number is None or (value.HasField("tensor") and value.metadata.plugin_data.plugin_name != b"scalars"):
                places.append((index, place, tag, made.step, bits(made.wall_time), 1, info.form))
            firsts.setdefault(tag + info.form, (info.plugin, info.display_name, info.description))
    return numbers, places, firsts


def is_event(data: bytes) -> bool:
    try:
        Event.FromString(data)
    except DecodeError:
        return False
    return True


def fast(data: bytes, table: LayoutTable) -> Batch:
    return decode(data, frame(data), table, FileState())


def bits(number: float) -> bytes:
    return struct.pack("<d", number)


def check(data: bytes, table: LayoutTable | None = None) -> None:
    table = table or LayoutTable(TagTable())
    numbers, places, firsts = by_protobuf(data)
    batch = fast(data, table)
    names = [table.tags.names[tag] for tag in batch.tag.tolist()]
    got = zip(names, batch.step.tolist(), batch.wall_time.tolist(), batch.value.tolist(), strict=True)
    assert [(n, s, bits(w), bits(v)) for n, s, w, v in got] == [(n, s, bits(w), bits(v)) for n, s, w, v in numbers]
    found = batch.addresses
    assert places == (
        []
        if found is None
        else [
            (index, place, table.tags.names[tag], step, bits(wall_time), samples, FORMS[form])
            for index, place, tag, step, wall_time, samples, form in zip(
                *(column.tolist() for column in found), strict=True
            )
        ]
    )
    seen: Firsts = {}
    for _, tag, info in batch.occurrences:
        seen.setdefault(table.tags.names[tag] + info.form, (info.plugin, info.display_name, info.description))
    assert seen == firsts


def tensor(tag: str, dtype: int, metadata: SummaryMetadata | None = None, **fields: object) -> Summary.Value:
    return Summary.Value(tag=name(tag), tensor=pb.TensorProto(dtype=dtype, **fields), metadata=metadata)  # type: ignore[arg-type]


SCALARS = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=b"scalars"))
ONE = pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=1)])


def a_value(tag: str, form: int, number: float) -> Summary.Value:
    """Make a value in one of the forms that writers use."""
    single = struct.unpack("<f", struct.pack("<f", number))[0] if math.isfinite(number) and abs(number) < 1e38 else 0.5
    whole = int(max(-1e15, min(1e15, single)))
    return [
        lambda: simple(tag, single),
        lambda: simple(tag, single, SummaryMetadata(display_name=b"shown", summary_description=b"said")),
        lambda: tensor(tag, pb.DT_FLOAT, SCALARS, tensor_content=struct.pack("<f", single)),
        lambda: tensor(tag, pb.DT_FLOAT, SCALARS, float_val=[single]),
        lambda: tensor(tag, pb.DT_DOUBLE, SCALARS, double_val=[number]),
        lambda: tensor(tag, pb.DT_DOUBLE, SCALARS, tensor_content=struct.pack("<d", number), tensor_shape=ONE),
        lambda: tensor(tag, pb.DT_INT64, None, tensor_content=struct.pack("<q", whole)),
        lambda: tensor(tag, pb.DT_INT64, SCALARS, int64_val=[whole]),
        lambda: tensor(tag, pb.DT_HALF, SCALARS, tensor_content=struct.pack("<e", 1.5)),
        lambda: tensor(tag, pb.DT_BOOL, SCALARS, tensor_content=b"\1"),
        lambda: tensor(tag, pb.DT_FLOAT, SCALARS, float_val=[single, single]),  # not a scalar
        lambda: tensor(tag, pb.DT_STRING, None, string_val=[b"text"]),
        lambda: tensor(tag, pb.DT_FLOAT, None, float_val=[single]),  # may be no scalar
        lambda: Summary.Value(node_name=name(tag), simple_value=single),
        lambda: Summary.Value(tag=name(tag)),
    ][form]()


COUNT = 15
numbers = st.floats(width=32) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324])
steps = st.sampled_from([0, 100, 126, 16380, 2**31 - 3, 2**53, 2**63 - 400, -5])


@examples(80)
@given(
    groups=st.lists(
        st.lists(st.tuples(st.sampled_from(["loss", "acc", "a/b", "ü"]), st.integers(0, COUNT - 1)), max_size=5),
        min_size=1,
        max_size=4,
    ),
    turns=st.integers(1, 150),
    first=steps,
    wall_time=st.sampled_from([0.0, -1.0, 1.7e9, math.nan]),
    number=numbers,
    seed=st.integers(0, 2**32 - 1),
    early=st.booleans(),
)
def test_generated_files(
    groups: list[list[tuple[str, int]]],
    turns: int,
    first: int,
    wall_time: float,
    number: float,
    seed: int,
    *,
    early: bool,
) -> None:
    """Make events with one tag or many values, growing varints, and forms without a layout, all interleaved."""
    random = np.random.default_rng(seed)
    data = b"".join(
        event(
            wall_time + turn * 0.25,
            first + turn,
            *(a_value(tag, form, number if random.random() < 0.1 else float(random.normal())) for tag, form in group),
        )
        for turn in range(turns)
        for group in groups
    )
    table = LayoutTable(TagTable())
    with eager(wanted=early):
        check(data, table)
        check(data, table)  # with known layouts


def test_first_sight_of_a_tag_where_its_first_record_is_read_last() -> None:
    loop = [a_value("loss", 6, 1.0), a_value("loss", 7, 1.0)]
    data = b"".join(event(float(turn), 100 + turn, value) for turn in range(17) for value in loop)
    table = LayoutTable(TagTable())
    with eager():
        check(data, table)
        check(data, table)


@examples(60)
@given(data=st.data(), turns=st.integers(60, 200), early=st.booleans())
def test_changed_bytes(data: st.DataObject, turns: int, *, early: bool) -> None:
    """Data changed behind valid checksums is read unchanged; behind invalid ones it is damage."""
    loop = data.draw(st.sampled_from([[["loss", "acc"]], [["loss"], ["accuracy"]], [["a"], ["bc"], ["d"]]]))
    content = bytearray(
        b"".join(event(1.7e9 + n, n, *(simple(tag, n) for tag in tags)) for n in range(turns) for tags in loop)
    )
    table = LayoutTable(TagTable())
    if data.draw(st.booleans()):
        check(bytes(content), table)  # learns the layouts
    frames = frame(bytes(content))
    for _ in range(data.draw(st.integers(1, 4))):
        which = data.draw(st.integers(0, turns * len(loop) - 1))
        start, length = int(frames.starts[which]) + 12, int(frames.lengths[which])
        changed = bytearray(content[start : start + length])
        changed[data.draw(st.integers(0, length - 1))] = data.draw(st.integers(0, 255))
        if not is_event(bytes(changed)):  # covered by other tests
            continue
        content[start : start + length] = changed
        if data.draw(st.booleans()):
            content[start - 12 : start + length + 4] = record(bytes(changed))
    with eager(wanted=early):
        check(bytes(content), table)


@pytest.mark.parametrize("often", range(1, 30))
def test_a_cycle_that_turns_out_longer(often: int) -> None:
    """Where layouts are learned, all records seem to have one tag."""
    loop = ["a tag with a long name"] * often + ["b", "bc", "a tag with a long name", "bcd"]
    with eager():
        check(b"".join(event(1.7e9 + turn, turn, simple(tag, turn)) for turn in range(40) for tag in loop))


def test_most_records_take_the_fast_path() -> None:
    data = b"".join(event(1.7e9 + n, n, simple(tag, n)) for n in range(1000) for tag in ("loss", "accuracy"))
    blocks = list(LayoutTable(TagTable()).read(data, frame(data)))
    assert sum(len(block.records) for block in blocks) >= 1980


def test_the_first_damaged_record_ends_the_batch() -> None:
    parts = [event(1.7e9 + n, n, simple("loss", n)) for n in range(300)]
    parts[200] = parts[200][:-6] + b"\x99" + parts[200][-5:]
    batch = fast(b"".join(parts), LayoutTable(TagTable()))
    assert (batch.records, batch.damaged) == (200, True)
    assert batch.value.tolist() == list(range(200))


@pytest.mark.parametrize("count", [3, 300])
def test_records_that_are_no_events_are_passed_over(count: int) -> None:
    parts = [event(1.7e9 + n, n, simple("loss", n)) for n in range(count)]
    parts[1] = record(b"\x0a\xff\xff\xff\xff\xff")
    batch = fast(b"".join(parts), LayoutTable(TagTable()))
    assert [index for index, _ in batch.unreadable] == [1]
    assert batch.value.tolist() == [0, *range(2, count)]


@pytest.mark.parametrize("place", [1, 700, 1999])
def test_a_damaged_record_is_left_to_the_plain_path(place: int) -> None:
    """The records around it are read by column, once each."""
    parts = [event(1.7e9 + n, 1 + n % 100, simple("loss", n), simple("acc", -n)) for n in range(2000)]
    parts[place] = parts[place][:-6] + b"\x99" + parts[place][-5:]
    data = b"".join(parts)
    table = LayoutTable(TagTable())
    list(table.read(data, frame(data)))
    for early in (False, True):
        with eager(wanted=early):
            read = np.concatenate([block.records for block in table.read(data, frame(data))])
        assert len(read) == len(np.unique(read)) >= 1980
        assert place not in read


def test_restarts_fall_between_numbers() -> None:
    parts = [event(1.7e9 + n, n, simple("loss", n), simple("acc", n)) for n in range(100)]
    parts.insert(60, event(1.7e9, 60, start=True))
    assert fast(b"".join(parts), LayoutTable(TagTable())).restart.tolist() == [120]


@pytest.mark.parametrize("odd_first", [False, True])
def test_many_tags_that_differ_in_their_names_alone(*, odd_first: bool) -> None:
    parsed: list[bytes] = []

    class Counted(LayoutTable):
        def _parse(self, record: bytes, places: LayoutGroup) -> list[tuple[int, TagInfo]] | None:
            parsed.append(record)
            return super()._parse(record, places)

    shown = SummaryMetadata(display_name=b"shown")
    odd = [
        simple("tag0007", 1.0, shown),
        simple("tag0008", 1.0, SummaryMetadata(display_name=b"other")),
        Summary.Value(node_name=b"tag0009", simple_value=1.0),
        Summary.Value(tag=b"tag\xff\xfe00", simple_value=1.0),
        Summary.Value(tag=b"tag0010", node_name=b"node", simple_value=1.0),
    ]
    usual = [simple(f"tag{n:04}", 0.5 * n) for n in range(100, 400)]
    values = [*odd, *usual] if odd_first else [*usual, *odd]
    once = b"".join(event(100.0 + n, n % 100 + 200, value) for n, value in enumerate(values))
    again = b"".join(event(900.0 + n, n % 100 + 200, value) for n, value in enumerate(values))
    table = Counted(TagTable())
    check(once, table)
    check(again, table)
    before = len(parsed)
    assert 0 < before < 2 * len(values)
    check(again, table)
    assert len(parsed) == before


@pytest.mark.parametrize("place", [-30, -20, -18, -9, -6, -2])
def test_a_damaged_record_among_many_new_tags(place: int) -> None:
    parts = [event(100.0 + n, 300, simple(f"some/tag{n:04}", 0.5 * n)) for n in range(300)]
    damaged = bytearray(parts[150])
    damaged[place] ^= 1
    parts[150] = bytes(damaged)
    check(b"".join(parts))
    assert fast(b"".join(parts), LayoutTable(TagTable())).records == 150


def test_records_read_in_a_cycle_are_read_once() -> None:
    """The first record and some damaged ones are left out; the record between them appears once."""
    parts = [event(1.7e9, version="brain.Event:2")]
    parts += [event(1.7e9 + n, 1000 + n, a_number("t", plugin("mine"), value=n)) for n in range(1000)]
    for place in range(2, 19):
        parts[place] = parts[place][:-1] + bytes([parts[place][-1] ^ 0xFF])
    data = b"".join(parts)
    batch = decode(data, frame(data), LayoutTable(TagTable()), FileState())
    assert batch.damaged
    assert batch.addresses is not None
    assert batch.addresses.record.tolist() == [1]
