"""Meshes as writers store them in event files: a value for each part, whose metadata name the part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.proto import plugins_pb2
from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.summary_pb2 import Summary, SummaryMetadata
from tests.support.eventfiles import name

if TYPE_CHECKING:
    from collections.abc import Iterable

PARTS = {"VERTEX": 1, "FACE": 2, "COLOR": 3}


def part(
    tag: str, content: str, values: Any, kind: str = "<f4", config: str = "", beside: Iterable[str] = ()
) -> Summary.Value:
    """Make one part of a mesh: its "VERTEX", "FACE" or "COLOR" values of shape [b, n, 3]. `beside`: its other parts."""
    described = plugins_pb2.MeshPluginData(name=name(tag), json_config=config.encode(), shape=np.shape(values))
    # TensorBoard fetches only these parts.
    described.components = sum(1 << PARTS[one] for one in {content, *beside})
    described.content_type = PARTS[content]  # type: ignore[assignment]
    metadata = SummaryMetadata(
        plugin_data=SummaryMetadata.PluginData(plugin_name=b"mesh", content=described.SerializeToString())
    )
    array = np.array(values, kind)
    dtype = {"f4": pb.DT_FLOAT, "i4": pb.DT_INT32, "u1": pb.DT_UINT8}[array.dtype.str[1:]]
    dims = [pb.TensorShapeProto.Dim(size=size) for size in array.shape]
    tensor = pb.TensorProto(dtype=dtype, tensor_shape=pb.TensorShapeProto(dim=dims), tensor_content=array.tobytes())
    return Summary.Value(tag=name(f"{tag}_{content}"), metadata=metadata, tensor=tensor)


def cube(size: float = 1.0) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the corners of a cube around the origin, [1, 8, 3], and its twelve faces, [1, 12, 3]."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) * size / 2
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in squares for face in ((a, b, c), (a, c, d))]
    return corners[None], np.array(faces, np.int32)[None]
