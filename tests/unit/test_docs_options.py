"""The reference of options is generated from their traits."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import traitlets

from tbwidget.dashboard import Dashboard

ROOT = Path(__file__).parents[2]
SMALLEST = 1e-9
"""A lower bound at or below this one means "greater than 0"."""


def test_the_reference_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "tools/option_tables.py"), "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "run `make generated`"


def test_the_type_of_each_number_says_its_limits() -> None:
    limits = {
        (name, limit)
        for name, trait in Dashboard.class_traits(option=True).items()
        if isinstance(trait, (traitlets.Int, traitlets.Float))
        for limit in (trait.min, trait.max)
        if (limit is not None and SMALLEST <= abs(limit) < sys.maxsize) or limit == 0
    }
    assert len(limits) > 20
    traits = Dashboard.class_traits()
    silent = [
        (name, limit)
        for name, limit in sorted(limits)
        if limit not in map(float, re.findall(r"-?\d+(?:\.\d+)?", traits[name].help.replace(",", "")))
    ]
    assert silent == []
