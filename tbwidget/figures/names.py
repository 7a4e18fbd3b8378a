"""Names of runs and tags, as a figure is given them."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from traitlets import TraitError

from tbwidget.logs.unknown import chosen, pattern_hint
from tbwidget.options.awaited import awaited


def checked_names(what: str, names: Any) -> Any:
    """Names as `chosen_names` takes them; TraitError for anything else, given as the trait `what`."""
    if names is None or _is_name(names):
        return names
    if isinstance(names, Iterable) and not isinstance(names, (bytes, Mapping)):
        names = names if isinstance(names, (list, tuple)) else list(names)
        if all(map(_is_name, names)):
            return names
    expected = "a name, a compiled regular expression, a list of both, or None for all"
    raise TraitError(f"{what}: expected {expected}, not {reprlib.repr(names)}")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, re.Pattern) and isinstance(value.pattern, str))


def _listed(names: Any) -> list[Any]:
    return [names] if _is_name(names) else list(names or [])


def chosen_names(names: Any, known: list[str]) -> list[str]:
    """The names that are meant, as far as they are there."""
    there = set(known)
    wanted = None if names is None else [one for one in _listed(names) if not isinstance(one, str) or one in there]
    return chosen(wanted, known, str, "name")


def missing_warnings(listed: Mapping[str, Sequence[str]], runs: Any, tags: Any) -> list[str]:
    """What to say of runs and tags that are wanted, and not there yet; `listed` are the tags of each run."""
    all_tags = list(dict.fromkeys(tag for own in listed.values() for tag in own))
    found = (_missing("run", runs, list(listed)), _missing("tag", tags, all_tags))
    return [warning for warning in found if warning]


def _missing(what: str, names: Any, known: list[str]) -> str | None:
    exact = [name for name in _listed(names) if isinstance(name, str)]
    warning = awaited(what, exact, known)
    hints = (pattern_hint(name, known) for name in exact if name not in known)
    hint = next(filter(None, hints), "")
    return f"{warning} {hint[0].upper()}{hint[1:]}." if warning and hint else warning
