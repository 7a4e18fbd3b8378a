"""Browser tests that fail next to others run again, and are listed; more than one in twenty are too many."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Tests numbered below FLAKY fail in their first run; with BROKEN, the first of them always fails.
TESTS = """
import os
from pathlib import Path

import pytest


@pytest.mark.xdist_group("pages")
@pytest.mark.parametrize("number", range(40))
def test_page(number):
    mark = Path(f"mark-{number}")
    if number < int(os.environ["FLAKY"]) and not mark.exists() or number == 0 and "BROKEN" in os.environ:
        mark.touch()
        raise RuntimeError(f"page {number} was\\nslow")
"""


# The environment with the lowest dependencies has no xdist.
WORKERS = ("--numprocesses=1", "--dist=loadgroup") if find_spec("xdist") else ()


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin, as the Makefile does: first with workers, where tests may belong to groups."""
    (folder / "test_pages.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.browser.retries", "test_pages.py"]
    command += arguments or WORKERS
    environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_flaky_test_passes_and_is_listed(tmp_path: Path) -> None:
    assert run(tmp_path, FLAKY="2").returncode == pytest.ExitCode.TESTS_FAILED
    again = run(tmp_path, "--retry", FLAKY="2")
    assert again.returncode == pytest.ExitCode.OK
    assert " retried: 2 of 40 tests, at most 5% may be " in again.stdout
    listed = re.findall(r"^test_pages.py::test_page\[(\d)\]\S*: RuntimeError: page \1 was$", again.stdout, re.MULTILINE)
    assert sorted(listed) == ["0", "1"]
    assert "2 passed, 38 deselected" in again.stdout.splitlines()[-1]


def test_more_than_5_percent_fail_the_run(tmp_path: Path) -> None:
    assert run(tmp_path, FLAKY="3").returncode == pytest.ExitCode.TESTS_FAILED
    again = run(tmp_path, "--retry", FLAKY="3")
    assert again.returncode == pytest.ExitCode.TESTS_FAILED
    assert " failed: 3 of 40 tests, too many to retry: at most 5% may be " in again.stdout
    assert "RuntimeError: page 2 was\n" in again.stdout


def test_a_test_that_fails_twice_has_failed(tmp_path: Path) -> None:
    run(tmp_path, FLAKY="2", BROKEN="")
    again = run(tmp_path, "--retry", FLAKY="2", BROKEN="")
    assert again.returncode == pytest.ExitCode.TESTS_FAILED
    assert "1 failed, 1 passed, 38 deselected" in again.stdout.splitlines()[-1]


def test_nothing_is_retried_without_a_run_before(tmp_path: Path) -> None:
    assert run(tmp_path, "--retry", FLAKY="0").returncode == pytest.ExitCode.USAGE_ERROR
