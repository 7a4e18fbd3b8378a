"""A plugin of pytest: tests that failed next to others run again on their own; they are listed and must be few.

    python -m pytest -p tests.browser.retries tests/browser --numprocesses=5
    python -m pytest -p tests.browser.retries tests/browser --retry

Five browsers on two cores sometimes lose a timer, a socket or a window to one another. The first run notes the
failures; `--retry` runs those tests again, one at a time. It fails if one fails again, or if they are more than 5 % of
all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

MAX_RETRIED = 0.05
"""Share of the tests that may fail once."""
_CACHE_KEY = "tbwidget/failed"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option."""
    parser.addoption(
        "--retry",
        action="store_true",
        help=f"run again what failed in the last run; fails if that was more than {MAX_RETRIED:.0%} of its tests",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Note failures, or run them again. Workers of xdist send their reports to the process that started them."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Retry(config) if config.getoption("--retry") else FirstRun(config))


class FirstRun:
    """Notes the tests that failed, each with the first line of its error, and the number of tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._cache = config.cache
        self._run: set[str] = set()
        self._failed: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the report of one phase of a test."""
        self._run.add(report.nodeid)
        if report.failed:
            self._failed.setdefault(report.nodeid, first_line(report))

    def pytest_sessionfinish(self) -> None:
        """Keep the notes for the run with `--retry`."""
        self._cache.set(_CACHE_KEY, {"run": len(self._run), "failed": self._failed})


class Retry:
    """Selects the tests that failed in the previous run, and lists them at the end."""

    def __init__(self, config: pytest.Config) -> None:
        noted = config.cache.get(_CACHE_KEY, None)
        if noted is None:
            raise pytest.UsageError("--retry needs a run before it")
        self._run: int = noted["run"]
        self._failed: dict[str, str] = noted["failed"]

    @property
    def too_many(self) -> bool:
        """Whether more failed than may be retried. Then none is: the run fails in any case."""
        return len(self._failed) > MAX_RETRIED * self._run

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out all other tests."""
        # With several workers, the name of a test's group follows its own: "test_page@server".
        failed = () if self.too_many else self._failed
        wanted = {each for name in failed for each in (name, name.rpartition("@")[0])}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
        items[:] = [item for item in items if item.nodeid in wanted]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail if too many tests failed."""
        if self.too_many:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """List the retried tests, whether they passed or not."""
        share = f"{len(self._failed)} of {self._run} tests"
        allowed = f"at most {MAX_RETRIED:.0%} may be"
        title = f"failed: {share}, too many to retry: {allowed}" if self.too_many else f"retried: {share}, {allowed}"
        terminalreporter.section(title)
        for name, line in self._failed.items():
            terminalreporter.write_line(f"{name}: {line}")


def first_line(report: pytest.TestReport) -> str:
    """Return the first line of a failed test's error."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash is not None else report.longreprtext).strip().splitlines()
    return lines[0] if lines else "no message"
