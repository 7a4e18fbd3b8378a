"""Print the path of a working Chromium, installing Debian's if run as root.

It checks the variable CHROMIUM, then PATH: first for the headless shell, which has the same engine without desktop
windows, and so takes a third less of the processor; then for other Chromiums, if the shell cannot be installed. It
reports installations and failures on stderr.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def runs(program: str) -> bool:
    """Return whether it is a working browser, and not a stub that only explains how to install one."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0


def find(*names: str) -> str | None:
    """Return the path of the first of these on PATH that runs."""
    return next((path for path in map(shutil.which, names) if path and runs(path)), None)


def install(package: str) -> list[str]:
    """Install a Debian package; returns the reason if that fails."""
    print(f"Installing {package} …", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-o", "Acquire::http::Timeout=20"]
    for command in ([*apt, "update"], [*apt, "install", "--yes", "--no-install-recommends", package]):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            return [f"`{' '.join(command)}` failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"]
    return []


def main() -> None:
    """Print the path, or exit with status 1 and the reason."""
    named = os.environ.get("CHROMIUM")
    if named:
        if not runs(named):
            sys.exit(f"error: CHROMIUM names {named}, which does not run")
        print(named)
        return
    path, can_install = find(SHELL), shutil.which("apt-get") is not None and os.geteuid() == 0
    reasons: list[str] = []
    for package, names in ((SHELL, (SHELL, *NAMES)), ("chromium", NAMES)):
        if path is None and can_install:
            reasons += install(package)
        path = path or find(*names)
    if path is None:
        wanted = f"install it (Debian: apt-get install {SHELL}) or set CHROMIUM to its path"
        sys.exit("\n".join([f"error: the browser tests need Chromium: {wanted}", *reasons]))
    if reasons:
        print(f"note: without the headless shell, {path} it is: {reasons[0]}", file=sys.stderr)
    print(path)


if __name__ == "__main__":
    main()
