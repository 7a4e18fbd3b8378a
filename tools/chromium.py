"""Print the path of a Chromium that runs, installing Debian's when there is none and this is root.

It looks at the variable CHROMIUM, then on PATH. What it installs and why it fails is said on stderr.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def runs(program: str) -> bool:
    """Whether it is a browser that starts, and not a stub that tells how to get one."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0


def find() -> str | None:
    """The path of the first Chromium on PATH that runs."""
    return next((path for path in map(shutil.which, NAMES) if path and runs(path)), None)


def install() -> None:
    """Install Debian's Chromium."""
    print("Installing Chromium …", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"error: `{' '.join(command)}` failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main() -> None:
    """Print the path, or exit with status 1 and the reason."""
    named = os.environ.get("CHROMIUM")
    if named:
        if not runs(named):
            sys.exit(f"error: CHROMIUM names {named}, which does not run")
        print(named)
        return
    path = find()
    if path is None and shutil.which("apt-get") and os.geteuid() == 0:
        install()
        path = find()
    if path is None:
        sys.exit(
            "error: the browser tests need Chromium: install it (Debian: apt-get install chromium) "
            "or set CHROMIUM to its path"
        )
    print(path)


if __name__ == "__main__":
    main()
