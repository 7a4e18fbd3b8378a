"""Defaults, limits and test values of each option, for the browser's twin tables: js/tests/fixtures/options.json.

make generated does: python -m tests.support.options > js/tests/fixtures/options.json
"""

from __future__ import annotations

import json
import sys
from typing import Any

import traitlets

from tbwidget.dashboard import Dashboard

_STRUCTURED = {
    "alert_rules": {"plateau_steps": 5000, "stalled_intervals": None},
    "hparams_columns": ["hparam:lr", "metric:val/acc"],
    "hparams_filters": {"hparam:lr": {"min": 0.1}, "hparam:act": {"values": ["relu", None]}, "run": {"pattern": "a|b"}},
    "hparams_flipped": ["hparam:lr"],
    "hparams_plots": ["scatter", "parallel"],
    "hparams_scales": {"hparam:lr": "quantile"},
    "hparams_sort": ["-metric:acc", "status"],
    "named_ranges": [["warm-up", 0, 500], ["12", -3, -3], ["⚡ <b>", "-9223372036854775808", "9223372036854775807"]],
    "projector_axes": [{"from": "^man$", "to": "^woman$"}],
    "projector_components": [3, 1],
    "projector_selected": [4, 0],
}
"""Valid values of options with structured elements."""

_REFUSED: dict[str, list[Any]] = {
    "alert_rules": [
        {"plateau": 5},
        {"non_finite": 1},
        {"diverged": "0.5"},
        {"diverged": True},
        {"stalled_seconds": None},
        {"plateau_steps": 0},
    ],
    "named_ranges": [
        {"warm-up": [0, 500]},
        ["warm-up", 0, 500],
        [["warm-up", 0]],
        [["warm-up", 0, 500, 1]],
        [[7, 0, 500]],
        [[" ", 0, 500]],
        [["two\nlines", 0, 500]],
        [["🙂" * 81, 0, 500]],
        [["backwards", 2, 1]],
        [["half", 0.5, 1]],
        [["beyond", 0, "9223372036854775808"]],
        [["one too many", 0, 1]] * 101,
    ],
}
"""Invalid values, because of the structure of their elements."""

INFINITE = sys.maxsize
"""Limits of this size mean no limit: no JSON number is beyond them."""


def options() -> dict[str, dict[str, Any]]:
    """Return for each name the default on the wire, whether it is remembered, and valid and invalid values."""
    found = {}
    for name, trait in sorted(Dashboard.class_traits(option=True).items()):
        to_json = trait.metadata.get("to_json", lambda value, _owner: value)
        accepted, refused = _limits(trait)
        found[name] = {
            "default": to_json(trait.default(), None),
            "remembered": trait.metadata["remembered"],
            "accepted": [*accepted, *([None] if trait.allow_none else [])],
            "refused": [*refused, *([] if trait.allow_none else [None])],
        }
    return found


def _limits(trait: Any) -> tuple[list[Any], list[Any]]:
    """Return values at the ends of a trait's range, and values just beyond them."""
    if isinstance(trait, traitlets.Enum) and trait.name != "panel":
        values = trait.values or ()
        return [value for value in values if value is not None], [one for one in ("nonsense", 3) if one not in values]
    if isinstance(trait, traitlets.Bool):
        return [True, False], ["true", 1]
    if isinstance(trait, (traitlets.Int, traitlets.Float)):
        given = [(end, sign) for end, sign in ((trait.min, -1), (trait.max, 1)) if end is not None]
        ends = [(end, sign) for end, sign in given if abs(end) < INFINITE]
        is_int = isinstance(trait, traitlets.Int)
        beyond = [end + sign * (1 if is_int else max(1, abs(end)) / 100) for end, sign in ends]
        halves = [end - sign / 2 for end, sign in ends] if is_int else []
        return [end for end, _ in ends], [*beyond, *halves, "text"]
    if trait.name == "run_columns":
        return [["steps", "last:loss"]], [3, ["nonsense"]]
    if trait.name == "panel":
        return [], [3, {}]  # the browser asks for the names when it looks for the panel
    if trait.name in _STRUCTURED:
        return [_STRUCTURED[trait.name]], [3, *_REFUSED.get(trait.name, [])]
    if isinstance(trait, (traitlets.List, traitlets.Tuple)):
        return ([["a", "b"]] if isinstance(trait, traitlets.List) else [[1, 2]]), [3, {}]
    return [], []


if __name__ == "__main__":
    json.dump(options(), sys.stdout, indent=1)
    print()
