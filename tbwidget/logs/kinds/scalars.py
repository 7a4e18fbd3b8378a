"""Scalars: one number a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tbwidget.logs.kinds.declare import Kind, Table
from tbwidget.records.values import forms

if TYPE_CHECKING:
    from tbwidget.logs.series import Scalars
    from tbwidget.logs.source import LogSource
    from tbwidget.records.values.arrays import Array


def _columns(scalars: Scalars) -> dict[str, Array]:
    return {"step": scalars.step, "wall_time": scalars.wall_time, "value": scalars.value}


def scalars(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> Scalars:
    """Return the points of a scalar tag, in the order written.

    Points that a restart wrote again are left out unless `superseded` is true.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.scalars("run1", "loss").value.min()
    """
    return source.scalars(run, tag, superseded=superseded)


KIND = Kind(
    "scalars",
    plugins=("scalars",),
    forms=frozenset({forms.SIMPLE_VALUE, forms.NUMBER}),
    table=Table(_columns, {"value": np.float64}),
)
