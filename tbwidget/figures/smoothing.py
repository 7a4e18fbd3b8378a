"""Smoothed lines, by the formulas of the dashboards: js/src/lib/smoothing.ts is the twin that draws those."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
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
        else:
            weights, following = _weights(kind, int(amount))
            sums, counts = (np.convolve(each, weights)[following:][: len(piece)] for each in (plain, finite * 1.0))
            means = sums[finite] / counts[finite]
        result[first:end][finite] = means * scale
    return result


def _weights(kind: str, window: int) -> tuple[NDArray[np.float64], int]:
    """Weights of the values that are averaged, from the last to the first, and how many of them follow the point."""
    if kind == "mean":
        return np.ones(window), 0
    reach = window // 2
    return np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * (window / 6) ** 2)), reach
