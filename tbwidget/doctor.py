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
from tbwidget.logs.logdir import LogDir
from tbwidget.records.files.urls import scheme_of
from tbwidget.texts import pluralize

_PACKAGES = ("anywidget", "ipywidgets", "bqplot", "ipykernel", "jupyterlab", "notebook", "numpy", "pandas", "protobuf")
_SUBSHELLS = 7
"""First major version of ipykernel that hears the page during a cell."""

EXTENSION = "labextensions/tbwidget/package.json"
"""Below a data directory of Jupyter."""


def report(directories: list[str], storage_options: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Lines about this environment, then about each directory."""
    yield f"tbwidget {__version__} on Python {platform.python_version()}, {platform.platform()}"
    yield f"  {sys.prefix}"
    versions = {name: found for name in _PACKAGES if (found := _version(name))}
    yield "packages: " + ", ".join(f"{name} {version}" for name, version in versions.items())
    yield f"bundle: {_bundle()}"
    yield f"extension of JupyterLab: {_extension()}"
    yield f"messages from the page during a cell: {_channel(versions.get('ipykernel'))}"
    yield from (f"writer: {line}" for line in _writers())
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
        return f"missing: {error}"
    return "complete"


def _extension() -> str:
    """Whether a server of this environment would find the extension, and its version."""
    try:
        from jupyter_core.paths import jupyter_path  # noqa: PLC0415 (not a dependency)
    except ImportError:
        return "unknown: Jupyter is not installed here. Install tbwidget in the environment of the server, too"
    for folder in map(Path, jupyter_path()):
        try:
            found = json.loads((folder / EXTENSION).read_text("utf-8"))
        except OSError:
            continue
        except ValueError as error:
            return f"damaged: {folder / EXTENSION}: {error}"
        version = str(found.get("version")) if isinstance(found, dict) else "None"
        place = folder / EXTENSION
        if version != __version__:
            return f"version {version}, but the kernel has {__version__}: install the same version in both ({place})"
        return f"found, same version ({place})"
    return "not found: after a reload during a running cell, dashboards come back only when the cell ends"


def _channel(kernel: str | None) -> str:
    if kernel is None:
        return "unknown: ipykernel is not installed here"
    major = kernel.partition(".")[0]
    if major.isdecimal() and int(major) >= _SUBSHELLS:
        return f"handled at once (ipykernel {kernel} has subshells)"
    return f"handled when the cell ends (ipykernel {kernel} has no subshells); charts are updated all the same"


def _writers() -> Iterator[str]:
    """The writers that are installed and hold values back. Nothing is imported: that may take half a minute."""
    end = "for up to 120 s; dashboards flush writers of their own kernel, others need flush_secs=1"
    tensorflow = find_spec("tensorflow") is not None
    if find_spec("torch") is not None:
        yield f"torch holds values back {end}" if tensorflow else "torch writes at once"
    if find_spec("tensorboardX") is not None:
        yield f"tensorboardX holds values back {end}"
    if tensorflow:
        yield f"TensorFlow holds values back {end}"


def _directory(directory: str, storage_options: Mapping[str, Any] | None) -> Iterator[str]:
    logs = LogDir(directory, storage_options=storage_options)
    directory = logs.source.title  # without credentials
    try:
        logs.refresh()
        if not logs.exists:
            problems = logs.problems
            yield f"{directory}: this directory {'cannot be read' if problems else 'does not exist'}"
            yield from (f"  problem: {problem}" for problem in problems)
            return
        kinds = {kind: sum(map(len, runs.values())) for kind, runs in logs.tags().items()}
        empty = logs.source.empty_files
        yield f"{directory}: {pluralize(len(logs.runs), 'run')}, {pluralize(logs.source.files_found, 'event file')}"
        if empty:
            yield f"  {pluralize(empty, 'event file')} without data yet: the writer may hold it back"
        for kind, tags in kinds.items():
            yield f"  {kind}: {pluralize(tags, 'tag')}"
        for problem in logs.problems:
            yield f"  problem: {problem}"
    finally:
        logs.close()
