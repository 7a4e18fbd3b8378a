"""Numbers of examples for property tests, as a share of the usual number in the profile of hypothesis."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
"""Default number of examples of a property."""


def examples(count: int) -> settings:
    """Return settings for a property with `count` examples in profiles where the default is `USUAL`."""
    return settings(max_examples=max(1, count * settings().max_examples // USUAL))
