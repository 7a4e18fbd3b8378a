"""Series as tables, for people who go on in pandas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from tbwidget.logs.natural import natural_key
from tbwidget.records.arrays import MOST_REPEATED, Array

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Accessors
    from tbwidget.logs.hparams import HParams

Columns = dict[str, Array]


class _Series(NamedTuple):
    """What is asked for of one series."""

    logs: Accessors
    run: str
    tag: str
    superseded: bool


def table(
    logs: Accessors, kind: str, runs: list[str] | None, tags: list[str] | None, *, superseded: bool
) -> pd.DataFrame:
    """The table of a kind: see `Accessors.frame`."""
    if kind == "hparams":
        if tags is not None:
            raise ValueError("the table of hparams has a row a run: `tags` chooses nothing there")
        return _hparams_table(logs.hparams(), _runs_named(logs, runs))
    if kind not in _COLUMNS:
        raise ValueError(f"no table of {kind!r}; there are those of {', '.join((*_COLUMNS, 'hparams'))}")
    names = _runs_named(logs, runs)
    return _long(logs, kind, names, tags, superseded=superseded)


def _runs_named(logs: Accessors, runs: list[str] | None) -> list[str]:
    there = logs.runs
    for name in runs or []:
        if name not in there:
            raise KeyError(f"no run {name!r} in {logs.path}")
    return there if runs is None else list(dict.fromkeys(runs))


def _long(logs: Accessors, kind: str, runs: list[str], tags: list[str] | None, *, superseded: bool) -> pd.DataFrame:
    listed = logs.tags().get(kind, {})
    wanted = None if tags is None else set(tags)
    chosen = {run: [tag for tag in listed.get(run, []) if wanted is None or tag in wanted] for run in runs}
    names = sorted({tag for of_run in chosen.values() for tag in of_run}, key=natural_key)
    for tag in sorted((wanted or set()).difference(names)):
        place = f"run {runs[0]!r}" if len(runs) == 1 else "these runs"
        raise KeyError(f"no tag {tag!r} of kind {kind} in {place}")
    code = {tag: number for number, tag in enumerate(names)}
    found = [
        (r, code[tag], _COLUMNS[kind](_Series(logs, run, tag, superseded)))
        for r, run in enumerate(runs)
        for tag in chosen[run]
    ]
    counts = [len(columns["step"]) for _, _, columns in found]
    parts = [columns for _, _, columns in found] or [_no_columns(kind)]
    return pd.DataFrame(
        {
            "run": _categorical([r for r, _, _ in found], counts, runs),
            "tag": _categorical([t for _, t, _ in found], counts, names),
            **{name: _concatenated([part[name] for part in parts]) for name in parts[0]},
        }
    )


def _categorical(codes: list[int], counts: list[int], names: Sequence[str]) -> pd.Categorical[str]:
    categories: pd.Index[str] = pd.Index(list(names), dtype=object)
    return pd.Categorical.from_codes(np.repeat(np.array(codes, np.int32), counts), categories=categories)


def _concatenated(columns: list[Any]) -> Any:
    if isinstance(columns[0], pd.api.extensions.ExtensionArray):
        return pd.concat([pd.Series(column) for column in columns], ignore_index=True).array
    column = np.concatenate(columns)
    # Told so, since pandas would make its own strings of them, which not all bytes can be in.
    return pd.Series(column, dtype=object) if column.dtype == object else column


# The columns of one series of each kind.


def _scalars(of: _Series) -> Columns:
    scalars = of.logs.scalars(of.run, of.tag, superseded=of.superseded)
    return {"step": scalars.step, "wall_time": scalars.wall_time, "value": scalars.value}


def _histograms(of: _Series) -> Columns:
    histograms = of.logs.histograms(of.run, of.tag, superseded=of.superseded)
    buckets = histograms.decode()
    lengths = np.diff(buckets.offsets)
    return {
        "step": np.repeat(histograms.step, lengths),
        "wall_time": np.repeat(histograms.wall_time, lengths),
        "left": buckets.left,
        "right": buckets.right,
        "count": buckets.counts,
    }


def _images(of: _Series) -> Columns:
    images = of.logs.images(of.run, of.tag, superseded=of.superseded)
    looks = images.sizes()
    return {
        "step": images.step,
        "wall_time": images.wall_time,
        "sample": images.sample,
        "format": _objects(looks.format),
        "width": _whole(looks.width),
        "height": _whole(looks.height),
        "bytes": _whole(looks.bytes),
    }


def _audio(of: _Series) -> Columns:
    audio = of.logs.audio(of.run, of.tag, superseded=of.superseded)
    rate = np.full(len(audio), np.nan)
    content_type, label = np.full(len(audio), None), np.full(len(audio), None)
    lengths: list[int | None] = [None] * len(audio)
    for place, clip in audio.readable():
        rate[place] = np.nan if clip.sample_rate is None else clip.sample_rate
        content_type[place], label[place], lengths[place] = clip.content_type, clip.label, len(clip.data)
    return {
        "step": audio.step,
        "wall_time": audio.wall_time,
        "sample": audio.sample,
        "sample_rate": rate,
        "content_type": content_type,
        "label": label,
        "bytes": _whole(lengths),
    }


def _text(of: _Series) -> Columns:
    texts = of.logs.text(of.run, of.tag, superseded=of.superseded)
    values = [(index, text.value) for index, text in texts.readable() if _fits(text.value)]
    return _elements(texts.step, texts.wall_time, values, np.empty(0, object))


def _tensors(of: _Series) -> Columns:
    tensors = of.logs.tensors(of.run, of.tag, superseded=of.superseded)
    values = [
        (index, _numpy_own(tensor.value))
        for index, tensor in tensors.readable()
        if tensor.value.ndim <= 1 and _fits(tensor.value)
    ]
    return _elements(tensors.step, tensors.wall_time, values, np.empty(0))


def _pr_curves(of: _Series) -> Columns:
    curves = of.logs.pr_curves(of.run, of.tag, superseded=of.superseded)
    found = [curve for _, curve in curves.readable()]
    lengths = [len(curve.tp) for curve in found]
    columns = {
        "step": np.repeat(np.array([curve.step for curve in found], np.int64), lengths),
        "wall_time": np.repeat(np.array([curve.wall_time for curve in found], np.float64), lengths),
        "threshold": np.concatenate([np.empty(0), *(curve.thresholds for curve in found)]),
    }
    for name in ("tp", "fp", "tn", "fn", "precision", "recall"):
        columns[name] = np.concatenate([np.empty(0), *(getattr(curve, name) for curve in found)])
    return columns


_COLUMNS: Mapping[str, Callable[[_Series], Columns]] = {
    "scalars": _scalars,
    "histograms": _histograms,
    "images": _images,
    "audio": _audio,
    "text": _text,
    "pr_curves": _pr_curves,
    "tensors": _tensors,
}


_DTYPES: Mapping[str, Mapping[str, Any]] = {
    "scalars": {"value": np.float64},
    "histograms": dict.fromkeys(("left", "right", "count"), np.float64),
    "images": {"sample": np.int64, "format": object, "width": "Int64", "height": "Int64", "bytes": "Int64"},
    "audio": {"sample": np.int64, "sample_rate": np.float64, "content_type": object, "label": object, "bytes": "Int64"},
    "text": {"element": np.int64, "value": object},
    "pr_curves": dict.fromkeys(("threshold", "tp", "fp", "tn", "fn", "precision", "recall"), np.float64),
    "tensors": {"element": np.int64, "value": np.float64},
}


def _no_columns(kind: str) -> dict[str, Any]:
    """The columns of a kind without rows."""
    dtypes = {"step": np.int64, "wall_time": np.float64, **_DTYPES[kind]}
    return {name: _whole([]) if dtype == "Int64" else np.empty(0, dtype) for name, dtype in dtypes.items()}


def _elements(
    step: npt.NDArray[np.int64], wall_time: npt.NDArray[np.float64], values: list[tuple[int, Array]], none: Array
) -> Columns:
    """A row an element of these values, at indices of a series; `none` has the dtype of no values."""
    rows = np.repeat(np.array([index for index, _ in values], np.int64), [value.size for _, value in values])
    return {
        "step": step[rows],
        "wall_time": wall_time[rows],
        "element": np.concatenate([np.empty(0, np.int64), *(np.arange(value.size) for _, value in values)]),
        "value": np.concatenate([value.ravel() for _, value in values]) if values else none,
    }


def _fits(value: Array) -> bool:
    """Whether the elements are few enough, or in memory anyway."""
    return value.size <= MOST_REPEATED or 0 not in value.strides


def _numpy_own(value: Array) -> Array:
    """The same numbers in a dtype that numpy itself has, which pandas needs."""
    return value if value.dtype.isbuiltin == 1 else value.astype(np.float64)


def _objects(values: Sequence[object]) -> Array:
    column = np.empty(len(values), object)
    column[:] = values
    return column


def _whole(values: list[int | None]) -> Any:
    """Whole numbers, some of which may be missing."""
    return pd.array(values, dtype="Int64")


def _hparams_table(found: list[HParams], runs: list[str]) -> pd.DataFrame:
    wanted = set(runs)
    found = [trial for trial in found if trial.run in wanted]
    names = sorted({name for trial in found for name in trial.values}, key=natural_key)  # noqa: PD011 (no frame)
    metrics = sorted({name for trial in found for name in trial.metrics}, key=natural_key)
    return pd.DataFrame(
        {
            **{
                name: pd.Series([getattr(trial, name) for trial in found], dtype=object)
                for name in ("run", "group", "status")
            },
            **{f"hparam/{name}": [trial.values.get(name) for trial in found] for name in names},  # noqa: PD011
            **{f"metric/{name}": [trial.metrics.get(name, np.nan) for trial in found] for name in metrics},
        }
    )
