"""Content of events other than summaries: a graph, or the statistics of a step."""

from __future__ import annotations

from typing import NamedTuple

RUN_GRAPH, META_GRAPH, RUN_METADATA, STEP_GRAPH = "run graph", "meta graph", "run metadata", "graph of a step"


class Attachment(NamedTuple):
    """A graph or run metadata."""

    record: int
    """Index of the record in its window."""
    what: str
    """RUN_GRAPH, META_GRAPH, RUN_METADATA, or STEP_GRAPH: a graph within run metadata."""
    tag: str
    """Tag of run metadata; empty for graphs."""
