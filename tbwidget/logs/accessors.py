"""How each kind but scalars is asked for: the part of a log directory that knows what the values mean."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tbwidget.logs.audio import AudioClips
from tbwidget.logs.catalog import META_GRAPH_TAG, RUN_GRAPH_TAG
from tbwidget.logs.custom_scalars import Layout, layout_of
from tbwidget.logs.embeddings import Embedding
from tbwidget.logs.graphs import KERAS_PLUGIN, GraphSource
from tbwidget.logs.histograms import Histograms
from tbwidget.logs.hparams import HParams, HParamsReader
from tbwidget.logs.images import Images
from tbwidget.logs.items import Items, Source
from tbwidget.logs.kinds import GRAPHS, RUN_METADATA, SCALARS, TENSORS
from tbwidget.logs.meshes import Meshes, part_name
from tbwidget.logs.pr_curves import PRCurves
from tbwidget.logs.run import Run
from tbwidget.logs.run_metadata import RunMetadata, RunMetadataError, run_metadata_of
from tbwidget.logs.sequences import readable, reported
from tbwidget.logs.series import Scalars
from tbwidget.logs.tensors import Tensors
from tbwidget.logs.text import Texts
from tbwidget.records import decode
from tbwidget.records.arrays import TensorError, array_of

if TYPE_CHECKING:
    import pandas as pd

    from tbwidget.graph import Graph

_OF_TENSORS = frozenset({"histograms", "images", "audio", "text", "pr_curves", "meshes", "custom_scalars"})
"""Kinds beside that of raw tensors whose values may be tensors."""


class Accessors(ABC):
    """Gives the values of each kind, which are read when they are asked for.

    All of these leave out what a later restart wrote anew, unless `superseded` asks for it, and raise KeyError for a
    run that is not there, and for a tag that is not there or of another kind.
    """

    path: Path
    _lock: threading.RLock

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
    def _extra(self, run: str, what: str, tag: str = "") -> bytes | None: ...

    @abstractmethod
    def _run(self, name: str) -> Run: ...

    @abstractmethod
    def _report(self, source: Source, offset: int, place: int, message: str) -> None: ...

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
        with self._lock:
            kind = self._run(run).catalog.kind(tag)
        return Tensors(self._items(run, tag, kind if kind in _OF_TENSORS else TENSORS, superseded=superseded))

    def meshes(self, run: str, tag: str, *, superseded: bool = False) -> Meshes:
        """A mesh, all its parts joined by step.

        `tag` is that of any of its parts, as `tags()` lists them, or else the name of the mesh, which the metadata of
        its parts carry.
        """
        with self._lock:
            tags = self._run(run).catalog.listing().get("meshes", [])
        parts = {}
        for each in tags:
            first = next(readable(self._items(run, each, "meshes", superseded=True), [0]), None)
            parts[each] = part_name(each, first[1] if first else None)
        name = parts[tag].mesh if tag in parts else tag
        # The tag asked for is never hidden by another that claims to be the same part.
        chosen = {part.content: each for each, part in sorted(parts.items(), reverse=True) if part.mesh == name}
        if tag in parts:
            chosen[parts[tag].content] = tag
        if not chosen:
            self._items(run, tag, "meshes")  # says what is there instead
        return Meshes(
            name,
            {
                content: self._items(run, each, "meshes", superseded=superseded)
                for content, each in sorted(chosen.items())
            },
        )

    def custom_scalars(self, run: str) -> Layout:
        """The last layout of charts that a run holds. Raises KeyError if it has none, ValueError if it is damaged."""
        with self._lock:
            tags = self._run(run).catalog.listing().get("custom_scalars", [])
        if not tags:
            raise KeyError(f"no layout of custom scalars in run {run!r}")
        items = max((self._items(run, tag, "custom_scalars") for tag in tags), key=lambda items: items.wall_time[-1])
        value = items.value(-1)
        with reported(items, -1):
            return layout_of(value)

    def run_metadata(self, run: str, tag: str) -> RunMetadata:
        """The statistics of one recorded step. Raises ValueError where the bytes are not true or no statistics."""
        with self._lock:
            found = self._run(run).beside(decode.RUN_METADATA, tag)
        data = self._extra(run, decode.RUN_METADATA, tag) if found else None
        if found is None or data is None:
            items = self._items(run, tag, RUN_METADATA)
            data = _string(items)
            with reported(items, -1):
                return run_metadata_of(data)
        try:
            return run_metadata_of(data)
        except RunMetadataError as error:
            source, offset = found
            self._report(source, offset, 0, str(error))
            raise RunMetadataError(f"{source.name} at byte {offset}: {error}") from error

    def hparams(self) -> list[HParams]:
        """All trials of all runs, in natural order of the runs."""
        listed = self.tags()
        reader = HParamsReader(self._last_scalar, listed.get(SCALARS, {}))
        for run, tags in listed.get("hparams", {}).items():
            for tag in tags:
                items = self._items(run, tag, "hparams")
                for index, value in readable(items, [len(items) - 1]):
                    try:
                        with reported(items, index):
                            reader.take(run, value)
                    except ValueError:
                        continue
        return reader.sessions(listed.get("hparams", {}))

    def _last_scalar(self, run: str, tag: str) -> float | None:
        try:
            value = self.scalars(run, tag).value
        except KeyError:
            return None
        return float(value[-1]) if len(value) else None

    def embeddings(self, run: str) -> list[Embedding]:
        """The embeddings that the projector's configurations of a run name; KeyError for a run that is not there."""
        with self._lock:
            files = [(file, list(file.embeddings)) for file in self._run(run).projector.values()]
        return [Embedding(file, info, str(self.path)) for file, infos in files for info in infos]

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
                more = f", and {len(graph.problems) - 1} more" if len(graph.problems) > 1 else ""
                source.report(f"the graph {source.name!r}: {graph.problems[0]}{more}")
            if name is not None or graph.node_count or not (graph.problems or source.form == TRACE):
                return graph
            if graph.problems:  # else it holds statistics of a step alone
                empty = empty or graph
        if empty is not None:
            return empty
        if damage is not None:
            raise damage
        raise KeyError(f"no graph in run {run!r}" if name is None else f"no graph {name!r} in run {run!r}")

    def _graph_sources(self, run: str) -> list[GraphSource]:
        """What of a run holds a graph; the first is the one to show unless another is asked for."""
        from tbwidget.graph import GRAPH_DEF, KERAS, META_GRAPH_DEF  # noqa: PLC0415 (imported when used)
        from tbwidget.graph import RUN_METADATA as TRACE  # noqa: PLC0415

        with self._lock:
            holder = self._run(run)
            listing = holder.catalog.listing()
            plugins = {tag: holder.catalog.metadata(tag).plugin for tag in listing.get(GRAPHS, [])}
            beside = {tag: holder.beside(decode.RUN_METADATA, tag) for tag in listing.get(RUN_METADATA, [])}
            written = {what for what in (decode.RUN_GRAPH, decode.META_GRAPH) if holder.beside(what, "")}
            of_tags = {
                tag: (plugin == KERAS_PLUGIN, -float(self._graph_items(run, tag).wall_time[-1]))
                for tag, plugin in plugins.items()
                if tag not in (RUN_GRAPH_TAG, META_GRAPH_TAG)
            }
        found = [
            GraphSource(name, form, partial(self._needed, run, what, ""), partial(self._misfit, run, what, ""))
            for name, form, what in (
                (RUN_GRAPH_TAG, GRAPH_DEF, decode.RUN_GRAPH),
                (META_GRAPH_TAG, META_GRAPH_DEF, decode.META_GRAPH),
            )
            if what in written
        ]
        for tag in sorted(of_tags, key=of_tags.__getitem__):
            form = KERAS if plugins[tag] == KERAS_PLUGIN else TRACE
            found.append(
                GraphSource(tag, form, partial(self._graph_string, run, tag), partial(self._misfit_string, run, tag))
            )
        # Last: most recorded steps hold statistics alone.
        traced = sorted((place[0].name, place[1], tag) for tag, place in beside.items() if place)
        return found + [
            GraphSource(
                tag,
                TRACE,
                partial(self._needed, run, decode.RUN_METADATA, tag),
                partial(self._misfit, run, decode.RUN_METADATA, tag),
            )
            for *_, tag in reversed(traced)
        ]

    def _needed(self, run: str, what: str, tag: str) -> bytes:
        data = self._extra(run, what, tag)
        if data is None:
            raise KeyError(f"no {what} {tag!r} in run {run!r} any more")
        return data

    def _misfit(self, run: str, what: str, tag: str, message: str) -> None:
        with self._lock:
            found = self._run(run).beside(what, tag)
        if found is not None:
            source, offset = found
            self._report(source, offset, 0, message)

    def _graph_items(self, run: str, tag: str) -> Items:
        with self._lock:
            kind = self._run(run).catalog.kind(tag)
        return self._items(run, tag, kind or GRAPHS)

    def _graph_string(self, run: str, tag: str) -> bytes:
        return _string(self._graph_items(run, tag))

    def _misfit_string(self, run: str, tag: str, message: str) -> None:
        self._graph_items(run, tag).misfit(-1, message)

    def frame(
        self,
        kind: str = SCALARS,
        runs: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        superseded: bool = False,  # noqa: FBT001, FBT002 (public as it is)
    ) -> pd.DataFrame:
        """A table in long form: run, tag (categoricals), step, wall_time (s since the epoch), and what the kind has.

        | kind | a row | columns |
        |---|---|---|
        | scalars | a point | value |
        | histograms | a bucket | left, right, count |
        | images | a sample | sample, format, width, height, bytes |
        | audio | a sample | sample, sample_rate, content_type, label, bytes |
        | text | a string | element (place in the array), value |
        | pr_curves | a threshold | threshold, tp, fp, tn, fn, precision, recall |
        | tensors | an element | element, value; of those of rank 0 and 1 |
        | hparams | a trial | run, group, status, hparam/<name> ..., metric/<name> ... and nothing else |

        `runs` and `tags` choose some of them; a name that is not there raises KeyError. ValueError for other kinds.
        What cannot be read is left out, and among the problems.
        """
        from tbwidget.logs.frame import table  # noqa: PLC0415 (imports pandas)

        return table(
            self,
            kind,
            None if runs is None else [runs] if isinstance(runs, str) else list(runs),
            None if tags is None else [tags] if isinstance(tags, str) else list(tags),
            superseded=superseded,
        )


def _string(items: Items) -> bytes:
    """The one string of the last value."""
    value = items.value(-1)
    with reported(items, -1):
        content = array_of(value.tensor)
        if content.dtype != object or not content.size:
            raise TensorError("no string where serialised bytes are wanted")
        data: bytes = content.flat[0]
        return data
