"""Checks the arguments of a dashboard: its logs, options and panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tbwidget.logs.accessors import Logs
from tbwidget.logs.roots import name_here, roots_of
from tbwidget.options.agreement import hint

if TYPE_CHECKING:
    import traitlets

    from tbwidget.logs.roots import OnePath, Paths
    from tbwidget.panels.declare import Panel


_USUAL = ("runs", "logs", "lightning_logs")


def checked_options(
    cls: type[traitlets.HasTraits], options: Mapping[str, Any], short_names: Mapping[str, str]
) -> dict[str, Any]:
    """Return options by their full names. Raises TypeError, with a hint, for an unknown or repeated option."""
    known = sorted([*cls.class_trait_names(option=True), *short_names])
    found: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"{cls.__name__} has no option {name!r}: {hint(name, known)}")
        own = short_names.get(name, name)
        if own in found:
            raise TypeError(f"{cls.__name__} was given {own!r} twice: by another name, too")
        found[own] = value
    return found


def given_logs(
    logs: Logs | Paths, more: tuple[OnePath, ...], storage_options: Mapping[str, Any] | None = None
) -> Logs | Paths:
    """Return the log directory, or the paths, given by one or several arguments.

    Raises TypeError for anything else, and ValueError for a URL of an unknown storage or storage options without a
    URL.
    """
    given: Any = (logs, *more) if more else logs
    if isinstance(given, Logs):
        if storage_options:
            raise ValueError("storage_options: these logs are open already; give the options to load")
        return given
    roots_of(given, (), storage_options)
    paths: Paths = given
    return paths


def usual_directory() -> str:
    """Return the usual log directory that exists here. Raises TypeError if none does, or several do."""
    found = [name for name in _USUAL if Path(name).is_dir()]
    if len(found) == 1:
        return found[0]
    if found:
        option = " or ".join(f"show({name!r})" for name in found)
        raise TypeError(f"which log directory? Write {option}")
    listed = f"{', '.join(_USUAL[:-1])} and {_USUAL[-1]}"
    raise TypeError(f'give a log directory, as in show("runs"): of {listed}, none exists in {Path.cwd()}')


def panels_named(names: Sequence[str] | str | None, panels: Sequence[Panel]) -> list[Panel]:
    """Return the named panels, or all for None. Raises ValueError, with a hint, for an unknown name."""
    known = {panel.name: panel for panel in panels}
    wanted = list(known) if names is None else [names] if isinstance(names, str) else list(names)
    if not wanted:
        raise ValueError("panels: name one at least, or give None for all of them")
    for name in wanted:
        if name not in known:
            raise ValueError(f"there is no panel {name!r}: {hint(str(name), list(known))}")
    return [panel for panel in panels if panel.name in wanted]


def short_name(logs: Logs | Paths) -> str | dict[str, str]:
    """Return a name for a log directory that does not reveal its path; for several, a dict of names."""
    if isinstance(logs, str | PathLike):
        return name_here(logs)
    roots = logs.source.roots if isinstance(logs, Logs) else roots_of(logs)
    if isinstance(logs, Logs) and not roots:  # a graph in memory
        return logs.source.title
    named = {root.name: name_here(root.path) for root in roots}
    return named.get("", named)
