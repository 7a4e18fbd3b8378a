"""Points of embeddings in a page with little room."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from tbwidget.panels.projector import PANEL
from tbwidget.panels.projector_blobs import reduced_points
from tbwidget.wire.message import Message
from tbwidget.wire.snapshot import snapshot
from tests.support.embeddings import array, unpacked
from tests.support.page import Page
from tests.support.reduced_points import COUNT
from tests.unit.test_house import ROOT
from tests.unit.test_logs_embeddings import described, load


def test_reduced_points_are_those_of_a_saved_notebook() -> None:
    stored = json.loads((ROOT / "js/tests/fixtures/reduced_points.json").read_text("ascii"))
    whole, reduced = (base64.b64decode(stored[name]) for name in ("whole", "reduced"))
    assert reduced_points(whole) == reduced, "python -m tests.support.reduced_points"
    assert reduced_points(reduced) is None
    (before, exact), (after, body) = unpacked(whole), unpacked(reduced)
    places = array(exact, "<f4", before["coordinates"]["offset"], before["components"], COUNT)[:3]
    rounded = array(body, "<i2", after["coordinates"]["offset"], 3, COUNT)
    steps = np.array(after["coordinates"]["steps"])[:, None]
    assert np.isnan(places).sum() == 3, "a point has no place"
    np.testing.assert_array_equal(rounded == -32_768, np.isnan(places))
    assert np.nanmax(np.abs(np.where(np.isnan(places), np.nan, rounded * steps) - places) / steps) <= 0.5 + 1e-6
    kinds = {"name": "<u2", "kind": "u1", "greek": "u1", "quarters": "<f4", "tenths": "<f8"}
    found = {column["name"]: array(body, kinds[column["name"]], column["offset"], COUNT) for column in after["columns"]}
    for column in before["columns"]:
        written = "<f8" if column["sort"] == "number" else "<u4"
        np.testing.assert_array_equal(found[column["name"]], array(exact, written, column["offset"], COUNT))


@pytest.mark.parametrize(("most", "components"), [(2_000_000, 8), (400_000, 3), (100_000, None)])
def test_a_page_with_little_room_holds_reduced_points(tmp_path: Path, most: int, components: int | None) -> None:
    np.savetxt(tmp_path / "v.tsv", np.random.default_rng(0).normal(size=(10_000, 8)), "%.3f", "\t")
    (tmp_path / "m.tsv").write_text("".join(f"{'abc'[i % 3]}\n" for i in range(10_000)))
    saved = snapshot(load(tmp_path, described("v", "v.tsv", 'metadata_path: "m.tsv"')), PANEL.contents, most)
    assert len(json.dumps(saved)) <= most + 100
    page = Page()
    for one in saved["messages"]:
        page.take(Message(json.loads(one["header"]), base64.b64decode(one["buffer"]), 0))
    found = [unpacked(blob)[0] for ((kind, _, _), _), blob in page.blobs.items() if kind == "embeddings"]
    assert [head["components"] for head in found] == ([] if components is None else [components])
