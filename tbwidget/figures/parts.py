"""Series in a figure: their names, marks, labels and places on an axis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from tbwidget.texts import escape_surrogates, shorten_middle

_MAX_LABEL = 36  # characters, in a legend
_MAX_NAME = 300  # beside the pointer


class Series(NamedTuple):
    """One tag of one run."""

    run: str
    tag: str


class Part(NamedTuple):
    """A mark of the figure's own: a series is drawn by one or several."""

    series: Series
    name: str


def labels(wanted: Sequence[Series], shorten: Callable[[str], str]) -> dict[Series, str]:
    """Label of each series: its run; with several tags the tag, too, or only the tag of a single run."""
    tags, runs = {series.tag for series in wanted}, {series.run for series in wanted}

    def label(series: Series) -> str:
        words = [series.run] if len(runs) > 1 or len(tags) == 1 else []
        return shorten(" · ".join([*words, series.tag] if len(tags) > 1 else words))

    return {series: label(series) for series in wanted}


def short_label(name: str) -> str:
    """Return a name where there is little room: the middle of a long one is left out."""
    return shorten_middle(escape_surrogates(name), _MAX_LABEL)


def full_name(name: str) -> str:
    """Return a name where there is room for nearly all names."""
    return shorten_middle(escape_surrogates(name), _MAX_NAME)


def close_all(widgets: Iterable[Any]) -> None:
    """Close widgets, and what belongs to each alone."""
    with ExitStack() as ending:
        for widget in widgets:
            if widget is None:
                continue
            ending.callback(widget.close)
            if isinstance(layout := getattr(widget, "layout", None), ipywidgets.Layout):
                ending.callback(layout.close)


def place(end: Any) -> float:
    """An end of a scale as a number; a date as ms since the epoch."""
    return float(np.datetime64(end, "ms").astype(float)) if hasattr(end, "year") else float(end)


def numbers(ends: Any) -> Any:
    """Places on the x axis as numbers; dates as seconds since the epoch."""
    ends = np.asarray(ends)
    return ends.astype("datetime64[ms]").astype(np.float64) / 1e3 if ends.dtype.kind == "M" else ends.astype(np.float64)


def size_of(traits: Mapping[str, Any]) -> int:
    """Bytes of the arrays among what a mark holds."""
    return sum(value.nbytes for value in traits.values() if isinstance(value, np.ndarray))
