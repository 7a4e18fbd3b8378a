"""All kinds of data. A kind is one file of this folder, and a line here, which is also its accessor."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

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

if TYPE_CHECKING:
    from tbwidget.logs.kinds.declare import Kind
    from tbwidget.logs.source import LogSource

_Parameters = ParamSpec("_Parameters")
_Values = TypeVar("_Values")

_ALL: list[Kind] = []


def _accessor(
    kind: Kind, read: Callable[Concatenate[LogSource, _Parameters], _Values]
) -> Callable[Concatenate[Accessors, _Parameters], _Values]:
    """List a kind; return a method with the docstring and signature of `read`, which reads from a source."""
    _ALL.append(kind)

    @wraps(read)
    def method(logs: Accessors, /, *args: _Parameters.args, **options: _Parameters.kwargs) -> _Values:
        return read(logs.source, *args, **options)

    source, *others = signature(read).parameters.values()
    shown = signature(read).replace(parameters=[source.replace(name="self", annotation=Parameter.empty), *others])
    vars(method).update(__signature__=shown, __qualname__=f"LogDir.{read.__name__}")
    return method


class Accessors:
    """Values by kind, over a source: a method a kind, in the order in which kinds are listed."""

    source: LogSource
    """Where the values come from; for programs that show them."""

    scalars = _accessor(scalars.KIND, scalars.scalars)
    histograms = _accessor(histograms.KIND, histograms.histograms)
    images = _accessor(images.KIND, images.images)
    audio = _accessor(audio.KIND, audio.audio)
    text = _accessor(text.KIND, text.text)
    pr_curves = _accessor(pr_curves.KIND, pr_curves.pr_curves)
    meshes = _accessor(meshes.KIND, meshes.meshes)
    hparams = _accessor(hparams.KIND, hparams.hparams)
    graph = _accessor(graphs.KIND, graphs.graph)
    embeddings = _accessor(embeddings.KIND, embeddings.embeddings)
    custom_scalars = _accessor(custom_scalars.KIND, custom_scalars.custom_scalars)
    tensors = _accessor(tensors.KIND, tensors.tensors)
    run_metadata = _accessor(run_metadata.KIND, run_metadata.run_metadata)


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


def fits(kind: str, *some: str) -> bool:
    """Whether a value of any of these forms belongs into a series of this kind."""
    return not _FORMS[kind].isdisjoint(some)
