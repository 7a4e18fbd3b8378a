"""Information about tags, gathered from the values of a file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from tbwidget.records.values.summary import TagInfo


@dataclass(slots=True)
class TagDeclaration:
    """The information about one tag in its values, in the order written."""

    plugin: str = ""
    """Plugin of the first value that names or implies one."""
    display_name: str = ""
    description: str = ""
    forms: dict[str, int] = field(default_factory=dict)
    """Forms of its values, with the offset of the first record of each."""
    scalars_from: int | None = None
    """Offset of the first record that declares the tag to hold scalars."""

    def add(self, tag_info: TagInfo, offset: int) -> bool:
        """Add the information in a value; whether the plugin, the form or a text for people is new."""
        new = (not self.plugin and tag_info.plugin != "") or tag_info.form not in self.forms
        new |= not self.display_name and tag_info.display_name != ""
        new |= not self.description and tag_info.description != ""
        self.display_name = self.display_name or tag_info.display_name
        self.description = self.description or tag_info.description
        self.plugin = self.plugin or tag_info.plugin
        self.forms.setdefault(tag_info.form, offset)
        if tag_info.plugin == "scalars" and self.scalars_from is None:
            self.scalars_from = offset
        return new


Repeated = tuple[TagInfo, int]
"""All values so far repeat the information in the first, whose record is at this offset."""


class TagDeclarations(dict[int, Repeated | TagDeclaration]):
    """The information about each tag, by the tag, in the order written.

    Tens of thousands of tags may share their information. So a tag gets a note of its own only when it has more, or
    when the note is asked for.
    """

    shared: dict[str, Any] | None = None
    """None: they are of one file, which adds to them. Otherwise they may be of several files, none of which does so;
    here is what catalogs have derived from them, by name, for all of these."""

    def own(self) -> TagDeclarations:
        """Return these, or a copy for one file to add to if others share them."""
        if self.shared is None:
            return self
        copies = (
            (tag, replace(note, forms=dict(note.forms)))
            for tag, note in self.items()
            if isinstance(note, TagDeclaration)
        )
        return TagDeclarations({**self, **dict(copies)})

    def of(self, tag: int) -> TagDeclaration:
        """The information about a tag that has a value, so far."""
        note = self[tag]
        return note if isinstance(note, TagDeclaration) else _note_of(note)

    def plugin_and_forms(self, tag: int) -> tuple[str, Collection[str]]:
        """The plugin and the forms in the note of a tag that has one."""
        note = self[tag]
        return (note.plugin, note.forms) if isinstance(note, TagDeclaration) else (note[0].plugin, note[0][:1])

    def texts(self, tag: int) -> tuple[str, str]:
        """The display name and the description of a tag that has a note; empty where none was written."""
        note = self[tag]
        info = note if isinstance(note, TagDeclaration) else note[0]
        return info.display_name, info.description

    def scalars_from(self, tag: int) -> int | None:
        """Offset of the first record that declares a tag which has a note to hold scalars."""
        note = self[tag]
        if isinstance(note, TagDeclaration):
            return note.scalars_from
        tag_info, offset = note
        return offset if tag_info.plugin == "scalars" else None

    def add(self, tag: int, tag_info: TagInfo, offset: int) -> bool:
        """Add the information in a value; whether the tag, or anything in its note, is new."""
        note = self.get(tag)
        if note is None:
            self[tag] = tag_info, offset
            return True
        if not isinstance(note, TagDeclaration):
            if note[0] == tag_info:
                return False
            note = self[tag] = _note_of(note)
        return note.add(tag_info, offset)


def _note_of(once: Repeated) -> TagDeclaration:
    note = TagDeclaration()
    note.add(*once)
    return note
