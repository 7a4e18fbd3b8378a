"""A made-up panel of items for tests: every text of a tag, as an index with a blob for each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.panels.declare import Panel
from tbwidget.panels.step_index import StepIndex
from tbwidget.wire.content import Answer, ItemsContent, Refusal, from_wire_names

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.text import Text
    from tbwidget.wire.columns import Columns


class RemarksContent(ItemsContent):
    """All texts, one item each."""

    kind = "remarks"
    first_tags = 4
    prefetch_bytes = 1_000

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the kinds of these items: texts."""
        return ("text",)

    def read(self, logs: Logs, run: str, tag: str) -> StepIndex[Text]:
        """Return the texts of a tag."""
        return StepIndex(logs.text(run, tag))

    def entry(self, index: StepIndex[Text], rows: slice, columns: Columns) -> dict[str, Any]:
        """Return the place of each row, in addition to the common columns of items."""
        return {"place": columns.add_steps(np.arange(len(index), dtype=np.int64)[rows])}

    def blob(self, index: StepIndex[Text], row: int) -> bytes:
        """Return the text itself."""
        return _text(index, row)


def _text(index: StepIndex[Text], row: int) -> bytes:
    return "\n".join(index[row].value.ravel()).encode("utf-8", "replace")


def text(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Return the text of a step."""
    index = StepIndex(logs.text(*from_wire_names(logs, "text", args["run"], args["tag"])))
    found = np.flatnonzero(index.step == args["step"])
    if len(found) == 0:
        raise Refusal("there is no such step")
    return Answer(data=_text(index, int(found[-1])))


REMARKS = Panel(
    name="remarks",
    contents=(RemarksContent(),),
    options=(),
    view="RemarksView",
    view_doc="Every text of each tag.",
    requests={"text": text},
)
