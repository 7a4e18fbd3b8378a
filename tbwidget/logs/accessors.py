"""Values by kind, over a source: what users and panels call."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

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
    from pathlib import Path

    from tbwidget.logs.problems import Problem
    from tbwidget.logs.series import TagMetadata
    from tbwidget.logs.source import LogSource

_Parameters = ParamSpec("_Parameters")
_Values = TypeVar("_Values")


def _accessor(
    read: Callable[Concatenate[LogSource, _Parameters], _Values],
) -> Callable[Concatenate[Logs, _Parameters], _Values]:
    """Return a method with the docstring and signature of `read`, which reads from the source of its logs."""

    @wraps(read)
    def method(logs: Logs, /, *args: _Parameters.args, **options: _Parameters.kwargs) -> _Values:
        return read(logs.source, *args, **options)

    source, *others = signature(read).parameters.values()
    shown = signature(read).replace(parameters=[source.replace(name="self", annotation=Parameter.empty), *others])
    vars(method).update(__signature__=shown, __qualname__=f"LogDir.{read.__name__}")
    return method


class Logs:
    """Runs, tags and values of a source. All methods may be called from any thread."""

    def __init__(self, source: LogSource) -> None:
        self.source = source
        """Where the values come from; for programs that show them."""

    @property
    def paths(self) -> dict[str, Path | str]:
        """Directories by name: a `Path`, or a URL as a str.

        A run of a named directory is called "name/run". The only directory has the name "".
        """
        return self.source.paths

    @property
    def exists(self) -> bool:
        """Whether one of the directories exists."""
        return self.source.exists

    @property
    def runs(self) -> list[str]:
        """Names of the runs, in natural order: paths relative to the log directory; "." is the directory itself."""
        return self.source.runs

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """All tags that have data: {kind: {run: [tag, ...]}}, runs and tags in natural order."""
        return self.source.tags()

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """Return what the writer declared about a tag. Raises KeyError for a run or tag that does not exist."""
        return self.source.metadata(run, tag)

    @property
    def problems(self) -> list[Problem]:
        """Problems with the files: what could not be read, by path and offset."""
        return self.source.problems

    def refresh(self) -> bool:
        """Read what was appended; return whether something changed. The result always equals a fresh load."""
        return self.source.refresh()

    scalars = _accessor(scalars.scalars)
    histograms = _accessor(histograms.histograms)
    images = _accessor(images.images)
    audio = _accessor(audio.audio)
    text = _accessor(text.text)
    pr_curves = _accessor(pr_curves.pr_curves)
    meshes = _accessor(meshes.meshes)
    tensors = _accessor(tensors.tensors)
    hparams = _accessor(hparams.hparams)
    embeddings = _accessor(embeddings.embeddings)
    custom_scalars = _accessor(custom_scalars.custom_scalars)
    run_metadata = _accessor(run_metadata.run_metadata)
    graph = _accessor(graphs.graph)
