"""A window of Chromium with its own profile: JupyterLab is loaded once, and shows one notebook after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser import pointers, probes

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage

    from tests.browser.chromium import Chromium
    from tests.browser.jupyter import JupyterServer

PATIENCE = 40.0
"""Default timeout of a wait in seconds, for a machine that is busy with other work."""

# A notebook opened by a command is not opened again when the page has been restored.
_OPEN = "path => window.jupyterapp.commands.execute('docmanager:open', { path }).then(() => null)"

_RESTORED = "() => window.jupyterapp !== undefined && window.jupyterapp.restored.then(() => true)"

# Ends the kernels of all notebooks and closes them unsaved; deletes the page's storage, so that the next starts empty.
_LEAVE = """
async () => {
    const open = [...window.jupyterapp.shell.widgets('main')].filter(widget => widget.context !== undefined);
    await Promise.all(open.map(widget => widget.sessionContext.shutdown()));
    for (const widget of open) {
        widget.context.model.dirty = false;
        widget.dispose();
    }
    localStorage.clear();
    sessionStorage.clear();
    window.testMuted = false;
    window.testRuns = {};
}
"""

# Functions of the browser that a test has replaced: the tests that follow would meet them.
_REPLACED = """
() => {
    const isNative = ({ value, get }) => String(value ?? get).includes('[native code]');
    const replaced = own => Object.entries(Object.getOwnPropertyDescriptors(own))
        .flatMap(([name, given]) => name in Object.getPrototypeOf(own) && !isNative(given) ? [name] : []);
    const functions = ['setTimeout', 'requestAnimationFrame', 'fetch'];
    return [
        ...[document, navigator, navigator.clipboard].flatMap(replaced),
        ...functions.filter(name => !isNative({ value: window[name] })),
    ];
}
"""

_SENDING = 400
"""Milliseconds, longer than the page's delay before it sends an option."""


class Window:
    """A window of `size` CSS pixels with `scale` device pixels each; `page` is Playwright's."""

    def __init__(self, chromium: Chromium, size: tuple[int, int] = (1400, 1000), scale: float = 1) -> None:
        self._context = chromium.context(size, scale)
        self._context.set_default_timeout(1000 * PATIENCE)
        self.page = self._context.new_page()
        probes.watch(self.page)
        self.errors: list[str] = []
        """Errors in the console, and uncaught exceptions, since a notebook was opened."""
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        self._lab: JupyterServer | None = None

    def _note(self, message: ConsoleMessage) -> None:
        # A busy machine may take 2 s to load a module; anywidget's message is then harmless, see docs/hosts.md.
        if message.type == "error" and message.text != "[anywidget] Failed to initialize model.":
            self.errors.append(f"{message.text} ({message.location['url']})")

    def open(self, server: JupyterServer, notebook: str, size: tuple[int, int]) -> None:
        """Open a notebook in the JupyterLab of a server, loading that first if needed."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        if self._lab is not server:
            # A workspace of its own: other windows do not use its memory of notebooks.
            self.page.goto(f"{server.url}lab/workspaces/tests?token={server.token}&reset")
            self.page.wait_for_function(_RESTORED)
            self._lab = server
        self.errors = []
        self.page.evaluate(_OPEN, notebook)

    def leave(self) -> None:
        """Close the notebook, and end its kernel; raises an error if the test leaves a part of the page replaced."""
        pointers.remove_all(self.page)
        self.page.mouse.move(0, 0)
        self.page.evaluate(_LEAVE)
        # An option is sent and stored with a delay, also from a notebook that is closed by then. The wait keeps the
        # error and the option out of the next test.
        self.page.wait_for_timeout(_SENDING)
        self.page.evaluate("() => localStorage.clear()")
        replaced = self.page.evaluate(_REPLACED)
        if replaced:
            raise RuntimeError(f"the test has replaced {', '.join(replaced)}: it needs the mark own_window")
        if not self.page.evaluate("() => matchMedia('(hover: hover)').matches"):
            # After touches, Chromium gives a page its mouse back only when it is loaded again.
            self._lab = None

    def close(self) -> None:
        """Close the window and forget its profile; servers and kernels continue."""
        self._context.close()
