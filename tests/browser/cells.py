"""Sources of cells that run until the test says that it has seen enough, so that nothing depends on how fast it is."""

from __future__ import annotations

LONGEST = 180
"""Seconds after which such a cell ends in any case, and the test that waits for it fails."""

_LOOP = """
import os, time
held_until = time.monotonic() + {longest}
while not os.path.exists("{name}.released") and time.monotonic() < held_until:
{body}
"""


def hold(name: str, body: str = "time.sleep(0.02)") -> str:
    """Make a cell that does `body` again and again until `NotebookPage.release(name)`."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return _LOOP.format(name=name, longest=LONGEST, body=lines)


COMPUTE = "np.linalg.qr(np.random.default_rng(0).normal(size=(120, 120)))"
"""Work for one core, during which the kernel's other threads come to their turn."""
