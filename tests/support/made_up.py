"""A made-up panel, registered by tests alone: what a new one takes on the Python side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import traitlets

from tbwidget.options import option
from tbwidget.panels.declare import Panel
from tbwidget.wire.content import Answer, DocumentContent, Refusal
from tbwidget.wire.names import from_wire_names

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs


class Note(NamedTuple):
    """The last text of a tag."""

    revision: tuple[int, int]
    text: str

    def encode(self) -> bytes:
        """The text as it travels."""
        return self.text.encode("utf-8", "replace")


class NotesContent(DocumentContent):
    """The last text of each tag, as a document."""

    kind = "notes"
    first_tags = 4
    push_bytes = 100_000

    @property
    def sources(self) -> tuple[str, ...]:
        """It is made of texts."""
        return ("text",)

    def read(self, logs: Logs, run: str, tag: str) -> Note:
        """The last text."""
        texts = logs.text(run, tag)
        return Note((texts.revision, len(texts)), "\n".join(texts[-1].value.ravel()))


class NotesOptions(traitlets.HasTraits):
    """What can be chosen for notes."""

    loud = option(
        traitlets.Bool(default_value=False), "Write in capital letters. Type: bool. Default: False.", remembered=False
    )


def count(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Count the texts of a tag."""
    if "tag" not in args:
        raise Refusal("which tag?")
    return Answer({"count": len(logs.text(*from_wire_names(logs, "text", args["run"], args["tag"])))})


NOTES = Panel(
    name="notes",
    contents=(NotesContent(),),
    options=(NotesOptions,),
    view="NotesView",
    view_doc="The last text of each tag.",
    requests={"count": count},
)
