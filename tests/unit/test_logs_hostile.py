"""Hostile values of every kind: only documented errors, little memory, and all other values are read."""

from __future__ import annotations

import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tbwidget
from tbwidget.logs.kinds.graphs import graph_sources
from tbwidget.logs.kinds.hparams import HParamsReader, decoded
from tbwidget.logs.kinds.run_metadata import RunMetadataError, run_metadata_of
from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tbwidget.records.values.arrays import TensorError
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.examples import examples

PLUGINS = [
    *("histograms", "images", "audio", "text", "pr_curves", "mesh", "hparams", "custom_scalars", "scalars", "mine", ""),
    *("graph_keras_model", "graph_run_metadata", "graph_run_metadata_graph"),
]
Dim = pb.TensorShapeProto.Dim

sizes = st.one_of(st.integers(0, 6), st.just(3), st.just(6), st.sampled_from([-1, 2**16, 2**31, 2**62, 2**63 - 1]))
short_bytes = st.binary(max_size=24)
floats = st.lists(st.floats(width=32), max_size=8)
tensors = st.builds(
    lambda dims, **more: pb.TensorProto(
        tensor_shape=pb.TensorShapeProto(dim=[Dim(size=size) for size in dims]), **more
    ),
    st.lists(sizes, max_size=4),
    dtype=st.one_of(st.sampled_from([pb.DT_FLOAT, pb.DT_STRING, pb.DT_DOUBLE]), st.integers(0, 140)),
    tensor_content=st.one_of(st.just(b""), st.binary(max_size=80)),
    float_val=floats,
    double_val=floats,
    int_val=st.lists(st.integers(-9, 9), max_size=3),
    string_val=st.lists(short_bytes, max_size=5),
)
histograms = st.builds(HistogramProto, bucket_limit=floats, bucket=floats, min=st.floats(), max=st.floats())
images = st.builds(Summary.Image, encoded_image_string=st.binary(max_size=60), width=st.integers(-9, 9))
clips = st.builds(Summary.Audio, encoded_audio_string=st.binary(max_size=60), sample_rate=st.floats(width=32))


def composed(plugin: str, content: bytes, value: dict[str, Any]) -> Summary.Value:
    data = SummaryMetadata.PluginData(plugin_name=plugin.encode(), content=content)
    return Summary.Value(tag=b"t", metadata=SummaryMetadata(plugin_data=data), **value)


values = st.builds(
    composed,
    st.sampled_from(PLUGINS),
    short_bytes,
    st.one_of(
        st.fixed_dictionaries({"tensor": tensors}),
        st.fixed_dictionaries({"histo": histograms}),
        st.fixed_dictionaries({"image": images}),
        st.fixed_dictionaries({"audio": clips}),
        st.just({}),
    ),
)


ATTRIBUTES = {
    "histograms": ("counts", "edges"),
    "images": ("data", "format", "width", "height"),
    "audio": ("data", "label", "sample_rate", "content_type"),
    "text": ("value",),
    "pr_curves": ("precision", "thresholds"),
    "meshes": ("vertices", "config"),
    "tensors": ("value",),
}


@contextmanager
def only_documented() -> Iterator[None]:
    """Allow only the documented error of a value, which names its file."""
    try:
        yield
    except ValueError as error:
        assert NAME in str(error)  # noqa: PT017 (most raise nothing)


def read_all(logs: tbwidget.LogDir, run: str) -> None:
    """Use every kind of data, as a user might."""
    for kind, of_runs in logs.tags().items():
        for tag in of_runs.get(run, []):
            if kind in ATTRIBUTES:
                for superseded in (False, True):
                    read_series(getattr(logs, kind)(run, tag, superseded=superseded), ATTRIBUTES[kind])
            elif kind == "run_metadata":
                with only_documented():
                    logs.run_metadata(run, tag)
    with suppress(KeyError), only_documented():
        logs.custom_scalars(run)
    for source in graph_sources(logs.source, run):
        with only_documented():
            source.read()
    logs.hparams()
    for kind in ("histograms", "images", "audio", "text", "pr_curves", "tensors", "hparams"):
        logs.frame(kind, runs=[run])


def read_series(series: Any, attributes: tuple[str, ...]) -> None:
    repr(series)
    for place in range(min(len(series), 50)):
        with only_documented():
            element = series[place]
            repr(element)
            for attribute in attributes:
                getattr(element, attribute)


@examples(150)
@given(st.lists(values, min_size=1, max_size=4))
def test_hostile_values_that_are_written(written: list[Summary.Value]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory)
        good = simple("good", 1.5)
        write(path / NAME, *(event(1 + n, n, value, good) for n, value in enumerate(written)))
        logs = tbwidget.load(path)
        read_all(logs, ".")
        assert len(logs.scalars(".", "good")) == len(written)


@examples(100)
@given(values, st.lists(st.tuples(st.integers(0, 500), st.integers(0, 255)), max_size=4))
def test_values_that_are_damaged_within_a_valid_record(value: Summary.Value, flips: list[tuple[int, int]]) -> None:
    """Bytes of a message change within a valid record: a faulty writer, not a faulty disk."""
    content = bytearray(value.SerializeToString())
    for place, byte in flips:
        content[place % len(content)] = byte
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory)
        try:
            mutated = Summary.Value.FromString(bytes(content))
        except Exception:  # noqa: BLE001 (no message any more)
            return
        write(path / NAME, event(1, 0, mutated), event(2, 1, mutated))
        read_all(tbwidget.load(path), ".")


@given(st.binary(max_size=200))
def test_messages_beside_tensors(content: bytes) -> None:
    with suppress(RunMetadataError):
        run_metadata_of(content)
    reader = HParamsReader(lambda _run, _tag: None, {})
    try:
        reader.add("run", decoded(composed("hparams", content, {})))
    except TensorError:
        return
    reader.sessions(["run"])


@pytest.mark.parametrize("plugin", ["histograms", "text", "pr_curves", "mesh", "mine", "images", "audio"])
def test_little_that_claims_to_be_much(tmp_path: Path, plugin: str) -> None:
    """Shapes of 2⁶⁰ elements with one value in them, a thousand times."""
    dims = {"histograms": (2**58, 3), "pr_curves": (6, 2**57), "mesh": (2**29, 2**29, 3), "mine": (2**60,)}.get(plugin)
    strings = dims is None
    shape = pb.TensorShapeProto(dim=[Dim(size=size) for size in dims or (1 << 20,)])
    tensor = pb.TensorProto(dtype=pb.DT_STRING if strings else pb.DT_FLOAT, tensor_shape=shape)
    if strings:
        tensor.string_val.append(b"x")
    else:
        tensor.float_val.append(1)
    write(tmp_path / NAME, *(event(n, n, composed(plugin, b"", {"tensor": tensor})) for n in range(300)))
    tracemalloc.start()
    try:
        read_all(tbwidget.load(tmp_path), ".")
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
