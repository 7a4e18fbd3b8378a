"""A JupyterLab and a kernel in whose environments two versions of tbwidget are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.jupyter import ROOT, JupyterServer
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Open
    from tests.browser.page import NotebookPage

SHOW = "import tbwidget\nprint('version', tbwidget.__version__)\ntbwidget.show('runs')"
SENTENCE = "JupyterLab has another version of tbwidget than the kernel: install the same version in both."


def built(folder: Path, protocol: int) -> Path:
    """Build version 9.9.9 with the messages of this version, and install its wheel's files below a prefix."""
    tree = folder / "tree"
    for name in ("tbwidget", "js", "tools"):
        unneeded = shutil.ignore_patterns("node_modules", "static", "__pycache__", "tests")
        shutil.copytree(ROOT / name, tree / name, ignore=unneeded)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy2(ROOT / name, tree / name)
    (tree / "js/node_modules").symlink_to(ROOT / "js/node_modules")
    for name, pattern, text in (
        ("tbwidget/_version.py", r'"[\d.]+"', '"9.9.9"'),
        ("tbwidget/wire/message.py", r"\nPROTOCOL = \d+", f"\nPROTOCOL = {protocol}"),
        ("js/src/wire/columns.ts", r"const PROTOCOL = \d+", f"const PROTOCOL = {protocol}"),
    ):
        path = tree / name
        changed, count = re.subn(pattern, text, path.read_text("utf-8"))
        assert count == 1, name
        path.write_text(changed, encoding="utf-8")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("tbwidget-9.9.9-*.whl")
    installed = folder / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    shutil.copytree(next(installed.glob("*.data")) / "data", installed, dirs_exist_ok=True)
    return installed


def show_and_reload(server: JupyterServer, open_notebook: Open, version: str) -> NotebookPage:
    """Show a dashboard, and load the page again while a cell runs."""
    write(server.root / "runs/a" / NAME, *(event(1.7e9 + i, i, simple("loss", i)) for i in range(9)))
    server.write_notebook("versions.ipynb", [SHOW, hold("cell")])
    notebook = open_notebook("versions.ipynb", where=server)
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "8"})
    expect(notebook.page.get_by_text(f"version {version}", exact=True)).to_be_visible()
    notebook.save()
    notebook.start_cell(1)
    notebook.page.reload()
    return notebook


def servers(folder: Path) -> Iterator[tuple[JupyterServer, str]]:
    """Yields a server whose kernels use the version in the folder, one with its extension; and the kernels' version."""
    with JupyterServer(labextension=True, kernel_path=folder) as server:
        yield server, "9.9.9"
    with JupyterServer(labextension=folder) as server:
        yield server, own("tbwidget/_version.py", r'"([\d.]+)"')


def own(file: str, pattern: str) -> str:
    """Return the match of a pattern in a file of the checkout."""
    return str(re.findall(pattern, (ROOT / file).read_text("utf-8"))[0])


def test_another_version_with_the_same_messages_works(tmp_path: Path, open_notebook: Open) -> None:
    protocol = int(own("tbwidget/wire/message.py", r"\nPROTOCOL = (\d+)"))
    for server, version in servers(built(tmp_path, protocol)):
        notebook = show_and_reload(server, open_notebook, version)
        notebook.wait_for_last_steps({"loss": "8"})  # by the extension: the widget manager waits for the cell's end
        notebook.release("cell")


def test_another_version_with_other_messages_says_so(tmp_path: Path, open_notebook: Open) -> None:
    for server, version in servers(built(tmp_path, 999)):
        notebook = show_and_reload(server, open_notebook, version)
        expect(notebook.page.get_by_text(SENTENCE)).to_be_visible()
        notebook.release("cell")
        notebook.wait_for_last_steps({"loss": "8"})
        expect(notebook.page.get_by_text(SENTENCE)).to_have_count(0)
