"""`tbwidget doctor`: what a support thread would ask about an installation and a log directory."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tbwidget._version import __version__
from tbwidget.export.bundle import require_bundle
from tbwidget.language import say, say_count, say_problem
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.problems import Problem
from tbwidget.records.files.urls import scheme_of

_PACKAGES = ("anywidget", "ipywidgets", "bqplot", "ipykernel", "jupyterlab", "notebook", "numpy", "pandas", "protobuf")
_SUBSHELLS = 7
"""First major version of ipykernel that hears the page during a cell."""

EXTENSION = "labextensions/tbwidget/package.json"
"""Below a data directory of Jupyter."""


def report(directories: list[str], storage_options: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Lines about this environment, then about each directory."""
    python, system = platform.python_version(), platform.platform()
    yield say("tbwidget {version} on Python {python}, {system}", version=__version__, python=python, system=system)
    yield f"  {sys.prefix}"
    versions = {name: found for name in _PACKAGES if (found := _version(name))}
    yield say("packages: {names}", names=", ".join(f"{name} {version}" for name, version in versions.items()))
    yield say("bundle: {state}", state=_bundle())
    yield say("extension of JupyterLab: {state}", state=_extension())
    yield say("messages from the page during a cell: {state}", state=_channel(versions.get("ipykernel")))
    yield from (say("writer: {state}", state=line) for line in _writers())
    has_url = any(map(scheme_of, directories))
    for directory in directories:
        yield from _directory(directory, None if has_url and not scheme_of(directory) else storage_options)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _bundle() -> str:
    try:
        require_bundle()
    except FileNotFoundError as error:
        return say("missing: {error}", error=error)
    return say("complete")


def _extension() -> str:
    """Whether a server of this environment would find the extension, and its version."""
    try:
        from jupyter_core.paths import jupyter_path  # noqa: PLC0415 (not a dependency)
    except ImportError:
        return say("unknown: Jupyter is not installed here. Install tbwidget in the environment of the server, too")
    for folder in map(Path, jupyter_path()):
        try:
            found = json.loads((folder / EXTENSION).read_text("utf-8"))
        except OSError:
            continue
        except ValueError as error:
            return say("damaged: {path}: {error}", path=folder / EXTENSION, error=error)
        version = str(found.get("version")) if isinstance(found, dict) else "None"
        place = folder / EXTENSION
        if version != __version__:
            return say(
                "version {version}, but the kernel has {own}: install the same version in both ({path})",
                version=version,
                own=__version__,
                path=place,
            )
        return say("found, same version ({path})", path=place)
    return say("not found: after a reload during a running cell, dashboards come back only when the cell ends")


def _channel(kernel: str | None) -> str:
    if kernel is None:
        return say("unknown: ipykernel is not installed here")
    major = kernel.partition(".")[0]
    if major.isdecimal() and int(major) >= _SUBSHELLS:
        return say("handled at once (ipykernel {version} has subshells)", version=kernel)
    return say(
        "handled when the cell ends (ipykernel {version} has no subshells); charts are updated all the same",
        version=kernel,
    )


def _writers() -> Iterator[str]:
    """The writers that are installed and hold values back. Nothing is imported: that may take half a minute."""
    late = (
        "{writer} holds values back for up to 120 s; dashboards flush writers of their own kernel, others need"
        " flush_secs=1"
    )
    tensorflow = find_spec("tensorflow") is not None
    if find_spec("torch") is not None:
        yield say(late, writer="torch") if tensorflow else say("torch writes at once")
    if find_spec("tensorboardX") is not None:
        yield say(late, writer="tensorboardX")
    if tensorflow:
        yield say(late, writer="TensorFlow")


def _directory(directory: str, storage_options: Mapping[str, Any] | None) -> Iterator[str]:
    logs = LogDir(directory, storage_options=storage_options)
    directory = logs.source.title  # without credentials
    try:
        logs.refresh()
        if not logs.exists:
            problems = logs.problems
            yield (
                say("{directory}: this directory cannot be read", directory=directory)
                if problems
                else say("{directory}: this directory does not exist", directory=directory)
            )
            yield from map(_problem, problems)
            return
        kinds = {kind: sum(map(len, runs.values())) for kind, runs in logs.tags().items()}
        empty = logs.source.empty_files
        yield f"{directory}: {say_count(len(logs.runs), 'run')}, {say_count(logs.source.files_found, 'event file')}"
        if empty:
            files = say_count(empty, "event file")
            yield "  " + say("{files} without data yet: the writer may hold it back", files=files)
        for kind, tags in kinds.items():
            yield f"  {kind}: {say_count(tags, 'tag')}"
        yield from map(_problem, logs.problems)
    finally:
        logs.close()


def _problem(problem: Problem) -> str:
    return "  " + say("problem: {problem}", problem=say_problem(*problem))
