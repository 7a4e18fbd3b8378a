"""`ProjectorView.projection`: the displayed points in Python; the end of a view; its picture."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import traitlets
from PIL import Image

import tbwidget
from tbwidget.export.file import saved_answers
from tbwidget.export.preview import preview
from tbwidget.logs.kinds.embeddings import EmbeddingError
from tbwidget.options.colors import run_color
from tbwidget.panels import projector_jobs, projector_preview
from tbwidget.panels.projector import PANEL
from tbwidget.panels.projector_answers import project
from tbwidget.panels.projector_jobs import JOBS, Floats
from tbwidget.panels.projector_vectors import kept_vectors
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for

Doubles = npt.NDArray[np.float64]

RANDOM = np.random.default_rng(5)
VECTORS = (RANDOM.normal(size=(40, 6)) * [9, 7, 5, 3, 2, 1]).astype(np.float32)


def put(folder: Path, **embeddings: Floats) -> None:
    """Write embeddings into a run, by name; __ in a name becomes a colon."""
    config = ""
    for name, vectors in embeddings.items():
        config += f'embeddings {{ tensor_name: "{name.replace("__", ":")}" tensor_path: "{name}.tsv" }}\n'
        folder.mkdir(parents=True, exist_ok=True)
        rows = ["\t".join(map(repr, row)) for row in vectors.tolist()]
        (folder / f"{name}.tsv").write_text("\n".join(rows) + "\n")
    write(folder / NAME, event(1, 0, simple("s", 1)))
    write(folder / "projector_config.pbtxt", config.encode())


def components(vectors: Floats) -> tuple[Doubles, Doubles]:
    """Return coordinates [n, d] by numpy's SVD, and the fraction of variance of each dimension."""
    centered = vectors.astype(float) - vectors.astype(float).mean(axis=0)
    _, lengths, directions = np.linalg.svd(centered, full_matrices=False)
    places = np.abs(directions).argmax(axis=1)
    directions *= np.sign(directions[np.arange(len(directions)), places])[:, None]
    return centered @ directions.T, lengths**2 / (lengths**2).sum()


def test_principal_components(tmp_path: Path) -> None:
    put(tmp_path / "run", a=VECTORS)
    logs = tbwidget.load(tmp_path)
    coordinates, variance = components(VECTORS)
    view = tbwidget.ProjectorView(logs, components=[2, 1, 4], dimensions=3)
    found = view.projection
    assert found is not None
    assert found[:2] == ("pca", {"components": [2, 1, 4]})
    assert found[4:] == ("a", None, "run")
    np.testing.assert_allclose(found.coordinates, coordinates[:, [1, 0, 3]], atol=1e-4)
    assert found.variance == pytest.approx(variance[[1, 0, 3]].tolist())
    assert (found.coordinates.dtype.name, found.coordinates.flags.writeable) == ("float32", False)
    view.dimensions, view.components = 2, [9, 3]
    found = view.projection
    assert found is not None
    assert found.parameters == {"components": [3, 1]}, "there is no ninth one"
    np.testing.assert_allclose(found.coordinates, coordinates[:, [2, 0]], atol=1e-4)
    view.close()


def test_one_dimension_and_rows_without_a_place(tmp_path: Path) -> None:
    vectors = np.array([[1], [np.nan], [3]], np.float32)
    put(tmp_path / "run", a=vectors)
    view = tbwidget.ProjectorView(tmp_path)
    wait_for(lambda: view.projection is not None)
    found = view.projection
    assert found is not None
    np.testing.assert_array_equal(found.coordinates, [[-1, 0], [np.nan, np.nan], [1, 0]])
    assert found.variance == (1.0,)
    view.close()


def test_which_embedding_it_is(tmp_path: Path) -> None:
    put(tmp_path / "b", z=VECTORS, x10__3=VECTORS, x2__3=VECTORS, x2__7=VECTORS * 2)
    put(tmp_path / "c", other=VECTORS)
    write(tmp_path / "a" / NAME, event(1, 0, simple("s", 1)))
    logs = tbwidget.load(tmp_path)
    view = tbwidget.ProjectorView(logs)

    def shown() -> tuple[str, str, int | None] | None:
        found = view.projection
        return None if found is None else (found.run, found.name, found.step)

    assert shown() == ("b", "x2:7", 7)
    for step, expected in ((5, 3), (7, 7), (1, 3)):
        view.linked_step = step
        assert shown() == ("b", f"x2:{expected}", expected)
    view.selected_runs = ["c", "a"]
    assert shown() == ("c", "other", None)
    view.selected_runs = ["a"]
    assert shown() is None
    view.close()


def test_there_is_none_of_custom_axes_nor_before_it_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("umap", "tsne"):  # as if their packages were installed
        monkeypatch.setitem(projector_jobs._PACKAGES, name, ("json", name))
    put(tmp_path / "run", a=VECTORS)
    logs = tbwidget.load(tmp_path)
    for method in ("umap", "tsne", "custom"):
        view = tbwidget.ProjectorView(logs, method=method)
        assert view.projection is None
        view.close()


def test_vectors_that_cannot_be_read(tmp_path: Path) -> None:
    put(tmp_path / "run", a=VECTORS)
    (tmp_path / "run/a.tsv").write_text("no\ttable\n")
    view = tbwidget.ProjectorView(tbwidget.load(tmp_path))
    with pytest.raises(EmbeddingError, match=r"'a\.tsv' is not a table"):
        _ = view.projection
    view.close()


def test_it_cannot_be_set(tmp_path: Path) -> None:
    view = tbwidget.ProjectorView(tmp_path)
    assert view.projection is None
    with pytest.raises(AttributeError):
        view.projection = None  # type: ignore[misc]
    with pytest.raises(traitlets.TraitError, match="none is negative"):
        view.selected = [-1]
    view.selected = np.array([3, 1])  # type: ignore[assignment]  # taken, too
    assert view.selected == [3, 1]
    assert "linked step" in str(type(view).projection.__doc__)
    view.close()


LIBRARY = """
import os, time
class UMAP:
    def __init__(self, **options): self.options = options
    def fit(self, vectors): return self
    def fit_transform(self, vectors):
        while self.options["n_neighbors"] == 30: time.sleep(1)
        return vectors[:, :2] + self.options["n_neighbors"]
"""


def test_a_projection_that_the_page_requested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module replaces umap-learn."""
    (tmp_path / "umap.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path))
    put(tmp_path / "logs/run", a__4=VECTORS)
    logs = tbwidget.load(tmp_path / "logs")
    view = tbwidget.ProjectorView(logs, method="umap", umap_neighbors=20, umap_min_dist=0.5)
    # The arguments of the page's request; the view sets the metric.
    asked = {"run": "run", "tag": "a", "step": "4", "method": "umap", "dimensions": 2}
    parameters = {"neighbors": 20, "min_dist": 0.5, "metric": "cosine"}
    wait_for(lambda: project(logs, {**asked, "parameters": parameters}, lambda: False).value["state"] == "done")
    found = view.projection
    assert found is not None
    assert (found.method, found.parameters, found.variance) == ("umap", parameters, None)
    assert found[4:] == ("a:4", 4, "run")
    np.testing.assert_array_equal(found.coordinates, VECTORS[:, :2] + 20)

    (answer,) = saved_answers(logs, [PANEL], view.profile | {"projector_method": "umap"}, 100_000)
    assert (answer["name"], answer["args"]) == ("projector.project", {**asked, "parameters": parameters})
    assert (answer["value"]["state"], len(answer["data"])) == ("done", 428)
    assert saved_answers(logs, [PANEL], view.profile | {"projector_umap_neighbors": 21}, 100_000) == []

    view.umap_neighbors = 30
    assert view.projection is None
    project(logs, {**asked, "parameters": {**parameters, "neighbors": 30}}, lambda: False)
    (job,) = JOBS.running()
    wait_for(lambda: job.pid)
    view.close()
    job.thread.join(10)
    assert not job.thread.is_alive()
    assert JOBS.running() == []


def colors_of(png: bytes) -> set[tuple[int, int, int]]:
    """Return the colors of the plots, without frames and words."""
    picture = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
    saturated = picture[np.ptp(picture.astype(int), axis=2) > 90]
    return {tuple((pixel // 32).tolist()) for pixel in saturated}


def test_a_still_picture_is_colored_by_the_first_column_of_few_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "run", a__1=VECTORS, a__2=VECTORS)
    config = (tmp_path / "run/projector_config.pbtxt").read_text().replace('a__2.tsv"', 'a__2.tsv" metadata_path: "m"')
    (tmp_path / "run/projector_config.pbtxt").write_text(config)
    rows = [f"{number}\t{'odd' if number % 2 else 'even'}" for number in range(40)]
    (tmp_path / "run/m").write_text("\n".join(["id\tparity", *rows]) + "\n")
    with tbwidget.load(tmp_path) as logs:
        (chart,) = projector_preview.preview(logs, [])
        assert (chart.title, chart.are_points) == ("a:2", True)
        assert [(line.color, len(line.x)) for line in chart.lines] == [(run_color(0), 20), (run_color(1), 20)]
        coordinates, _ = components(VECTORS)
        np.testing.assert_allclose(chart.lines[1].x, coordinates[1::2, 0], atol=1e-4)
        np.testing.assert_allclose(chart.lines[1].y, coordinates[1::2, 1], atol=1e-4)
        png = preview(logs, "head", panels=[PANEL])
        assert png is not None
        assert len(colors_of(png)) >= 2
    monkeypatch.setattr(projector_preview, "MAX_BYTES", 10)
    with tbwidget.load(tmp_path) as logs:
        assert list(projector_preview.preview(logs, [])) == [], "it would take long to read"
        kept_vectors(logs, "run", logs.embeddings("run")[1])
        assert len(list(projector_preview.preview(logs, []))) == 1


def test_a_still_picture_looks_at_few_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, a=VECTORS)
    config = (tmp_path / "projector_config.pbtxt").read_text().replace('a.tsv"', 'a.tsv" metadata_path: "m"')
    (tmp_path / "projector_config.pbtxt").write_text(config)
    rows = [f"{number}\t{'odd' if number % 2 else 'even'}" for number in range(40)]
    (tmp_path / "m").write_text("\n".join(["id\tparity", *rows]) + "\n")
    sorted_values: list[str] = []

    def key(text: str) -> str:
        sorted_values.append(text)
        return text

    monkeypatch.setattr(projector_preview, "natural_key", key)

    def groups() -> int:
        sorted_values.clear()
        with tbwidget.load(tmp_path) as logs:
            (chart,) = projector_preview.preview(logs, [])
        return len(chart.lines)

    assert groups() == 2
    assert sorted(set(sorted_values) - {"a", "."}) == ["even", "odd"], "ids are too many to color by"
    monkeypatch.setattr(projector_preview, "_MAX_CELLS", 79)
    assert groups() == 1, "the second column would take too long"
    monkeypatch.undo()
    monkeypatch.setattr(projector_preview, "MAX_METADATA_BYTES", 100)
    assert groups() == 1


def test_a_still_picture_of_embeddings_that_cannot_be_drawn(tmp_path: Path) -> None:
    one = np.ones((3, 1), np.float32)
    put(tmp_path / "a", bad=VECTORS, nothing=np.full((3, 2), np.nan, np.float32), equal=one)
    put(tmp_path / "b", equal=one)
    (tmp_path / "a/bad.tsv").write_text("no\ttable\n")
    with tbwidget.load(tmp_path) as logs:
        charts = list(projector_preview.preview(logs, ["x", "equal"]))
        assert [chart.title for chart in charts] == ["equal of a", "equal of b"]
        assert charts[0].lines[0].y.tolist() == [0, 0, 0]
        assert preview(logs, "head", panels=[PANEL]) is not None
