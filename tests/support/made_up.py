"""A made-up panel for tests: everything that a new panel needs in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import traitlets

from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.wire.content import Answer, DocumentContent, Refusal, from_wire_names

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs


class Note(NamedTuple):
    """The last text of a tag."""

    revision: tuple[int, int]
    text: str

    def encode(self) -> bytes:
        """Return the text on the wire."""
        return self.text.encode("utf-8", "replace")


class NotesContent(DocumentContent):
    """The last text of each tag, as a document."""

    kind = "notes"
    first_tags = 4
    prefetch_bytes = 100_000

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the kinds that it is made of: texts."""
        return ("text",)

    def read(self, logs: Logs, run: str, tag: str) -> Note:
        """Return the last text."""
        texts = logs.text(run, tag)
        return Note((texts.revision, len(texts)), "\n".join(texts[-1].value.ravel()))


class NotesOptions(traitlets.HasTraits):
    """Options of notes."""

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
