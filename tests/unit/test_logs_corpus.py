"""Logs of real writers: every scalar equals the value that an independent reader found."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tests.support.corpus import CORPUS

NAMES = sorted(path.parent.name for path in CORPUS.glob("*/expected.json"))

# Here the expectation is an artifact of TensorBoard: its reader uses the empty tag for values with a node name, and
# takes the text "1.5" for a number, and a histogram, too.
EXCEPTIONS = {
    ("aw_names", "empty_tag", ""),
    ("aw_scalar_dtypes", "run", "string_in_scalar"),
    ("aw_scalar_dtypes", "tag_kind_conflict", "t"),
}
# TensorBoard stops at the first framing error of a file; we read on.
STOPS_AT_DAMAGE = {"corrupt_files"}

KINDS = {
    "scalars": "scalars",
    "histograms": "histograms",
    "images": "images",
    "audio": "audio",
    "text": "text",
    "pr_curves": "pr_curves",
    "mesh": "meshes",
    "hparams": "hparams",
    "custom_scalars": "custom_scalars",
    "graphs": "graphs",
    "graph_keras_model": "graphs",
    "graph_run_metadata_graph": "graphs",
    "graph_run_metadata": "run_metadata",
    "graph_tagged_run_metadata": "run_metadata",
}


def corpus(name: str) -> tuple[tbwidget.LogDir, dict[str, Any]]:
    return tbwidget.load(CORPUS / name / "logs"), json.loads((CORPUS / name / "expected.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_scalars(name: str) -> None:
    logs, expected = corpus(name)
    assert sorted(logs.runs) == sorted(expected["runs"])
    for run, of_run in expected["runs"].items():
        listed = logs.tags().get("scalars", {}).get(run, [])
        for tag, truth in of_run["tags"].items():
            if truth["plugin"] != "scalars" or (name, run, tag) in EXCEPTIONS:
                continue
            if not truth.get("points") and tag not in listed:
                continue  # the tag has no number
            scalars = logs.scalars(run, tag, superseded=True)
            if name in STOPS_AT_DAMAGE:
                assert len(scalars) >= truth["n"]
                continue
            assert len(scalars) == truth["n"], (run, tag)
            assert (scalars.step[0], scalars.step[-1]) == (truth["step_first"], truth["step_last"])
            if "values_f64le_sha1" in truth:  # missing where TensorBoard could not decode the values
                assert hashlib.sha1(scalars.step.astype("<i8").tobytes()).hexdigest() == truth["steps_i64le_sha1"]  # noqa: S324
                assert hashlib.sha1(scalars.value.astype("<f8").tobytes()).hexdigest() == truth["values_f64le_sha1"]  # noqa: S324
            assert (scalars.wall_time[0], scalars.wall_time[-1]) == (truth["wall_first"], truth["wall_last"])
            metadata = logs.metadata(run, tag)
            assert metadata.display_name == (truth.get("display_name") or tag)
            assert metadata.description == truth.get("description", "")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in STOPS_AT_DAMAGE])
def test_tags_of_all_kinds(name: str) -> None:
    logs, expected = corpus(name)
    for run, of_run in expected["runs"].items():
        got = {tag: kind for kind, runs in logs.tags().items() for tag in runs.get(run, []) if kind != "embeddings"}
        for tag, truth in of_run["tags"].items():
            if (name, run, tag) in EXCEPTIONS:
                continue
            if truth["plugin"] == "scalars" and not truth.get("points"):
                continue  # the tag has no number, or TensorBoard could not read it
            if tag not in got:  # no value has the shape of its kind
                assert any(f"tag {tag!r}" in problem.message for problem in logs.problems), (run, tag)
                continue
            assert got[tag] == KINDS.get(truth["plugin"], "tensors"), (run, tag)


def test_damaged_files_keep_the_good_part_and_report_the_loss(tmp_path: Path) -> None:
    shutil.copytree(CORPUS / "corrupt_files" / "logs", tmp_path / "logs", copy_function=shutil.copyfile)
    for path in tmp_path.rglob("events*"):
        os.utime(path, (0, 0))  # a file with a recent time that ends within a record counts as still being written
    logs = tbwidget.load(tmp_path / "logs")
    whole = logs.scalars("good", "loss").step.tolist()
    assert len(whole) == 60
    with_problems = {problem.path.partition("/")[0] for problem in logs.problems}
    for run in logs.runs:
        if run in ("good", "doubled", "zero_length_record") or run.startswith("cut_"):
            continue
        assert run in with_problems, run
    # A change within a record loses at most that record; bytes inserted between two lose none.
    for run in ("bad_data_byte_mid", "bad_data_crc_mid", "bad_length_crc_mid", "bad_length_mid", "bad_data_crc_last"):
        assert len(logs.scalars(run, "loss")) >= 59, run
    for run in ("garbage_inserted_mid", "huge_length_valid_crc", "max_length_valid_crc", "valid_crc_bad_proto",
                "valid_crc_text_proto", "utf8_bom", "garbage_tail", "zeros_tail", "first_bytes_missing"):  # fmt: skip
        assert logs.scalars(run, "loss").step.tolist() == whole, run
    assert logs.scalars("doubled", "loss").step.tolist() == whole + whole
