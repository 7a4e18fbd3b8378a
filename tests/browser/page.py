"""One notebook in headless Chromium: cells are run by the application's own commands, whatever has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from types import TracebackType

    from playwright.sync_api import Browser, Playwright

    from tests.browser.jupyter import JupyterServer

CHROMIUM_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

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

# Swallows what the page would say over comms: custom messages and changes of traits.
_MUTE = """
const send = WebSocket.prototype.send;
window.testSwallowed = 0;
WebSocket.prototype.send = function (data) {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
    if (window.testMuted && text.includes('"comm_msg"')) {
        window.testSwallowed += 1;
        return;
    }
    send.call(this, data);
};
"""


# Counts what the widget's module, which hosts load from a blob, has started and not ended.
_COUNT = """
window.testAlive = new Map();
const fromWidget = () => new Error().stack.includes('blob:');
for (const name of ['ResizeObserver', 'IntersectionObserver', 'MutationObserver']) {
    const Original = window[name];
    window[name] = class extends Original {
        constructor(...given) {
            super(...given);
            if (fromWidget()) window.testAlive.set(this, name);
        }
        disconnect() {
            window.testAlive.delete(this);
            super.disconnect();
        }
    };
}
const { setInterval, clearInterval } = window;
window.setInterval = (...given) => {
    const id = setInterval.apply(window, given);
    if (fromWidget()) window.testAlive.set(id, 'setInterval');
    return id;
};
window.clearInterval = id => {
    window.testAlive.delete(id);
    clearInterval.call(window, id);
};
"""


_LAST_STEPS = """
return Object.fromEntries([...document.querySelectorAll('.tbwidget [data-panel="scalars"]')]
    .filter(card => card.dataset.lastStep !== undefined)
    .map(card => [card.dataset.tag, card.dataset.lastStep]));
"""

# Brings a card into view, or goes on towards the end of what scrolls; true once the card has been drawn.
_SEEK = """
const cards = [...document.querySelectorAll('.tbwidget [data-tag]')];
const card = cards.find(card => card.dataset.tag === arg);
if (card !== undefined) {
    card.scrollIntoView({ block: 'center' });
    return card.dataset.lastStep !== undefined;
}
let scrolled = cards[0]?.parentElement;
while (scrolled && (scrolled.scrollHeight <= scrolled.clientHeight
        || !['auto', 'scroll'].includes(getComputedStyle(scrolled).overflowY))) {
    scrolled = scrolled.parentElement;
}
scrolled?.scrollBy(0, scrolled.clientHeight);
return false;
"""


class NotebookPage:
    """A notebook of a server, opened; `page` is Playwright's. Every wait has a timeout, in seconds."""

    def __init__(
        self,
        server: JupyterServer,
        notebook: str,
        chromium: str,
        size: tuple[int, int] = (1400, 1000),
        scale: float = 1,
    ) -> None:
        self.server, self.notebook = server, notebook
        self._chromium, self._size, self._scale = chromium, size, scale
        self.errors: list[str] = []
        """Errors in the console, and exceptions that nothing caught."""
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def __enter__(self) -> Self:
        """Open the notebook and wait for its kernel."""
        try:
            self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(
                executable_path=self._chromium, args=list(CHROMIUM_ARGUMENTS), headless=True
            )
            width, height = self._size
            context = self._browser.new_context(
                viewport={"width": width, "height": height}, device_scale_factor=self._scale
            )
            self.page = context.new_page()
            self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
            self.page.on("pageerror", lambda error: self.errors.append(str(error)))
            self.prepare()
            self.open()
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
        """Close the browser; the server and its kernels go on."""
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()

    def open(self, timeout: float = 90) -> None:
        """Open the notebook, or open it again, and wait for its kernel."""
        kind = "lab/tree/" if self.server.app == "lab" else "notebooks/"
        reset = "&reset" if self.server.app == "lab" else ""
        self.page.goto(f"{self.server.url}{kind}{self.notebook}?token={self.server.token}{reset}")
        self.wait(
            "return !!(panel && panel.context.isReady && cells.length && panel.sessionContext.isReady"
            " && panel.sessionContext.session?.kernel?.connectionStatus === 'connected')",
            timeout,
        )

    def prepare(self) -> None:
        """Set up the new page, before it goes anywhere."""
        self.page.add_init_script(_MUTE + _COUNT)

    def mute(self) -> None:
        """From now on, nothing that a widget says reaches the kernel."""
        self.page.evaluate("() => { window.testMuted = true; }")

    def last_steps(self) -> dict[str, str]:
        """The last step that each card shows, by tag; cards that have not been drawn are left out."""
        found: dict[str, str] = self.js(_LAST_STEPS)
        return found

    def wait_for_last_steps(self, wanted: dict[str, str], timeout: float) -> None:
        """Wait until these cards show these last steps."""
        self.wait(
            f"const shown = (() => {{{_LAST_STEPS}}})(); return Object.keys(arg).every(tag => shown[tag] === arg[tag])",
            timeout,
            wanted,
        )

    def scroll_to(self, tag: str, timeout: float = 20) -> None:
        """Scroll the first dashboard until a card is in sight, and wait until it is drawn."""
        self.wait(_SEEK, timeout, tag)

    def alive(self) -> list[str]:
        """Observers and timers that the widget's module has started and not ended."""
        found: list[str] = self.page.evaluate("() => [...window.testAlive.values()]")
        return found

    def js(self, body: str, arg: Any = None) -> Any:
        """Evaluate the body of a JavaScript function of `arg`, which sees `app`, `panel`, `cells` and `running`."""
        return self.page.evaluate(f"(arg) => {{{_PRELUDE}{body}}}", arg)

    def wait(self, body: str, timeout: float, arg: Any = None) -> None:
        """Wait until such a function returns something true; raises Playwright's TimeoutError."""
        self.page.wait_for_function(f"(arg) => {{{_PRELUDE}{body}}}", arg=arg, timeout=timeout * 1000, polling=20)

    def sleep(self, seconds: float) -> None:
        """Let time pass; console and other events are taken in meanwhile."""
        self.page.wait_for_timeout(seconds * 1000)

    def start_cell(self, index: int) -> None:
        """Run a cell without waiting for its end."""
        # The command's promise ends with the cell, so it is kept in the page.
        self.js(
            "panel.content.activeCellIndex = arg.key; panel.content.deselectAll();" + _RUN,
            {"key": index, "command": "notebook:run-cell"},
        )

    def run_cell(self, index: int, timeout: float = 60) -> str:
        """Run a cell to its end; returns its text output. An error in the cell is one here."""
        self.start_cell(index)
        return self.end_of_cell(index, timeout)

    def end_of_cell(self, index: int, timeout: float = 60) -> str:
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

    def start_all(self) -> None:
        """Run all cells without waiting."""
        self.js(_RUN, {"key": "all", "command": "notebook:run-all-cells"})

    def busy(self, index: int) -> bool:
        """Whether a cell runs now."""
        return bool(self.js("return running(cells[arg])", index))

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """A cell's outputs, as in a notebook file."""
        found: list[dict[str, Any]] = self.js("return cells[arg].model.outputs.toJSON()", index)
        return found


def _text(output: dict[str, Any]) -> str:
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return text if isinstance(text, str) else "".join(text)
