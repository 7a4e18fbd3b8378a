"""The layout of custom scalars: which scalars a user wants together in which charts.

The message is defined in tensorboard/plugins/custom_scalar/layout.proto; it lies in a string tensor of rank 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from tbwidget.logs.kinds.declare import Kind
from tbwidget.logs.sequences import reported
from tbwidget.proto import plugins_pb2 as pb
from tbwidget.reasons import Reason
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import TensorError, array_of
from tbwidget.texts import decode_text

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary


@dataclass(frozen=True, slots=True)
class Margin:
    """A line with a band around it, by the tags of three scalars."""

    value: str
    lower: str
    upper: str


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: either of lines or of margins."""

    title: str
    tags: tuple[str, ...]
    """Regular expressions; a line is drawn for each tag that matches one of them."""
    series: tuple[Margin, ...]


@dataclass(frozen=True, slots=True)
class Category:
    """A section of charts."""

    title: str
    charts: tuple[Chart, ...]
    closed: bool
    """It is folded up at first."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All sections, in the order in which they are shown."""

    categories: tuple[Category, ...]


def layout_of(value: Summary.Value) -> Layout:
    """The layout that a value holds. Raises TensorError if it holds none."""
    content = array_of(value.tensor)
    if content.dtype != object or content.size != 1:
        raise TensorError(Reason("layout-expected"))
    try:
        layout = pb.Layout.FromString(content.flat[0])
    except DecodeError as error:
        raise TensorError(Reason("invalid-layout")) from error
    return Layout(
        tuple(
            Category(decode_text(category.title), tuple(_chart(chart) for chart in category.chart), category.closed)
            for category in layout.category
        )
    )


def _chart(chart: pb.Chart) -> Chart:
    series = tuple(
        Margin(*map(decode_text, (series.value, series.lower, series.upper))) for series in chart.margin.series
    )
    return Chart(decode_text(chart.title), tuple(decode_text(tag) for tag in chart.multiline.tag), series)


def custom_scalars(source: LogSource, run: str) -> Layout:
    """Return the last layout of charts that a run holds.

    Raises:
        KeyError: The run does not exist, or holds no layout.
        ValueError: The layout is damaged.

    Example:
        >>> logs.custom_scalars("run1").categories
    """
    tags = source.tags_of(run).get(KIND.name, [])
    if not tags:
        raise KeyError(f"no layout of custom scalars in run {run!r}")
    items = max((source.items(run, tag, KIND.name) for tag in tags), key=lambda items: items.wall_time[-1])
    value = items.value(-1)
    with reported(items, -1):
        return layout_of(value)


KIND = Kind("custom_scalars", plugins=("custom_scalars",), forms=frozenset({forms.STRING}))
