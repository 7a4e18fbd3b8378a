"""Meshes on the wire: parts joined by step, bounded arrays, and notes about omitted parts."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tbwidget
from tbwidget.export.preview import preview
from tbwidget.logs.kinds.meshes import Mesh
from tbwidget.panels import meshes
from tbwidget.panels.declare import PreviewChart
from tbwidget.panels.mesh_scene import scene_of
from tbwidget.panels.meshes import PANEL, MeshesContent, MeshIndex, encode
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import Refusal
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, write
from tests.support.meshes import cube, part

CONTENT = MeshesContent()
POINTS, FACES = cube()


def split(blob: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the header of a blob, and the arrays of its meshes."""
    (length,) = struct.unpack_from("<I", blob)
    said, data = json.loads(blob[4 : 4 + length]), blob[4 + length :]
    assert (4 + length) % 8 == 0

    def array(offset: int | None, kind: str, shape: tuple[int, int]) -> Any:
        if offset is None:
            return None
        assert offset % 8 == 0
        return np.frombuffer(data, kind, shape[0] * shape[1], offset).reshape(shape)

    samples = [
        {
            "places": array(sample["places"], "<f4", (3, sample["vertices"])),
            "triangles": array(sample["triangles"], "<u4", (sample["faces"], 3)),
            "colors": array(sample["colors"], "u1", (sample["vertices"], 3)),
        }
        for sample in said["samples"]
    ]
    return said, samples


def made(vertices: Any = POINTS, faces: Any = None, colors: Any = None, config: Any = None) -> Mesh:
    def array(values: Any) -> Any:
        return None if values is None else np.asarray(values)

    return Mesh(0, 0.0, array(vertices), array(faces), array(colors), config)


def codes(said: dict[str, Any]) -> dict[str, str]:
    return {note["code"]: note["reason"] for note in said["notes"]}


def read(path: Path, *parts: bytes, tag: str = "m") -> tuple[tbwidget.LogDir, MeshIndex]:
    write(path / NAME, *parts)
    logs = tbwidget.load(path)
    return logs, CONTENT.read(logs, ".", tag)


def test_the_parts_of_a_mesh_are_one_row_a_step(tmp_path: Path) -> None:
    colors = np.arange(24).reshape(1, 8, 3)
    _, index = read(
        tmp_path,
        event(5, 7, part("m", "VERTEX", POINTS * 2)),
        event(1, 3, part("m", "VERTEX", POINTS), part("m", "FACE", FACES, "<i4"), part("m", "COLOR", colors, "u1")),
    )
    assert (index.step.tolist(), index.wall_time.tolist(), len(set(index.identity))) == ([3, 7], [1, 5], 2)
    assert CONTENT.entry(index, slice(0, 2), Columns()) == {}
    assert {CONTENT.key_of(".", f"m_{name}") for name in ("VERTEX", "FACE", "COLOR")} == {(".", "m")}
    said, (sample,) = split(CONTENT.blob(index, 0)())
    assert (said["notes"], said["scene"]) == ([], {"left_out": []})
    assert np.array_equal(sample["places"], POINTS[0].T)
    assert np.array_equal(sample["triangles"], FACES[0])
    assert np.array_equal(sample["colors"], colors[0])
    said, (sample,) = split(CONTENT.blob(index, 1)())
    assert np.array_equal(sample["places"], POINTS[0].T * 2)
    assert (sample["triangles"], sample["colors"]) == (None, None)


def test_a_part_that_follows_makes_another_row(tmp_path: Path) -> None:
    logs, index = read(tmp_path, event(1, 0, part("m", "VERTEX", POINTS)))
    before = list(index.identity)
    with (tmp_path / NAME).open("ab") as file:
        file.write(event(1, 0, part("m", "FACE", FACES, "<i4")))
    logs.refresh()
    after = CONTENT.read(logs, ".", "m")
    assert len(after) == 1
    assert after.identity[0] not in before


def test_each_mesh_of_a_batch_has_its_arrays() -> None:
    many = np.concatenate([POINTS, POINTS * 2, POINTS * 3])
    said, samples = split(encode(made(many, FACES, np.full((3, 8, 3), 7))))
    assert said["notes"] == []
    for number, sample in enumerate(samples):
        assert np.array_equal(sample["places"], many[number].T)
        assert np.array_equal(sample["triangles"], FACES[0])  # written once, for all samples
        assert sample["colors"].min() == 7
    said, samples = split(encode(made(many, np.concatenate([FACES, FACES]))))
    assert (samples[0]["triangles"], list(codes(said))) == (None, ["mesh-batch"])


def test_faces_that_name_no_vertices_are_left_out() -> None:
    faces = [[[0, 1, 2], [0, 1, 8], [-1, 1, 2], [3, 4, 5]]]
    said, (sample,) = split(encode(made(faces=faces)))
    assert sample["triangles"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert codes(said) == {"mesh-faces": "faces left out, because a corner is no vertex: 2"}
    floats = [[[0.0, 1.0, 2.0], [0.5, 1, 2], [np.nan, 1, 2], [np.inf, 1, 2], [7, 6, 5], [1e30, 0, 1]]]
    said, (sample,) = split(encode(made(faces=floats)))
    assert sample["triangles"].tolist() == [[0, 1, 2], [7, 6, 5]]
    assert codes(said)["mesh-faces"].endswith(": 4")
    large = np.array([[[0, 1, 2**32], [0, 1, 2]]], np.int64)  # 2**32 would wrap around to vertex 0
    _, (sample,) = split(encode(made(faces=large)))
    assert sample["triangles"].tolist() == [[0, 1, 2]]


def test_vertices_without_a_place_are_counted() -> None:
    points = POINTS.astype(np.float64)
    points[0, 1, 2] = np.nan
    points[0, 4, 0] = 1e300  # beyond float32
    said, (sample,) = split(encode(made(points)))
    assert np.isnan(sample["places"]).all(axis=0).tolist() == [False, True, False, False, True, False, False, False]
    assert codes(said) == {"mesh-places": "vertices without a finite place, not drawn: 2"}


def test_vertices_in_one_place_are_said() -> None:
    said, _ = split(encode(made(np.full((2, 8, 3), 3.5), FACES)))
    assert codes(said) == {"mesh-equal": "the vertices do not differ: 16"}
    for vertices in (np.zeros((1, 1, 3)), np.zeros((1, 0, 3))):
        assert split(encode(made(vertices)))[0]["notes"] == []


def test_colors_that_do_not_fit_are_not_drawn() -> None:
    said, (sample,) = split(encode(made(colors=np.zeros((1, 5, 3), np.uint8))))
    assert (sample["colors"], codes(said)) == (None, {"mesh-colors": "5 colors for 8 vertices: not drawn"})
    floats = np.full((1, 8, 3), 127.6)
    floats[0, 0] = [-5, 300, np.nan]
    said, (sample,) = split(encode(made(colors=floats)))
    assert sample["colors"][:2].tolist() == [[0, 255, 0], [128, 128, 128]]
    assert codes(said) == {"mesh-color-range": "color values clipped to 0 to 255: 3"}


def test_an_error_of_a_mesh_names_its_file_and_is_a_problem_of_the_logs(tmp_path: Path) -> None:
    points, faces = np.array(POINTS, np.float32), np.concatenate([FACES, [[[0, 1, 8]]]], axis=1)
    points[0, 2, 0] = np.inf
    logs, index = read(tmp_path, event(1, 0, part("m", "VERTEX", points)), event(1, 0, part("m", "FACE", faces, "<i4")))
    assert logs.problems == []
    said, _ = split(CONTENT.blob(index, 0)())
    problems = logs.problems
    assert [(problem.path, problem.code) for problem in problems] == [(NAME, "mesh-places"), (NAME, "mesh-faces")]
    file = NAME.removesuffix(".host")
    assert file != NAME, "a machine is not named in what may be saved"
    assert [note["reason"] for note in said["notes"]] == [
        f"{problem.message} ({file} at byte {problem.offset})" for problem in problems
    ]
    split(CONTENT.blob(index, 0)())
    assert logs.problems == problems
    _, index = read(tmp_path / "other", event(1, 0, part("m", "FACE", FACES, "<i4")))
    with pytest.raises(Refusal, match=rf"no vertices were written at this step \({file} at byte 0\)"):
        CONTENT.blob(index, 0)()


def test_meshes_without_anything_to_draw(tmp_path: Path) -> None:
    said, samples = split(encode(made(np.zeros((1, 0, 3)), np.zeros((1, 0, 3), int), np.zeros((1, 0, 3)))))
    assert (said["notes"], samples[0]["places"].shape, len(samples[0]["triangles"])) == ([], (3, 0), 0)
    assert split(encode(made(np.zeros((0, 4, 3)))))[1] == []
    _, index = read(tmp_path, event(1, 0, part("m", "FACE", FACES, "<i4")))
    with pytest.raises(Refusal, match="no vertices were written at this step"):
        CONTENT.blob(index, 0)()


def test_an_image_that_is_too_large_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meshes, "MAX_STEP_BYTES", 250)
    said, samples = split(encode(made(np.concatenate([POINTS] * 4))))
    assert len(samples) == 2
    left_out = "meshes of this step left out: 2; at most 64 of 250 bytes in total are shown"
    assert codes(said) == {"mesh-samples": left_out}
    with pytest.raises(ValueError, match=r"8 vertices and 20 faces take .* at most 250 bytes are shown; logs.meshes"):
        encode(made(faces=np.zeros((1, 20, 3), np.int32)))


@pytest.mark.parametrize("shape", [(2**40, 0, 3), (100_000, 1, 3)])
def test_a_batch_of_any_length_is_bounded(shape: tuple[int, ...]) -> None:
    blob = encode(made(np.zeros(shape, np.float32)))
    assert len(blob) < 64 * 200
    said, _ = split(blob)
    assert len(said["samples"]) == 64
    left_out = f"meshes of this step left out: {shape[0] - 64:,}; at most 64 of 32 MB in total are shown"
    assert codes(said) == {"mesh-samples": left_out}


def test_a_scene_is_read_from_a_list_of_settings() -> None:
    assert scene_of(None) == scene_of([1]) == {"left_out": []}
    scene = {
        "camera": {"cls": "PerspectiveCamera", "fov": 75, "position": [0, 1, 2], "lookAt": [0, 0, 0], "near": 0.1},
        "lights": [{"cls": "AmbientLight"}],
        "material": {"cls": "MeshStandardMaterial", "roughness": 1, "flatShading": True, "color": "#ff8000"},
    }
    assert scene_of(scene) == {
        "fov": 75.0,
        "position": [0, 1, 2],
        "look_at": [0, 0, 0],
        "shade": "flat",
        "color": 0xFF8000,
        "left_out": ["camera.near", "lights", "material.roughness"],
    }
    assert scene_of({"camera": {"cls": "OrthographicCamera"}})["fov"] == 0
    points = scene_of({"material": {"cls": "PointsMaterial", "size": 0.03, "color": 255}})
    assert points == {"shade": "points", "size": 0.03, "color": 255, "left_out": []}
    assert scene_of({"material": {"wireframe": True}})["shade"] == "wire"


def test_a_hostile_scene_is_named_and_bounded() -> None:
    hostile = {
        "camera": {"cls": "constructor", "fov": float("nan"), "position": [0, 0, float("inf")], "lookAt": "x"},
        "material": {"cls": ["MeshBasicMaterial"], "color": True, "size": -1, "wireframe": "yes", "x" * 10_000: 1},
        "fog": None,
    } | {f"more {i}": i for i in range(50_000)}
    scene = scene_of(hostile)
    assert set(scene) == {"left_out", "more_left_out"}
    assert scene["left_out"][0] == "camera.cls constructor"
    assert scene["more_left_out"] == 50_002
    assert len(json.dumps(split(encode(made(config=hostile)))[0])) < 10_000


def test_a_scene_that_is_no_json_costs_no_mesh(tmp_path: Path) -> None:
    parts = (part("m", "VERTEX", POINTS, config="{camera"), part("m", "FACE", FACES, "<i4", "{camera"))
    logs, index = read(tmp_path, event(1, 0, *parts))
    said, (sample,) = split(CONTENT.blob(index, 0)())
    assert len(sample["triangles"]) == len(FACES[0])
    assert codes(said)["mesh-place"].startswith("the description of the scene is not JSON: ")
    (note,) = said["notes"]
    assert (index[0].config, str(index[0].config_problem)) == (None, note["arguments"]["reason"])
    assert any("scene is not JSON" in str(problem) for problem in logs.problems)
    # One readable description is enough.
    readable = part("m", "FACE", FACES, "<i4", '{"camera": {"fov": 30}}')
    said, _ = split(CONTENT.blob(read(tmp_path, event(1, 0, parts[0], readable))[1], 0)())
    assert (said["scene"]["fov"], said["notes"]) == (30, [])


def test_any_step_is_answered(tmp_path: Path) -> None:
    logs, _ = read(
        tmp_path,
        event(1, 3, part("ü", "VERTEX", POINTS)),
        event(9, 3, part("ü", "VERTEX", POINTS * 4)),
        event(9, 4, part("ü", "FACE", FACES, "<i4")),
        tag="ü",
    )
    answer = PANEL.requests["mesh"]

    def largest(wall: float) -> float:
        args = {"run": ".", "tag": "ü", "step": "3", "wall": wall}
        return float(split(answer(logs, args, bool).data)[1][0]["places"].max())

    assert (largest(1.01), largest(8.99)) == (0.5, 2.0)
    with pytest.raises(Refusal, match="this mesh is gone"):
        answer(logs, {"run": ".", "tag": "ü", "step": "8", "wall": 0}, bool)
    with pytest.raises(Refusal, match="no vertices"):
        answer(logs, {"run": ".", "tag": "ü", "step": "4", "wall": 0}, bool)


def test_a_still_picture_has_the_vertices_of_the_newest_step(tmp_path: Path) -> None:
    assert PANEL.preview is not None
    points = POINTS.astype(np.float64)
    points[0, 0] = [np.nan, 1, 0]
    colors = np.zeros((1, 8, 3))
    colors[0, 1:4] = [250, 10, 90]
    parts = (part("b", "VERTEX", points), part("b", "COLOR", colors), part("a", "VERTEX", POINTS * 9))
    logs, _ = read(
        tmp_path,
        event(1, 0, part("a", "VERTEX", POINTS)),
        event(1, 1, *parts, part("c", "FACE", FACES, "<i4")),
        tag="a",
    )
    first, second = (one for one in PANEL.preview(logs, ["b"], "en") if isinstance(one, PreviewChart))
    assert (first.title, second.title) == ("b: vertices", "a: vertices")
    assert {line.color for line in first.lines} == {"#000000", "#ff0055"}
    assert sum(len(line.x) for line in first.lines) == 7
    seen = np.concatenate([np.column_stack((line.x, line.y)) for line in second.lines])
    assert len(seen) == 8
    assert np.abs(seen).max() > 4
    grays = [int(line.color[1:3], 16) for line in second.lines]
    assert grays == sorted(grays, reverse=True), "the nearest are drawn last, and are the darkest"
    png = preview(logs, "head", (), [PANEL])
    assert png is not None
    plot = np.asarray(Image.open(io.BytesIO(png)).convert("L"))[60:172, 340:548]
    rows, columns = np.nonzero(plot < 0xD0)
    assert 0.6 < np.ptp(columns) / np.ptp(rows) < 1.2, "not stretched to the width of its plot"


@pytest.mark.parametrize("directory", ["tf2_plugins", "torch_all_kinds", "tensorboardx_all"])
def test_meshes_of_real_writers(directory: str) -> None:
    logs = tbwidget.load(CORPUS / directory)
    keys = {CONTENT.key_of(run, tag) for run, tags in logs.tags()["meshes"].items() for tag in tags}
    assert keys
    for run, tag in keys:
        index = CONTENT.read(logs, run, tag)
        assert len(index) > 0
        for row in range(len(index)):
            said, samples = split(CONTENT.blob(index, row)())
            assert samples
            assert said["notes"] == []
