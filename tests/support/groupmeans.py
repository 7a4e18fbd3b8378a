"""Statistics of groups of trials by pandas: prints js/tests/fixtures/groupmeans.json."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

GROUPS = ("", "", "wide", "deep", "wide", "deep", "deep", "lone", "wide", "none")
"""Group of each session; "" is no group. Trials of "none" have no metric, and "lone" has a single trial."""
METRICS = ("acc", "loss")
MISSING = 0.3
"""Share of the trials without a metric."""


def main() -> None:
    """Print the cases: sessions, and for each group the statistics of metrics, and common values."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        # One row for each session; a session without a group is its own group.
        frame = pd.DataFrame(
            {
                "group": GROUPS,
                "lr": rng.choice([0.1, 0.01], len(GROUPS)),
                "opt": [f"opt {name}" for name in GROUPS],
                **{name: rng.normal(10.0**seed, 1, len(GROUPS)) for name in METRICS},
            }
        )
        frame.loc[frame.group == "none", list(METRICS)] = np.nan
        for name in METRICS:
            frame.loc[rng.random(len(GROUPS)) < MISSING, name] = np.nan
        frame["row"] = [name or f"session {i}" for i, name in enumerate(GROUPS)]
        by_row = frame.groupby("row", sort=False)
        groups = [
            {
                "row": row,
                "metrics": {
                    name: {key: None if pd.isna(value) else float(value) for key, value in statistics.items()}
                    for name in METRICS
                    for statistics in [by_row[name].agg(["mean", "min", "max", "count"]).loc[row]]
                },
                "common": {
                    name: values.iloc[0] if len(set(values)) == 1 else None
                    for name in ("lr", "opt")
                    for values in [by_row.get_group(row)[name]]
                },
            }
            for row in frame.row.unique()
        ]
        sessions = json.loads(frame.drop(columns="row").to_json(orient="records", double_precision=15))
        cases.append({"sessions": sessions, "groups": groups})
    print(json.dumps(cases))


if __name__ == "__main__":
    main()
