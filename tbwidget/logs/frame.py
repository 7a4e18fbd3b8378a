"""Series as tables, for people who go on in pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tbwidget.logs.kinds.declare import joined
from tbwidget.logs.kinds.hparams import upwards
from tbwidget.logs.kinds.registry import TABLES
from tbwidget.logs.natural import natural_key
from tbwidget.logs.unknown import Names, chosen
from tbwidget.records.indices import repeat

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.declare import Table
    from tbwidget.logs.kinds.hparams import HParams

Columns = dict[str, Any]

_MAX_MICROSECONDS = 2.5e17
"""Largest distance from the epoch, in microseconds: Python's datetimes end with the year 9999."""


def table(
    logs: Logs,
    kind: str,
    runs: Names,
    tags: Names,
    *,
    superseded: bool,
    hparams: bool,
    times: bool,
) -> pd.DataFrame:
    """The table of a kind: see `LogDir.frame`."""
    if kind == "hparams":
        if tags is not None:
            raise ValueError('frame("hparams") has one row for each session: `tags` has no effect')
        return _hparams_table(logs.hparams(), _runs_chosen(logs, runs))
    if kind not in TABLES:
        raise ValueError(f"no table of kind {kind!r}; choose one of {', '.join((*TABLES, 'hparams'))}")
    names = _runs_chosen(logs, runs)
    found = _long(logs, kind, names, tags, superseded=superseded)
    if times:
        found["wall_time"] = _datetimes(found["wall_time"].to_numpy())
    if not hparams:
        return found
    columns = {str(name): column for name, column in found.items()}
    return _named(columns | _hparam_columns(logs.hparams(metrics=False), names, found))


def _datetimes(seconds: Any) -> pd.Series[Any]:
    """Seconds since the epoch as datetimes in UTC, to the microsecond; NaT for times beyond their range."""
    microseconds = np.round(seconds * 1e6)
    valid = np.abs(microseconds) < _MAX_MICROSECONDS
    column = np.full(len(microseconds), np.datetime64("NaT", "us"), "datetime64[us]")
    column[valid] = microseconds[valid].astype(np.int64).astype("datetime64[us]")
    return pd.Series(column).dt.tz_localize("UTC")


def _runs_chosen(logs: Logs, runs: Names) -> list[str]:
    return chosen(runs, logs.runs, lambda name: f"no run {name!r} in {logs.source.title}", "run")


def _long(logs: Logs, kind: str, runs: list[str], tags: Names, *, superseded: bool) -> pd.DataFrame:
    listed = {run: of_run for run, of_run in logs.tags().get(kind, {}).items() if run in set(runs)}
    place = f"run {runs[0]!r}" if len(runs) == 1 else "these runs"
    there = sorted({tag for of_run in listed.values() for tag in of_run}, key=natural_key)
    wanted = set(chosen(tags, there, lambda tag: f"no tag {tag!r} of kind {kind} in {place}", "tag"))
    names = [tag for tag in there if tag in wanted]
    code = {tag: number for number, tag in enumerate(names)}
    found: list[tuple[int, int, Columns]] = []
    table, accessor = TABLES[kind], getattr(logs, kind)
    for r, run in enumerate(runs):
        for tag in listed.get(run, []):
            if tag in wanted:
                with suppress(KeyError):  # gone since it was listed
                    series = accessor(run, tag, superseded=superseded)
                    columns = table.columns(series).items()
                    typed = {name: _column(values, table.dtypes.get(name)) for name, values in columns}
                    found.append((r, code[tag], typed))
    counts = [len(columns["step"]) for _, _, columns in found]
    parts = [columns for _, _, columns in found] or [_no_columns(table)]
    return pd.DataFrame(
        {
            "run": _categorical([r for r, _, _ in found], counts, runs),
            "tag": _categorical([t for _, t, _ in found], counts, names),
            **{name: _concatenated([part[name] for part in parts]) for name in parts[0]},
        }
    )


def _categorical(codes: list[int], counts: list[int], names: Sequence[str]) -> pd.Categorical[str]:
    categories: pd.Index[str] = pd.Index(list(names), dtype=object)
    return pd.Categorical.from_codes(repeat(np.array(codes, np.int32), counts), categories=categories)


def _concatenated(columns: list[Any]) -> Any:
    if isinstance(columns[0], pd.api.extensions.ExtensionArray):
        return pd.concat([pd.Series(column) for column in columns], ignore_index=True).array
    column = joined(columns)
    # Told so, since pandas would make its own strings of them, which not all bytes can be in.
    return pd.Series(column, dtype=object) if column.dtype == object else column


def _column(values: Any, dtype: Any) -> Any:
    """A column as pandas is given it."""
    if dtype == "Int64":  # some may be missing
        return pd.array(values, dtype="Int64")
    if dtype is object and not isinstance(values, np.ndarray):
        column = np.empty(len(values), object)
        column[:] = values
        return column
    return values


def _no_columns(table: Table) -> Columns:
    """The columns of a kind without rows."""
    dtypes = {"step": np.int64, "wall_time": np.float64, **table.dtypes}
    return {name: _column([] if dtype == "Int64" else np.empty(0, dtype), dtype) for name, dtype in dtypes.items()}


def _hparams_table(found: list[HParams], runs: list[str]) -> pd.DataFrame:
    wanted = set(runs)
    found = [trial for trial in found if trial.run in wanted]
    names = sorted({name for trial in found for name in trial.values}, key=natural_key)  # noqa: PD011 (no frame)
    metrics = sorted({name for trial in found for name in trial.metrics}, key=natural_key)
    about = ("run", "group", "status")
    columns = {name: pd.Series([getattr(trial, name) for trial in found], dtype=object) for name in about}
    columns |= {f"hparam/{name}": _mixed([trial.values.get(name) for trial in found]) for name in names}  # noqa: PD011
    columns |= {f"metric/{name}": pd.Series([trial.metrics.get(name, np.nan) for trial in found]) for name in metrics}
    return _named(columns)


def _named(columns: Mapping[str, Any]) -> pd.DataFrame:
    """A table of columns whose names are a log's: pandas' own strings cannot hold all of them."""
    frame = pd.DataFrame(dict(enumerate(columns.values())))
    frame.columns = pd.Index([*columns], dtype=object)
    return frame


def _mixed(values: list[Any]) -> pd.Series[Any]:
    """A column of values, some of which may be texts or missing."""
    plain = all(value is None or isinstance(value, (bool, int, float)) for value in values)
    return pd.Series(values, dtype=None if plain else object)


def _hparam_columns(trials: list[HParams], runs: list[str], rows: pd.DataFrame) -> dict[str, pd.Series[Any]]:
    """The hyperparameters of the run of each row; None, or NaN among numbers, where its trial has no such."""
    values = {trial.run: trial.values for trial in trials}  # noqa: PD011 (no frame)
    of_runs: list[Mapping[str, Any]] = [
        next((values[name] for name in upwards(run) if name in values), {}) for run in runs
    ]
    names = sorted({name for each in of_runs for name in each}, key=natural_key)
    codes = rows["run"].cat.codes.to_numpy()
    return {
        f"hparam/{name}": _mixed([each.get(name) for each in of_runs]).take(codes).set_axis(rows.index)
        for name in names
    }
