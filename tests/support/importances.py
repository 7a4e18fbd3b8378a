"""The importance of hyperparameters according to numpy and pandas: prints js/tests/fixtures/importances.json."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd

MAX_BINS = 10
MIN_MEMBERS = 3


def adjusted_eta_squared(hparam: pd.Series[Any], metric: pd.Series[Any]) -> float:
    """Return 1 - (within / (n - k)) / (total / (n - 1)) of the groups."""
    groups = hparam.astype(object)
    numbers = hparam[[isinstance(value, float) for value in hparam]].astype(float)
    if numbers.nunique() > MAX_BINS:
        bins = max(2, min(MAX_BINS, math.isqrt(len(numbers))))
        groups[numbers.index] = pd.qcut(numbers, bins, duplicates="drop").astype(str)
    groups = groups.astype(str)
    sizes = groups.map(groups.value_counts())
    by_group = metric.groupby(groups.where(sizes >= MIN_MEMBERS, "pooled"))
    within = float(((metric - by_group.transform("mean")) ** 2).sum())
    total = float(((metric - metric.mean()) ** 2).sum())
    n, k = len(metric), by_group.ngroups
    return 1 - within / (n - k) / (total / (n - 1))


def main() -> None:
    """Print the cases: columns, with both numbers for each."""
    cases = []
    for seed, n in enumerate((20, 57, 200)):
        rng = np.random.default_rng(seed)
        bowl, slope = rng.random(n), 10 ** rng.uniform(-5, -1, n)
        kind = rng.choice(["adam", "sgd", "lion"], n)
        size = rng.choice([16.0, 32.0, 64.0], n)
        metric = 3 * (bowl - 0.5) ** 2 + np.log10(slope) / 4 + (kind == "sgd") * 0.3 + rng.normal(0, 0.1, n)
        columns: dict[str, list[Any]] = {
            "bowl": bowl.tolist(),
            "slope": slope.tolist(),
            "ties": rng.integers(0, 15, n).astype(float).tolist(),
            "size": size.tolist(),
            "kind": kind.tolist(),
            "mixed": ["auto" if i % 7 == 0 else value for i, value in enumerate(bowl.tolist())],
            "missing": [None if i % 5 == 0 else value for i, value in enumerate(slope.tolist())],
            "rare": [f"name {i if i % 3 == 0 else i % 9}" for i in range(n)],
        }
        found = {}
        for name, values in columns.items():
            frame = pd.DataFrame({"hparam": pd.Series(values, dtype=object), "metric": metric}).dropna()
            is_number = all(isinstance(value, float) for value in frame.hparam)
            ranks = frame.assign(hparam=frame.hparam.astype(float)).rank() if is_number else None
            found[name] = {
                "values": values,
                "share": adjusted_eta_squared(frame.hparam, frame.metric),
                "correlation": None if ranks is None else float(np.corrcoef(ranks.hparam, ranks.metric)[0, 1]),
                "count": len(frame),
            }
        cases.append({"metric": metric.tolist(), "columns": found})
    print(json.dumps(cases))


if __name__ == "__main__":
    main()
