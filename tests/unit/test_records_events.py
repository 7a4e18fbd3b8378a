"""Values that are read on request are indexed by column, with the same values as plain protobuf parsing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tbwidget.records.columnar.events import EventCache, parse_events
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.columnar.payloads import PADDING, varints
from tbwidget.records.decode import FileState, decode
from tbwidget.records.files.framing import frame
from tbwidget.records.values.batch import Batch
from tbwidget.records.values.forms import FORMS
from tbwidget.records.values.summary import TagTable
from tests.fuzz import targets
from tests.fuzz.mutations import varint
from tests.support.eager import eager
from tests.support.eventfiles import event, numbers, plugin, record, simple, strings
from tests.support.examples import examples
from tests.support.payloads import any_value

HISTOGRAM = HistogramProto(min=-1, max=1, num=3, sum=0.5, sum_squares=2, bucket_limit=[-1, 0, 1], bucket=[0, 1, 2])
IMAGE = Summary.Image(height=4, width=5, colorspace=3, encoded_image_string=b"\x89PNG")
AUDIO = Summary.Audio(sample_rate=44100, num_channels=1, length_frames=200, encoded_audio_string=b"RIFF" * 90)
WRITTEN = {
    "torch histogram": Summary.Value(tag=b"a", histo=HISTOGRAM),
    "TF2 histogram": numbers("a", plugin("histograms"), 30, 3),
    "v1 image": Summary.Value(tag=b"a/image/0", image=IMAGE),
    "TF2 image": strings("a", plugin("images"), b"4", b"5", b"\x89PNG"),
    "v1 audio": Summary.Value(tag=b"a", audio=AUDIO),
    "TF2 audio": strings("a", plugin("audio"), b"RIFF", b"", shape=(1, 2)),
    "text": strings("a/text_summary", plugin("text"), b"said" * 60),
    "one text": strings("a", plugin("text"), b"said", shape=()),
    "integers": Summary.Value(
        tag=b"a",
        metadata=plugin("mine"),
        tensor=pb.TensorProto(
            dtype=pb.DT_INT32,
            tensor_shape=pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=3)]),
            int_val=[1, -1, 300],
        ),
    ),
    "an integer": Summary.Value(
        tag=b"a", metadata=plugin("scalars"), tensor=pb.TensorProto(dtype=pb.DT_INT64, int64_val=[-5])
    ),
    "a truth": Summary.Value(tag=b"a", tensor=pb.TensorProto(dtype=pb.DT_BOOL, bool_val=[True])),
    "PR curve": numbers("a", plugin("pr_curves"), 6, 127),
}


def read(data: bytes, met: FileState | None = None, table: LayoutTable | None = None) -> Batch:
    return decode(data, frame(data), table or LayoutTable(TagTable()), met or FileState())


def many(value: Summary.Value, count: int = 200) -> list[bytes]:
    return [event(1.7e9 + n, n, value) for n in range(count)]


@examples(60)
@given(seed=st.integers(0, 2**32 - 1), tags=st.integers(1, 4), count=st.integers(1, 160), early=st.booleans())
def test_any_values(seed: int, tags: int, count: int, *, early: bool) -> None:
    random = Random(seed)
    payloads = []
    for n in range(count):
        made = Event(wall_time=1.7e9 + n, step=n)
        made.summary.value.extend(
            any_value(random, b"%d" % random.randrange(tags)) for _ in range(random.choice((1, 1, 3)))
        )
        payloads.append(made.SerializeToString())
    table, met = LayoutTable(TagTable()), FileState()
    with eager(wanted=early):
        targets.layouts(payloads, table)
        targets.layouts(payloads, table, met)
        targets.layouts(payloads, table, met)  # with known layouts and sorts


@pytest.mark.parametrize("name", WRITTEN)
def test_values_of_real_writers_are_walked(name: str) -> None:
    parts = many(WRITTEN[name])
    data, known = b"".join(parts), EventCache()
    frames = frame(data)
    parsed = parse_events(data, frames, np.ones(len(parts), np.bool_), TagTable(), known)
    if name in ("an integer", "a truth"):
        assert parsed is None, "tensors of one number are left to layouts and protobuf"
    else:
        assert parsed is not None
        assert len(parsed.records) >= len(parts) - 1
    targets.layouts([part[12:-4] for part in parts], LayoutTable(TagTable()))


def test_scalars_and_histograms_in_one_event() -> None:
    values = [simple(f"loss/{n}", n / 3) for n in range(20)]
    values += [Summary.Value(tag=b"weights/%d" % n, histo=HISTOGRAM) for n in range(10)]
    parts = [event(1.7e9 + n, n, *values) for n in range(100)]
    batch = read(b"".join(parts))
    assert batch.value.reshape(100, 20)[70].tolist() == [np.float32(n / 3) for n in range(20)]
    assert batch.addresses is not None
    assert batch.addresses.place.reshape(100, 10)[70].tolist() == list(range(20, 30))
    assert len(batch.occurrences) >= 30
    targets.layouts([part[12:-4] for part in parts], LayoutTable(TagTable()))


@pytest.mark.parametrize("place", [0, 1, 77, 198])
def test_nothing_behind_a_damaged_record_is_used_or_reported(place: int) -> None:
    parts = many(WRITTEN["torch histogram"])
    parts[place] = parts[place][:-9] + b"\x99" + parts[place][-8:]
    met, table = FileState(), LayoutTable(TagTable())
    batch = read(b"".join(parts), met, table)
    assert (batch.records, batch.damaged) == (place, True)
    found = [] if batch.addresses is None else batch.addresses.record.tolist()
    assert found == list(range(place))
    assert (len(batch.occurrences) > 0) == (place > 0)
    behind = read(b"".join(parts[place + 1 :]), met, table)
    assert not behind.damaged
    if not place:
        assert behind.occurrences[0].record == 0
    assert behind.first_wall_time == 1.7e9 + place + 1


def broken(payload: int, content: bytes) -> bytes:
    """Frame an event with one value whose payload field contains these bytes."""
    value = b"\x0a\x01a" + bytes([payload]) + varint(len(content)) + content
    summary = b"\x0a" + varint(len(value)) + value
    return record(b"\x09" + bytes(8) + b"\x10\x05\x2a" + varint(len(summary)) + summary)


@pytest.mark.parametrize(
    ("payload", "content"),
    [
        (0x2A, b"\x09" + bytes(7)),  # an incomplete double
        (0x2A, b"\x32\x07" + bytes(7)),  # half a limit
        (0x2A, b"\x32\x10" + bytes(8)),  # longer than the histogram
        (0x22, b"\x08" + b"\xff" * 10),  # a number without an end
        (0x22, b"\x22\x05PNG"),
        (0x32, b"\x0d\0\0"),
        (0x42, b"\x08\x01\x2a\x03\0\0\0"),
        (0x42, b"\x08\x03\x3a\x01\xff"),
        (0x42, b"\x08\x03\x3a\x0b" + b"\xff" * 10 + b"\x01"),
        (0x42, b"\x08\x07\x42\x09text"),
        (0x42, b"\x12\x02\x12\x05"),  # an invalid shape
    ],
)
def test_a_payload_that_protobuf_refuses_is_no_event(payload: int, content: bytes) -> None:
    wrong = broken(payload, content)
    with pytest.raises(DecodeError):
        Event.FromString(wrong[12:-4])
    parts = many(WRITTEN["torch histogram"])
    parts[50] = parts[120] = wrong
    batch = read(b"".join(parts))
    assert [index for index, _ in batch.unreadable] == [50, 120]
    assert batch.addresses is not None
    assert len(batch.addresses.record) == 198
    assert [index for index, _ in read(wrong * 100).unreadable] == list(range(100))


def test_records_of_all_ways_stay_in_order() -> None:
    parts = []
    for n in range(300):
        odd = Summary.Value(tag=b"odd", node_name=b"node", histo=HISTOGRAM)  # parsed one by one
        parts += [
            event(1.7e9 + n, n, simple("loss", n)),
            event(1.7e9 + n, n, Summary.Value(tag=b"weights", histo=HISTOGRAM)),
            event(1.7e9 + n, n, WRITTEN["an integer"], simple("b", n)),
        ]
        parts += [event(1.7e9 + n, n, odd)] if n % 7 == 3 else []
    data, met, table = b"".join(parts), FileState(), LayoutTable(TagTable())
    for _ in range(2):
        batch = read(data, met, table)
        assert batch.addresses is not None
        assert (np.diff(batch.addresses.record) > 0).all()
        assert batch.value.tolist() == [number for n in range(300) for number in (n, -5, n)]
        assert batch.last_wall_time == 1.7e9 + 299
    targets.layouts([part[12:-4] for part in parts], LayoutTable(TagTable()))


def test_new_metadata_of_a_tag_are_reported_in_any_window() -> None:
    met, table = FileState(), LayoutTable(TagTable())
    values = [
        strings("a", plugin("text"), b"one"),
        strings("a", plugin("text"), b"other"),  # known already
        strings("a", plugin("text"), b"two", b"of them"),
        strings("a", plugin("text", "shown"), b"one"),
    ]
    said = []
    for value in values:
        seen = read(b"".join(many(value)), met, table).occurrences
        # The last record takes another path, which reports all metadata.
        said.append([(info.form, info.display_name) for record, _, info in seen if record < 199])
    assert said == [[("list of fewer than two strings", "")], [], [("list of strings", "")], [(FORMS[11], "shown")]]


def test_events_of_very_many_values() -> None:
    """Events with fewer values are walked; the larger ones are read, too."""
    parts = [event(1.7e9, n, *[WRITTEN["torch histogram"]] * (1100 if n % 2 else 3)) for n in range(80)]
    batch = read(b"".join(parts))
    assert batch.addresses is not None
    assert np.bincount(batch.addresses.record).tolist() == [3, 1100] * 40
    assert batch.addresses.place[:5].tolist() == [0, 1, 2, 0, 1]


def test_after_histograms_come_scalars() -> None:
    """The order in which parsers are tried changes nothing."""
    table, met = LayoutTable(TagTable()), FileState()
    for value in (WRITTEN["text"], simple("loss", 0.5), WRITTEN["v1 image"], simple("loss", 0.5)):
        data = b"".join([*many(value), *many(simple("loss", 2.5))])
        for _ in range(2):
            batch = read(data, met, table)
            assert batch.step[-200:].tolist() == list(range(200))
            assert (batch.value[-200:] == 2.5).all()
            found = 0 if batch.addresses is None else len(batch.addresses.record)
            assert found + len(batch.value) == 400


def test_layouts_among_texts() -> None:
    """Records that are not walked may have a layout, and are reported where that first appears."""
    table, met = LayoutTable(TagTable()), FileState()
    texts = many(WRITTEN["text"], 400)
    read(b"".join(texts), met, table)
    named = [event(1.7e9 + n, n + 200, Summary.Value(node_name=b"node", simple_value=n)) for n in range(100)]
    parts = [*texts[:150], *named, *texts[150:]]
    batch = read(b"".join(parts), met, table)
    assert batch.value.tolist() == list(range(100))
    assert {(table.tags.names[tag], record) for record, tag, _ in batch.occurrences} >= {("node", 150)}
    assert batch.addresses is not None
    assert batch.addresses.record.tolist() == [*range(150), *range(250, 500)]


def test_few_things_are_remembered_of_many_metadata() -> None:
    values = [strings("a", plugin("mine", f"name {n}"), b"text") for n in range(300)]
    parts = [event(1.7e9 + n, n, value) for n, value in enumerate(values)]
    met, table = FileState(), LayoutTable(TagTable())
    with eager():
        for begin in range(0, 300, 50):
            read(b"".join(parts[begin : begin + 50]), met, table)
    assert len(met.cache.metadata) <= 52


@pytest.mark.parametrize(
    "number", [0, 1, 127, 128, 300, 1 << 14, (1 << 21) - 1, 1 << 21, (1 << 63) - 1, -1, -(1 << 63)]
)
def test_varints(number: int) -> None:
    content = varint(number & ((1 << 64) - 1))
    raw = np.frombuffer(content + b"\xff" + PADDING, np.uint8)
    value, after, fits = varints(raw, np.zeros(3, np.int64))
    assert fits.all()
    assert set(value.tolist()) == {number}
    assert set(after.tolist()) == {len(content)}
    assert varints(raw, np.zeros(1, np.int64), 3)[2].tolist() == [len(content) <= 3]


@pytest.mark.parametrize("content", [b"\xff" * 10, b"\xff" * 9 + b"\x02", b"\xff" * 9 + b"\x81\x01"])
def test_no_varints(content: bytes) -> None:
    assert not varints(np.frombuffer(content + PADDING, np.uint8), np.zeros(1, np.int64))[2].any()


def test_forms_of_walked_values() -> None:
    parts = [event(1.7e9, n, *WRITTEN.values()) for n in range(60)]
    batch = read(b"".join(parts))
    assert batch.addresses is not None
    names = [FORMS[form] for form in batch.addresses.form[:11].tolist()]
    assert names[:4] == ["histogram", "numeric tensor of shape [k, 3]", "image", "list of strings"]
    assert names[-2:] == ["tensor of one number", "numeric tensor of shape [6, t]"]
    assert batch.addresses.samples[3] == 3
    assert batch.value[:2].tolist() == [-5, 1]
