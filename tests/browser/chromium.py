"""One headless Chromium for many pages; each page has its own context, and so its own profile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from types import TracebackType

    from playwright.sync_api import Browser, BrowserContext, Playwright

ROOT = Path(__file__).resolve().parents[2]

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str:
    """Return the path of Chromium, installing it if possible; raises `FileNotFoundError` with the reason."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools/chromium.py"], capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode != 0:
        raise FileNotFoundError(done.stderr.strip())
    return done.stdout.strip()


class Chromium:
    """Starts the browser, and ends it with all of its pages. A thread can run one at a time."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def __enter__(self) -> Self:
        """Start."""
        try:
            self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(
                executable_path=os.environ.get("CHROMIUM") or find(), args=list(ARGUMENTS), headless=True
            )
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the browser."""
        self.close()

    def close(self) -> None:
        """Close the browser."""
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()

    def context(self, size: tuple[int, int], scale: float) -> BrowserContext:
        """Make a fresh profile, for windows of `size` CSS pixels on a screen of `scale` pixels each."""
        if self._browser is None:
            raise RuntimeError("Chromium has not been started")
        width, height = size
        return self._browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale)
