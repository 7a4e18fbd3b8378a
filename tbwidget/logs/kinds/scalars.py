"""Scalars: one number a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tbwidget.logs.kinds.declare import Kind, Table
from tbwidget.records.values import forms

if TYPE_CHECKING:
    from tbwidget.logs.series import Scalars
    from tbwidget.records.values.arrays import Array


def _columns(scalars: Scalars) -> dict[str, Array]:
    return {"step": scalars.step, "wall_time": scalars.wall_time, "value": scalars.value}


KIND = Kind(
    "scalars",
    plugins=("scalars",),
    forms=frozenset({forms.SIMPLE_VALUE, forms.NUMBER}),
    table=Table(_columns, {"value": np.float64}),
)
