"""The options of the list of runs: its columns and their order, groups, names and colors."""

from __future__ import annotations

import re
from typing import Any

import traitlets

from tbwidget.options.traits import Grouping, option
from tbwidget.texts import shorten

FIXED_COLUMNS = ("steps", "age", "duration", "checkpoints")
STATISTICS = ("last", "min", "max", "mean")

MAX_NOTES = 1_000
MAX_NOTE_CHARACTERS = 2_000
"""Upper bounds for notes about runs. Keep in step with js/src/options/runtable.ts."""

_COLUMN = re.compile(rf"{'|'.join(FIXED_COLUMNS)}|(?:{'|'.join(STATISTICS)}|hparam):.+", re.DOTALL)
_COLUMNS = '"steps", "age", "duration", "checkpoints", "last:TAG", "min:TAG", "max:TAG", "mean:TAG" or "hparam:NAME"'


class RunTableOptions(traitlets.HasTraits):
    """Columns, order, names and colors in the list of runs."""

    run_columns = option(
        traitlets.List(traitlets.Unicode()),
        """Columns of the run table beside the names: the last step, the age of the last point, the time from the first
        to the last, the checkpoints; the last, minimum, maximum or mean value of a scalar; a hyperparameter. Type: list
        of str, each "steps", "age", "duration", "checkpoints", "last:TAG", "min:TAG", "max:TAG", "mean:TAG" or
        "hparam:NAME". Default: [].""",
    )
    run_sort = option(
        traitlets.Unicode(""),
        """Sort order of the run table: a column as in `run_columns`, shown or not, or "name"; with a "-" before it,
        descending. Runs without a value come last. Type: str. Default: "", by name.""",
    )
    run_names = option(
        traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Unicode()),
        """Names to show instead of the names of runs. Type: dict of str to str. Default: {}.""",
        names="run",
    )
    run_notes = option(
        traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Unicode()),
        f"""Notes about runs, as plain text, which their names in the list show. Type: dict of str to str, at most
        {MAX_NOTES:,} notes of {MAX_NOTE_CHARACTERS:,} characters. Default: {{}}.""",
        names="run",
    )
    archived_runs = option(
        traitlets.List(traitlets.Unicode()),
        """Runs that the list, the charts and the numbers of shown runs leave out. Type: list of str. Default: [].""",
        names="run",
    )
    show_archived = option(
        traitlets.Bool(default_value=False),
        """Show archived runs like all others. Type: bool. Default: False.""",
    )
    run_color_by = option(
        Grouping("auto", ("auto", "run", "group", "folder")),
        """What determines the colors of runs: one color for each run, each group of `group_by`, each folder, or each
        match of a regular expression (or its first group in parentheses); or a hyperparameter, on a color scale if its
        values are many numbers. "auto": the group, if at least 13 runs are in 2 to 8 groups when the directory has
        been read; else the run. Groups are those of `group_by`, else folders, else the values of the only
        hyperparameter that varies. Type: str, "auto", "run", "group", "folder", "regex:…" or "hparam:NAME". Default:
        "auto".""",
    )
    headline_tag = option(
        traitlets.Unicode(None, allow_none=True),
        """The scalar whose spark line and last value the list of several runs shows; "" for none. Type: str or None.
        Default: None. The list then shows the first pinned one, else by its name a reward, a loss or accuracy of
        validation or test, else a plain one, and only where there is nothing else regularization, a learning rate, a
        time or a gradient, also when it arrives later.""",
        names="tag",
    )
    runs_width = option(
        traitlets.Int(None, allow_none=True, min=120, max=2000),
        """Width of the run table in CSS pixels. Type: int, 120 to 2000, or None. Default: None, fitted to its
        columns.""",
    )

    @traitlets.validate("run_notes")
    def _check_notes(self, proposal: Any) -> dict[str, str]:
        notes: dict[str, str] = proposal.value
        if len(notes) > MAX_NOTES:
            raise traitlets.TraitError(f"run_notes: at most {MAX_NOTES:,} notes are kept, not {len(notes):,}")
        for run, note in notes.items():
            if len(note) > MAX_NOTE_CHARACTERS:
                most = f"at most {MAX_NOTE_CHARACTERS:,} characters, not {len(note):,}"
                raise traitlets.TraitError(f"run_notes: a note has {most} ({shorten(run)!r})")
        return notes

    @traitlets.validate("archived_runs")
    def _check_archived(self, proposal: Any) -> list[str]:
        return list(dict.fromkeys(proposal.value))

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
