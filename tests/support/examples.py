"""How many examples a property is tried with: a share of the usual number where the profile of hypothesis says so."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
"""Examples of a property that says nothing else."""


def examples(count: int) -> settings:
    """Settings for a property of which `count` examples are made where others have `USUAL`."""
    return settings(max_examples=max(1, count * settings().max_examples // USUAL))
