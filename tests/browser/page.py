"""One notebook in headless Chromium: cells run by the application's own commands, whichever element has the focus."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any, Literal, Self

from playwright.sync_api import Error, expect
from playwright.sync_api import TimeoutError as PageTimeoutError

from tests.browser import probes
from tests.browser.window import PATIENCE, Window

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from playwright.sync_api import CDPSession, Locator

    from tests.browser.chromium import Chromium
    from tests.browser.jupyter import JupyterServer

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

PLOT = "[role=group][aria-roledescription]"
"""The element over a plot that handles the pointer; a card may have several."""

LAYER = ":is(dialog:modal, [aria-modal=true])"
"""A selector of what covers the window: a dialog, or the dashboard or a card that has gone over it."""

NO_LAYER = f"return document.querySelector('.tbwidget {LAYER}') === null"

_PRELUDE = """
const app = window.jupyterapp;
const current = app?.shell?.currentWidget;
const panel = current?.content?.widgets ? current
    : [...(app?.shell?.widgets('main') ?? [])].find(w => w?.content?.widgets && w?.sessionContext);
const cells = panel?.content?.widgets;
const running = cell => cell.model.executionState === 'running' || cell.promptNode?.textContent?.includes('*');
"""

_RUN = """
window.testRuns ??= {};
window.testRuns[arg.key] = 'pending';
app.commands.execute(arg.command).then(
    () => { window.testRuns[arg.key] = 'done'; },
    error => { window.testRuns[arg.key] = `failed: ${error}`; });
"""

# The browser applies a policy as soon as its element exists.
_FORBID_WORKERS = """
const policy = document.createElement('meta');
policy.httpEquiv = 'Content-Security-Policy';
policy.content = "worker-src 'none'";
document.head.append(policy);
"""

# Sends code to the kernel, and collects its output.
_ASK = """
const future = panel.sessionContext.session.kernel.requestExecute({ code: arg, store_history: false });
let said = '';
future.onIOPub = ({ header, content }) => {
    if (header.msg_type === 'stream') said += content.text;
    if (header.msg_type === 'error') said += content.traceback.join('\\n');
};
return future.done.then(() => said);
"""

_LAST_STEPS = """
return Object.fromEntries([...document.querySelectorAll('.tbwidget .tbwidget-card[data-panel]')]
    .filter(card => card.dataset.lastStep !== undefined)
    .flatMap(card => JSON.parse(card.dataset.tags ?? JSON.stringify([card.dataset.tag]))
        .map(tag => [tag, card.dataset.lastStep])));
"""

FRAMES = """
return (async () => {
    for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
})();
"""
"""Ends once the page has drawn some more frames; a frozen page draws none."""

# Scrolls to a card, or further down if it is not mounted yet; true once the card has been drawn.
_SEEK = """
const cards = [...document.querySelectorAll('.tbwidget [data-tag]')];
const card = cards.find(({ dataset }) => dataset.tag === arg || JSON.parse(dataset.tags ?? '[]').includes(arg));
if (card !== undefined) {
    card.scrollIntoView({ block: 'center' });
    return card.dataset.lastStep !== undefined;
}
const folded = document.querySelector('.tbwidget .tbwidget-section-fold[aria-expanded=false]');
if (folded !== null && cards.length > 0) {
    folded.click();
    return false;
}
let scrolled = cards[0]?.parentElement;
while (scrolled && (scrolled.scrollHeight <= scrolled.clientHeight
        || !['auto', 'scroll'].includes(getComputedStyle(scrolled).overflowY))) {
    scrolled = scrolled.parentElement;
}
scrolled?.scrollBy(0, scrolled.clientHeight);
return false;
"""


# A notebook needs these before its cells can run. Each is true, or the state found instead.
_PARTS = """[
    panel?.context.path === arg || (panel?.context.path ?? location.href), panel?.context.isReady,
    cells?.length > 0, panel?.sessionContext.isReady,
    panel?.sessionContext.session?.kernel?.connectionStatus === 'connected'
        || (panel?.sessionContext.session?.kernel?.connectionStatus ?? panel?.sessionContext.kernelDisplayStatus)]"""


class NotebookPage:
    """A notebook of a server, opened; `page` is Playwright's. Every wait has a timeout, in seconds.

    `workers=False` gives the page a policy that forbids workers, as some hosts have. A given `window` may have shown
    other notebooks before. Without one, the notebook gets its own, and JupyterLab is loaded at the notebook's address.
    """

    def __init__(
        self,
        server: JupyterServer,
        notebook: str,
        chromium: Chromium,
        size: tuple[int, int] = (1400, 1000),
        scale: float = 1,
        *,
        workers: bool = True,
        window: Window | None = None,
    ) -> None:
        self.server, self.notebook = server, notebook
        self._chromium, self._size, self._scale, self._workers = chromium, size, scale, workers
        self._own, self._window = window is None, window
        self._devtools: CDPSession | None = None
        self._theme: Literal["light", "dark"] = "light"

    def __enter__(self) -> Self:
        """Open the notebook and wait for its kernel."""
        try:
            if self._window is None:
                self._window = Window(self._chromium, self._size, self._scale)
            self.page = self._window.page
            if self._own:
                self.prepare()
                self.open()
            else:
                self._window.open(self.server, self.notebook, self._size)
                self._wait_for_kernel(120)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the page."""
        self.close()

    @property
    def errors(self) -> list[str]:
        """Return errors in the console and uncaught exceptions."""
        return [] if self._window is None else self._window.errors

    def close(self) -> None:
        """Close the page's own window and forget its profile; the server and its kernels go on."""
        if self._theme != "light":
            # The server keeps it as a setting, for the windows of later tests too.
            with contextlib.suppress(Error):  # the page of a failed test may hang
                self.theme("light")
        if self._own and self._window is not None:
            self._window.close()
        elif self._devtools is not None:
            self._devtools.detach()
            self._devtools = None

    def open(self, timeout: float = 120) -> None:
        """Open the notebook, or open it again, and wait for its kernel."""
        kind = "lab/tree/" if self.server.app == "lab" else "notebooks/"
        reset = "&reset" if self.server.app == "lab" else ""
        self.page.goto(f"{self.server.url}{kind}{self.notebook}?token={self.server.token}{reset}")
        self._wait_for_kernel(timeout)

    def reload(self, timeout: float = 120) -> None:
        """Reload the page as its user would, and wait for the kernel."""
        self.page.reload()
        self._wait_for_kernel(timeout)

    def _wait_for_kernel(self, timeout: float) -> None:
        try:
            self.wait(f"return {_PARTS}.every(part => part === true)", timeout, self.notebook)
        except PageTimeoutError as error:
            # The missing parts of JupyterLab explain a timeout better than its duration does.
            parts = self.page.evaluate(f"(arg) => {{{_PRELUDE}return {_PARTS}}}", self.notebook)
            lacks = f"path, document, cells, session, connection: {parts}; {self.errors}"
            raise PageTimeoutError(f"{error}; {lacks}") from error
        if not self._workers:
            self.js(_FORBID_WORKERS)

    def prepare(self) -> None:
        """Set up the page of a window of its own, before it loads anything; for subclasses."""

    def mute(self) -> None:
        """Keep all further messages of widgets from the kernel."""
        self.page.evaluate("() => { window.testMuted = true; }")

    @property
    def devtools(self) -> CDPSession:
        """Return Chromium's own protocol, for what Playwright cannot do."""
        if self._devtools is None:
            self._devtools = self.page.context.new_cdp_session(self.page)
        return self._devtools

    def save(self) -> None:
        """Save the notebook."""
        self.js("return app.commands.execute('docmanager:save').then(() => null)")

    def theme(self, name: Literal["light", "dark"]) -> None:
        """Choose JupyterLab's light or dark theme, and wait until the page has it.

        JupyterLab covers the page during the change, and for 200 ms more. If another change covers and uncovers it in
        that time, the cover is removed twice, which is an error in the console ("removeChild").
        """
        self.js("return app.commands.execute('apputils:change-theme', { theme: arg }).then(() => null)", THEMES[name])
        self._theme = name
        self.wait("return document.body.dataset.jpThemeName === arg", PATIENCE, THEMES[name])
        self.wait("return document.getElementById('jupyterlab-splash') === null")

    def resize(self, width: int, height: int) -> None:
        """Make the window this large, in CSS pixels."""
        self.page.set_viewport_size({"width": width, "height": height})

    def rescale(self, scale: float, width: int) -> None:
        """Move the window to a screen with `scale` device pixels a CSS pixel, and make it `width` CSS pixels wide."""
        metrics = {"width": width, "height": self._size[1], "deviceScaleFactor": scale, "mobile": False}
        self.devtools.send("Emulation.setDeviceMetricsOverride", metrics)

    def picture(self, path: Path | None = None) -> bytes:
        """Take a picture of the first dashboard, as PNG."""
        return self.page.locator(".tbwidget").first.screenshot(path=path)

    def card(self, tag: str, view: int = 0) -> Locator:
        """Find the card of a tag, which may show others as well."""
        own = f'[data-tag="{tag}"], [data-tags*={json.dumps(json.dumps(tag))}]'
        return self.page.locator(".tbwidget").nth(view).locator(own).first

    def plot(self, tag: str, number: int = 0, view: int = 0) -> Locator:
        """Find the element that handles the pointer over one of a card's plots."""
        return self.card(tag, view).locator(PLOT).nth(number)

    def area(self, plot: Locator) -> tuple[float, float, float, float]:
        """Scroll to a plot; returns left, top, width and height in CSS pixels of the window."""
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        assert box is not None
        return box["x"], box["y"], box["width"], box["height"]

    def drag(self, plot: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag the mouse over a plot, between points given as shares of its width and height."""
        left, top, width, height = self.area(plot)
        self.page.mouse.move(left + start[0] * width, top + start[1] * height)
        self.page.mouse.down()
        self.page.mouse.move(left + end[0] * width, top + end[1] * height, steps=5)
        self.page.mouse.up()
        self.page.mouse.move(0, 0)

    def last_steps(self) -> dict[str, str]:
        """The last step that each card shows, by tag; cards that have not been drawn are left out."""
        found: dict[str, str] = self.js(_LAST_STEPS)
        return found

    def wait_for_last_steps(self, wanted: dict[str, str], timeout: float = PATIENCE) -> None:
        """Wait until these cards show these last steps."""
        self.wait(
            f"const shown = (() => {{{_LAST_STEPS}}})(); return Object.keys(arg).every(tag => shown[tag] === arg[tag])",
            timeout,
            wanted,
        )

    def scroll_to(self, tag: str, timeout: float = PATIENCE) -> None:
        """Scroll the first dashboard to a card, and wait until the card is drawn."""
        self.wait(_SEEK, timeout, tag)

    def state(self, view: int = 0) -> str | None:
        """Return the state that a dashboard shows; None if it does not exist."""
        found: str | None = self.js("return document.querySelectorAll('.tbwidget')[arg]?.dataset.state ?? null", view)
        return found

    def wait_for_state(self, *wanted: str, timeout: float = PATIENCE, view: int = 0) -> None:
        """Wait until a dashboard shows one of these states."""
        self.wait(
            "return arg[1].includes(document.querySelectorAll('.tbwidget')[arg[0]]?.dataset.state)",
            timeout,
            [view, list(wanted)],
        )

    def steady(self, body: str, arg: Any = None, timeout: float = PATIENCE) -> Any:
        """Wait until a function's result is stable for half a second, longer than any of our delays; returns it."""
        return self.page.evaluate(
            f"""async ([arg, timeout]) => {{
                const found = () => {{{_PRELUDE}{body}}};
                const end = performance.now() + timeout;
                let last, same = 0;
                while (same < 10) {{
                    await new Promise(done => setTimeout(done, 50));
                    await new Promise(requestAnimationFrame);
                    const now = found();
                    same = JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
                    last = now;
                    if (performance.now() > end) throw new Error('not steady: ' + JSON.stringify(now)?.slice(0, 200));
                }}
                return last;
            }}""",
            [arg, 1000 * timeout],
        )

    def alive(self) -> list[str]:
        """Return observers, timers, and listeners of the whole page that the widget's module has not ended."""
        found: list[str] = self.page.evaluate("() => [...window.testAlive.values()]")
        return found

    def js(self, body: str, arg: Any = None) -> Any:
        """Evaluate the body of a JavaScript function of `arg`, which sees `app`, `panel`, `cells` and `running`."""
        return self.page.evaluate(f"(arg) => {{{_PRELUDE}{body}}}", arg)

    def wait(self, body: str, timeout: float = PATIENCE, arg: Any = None) -> None:
        """Wait until such a function returns a true value; raises Playwright's TimeoutError."""
        self.page.wait_for_function(f"(arg) => {{{_PRELUDE}{body}}}", arg=arg, timeout=timeout * 1000, polling=50)

    def draw_frames(self) -> None:
        """Wait until the page has drawn ten frames: it is not frozen."""
        self.js(FRAMES)

    def sleep(self, seconds: float) -> None:
        """Let time pass while console and other events are handled."""
        self.page.wait_for_timeout(seconds * 1000)

    def start_cell(self, index: int) -> None:
        """Run a cell without waiting for its end."""
        # The command's promise ends with the cell, so it is kept in the page.
        self.js(
            "panel.content.activeCellIndex = arg.key; panel.content.deselectAll();" + _RUN,
            {"key": index, "command": "notebook:run-cell"},
        )

    def run_cell(self, index: int, timeout: float = 120) -> str:
        """Run a cell to its end; returns its text output. An error in the cell is one here."""
        self.start_cell(index)
        return self.end_of_cell(index, timeout)

    def end_of_cell(self, index: int, timeout: float = 120) -> str:
        """Wait until a cell has run; returns its text output. An error in the cell is one here."""
        self.wait(
            "const cell = cells[arg]; return window.testRuns?.[arg] !== 'pending' && window.testRuns?.all !== 'pending'"
            " && cell.model.executionCount && !running(cell)",
            timeout,
            index,
        )
        outputs = self.outputs(index)
        for output in outputs:
            if output["output_type"] == "error":
                raise AssertionError("\n".join(output["traceback"]))
        return "".join(_text(output) for output in outputs)

    def own_step(self, tag: str) -> Locator:
        """Give a card a step of its own, and return the slider of that."""
        card = self.card(tag)
        card.hover()
        card.get_by_role("button", name="Own step").click()
        return card.get_by_role("slider", name=f"Step of {tag}")

    def wait_for_linked(self, step: str) -> None:
        """Wait until the control at the foot shows that this step is linked."""
        expect(self.page.locator(".tbwidget-step-player:not([data-free]) .tbwidget-step-entry")).to_have_value(step)

    def wait_for_output(self, cell: int, wanted: str) -> None:
        """Run a cell until it prints this: options set in the page reach Python a moment later."""
        said = self.run_cell(cell).strip()
        for _ in range(round(PATIENCE / 0.25)):
            if said == wanted:
                return
            self.sleep(0.25)
            said = self.run_cell(cell).strip()
        raise AssertionError(f"cell {cell} prints {said!r}, not {wanted!r}")

    def release(self, name: str) -> None:
        """Let a cell made by `cells.hold(name)` come to its end."""
        (self.server.root / f"{name}.released").touch()

    def ask_kernel(self, code: str) -> str:
        """Run code beside the notebook's cells, once the kernel is idle; returns what it prints."""
        said: str = self.js(_ASK, code)
        return said.strip()

    def kernel_process(self) -> int:
        """The id of the kernel's process."""
        return int(self.ask_kernel("import os; print(os.getpid())"))

    def kernel_comms(self) -> int:
        """Return the number of comms in the kernel, of widgets and of others."""
        return int(self.ask_kernel("from comm import get_comm_manager; print(len(get_comm_manager().comms))"))

    def page_comms(self) -> int:
        """Return the number of comms in the page: one for each model."""
        found: int = self.js("return panel.sessionContext.session.kernel._comms.size")
        return found

    def heap(self) -> dict[str, float]:
        """Return bytes of the page's JavaScript, and its numbers of nodes and listeners, after garbage collection."""
        self.devtools.send("Performance.enable")
        for _ in range(3):
            self.devtools.send("HeapProfiler.collectGarbage")
        metrics = self.devtools.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: metric["value"] for metric in metrics if metric["name"] in probes.HEAP}

    def start_all(self) -> None:
        """Run all cells without waiting."""
        self.js(_RUN, {"key": "all", "command": "notebook:run-all-cells"})

    def busy(self, index: int) -> bool:
        """Whether a cell runs now."""
        return bool(self.js("return running(cells[arg])", index))

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """Return a cell's outputs, as in a notebook file."""
        found: list[dict[str, Any]] = self.js("return cells[arg].model.outputs.toJSON()", index)
        return found


def _text(output: dict[str, Any]) -> str:
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return text if isinstance(text, str) else "".join(text)
