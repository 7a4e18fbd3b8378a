"""Fixtures of the browser tests: each worker has one JupyterLab, one Chromium, and one Notebook 7 if needed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from tests.browser.chromium import Chromium
from tests.browser.jupyter import KERNEL, KERNEL6, JupyterServer
from tests.browser.page import NotebookPage
from tests.browser.window import PATIENCE, Window

ROOT = Path(__file__).resolve().parents[2]
FAILURES = ROOT / "build/failures"

Open = Callable[..., NotebookPage]
"""Takes the notebook's name, a server unless it is JupyterLab's, and options of `NotebookPage`."""

_SLOWEST = (
    *("fall_silent", "heap", "saved", "waits_for_names", "run_all", "tutorial", "notebook_7", "awkward", "forever"),
    *("change_of_theme", "too_much", "executed", "two_fingers", "restarted", "boards_on_one", "explored", "grows_into"),
    *("all_tiles", "fresh_profile", "every_step", "both_views", "controls", "no_comm", "last_year", "mid_cell"),
    "another_version",
)
"""Words in the names of slow tests. They start first, so that no worker is left with one at the end."""

_failed = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers of these tests."""
    os.environ["TBWIDGET_CACHE"] = "0"  # for kernels: they read and write nothing in the user's home
    # As in jupyter.py for the servers: notebooks are validated against schemas, and each worker imports the validator.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    expect.set_options(timeout=1000 * PATIENCE)
    config.addinivalue_line("markers", "own_window: changes more of the page than it puts back")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, and those that need a second server on one worker."""
    places = {word: place for place, word in enumerate(_SLOWEST)}

    def order(item: pytest.Item) -> int:
        return min((place for word, place in places.items() if word in item.name), default=len(places))

    items.sort(key=order)
    for item in items:
        for server in ("notebook_server", "saving_server", "extended_server", "extended_notebook_server"):
            if server in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group(server))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Remember whether the test failed, for a screenshot of its pages."""
    report = yield
    item.stash[_failed] = item.stash.get(_failed, False) or report.failed
    return report


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A running Chromium; without one the tests fail, because a skip would look like success."""
    with Chromium() as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Iterator[JupyterServer]:
    with JupyterServer() as running:
        yield running


@pytest.fixture(scope="session")
def notebook_server() -> Iterator[JupyterServer]:
    with JupyterServer("notebook") as running:
        yield running


@pytest.fixture(scope="session")
def saving_server() -> Iterator[JupyterServer]:
    """A JupyterLab that saves widgets with their notebooks."""
    with JupyterServer(settings={"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}}) as running:
        yield running


@pytest.fixture(scope="session")
def extended_server() -> Iterator[JupyterServer]:
    """A JupyterLab with the extension that restores dashboards."""
    with JupyterServer(labextension=True) as running:
        yield running


@pytest.fixture(scope="session")
def extended_notebook_server() -> Iterator[JupyterServer]:
    """A Notebook 7 with the extension that restores dashboards."""
    with JupyterServer("notebook", labextension=True) as running:
        yield running


@pytest.fixture(params=[KERNEL, KERNEL6])
def kernel(request: pytest.FixtureRequest) -> str:
    """The name of a kernel: ipykernel 7 is this environment's, ipykernel 6 has its own environment."""
    name: str = request.param
    if name == KERNEL6 and not (ROOT / ".environments/kernel6/bin/python").exists():
        pytest.fail("there is no .environments/kernel6: run `python tools/environments.py kernel6`", pytrace=False)
    return name


@pytest.fixture(scope="session")
def windows() -> Iterator[list[Window]]:
    """Windows of JupyterLab that no test is using; loading one takes longer than most tests."""
    free: list[Window] = []
    yield free
    for window in free:
        window.close()


@pytest.fixture
def open_notebook(
    server: JupyterServer, chromium: Chromium, windows: list[Window], request: pytest.FixtureRequest
) -> Iterator[Open]:
    """Opens notebooks; they and their kernels are closed after the test. A failed test leaves screenshots."""
    opened: list[NotebookPage] = []
    used: list[Window] = []
    own = request.node.get_closest_marker("own_window") is not None

    def open_one(name: str, where: JupyterServer | None = None, **options: Any) -> NotebookPage:
        if not own and where is None and options.keys() <= {"size"} and not used:
            used.append(windows.pop() if windows else Window(chromium))
            options["window"] = used[0]
        page = NotebookPage(where or server, name, chromium, **options).__enter__()
        opened.append(page)
        return page

    yield open_one
    failed = request.node.stash.get(_failed, False)
    for number, page in enumerate(opened):
        if failed:
            FAILURES.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(Error):  # a page that hangs has none
                page.page.screenshot(path=FAILURES / f"{request.node.name}-{number}.png", timeout=10_000)
        page.close()
    for window in used:
        if failed:
            window.close()
            continue
        try:
            window.leave()
        except BaseException:
            window.close()
            raise
        windows.append(window)
    for page in opened:
        page.server.end_kernels(page.notebook)
