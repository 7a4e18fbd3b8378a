"""The directories that a `LogDir` reads: one, or several under names, which come before the names of their runs.

Whoever comes after discovery sees runs and files with longer names and nothing else.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tbwidget.records.files.storage import LOCAL, Storage, storage_of

OnePath: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = OnePath | Sequence[OnePath] | Mapping[str, OnePath]
"""A directory, several, or several by the names that come before those of their runs."""


class Root(NamedTuple):
    """A directory that is read."""

    name: str
    """What comes before the names of its runs; "" for the only one."""
    path: str
    """Absolute, or a URL; links stay as the user wrote them."""
    storage: Storage = LOCAL
    """Where it lies."""

    def named(self, inside: str) -> str:
        """The name in the log directory of a run or file of this root; "." is the root itself."""
        if not self.name or inside == ".":
            return self.name or inside
        return f"{self.name}/{inside}"

    def holds(self, run: str) -> bool:
        """Whether a run is one of this root."""
        return not self.name or run == self.name or run.startswith(f"{self.name}/")


def roots_of(given: Paths, more: Sequence[OnePath] = ()) -> tuple[Root, ...]:
    """The directories to read. TypeError for what is no path, ValueError for URLs and names that runs cannot have."""
    if not more and isinstance(given, str | os.PathLike):
        return (_root(given),)
    if isinstance(given, Mapping) and not more:
        named = [(_checked_name(name), _root(path)) for name, path in given.items()]
    else:
        several = given if isinstance(given, Sequence) and not isinstance(given, str) and not more else (given, *more)
        roots = list(dict.fromkeys(_root(path) for path in several))
        named = list(zip(_last_parts([root.path for root in roots]), roots, strict=True))
    if not named:
        raise ValueError("no log directory given")
    names = {name for name, _ in named}
    for name, _ in named:
        if clash := next((begin for begin in _begins(name) if begin in names), None):
            raise ValueError(
                f"runs of {clash!r} and {name!r} would have the same names: name the directories differently"
            )
    return tuple(root._replace(name=name) for name, root in named)


def check_directory(root: Root) -> None:
    """Raise FileNotFoundError for a missing root, NotADirectoryError for a file, another OSError if it is unknown."""
    if root.storage.is_directory(root.path):
        return
    try:
        root.storage.status(root.path)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a path that no file system has
        raise FileNotFoundError(f"no such log directory: {root.path}") from None
    raise NotADirectoryError(f"{root.path} is a file: pass the directory that contains the event files")


def _root(path: object) -> Root:
    """The root of a path, without a name."""
    if not isinstance(path, str | os.PathLike):
        what = "a LogDir" if hasattr(path, "refresh") else repr(path)
        raise TypeError(f"a log directory must be a str or os.PathLike, not {what}")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"a path must be a str, not {text!r}")
    storage = storage_of(text)
    return Root("", storage.absolute(text), storage)


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of a log directory must be a str, not {name!r}")
    if any(part in ("", ".", "..") for part in name.split("/")):
        raise ValueError(f"{name!r} cannot be the name of a log directory: runs are named 'name/run'")
    return name


def _last_parts(paths: Sequence[str]) -> list[str]:
    """Names for paths: the last part of each, or as many as it takes to tell it from the others."""
    parts = [list(Path(path).parts[1:]) or ["root"] for path in paths]
    counts = [1] * len(paths)
    while True:
        names = ["/".join(each[-count:]) for each, count in zip(parts, counts, strict=True)]
        clashing = _clashing(names)
        alike = [i for i, name in enumerate(names) if name in clashing]
        longer = [i for i in alike if counts[i] < len(parts[i])]
        if not longer:
            break
        for i in longer:
            counts[i] += 1
    return [f"{parts[i][-1]} ({i + 1})" if i in alike else name for i, name in enumerate(names)]


def _clashing(names: Sequence[str]) -> set[str]:
    """Those that are there twice, and those of which one begins with the other, as paths do."""
    counts = Counter(names)
    begins = {name: _begins(name) for name in counts}
    twice = {name for name, count in counts.items() if count > 1}
    longer = {name for name, shorter in begins.items() if any(begin in counts for begin in shorter)}
    return twice | longer | {begin for name in longer for begin in begins[name] if begin in counts}


def _begins(name: str) -> list[str]:
    """The paths that a path lies in."""
    return [name[: found.start()] for found in re.finditer("/", name)]


def common_parent(roots: Sequence[Root]) -> str:
    """Return the directory that all of them lie in; if there is none, as on two drives, the parent of the first."""
    parents = [root.storage.parent(root.path) for root in roots]
    if _are_local(roots):
        with suppress(ValueError):
            return os.path.commonpath(parents)
    return parents[0]


def _are_local(roots: Sequence[Root]) -> bool:
    return all(root.storage is LOCAL for root in roots)


def title(roots: Sequence[Root]) -> str:
    """What a log directory is called where it is shown: its path; of several "/parent/{a, name: b}"."""
    if len(roots) == 1 and not roots[0].name:
        return roots[0].path
    parent = common_parent(roots) if _are_local(roots) else ""
    inside = [(root.name, os.path.relpath(root.path, parent) if parent else root.path) for root in roots]
    listed = ", ".join(path if path == name else f"{name}: {path}" for name, path in inside)
    return f"{os.path.join(parent, '') if parent else ''}{{{listed}}}"
