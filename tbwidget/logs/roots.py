"""The directories that a `LogDir` reads: one, or several under names, which come before the names of their runs.

A directory is a path of this machine or a URL, whose text stays as the user wrote it: only this module and the
storages take paths apart. After discovery, runs and files have longer names and are treated alike.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeAlias

from tbwidget.logs.unknown import closest
from tbwidget.reasons import Reason
from tbwidget.records.files.remote import storage_of
from tbwidget.records.files.storage import LOCAL, Storage
from tbwidget.records.files.urls import LOCAL_SCHEMES, local_path, scheme_of, shown_url

OnePath: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = OnePath | Sequence[OnePath] | Mapping[str, OnePath]
"""A directory, several, or several by the names that are put before the names of their runs."""
CheckpointPaths: TypeAlias = OnePath | Sequence[OnePath] | Mapping[str, OnePath] | None
"""A directory of checkpoints, several, or one for each of some runs."""


class Root(NamedTuple):
    """A directory that is read."""

    name: str
    """Prefix of the names of its runs; "" for the only one."""
    path: str
    """Absolute, or a URL without its credentials; links stay as the user wrote them."""
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

    @property
    def place(self) -> Path | str:
        """The path; a URL as a str, because a `Path` would make "s3:/bucket" of "s3://bucket"."""
        return Path(self.path) if self.storage is LOCAL else self.path

    @property
    def last_part(self) -> str:
        """Last part of the path, without where it lies; empty for the root directory of a file system."""
        return "".join(_parts(self.path)[1:][-1:])

    def spellings(self) -> set[str]:
        """Return the path as messages may name it: as written, and with links followed; none for a root directory."""
        spellings = {self.path}
        with suppress(OSError, ValueError):  # messages name directories that cannot be opened, too
            spellings.add(self.storage.canonical(self.path))
        return {path for path in spellings if len(_parts(path)) > 1}


def roots_of(
    given: Paths, more: Sequence[OnePath] = (), storage_options: Mapping[str, Any] | None = None
) -> tuple[Root, ...]:
    """Return the directories to read. URLs that need the same connection share a storage.

    Raises TypeError for other things than paths, ValueError for unsupported URLs, for names that runs cannot have, and
    for options where no path is a URL.
    """
    storages: dict[Hashable, Storage] = {}
    has_url = False
    if not (storage_options is None or isinstance(storage_options, Mapping)):
        raise TypeError(f"storage_options must be a dict, not {type(storage_options).__name__}")

    def root(path: object) -> Root:
        nonlocal has_url
        text = _checked_path(path)
        has_url = has_url or bool(scheme_of(text))
        made, text = storage_of(text, storage_options)
        storage = storages.setdefault(made.key, made)
        return Root("", storage.absolute(text), storage)

    if not more and isinstance(given, str | os.PathLike):
        named = [("", root(given))]
    elif isinstance(given, Mapping) and not more:
        named = [(_checked_name(name), root(path)) for name, path in given.items()]
    else:
        several = given if isinstance(given, Sequence) and not isinstance(given, str) and not more else (given, *more)
        roots = list(dict.fromkeys(root(path) for path in several))
        named = list(zip(_last_parts([each.path for each in roots]), roots, strict=True))
    if not named:
        raise ValueError("no log directory given")
    names = {name for name, _ in named}
    for name, _ in named:
        if clash := next((begin for begin in _begins(name) if begin in names), None):
            raise ValueError(
                f"runs of {clash!r} and {name!r} would have the same names: name the directories differently"
            )
    if storage_options and not has_url:
        raise ValueError("storage_options are for URLs: all of these are directories of this machine")
    return tuple(each._replace(name=name) for name, each in named)


def checkpoint_roots(
    given: CheckpointPaths, storage_options: Mapping[str, Any] | None = None
) -> list[tuple[Root, str | None]]:
    """Return directories of checkpoints, each with its run; None: all runs. Raises as `roots_of`."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        pairs: list[tuple[OnePath, str | None]] = [(path, run) for run, path in given.items()]
    else:
        several = given if isinstance(given, Sequence) and not isinstance(given, str) else (given,)
        pairs = [(path, None) for path in several]
    found: list[tuple[Root, str | None]] = []
    for path, run in pairs:
        own = storage_options if scheme_of(_checked_path(path)) not in ("", *LOCAL_SCHEMES) else None
        found.append((roots_of(path, (), own)[0], run))
    return found


def parsed_options(given: Sequence[str]) -> dict[str, Any]:
    """Return `storage_options` from texts like KEY=VALUE, as on a shell.

    A value that is JSON counts as that, such as `true`, `22` or `{"endpoint_url": "…"}`; a text of digits is written as
    a string of JSON. Raises ValueError, which does not show the value.
    """
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ValueError("a storage option is written as KEY=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def check_directory(root: Root) -> None:
    """Raise FileNotFoundError for a missing root, NotADirectoryError for a file, another OSError if it is unknown.

    On remote storage this is as of the last walk.
    """
    if root.storage.is_directory(root.path):
        return
    try:
        root.storage.status(root.path)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a path that no file system has
        near = closest(root.last_part, root.storage.siblings(root.path))
        if near is not None:
            raise FileNotFoundError(Reason("no-directory-near", path=root.path, near=near)) from None
        raise FileNotFoundError(Reason("no-directory", path=str(root.path))) from None
    raise NotADirectoryError(Reason("directory-is-file", path=str(root.path)))


def _checked_path(path: object) -> str:
    if not isinstance(path, str | os.PathLike):
        what = "a LogDir" if hasattr(path, "refresh") else repr(path)
        raise TypeError(f"a log directory must be a str or os.PathLike, not {what}")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"a path must be a str, not {text!r}")
    return text


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of a log directory must be a str, not {name!r}")
    if any(part in ("", ".", "..") for part in name.split("/")):
        raise ValueError(f"{name!r} cannot be the name of a log directory: runs are named 'name/run'")
    return name


def _last_parts(paths: Sequence[str]) -> list[str]:
    """Names for paths: the last part of each, or as many as it takes to tell it from the others."""
    parts = [_parts(path)[1:] or ("root",) for path in paths]
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
    """Names that occur twice, and names that begin with another one, as paths do."""
    counts = Counter(names)
    begins = {name: _begins(name) for name in counts}
    twice = {name for name, count in counts.items() if count > 1}
    longer = {name for name, shorter in begins.items() if any(begin in counts for begin in shorter)}
    return twice | longer | {begin for name in longer for begin in begins[name] if begin in counts}


def _begins(name: str) -> list[str]:
    """The paths that a path lies in."""
    return [name[: found.start()] for found in re.finditer("/", name)]


def common_parent(roots: Sequence[Root]) -> Path | str:
    """Return the directory that all of them lie in; if there is none, as on two drives, the parent of the first."""
    parts = _common_parts(roots) or _parents(roots[0])
    return _joined(parts) if scheme_of(parts[0]) else Path(_joined(parts))


def title(roots: Sequence[Root]) -> str:
    """Return what a log directory is called where it is shown: its path; for several "/parent/{a, name: b}"."""
    if len(roots) == 1 and not roots[0].name:
        return roots[0].path
    common = _common_parts(roots)
    parent = _joined(common)
    separator = "/" if scheme_of(parent) else os.sep
    inside = [separator.join(_parts(root.path)[len(common) :]) or "." if common else root.path for root in roots]
    listed = ", ".join(
        path if path == root.name else f"{root.name}: {path}" for root, path in zip(roots, inside, strict=True)
    )
    return f"{parent if not parent or parent.endswith(separator) else parent + separator}{{{listed}}}"


def name_here(path: OnePath) -> str:
    """Return a directory's name for people: relative to the working directory if it lies in there, else its last part.

    A URL is its own name, without its credentials.
    """
    text = os.fspath(path)
    if scheme_of(text).lower() in LOCAL_SCHEMES:
        text = local_path(text)
    elif scheme_of(text):
        return shown_url(text)
    place = Path(text)
    with suppress(RuntimeError):  # no such user
        place = place.expanduser()
    try:
        return str(place.absolute().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return place.name or text


def exists(path: str) -> bool:
    """Whether there is something at a path; False where that is unknown, as for a URL."""
    try:
        check_directory(*roots_of(path))
    except NotADirectoryError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _common_parts(roots: Sequence[Root]) -> tuple[str, ...]:
    """Return the parts that the parents of all roots begin with."""
    in_step = zip(*(_parents(root) for root in roots), strict=False)
    return tuple(parts[0] for parts in takewhile(lambda parts: len(set(parts)) == 1, in_step))


def _parents(root: Root) -> tuple[str, ...]:
    parts = _parts(root.path)
    return parts[:-1] or parts


def _parts(path: str) -> tuple[str, ...]:
    """Return the parts of an absolute path or a URL; the first is "/", a drive, or a scheme such as "s3://"."""
    scheme = scheme_of(path)
    if not scheme:
        return PurePath(path).parts
    return f"{scheme}://", *(part for part in path[len(scheme) + 3 :].split("/") if part)


def _joined(parts: Sequence[str]) -> str:
    """Return the path of these parts; "" for none."""
    if parts and scheme_of(parts[0]):
        return parts[0] + "/".join(parts[1:])
    return str(PurePath(*parts)) if parts else ""
