"""PR curves with scikit-learn's areas, and the values that writers make of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbwidget.proto.summary_pb2 import Summary
from tbwidget.proto.tensor_pb2 import DT_DOUBLE, TensorProto, TensorShapeProto
from tests.support.eventfiles import name, plugin

CASES = json.loads((Path(__file__).parents[2] / "js" / "tests" / "fixtures" / "pr_curves.json").read_text())
"""Curves of 11, 127, 201 and 2 thresholds, written by `tools/make_fixtures.py measures`."""

_COUNTS = ("tp", "fp", "tn", "fn")


def table_of(case: dict[str, Any]) -> NDArray[np.float64]:
    """Make the table of a curve: a row for each of the counts, precision and recall."""
    counts = [case["counts"][column] for column in _COUNTS]
    return np.array([*counts, case["precision"], case["recall"]], np.float64)


def value_of(tag: str, table: NDArray[np.float64]) -> Summary.Value:
    """Make the value of a table of any shape."""
    shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in table.shape])
    tensor = TensorProto(dtype=DT_DOUBLE, tensor_shape=shape, tensor_content=table.astype("<f8").tobytes())
    return Summary.Value(tag=name(tag), metadata=plugin("pr_curves"), tensor=tensor)
