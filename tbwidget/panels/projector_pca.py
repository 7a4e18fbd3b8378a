"""Principal components of all points of an embedding.

The smaller one of two matrices is decomposed: the covariance of the dimensions, or, where there are fewer points than
dimensions, the inner products of the points (the Gram matrix). Up to `MAX_EXACT` rows it is formed and all of its
eigenvectors are computed. Larger ones are never formed: a block Krylov method multiplies the points with some vectors,
at most `MAX_PASSES` times, which bounds the time to some passes over the points.

Points are read in chunks, and numpy releases Python's lock in each long operation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MAX_EXACT = 1024
"""Rows of a matrix whose eigenvectors are computed exactly, in about 1 s of CPU time."""

MAX_PASSES = 16
"""Passes over the points of the iterative method."""

TOLERANCE = 1e-4
"""Residual of an eigenvector, relative to the largest eigenvalue, below which the iterative method ends."""

_BLOCK = 16  # vectors that a pass multiplies, at least
_CHUNK_NUMBERS = 1 << 19  # 4 MB as float64
_SERIAL_PRODUCT = 1 << 18
"""Multiplications of a matrix product up to which OpenBLAS uses one thread. On a busy machine its threads wait for one
another: a product of 10,000 x 100 numbers took 8 ms with one, and 140 ms with two."""
_MIN_SERIAL_ROWS = 24  # of such a product; with fewer, calling it costs more than waiting
_ROUNDING = 1e-14  # of a mean, relative
_NOTHING = 1e-12  # share of the variance below which a component is a rounding error

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Principal:
    """Principal components of n points in d dimensions."""

    mean: Matrix
    """float64[d], of the points that have a place."""
    components: Matrix
    """float64[k, d]: unit vectors by falling variance; the largest loading of each by absolute value is positive. Zero
    where nothing varies any more."""
    fractions: Matrix
    """float64[k]: share of each in the total variance; 0 where nothing varies."""
    has_place: npt.NDArray[np.bool_]
    """bool[n]: all values of the point are finite numbers."""
    is_approximate: bool
    """The iterative method has not converged for the leading components."""

    def project(self, vectors: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.float32]:
        """Return the coordinates float32[count, n] along the first components; NaN for points without a place."""
        made = np.empty((count, len(vectors)), np.float32)
        components = self.components[:count].T
        for rows in _chunks(vectors):
            with np.errstate(invalid="ignore", over="ignore"):
                centered = vectors[rows].astype(np.float64) - self.mean
                for part in _serial(centered, count):
                    made[:, rows][:, part] = (centered[part] @ components).T
        made[:, ~self.has_place] = np.nan
        return made


def principal(vectors: npt.NDArray[np.float32], count: int, leading: int = 10) -> Principal:
    """Return the first `count` components of float32[n, d] vectors, at most d.

    Points with values that are not finite are left out. The `leading` ones are those that must have converged.
    """
    dimensions = vectors.shape[1]
    count = min(count, dimensions)
    has_place, mean = _mean(vectors)
    number = int(np.count_nonzero(has_place))
    points = vectors if number == len(vectors) else vectors[has_place]
    variance = math.fsum(float(np.square(chunk).sum()) for chunk in _centered(points, mean))
    components, values, is_approximate = np.zeros((count, dimensions)), np.zeros(count), False
    rounding = number * float(np.square(mean * _ROUNDING).sum())  # of equal points
    variance = variance if variance > rounding else 0.0
    if variance > 0:
        if min(number, dimensions) <= MAX_EXACT:
            found, found_values = _exact(points, mean, count)
        else:
            found, found_values, is_approximate = _iterated(points, mean, count, min(leading, count))
        kept = found_values > _NOTHING * variance
        rows = np.flatnonzero(kept)
        components[: len(rows)], values[: len(rows)] = found[rows], found_values[rows]
        places = np.argmax(np.abs(components), axis=1)
        components *= np.where(components[np.arange(count), places] < 0, -1.0, 1.0)[:, np.newaxis]
        values = np.minimum(values / variance, 1.0)
    return Principal(mean, components, values, has_place, is_approximate)


def _chunks(vectors: npt.NDArray[np.float32]) -> Iterator[slice]:
    rows = max(1, _CHUNK_NUMBERS // max(1, vectors.shape[1]))
    for begin in range(0, len(vectors), rows):
        yield slice(begin, begin + rows)


def _mean(vectors: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.bool_], Matrix]:
    has_place = np.empty(len(vectors), np.bool_)
    total = np.zeros(vectors.shape[1])
    for rows in _chunks(vectors):
        chunk = vectors[rows]
        has_place[rows] = np.isfinite(chunk).all(axis=1)
        total += chunk[has_place[rows]].sum(axis=0, dtype=np.float64)
    return has_place, total / max(1, int(np.count_nonzero(has_place)))


def _serial(chunk: Matrix, width: int) -> Iterator[slice]:
    """Rows whose product with a matrix of this width needs no threads; all at once where that are too few."""
    rows = _SERIAL_PRODUCT // max(1, chunk.shape[1] * width)
    if rows < _MIN_SERIAL_ROWS:
        rows = len(chunk)
    for begin in range(0, len(chunk), max(1, rows)):
        yield slice(begin, begin + rows)


def _centered(points: npt.NDArray[np.float32], mean: Matrix) -> Iterator[Matrix]:
    for rows in _chunks(points):
        yield points[rows].astype(np.float64) - mean


def _exact(points: npt.NDArray[np.float32], mean: Matrix, count: int) -> tuple[Matrix, Matrix]:
    """Components and eigenvalues, of the smaller matrix."""
    number, dimensions = points.shape
    if number >= dimensions:
        covariance = np.zeros((dimensions, dimensions))
        for chunk in _centered(points, mean):
            for part in _serial(chunk, dimensions):
                covariance += chunk[part].T @ chunk[part]
        values, vectors = np.linalg.eigh(covariance)
        return vectors[:, ::-1][:, :count].T, values[::-1][:count]
    gram = np.zeros((number, number))
    columns = max(1, _CHUNK_NUMBERS // number)
    for begin in range(0, dimensions, columns):
        part = slice(begin, begin + columns)
        chunk = points[:, part].astype(np.float64) - mean[part]
        gram += chunk @ chunk.T
    values, vectors = np.linalg.eigh(gram)
    values, vectors = values[::-1][:count], vectors[:, ::-1][:, :count]
    return _loadings(points, mean, vectors), values


def _loadings(points: npt.NDArray[np.float32], mean: Matrix, vectors: Matrix) -> Matrix:
    """Unit vectors in the dimensions of eigenvectors of the Gram matrix."""
    loadings = _transposed(points, mean, vectors)
    lengths = np.linalg.norm(loadings, axis=0)
    return (loadings / np.where(lengths > 0, lengths, 1.0)).T


def _transposed(points: npt.NDArray[np.float32], mean: Matrix, vectors: Matrix) -> Matrix:
    made = np.zeros((points.shape[1], vectors.shape[1]))
    begin = 0
    for chunk in _centered(points, mean):
        made += chunk.T @ vectors[begin : begin + len(chunk)]
        begin += len(chunk)
    return made


def _product(points: npt.NDArray[np.float32], mean: Matrix, vectors: Matrix) -> Matrix:
    return np.concatenate([chunk @ vectors for chunk in _centered(points, mean)])


def _iterated(points: npt.NDArray[np.float32], mean: Matrix, count: int, leading: int) -> tuple[Matrix, Matrix, bool]:
    """Components and eigenvalues by a block Krylov method, and whether the leading ones have not converged."""
    is_wide = points.shape[1] > points.shape[0]

    def multiply(block: Matrix) -> Matrix:
        if is_wide:
            return _product(points, mean, _transposed(points, mean, block))
        return _transposed(points, mean, _product(points, mean, block))

    size = min(points.shape)
    block = np.random.default_rng(0).standard_normal((size, max(_BLOCK, count // 3)))
    basis, images = np.empty((size, 0)), np.empty((size, 0))
    values, vectors, has_converged = np.empty(0), np.empty((0, 0)), False
    for _ in range(MAX_PASSES):
        for _ in range(2):  # once leaves rounding errors
            block = block - basis @ (basis.T @ block)
        block = np.linalg.qr(block)[0]
        image = multiply(block)
        basis, images = np.hstack((basis, block)), np.hstack((images, image))
        projected = basis.T @ images
        values, vectors = np.linalg.eigh((projected + projected.T) / 2)
        values, vectors = values[::-1][:count], vectors[:, ::-1][:, :count]
        residuals = np.linalg.norm(images @ vectors - basis @ vectors * values, axis=0)
        has_converged = basis.shape[1] >= count and bool((residuals[:leading] <= TOLERANCE * values[0]).all())
        if has_converged:
            break
        block = image
    found = basis @ vectors
    return (_loadings(points, mean, found) if is_wide else found.T), values, not has_converged
