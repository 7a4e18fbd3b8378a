"""Information about tags, gathered from the values of a file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat

from tbwidget.records.values.summary import TagInfo


@dataclass(slots=True)
class TagNote:
    """The information about one tag in its values, in the order written."""

    plugin: str = ""
    """Of the first value that names or implies one."""
    display_name: str = ""
    description: str = ""
    forms: dict[str, int] = field(default_factory=dict)
    """Forms of its values, with the offset of the first record of each."""
    scalars_from: int | None = None
    """Offset of the first record that declares the tag to hold scalars."""

    def add(self, tag_info: TagInfo, offset: int) -> bool:
        """Add the information in a value; whether the plugin or the form is new."""
        self.display_name = self.display_name or tag_info.display_name
        self.description = self.description or tag_info.description
        new = (not self.plugin and tag_info.plugin != "") or tag_info.form not in self.forms
        self.plugin = self.plugin or tag_info.plugin
        self.forms.setdefault(tag_info.form, offset)
        if tag_info.plugin == "scalars" and self.scalars_from is None:
            self.scalars_from = offset
        return new


_Once = tuple[TagInfo, int]
"""All values so far repeat the information in the first, whose record is at this offset."""


class Notes(Mapping[int, TagNote]):
    """The information about each tag.

    Tens of thousands of tags may have the same, once each, so a note of its own is made only for a tag that has more,
    or when it is asked for.
    """

    def __init__(self) -> None:
        self._notes: dict[int, _Once | TagNote] = {}

    def __getitem__(self, tag: int) -> TagNote:
        """The information about a tag, so far."""
        note = self._notes[tag]
        return note if isinstance(note, TagNote) else _note_of(note)

    def __contains__(self, tag: object) -> bool:
        """Whether there is a value of the tag."""
        return tag in self._notes

    def __iter__(self) -> Iterator[int]:
        """Tags in the order written."""
        return iter(self._notes)

    def __len__(self) -> int:
        """Count the tags."""
        return len(self._notes)

    def plugin_and_forms(self, tag: int) -> tuple[str, Collection[str]]:
        """The plugin and the forms in the note of a tag that has one."""
        note = self._notes[tag]
        return (note.plugin, note.forms) if isinstance(note, TagNote) else (note[0].plugin, note[0][:1])

    def scalars_from(self, tag: int) -> int | None:
        """Offset of the first record that declares a tag which has a note to hold scalars."""
        note = self._notes[tag]
        if isinstance(note, TagNote):
            return note.scalars_from
        tag_info, offset = note
        return offset if tag_info.plugin == "scalars" else None

    def add(self, tag: int, tag_info: TagInfo, offset: int) -> bool:
        """Add the information in a value; whether the tag, its plugin or the form is new."""
        note = self._notes.get(tag)
        if note is None:
            self._notes[tag] = tag_info, offset
            return True
        if not isinstance(note, TagNote):
            if note[0] == tag_info:
                return False
            note = self._notes[tag] = _note_of(note)
        return note.add(tag_info, offset)

    def add_uniform(self, tags: list[int], tag_info: TagInfo, offsets: list[int]) -> Collection[int]:
        """Add the information in many values, in the order written; which tags, or their plugins or forms, are new."""
        if not self._notes.keys().isdisjoint(tags):
            return [tag for tag, offset in zip(tags, offsets, strict=True) if self.add(tag, tag_info, offset)]
        # In the order written; of several with one tag the first.
        notes = dict(zip(tags, zip(repeat(tag_info), offsets), strict=True))
        if len(notes) < len(tags):
            notes.update(zip(reversed(tags), zip(repeat(tag_info), reversed(offsets)), strict=True))
        self._notes.update(notes)
        return notes.keys()


def _note_of(once: _Once) -> TagNote:
    note = TagNote()
    note.add(*once)
    return note
