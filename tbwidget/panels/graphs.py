"""The graphs panel: the first view of each graph, then its whole structure.

With these the browser opens scopes alone; `graph_columns` has their format. It requests attributes, statistics and
bodies of functions: see `graph_answers`. A third document lists the recorded steps of a run: JSON, `{"steps": [tag,
...]}`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import traitlets

from tbwidget.logs.kinds.graphs import META_GRAPH_TAG, RUN_GRAPH_TAG
from tbwidget.logs.kinds.registry import GRAPHS, RUN_METADATA
from tbwidget.logs.natural import natural_key
from tbwidget.logs.unknown import did_you_mean
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.panels.graph_cache import KeptGraph, kept_graph
from tbwidget.wire.content import Answer, DocumentContent, Handler

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from tbwidget.graph import Graph
    from tbwidget.logs.accessors import Logs


# Modules of graphs are imported when there is a graph: that takes a third as long as importing the widget.


def _encode_root(graph: Graph) -> bytes:
    from tbwidget.panels.graph_columns import encode_root  # noqa: PLC0415

    return encode_root(graph)


def _encode_structure(graph: Graph) -> bytes:
    from tbwidget.panels.graph_columns import encode_structure  # noqa: PLC0415

    return encode_structure(graph)


def _answering(name: str) -> Handler:
    """Return a handler that imports its twin in `graph_answers`."""

    def handler(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
        from tbwidget.panels import graph_answers  # noqa: PLC0415

        answer: Answer = getattr(graph_answers, name)(logs, args, is_cancelled)
        return answer

    return handler


@dataclass(frozen=True)
class GraphDocument:
    """A document that is encoded from a graph."""

    kept: KeptGraph
    encode_graph: Callable[[Graph], bytes]

    @property
    def revision(self) -> Hashable:
        """Changes when the graph is written again."""
        return self.kept.revision

    def encode(self) -> bytes:
        """Encode the graph, and read it first unless it is cached."""
        return self.kept.encoded(self.encode_graph)


class GraphRootsContent(DocumentContent):
    """The first view of each graph. It is on the screen while the structure is computed."""

    kind = "graph_roots"
    prefetch_bytes = 4_000_000
    in_background = True

    @property
    def sources(self) -> tuple[str, ...]:
        """Name the kind that holds graphs."""
        return ("graphs",)

    def read(self, logs: Logs, run: str, tag: str) -> GraphDocument:
        """Return the document without reading the graph yet."""
        return GraphDocument(kept_graph(logs, run, tag), _encode_root)


class GraphStructuresContent(DocumentContent):
    """The whole structure of each graph."""

    kind = "graph_structures"
    prefetch_bytes = 16_000_000
    in_background = True

    @property
    def sources(self) -> tuple[str, ...]:
        """Name the kind that holds graphs."""
        return ("graphs",)

    def read(self, logs: Logs, run: str, tag: str) -> GraphDocument:
        """Return the document without reading the graph yet."""
        return GraphDocument(kept_graph(logs, run, tag), _encode_structure)


class Steps(NamedTuple):
    """The recorded steps of a run."""

    revision: tuple[str, ...]
    """Their tags, in natural order."""

    def encode(self) -> bytes:
        """Encode them as JSON."""
        return json.dumps({"steps": self.revision}).encode("ascii")


class GraphStepsContent(DocumentContent):
    """The steps of a run that were recorded with times and memory."""

    kind = "graph_steps"
    prefetch_bytes = 1_000_000

    @property
    def sources(self) -> tuple[str, ...]:
        """Name the kind that holds recorded steps."""
        return ("run_metadata",)

    def key_of(self, run: str, _tag: str) -> tuple[str, str]:
        """Return one key for each run."""
        return run, ""

    def read(self, logs: Logs, run: str, _tag: str) -> Steps:
        """Return the tags of the recorded steps."""
        return Steps(tuple(sorted(logs.tags().get("run_metadata", {})[run], key=natural_key)))


_MAX_NAMED = 5


def check_expanded(logs: Logs, chosen: Any) -> str | None:
    """Warn of paths to open that the graph does not have."""
    paths: list[str] = chosen.graph_expanded or []
    found = _shown(logs, chosen)
    if not paths or found is None:
        return None
    run, name = found
    # A path counts as present although a scope above it is closed.
    opened = {above for path in paths for above in accumulate(path.split("/"), lambda first, last: f"{first}/{last}")}
    graph = kept_graph(logs, run, name).graph()
    known = graph.view(opened | set(paths), chosen.graph_ungrouped, chosen.graph_grouped).path
    there = set(known)
    missing = [path for path in paths if path not in there]
    if not missing:
        return None
    listed = ", ".join(map(repr, missing[:_MAX_NAMED])) + (", …" if len(missing) > _MAX_NAMED else "")
    hint = did_you_mean(missing[0], known)
    return f"the graph of run {run!r} has no scope {listed}{hint}"


def expanded(logs: Logs, chosen: Any) -> list[str]:
    """Return the paths of the open boxes: the chosen ones, else those that the first view opens."""
    if chosen.graph_expanded is not None:
        return list(chosen.graph_expanded)
    found = _shown(logs, chosen)
    try:
        return [] if found is None else list(kept_graph(logs, *found).graph().first_opened)
    except KeyError:  # removed since it was listed
        return []


def check_color_by(logs: Logs, chosen: Any) -> str | None:
    """Warn of colors by a time or memory that no step recorded."""
    wanted = chosen.graph_color_by
    found = _shown(logs, chosen)
    if wanted not in ("time", "memory") or found is None or logs.tags().get(RUN_METADATA, {}).get(found[0]):
        return None
    what = "times" if wanted == "time" else "memory"
    return f"no step of run {found[0]!r} was recorded with its {what}, so {wanted!r} colors nothing"


def _shown(logs: Logs, chosen: Any) -> tuple[str, str] | None:
    """Return the run and the name of the shown graph; None while there is none."""
    listed = logs.tags().get(GRAPHS, {})
    run = chosen.graph_run or next(iter(listed), None)
    names = listed.get(run, []) if run is not None else []
    if run is None or not names or (chosen.graph_name and chosen.graph_name not in names):
        return None
    return run, chosen.graph_name or next((name for name in (RUN_GRAPH_TAG, META_GRAPH_TAG) if name in names), names[0])


def _paths(doc: str) -> traitlets.List[str]:
    trait: traitlets.List[str] = option(traitlets.List(traitlets.Unicode()), f"{doc} Type: list of str. Default: [].")
    return trait


class GraphOptions(traitlets.HasTraits):
    """Options of graphs. Paths are as in `logs.graph(run).view(...)`."""

    graph_run = option(
        traitlets.Unicode(None, allow_none=True),
        """The run whose graph is shown. Type: str or None. Default: None, the first shown run that has one.""",
        names="run",
    )
    graph_name = option(
        traitlets.Unicode(None, allow_none=True),
        """Which graph of the run is shown, as listed by `logs.tags()["graphs"]`. Type: str or None. Default: None, the
        run graph, else a trace, else a Keras model.""",
    )
    graph_expanded = option(
        traitlets.List(traitlets.Unicode(), None, allow_none=True),
        """Paths of the open scopes, stacks and layers; an empty list opens none. Type: list of str or None. Default:
        None, which opens scopes until at least 12 boxes are on the screen.""",
    )
    graph_ungrouped = _paths("Paths of the stacks and layers that are ungrouped: their members are drawn separately.")
    graph_grouped = _paths(
        "Paths of siblings with equal structure that are stacked although the stack hides the order in which data flow."
    )
    graph_keep = _paths("Paths of nodes that stay in the main graph even if they have very many edges.")
    graph_extract = _paths("Paths of nodes that are moved from the main graph to the auxiliary nodes.")
    graph_hidden_ops = _paths('Op types whose nodes and edges are hidden, such as "Identity".')
    graph_isolated = option(
        traitlets.Unicode(None, allow_none=True),
        """Path of the scope whose inside is shown alone. Type: str or None. Default: None.""",
    )
    graph_color_by = option(
        traitlets.Enum(("structure", "device", "cluster", "time", "memory", "none"), default_value="structure"),
        """What the colors of boxes mean: structure (identical scopes share a color), the device or XLA cluster, the
        compute time or memory of the recorded step, or nothing. Type: "structure", "device", "cluster", "time",
        "memory" or "none". Default: "structure".""",
    )
    graph_step = option(
        traitlets.Unicode(None, allow_none=True),
        """Tag of the recorded step whose compute time and memory are shown. Type: str or None. Default: None, the
        first.""",
    )
    graph_devices = option(
        traitlets.List(traitlets.Unicode(), None, allow_none=True),
        """Names of the devices whose times and memory are counted. Names that the step did not run on are ignored; if
        it ran on none of them, all devices count. Type: list of str or None. Default: None, all.""",
    )
    graph_selected = option(
        traitlets.Unicode(None, allow_none=True),
        """Path of the selected node. Type: str or None. Default: None.""",
        remembered=False,
    )


PANEL = Panel(
    name="graphs",
    contents=(GraphRootsContent(), GraphStructuresContent(), GraphStepsContent()),
    options=(GraphOptions,),
    view="GraphView",
    view_doc="""The graphs of a log directory, and nothing else.

GraphView(logs, run="train", expanded=["encoder", "encoder/layer0"], hidden_ops=["Identity"], color_by="time")

opens, hides and colors it without a click; `view.selected` and `view.expanded` follow what the user does there.""",
    view_values={"graph_expanded": expanded},
    checks={"graph_expanded": check_expanded, "graph_color_by": check_color_by},
    requests={name: _answering(name) for name in ("node", "find", "statistics", "function")},
    view_options={
        "run": "graph_run",
        "name": "graph_name",
        "expanded": "graph_expanded",
        "ungrouped": "graph_ungrouped",
        "grouped": "graph_grouped",
        "keep": "graph_keep",
        "extract": "graph_extract",
        "hidden_ops": "graph_hidden_ops",
        "isolated": "graph_isolated",
        "color_by": "graph_color_by",
        "step": "graph_step",
        "devices": "graph_devices",
        "selected": "graph_selected",
    },
)
