"""Values of every form that writers use, and of some others, filled at random."""

from __future__ import annotations

import struct
from random import Random

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tests.support.eventfiles import plugin

_DTYPES = [*range(34), 101, 103, 107, -1, 1 << 20]
_INTS = (0, 1, 2, 6, 127, 128, -1, -(1 << 31), (1 << 31) - 1, 0x3F80, 0x7F800000)
_LONGS = (*_INTS, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63))
_NUMBERS = (0.0, -0.0, 1.5, -3.25e38, 1e-45, float("nan"), float("inf"))
_SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (1, 1), (2,), (3,), (30, 3), (6, 5), (6, 3), (1, 4, 3), (0,), (3, 2))
_METADATA = (
    *(None, None, SummaryMetadata(), plugin("scalars"), plugin("text"), plugin("histograms", "shown", "said")),
    *(plugin("images", "b\u00fc"), plugin("", "", "long " * 300)),
)


def any_value(random: Random, tag: bytes) -> Summary.Value:
    """Make a value of a form drawn at random."""
    value = Summary.Value(tag=tag, metadata=random.choice(_METADATA))
    made = random.randrange(9)
    if made == 0:
        value.histo.CopyFrom(_histogram(random))
    elif made == 1:
        value.image.CopyFrom(
            Summary.Image(
                height=random.choice(_INTS),
                width=random.randrange(300),
                colorspace=random.randrange(5),
                encoded_image_string=random.randbytes(random.choice((0, 1, 100, 130, 20_000))),
            )
        )
    elif made == 2:
        value.audio.CopyFrom(
            Summary.Audio(
                sample_rate=random.choice((0.0, 44100.0)),
                num_channels=random.randrange(3),
                length_frames=random.choice(_LONGS),
                encoded_audio_string=random.randbytes(random.choice((0, 50, 300))),
                content_type=random.choice((b"", b"audio/wav")),
            )
        )
    elif made == 3:
        value.simple_value = random.choice(_NUMBERS)
    elif made == 4:
        value.tensor.CopyFrom(_strings(random))
    elif made == 8 and random.random() < 0.3:
        value.node_name = b"node"  # and no content
    else:
        value.tensor.CopyFrom(_tensor(random))
    return value


def _histogram(random: Random) -> HistogramProto:
    count = random.choice((0, 1, 20, 300))
    limits = sorted(random.random() for _ in range(count))
    return HistogramProto(
        min=random.choice((0.0, -1.5)),
        max=random.choice((0.0, 2.5)),
        num=count,
        sum=random.choice(_NUMBERS),
        sum_squares=random.random(),
        bucket_limit=limits,
        bucket=[1.0] * (count - random.choice((0, 0, 0, 1))) if count else [],
    )


def _shape(random: Random) -> pb.TensorShapeProto:
    made = pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in random.choice(_SHAPES)])
    if random.random() < 0.05:
        made.unknown_rank = True
    if random.random() < 0.05:
        made.dim.add(size=random.choice((-1, 0, 1, 1 << 40)), name=b"batch")
    return made


def _strings(random: Random) -> pb.TensorProto:
    count = random.choice((0, 1, 1, 2, 3, 4, 6, 20))
    strings = [random.randbytes(random.choice((0, 3, 90, 200))) for _ in range(count)]
    shape = pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=count)])
    return pb.TensorProto(
        dtype=pb.DT_STRING, tensor_shape=shape if random.random() < 0.6 else _shape(random), string_val=strings
    )


def _tensor(random: Random) -> pb.TensorProto:
    shape = pb.TensorShapeProto() if random.random() < 0.4 else _shape(random)
    elements = 1
    for dim in shape.dim:
        elements *= max(0, min(dim.size, 1000))
    count = min(random.choice((elements, elements, elements, 1, elements + 1, 0)), 300)
    dtype = random.choice(_DTYPES)
    made = pb.TensorProto(tensor_shape=shape, version_number=random.choice((0, 0, 7)))
    for field, own, drawn in random.sample(_TYPED, random.choice((0, 1, 1, 1, 1, 1, 2))):
        dtype = random.choice((*own, dtype)) if random.random() < 0.9 else dtype
        getattr(made, field).extend(random.choice(drawn) for _ in range(count))
    if random.random() < 0.4:
        dtype = random.choice(_DTYPES)
        width = random.choice((1, 2, 4, 8))
        content = struct.pack("<d", random.choice(_NUMBERS))[-width:]
        made.tensor_content = content * count if random.random() < 0.5 else random.randbytes(width * count)
    if random.random() < 0.05:
        made.float8_val = random.randbytes(count)
    made.dtype = dtype
    return made


_TYPED: tuple[tuple[str, tuple[int, ...], tuple[float, ...]], ...] = (
    ("float_val", (pb.DT_FLOAT,), _NUMBERS[:3]),
    ("double_val", (pb.DT_DOUBLE,), _NUMBERS),
    ("int_val", (pb.DT_INT32, pb.DT_INT8, pb.DT_UINT8, pb.DT_QINT16), _INTS),
    ("int64_val", (pb.DT_INT64,), _LONGS),
    ("bool_val", (pb.DT_BOOL,), (True, False)),
    ("half_val", (pb.DT_HALF, pb.DT_BFLOAT16), _INTS),
    ("uint32_val", (pb.DT_UINT32, pb.DT_UINT8), (0, 5, 1 << 31)),
    ("uint64_val", (pb.DT_UINT64,), (0, 1 << 63)),
)
