"""Principal components of all points of an embedding.

The smaller one of two matrices is decomposed: the covariance of the dimensions, or, where there are fewer points than
dimensions, the inner products of the points (the Gram matrix). Up to `MAX_EXACT` rows it is formed and all of its
eigenvectors are computed. Larger ones are never formed: a block Krylov method multiplies the points with some vectors,
at most `MAX_PASSES` times, which bounds the time to some passes over the points.

Points are read in chunks of rows and columns, and numpy releases Python's lock in each long operation. Beside the
points, memory holds their mean as float64, and components as float32, which are no more numbers than the points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
    components: npt.NDArray[np.float32]
    """float32[k, d], at most one a point: unit vectors by falling variance; the largest loading of each by absolute
    value is positive. Zero where nothing varies any more."""
    fractions: Matrix
    """float64[count]: share of each in the total variance; 0 where nothing varies, and beyond the k components."""
    has_place: npt.NDArray[np.bool_]
    """bool[n]: all values of the point are finite numbers."""
    is_approximate: bool
    """The iterative method has not converged for the leading components."""

    @property
    def nbytes(self) -> int:
        """Bytes of the mean and the components."""
        return self.mean.nbytes + self.components.nbytes

    def project(self, vectors: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.float32]:
        """Return the coordinates float32[count, n] along the first components; NaN for points without a place.

        Coordinates beyond the components are 0.
        """
        made = np.zeros((count, len(vectors)), np.float32)
        components = self.components[:count].T
        with np.errstate(invalid="ignore", over="ignore"):
            for rows in _chunks(vectors):
                made[: components.shape[1], rows] = _row_product(vectors[rows], self.mean, components).T
        made[:, ~self.has_place] = np.nan
        return made


def principal(vectors: npt.NDArray[np.float32], count: int, leading: int = 10) -> Principal:
    """Return the first `count` components of float32[n, d] vectors, at most n, and `count` fractions, at most d.

    Points with values that are not finite are left out. The `leading` ones are those that must have converged.
    """
    dimensions = vectors.shape[1]
    count = min(count, dimensions)
    has_place, mean = _mean(vectors)
    number = int(np.count_nonzero(has_place))
    points = vectors if number == len(vectors) else vectors[has_place]
    variance = math.fsum(float(np.square(chunk).sum()) for _, _, chunk in _centered(points, mean))
    fractions, count = np.zeros(count), min(count, number)  # components of few points in many dimensions are large
    components, is_approximate = np.zeros((count, dimensions), np.float32), False
    rounding = number * float(mean @ mean) * _ROUNDING**2  # of equal points
    variance = variance if variance > rounding else 0.0
    if variance > 0:
        if min(number, dimensions) <= MAX_EXACT:
            components, values = _exact(points, mean, count)
        else:
            components, values, is_approximate = _iterated(points, mean, count, min(leading, count))
        components[values <= _NOTHING * variance] = 0
        for component in components:
            if component[_first_largest(component)] < 0:
                np.negative(component, out=component)
        fractions[: len(values)] = np.where(values > _NOTHING * variance, np.minimum(values / variance, 1.0), 0.0)
    return Principal(mean, components, fractions, has_place, is_approximate)


def _first_largest(component: npt.NDArray[np.float32]) -> int:
    """Return the first index of the largest absolute loading, without an array of absolute values."""
    least, greatest = int(component.argmin()), int(component.argmax())
    if -component[least] == component[greatest]:
        return min(least, greatest)
    return least if -component[least] > component[greatest] else greatest


def _chunks(vectors: npt.NDArray[np.float32]) -> Iterator[slice]:
    rows = max(1, _CHUNK_NUMBERS // max(1, vectors.shape[1]))
    for begin in range(0, len(vectors), rows):
        yield slice(begin, begin + rows)


def _column_chunks(rows: int, columns: int) -> Iterator[slice]:
    """Columns of a chunk of rows: all of them, unless a row is longer than a chunk."""
    width = max(1, _CHUNK_NUMBERS // max(1, rows))
    for begin in range(0, columns, width):
        yield slice(begin, begin + width)


def _mean(vectors: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.bool_], Matrix]:
    has_place = np.ones(len(vectors), np.bool_)
    for rows in _chunks(vectors):
        chunk = vectors[rows]
        for columns in _column_chunks(*chunk.shape):
            has_place[rows] &= np.isfinite(chunk[:, columns]).all(axis=1)
    total = np.zeros(vectors.shape[1])
    for rows in _chunks(vectors):
        chunk = vectors[rows]
        for columns in _column_chunks(*chunk.shape):
            total[columns] += chunk[has_place[rows], columns].sum(axis=0, dtype=np.float64)
    total /= max(1, int(np.count_nonzero(has_place)))
    return has_place, total


def _serial(chunk: Matrix, width: int) -> Iterator[slice]:
    """Rows whose product with a matrix of this width needs no threads; all at once where that are too few."""
    rows = _SERIAL_PRODUCT // max(1, chunk.shape[1] * width)
    if rows < _MIN_SERIAL_ROWS:
        rows = len(chunk)
    for begin in range(0, len(chunk), max(1, rows)):
        yield slice(begin, begin + rows)


def _centered(points: npt.NDArray[np.float32], mean: Matrix) -> Iterator[tuple[slice, slice, Matrix]]:
    """Rows and columns, and the points there less their mean."""
    for rows in _chunks(points):
        chunk = points[rows]
        for columns in _column_chunks(*chunk.shape):
            centered = chunk[:, columns].astype(np.float64)
            centered -= mean[columns]
            yield rows, columns, centered


def _row_product(rows: npt.NDArray[np.float32], mean: Matrix, vectors: npt.NDArray[Any]) -> Matrix:
    """Return centered rows times vectors [d, k]."""
    made = np.zeros((len(rows), vectors.shape[1]))
    for _, columns, chunk in _centered(rows, mean):
        factor = vectors[columns].astype(np.float64, copy=False)
        for part in _serial(chunk, vectors.shape[1]):
            made[part] += chunk[part] @ factor
    return made


def _exact(points: npt.NDArray[np.float32], mean: Matrix, count: int) -> tuple[npt.NDArray[np.float32], Matrix]:
    """Components and eigenvalues, of the smaller matrix."""
    number, dimensions = points.shape
    if number >= dimensions:
        covariance = np.zeros((dimensions, dimensions))
        for rows in _chunks(points):
            chunk = points[rows].astype(np.float64) - mean
            for part in _serial(chunk, dimensions):
                covariance += chunk[part].T @ chunk[part]
        values, vectors = np.linalg.eigh(covariance)
        return vectors[:, ::-1][:, :count].T.astype(np.float32), values[::-1][:count]
    gram = np.zeros((number, number))
    columns = max(1, _CHUNK_NUMBERS // number)
    for begin in range(0, dimensions, columns):
        part = slice(begin, begin + columns)
        chunk = points[:, part].astype(np.float64) - mean[part]
        gram += chunk @ chunk.T
    values, vectors = np.linalg.eigh(gram)
    values, vectors = values[::-1][:count], vectors[:, ::-1][:, :count]
    return _loadings(points, mean, vectors, values), values


def _loadings(
    points: npt.NDArray[np.float32], mean: Matrix, vectors: Matrix, values: Matrix
) -> npt.NDArray[np.float32]:
    """Unit vectors float32[k, d] in the dimensions, of eigenvectors and eigenvalues of the Gram matrix."""
    number, dimensions = points.shape
    lengths = np.sqrt(np.where(values > 0, values, 1.0))
    loadings = np.empty((vectors.shape[1], dimensions), np.float32)
    squares = np.zeros(len(loadings))
    for columns in _column_chunks(max(number, len(loadings)), dimensions):
        part = _transposed(points[:, columns], mean[columns], vectors) / lengths
        squares += np.square(part).sum(axis=0)
        loadings[:, columns] = part.T
    loadings /= np.sqrt(np.where(squares > 0, squares, 1.0))[:, None].astype(np.float32)
    return loadings


def _transposed(points: npt.NDArray[np.float32], mean: Matrix, vectors: Matrix) -> Matrix:
    made = np.zeros((points.shape[1], vectors.shape[1]))
    for rows, columns, chunk in _centered(points, mean):
        made[columns] += chunk.T @ vectors[rows]
    return made


def _product(points: npt.NDArray[np.float32], mean: Matrix, vectors: Matrix) -> Matrix:
    return np.concatenate([_row_product(points[rows], mean, vectors) for rows in _chunks(points)])


def _iterated(
    points: npt.NDArray[np.float32], mean: Matrix, count: int, leading: int
) -> tuple[npt.NDArray[np.float32], Matrix, bool]:
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
    components = _loadings(points, mean, found, values) if is_wide else found.T.astype(np.float32)
    return components, values, not has_converged
