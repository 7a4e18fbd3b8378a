"""Which kind of series a tag holds, and which forms of values fit it."""

from __future__ import annotations

from collections.abc import Iterable

from tbwidget.records import forms

SCALARS, GRAPHS, RUN_METADATA, TENSORS, EMBEDDINGS = "scalars", "graphs", "run_metadata", "tensors", "embeddings"

KINDS = (
    SCALARS,
    "histograms",
    "images",
    "audio",
    "text",
    "pr_curves",
    "meshes",
    "hparams",
    GRAPHS,
    EMBEDDINGS,
    "custom_scalars",
    TENSORS,
    RUN_METADATA,
)
"""All kinds, in the order in which they are listed."""

# Plugin names as writers put them into summary metadata (tensorboard/plugins/*/metadata.py).
_OF_PLUGIN = {
    "scalars": SCALARS,
    "histograms": "histograms",
    "images": "images",
    "audio": "audio",
    "text": "text",
    "pr_curves": "pr_curves",
    "mesh": "meshes",
    "hparams": "hparams",
    "custom_scalars": "custom_scalars",
    "graph_run_metadata": RUN_METADATA,
    "graph_run_metadata_graph": GRAPHS,
    "graph_keras_model": GRAPHS,
}
WITH_GRAPH = "graph_run_metadata"
"""The plugin whose values hold a graph beside their statistics."""

_FITTING = {
    SCALARS: frozenset({forms.SIMPLE_VALUE, forms.NUMBER}),
    "histograms": frozenset({forms.HISTO, forms.TRIPLES, forms.SIX_TRIPLES}),
    "images": frozenset({forms.IMAGE, forms.TWO_STRINGS}),
    "audio": frozenset({forms.AUDIO, forms.STRINGS, forms.TWO_STRINGS, forms.PAIRS}),
    "text": forms.STRING_TENSORS,
    "pr_curves": frozenset({forms.SIX_ROWS, forms.SIX_TRIPLES}),
    "meshes": frozenset({forms.POINTS}),
    "hparams": forms.NUMERIC_TENSORS | forms.STRING_TENSORS | {forms.NOTHING},  # all of it stands in the metadata
    GRAPHS: forms.STRING_TENSORS,
    "custom_scalars": frozenset({forms.STRING}),
    TENSORS: forms.NUMERIC_TENSORS | forms.STRING_TENSORS,
    RUN_METADATA: forms.STRING_TENSORS,
}


def kind_of_plugin(plugin: str) -> str:
    """The kind that a plugin's values are of; tensors if the plugin is not known."""
    return _OF_PLUGIN.get(plugin, TENSORS)


def fits_any(kind: str, some: Iterable[str]) -> bool:
    """Whether a value of any of these forms belongs into a series of this kind."""
    return not _FITTING[kind].isdisjoint(some)


def fits(kind: str, form: str) -> bool:
    """Whether a value of this form belongs into a series of this kind."""
    return form in _FITTING[kind]
