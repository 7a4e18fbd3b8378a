"""The tags of a run and their kinds, kept up to date while its files grow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.kinds.declare import OwnFile
from tbwidget.logs.kinds.graphs import GRAPHS_PLUGIN, META_GRAPH_TAG, RUN_GRAPH_TAG
from tbwidget.logs.kinds.registry import FILES, GRAPHS, KINDS, RUN_METADATA, TENSORS, fits, kind_of_plugin
from tbwidget.logs.kinds.run_metadata import WITH_GRAPH
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem
from tbwidget.logs.series import DescribedTag, TagMetadata
from tbwidget.reasons import Reason
from tbwidget.records.values import attachments
from tbwidget.records.values.forms import NOTHING, SIMPLE_VALUE
from tbwidget.records.values.summary import TagTable

_Derived = TypeVar("_Derived")

_PLUGINS = {
    GRAPHS: GRAPHS_PLUGIN,
    RUN_METADATA: "graph_tagged_run_metadata",
    **{kind: files.plugin for kind, files in FILES.items()},
}
"""The plugin of tags that are in no summary, by kind."""


def name_of_attachment(what: str, tag: str) -> tuple[str, str]:
    """The kind and the tag under which a graph or run metadata is listed; checkpoints are listed apart from tags."""
    if what == attachments.CHECKPOINT:
        return attachments.CHECKPOINTS, ""
    if what in (attachments.RUN_METADATA, attachments.STEP_GRAPH):
        return RUN_METADATA if what == attachments.RUN_METADATA else GRAPHS, tag
    return GRAPHS, RUN_GRAPH_TAG if what == attachments.RUN_GRAPH else META_GRAPH_TAG


class Catalog:
    """The tags of some files. The first value in written order that declares a kind decides."""

    def __init__(
        self, tags: TagTable, files: Mapping[str, EventFile], own: Mapping[str, Mapping[str, OwnFile]]
    ) -> None:
        """`own` are the files that only one kind reads, by kind."""
        self._tags = tags
        self._files = files
        self._own = own
        self._plugins: dict[int, str] = {}  # of each tag, as the first file names it that does
        self.kinds: dict[int, str] = {}
        """The kind of each tag of summaries that has data."""
        self._listing: dict[str, list[str]] | None = None
        self._described: list[DescribedTag] | None = None
        self._shared: dict[str, Any] | None = None  # by runs whose only file has the same declarations
        shared = next(iter(files.values())).declarations.shared if len(files) == 1 else None
        if not shared:
            for file in files.values():
                self.note(file, file.declarations)
        if shared is not None:
            self._plugins, self.kinds = shared.setdefault("kinds", (self._plugins, self.kinds))
            self._shared = shared

    def note(self, file: EventFile, tags: Iterable[int]) -> set[tuple[str, int]]:
        """Add the new information that a file has about some of its tags.

        Returns each (kind, tag) that was, where a tag is of another kind now or of none.
        """
        self._listing = self._described = None
        if self._shared is not None:
            self._plugins, self.kinds, self._shared = dict(self._plugins), dict(self.kinds), None
        changed = set()
        for tag in tags:
            plugin, forms = file.declarations.plugin_and_forms(tag)
            before = self._plugins.get(tag)
            if plugin and plugin != before and (before is None or self._is_first(file, tag)):
                self._plugins[tag] = plugin
                kind, declared = self.kinds.pop(tag, None), kind_of_plugin(plugin)
                if kind and kind != declared:
                    changed.add((kind, tag))
                if fits(declared, *forms) or any(_holds(other, tag, declared) for other in self._files.values()):
                    self.kinds[tag] = declared
                continue
            if tag not in self.kinds and fits(declared := self._declared_kind(tag), *forms):
                self.kinds[tag] = declared
        return changed

    def _is_first(self, file: EventFile, tag: int) -> bool:
        """Whether no earlier file names a plugin for a tag."""
        earlier = takewhile(lambda other: other is not file, self._files.values())
        return not any(tag in other.declarations and other.declarations.plugin_and_forms(tag)[0] for other in earlier)

    def _declared_kind(self, tag: int) -> str:
        return kind_of_plugin(self._plugins.get(tag, ""))

    def _once(self, what: str, derive: Callable[[], _Derived]) -> _Derived:
        """Derive something from the declarations of the files alone, once for all runs that share them."""
        shared = self._shared
        # A file that has grown has its own declarations before `note` hears of them.
        if shared is None or any(file.declarations.shared is not shared for file in self._files.values()):
            return derive()
        if what not in shared:
            shared[what] = derive()
        found: _Derived = shared[what]
        return found

    def forget_listing(self) -> None:
        """Something other than the tags of summaries has changed: graphs, run metadata, files of one kind."""
        self._listing = None

    def listing(self) -> dict[str, list[str]]:
        """The tags that have data, by kind, in natural order."""
        if self._listing is None:
            has_others = self._own or any(file.attachments for file in self._files.values())
            self._listing = self._list() if has_others else self._once("listing", self._list)
        return self._listing

    def _list(self) -> dict[str, list[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for tag, kind in self.kinds.items():
            found[kind].add(self._tags.names[tag])
            if self._plugins.get(tag) == WITH_GRAPH:
                found[GRAPHS].add(self._tags.names[tag])
        every = {attachment for file in self._files.values() for attachment in file.attachments}
        held = {(what, tag) for what, tag in every if what != attachments.CHECKPOINT}
        if any(what in (attachments.RUN_GRAPH, attachments.META_GRAPH) for what, _ in held):
            # A traced graph is a part of the run's graph.
            held = {(what, tag) for what, tag in held if what != attachments.STEP_GRAPH}
        for kind, name in (name_of_attachment(*attachment) for attachment in held):
            found[kind].add(name)
        if RUN_GRAPH_TAG in found[GRAPHS]:
            # A meta graph holds the same graph as a run graph.
            found[GRAPHS].discard(META_GRAPH_TAG)
        for kind, files in self._own.items():
            found[kind].update(tag for file in files.values() for tag in file.tags)
        return {kind: sorted(found[kind], key=natural_key) for kind in KINDS if found.get(kind)}

    def kind(self, tag: str) -> str | None:
        """The kind of a tag; None for an unknown tag."""
        number = self._tags.find(tag)
        if number in self.kinds:
            return self.kinds[number]
        return next((kind for kind, names in self.listing().items() if tag in names), None)

    def metadata(self, tag: str) -> TagMetadata:
        """The writers' declarations about an existing tag."""
        number = self._tags.find(tag)
        notes = [file.declarations.of(number) for file in self._files.values() if number in file.declarations]
        plugin = next((note.plugin for note in notes if note.plugin), "")
        if not notes:  # no summary: a graph, run metadata, or from a file of one kind
            plugin = _PLUGINS.get(self.kind(tag) or "", "")
        return TagMetadata(
            plugin,
            next((note.display_name for note in notes if note.display_name), tag),
            next((note.description for note in notes if note.description), ""),
        )

    def described(self) -> list[DescribedTag]:
        """The tags of summaries with a display name of their own or a description, in natural order."""
        if self._described is None:
            self._described = self._once("described", self._describe)
        return self._described

    def _describe(self) -> list[DescribedTag]:
        texts: dict[int, tuple[str, str]] = {}
        for file in self._files.values():
            for tag in file.declarations:
                name, description = file.declarations.texts(tag)
                if name or description:
                    before = texts.get(tag, ("", ""))
                    texts[tag] = before[0] or name, before[1] or description
        found = []
        for tag, (display_name, description) in texts.items():
            name, kind = self._tags.names[tag], self.kinds.get(tag)
            if kind is not None and (description or display_name not in ("", name)):
                found.append(DescribedTag(kind, name, display_name, description))
        return sorted(found, key=lambda one: natural_key(one.tag))

    def type_mismatches(self) -> Iterator[Problem]:
        """Values that do not fit the kind of their tag: one problem a file, tag and form, at the first of them."""
        for file in self._files.values():
            for tag in self._once("suspects", partial(self._suspects, file)):
                kind, note = self._declared_kind(tag), file.declarations.of(tag)
                # Tensors of one number that were declared as scalars are in the columns of scalars and nowhere else.
                if note.scalars_from is not None and SIMPLE_VALUE not in note.forms and kind == TENSORS:
                    mismatch = Reason("scalar-mismatch", tag=self._tags.names[tag], kind=kind)
                    yield Problem(file.name, note.scalars_from, mismatch)
                for form, offset in note.forms.items():
                    # A value without content loses nothing.
                    if form != NOTHING and not fits(kind, form):
                        mismatch = Reason("kind-mismatch", tag=self._tags.names[tag], form=form, kind=kind)
                        yield Problem(file.name, offset, mismatch)

    def _suspects(self, file: EventFile) -> list[int]:
        """Tags of a file with values that may not fit their kind, found without a note made for the others."""
        forms = ((tag, file.declarations.plugin_and_forms(tag)[1]) for tag in file.declarations)
        kinds = ((tag, self._declared_kind(tag), some) for tag, some in forms)
        return [tag for tag, kind, some in kinds if kind == TENSORS or not all(fits(kind, form) for form in some)]


def _holds(file: EventFile, tag: int, kind: str) -> bool:
    """Whether a file has a value of a tag that fits this kind."""
    return tag in file.declarations and fits(kind, *file.declarations.plugin_and_forms(tag)[1])
