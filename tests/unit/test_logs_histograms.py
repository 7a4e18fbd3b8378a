"""Histograms of both forms have the same result, and invalid values are one problem."""

from __future__ import annotations

import struct
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tensorboard import data_compat
from tensorboard.compat.proto.summary_pb2 import Summary as TheirSummary
from tensorboard.util.tensor_util import make_ndarray
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.logs.kinds.histograms import Histogram, Histograms, buckets_of, concatenated
from tbwidget.logs.sequences import UndecodableError
from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.support.eventfiles import NAME, event, plugin, write

LARGEST = sys.float_info.max
NAN, INF = float("nan"), float("inf")


def old(limits: list[float], counts: list[float], low: float = 0, high: float = 1) -> Summary.Value:
    histo = HistogramProto(min=low, max=high, num=sum(counts), sum=2, sum_squares=3, bucket_limit=limits, bucket=counts)
    return Summary.Value(tag=b"h", histo=histo)


def new(rows: list[list[float]], **changes: Any) -> Summary.Value:
    dims = [pb.TensorShapeProto.Dim(size=size) for size in (len(rows), 3)]
    content = b"".join(struct.pack("<3d", *row) for row in rows)
    made = {"dtype": pb.DT_DOUBLE, "tensor_shape": pb.TensorShapeProto(dim=dims), "tensor_content": content, **changes}
    return Summary.Value(tag=b"h", metadata=plugin("histograms"), tensor=pb.TensorProto(**made))


def load(path: Path, *values: Summary.Value) -> tuple[tbwidget.LogDir, Histograms]:
    write(path / NAME, *(event(10 + n, n, value) for n, value in enumerate(values)))
    logs = tbwidget.load(path)
    return logs, logs.histograms(".", "h")


def rows(histogram: Histogram) -> list[tuple[float, float, float]]:
    return list(zip(histogram.left.tolist(), histogram.right.tolist(), histogram.counts.tolist(), strict=True))


# Each written value, and the buckets that it means.
FORMS: list[tuple[Summary.Value, list[tuple[float, float, float]]]] = [
    (old([], []), []),
    (old([1.0], [0.0]), []),
    (old([LARGEST], [3], 1, 2), [(1, 2, 3)]),
    (old([2, 3], [0, 9], 2, 2), [(2, 2, 9)]),
    (old([-1, 0, 1, LARGEST], [1, 2, 0, 3], -5, 7), [(-5, -1, 1), (-1, 0, 2), (0, 1, 0), (1, 7, 3)]),
    (old([-LARGEST, -1, 0, 1, LARGEST], [0, 0, 2, 1, 0], -0.5, 0.5), [(-0.5, 0, 2), (0, 0.5, 1)]),
    (old([1, 2, 3], [1, 2], 0.5, 1.5), [(0.5, 1, 1), (1, 1.5, 2)]),  # more limits than counts
    (old([1], [1, 2], 0.5, 1.5), [(0.5, 1, 1), (1, 1.5, 2)]),  # and one fewer
    (old([1, 2], [0.5, 1.5], 0, 1), [(0, 1, 0.5), (1, 1, 1.5)]),
    (old([1, 2, 3], [0, -1, 0], 0, 1), [(0, 1, -1)]),
    (old([1, 2], [1, 1], INF, -INF), [(INF, 1, 1), (1, -INF, 1)]),
    (new([]), []),
    (new([[0, 1, 5], [1, 2, 0]]), [(0, 1, 5), (1, 2, 0)]),
    (new([[0, 2, 1], [1, 3, 0.5]]), [(0, 2, 1), (1, 3, 0.5)]),
]


@pytest.mark.parametrize(("value", "expected"), FORMS)
def test_the_meaning_of_buckets(
    tmp_path: Path, value: Summary.Value, expected: list[tuple[float, float, float]]
) -> None:
    logs, histograms = load(tmp_path, value)
    assert logs.problems == []
    assert rows(histograms[0]) == expected
    assert histograms[0].counts.dtype == np.float64
    assert not histograms[0].left.flags.writeable


def test_many_at_once(tmp_path: Path) -> None:
    logs, histograms = load(tmp_path, *(value for value, _ in FORMS))
    buckets = histograms.decode()
    assert len(buckets) == len(FORMS)
    ends = buckets.offsets.tolist()
    got = list(zip(buckets.left.tolist(), buckets.right.tolist(), buckets.counts.tolist(), strict=True))
    assert [got[begin:end] for begin, end in pairwise(ends)] == [expected for _, expected in FORMS]
    some = histograms.decode([12, 4])
    assert np.diff(some.offsets).tolist() == [2, 4]
    assert some.right.tolist() == [1, 2, -1, 0, 1, 7]
    assert len(histograms.decode([])) == 0
    table = logs.frame("histograms")
    assert [len(group) for _, group in table.groupby("step")] == [len(expected) for _, expected in FORMS if expected]
    assert table["count"].tolist() == [count for _, expected in FORMS for _, _, count in expected]


def test_nan_ends_stay(tmp_path: Path) -> None:
    _, histograms = load(tmp_path, old([1, 2], [1, 1], NAN, NAN))
    np.testing.assert_array_equal(histograms[0].left, [NAN, 1])
    np.testing.assert_array_equal(histograms[0].right, [1, NAN])


def test_further_numbers_of_the_older_form(tmp_path: Path) -> None:
    _, histograms = load(tmp_path, old([1, 2], [1, 1], 0.5, 1.5), new([[0, 1, 5]]))
    first, second = histograms
    assert (first.min, first.max, first.num, first.sum, first.sum_squares) == (0.5, 1.5, 2, 2, 3)
    assert (second.min, second.max, second.num, second.sum, second.sum_squares) == (None,) * 5
    assert (first.step, first.wall_time, second.step) == (0, 10, 1)
    assert repr(first) == "Histogram(step 0, 2 buckets from 0.5 to 1.5, 2 counted)"
    assert repr(histograms) == "Histograms(2 values, steps 0 to 1)"


def test_edges_where_buckets_follow_each_other(tmp_path: Path) -> None:
    _, histograms = load(tmp_path, new([[0, 1, 5], [1, 2, 0]]), new([[0, 2, 1], [1, 3, 1]]), new([]))
    edges = histograms[0].edges
    assert edges is not None
    assert edges.tolist() == [0, 1, 2]
    assert histograms[1].edges is None
    buckets = histograms.decode()
    handed_out = (edges, histograms[0].left, histograms[0].counts, buckets.offsets, buckets.right, buckets.sum)
    assert not any(array.flags.writeable for array in handed_out)
    assert histograms[2].edges is None


def test_any_real_dtype(tmp_path: Path) -> None:
    shape = pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in (1, 3)])
    value = Summary.Value(tag=b"h", metadata=plugin("histograms"))
    value.tensor.CopyFrom(pb.TensorProto(dtype=pb.DT_INT32, tensor_shape=shape, int_val=[0, 2, 7]))
    zeros = new([], tensor_shape=pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in (4, 3)]),
                tensor_content=b"", double_val=[0])  # fmt: skip
    _, histograms = load(tmp_path, value, zeros)
    assert rows(histograms[0]) == [(0, 2, 7)]
    assert rows(histograms[1]) == [(0, 0, 0)] * 4


def test_an_invalid_histogram_is_only_a_problem(tmp_path: Path) -> None:
    bad, good = old([1], [1, 2, 3]), old([1, 2], [1, 1])
    logs, histograms = load(tmp_path, good, bad, good)
    assert len(histograms) == 3
    assert logs.problems == []
    with pytest.raises(UndecodableError, match=rf"^{NAME} at byte \d+: a histogram with 3 counts and 1 limit"):
        histograms[1]
    with pytest.raises(UndecodableError):
        list(histograms)
    assert [index for index, _ in histograms.readable()] == [0, 2]
    assert np.diff(histograms.decode().offsets).tolist() == [2, 0, 2]
    assert np.diff(histograms.decode([1, 2, 0]).offsets).tolist() == [0, 2, 2]
    assert [problem.message for problem in logs.problems] == ["a histogram with 3 counts and 1 limit"]
    assert logs.frame("histograms")["step"].tolist() == [0, 0, 2, 2]


def test_bytes_that_went_bad_since(tmp_path: Path) -> None:
    logs, histograms = load(tmp_path, *(old([1, 2], [1, n + 1]) for n in range(3)))
    path = tmp_path / NAME
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"{NAME} at byte"):
        histograms[1]
    assert [histogram.counts.tolist() for _, histogram in histograms.readable()] == [[1, 1], [1, 3]]
    assert [histogram.counts.tolist() for _, histogram in histograms.readable([2, 1, 0])] == [[1, 3], [1, 1]]
    assert np.diff(histograms.decode().offsets).tolist() == [2, 0, 2]
    assert len(logs.problems) == 1


def test_a_real_writer(tmp_path: Path) -> None:
    values = np.linspace(-3, 5, 1000) ** 3
    with SummaryWriter(str(tmp_path)) as writer:
        for step in range(4):
            writer.add_histogram("h", values + step, step)
    histograms = tbwidget.load(tmp_path).histograms(".", "h")
    assert [float(histogram.counts.sum()) for histogram in histograms] == [1000] * 4
    assert [(histogram.left[0], histogram.right[-1]) for histogram in histograms] == [
        (values.min() + step, values.max() + step) for step in range(4)
    ]
    assert all(histogram.edges is not None for histogram in histograms)
    assert [histogram.num for histogram in histograms[1:3]] == [1000, 1000]
    assert histograms[-1].step == 3
    with pytest.raises(IndexError):
        histograms[4]


numbers = st.floats(-1e6, 1e6, width=32)


@given(
    st.lists(st.lists(st.one_of(st.just(0.0), st.floats(0, 100, width=32)), max_size=8), min_size=1, max_size=4),
    st.lists(numbers, min_size=9, max_size=9, unique=True).map(sorted),
    numbers,
    numbers,
)
def test_the_older_form_has_the_meaning_of_tensorboard(
    counts: list[list[float]], limits: list[float], low: float, high: float
) -> None:
    values = [old(limits[: len(of_one)], of_one, low, high) for of_one in counts]
    buckets = concatenated([buckets_of(value) for value in values])
    for n, value in enumerate(values):
        theirs = make_ndarray(
            data_compat.migrate_value(TheirSummary.Value.FromString(value.SerializeToString())).tensor
        )
        rows = slice(buckets.offsets[n], buckets.offsets[n + 1])
        ours = np.stack((buckets.left[rows], buckets.right[rows], buckets.counts[rows]), axis=1)
        np.testing.assert_array_equal(ours.astype(np.float32).reshape(-1, 3), theirs.reshape(-1, 3))
