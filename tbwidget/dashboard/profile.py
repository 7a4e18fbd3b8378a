"""Profiles: all options of a dashboard, its cards included, as one dict that JSON can hold."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tbwidget.options.agreement import hint
from tbwidget.panels import registry

if TYPE_CHECKING:
    import traitlets

VERSION = 1
MAX_BYTES = 10_000_000
"""Bound for the size of a profile's file: one that is larger is none."""


def profile_of(board: traitlets.HasTraits) -> dict[str, Any]:
    """Return all options of a dashboard by name, and the "version" of this form."""
    return {"version": VERSION, **options_as_json(board)}


def options_as_json(board: traitlets.HasTraits) -> dict[str, Any]:
    """Return the options by name, as they travel to the browser."""
    traits = board.traits(option=True)
    to_json = {name: trait.metadata.get("to_json", lambda value, _owner: value) for name, trait in traits.items()}
    return {name: to_json[name](getattr(board, name), board) for name in traits}


def options_of_profile(
    profile: Mapping[str, Any] | str | os.PathLike[str], board: type[traitlets.HasTraits]
) -> dict[str, Any]:
    """Return the options that a profile, or the file of one, gives a dashboard of this class.

    Options of panels that the dashboard does not have are left out: a view takes the profile of a whole dashboard.
    Values are checked where they are set. ValueError for what is no profile, with the file and the place; OSError for
    a file that cannot be read.
    """
    where, found = ("profile", profile) if isinstance(profile, Mapping) else _read(Path(profile))
    if not isinstance(found, Mapping):
        raise ValueError(f"{where}: a profile is a dict of options, not {type(found).__name__}")  # noqa: TRY004 (a file can hold it)
    if found.get("version") != VERSION or isinstance(found.get("version"), bool):
        raise ValueError(f"{where}: 'version' is {VERSION} in a profile, not {found.get('version')!r}")
    traits = board.class_traits(option=True)
    of_panels = (mixin.class_trait_names(option=True) for panel in registry.PANELS for mixin in panel.options)
    known = {"version", "panel", *traits, *chain.from_iterable(of_panels)}
    options = {}
    for name, value in found.items():
        if name in traits:
            from_json = traits[name].metadata.get("from_json", lambda given, _owner: given)
            options[name] = from_json(value, None)
        elif name not in known:
            raise ValueError(f"{where}: there is no option {name!r}: {hint(str(name), sorted(known))}")
    return options


def _read(path: Path) -> tuple[str, Any]:
    """The path as it is named in errors, and what the file holds."""
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path}: a profile takes {MAX_BYTES:,} bytes at most")
    try:
        return str(path), json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no profile: {error}") from None
