"""A notebook page that records when charts were painted, and the traffic on its websockets."""

from __future__ import annotations

import json
import struct
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.sync_api import Error

from tests.browser.page import NotebookPage

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Request, WebSocket

# In the notebook: [time, tag, last step] of each painting of a card. In a frame of TensorBoard: the time of its first
# chart, an element that still draws its lines. Times are ms since the epoch, from the machine's only clock.
_OBSERVE = """
if (window === window.top) {
    window.benchPainted = [];
    new MutationObserver(records => {
        const now = Date.now();
        for (const { target } of records) {
            if (target.dataset.lastStep !== undefined) {
                window.benchPainted.push([now, target.dataset.tag, Number(target.dataset.lastStep)]);
            }
        }
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-last-step'] });
} else {
    new MutationObserver((_, observer) => {
        if (document.querySelector('line-chart .series-view canvas') !== null) {
            window.benchFirstChart = Date.now();
            observer.disconnect();
        }
    }).observe(document, { subtree: true, childList: true });
}
"""


class Received(NamedTuple):
    """A kernel's message, as received."""

    type: str
    comm: str
    """Id of its comm; empty if it has none."""
    size: int
    """Bytes of the whole frame."""


class MeasuredPage(NotebookPage):
    """Records all the time; the records are in `received` and, for frames, in `frame_bytes`."""

    def prepare(self) -> None:
        """Install none of the tests' own probes, which would be measured, too."""
        self.received: list[Received] = []
        self._requests: list[Request] = []
        self.page.add_init_script(_OBSERVE)
        self.page.on("websocket", self._listen)
        self.page.on("requestfinished", self._note)

    def now(self) -> int:
        """Return the page's clock, in ms since the epoch."""
        time: int = self.page.evaluate("() => Date.now()")
        return time

    def painted(self) -> list[tuple[int, str, int]]:
        """Return time in ms, tag and last step of every painting of a card so far."""
        found: list[tuple[int, str, int]] = self.page.evaluate("() => window.benchPainted")
        return found

    def start_cell_at(self, index: int) -> int:
        """Run a cell; returns the page's time just before."""
        begun = self.now()
        self.start_cell(index)
        return begun

    def frame(self) -> Frame | None:
        """Return the frame inside the notebook, if it exists."""
        return next((frame for frame in self.page.frames if frame.parent_frame is not None), None)

    def tensorboard(self, panel: str, timeout: float) -> Frame | None:
        """Return TensorBoard's page after opening a panel in it; None after `timeout` seconds without it."""
        for _ in range(round(timeout / 0.1)):
            frame = self.frame()
            if frame is not None and frame.url.startswith("http"):
                with suppress(Error):  # it is navigating
                    frame.evaluate("panel => { location.hash = panel; }", panel)
                    return frame
            self.sleep(0.1)
        return None

    def wait_in(self, frame: Frame, script: str, timeout: float) -> Any:
        """Return the result of a script in a frame, once it is true; None after `timeout` seconds."""
        for _ in range(round(timeout / 0.1)):
            with suppress(Error):
                if found := frame.evaluate(script):
                    return found
            self.sleep(0.1)
        return None

    def wait_for_first_chart(self, timeout: float) -> int:
        """Return the time at which TensorBoard's first chart appeared, in ms."""
        for _ in range(round(timeout / 0.1)):
            time = self._first_chart()
            if time is not None:
                return time
            self.sleep(0.1)
        raise TimeoutError(f"TensorBoard drew nothing within {timeout} s")

    def _first_chart(self) -> int | None:
        frame = self.frame()
        if frame is None:
            return None
        try:
            time: int | None = frame.evaluate("() => window.benchFirstChart ?? null")
        except Error:  # it is navigating
            return None
        return time

    def frame_bytes(self) -> int:
        """Return the bytes that frames inside the notebook have fetched so far."""
        return sum(size for _, size in self.fetched())

    def fetched(self) -> list[tuple[str, int]]:
        """Return the address of each of their requests, with the transferred bytes of its answer."""
        inside = [request for request in self._requests if request.frame.parent_frame is not None]
        return [(request.url, max(0, request.sizes()["responseBodySize"])) for request in inside]

    def _note(self, request: Request) -> None:
        self._requests.append(request)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, str):
            header, content = _text(json.loads(frame))
        else:
            header, content = _binary(frame)
        if header:
            self.received.append(Received(header["msg_type"], content.get("comm_id", ""), len(frame)))
            self.take(content)

    def take(self, content: dict[str, Any]) -> None:
        """Receive a message of the kernel; subclasses override this."""


class TallPage(MeasuredPage):
    """A page tall enough for a dashboard and the cells that train below it, because hidden dashboards do not update."""

    def prepare(self) -> None:
        super().prepare()
        self.page.set_viewport_size({"width": 1_400, "height": 2_400})


def _text(message: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return message.get("header", {}), message.get("content", {})


def _binary(frame: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and content of a frame of Jupyter's protocol v1.kernel.websocket.jupyter.org."""
    count = struct.unpack_from("<Q", frame)[0]
    offsets = struct.unpack_from(f"<{count}Q", frame, 8)
    _channel, header, _parent, _metadata, content = (frame[begin:end] for begin, end in pairwise(offsets[:6]))
    return json.loads(header), json.loads(content)
