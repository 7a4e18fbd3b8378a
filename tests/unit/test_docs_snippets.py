"""The Python code in the documentation runs unchanged, page by page, on made-up logs.

A block after `<!-- not run: reason -->` does not run here; `make tutorials` runs the blocks of docs/quickstart/. Blocks
of a page share their names, as cells of a notebook do. Translated pages have the same code: test_translations.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import site_logs
from tests.support.snippets import runnable
from tests.support.translations import originals

ROOT = Path(__file__).parents[2]
FOLDERS = ("panels", "quickstart", "recipes")
PAGES = [
    ROOT / "docs/dashboard.md",
    *(page for name in FOLDERS for page in originals(ROOT / "docs" / name, "md")),
]
TO_RUN = [page for page in PAGES if runnable(page)]

PRELUDE = "%load_ext tbwidget"
DRIVER = """
import faulthandler, sys, warnings
faulthandler.dump_traceback_later(240, exit=True)  # before pytest's own time limit, which shows no threads
from IPython.core.interactiveshell import InteractiveShell
warnings.simplefilter("error")
warnings.filterwarnings("ignore", module="traitlets|ipywidgets|bqplot|IPython")
shell = InteractiveShell.instance(history_load_length=0)
for cell in sys.stdin.read().split("\\0"):
    shell.run_cell(cell).raise_error()
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    site_logs.write_all(folder)
    return folder


def test_most_pages_have_something_to_run() -> None:
    assert len(TO_RUN) >= 15


@pytest.mark.parametrize("page", TO_RUN, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_snippets_run(page: Path, logs: Path, tmp_path: Path) -> None:
    for each in logs.iterdir():
        (tmp_path / each.name).symlink_to(each)
    cells = "\0".join([PRELUDE, *runnable(page)])
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        cwd=tmp_path,
        env=os.environ | {"IPYTHONDIR": str(tmp_path / "ipython"), "PYTHONPATH": str(ROOT)},
        input=cells,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
