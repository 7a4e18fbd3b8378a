"""The directories that a `LogDir` reads: one, or several under names, which come before the names of their runs.

Several are one log directory of several roots: only finding files knows the names, and one reader, follower and lock
serve all. Whoever comes after discovery sees runs and files with longer names and nothing else.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tbwidget.logs.engine.discovery import Discovery, Found, Listing
from tbwidget.logs.problems import Problem
from tbwidget.reasons import Reason

OnePath: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = OnePath | Sequence[OnePath] | Mapping[str, OnePath]
"""A directory, several, or several by the names that come before those of their runs."""


class Root(NamedTuple):
    """A directory that is read."""

    name: str
    """What comes before the names of its runs; "" for the only one."""
    path: str
    """Absolute; links stay as the user wrote them."""

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
        return (Root("", _absolute(given)),)
    if isinstance(given, Mapping) and not more:
        named = [(_checked_name(name), _absolute(path)) for name, path in given.items()]
    else:
        several = given if isinstance(given, Sequence) and not isinstance(given, str) and not more else (given, *more)
        paths = list(dict.fromkeys(_absolute(path) for path in several))
        named = list(zip(_last_parts(paths), paths, strict=True))
    if not named:
        raise ValueError("no log directory given")
    names = {name for name, _ in named}
    for name, _ in named:
        if clash := next((begin for begin in _begins(name) if begin in names), None):
            raise ValueError(
                f"runs of {clash!r} and {name!r} would have the same names: name the directories differently"
            )
    return tuple(Root(*root) for root in named)


def _absolute(path: object) -> str:
    if not isinstance(path, str | os.PathLike):
        what = "a LogDir" if hasattr(path, "refresh") else repr(path)
        raise TypeError(f"a log directory must be a str or os.PathLike, not {what}")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"a path must be a str, not {text!r}")
    if scheme := re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", text):
        where = "pass a plain path" if scheme[0].lower() == "file://" else "mount it, or copy it here first"
        raise ValueError(f"{text!r} is not a local directory: remote log directories are not supported yet; {where}")
    return os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111 (links stay as the user wrote them)


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
    """The directory that all of them lie in; of drives without one, where the first lies."""
    try:
        return os.path.commonpath([os.path.dirname(root.path) for root in roots])
    except ValueError:
        return os.path.dirname(roots[0].path)


def title(roots: Sequence[Root]) -> str:
    """What a log directory is called where it is shown: its path; of several "/parent/{a, name: b}"."""
    if len(roots) == 1 and not roots[0].name:
        return roots[0].path
    parent = common_parent(roots)
    inside = [(root.name, os.path.relpath(root.path, parent)) for root in roots]
    listed = ", ".join(path if path == name else f"{name}: {path}" for name, path in inside)
    return f"{os.path.join(parent, '')}{{{listed}}}"


class Discoveries:
    """Walks the roots of a log directory again and again."""

    def __init__(self, roots: Sequence[Root]) -> None:
        self._parts = [(root, Discovery(root.path)) for root in roots]
        self._walked: tuple[list[Listing], list[bool]] | None = None
        self._joined = Listing({}, [])

    def walk(self, *, force: bool = False) -> Listing:
        """Find all runs; the same object as before when nothing has changed. `force`: see `Discovery`."""
        return self._named([discovery.walk(force=force) for _, discovery in self._parts])

    def walk_new(self) -> Listing | None:
        """Find the runs that appeared directly below a root, as `Discovery.walk_new` does for one."""
        found = [discovery.walk_new() for _, discovery in self._parts]
        before = self._walked[0] if self._walked else found
        listings = [new or old for new, old in zip(found, before, strict=True)]
        # Some roots may need a whole walk; the others have their new runs all the same.
        known = [listing for listing in listings if listing is not None]
        return self._named(known) if any(found) and len(known) == len(listings) else None

    def _named(self, listings: list[Listing]) -> Listing:
        """Join the listings of all roots, each under its name."""
        if not self._parts[0][0].name:
            return listings[0]
        missing = [not os.path.isdir(root.path) for root, _ in self._parts]  # noqa: PTH112 (Path raises for lost mounts)
        before = self._walked
        same = before is not None and before[1] == missing
        if not (same and before and all(new is old for new, old in zip(listings, before[0], strict=True))):
            self._walked = listings, missing
            self._joined = self._join(listings, missing)
        return self._joined

    def _join(self, listings: Sequence[Listing], missing: Sequence[bool]) -> Listing:
        joined = Listing({}, [])
        for (root, _), listing, is_missing in zip(self._parts, listings, missing, strict=True):
            if is_missing and not all(missing):
                joined.problems.append(Problem(root.name, None, Reason("missing-directory", path=root.path)))
            joined.problems += [
                problem._replace(path=root.named(problem.path)) for problem in listing.problems if not is_missing
            ]
            for run, found in listing.runs.items():
                joined.runs[root.named(run)] = Found(
                    {root.named(name): path for name, path in found.files.items()},
                    {root.named(name): path for name, path in found.projector.items()},
                )
        return joined
