"""Smoothed lines, by the formulas of the dashboards: js/src/lib/smoothing.ts is the twin that draws those."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Smoothing(NamedTuple):
    """The value of `smoothing_kind`, and of the option that belongs to it."""

    kind: str
    amount: float
    """Weight of the past for "ema", points of the window for "mean" and "gaussian"."""

    @property
    def changes(self) -> bool:
        """Whether it changes any line."""
        return self.kind != "none" and self.amount > (0 if self.kind == "ema" else 1)


NOT_SMOOTHED = Smoothing("none", 0)


def smoothed(values: NDArray[np.float64], smoothing: Smoothing, breaks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each piece between `breaks` by itself; values that are not finite stay, and count nowhere.

    "ema": m[i] = w m[i-1] + (1 - w) v[i], m[-1] = 0, divided by 1 - w**(i + 1), of the finite values alone. "mean": the
    mean of v[i-n+1] to v[i]. "gaussian": the mean of v[j] with |j - i| <= n / 2, weighted by exp(-(j - i)**2 / (2
    s**2)) with s = n / 6.
    """
    if not smoothing.changes:
        return values
    kind, amount = smoothing
    result = values.copy()
    ends = [*breaks.tolist(), len(values)]
    for first, end in zip([0, *ends], ends, strict=False):
        piece = values[first:end]
        finite = np.isfinite(piece)
        held = piece[finite]
        if not len(held) or (held == held[0]).all():  # a constant stays the same to the last bit
            continue
        # Sums of the largest numbers would be too large for one.
        scale = 2.0 ** max(0, np.frexp(np.abs(held).max())[1] - 1000)
        plain = np.where(finite, piece, 0.0) / scale
        if kind == "ema":
            means = pd.Series(held / scale).ewm(alpha=1 - amount, adjust=True).mean().to_numpy()
        elif kind == "mean":
            means = _last_sums(plain, int(amount))[finite] / _last_sums(finite.astype(np.float64), int(amount))[finite]
        else:
            means = _around(plain, int(amount))[finite] / _around(finite.astype(np.float64), int(amount))[finite]
        result[first:end][finite] = means * scale
    return result


def _last_sums(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Sums of the last `window` values, or as many as there are.

    A window is the end of one block of as many values and the beginning of the next: nothing is subtracted, so no
    digits are lost.
    """
    count = len(values)
    window = min(window, count)
    blocks = np.pad(values, (0, -count % window)).reshape(-1, window)
    until = blocks.cumsum(axis=1).ravel()[:count]
    onwards = blocks[:, ::-1].cumsum(axis=1)[:, ::-1].ravel()
    first = np.arange(count) - window + 1
    reaches_back = (first > 0) & (first % window > 0)
    sums: NDArray[np.float64] = until + np.where(reaches_back, onwards[np.maximum(first, 0)], 0.0)
    return sums


def _around(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Sums of the values up to half a window away, weighted by a Gaussian: its deviation is a sixth of the window."""
    reach = window // 2
    weights = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * (window / 6) ** 2))
    return np.convolve(values, weights)[reach : reach + len(values)]
