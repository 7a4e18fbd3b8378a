"""Properties for any bytes: each target reads some bytes in one way, and fails if a property is violated."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

import tbwidget
from tbwidget.logs.kinds.graphs import graph_sources
from tbwidget.logs.problems import Problem
from tbwidget.panels import images
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import FileState, decode
from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.framing import HEADER, frame
from tbwidget.records.values.arrays import TensorError, array_of, floats_of, text_of
from tbwidget.records.values.batch import is_addressed
from tbwidget.records.values.forms import FORMS
from tbwidget.records.values.summary import TagTable, read_value
from tests.fuzz.mutations import damaged
from tests.support.eventfiles import NAME, record
from tests.support.pictures import decoded, taken_apart

Numbers = list[tuple[str, int, bytes, bytes]]
"""Tag, step, and the bits of wall time and value."""

Address = tuple[int, int, str, int, bytes, int, str]
"""Record, place, tag, step, the bits of wall time, samples, and form."""

Sights = dict[tuple[str, str], tuple[object, ...]]
"""Metadata in the first value of each tag and form."""
TARGETS = 4
"""Framing, layouts, tensors, directories."""
ATTRIBUTES = {
    "histograms": ("counts", "left", "right", "edges"),
    "images": ("data", "format", "width", "height"),
    "audio": ("data", "label", "sample_rate", "content_type"),
    "text": ("value",),
    "pr_curves": ("precision", "recall", "thresholds", "tp", "fp", "tn", "fn"),
    "meshes": ("vertices", "faces", "colors", "config"),
    "tensors": ("value",),
}


def _bits(number: float) -> bytes:
    return struct.pack("<d", number)


def framing(data: bytes) -> None:
    """Check that framing finds the same records as a record-by-record walk."""
    starts: list[int] = []
    lengths: list[int] = []
    position, wrong = 0, False
    while position + 12 <= len(data):
        length, checksum = struct.unpack_from("<QI", data, position)
        wrong = masked_checksum(data[position : position + 8]) != checksum
        if wrong or position + 16 + length > len(data):
            break
        starts.append(position)
        lengths.append(length)
        position += 16 + length
    frames = frame(data)
    got = (frames.starts.tolist(), frames.lengths.tolist(), frames.end, frames.damaged)
    assert got == (starts, lengths, position, wrong), "other records than a plain walk finds"
    for begin, end in frames.repeats:
        assert 0 <= begin <= end <= len(starts)


def numbers_of(payload: bytes, tags: TagTable) -> Numbers | None:
    """Return the numbers that plain protobuf parsing finds in an event; None if the bytes are no event."""
    try:
        event = Event.FromString(payload)
    except DecodeError:
        return None
    found = []
    if event.WhichOneof("what") == "summary":
        for value in event.summary.value:
            tag, _, number = read_value(value, tags)
            if number is not None:
                found.append((tags.names[tag], event.step, _bits(event.wall_time), _bits(number)))
    return found


def addresses_of(record: int, payload: bytes, tags: TagTable) -> list[Address]:
    """Return the values read on request that plain protobuf parsing finds in an event."""
    try:
        event = Event.FromString(payload)
    except DecodeError:
        return []
    found = []
    for place, value in enumerate(event.summary.value if event.WhichOneof("what") == "summary" else ()):
        tag, info, number = read_value(value, tags)
        if is_addressed(info, number):
            found.append((record, place, tags.names[tag], event.step, _bits(event.wall_time), info.samples, info.form))
    return found


def _first_sights(payloads: Sequence[bytes]) -> Sights:
    """Return plugin, display name and description in the first value of each tag and form."""
    tags = TagTable()
    found: Sights = {}
    for payload in payloads:
        with suppress(DecodeError):
            event = Event.FromString(payload)
            for value in event.summary.value if event.WhichOneof("what") == "summary" else ():
                tag, info, _ = read_value(value, tags)
                found.setdefault((tags.names[tag], info.form), info[1:])
    return found


def layouts(payloads: Sequence[bytes], table: LayoutTable, state: FileState | None = None) -> None:
    """Check that the fast paths read records with valid checksums like plain protobuf parsing.

    A given `state` comes from an earlier reading, so that no tag or form is new.
    """
    data = b"".join(map(record, payloads))
    parsed = [numbers_of(payload, TagTable()) for payload in payloads]
    batch = decode(data, frame(data), table, state or FileState())
    names = [table.tags.names[tag] for tag in batch.tag.tolist()]
    columns = (batch.step.tolist(), map(_bits, batch.wall_time.tolist()), map(_bits, batch.value.tolist()))
    assert list(zip(names, *columns, strict=True)) == [number for found in parsed if found for number in found]
    assert [index for index, _ in batch.unreadable] == [index for index, found in enumerate(parsed) if found is None]
    seen: Sights = {}
    for _, tag, info in batch.occurrences:
        seen.setdefault((table.tags.names[tag], info.form), info[1:])
    assert seen == _first_sights(payloads) or state is not None, "other things are said about a tag"
    places: list[Address] = []
    if batch.addresses is not None:
        for record_, place, tag, step, wall_time, samples, form in zip(
            *(column.tolist() for column in batch.addresses), strict=True
        ):
            name = table.tags.names[tag]
            places.append((record_, place, name, step, _bits(wall_time), samples, FORMS[form]))
    tags = TagTable()
    wanted = [found for index, payload in enumerate(payloads) for found in addresses_of(index, payload, tags)]
    assert places == wanted, "other values, or in other places"
    assert batch.records == len(payloads)
    assert not batch.damaged


def tensors(payload: bytes) -> None:
    """Check that every tensor in an event is an array or an error, with the same single number everywhere."""
    try:
        event = Event.FromString(payload)
    except DecodeError:
        return
    for value in event.summary.value:
        tensor(value)


def tensor(value: Summary.Value) -> None:
    """Describe a value, and decode its tensor in each possible way."""
    *_, number = read_value(value, TagTable())
    if not value.HasField("tensor"):
        return
    for ask in (array_of, text_of, floats_of):
        with suppress(TensorError):
            array = ask(value.tensor)
            spread = 0 in array.strides  # one value for all elements, stored once
            assert spread or array.nbytes <= 64 * (value.ByteSize() + (1 << 20)), "an array out of all proportion"
    if number is not None:
        with suppress(TensorError):
            array = array_of(value.tensor)
            assert array.size == 1
            assert _bits(float(array.ravel()[0])) == _bits(number) or np.isnan(number)


class Written:
    """An event file under construction, and its expected contents."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.numbers: Numbers = []
        self.damaged: list[bytes] = []
        """Records that must not be read, as they were before the damage."""
        self._tags = TagTable()

    def add(self, payload: bytes) -> None:
        """Write a record with valid checksums."""
        self.parts.append(record(payload))
        self.numbers += numbers_of(payload, self._tags) or []

    def add_damage(self, payload: bytes, random: Random) -> None:
        """Write a damaged record."""
        whole = record(payload)
        changed = damaged(whole, random)
        # A header is eight bytes and their checksum, so that it can complete a record of eight bytes.
        completed = len(payload) == 8 and changed.endswith(whole[:HEADER])
        if changed != whole and whole not in changed and not completed:
            self.parts.append(changed)
            self.damaged.append(whole)


def directory(written: Written, cuts: Sequence[float]) -> None:
    """Check that all valid records are read despite damage between them, also while the file grows."""
    content = b"".join(written.parts)
    if any(whole in content for whole in written.damaged):
        return  # cut by a byte, and the following data happen to begin with it
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        cold = tbwidget.load(folder)
        kinds = cold.tags()
        for tag in kinds.get("scalars", {}).get(".", []):
            series = cold.scalars(".", tag, superseded=True)
            columns = (series.step.tolist(), map(_bits, series.wall_time.tolist()), map(_bits, series.value.tolist()))
            wanted = [number[1:] for number in written.numbers if number[0] == tag]
            assert list(zip(*columns, strict=True)) == wanted, f"scalars of {tag!r} are missing or others"
        for tag in {number[0] for number in written.numbers}:
            listed = any(tag in tags.get(".", []) for tags in kinds.values())
            # Unless another value has given its tag a kind without numbers.
            assert listed or any("does not fit" in problem.message for problem in cold.problems), f"{tag!r} is missing"
        before = _said(cold)
        read_all(cold)
        cold.frame()
        assert all(isinstance(problem, Problem) for problem in cold.problems)
        if cuts:
            path.write_bytes(b"")
            growing = tbwidget.load(folder)
            begin = 0
            for cut in [*sorted(cuts), 1.0]:
                end = int(cut * len(content))
                with path.open("ab") as file:
                    file.write(content[begin:end])
                growing.refresh()
                begin = end
            assert _said(growing) == before, "read bit by bit, it says something else"


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 (the disk is not what is tested)


def _said(logs: tbwidget.LogDir) -> dict[str, Any]:
    """Everything that is listed, and the steps, wall times and numbers of every series."""
    found: dict[str, Any] = {"tags": logs.tags(), "problems": [str(problem) for problem in logs.problems]}
    for kind, of_runs in logs.tags().items():
        for tag in of_runs.get(".", []):
            if kind == "scalars":
                series = logs.scalars(".", tag)
                found[kind + tag] = (series.step.tobytes(), series.wall_time.tobytes(), series.value.tobytes())
            elif kind in ATTRIBUTES:
                items = logs.source.items(".", tag, kind)
                found[kind + tag] = (items.step.tobytes(), items.wall_time.tobytes(), items.samples.tobytes())
    return found


def read_all(logs: tbwidget.LogDir) -> None:
    """Use every kind of data; only documented errors, which name the file, are allowed."""
    for kind, of_runs in logs.tags().items():
        for tag in of_runs.get(".", []):
            logs.metadata(".", tag)
            if kind in ATTRIBUTES:
                for series in (getattr(logs, kind)(".", tag), logs.tensors(".", tag)):
                    _read_series(series, ATTRIBUTES[kind] if series.__class__.__name__ != "Tensors" else ("value",))
            elif kind == "run_metadata":
                _documented(partial(logs.run_metadata, ".", tag))
    with suppress(KeyError):
        _documented(partial(logs.custom_scalars, "."))
    for source in graph_sources(logs.source, "."):
        _documented(source.read)
    logs.hparams()
    for kind in ("histograms", "images", "audio", "text", "pr_curves", "tensors", "hparams"):
        logs.frame(kind)


def _read_series(series: Any, attributes: tuple[str, ...]) -> None:
    repr(series)
    for place in range(min(len(series), 20)):
        _documented(partial(_read_element, series, place, attributes))


def _read_element(series: Any, place: int, attributes: tuple[str, ...]) -> None:
    element = series[place]
    repr(element)
    for attribute in attributes:
        getattr(element, attribute)


def _documented(read: Callable[[], Any]) -> None:
    try:
        read()
    except ValueError as error:
        assert NAME in str(error), f"an error that names no file: {error!r}"  # noqa: PT017 (most raise nothing)


def picture(data: bytes, pixels: int | None) -> None:
    """Check that an image is shown with a valid header, or refused in words; nothing else is raised."""
    try:
        header, shown = taken_apart(images.picture(data, pixels))
    except ValueError as error:
        _check_words(str(error))
        return
    assert header["width"] > 0 < header["height"]
    if header["scaled"] is not None:
        assert list(decoded(shown).size) == header["scaled"]
        assert max(header["scaled"]) <= max(header["width"], header["height"])


def _check_words(said: str) -> None:
    assert 0 < len(said) < 300
