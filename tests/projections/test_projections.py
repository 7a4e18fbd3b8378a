"""UMAP and t-SNE by umap-learn and openTSNE, in the processes that dashboards start."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.panels.projector_jobs import Floats, Jobs, Progress, Result, Task, parameters_for

PATIENCE = 280.0
"""Upper bound in seconds: umap-learn compiles itself for half a minute on an idle machine."""

Compute = Callable[..., tuple[Result, list[Progress]]]


@pytest.fixture
def compute(tmp_path: Path) -> Iterator[Compute]:
    """Computes a projection, and returns it with its progress reports."""
    jobs, logs = Jobs(), tbwidget.load(tmp_path)
    release = jobs.hold(logs)

    def computed(vectors: Floats, method: str, dimensions: int = 2, **asked: Any) -> tuple[Result, list[Progress]]:
        finite = int(np.isfinite(vectors).all(axis=1).sum())
        task = Task(str(time.monotonic()), method, dimensions, parameters_for(method, finite, asked))
        seen: list[Progress] = []
        deadline = time.monotonic() + PATIENCE
        while isinstance(found := jobs.ask(task, lambda: vectors, logs), Progress):
            assert time.monotonic() < deadline
            if not seen or seen[-1] != found:
                seen.append(found)
            time.sleep(0.01)
        return found, seen

    yield computed
    release()


def clusters(each: int, dimensions: int = 30) -> Floats:
    """Make three clusters, far from one another, `each` points after the other."""
    random = np.random.default_rng(3)
    centers = np.eye(3, dimensions) * 20 + 5
    return np.concatenate([random.normal(center, 1, (each, dimensions)) for center in centers]).astype(np.float32)


def purity(placed: Floats, each: int) -> float:
    """Return the share of points whose nearest neighbor in the projection is in the same cluster."""
    points = placed.T.astype(float)
    distances = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    return float((distances.argmin(axis=1) // each == np.arange(len(points)) // each).mean())


@pytest.mark.parametrize("method", ["umap", "tsne"])
@pytest.mark.parametrize(("dimensions", "metric"), [(2, "euclidean"), (3, "cosine")])
def test_clusters_stay_together(compute: Compute, method: str, dimensions: int, metric: str) -> None:
    vectors = clusters(60)
    vectors[17] = np.nan
    result, seen = compute(vectors, method, dimensions, metric=metric)
    assert result.used == 179
    assert np.isnan(result.coordinates).any(axis=0).nonzero()[0].tolist() == [17]
    placed = np.where(np.isnan(result.coordinates), 1e9, result.coordinates)
    assert purity(placed, 60) > 0.95
    assert purity(np.random.default_rng(0).permuted(placed, axis=1), 60) < 0.6
    phases = list(dict.fromkeys(progress.phase for progress in seen))
    expected = ["waiting", "starting", "compiling", "neighbors", "layout"]
    assert phases == [phase for phase in expected if phase in phases]
    assert "neighbors" in phases
    layout = [progress for progress in seen if progress.phase == "layout"]
    assert all(0 <= progress.done <= progress.total for progress in layout)
    assert [progress.done for progress in layout] == sorted(progress.done for progress in layout)


@pytest.mark.parametrize("method", ["umap", "tsne"])
def test_the_same_vectors_give_the_same_picture(compute: Compute, method: str) -> None:
    vectors = clusters(20)
    (one, _), (other, _) = compute(vectors, method), compute(vectors, method)
    np.testing.assert_allclose(one.coordinates, other.coordinates, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("method", ["umap", "tsne"])
@pytest.mark.parametrize("vectors", [clusters(2)[:4], np.ones((12, 3), np.float32), np.eye(4, 1, dtype=np.float32)])
def test_few_and_equal_points(compute: Compute, method: str, vectors: Floats) -> None:
    result, _ = compute(vectors, method)
    assert result.used == len(vectors)


def test_many_points_report_their_progress(compute: Compute) -> None:
    """Above 4,096 points umap-learn uses other code to search neighbors."""
    result, seen = compute(clusters(1_400), "umap", neighbors=5)
    assert result.used == 4_200
    assert len({progress.done for progress in seen if progress.phase == "layout"}) > 3
    _, seen = compute(clusters(1_400), "tsne", perplexity=10)
    shares = [progress.share for progress in seen if progress.share is not None]
    assert shares == sorted(shares)
    assert len(shares) > 10
    assert 0 < shares[0] < 0.1
    assert 0.9 < shares[-1] <= 1
