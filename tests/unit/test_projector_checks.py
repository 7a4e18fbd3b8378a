"""Warnings in Python about options for embeddings that have no effect."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traitlets import TraitError

import tbwidget
from tbwidget.panels import projector_jobs, projector_view
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for

CONFIG = """
embeddings { tensor_name: "z_small" tensor_path: "small.tsv" metadata_path: "small_labels.tsv" }
embeddings { tensor_name: "large" tensor_path: "large.tsv" metadata_path: "large_labels.tsv" }
"""
NO_TSNE = 't-SNE needs the package openTSNE: pip install "tbwidget[projector]"'
NO_UMAP = 'UMAP needs the package umap-learn: pip install "tbwidget[projector]"'


def write_embeddings(folder: Path) -> None:
    """Write three points with the columns "word" and "digit", and ten whose only column has no name."""
    vectors = np.random.default_rng(0).normal(size=(10, 3))
    folder.mkdir()
    for name, points, labels in (
        ("small", 3, "word\tdigit\n" + "".join(f"w{i}\t{i}\n" for i in range(3))),
        ("large", 10, "".join(f"w{i}\n" for i in range(10))),
    ):
        np.savetxt(folder / f"{name}.tsv", vectors[:points], delimiter="\t")
        (folder / f"{name}_labels.tsv").write_text(labels)
    write(folder / NAME, event(1, 0, simple("s", 1)))
    write(folder / "projector_config.pbtxt", CONFIG.encode())


@pytest.fixture
def view(tmp_path: Path) -> Iterator[Any]:
    write_embeddings(tmp_path / "run")
    made = tbwidget.ProjectorView(tbwidget.load(tmp_path))
    yield made
    made.close()


def said_after_the_cell(board: Any) -> list[str]:
    wait_for(lambda: board._logs.source.ready)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        board._after_cell()
    return [str(warning.message) for warning in caught]


def test_columns_that_no_embedding_has(view: Any) -> None:
    view.color = "didgit"
    view.label = "label"
    assert said_after_the_cell(view) == ["color: no embedding has a column 'didgit'; did you mean 'digit'?"]
    assert said_after_the_cell(view) == []
    view.color, view.label = "", "nonsense"
    assert said_after_the_cell(view) == [
        "label: no embedding has a column 'nonsense'; the columns are 'word', 'digit', 'label'"
    ]


def test_rows_that_no_embedding_has(view: Any) -> None:
    view.selected = [0, 9]
    assert said_after_the_cell(view) == []
    view.selected = [0, 10, 500]
    assert said_after_the_cell(view) == ["selected: no embedding has the row 10, 500; rows are counted from 0 to 9"]


def test_nothing_is_said_without_embeddings(tmp_path: Path) -> None:
    view = tbwidget.ProjectorView(tmp_path, color="a", selected=[7])
    assert said_after_the_cell(view) == []
    view.close()


def test_a_method_whose_package_is_not_installed(view: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("umap", "tsne"):
        package = projector_jobs._PACKAGES[method][1]
        monkeypatch.setitem(projector_jobs._PACKAGES, method, ("no_such_module", package))
    view.method = "tsne"
    assert said_after_the_cell(view) == [f"method: {NO_TSNE}"]
    view.method = "umap"
    assert said_after_the_cell(view) == []  # the page computes it
    view.method = "pca"
    assert said_after_the_cell(view) == []
    monkeypatch.setattr(projector_view, "MAX_PAGE_POINTS", 9)
    view.method = "umap"
    assert said_after_the_cell(view) == [f"method: {NO_UMAP}"]
    with pytest.warns(UserWarning, match=re.escape(f"there is no projection: {NO_UMAP}")) as caught:
        assert view.projection is None
    assert caught[0].filename == __file__
    view.selected_runs = []
    assert view.projection is None  # no projection is shown: no warning


def test_a_method_that_was_not_computed_yet(view: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(projector_jobs._PACKAGES, "tsne", ("json", "openTSNE"))  # as if it were installed
    view.method = "tsne"
    assert said_after_the_cell(view) == []
    assert view.projection is None  # not computed yet: no warning


def test_a_wrong_value_lists_numbers_too(view: Any) -> None:
    with pytest.raises(TraitError, match=r"^dimensions: 4 is none of 2, 3$"):
        view.dimensions = 4


def test_too_few_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(projector_jobs._PACKAGES, "tsne", ("json", "openTSNE"))
    write_embeddings(tmp_path / "run")
    (tmp_path / "run" / "large.tsv").write_text("1\t2\n3\t4\n5\t7\n")
    view = tbwidget.ProjectorView(tbwidget.load(tmp_path), method="tsne", metric="euclidean")
    said = "3 points with a place; t-SNE needs 4 at least"
    assert said_after_the_cell(view) == [f"method: {said}"]
    with pytest.warns(UserWarning, match=said):
        assert view.projection is None
    view.close()
