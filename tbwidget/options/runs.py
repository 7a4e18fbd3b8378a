"""The options of the list of runs: its columns and their order, groups, names and colours."""

from __future__ import annotations

import re
from typing import Any

import traitlets

from tbwidget.options.traits import Grouping, option

FIXED_COLUMNS = ("steps", "age", "duration")
STATISTICS = ("last", "min", "max", "mean")

_COLUMN = re.compile(rf"{'|'.join(FIXED_COLUMNS)}|(?:{'|'.join(STATISTICS)}|hparam):.+", re.DOTALL)
_COLUMNS = '"steps", "age", "duration", "last:TAG", "min:TAG", "max:TAG", "mean:TAG" or "hparam:NAME"'


class RunTableOptions(traitlets.HasTraits):
    """What the list of runs shows of each, and how."""

    run_columns = option(
        traitlets.List(traitlets.Unicode()),
        """Columns of the list of runs, beside their names: the last step, the age of the last point, the time from the
        first to the last; the last, smallest, greatest or mean value of a scalar; a hyperparameter. Type: list of str,
        each "steps", "age", "duration", "last:TAG", "min:TAG", "max:TAG", "mean:TAG" or "hparam:NAME". Default: [].""",
    )
    run_sort = option(
        traitlets.Unicode(""),
        """What the list of runs is sorted by: a column as in `run_columns`, which need not be shown, or "name"; with a
        "-" before it from the greatest to the smallest. Runs without a value come last. Type: str. Default: "", by
        name.""",
    )
    run_names = option(
        traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Unicode()),
        """Names that are shown in place of the runs' own. Type: dict of str to str. Default: {}.""",
        names="run",
    )
    run_color_by = option(
        Grouping("run", ("run", "group", "folder")),
        """What runs have their colours by: each its own; one for each group of `group_by`; one for each folder or each
        match of a regular expression (its first group in brackets, if it has one); or a hyperparameter, on a scale
        where its values are many numbers. Type: str, "run", "group", "folder", "regex:…" or "hparam:NAME".
        Default: "run".""",
    )
    runs_width = option(
        traitlets.Int(None, allow_none=True, min=120, max=2000),
        """Width of the list of runs in CSS pixels. Type: int, 120 to 2000, or None. Default: None, what its columns
        take.""",
    )

    @traitlets.validate("run_columns")
    def _check_columns(self, proposal: Any) -> list[str]:
        columns = list(dict.fromkeys(proposal.value))
        for column in columns:
            if not _COLUMN.fullmatch(column):
                raise traitlets.TraitError(f"run_columns: a column is {_COLUMNS}, not {column!r}")
        return columns

    @traitlets.validate("run_sort")
    def _check_sort(self, proposal: Any) -> str:
        text: str = proposal.value
        if text and not _COLUMN.fullmatch(column := text.removeprefix("-")) and column != "name":
            raise traitlets.TraitError(f'run_sort: runs are sorted by "name", {_COLUMNS}, not by {text!r}')
        return text
