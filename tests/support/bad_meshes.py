"""Write meshes that have one fault each, between two good ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from tbwidget.proto import tensor_pb2 as pb
from tests.support.eventfiles import NAME, event, write
from tests.support.meshes import cube, part

if TYPE_CHECKING:
    from pathlib import Path

    from tbwidget.proto.summary_pb2 import Summary

TOO_MANY = 2_800_000
"""Number of vertices that is too large to be sent."""


def write_bad_meshes(run: Path) -> None:
    """Write a run whose meshes "a good one" and "z good one" are valid; the other names are faults."""
    points, faces = cube()
    lost, none = points.copy(), np.full_like(points, np.inf)
    lost[0, :3, 1] = np.nan
    colors = np.linspace(0, 255, 24).reshape(1, 8, 3)
    beyond = np.concatenate([faces, [[[0, 1, 8], [-1, 0, 1]]]], axis=1)
    scene = {"camera": {"cls": "Function"}, "lights": [{"cls": "constructor"}], "material": {"cls": "ShaderMaterial"}}
    described: dict[str, list[tuple[str, np.ndarray, str]]] = {
        "a good one": [("VERTEX", points, "<f4"), ("FACE", faces, "<i4"), ("COLOR", colors, "u1")],
        "another batch": [("VERTEX", points.repeat(2, 0), "<f4"), ("FACE", faces.repeat(3, 0), "<i4")],
        "beyond": [("VERTEX", points, "<f4"), ("FACE", beyond, "<i4")],
        "beyond, all": [("VERTEX", points, "<f4"), ("FACE", faces + 8, "<i4")],
        "claims": [("VERTEX", points, "<f4")],
        "cloud": [("VERTEX", points, "<f4")],
        "colors of 5": [("VERTEX", points, "<f4"), ("FACE", faces, "<i4"), ("COLOR", colors[:, :5], "u1")],
        "colors too large": [("VERTEX", points, "<f4"), ("FACE", faces, "<i4"), ("COLOR", colors * 2, "<f4")],
        "constant": [("VERTEX", np.ones_like(points), "<f4"), ("FACE", faces, "<i4")],
        "flat": [("VERTEX", points[:, :, :2], "<f4")],
        "four colors": [("VERTEX", points, "<f4"), ("COLOR", np.zeros((1, 8, 4)), "u1")],
        "no batch": [("VERTEX", points[0], "<f4")],
        "no vertices": [("VERTEX", points[:, :0], "<f4"), ("FACE", faces, "<i4")],
        "none finite": [("VERTEX", none, "<f4"), ("FACE", faces, "<i4")],
        "one vertex": [("VERTEX", points[:, :1], "<f4")],
        "only faces": [("FACE", faces, "<i4")],
        "quads": [("VERTEX", points, "<f4"), ("FACE", np.zeros((1, 6, 4)), "<i4")],
        "scene": [("VERTEX", points, "<f4"), ("FACE", faces, "<i4")],
        "scene, cut": [("VERTEX", points, "<f4"), ("FACE", faces, "<i4")],
        "some finite": [("VERTEX", lost, "<f4"), ("FACE", faces, "<i4")],
        "too many": [("VERTEX", np.zeros((1, TOO_MANY, 3)), "<f4")],
        "words": [("VERTEX", points, "<f4")],
        "z good one": [("VERTEX", points, "<f4"), ("FACE", faces, "<i4")],
    }
    scenes = {"scene": json.dumps(scene), "scene, cut": '{"camera": '}
    values = {
        tag: [part(tag, name, array, kind, scenes.get(tag, "")) for name, array, kind in parts]
        for tag, parts in described.items()
    }
    _claim(values["claims"][0], 1 << 40)
    values["words"][0].tensor.CopyFrom(pb.TensorProto(dtype=pb.DT_STRING, string_val=[b"three", b"four"]))
    write(run / NAME, *(event(1.7e9, 0, *own) for own in values.values()))


def _claim(value: Summary.Value, vertices: int) -> None:
    """Write a larger number of vertices into the shape of a tensor than it contains."""
    value.tensor.tensor_shape.dim[1].size = vertices
