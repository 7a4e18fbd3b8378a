"""Headless Firefox, driven by puppeteer-core over WebDriver BiDi: its driver is js/firefox.mjs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

DRIVER = Path(__file__).resolve().parent / "js/firefox.mjs"
"""Its packages are installed by `make hosts`."""
NAMES = ("firefox-esr", "firefox")


class FirefoxError(Exception):
    """A command failed; the message is the driver's."""


class Firefox:
    """One page of its own Firefox, which saves files in the folder `downloads`."""

    def __init__(self, downloads: Path) -> None:
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if program is None:
            raise FileNotFoundError("these tests need Firefox (Debian: apt-get install firefox-esr)")
        self.downloads = downloads
        self._driver = subprocess.Popen(
            ["node", DRIVER, program, downloads],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        """Return the Firefox, which has been started already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End Firefox."""
        assert self._driver.stdin is not None
        self._driver.stdin.close()
        try:
            self._driver.wait(30)
        except subprocess.TimeoutExpired:
            self._driver.kill()
            self._driver.wait()
        finally:
            if self._driver.stdout is not None:
                self._driver.stdout.close()

    def goto(self, url: str) -> None:
        """Open an address, and wait until it is loaded."""
        self._ask("goto", url=url)

    def js(self, body: str, arg: Any = None) -> Any:
        """Evaluate the body of a function of `arg`."""
        return self._ask("js", body=body, arg=arg)

    def wait(self, body: str, arg: Any = None, timeout: float = 60) -> None:
        """Wait until the body of a function of `arg` returns a true value; raises `FirefoxError`."""
        self._ask("wait", body=body, arg=arg, timeout=1000 * timeout)

    def click(self, body: str, arg: Any = None, count: int = 1) -> None:
        """Click, with the pointer, on the element that the body of a function returns, once it does."""
        self._ask("click", body=body, arg=arg, count=count)

    def drag(self, body: str, start: float, end: float) -> None:
        """Drag across an element, between two shares of its width, half way down."""
        self._ask("drag", body=body, **{"from": start, "to": end})

    def leave(self) -> None:
        """Move the pointer away from everything."""
        self._ask("leave")

    def type(self, body: str, text: str) -> None:
        """Type in a field, replacing its text."""
        self._ask("type", body=body, text=text)

    def clear(self, body: str) -> None:
        """Empty a field."""
        self.click(body, count=3)
        self.press("Backspace")

    def press(self, key: str) -> None:
        """Press a key on the focused element."""
        self._ask("press", key=key)

    def picture(self, path: Path) -> None:
        """Take a picture of the viewport, as PNG."""
        self._ask("picture", path=str(path))

    def errors(self) -> list[str]:
        """Return errors in the console and uncaught exceptions since the last call."""
        found: list[str] = self._ask("errors")
        return found

    def _ask(self, command: str, **options: Any) -> Any:
        stdin, stdout = self._driver.stdin, self._driver.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"command": command, **options}) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise FirefoxError(f"Firefox or its driver has ended while asked to {command}")
        answer = json.loads(line)
        if "error" in answer:
            raise FirefoxError(f"{command}: {answer['error']}")
        return answer["value"]
