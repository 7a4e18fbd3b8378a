"""Principal components: compared with numpy's SVD and scikit-learn, also for points with little or no variance."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from tbwidget.panels import projector_pca
from tbwidget.panels.projector_pca import principal


def points(count: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """Correlated points around a far mean, with a falling spectrum."""
    random = np.random.default_rng(seed)
    scales = 1.3 ** -np.arange(min(count, dimensions), dtype=float)
    mixed = random.normal(size=(count, len(scales))) * scales @ random.normal(size=(len(scales), dimensions))
    return (mixed + random.normal(size=dimensions) * 5).astype(np.float32)


def by_svd(vectors: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return components with their signs, and fractions of the variance."""
    centered = vectors.astype(np.float64) - vectors.astype(np.float64).mean(axis=0)
    _, singular, components = np.linalg.svd(centered, full_matrices=False)
    components = components[:count]
    largest = components[np.arange(len(components)), np.argmax(np.abs(components), axis=1)]
    return components * np.sign(largest)[:, None], (singular**2 / np.sum(singular**2))[:count]


@pytest.mark.parametrize("shape", [(400, 30), (30, 400), (50, 50), (2, 7), (9, 2), (5, 1)])
def test_exact_components_equal_the_svd(shape: tuple[int, int]) -> None:
    vectors = points(*shape)
    found = principal(vectors, 10)
    rank = min(shape[0] - 1, shape[1], 10)
    components, fractions = by_svd(vectors, rank)
    np.testing.assert_allclose(found.components[:rank], components, atol=2e-6)
    np.testing.assert_allclose(found.fractions[:rank], fractions, atol=1e-9)
    assert not found.is_approximate
    assert found.components.shape == (min(10, *shape), shape[1])
    assert found.fractions.shape == (min(10, shape[1]),)
    assert not found.components[rank:].any()
    assert not found.fractions[rank:].any()
    coordinates = found.project(vectors, 2 if shape[1] > 1 else 1)
    centered = vectors - vectors.astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(coordinates, (centered @ found.components[: len(coordinates)].T).T, atol=1e-4)


@pytest.mark.parametrize("shape", [(1, 4_000_000), (2, 2_000_000), (8, 500_000)])
def test_few_points_in_many_dimensions_take_little_memory(shape: tuple[int, int]) -> None:
    vectors = points(*shape)
    tracemalloc.start()
    try:
        found = principal(vectors, 50)
        coordinates = found.project(vectors, 10)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * vectors.nbytes + 40_000_000
    assert found.nbytes <= 3 * vectors.nbytes
    assert found.fractions.shape == (50,)
    distances = np.linalg.norm(vectors[1:].astype(float) - vectors[0], axis=1)
    np.testing.assert_allclose(np.linalg.norm(coordinates[:, 1:] - coordinates[:, :1], axis=0), distances, rtol=1e-5)
    assert not coordinates[len(vectors) :].any()


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in ((200, 20), (20, 200)):
        vectors = points(*shape)
        whole = principal(vectors, 5)
        monkeypatch.setattr(projector_pca, "_CHUNK_NUMBERS", 70)
        parts = principal(vectors, 5)
        np.testing.assert_allclose(parts.components, whole.components, atol=1e-8)
        np.testing.assert_allclose(parts.project(vectors, 5), whole.project(vectors, 5), atol=1e-5)
        monkeypatch.undo()


@pytest.mark.parametrize("shape", [(300, 120), (120, 300)])
def test_iterated_components_equal_the_svd(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_pca, "MAX_EXACT", 100)
    vectors = points(*shape)
    found = principal(vectors, 20)
    components, fractions = by_svd(vectors, 10)
    assert not found.is_approximate
    np.testing.assert_allclose(found.fractions[:10], fractions, rtol=1e-5)
    np.testing.assert_allclose(np.abs(np.sum(found.components[:10] * components, axis=1)), 1, atol=1e-4)


def test_components_that_have_not_converged_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_pca, "MAX_EXACT", 100)
    monkeypatch.setattr(projector_pca, "MAX_PASSES", 1)
    vectors = np.random.default_rng(0).normal(size=(400, 300)).astype(np.float32)
    found = principal(vectors, 10)
    assert found.is_approximate
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(10), atol=1e-6)


def test_scikit_learn_agrees() -> None:
    decomposition = pytest.importorskip("sklearn.decomposition")
    vectors = points(300, 25)
    theirs = decomposition.PCA(5, svd_solver="full").fit(vectors.astype(np.float64))
    found = principal(vectors, 5)
    np.testing.assert_allclose(found.fractions, theirs.explained_variance_ratio_, rtol=1e-7)
    np.testing.assert_allclose(np.abs(np.sum(found.components * theirs.components_, axis=1)), 1, atol=1e-6)


def test_signs_and_order() -> None:
    vectors = np.zeros((4, 3), np.float32)
    vectors[:, 2] = [-3, -1, 1, 3]
    vectors[:, 0] = [1, -1, -1, 1]
    found = principal(-vectors, 3)
    np.testing.assert_allclose(found.components, [[0, 0, 1], [1, 0, 0], [0, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(found.fractions, [20 / 24, 4 / 24, 0])
    np.testing.assert_allclose(found.project(-vectors, 2), [[3, 1, -1, -3], [-1, 1, 1, -1]], atol=1e-6)


def test_points_that_are_not_finite_have_no_place() -> None:
    vectors = points(50, 6)
    expected = principal(np.delete(vectors, [3, 17, 20], axis=0), 4)
    vectors[3, 1], vectors[17, 0], vectors[20] = np.nan, np.inf, -np.inf
    found = principal(vectors, 4)
    np.testing.assert_allclose(found.components, expected.components)
    np.testing.assert_allclose(found.fractions, expected.fractions)
    coordinates = found.project(vectors, 4)
    assert np.flatnonzero(np.isnan(coordinates).all(axis=0)).tolist() == [3, 17, 20]
    assert np.count_nonzero(np.isnan(coordinates)) == 12


@pytest.mark.parametrize(
    "vectors",
    [
        np.empty((0, 0)),
        np.empty((0, 4)),
        np.ones((1, 4)),
        np.full((5, 3), 0.1),
        np.full((3, 2), np.nan),
        np.ones((4, 0)),
    ],
)
def test_nothing_varies(vectors: np.ndarray) -> None:
    vectors = vectors.astype(np.float32)
    found = principal(vectors, 10)
    dimensions = min(10, vectors.shape[1])
    assert found.fractions.tolist() == [0] * dimensions
    coordinates = found.project(vectors, dimensions)
    assert coordinates.shape == (dimensions, len(vectors))
    assert not np.nan_to_num(coordinates).any()
