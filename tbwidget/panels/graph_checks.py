"""Warnings in Python about options for graphs without effect: missing scopes, times of steps not recorded."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from tbwidget.logs.kinds.graphs import META_GRAPH_TAG, RUN_GRAPH_TAG
from tbwidget.logs.kinds.registry import GRAPHS, RUN_METADATA
from tbwidget.logs.unknown import did_you_mean
from tbwidget.panels.graph_cache import kept_graph

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs

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
