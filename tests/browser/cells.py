"""Sources of cells that run until the test has seen enough, so that no test depends on the machine's speed."""

from __future__ import annotations

MAX_DURATION_S = 180
"""Seconds after which such a cell ends anyway, and the test that waits for it fails."""

_LOOP = """
import os, time
held_until = time.monotonic() + {longest}
while not os.path.exists("{name}.released") and time.monotonic() < held_until:
{body}
"""


def hold(name: str, body: str = "time.sleep(0.02)") -> str:
    """Make a cell that repeats `body` until `NotebookPage.release(name)`."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return _LOOP.format(name=name, longest=MAX_DURATION_S, body=lines)


COMPUTE = "np.linalg.qr(np.random.default_rng(0).normal(size=(120, 120)))"
"""Work for one core that lets the kernel's other threads take their turn."""
