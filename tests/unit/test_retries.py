"""Browser tests that fail beside others are run again, and listed; more than one in twenty are too many."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Tests numbered below FLAKY fail the first time that they are run; with BROKEN, the first of them always does.
TESTS = """
import os
from pathlib import Path

import pytest


@pytest.mark.parametrize("number", range(40))
def test_page(number):
    mark = Path(f"mark-{number}")
    if number < int(os.environ["FLAKY"]) and not mark.exists() or number == 0 and "BROKEN" in os.environ:
        mark.touch()
        raise RuntimeError(f"page {number} was\\nslow")
"""


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin as the Makefile does."""
    (folder / "test_pages.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.browser.retries", "test_pages.py"]
    environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("flaky", [1, 2])
def test_what_is_flaky_passes_and_is_listed(tmp_path: Path, flaky: int) -> None:
    assert run(tmp_path, FLAKY=str(flaky)).returncode == pytest.ExitCode.TESTS_FAILED
    again = run(tmp_path, "--retry", FLAKY=str(flaky))
    assert again.returncode == pytest.ExitCode.OK
    lines = again.stdout.splitlines()
    assert f" retried: {flaky} of 40 tests, at most 5% may be " in again.stdout
    for number in range(flaky):
        assert f"test_pages.py::test_page[{number}]: RuntimeError: page {number} was" in lines
    assert f"{flaky} passed, {40 - flaky} deselected" in lines[-1]


def test_more_than_5_percent_fail_the_run(tmp_path: Path) -> None:
    assert run(tmp_path, FLAKY="3").returncode == pytest.ExitCode.TESTS_FAILED
    again = run(tmp_path, "--retry", FLAKY="3")
    assert again.returncode == pytest.ExitCode.TESTS_FAILED
    assert " failed: 3 of 40 tests, too many to retry: at most 5% may be " in again.stdout
    assert "test_pages.py::test_page[2]: RuntimeError: page 2 was" in again.stdout.splitlines()


def test_what_fails_twice_has_failed(tmp_path: Path) -> None:
    run(tmp_path, FLAKY="2", BROKEN="")
    again = run(tmp_path, "--retry", FLAKY="2", BROKEN="")
    assert again.returncode == pytest.ExitCode.TESTS_FAILED
    assert "1 failed, 1 passed, 38 deselected" in again.stdout.splitlines()[-1]


def test_nothing_is_retried_without_a_run_before(tmp_path: Path) -> None:
    assert run(tmp_path, "--retry", FLAKY="0").returncode == pytest.ExitCode.USAGE_ERROR
