"""Logs of real writers, all kinds but scalars: each field equals the value that an independent reader found."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.kinds.graphs import graph_sources
from tbwidget.logs.kinds.histograms import Histogram
from tests.support.corpus import CORPUS

NAMES = sorted(path.parent.name for path in CORPUS.glob("*/expected.json"))

# TensorBoard trims negative counts to nothing.
NEGATIVE = ("aw_histograms", "run", "old/negative")
# Values that do not match their kind: no header, or another rank.
MISFITS = {("aw_images", "run", "new/no_header"), ("aw_histograms", "run", "new/wrong_rank")}
# The expectation stops at the first framing error of a file; we read on.
STOPS_AT_DAMAGE = {"corrupt_files"}


def truths(name: str, *plugins: str) -> tuple[tbwidget.LogDir, Iterator[tuple[str, str, dict[str, Any]]]]:
    """Return the logs, and the expectations for each tag of these plugins: (run, tag, truth)."""
    logs = tbwidget.load(CORPUS / name / "logs")
    expected = json.loads((CORPUS / name / "expected.json").read_text())
    found = (
        (run, tag, truth)
        for run, of_run in expected["runs"].items()
        for tag, truth in of_run["tags"].items()
        if truth["plugin"] in plugins and (name, run, tag) not in MISFITS
    )
    return logs, found


def sha1(data: bytes) -> str:
    return hashlib.sha1(data).hexdigest()  # noqa: S324 (theirs)


def sha1_of_all(parts: Iterable[bytes]) -> str:
    return sha1(b"".join(hashlib.sha1(part).digest() for part in parts))  # noqa: S324


def number(spelled: Any) -> float:
    """Return a number of the expectation, which spells numbers that JSON lacks as strings."""
    return math.nan if spelled is None else float(spelled)


def same(got: float, expected: Any) -> bool:
    """Compare up to the float32 in which TensorBoard stores old histograms."""
    return bool(np.isclose(got, number(expected), rtol=1e-6, atol=1e-300, equal_nan=True))


def check_steps(series: Any, truth: dict[str, Any]) -> None:
    assert len(series.step) == truth["n"]
    assert (series.step[0], series.step[-1]) == (truth["step_first"], truth["step_last"])
    assert (series.wall_time[0], series.wall_time[-1]) == (truth["wall_first"], truth["wall_last"])


@pytest.mark.parametrize("name", NAMES)
def test_histograms(name: str) -> None:
    logs, found = truths(name, "histograms")
    for run, tag, truth in found:
        histograms = logs.histograms(run, tag, superseded=True)
        if name in STOPS_AT_DAMAGE:
            assert len(list(histograms)) >= truth["n"]
            continue
        check_steps(histograms, truth)
        every = list(histograms)
        check_raw(every, truth.get("hist_raw"))
        if (name, run, tag) == NEGATIVE:
            assert [histogram.counts.tolist() for histogram in every] == [[-1.0], [-1.0]]
            continue
        expected = truth["hist"]
        lengths = expected["buckets"]  # for the first fifty
        assert [len(histogram.counts) for histogram in every][: len(lengths)] == lengths
        assert same(sum(histogram.counts.sum() for histogram in every), expected["count_sum"])
        middles = ((histogram.left + histogram.right) / 2 * histogram.counts for histogram in every)
        with np.errstate(invalid="ignore"):
            moment = sum(float(middle.sum()) for middle in middles)
        assert same(moment, expected["moment1"]) or math.isclose(moment, number(expected["moment1"]), abs_tol=1e-4)
        for histogram, end in ((every[0], "first"), (every[-1], "last")):
            if len(histogram.left):
                assert same(histogram.left[0], expected[f"left_{end}"])
                assert same(histogram.right[-1], expected[f"right_{end}"])
                assert same(histogram.counts.sum(), expected[f"count_{end}"])
        buckets = histograms.decode()
        for n, histogram in enumerate(every):
            rows = slice(buckets.offsets[n], buckets.offsets[n + 1])
            np.testing.assert_array_equal(buckets.left[rows], histogram.left)
            np.testing.assert_array_equal(buckets.right[rows], histogram.right)
            np.testing.assert_array_equal(buckets.counts[rows], histogram.counts)


def check_raw(every: list[Histogram], raw: dict[str, Any] | None) -> None:
    """Check the numbers that the older form stores next to its buckets."""
    if raw is None:
        assert all(histogram.num is None and histogram.min is None for histogram in every)
        return
    for name, put_together in (("num", sum), ("sum", sum), ("sum_squares", sum), ("min", min), ("max", max)):
        assert same(put_together(getattr(histogram, name) for histogram in every), raw[name]), name


@pytest.mark.parametrize("name", NAMES)
def test_images(name: str) -> None:
    logs, found = truths(name, "images")
    for run, tag, truth in found:
        images = logs.images(run, tag, superseded=True)
        assert len(images) == truth["image_count"]
        assert sha1_of_all(image.data for image in images) == truth["all_images_sha1"], tag
        of_step: dict[int, list[Any]] = {}
        for image in images:
            of_step.setdefault(image.step, []).append(image)
        for step in truth["images"]:
            for n, sample in enumerate(step["samples"]):
                image = of_step[step["step"]][n]
                assert image.sample == n
                expected = sample.get("format"), sample.get("width"), sample.get("height")
                if tag != "old/svg":
                    assert (image.format, image.width, image.height) == expected, tag
                assert (len(image.data), sha1(image.data)) == (sample["bytes"], sample["sha1"])


def test_an_svg_is_recognized_though_not_by_pillow() -> None:
    (image,) = tbwidget.load(CORPUS / "aw_images" / "logs").images("run", "old/svg")
    assert image.format == "SVG"
    assert image.data.lstrip().startswith(b"<")


@pytest.mark.parametrize("name", NAMES)
def test_audio(name: str) -> None:
    logs, found = truths(name, "audio")
    for run, tag, truth in found:
        clips = logs.audio(run, tag, superseded=True)
        got = [(clip.step, len(clip.data), sha1(clip.data), clip.content_type) for clip in clips]
        assert got == [
            (step["step"], clip["bytes"], clip["sha1"], "audio/wav")
            for step in truth["audio"]
            for clip in step["clips"]
        ]
        rates = [step["sample_rate"] for step in truth.get("audio_raw", [])]
        assert [clip.sample_rate for clip in clips][: len(rates)] == rates
        assert all(clip.sample_rate for clip in clips)
        for step in truth.get("audio_tensor_before_projection", []):
            assert step["lens"][1::2] == [len(clip.label.encode()) for clip in clips if clip.step == step["step"]]


@pytest.mark.parametrize("name", NAMES)
def test_text(name: str) -> None:
    logs, found = truths(name, "text")
    for run, tag, truth in found:
        texts = logs.text(run, tag, superseded=True)
        if name in STOPS_AT_DAMAGE:
            assert len(list(texts)) >= truth["n"]
            continue
        check_steps(texts, truth)
        every = [text.encode("utf-8", "surrogateescape") for value in texts for text in value.value.ravel()]
        assert sha1_of_all(every) == truth["all_strings_sha1"], tag
        for value, step in zip(texts, truth["texts"], strict=False):
            assert (value.step, list(value.value.shape)) == (step["step"], step["shape"])
            encoded = [text.encode("utf-8", "surrogateescape") for text in value.value.ravel()]
            expected = [(string["len"], string["sha1"]) for string in step["strings"]]
            assert [(len(text), sha1(text)) for text in encoded][: len(expected)] == expected


@pytest.mark.parametrize("name", NAMES)
def test_pr_curves(name: str) -> None:
    logs, found = truths(name, "pr_curves")
    for run, tag, truth in found:
        curves = logs.pr_curves(run, tag, superseded=True)
        check_steps(curves, truth)
        sums = []
        for curve, shape in zip(curves, truth["numeric"]["shapes"], strict=True):
            rows = (curve.tp, curve.fp, curve.tn, curve.fn, curve.precision, curve.recall)
            assert [6, len(curve.thresholds)] == shape
            assert (curve.thresholds[0], curve.thresholds[-1]) == (0, 1)
            sums.append(sum(float(row.sum()) for row in rows))
        assert same(sum(sums), truth["numeric"]["sum"])
        assert same(sums[0], truth["numeric"]["first_sum"])


@pytest.mark.parametrize("name", NAMES)
def test_meshes(name: str) -> None:
    logs, found = truths(name, "mesh")
    for run, tag, truth in found:
        part = {"VERTEX": "vertices", "FACE": "faces", "COLOR": "colors"}[truth["mesh"]["content_type"]]
        meshes = logs.meshes(run, tag, superseded=True)
        assert meshes.name == truth["mesh"]["name"]
        # TensorBoard uses the wall times of the vertices.
        assert [len(meshes), *meshes.step[[0, -1]]] == [truth["n"], truth["step_first"], truth["step_last"]]
        arrays = [getattr(mesh, part) for mesh in meshes]
        assert [list(array.shape) for array in arrays] == truth["numeric"]["shapes"]
        assert same(sum(float(array.astype(float).sum()) for array in arrays), truth["numeric"]["sum"])
        assert [mesh.config for mesh in meshes] == [json.loads(truth["mesh"]["json_config"])] * len(meshes)
        named = logs.meshes(run, meshes.name, superseded=True)
        np.testing.assert_array_equal(getattr(named[0], part), arrays[0])


@pytest.mark.parametrize("name", NAMES)
def test_tensors(name: str) -> None:
    logs, found = truths(name, "", "tensor", "my_plugin")
    for run, tag, truth in found:
        tensors = logs.tensors(run, tag, superseded=True)
        check_steps(tensors, truth)
        if "undecodable_tensors" in truth:
            continue  # not by TensorBoard: see the tests of these
        values = [tensor.value for tensor in tensors]
        if "numeric" in truth:
            assert [list(value.shape) for value in values] == truth["numeric"]["shapes"]
            assert same(sum(float(value.real.sum()) for value in values), truth["numeric"]["sum"])
        elif "points" in truth:
            assert [[tensor.step, tensor.value.item()] for tensor in tensors] == truth["points"]
        else:
            assert sha1_of_all(text for value in values for text in value.ravel()) == truth["all_strings_sha1"]


def test_tensors_that_tensorboard_cannot_decode() -> None:
    (tensor,) = tbwidget.load(CORPUS / "aw_scalar_dtypes" / "logs").tensors("run", "broadcast_repeat_last")
    assert tensor.value.shape == (5,)
    assert tensor.value[2] == tensor.value[4]
    (tensor,) = tbwidget.load(CORPUS / "torch_all_kinds" / "logs").tensors("kinds", "raw bf16")
    assert (tensor.value.dtype.name, tensor.value.astype(float).tolist()) == ("bfloat16", [0, 1, 2, 3])


@pytest.mark.parametrize("name", NAMES)
def test_custom_scalars(name: str) -> None:
    logs, found = truths(name, "custom_scalars")
    for run, _, truth in found:
        got = [
            {
                "title": category.title,
                "chart": [
                    {"title": chart.title, "multiline": {"tag": list(chart.tags)}}
                    if chart.tags
                    else {
                        "title": chart.title,
                        "margin": {
                            "series": [
                                {"value": margin.value, "lower": margin.lower, "upper": margin.upper}
                                for margin in chart.series
                            ]
                        },
                    }
                    for chart in category.charts
                ],
                **({"closed": True} if category.closed else {}),
            }
            for category in logs.custom_scalars(run).categories
        ]
        assert got == truth["layout"]["category"]


@pytest.mark.parametrize("name", NAMES)
def test_run_metadata(name: str) -> None:
    logs, found = truths(name, "graph_tagged_run_metadata", "graph_run_metadata")
    for run, tag, truth in found:
        expected = truth["run_metadata"][-1]
        got = logs.run_metadata(run, tag)
        assert (len(got.data), sha1(got.data)) == (expected["bytes"], expected["sha1"])
        assert {device: len(nodes.name) for device, nodes in got.devices.items()} == expected["devices"]
        assert (got.total_micros, got.memory_bytes) == (expected["total_micros"], expected["mem_bytes"])
        assert (got.partition_graphs, got.function_graphs) == (
            expected["partition_graphs"],
            expected["function_graphs"],
        )


@pytest.mark.parametrize("name", NAMES)
def test_sources_of_graphs(name: str) -> None:
    logs, found = truths(name, "graphs", "graph_run_metadata_graph", "graph_keras_model")
    for run, tag, truth in found:
        source = next(source for source in graph_sources(logs.source, run) if source.name == tag)
        data = source.read()
        if "graph" in truth:
            assert (source.form, len(data), sha1(data)) == (
                "graph_def",
                truth["graph"][-1]["bytes"],
                truth["graph"][-1]["sha1"],
            )
        elif "run_metadata" in truth:
            assert (source.form, sha1(data)) == ("run_metadata", truth["run_metadata"][-1]["sha1"])
        elif "keras_model" in truth:
            assert (source.form, json.loads(data)["class_name"]) == ("keras", truth["keras_model"]["class_name"])
        else:
            assert truth["plugin_parse_error"]


@pytest.mark.parametrize("name", NAMES)
def test_hparams(name: str) -> None:
    logs, found = truths(name, "hparams")
    written: dict[str, dict[str, Any]] = {}
    for run, _, truth in found:
        written.setdefault(run, {}).update(truth["hparams"])
    starts = {run: data["session_start_info"] for run, data in written.items() if "session_start_info" in data}
    trials = {trial.run: trial for trial in logs.hparams()}
    assert trials.keys() == starts.keys()
    for run, start in starts.items():
        assert trials[run].values == start.get("hparams", {})
        assert trials[run].group == start.get("group_name", "")
        end = written[run].get("session_end_info", {})
        assert f"STATUS_{trials[run].status}" == end.get("status", "STATUS_UNKNOWN")
        experiment: dict[str, Any] = written[run].get("experiment") or next(
            (data["experiment"] for data in written.values() if "experiment" in data), {}
        )
        declared = [info["name"]["tag"] for info in experiment.get("metric_infos", [])]
        assert [info.tag for info in trials[run].metric_infos] == declared
        for tag, value in trials[run].metrics.items():
            assert value == logs.scalars(run, tag).value[-1]
        assert set(declared) == set(trials[run].metrics)
        assert set(trials[run].infos) == {info["name"] for info in experiment.get("hparam_infos", [])}


@pytest.mark.parametrize("name", NAMES)
def test_embeddings(name: str) -> None:
    logs = tbwidget.load(CORPUS / name / "logs")
    expected = json.loads((CORPUS / name / "expected.json").read_text()).get("projector", {})
    for config, infos in expected.items():
        embeddings = logs.embeddings(config.rpartition("/")[0])
        assert [embedding.name for embedding in embeddings] == [info["tensor_name"] for info in infos]
        for embedding, info in zip(embeddings, infos, strict=True):
            assert embedding.vectors.dtype == np.float32
            assert list(embedding.vectors.shape) == info["tensor_rows_cols"]
            assert embedding.vectors.sum(dtype=float) == pytest.approx(info["tensor_sum"], rel=1e-5)
            assert embedding.metadata is not None
            assert len(embedding.metadata) == info["metadata_lines"]
            assert embedding.metadata[:2] == info["metadata_first"]
            if "sprite" in info:
                assert embedding.sprite is not None
                assert list(embedding.sprite.single_image_dim) == info["sprite"]["single_image_dim"]
                sprite = CORPUS / name / "logs" / config.rpartition("/")[0] / info["sprite"]["image_path"]
                assert embedding.sprite.data == sprite.read_bytes()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "corrupt_files"])
def test_nothing_else_is_a_problem(name: str) -> None:
    logs = tbwidget.load(CORPUS / name / "logs")
    before = logs.problems
    for kind in ("histograms", "images", "audio", "text", "pr_curves", "tensors", "hparams"):
        logs.frame(kind, superseded=kind != "hparams")
    assert logs.problems == before
    assert all("does not fit its kind" in problem.message for problem in before)
