"""Commands that the packaging tests run."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def run(
    command: Sequence[str | Path], cwd: Path, variables: Mapping[str, str] | None = None, *, ok: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, stdout and stderr together; with `ok`, it must succeed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert not ok or done.returncode == 0, done.stdout
    return done
