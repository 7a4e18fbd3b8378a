"""Text: string tensors of any rank (tensorboard/plugins/text)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tbwidget.logs import display
from tbwidget.logs.kinds.declare import Kind, Table, elements, fits_memory
from tbwidget.logs.sequences import ItemSequence, ReadOnlyArrays
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import Array, text_of
from tbwidget.texts import shorten

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary


@dataclass(frozen=True, slots=True, eq=False)
class Text(ReadOnlyArrays):
    """The text of one step."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    value: Array
    """Object array of str in the shape written; UTF-8, with other bytes as surrogates. Read-only."""

    def _repr_html_(self) -> str:
        """Show itself as a cell's result: as it was written, not as markup."""
        return display.text(f"step {self.step}", self.value)

    def __repr__(self) -> str:
        """Say at which step, and the first words or the shape."""
        what = shorten(repr(self.value.flat[0])) if self.value.size == 1 else f"shape {list(self.value.shape)}"
        return f"Text(step {self.step}, {what})"


class Texts(ItemSequence[Text]):
    """The texts of one tag of one run, n of them in the order written."""

    def _decode(self, index: int, value: Summary.Value) -> Text:
        return Text(int(self.step[index]), float(self.wall_time[index]), text_of(value.tensor))


def _table(texts: Texts) -> dict[str, Array]:
    values = [(index, text.value) for index, text in texts.readable() if fits_memory(text.value)]
    return elements(texts.step, texts.wall_time, values, np.empty(0, object))


def text(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> Texts:
    """Return the texts of a tag, in the order written.

    Values that a restart wrote again are left out unless `superseded` is true.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.text("run1", "config")[-1].value
    """
    return Texts(source.items(run, tag, KIND.name, superseded=superseded))


KIND = Kind(
    "text",
    plugins=("text",),
    forms=forms.STRING_TENSORS,
    table=Table(_table, {"element": np.int64, "value": object}),
)
