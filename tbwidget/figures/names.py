"""Names of runs and tags, as a figure is given them."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from traitlets import TraitError

from tbwidget.choices.awaited import awaited
from tbwidget.logs.unknown import chosen


def checked_names(what: str, names: Any) -> Any:
    """Names as `chosen_names` takes them; TraitError for anything else, given as the trait `what`."""
    if names is None or isinstance(names, str) or (isinstance(names, re.Pattern) and isinstance(names.pattern, str)):
        return names
    if isinstance(names, Iterable) and not isinstance(names, (bytes, Mapping)):
        names = names if isinstance(names, (list, tuple)) else list(names)
        if all(isinstance(name, str) for name in names):
            return names
    expected = "a list of names, one name or regular expression, or None for all"
    raise TraitError(f"{what}: expected {expected}, not {reprlib.repr(names)}")


def chosen_names(names: Any, known: list[str]) -> list[str]:
    """The names that are meant, as far as they are there."""
    wanted = [name for name in names if name in known] if isinstance(names, (list, tuple)) else names
    try:
        return chosen(wanted, known, str, "name")
    except KeyError:
        return []


def missing_warnings(listed: Mapping[str, Sequence[str]], runs: Any, tags: Any) -> list[str]:
    """What to say of runs and tags that are wanted, and not there yet; `listed` are the tags of each run."""
    all_tags = list(dict.fromkeys(tag for own in listed.values() for tag in own))
    found = (_missing("run", runs, list(listed)), _missing("tag", tags, all_tags))
    return [warning for warning in found if warning]


def _missing(what: str, names: Any, known: list[str]) -> str | None:
    exact = [names] if isinstance(names, str) and not chosen_names(names, known) else names
    return awaited(what, exact, known) if isinstance(exact, Sequence) and not isinstance(exact, str) else None
