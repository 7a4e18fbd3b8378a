"""Logs as a page of their own, without a widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from tbwidget.dashboard import Dashboard, option_mixins
from tbwidget.dashboard.inputs import checked_options, given_logs, panels_named
from tbwidget.dashboard.profile import (
    OPTIONS_FILE,
    invalid_option,
    options_as_json,
    options_of_directory,
    options_of_profile,
)
from tbwidget.export.file import MOST_BYTES, write_page
from tbwidget.logs import load
from tbwidget.logs.accessors import Logs
from tbwidget.options.traits import option
from tbwidget.panels import registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from tbwidget.logs.roots import Paths


def export_html(
    logs: Logs | Paths,
    path: str | PathLike[str],
    panels: Sequence[str] | str | None = None,
    max_bytes: int = MOST_BYTES,
    *,
    paths: bool = False,
    storage_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Path:
    """Write one file of HTML that shows `logs` anywhere, and return its path: no kernel, no network, every panel.

    `logs` is a `LogDir`, a directory, several, or several by name. `panels` names the one or those that the page
    has, as the option `panel` does; None: all of them. The file takes `max_bytes` at most, 20 MB unless another
    number is given: where that is too little, long series are averaged, and images and the like are left out, which the
    page says. Where on this machine the logs are it says with `paths` alone. `storage_options` are those of
    `load`. Further options are those of `Dashboard`, among them `profile`.

    Raises FileNotFoundError and NotADirectoryError for a log directory that is none; ValueError for a panel that there
    is not, for too few bytes, and where there is nothing to show; TypeError and TraitError for wrong options.
    """
    shown = panels_named(panels, registry.PANELS)
    profile = options.pop("profile", None)
    chosen = options_of_profile(profile, Dashboard) if profile is not None else {}
    chosen |= checked_options(Dashboard, options, {})
    _state(chosen)  # wrong options are refused before the logs are read
    given = given_logs(logs, (), storage_options)
    read = given if isinstance(given, Logs) else load(given, storage_options=storage_options)
    if read is given:
        read.source.refresh()
    state = _state_with_file(read, chosen)
    beside = registry.BESIDE_PANELS
    return write_page(path, read, shown, beside, state, max_bytes=max_bytes, only=panels is not None, paths=paths)


def _state_with_file(logs: Logs, options: Mapping[str, Any]) -> dict[str, Any]:
    """The state of a dashboard with these options, and with those that the log directory's file gives."""
    found = options_of_directory(logs.source.roots, Dashboard)
    problems, taken = list(found.problems), {}
    for name, value in found.options.items():
        try:
            _state({name: value})
        except Exception as error:  # noqa: BLE001 (a file that others wrote: one wrong value spoils no other)
            problems.append(invalid_option(found.file, name, error))
        else:
            taken[name] = value
    logs.source.report_problems(OPTIONS_FILE, problems)
    return {**_state({**taken, **options}), "_given": list(options), "_from_file": list(taken.keys() - options.keys())}


def _state(options: Mapping[str, Any]) -> dict[str, Any]:
    """The state of a dashboard with these options, as JSON. TraitError for a wrong value."""
    names = [panel.name for panel in registry.PANELS]
    panel = option(traitlets.Enum((None, *names), default_value=None, allow_none=True), "The panel that is shown.")
    body = {"panel": panel, "is_from_browser": lambda _self, _name, _value: False}
    chosen = type("Options", tuple(option_mixins(registry.PANELS)), body)(**options)
    return {**options_as_json(chosen), "_given": list(options)}
