"""Exports logs as an HTML page, without a widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from tbwidget.dashboard import ALWAYS_SENT, Dashboard, option_mixins
from tbwidget.dashboard.inputs import checked_options, given_logs, panels_named
from tbwidget.dashboard.profile import (
    OPTIONS_FILE,
    invalid_option,
    options_as_json,
    options_of_directory,
    options_of_profile,
)
from tbwidget.export.file import MAX_PAGE_BYTES, write_page
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
    max_bytes: int = MAX_PAGE_BYTES,
    *,
    paths: bool = False,
    storage_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Path:
    """Write one HTML file that shows `logs` without kernel and network, and return its path.

    `logs` is a `LogDir`, a directory, several, or several by name. `panels` names the panels of the page, as the option
    `panel` does; None means all. The file has at most `max_bytes`, by default 20 MB. If that is too little, long series
    are averaged and images and the like are left out, and the page says so. It shows where the logs lie on this machine
    only with `paths=True`. `storage_options` are passed to `load`. All options of `Dashboard` are accepted, `profile`
    included.

    Raises FileNotFoundError or NotADirectoryError for an invalid log directory; ValueError for an unknown panel, for
    too few bytes, and if there is nothing to show; TypeError or TraitError for wrong options.
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
    if state["alert_rules"]:
        read.alert_watch.set_rules(state["alert_rules"], is_default="alert_rules" not in chosen)
    return write_page(path, read, shown, ALWAYS_SENT, state, max_bytes=max_bytes, only=panels is not None, paths=paths)


def _state_with_file(logs: Logs, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of a dashboard with these options, and with the options file of the log directory."""
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
    state = _state({**taken, **options})
    of_file = {name: state[name] for name in taken.keys() - options.keys()}
    return {**state, "_given": list(options), "_from_file": list(of_file), "_of_file": of_file, "_file": found.file}


def _state(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of a dashboard with these options, as JSON. Raises TraitError for a wrong value."""
    names = [panel.name for panel in registry.PANELS]
    panel = option(traitlets.Enum((None, *names), default_value=None, allow_none=True), "The panel that is shown.")
    body = {"panel": panel, "is_from_browser": lambda _self, _name, _value: False}
    chosen = type("Options", tuple(option_mixins(registry.PANELS)), body)(**options)
    return {**options_as_json(chosen), "_given": list(options)}
