"""Display names and descriptions of tags, which all panels show: one document of the directory.

It is JSON in ASCII: `{kind: {tag: [[name, description, is_cut, [run, ...], others], ...]}}`. A tag has an entry for
each different pair of display name and description, in the order of the runs. The first runs that have the pair are
named, `others` counts further ones. A name is "" where the writer gave none, or the tag itself. The parts of a mesh
are joined under its name.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.logs.kinds.meshes import part_name
from tbwidget.texts import escape_surrogates, shorten
from tbwidget.wire.content import DocumentContent

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.series import DescribedTags

MAX_DOCUMENT_BYTES = 250_000
"""Upper bound for the document. Beyond it descriptions are left out, then names."""

MAX_NAME_CHARACTERS = 300
MAX_DESCRIPTION_CHARACTERS = 10_000
"""Longer descriptions are cut."""

MAX_VARIANTS = 20
"""Different pairs of name and description that are sent of one tag."""

MAX_RUNS = 20
"""Runs that are named for each of them."""

_MESHES = "meshes"


class DescriptionsDocument(NamedTuple):
    """The display names and descriptions of all tags."""

    revision: int
    tags: DescribedTags

    def encode(self) -> bytes:
        """Return the JSON."""
        return _encoded(_merged(self.tags)).encode("ascii")


class DescriptionsContent(DocumentContent):
    """One document: what the writers say about their tags."""

    kind = "descriptions"
    prefetch_bytes = MAX_DOCUMENT_BYTES

    def listed(self, logs: Logs) -> dict[str, list[str]]:
        """Return the tags that have a text, and which: without any there is no document."""
        by_run = logs.source.described_tags().by_run
        return {
            run: [f"{one.kind} {one.tag} {one.display_name != ''} {one.description != ''}" for one in tags]
            for run, tags in by_run.items()
        }

    def key_of(self, _run: str, _tag: str) -> tuple[str, str]:
        """Return the one key of all runs."""
        return "", ""

    def read(self, logs: Logs, _run: str, _tag: str) -> DescriptionsDocument:
        """Return what is known by now."""
        tags = logs.source.described_tags()
        return DescriptionsDocument(tags.revision, tags)


def shown_names(logs: Logs, kind: str) -> dict[str, str]:
    """Return the display names of the tags of a kind, as they stand on cards; tags without one are absent."""
    found = _merged(logs.source.described_tags())
    named = ((tag, [name for name, _ in variants if name]) for (of, tag), variants in found.items() if of == kind)
    return {tag: shorten(names[0], MAX_NAME_CHARACTERS) for tag, names in named if names}


_Variants = dict[tuple[str, str], list[str]]
"""The runs of each pair of name and description."""


def _merged(tags: DescribedTags) -> dict[tuple[str, str], _Variants]:
    """Return the variants of each kind and tag."""
    found: dict[tuple[str, str], _Variants] = {}
    for run, described in tags.by_run.items():
        for kind, tag, display_name, description in described:
            card = part_name(tag, None).mesh if kind == _MESHES else tag
            name = "" if display_name in (tag, card) else display_name
            if name or description:
                runs = found.setdefault((kind, card), {}).setdefault((name, description), [])
                if run not in runs[-1:]:
                    runs.append(run)
    return found


def _encoded(found: dict[tuple[str, str], _Variants]) -> str:
    kinds: dict[str, list[str]] = {}
    room = MAX_DOCUMENT_BYTES
    for (kind, tag), variants in found.items():
        for longest in (MAX_DESCRIPTION_CHARACTERS, 0):
            entry = f"{_json(escape_surrogates(tag))}:{_json(_listed(variants, longest))}"
            if len(entry) < room:
                room -= len(entry) + 1
                kinds.setdefault(kind, []).append(entry)
                break
    listed = [f"{_json(kind)}:{{{','.join(entries)}}}" for kind, entries in kinds.items()]
    return f"{{{','.join(listed)}}}"


def _listed(variants: _Variants, longest: int) -> list[list[object]]:
    return [
        [
            escape_surrogates(shorten(name, MAX_NAME_CHARACTERS)),
            escape_surrogates(description[:longest]),
            len(description) > longest,
            [escape_surrogates(run) for run in runs[:MAX_RUNS]],
            max(0, len(runs) - MAX_RUNS),
        ]
        for (name, description), runs in list(variants.items())[:MAX_VARIANTS]
    ]


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


DESCRIPTIONS = DescriptionsContent()
