"""How each kind but scalars is asked for: the part of a log directory that knows what the values mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tbwidget.logs.engine.catalog import GRAPHS_PLUGIN, META_GRAPH_TAG, RUN_GRAPH_TAG
from tbwidget.logs.engine.run import Run
from tbwidget.logs.items import Items
from tbwidget.logs.kinds import graphs
from tbwidget.logs.kinds.audio import AudioClips
from tbwidget.logs.kinds.custom_scalars import Layout, layout_of
from tbwidget.logs.kinds.embeddings import Embedding
from tbwidget.logs.kinds.graphs import KERAS_PLUGIN, GraphSource
from tbwidget.logs.kinds.histograms import Histograms
from tbwidget.logs.kinds.hparams import HParams, HParamsReader
from tbwidget.logs.kinds.images import Images
from tbwidget.logs.kinds.meshes import Meshes, part_name
from tbwidget.logs.kinds.pr_curves import PRCurves
from tbwidget.logs.kinds.registry import GRAPHS, RUN_METADATA, SCALARS, TENSORS
from tbwidget.logs.kinds.run_metadata import RunMetadata, RunMetadataError, run_metadata_of
from tbwidget.logs.kinds.tensors import Tensors
from tbwidget.logs.kinds.text import Texts
from tbwidget.logs.roots import Root
from tbwidget.logs.sequences import readable, reported
from tbwidget.logs.series import Scalars
from tbwidget.logs.unknown import UnknownNameError
from tbwidget.reasons import Reason, reason_of
from tbwidget.records.values import attachments
from tbwidget.records.values.arrays import TensorError, array_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from tbwidget.graph import Graph, GraphProblem

_OF_TENSORS = frozenset({"histograms", "images", "audio", "text", "pr_curves", "meshes", "custom_scalars"})
"""Kinds other than that of raw tensors whose values may be tensors."""


class Accessors(ABC):
    """Gives the values of each kind, which are read when they are asked for.

    All of these leave out what a later restart wrote anew, unless `superseded` asks for it, and raise KeyError for a
    run that is not there, and for a tag that is not there or of another kind.
    """

    path: Path
    _roots: tuple[Root, ...]

    @property
    @abstractmethod
    def title(self) -> str:
        """What the log directory is called where it is shown."""

    @property
    @abstractmethod
    def runs(self) -> list[str]:
        """Names of the runs, in natural order."""

    @abstractmethod
    def tags(self) -> dict[str, dict[str, list[str]]]:
        """All tags that have data: {kind: {run: [tag, ...]}}."""

    @abstractmethod
    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> Scalars:
        """The points of a scalar tag."""

    @abstractmethod
    def _items(self, run: str, tag: str, kind: str, *, superseded: bool = False) -> Items: ...

    @abstractmethod
    def _attachment(self, run: str, what: str, tag: str = "") -> bytes | None: ...

    @abstractmethod
    def _run(self, name: str) -> Run: ...

    @abstractmethod
    def _locked(self) -> AbstractContextManager[None]: ...

    def histograms(self, run: str, tag: str, *, superseded: bool = False) -> Histograms:
        """The histograms of a tag, in the order written."""
        return Histograms(self._items(run, tag, "histograms", superseded=superseded))

    def images(self, run: str, tag: str, *, superseded: bool = False) -> Images:
        """The images of a tag, by step then sample; with `superseded` in the order written."""
        return Images(self._items(run, tag, "images", superseded=superseded), by_step=not superseded)

    def audio(self, run: str, tag: str, *, superseded: bool = False) -> AudioClips:
        """The audio clips of a tag, by step then sample; with `superseded` in the order written."""
        return AudioClips(self._items(run, tag, "audio", superseded=superseded), by_step=not superseded)

    def text(self, run: str, tag: str, *, superseded: bool = False) -> Texts:
        """The texts of a tag, in the order written."""
        return Texts(self._items(run, tag, "text", superseded=superseded))

    def pr_curves(self, run: str, tag: str, *, superseded: bool = False) -> PRCurves:
        """The precision-recall curves of a tag, in the order written."""
        return PRCurves(self._items(run, tag, "pr_curves", superseded=superseded))

    def tensors(self, run: str, tag: str, *, superseded: bool = False) -> Tensors:
        """The tensors of a tag as they were written, of whichever kind but scalars."""
        with self._locked():
            kind = self._run(run).catalog.kind(tag)
        return Tensors(self._items(run, tag, kind if kind in _OF_TENSORS else TENSORS, superseded=superseded))

    def meshes(self, run: str, tag: str, *, superseded: bool = False) -> Meshes:
        """A mesh, all its parts joined by step.

        `tag` is that of any of its parts, as `tags()` lists them, or else the name of the mesh, which the metadata of
        its parts carry.
        """
        with self._locked():
            tags = self._run(run).catalog.listing().get("meshes", [])
        parts, values = {}, {}
        for each in tags:
            with suppress(KeyError):  # gone since it was listed
                values[each] = self._items(run, each, "meshes", superseded=superseded)
                first = next(readable(self._items(run, each, "meshes", superseded=True), [0]), None)
                parts[each] = part_name(each, first[1] if first else None)
        name = parts[tag].mesh if tag in parts else tag
        # The tag asked for is never hidden by another that claims to be the same part.
        chosen = {part.content: each for each, part in sorted(parts.items(), reverse=True) if part.mesh == name}
        if tag in parts:
            chosen[parts[tag].content] = tag
        if not chosen:
            self._items(run, tag, "meshes")  # says what is there instead
        return Meshes(name, {content: values[each] for content, each in sorted(chosen.items())})

    def custom_scalars(self, run: str) -> Layout:
        """The last layout of charts that a run holds. Raises KeyError if it has none, ValueError if it is damaged."""
        with self._locked():
            tags = self._run(run).catalog.listing().get("custom_scalars", [])
        if not tags:
            raise KeyError(f"no layout of custom scalars in run {run!r}")
        items = max((self._items(run, tag, "custom_scalars") for tag in tags), key=lambda items: items.wall_time[-1])
        value = items.value(-1)
        with reported(items, -1):
            return layout_of(value)

    def run_metadata(self, run: str, tag: str) -> RunMetadata:
        """The statistics of one recorded step. Raises ValueError where the bytes are not true or no statistics."""
        with self._locked():
            found = self._run(run).attachment(attachments.RUN_METADATA, tag)
        data = self._attachment(run, attachments.RUN_METADATA, tag) if found else None
        if found is None or data is None:
            items = self._items(run, tag, RUN_METADATA)
            data = _string(items)
            with reported(items, -1):
                return run_metadata_of(data)
        try:
            return run_metadata_of(data)
        except RunMetadataError as error:
            source, offset = found
            reason = reason_of(error)
            source.problems.add(offset, 0, reason)
            raise RunMetadataError(Reason("damaged-value", file=source.name, offset=offset, reason=reason)) from error

    def hparams(self, *, metrics: bool = True) -> list[HParams]:
        """All trials of all runs, in natural order of the runs. Without `metrics`, those are empty: which is faster."""
        listed = self.tags()
        if metrics:
            reader = HParamsReader(self._last_scalar, listed.get(SCALARS, {}), self._directory_of)
        else:
            reader = HParamsReader(lambda _run, _tag: None, {}, self._directory_of)
        for run, tags in listed.get("hparams", {}).items():
            for tag in tags:
                try:
                    items = self._items(run, tag, "hparams")
                except KeyError:
                    continue  # gone since it was listed
                for index, value in readable(items, [len(items) - 1]):
                    with suppress(ValueError), reported(items, index):
                        reader.add(run, value)
        return reader.sessions(listed.get("hparams", {}))

    def _directory_of(self, run: str) -> str:
        """The name of the directory that a run is in; "" where there is one alone."""
        return next((root.name for root in self._roots if root.holds(run)), "")

    def _last_scalar(self, run: str, tag: str) -> float | None:
        try:
            value = self.scalars(run, tag).value
        except KeyError:
            return None
        return float(value[-1]) if len(value) else None

    def embeddings(self, run: str) -> list[Embedding]:
        """The embeddings that the projector's configurations of a run name; KeyError for a run that is not there."""
        with self._locked():
            files = [(file, list(file.embeddings)) for file in self._run(run).projector.values()]
        place = next((root.path for root in self._roots if root.holds(run)), str(self.path))
        return [Embedding(file, info, place) for file, infos in files for info in infos]

    def graph(self, run: str, name: str | None = None) -> Graph:
        """A graph of a run: that of this name among the tags of graphs and run metadata, else the one to show.

        That is the run graph, else the meta graph, a trace, or a Keras model; of several the last that was written, and
        one that is damaged beyond reading only if there is no other. What it cost in a recorded step says
        `graph.statistics(logs.run_metadata(run, tag).data)`. KeyError for a run or graph that is not there, ValueError
        where the bytes are no longer true; what of them cannot be parsed is a problem.
        """
        from tbwidget.graph import RUN_METADATA as TRACE  # noqa: PLC0415 (imported when used)
        from tbwidget.graph import read_graph  # noqa: PLC0415

        empty: Graph | None = None
        damage: ValueError | None = None
        for source in self._graph_sources(run):
            if name not in (None, source.name):
                continue
            try:
                graph = read_graph(source.read(), source.form)
            except ValueError as error:
                damage = damage or error
                continue
            if graph.problems:
                source.report(_graph_reason(source.name, graph.problems))
            graph.shown = graphs.shown
            if name is not None or graph.node_count or not (graph.problems or source.form == TRACE):
                return graph
            if graph.problems:  # else it holds statistics of a step alone
                empty = empty or graph
        if empty is not None:
            return empty
        if damage is not None:
            raise damage
        if name is None:
            raise KeyError(f"no graph in run {run!r}")
        raise self._unknown_graph(run, name)

    def graph_revision(self, run: str, name: str) -> Hashable:
        """Another one when the graph of this name is written again. KeyError for one that is not there."""
        found = tuple(source.revision for source in self._graph_sources(run) if source.name == name)
        if not found:
            raise self._unknown_graph(run, name)
        return found

    def _unknown_graph(self, run: str, name: str) -> KeyError:
        return UnknownNameError(
            f"no graph {name!r} in run {run!r}", name, lambda: self.tags().get(GRAPHS, {}).get(run, []), "graph"
        )

    def _graph_sources(self, run: str) -> list[GraphSource]:
        """What of a run holds a graph; the first is the one to show unless another is asked for."""
        from tbwidget.graph import GRAPH_DEF, KERAS, META_GRAPH_DEF  # noqa: PLC0415 (imported when used)
        from tbwidget.graph import RUN_METADATA as TRACE  # noqa: PLC0415

        with self._locked():
            holder = self._run(run)
            listing = holder.catalog.listing()
            plugins = {tag: holder.catalog.metadata(tag).plugin for tag in listing.get(GRAPHS, [])}
            traces = {tag: holder.attachment(attachments.RUN_METADATA, tag) for tag in listing.get(RUN_METADATA, [])}
            written = {what: holder.attachment(what, "") for what in (attachments.RUN_GRAPH, attachments.META_GRAPH)}
            of_tags = {tag: self._graph_items(run, tag) for tag, plugin in plugins.items() if plugin != GRAPHS_PLUGIN}
        found = [
            GraphSource(name, form, place, partial(self._needed, run, what, ""), partial(self._misfit, run, what, ""))
            for name, form, what in (
                (RUN_GRAPH_TAG, GRAPH_DEF, attachments.RUN_GRAPH),
                (META_GRAPH_TAG, META_GRAPH_DEF, attachments.META_GRAPH),
            )
            if (place := written[what]) is not None
        ]
        order = sorted(of_tags, key=lambda tag: (plugins[tag] == KERAS_PLUGIN, -float(of_tags[tag].wall_time[-1])))
        found += [
            GraphSource(
                tag,
                KERAS if plugins[tag] == KERAS_PLUGIN else TRACE,
                (of_tags[tag].revision, len(of_tags[tag])),
                partial(self._graph_string, run, tag),
                partial(self._misfit_string, run, tag),
            )
            for tag in order
        ]
        # Last: most recorded steps hold statistics alone.
        traced = sorted((place[0].name, place[1], tag) for tag, place in traces.items() if place)
        return found + [
            GraphSource(
                tag,
                TRACE,
                traces[tag],
                partial(self._needed, run, attachments.RUN_METADATA, tag),
                partial(self._misfit, run, attachments.RUN_METADATA, tag),
            )
            for *_, tag in reversed(traced)
        ]

    def _needed(self, run: str, what: str, tag: str) -> bytes:
        data = self._attachment(run, what, tag)
        if data is None:
            raise KeyError(f"run {run!r} no longer has {what} {tag!r}")
        return data

    def _misfit(self, run: str, what: str, tag: str, reason: Reason) -> None:
        with self._locked():
            found = self._run(run).attachment(what, tag)
        if found is not None:
            source, offset = found
            source.problems.add(offset, 0, reason)

    def _graph_items(self, run: str, tag: str) -> Items:
        with self._locked():
            kind = self._run(run).catalog.kind(tag)
        return self._items(run, tag, kind or GRAPHS)

    def _graph_string(self, run: str, tag: str) -> bytes:
        return _string(self._graph_items(run, tag))

    def _misfit_string(self, run: str, tag: str, reason: Reason) -> None:
        self._graph_items(run, tag).misfit(-1, reason)


def _string(items: Items) -> bytes:
    """The one string of the last value."""
    value = items.value(-1)
    with reported(items, -1):
        content = array_of(value.tensor)
        if content.dtype != object or not content.size:
            raise TensorError(Reason("bytes-expected"))
        data: bytes = content.flat[0]
        return data


def _graph_reason(name: str, problems: Sequence[GraphProblem]) -> Reason:
    """The first problem of a graph, and how many more there are."""
    first = {"graph": name, "offset": problems[0].offset, "problem": problems[0].message}
    if len(problems) == 1:
        return Reason("graph-problem", **first)
    return Reason("graph-problems", **first, more=len(problems) - 1)
