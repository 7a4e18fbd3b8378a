"""All kinds of data. A kind is one file of this folder, and a line here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tbwidget.logs.kinds import (
    audio,
    custom_scalars,
    embeddings,
    graphs,
    histograms,
    hparams,
    images,
    meshes,
    pr_curves,
    run_metadata,
    scalars,
    tensors,
    text,
)

_ALL = (
    scalars.KIND,
    histograms.KIND,
    images.KIND,
    audio.KIND,
    text.KIND,
    pr_curves.KIND,
    meshes.KIND,
    hparams.KIND,
    graphs.KIND,
    embeddings.KIND,
    custom_scalars.KIND,
    tensors.KIND,
    run_metadata.KIND,
)

KINDS = tuple(kind.name for kind in _ALL)
"""Their names, in the order in which they are listed."""
SCALARS: Final = scalars.KIND.name
GRAPHS: Final = graphs.KIND.name
TENSORS: Final = tensors.KIND.name
RUN_METADATA: Final = run_metadata.KIND.name

FILES: Final = {kind.name: kind.files for kind in _ALL if kind.files}
"""Files that only one kind reads, by the name of the kind."""

TABLES: Final = {kind.name: kind.table for kind in _ALL if kind.table}

_FORMS: Final = {kind.name: kind.forms for kind in _ALL}
_OF_PLUGIN = {plugin: kind.name for kind in _ALL for plugin in kind.plugins}


def kind_of_plugin(plugin: str) -> str:
    """The kind that a plugin's values are of; tensors if the plugin is not known."""
    return _OF_PLUGIN.get(plugin, TENSORS)


def fits_any(kind: str, some: Iterable[str]) -> bool:
    """Whether a value of any of these forms belongs into a series of this kind."""
    return not _FORMS[kind].isdisjoint(some)


def fits(kind: str, form: str) -> bool:
    """Whether a value of this form belongs into a series of this kind."""
    return form in _FORMS[kind]
