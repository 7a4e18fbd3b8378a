"""Profiles: all options of a dashboard, cards included, as one dict for JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import traitlets

from tbwidget.logs.problems import MAX_LISTED, Problem
from tbwidget.logs.roots import Root
from tbwidget.options.agreement import hint
from tbwidget.panels import registry
from tbwidget.reasons import Reason, reason_of, system_reason
from tbwidget.records.files.refusals import UnavailableError

VERSION = 1
MAX_BYTES = 10_000_000
"""Upper bound for the size of a profile's file."""

OPTIONS_FILE = "tbwidget.json"
"""Name of the file in a log directory that gives options their defaults."""

MAX_OPTIONS_FILE_BYTES = 1_000_000
"""Upper bound for the size of `OPTIONS_FILE`, which is as untrusted as the logs."""

_OWNER = re.compile(r" trait of an? \w+ instance")


class DirectoryOptions(NamedTuple):
    """The contents of a log directory's options file."""

    file: str
    """Name of the file, relative to the log directory; "" without one."""
    options: dict[str, Any]
    """Values by option, not checked yet."""
    problems: list[Problem]
    """Parts of the file that cannot be used."""


def profile_of(board: traitlets.HasTraits) -> dict[str, Any]:
    """Return all options of a dashboard by name, and the "version" of the format."""
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
    Values are checked where they are set. Raises ValueError, with file and position, for an invalid profile, and
    OSError for an unreadable file.
    """
    where, found = ("profile", profile) if isinstance(profile, Mapping) else _read(Path(profile))
    if not isinstance(found, Mapping):
        raise ValueError(f"{where}: a profile is a dict of options, not {type(found).__name__}")  # noqa: TRY004 (a file can hold it)
    if found.get("version") != VERSION or isinstance(found.get("version"), bool):
        raise ValueError(f"{where}: 'version' is {VERSION} in a profile, not {found.get('version')!r}")
    traits, known = _known_names(board)
    options = {}
    for name, value in found.items():
        if name in traits:
            from_json = traits[name].metadata.get("from_json", lambda given, _owner: given)
            options[name] = from_json(value, None)
        elif name not in known:
            raise ValueError(f"{where}: there is no option {name!r}: {hint(str(name), sorted(known))}")
    return options


def _read(path: Path) -> tuple[str, Any]:
    """Return the path for error messages, and the parsed content."""
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path}: a profile takes {MAX_BYTES:,} bytes at most")
    try:
        return str(path), json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no profile: {error}") from None


def options_of_directory(roots: Sequence[Root], board: type[traitlets.HasTraits]) -> DirectoryOptions:
    """Return the options that `tbwidget.json` gives a dashboard of this class. The first directory that has one counts.

    The file is as untrusted as the logs beside it. It is read once; wrong parts become problems, and the rest counts.
    Never raises.
    """
    for root in roots:
        file = root.named(OPTIONS_FILE)
        try:
            content = _content_of(root)
        except (FileNotFoundError, UnavailableError):  # an unreachable storage is reported elsewhere
            continue
        except (OSError, ValueError) as error:
            reason = system_reason(error) if isinstance(error, OSError) else reason_of(error)
            return DirectoryOptions(file, {}, [Problem(file, None, reason)])
        return _parsed(file, content, board)
    return DirectoryOptions("", {}, [])


def invalid_option(file: str, option: str, error: Exception) -> Problem:
    """Return the problem for a wrong value of an option in the file, equal for all dashboards."""
    detail = str(error) if isinstance(error, traitlets.TraitError) else str(reason_of(error))
    detail = _OWNER.sub(" option", detail)
    return Problem(file, None, Reason("invalid-option", option=option, detail=detail))


def _content_of(root: Root) -> bytes:
    """Read the file, which must be a regular one within the directory. Raises OSError, or ValueError with a reason."""
    path = root.storage.resolve(root.path, OPTIONS_FILE, [root.path])
    if path is None:
        raise ValueError(Reason("options-outside"))
    with closing(root.storage.open(path)) as file:
        content = file.read_at(0, MAX_OPTIONS_FILE_BYTES + 1)
    if len(content) > MAX_OPTIONS_FILE_BYTES:
        raise ValueError(Reason("options-too-large", most=MAX_OPTIONS_FILE_BYTES))
    return content


def _parsed(file: str, content: bytes, board: type[traitlets.HasTraits]) -> DirectoryOptions:
    try:
        found = _checked_form(content)
    except _UnusableError as error:
        return DirectoryOptions(file, {}, [Problem(file, error.offset, reason_of(error))])
    traits, known = _known_names(board)
    options: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value in found.items():
        if name in traits:
            try:
                options[name] = traits[name].metadata.get("from_json", lambda given, _owner: given)(value, None)
            except Exception as error:  # noqa: BLE001 (a file that others wrote: one wrong value spoils no other)
                problems.append(invalid_option(file, name, error))
        elif name not in known and len(problems) < MAX_LISTED:
            problems.append(Problem(file, None, Reason("unknown-option", option=name, hint=hint(name, sorted(known)))))
    return DirectoryOptions(file, options, problems)


class _UnusableError(ValueError):
    """The file is no profile."""

    def __init__(self, reason: Reason, offset: int | None = None) -> None:
        super().__init__(reason)
        self.offset = offset


def _checked_form(content: bytes) -> dict[str, Any]:
    """Parse the options in a file, by name. Raises _UnusableError for an invalid profile."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _UnusableError(Reason("options-encoding"), error.start) from None
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(found, ensure_ascii=False).encode()  # no message of the kernel can carry a lone surrogate
    except json.JSONDecodeError as error:
        offset = len(text[: error.pos].encode("utf-8"))
        raise _UnusableError(Reason("options-json", detail=error.msg), offset) from None
    except (ValueError, RecursionError) as error:
        raise _UnusableError(Reason("options-json", detail=str(error))) from None
    if not isinstance(found, dict):
        raise _UnusableError(Reason("options-form", detail=Reason("object-expected")))
    version = found.pop("version", None)
    if version != VERSION or isinstance(version, bool):
        raise _UnusableError(Reason("options-form", detail=Reason("options-version", version=VERSION)))
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _known_names(board: type[traitlets.HasTraits]) -> tuple[dict[str, Any], set[str]]:
    """Return the options of a class of dashboards, and all names that a profile may hold, of any panel."""
    traits = board.class_traits(option=True)
    of_panels = (mixin.class_trait_names(option=True) for panel in registry.PANELS for mixin in panel.options)
    return traits, {"version", "panel", *traits, *chain.from_iterable(of_panels)}
