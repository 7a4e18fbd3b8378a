"""A log directory on S3, from a server in the test process: live while a cell trains, and no secret leaks."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.window import PATIENCE
from tests.support.countingproxy import CountingProxy
from tests.support.eventfiles import NAME, event, simple

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

boto3 = pytest.importorskip("boto3")
pytest.importorskip("s3fs")
moto_server = pytest.importorskip("moto.server")

KEYS = {"key": "AKIASTOREKEY", "secret": "a-word-that-nobody-may-see", "token": "a-token-of-a-session"}
SECRETS = re.compile("|".join(KEYS.values()))
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

SHOW = """
import json, os, time
from pathlib import Path
import ipywidgets
from tbwidget import show
options = json.loads(Path("{name}.json").read_text())
os.environ |= {
    "AWS_ACCESS_KEY_ID": options["key"],
    "AWS_SECRET_ACCESS_KEY": options["secret"],
    "AWS_DEFAULT_REGION": "us-east-1",
    "S3_ENDPOINT": options["client_kwargs"]["endpoint_url"],
}
show("s3://{bucket}/runs", storage_options=options)
"""

BEGIN = """
from tensorboardX import SummaryWriter
writer = SummaryWriter("s3://bucket/runs/second")
step = 0
"""

STEP = """
for _ in range(10):
    writer.add_scalar("loss", 1 / (1 + step), step)
    step += 1
writer.flush()
until = time.monotonic() + 0.2
while time.monotonic() < until:
    sum(range(1000))  # the kernel computes
"""

SENTENCES = {
    "bucket": ["This directory does not exist yet", "s3://nobodys/runs"],
    "key": [
        "This directory cannot be read",
        "s3://bucket/runs",
        "access to s3://bucket/runs was refused: check the credentials and their permissions",
    ],
}

STATES = "print(json.dumps([widget.get_state() for widget in ipywidgets.Widget.widgets.values()], default=repr))"


@pytest.fixture(scope="module")
def moto() -> Iterator[int]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    yield int(running.get_host_and_port()[1])
    running.stop()


@pytest.fixture
def client(moto: int) -> Iterator[Any]:
    """Yields a client of a bucket with one run."""
    made = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{moto}",
        region_name="us-east-1",
        aws_access_key_id=KEYS["key"],
        aws_secret_access_key=KEYS["secret"],
    )
    made.create_bucket(Bucket="bucket")
    events = [event(1.7e9, version="brain.Event:2"), *(event(1.7e9 + i, i, simple("loss", i)) for i in range(5))]
    made.put_object(Bucket="bucket", Key=f"runs/first/{NAME}", Body=b"".join(events))
    yield made
    for listed in made.list_objects_v2(Bucket="bucket").get("Contents", []):
        made.delete_object(Bucket="bucket", Key=listed["Key"])
    made.close()


@pytest.fixture
def proxy(moto: int, client: Any) -> Iterator[CountingProxy]:  # noqa: ARG001 (it creates the bucket)
    with CountingProxy(moto) as made:
        yield made


def open_remote(server: JupyterServer, open_notebook: Open, name: str, cells: list[str], proxy: CountingProxy) -> Any:
    """Open a notebook; the secret is in a file next to it."""
    options = {**KEYS, "client_kwargs": {"endpoint_url": proxy.url}}
    (server.root / f"{name}.json").write_text(json.dumps(options), "utf-8")
    server.write_notebook(f"{name}.ipynb", cells)
    return open_notebook(f"{name}.ipynb", server)


class Frames:
    """Records all frames on the websockets of a page from now on, in both directions."""

    def __init__(self, notebook: NotebookPage) -> None:
        self.payloads: list[bytes] = []
        session = notebook.page.context.new_cdp_session(notebook.page)
        session.send("Network.enable")
        for name in ("Sent", "Received"):
            session.on(f"Network.webSocketFrame{name}", self._keep)

    def _keep(self, event: dict[str, Any]) -> None:
        frame = event["response"]
        is_text = frame["opcode"] == 1
        self.payloads.append(frame["payloadData"].encode() if is_text else base64.b64decode(frame["payloadData"]))

    def show_no_secret(self) -> None:
        assert any(b"tbwidget" in payload for payload in self.payloads)
        assert any(b"s3://" in payload for payload in self.payloads)
        secrets = [secret.encode() for secret in KEYS.values()]
        assert not [payload for payload in self.payloads if any(secret in payload for secret in secrets)]


def shows_no_secret(server: JupyterServer, notebook: NotebookPage, name: str) -> None:
    notebook.save()
    saved = (server.root / f"{name}.ipynb").read_text("utf-8")
    assert '"application/vnd.jupyter.widget-state+json"' in saved
    states = notebook.ask_kernel(STATES)
    assert "tbwidget" in states or "anywidget" in states
    for text in (
        saved,
        states,
        notebook.page.content(),
        json.dumps(notebook.page.evaluate("() => ({...localStorage})")),
    ):
        assert SECRETS.search(text) is None


def last_step(notebook: NotebookPage) -> int:
    return int(notebook.js("return document.querySelector('.tbwidget [data-tag=loss]')?.dataset.lastStep ?? '-1'"))


@pytest.mark.own_window
def test_a_run_on_s3_moves_while_a_cell_trains(
    saving_server: JupyterServer, open_notebook: Open, proxy: CountingProxy
) -> None:
    name = "remote"
    show = SHOW.replace("{name}", name).replace("{bucket}", "bucket")
    cells = [show, BEGIN + hold(name, STEP) + "writer.close()\nprint(step)"]
    notebook = open_remote(saving_server, open_notebook, name, cells, proxy)
    frames = Frames(notebook)
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "4"})
    notebook.start_cell(1)
    seen = [last_step(notebook)]
    for _ in range(3):
        notebook.wait(
            "return Number(document.querySelector('.tbwidget [data-tag=loss]').dataset.lastStep) > arg",
            PATIENCE,
            seen[-1],
        )
        seen.append(last_step(notebook))
    assert notebook.busy(1), "all that was seen while the kernel was busy"
    expect(notebook.page.locator(".tbwidget-news")).to_contain_text(re.compile(r"polled every \d+\s?s"))
    notebook.release(name)
    steps = int(notebook.end_of_cell(1))
    notebook.wait_for_last_steps({"loss": str(steps - 1)})
    expect(notebook.page.locator(".tbwidget-runs .tbwidget-run-name")).to_have_text(["first", "second"])
    shows_no_secret(saving_server, notebook, name)
    frames.show_no_secret()
    assert notebook.errors == []


@pytest.mark.own_window
def test_reading_shows_its_progress_and_is_stopped(
    saving_server: JupyterServer, open_notebook: Open, proxy: CountingProxy, client: Any
) -> None:
    name = "remote-stopped"
    for run in range(40):
        body = b"".join(event(1.7e9 + step, step, simple("loss", step)) for step in range(5))
        client.put_object(Bucket="bucket", Key=f"runs/more/run{run}/{NAME}", Body=body)
    proxy.held = "runs/more/run9/"
    cells = [SHOW.replace("{name}", name).replace("{bucket}", "bucket"), hold(name, "time.sleep(0.1)")]
    notebook = open_remote(saving_server, open_notebook, name, cells, proxy)
    frames = Frames(notebook)
    notebook.run_cell(0)
    news, state = notebook.page.locator(".tbwidget-news"), notebook.page.locator(".tbwidget-state")
    expect(news).to_contain_text("16 of 41 files")
    expect(news).to_contain_text("fetched")
    expect(state).to_have_text("Reading")
    state.click()
    stop = notebook.page.locator(".tbwidget-state-menu .tbwidget-reading-switch")
    expect(stop).to_have_text("Stop")
    stop.click()
    expect(state).to_have_text("Stopped")
    expect(news).to_have_text(re.compile(r"^16 of 41 files, [\d.]+ kB of [\d.]+ kB$"))
    expect(notebook.page.locator(".tbwidget-runs .tbwidget-run-name")).to_have_count(16)
    proxy.release()
    asked = len(proxy.requests)
    notebook.page.wait_for_timeout(1500)
    assert len(proxy.requests) == asked, "nothing more is read"
    notebook.start_cell(1)
    state.click()  # the list closed when the cell took the focus
    expect(stop).to_have_text("Continue")
    state.click()
    beside = notebook.page.locator(".tbwidget-header").get_by_role("button", name="Continue")
    beside.click()  # this kernel handles it while the cell runs
    expect(notebook.page.locator(".tbwidget-runs .tbwidget-run-name")).to_have_count(41)
    # The second one where the cell has run for long by then.
    expect(state).to_have_text(re.compile("^(Up to date|Kernel busy)$"))
    expect(beside).to_have_count(0)
    assert notebook.busy(1)
    notebook.release(name)
    notebook.end_of_cell(1)
    frames.show_no_secret()
    assert notebook.errors == []


def forbidden(code: str) -> bytes:
    """Return S3's answer to a wrong key; servers may repeat the request in it."""
    body = f"<Error><Code>{code}</Code><Message>{KEYS['secret']}</Message></Error>".encode()
    head = f"HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.mark.own_window
@pytest.mark.parametrize("case", ["bucket", "key"])
def test_an_unreadable_directory_is_reported_in_one_sentence(
    case: str, saving_server: JupyterServer, open_notebook: Open, proxy: CountingProxy
) -> None:
    name = f"remote-{case}"
    bucket = "nobodys" if case == "bucket" else "bucket"
    proxy.answer = forbidden("InvalidAccessKeyId") if case == "key" else None
    cells = [SHOW.replace("{name}", name).replace("{bucket}", bucket)]
    notebook = open_remote(saving_server, open_notebook, name, cells, proxy)
    notebook.run_cell(0)
    for sentence in SENTENCES[case]:
        expect(notebook.page.locator(".tbwidget-waiting")).to_contain_text(sentence)
    problems = notebook.page.get_by_role("button", name="problem")
    expect(problems).to_have_text(["1 problem"] if case == "key" else [])
    shows_no_secret(saving_server, notebook, name)
    assert notebook.errors == []
