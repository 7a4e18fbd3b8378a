"""Series as a table, for people who go on in pandas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from tbwidget.logs.natural import natural_key
from tbwidget.logs.series import Scalars


def scalar_frame(
    runs: Sequence[str],
    tags: Sequence[str] | None,
    listed: Mapping[str, Sequence[str]],
    series: Callable[[str, str], Scalars],
) -> pd.DataFrame:
    """A row a point of the chosen runs and tags, of those listed by run. Raises KeyError for a tag in none of them."""
    wanted = None if tags is None else set(tags)
    chosen = {run: [tag for tag in listed.get(run, []) if wanted is None or tag in wanted] for run in runs}
    names = sorted({tag for of_run in chosen.values() for tag in of_run}, key=natural_key)
    for tag in sorted((wanted or set()).difference(names)):
        raise KeyError(f"no scalar tag {tag!r} in {'these runs' if len(runs) != 1 else f'run {runs[0]!r}'}")
    code = {tag: number for number, tag in enumerate(names)}
    found = [(r, code[tag], series(run, tag)) for r, run in enumerate(runs) for tag in chosen[run]]
    counts = [len(scalars) for _, _, scalars in found]
    return pd.DataFrame(
        {
            "run": _categorical([r for r, _, _ in found], counts, list(runs)),
            "tag": _categorical([t for _, t, _ in found], counts, names),
            "step": np.concatenate([np.empty(0, np.int64), *(scalars.step for _, _, scalars in found)]),
            "wall_time": np.concatenate([np.empty(0), *(scalars.wall_time for _, _, scalars in found)]),
            "value": np.concatenate([np.empty(0), *(scalars.value for _, _, scalars in found)]),
        }
    )


def _categorical(codes: list[int], counts: list[int], names: list[str]) -> pd.Categorical[str]:
    categories: pd.Index[str] = pd.Index(names, dtype=object)
    return pd.Categorical.from_codes(np.repeat(np.array(codes, np.int32), counts), categories=categories)
