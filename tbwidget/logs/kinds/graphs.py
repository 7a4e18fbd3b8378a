"""Graphs of a run: the serialized messages that models of them are made from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tbwidget.logs.kinds.declare import Kind
from tbwidget.logs.sequences import last_string
from tbwidget.logs.unknown import UnknownNameError
from tbwidget.reasons import Reason
from tbwidget.records.values import attachments, forms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tbwidget.graph import Graph, GraphProblem
    from tbwidget.logs.items import Attachment
    from tbwidget.logs.source import LogSource

shown: Callable[[Graph], Mapping[str, Any]] | None = None
"""Makes a notebook's result of a graph, by MIME type. The module that draws graphs sets it, as logs do not import
it."""

KERAS_PLUGIN = "graph_keras_model"
"""The plugin whose values are the JSON of a model (tensorboard/plugins/graph/metadata.py); others hold a trace."""


@dataclass(frozen=True, slots=True)
class GraphSource:
    """One graph of a run, not read yet."""

    name: str
    """As `tags()` lists it."""
    form: str
    """One of `tbwidget.graph.FORMS`."""
    revision: Hashable
    """Changes when the graph is written again, or its file is read from its start."""
    read: Callable[[], bytes] = field(repr=False)
    """Gives the bytes; raises ValueError, naming file and offset, where they are no longer there or not true."""
    report: Callable[[Reason], object] = field(repr=False)
    """Lists a problem with the bytes in the log directory."""


RUN_GRAPH_TAG, META_GRAPH_TAG = "__run_graph__", "__meta_graph__"
"""Names of the graphs that events hold without a tag; the first is TensorBoard's own."""

GRAPHS_PLUGIN = "graphs"
"""Stands for the plugin of graphs that are not values of summaries."""


def graph(source: LogSource, run: str, name: str | None = None) -> Graph:
    """Return a graph of a run: the one of this name among the tags of graphs and run metadata, or the one to show.

    The one to show is the run graph, else the meta graph, a trace, or a Keras model; of several the last that was
    written. A graph that is damaged beyond reading is returned only if the run has no other; unreadable parts are a
    problem. `graph.statistics(logs.run_metadata(run, tag).data)` has what it cost in a recorded step.

    Raises:
        KeyError: The run or the graph does not exist.
        ValueError: The bytes are no longer valid.

    Example:
        >>> logs.graph("run1").node_count
    """
    held = source.graphs(run)
    if held and name in (None, *held):
        return held[name or next(iter(held))]
    return _read_graph(source, run, name)


def _read_graph(source: LogSource, run: str, name: str | None) -> Graph:
    from tbwidget.graph import RUN_METADATA as TRACE  # noqa: PLC0415 (imported when used)
    from tbwidget.graph import read_graph  # noqa: PLC0415

    empty: Graph | None = None
    damage: ValueError | None = None
    for each in graph_sources(source, run):
        if name not in (None, each.name):
            continue
        try:
            found = read_graph(each.read(), each.form)
        except ValueError as error:
            damage = damage or error
            continue
        if found.problems:
            each.report(_graph_reason(each.name, found.problems))
        found.shown = shown
        if name is not None or found.node_count or not (found.problems or each.form == TRACE):
            return found
        if found.problems:  # else it holds statistics of a step alone
            empty = empty or found
    if empty is not None:
        return empty
    if damage is not None:
        raise damage
    if name is None:
        raise KeyError(f"no graph in run {run!r}")
    raise _unknown_graph(source, run, name)


def graph_revision(source: LogSource, run: str, name: str) -> Hashable:
    """Return another value when the graph of this name was written again. Raises KeyError if it does not exist."""
    if name in source.graphs(run):
        return 0
    found = tuple(each.revision for each in graph_sources(source, run) if each.name == name)
    if not found:
        raise _unknown_graph(source, run, name)
    return found


def graph_sources(source: LogSource, run: str) -> list[GraphSource]:
    """Return what of a run holds a graph; the first is the one to show unless another is asked for."""
    from tbwidget.graph import GRAPH_DEF, KERAS, META_GRAPH_DEF  # noqa: PLC0415 (imported when used)
    from tbwidget.graph import RUN_METADATA as TRACE  # noqa: PLC0415

    with source.exclusive():
        listing = source.tags_of(run)
        plugins = {tag: source.metadata(run, tag).plugin for tag in listing.get(KIND.name, [])}
        written = [
            (RUN_GRAPH_TAG, GRAPH_DEF, source.attachment(run, attachments.RUN_GRAPH)),
            (META_GRAPH_TAG, META_GRAPH_DEF, source.attachment(run, attachments.META_GRAPH)),
        ]
        items = {
            tag: source.items(run, tag, source.kind(run, tag) or KIND.name)
            for tag, plugin in plugins.items()
            if plugin != GRAPHS_PLUGIN
        }
        traces = [
            (tag, source.attachment(run, attachments.RUN_METADATA, tag)) for tag in listing.get("run_metadata", [])
        ]
    found = [_of_attachment(name, form, attachment) for name, form, attachment in written if attachment]
    for tag in sorted(items, key=lambda tag: (plugins[tag] == KERAS_PLUGIN, -float(items[tag].wall_time[-1]))):
        form = KERAS if plugins[tag] == KERAS_PLUGIN else TRACE
        of_tag = items[tag]
        revision = of_tag.revision, len(of_tag)
        found.append(GraphSource(tag, form, revision, partial(last_string, of_tag), partial(of_tag.report_invalid, -1)))
    # Last: most recorded steps hold statistics alone.
    there = sorted((trace.source.name, trace.offset, tag, trace) for tag, trace in traces if trace)
    return found + [_of_attachment(tag, TRACE, trace) for *_, tag, trace in reversed(there)]


def _of_attachment(name: str, form: str, attachment: Attachment) -> GraphSource:
    return GraphSource(name, form, attachment[:2], attachment.read, attachment.report)


def _unknown_graph(source: LogSource, run: str, name: str) -> KeyError:
    return UnknownNameError(
        f"no graph {name!r} in run {run!r}", name, lambda: source.tags().get(KIND.name, {}).get(run, []), "graph"
    )


def _graph_reason(name: str, problems: Sequence[GraphProblem]) -> Reason:
    """Return the first problem of a graph, and how many more there are."""
    first = {"graph": name, "offset": problems[0].offset, "problem": problems[0].message}
    if len(problems) == 1:
        return Reason("graph-problem", **first)
    return Reason("graph-problems", **first, more=len(problems) - 1)


KIND = Kind("graphs", plugins=("graph_run_metadata_graph", KERAS_PLUGIN), forms=forms.STRING_TENSORS)
