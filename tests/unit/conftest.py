"""Settings of the unit tests: no test fails because the machine is busy, and none uses the user's home."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests.support.examples import USUAL

settings.register_profile(
    "any machine", max_examples=USUAL, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# For a second run, with other versions of the dependencies: `--hypothesis-profile=few`.
settings.register_profile("few", settings.get_profile("any machine"), max_examples=USUAL // 5)
settings.load_profile("any machine")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers of these tests."""
    config.addinivalue_line("markers", "simulation: of a long time, and the same with any versions: left to one run")


_FIRST = (
    "test_dashboard.py",
    "test_wire_scheduler.py",
    "test_wire_sender.py",
    "test_wire_failures.py",
    "test_figures.py",
)
"""Files of slow tests. They start first, so that no core is idle at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first."""
    items.sort(key=lambda item: item.path.name not in _FIRST)


@pytest.fixture(autouse=True)
def _nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read and write nothing in the user's home."""
    monkeypatch.setenv("TBWIDGET_CACHE", "0")


@pytest.fixture(autouse=True)
def _shell_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set English, because the developer may use another language."""
    monkeypatch.setenv("LC_MESSAGES", "C")
    monkeypatch.delenv("LC_ALL", raising=False)


@pytest.fixture(autouse=True)
def _machine_may_be_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the time limits of composing: otherwise messages and flushes would depend on the machine's speed."""
    for name in ("MAX_FIRST_COMPOSING_S", "MAX_BLOBS_COMPOSING_S", "MAX_COMPOSING_S"):
        monkeypatch.setattr(f"tbwidget.wire.channel.{name}", 3600.0)
    monkeypatch.setattr("tbwidget.logs.engine.flushing._MAX_FLUSH_S", 3600.0)
    monkeypatch.setattr("tbwidget.logs.engine.flushing._REST_RATIO", 0)
