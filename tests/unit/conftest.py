"""Generated examples take as long as they take: a busy machine makes no test fail."""

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
    """Declare what marks a test here."""
    config.addinivalue_line("markers", "simulation: of a long time, and the same with any versions: left to one run")


_FIRST = (
    "test_dashboard.py",
    "test_wire_scheduler.py",
    "test_wire_sender.py",
    "test_wire_failures.py",
    "test_figures.py",
)
"""Files of tests that wait, or take long: begun first, so that no core is left with nothing to do in the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first."""
    items.sort(key=lambda item: item.path.name not in _FIRST)


@pytest.fixture(autouse=True)
def _nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the user's home is read or written."""
    monkeypatch.setenv("TBWIDGET_CACHE", "0")


@pytest.fixture(autouse=True)
def _shell_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the language of the developer's own."""
    monkeypatch.setenv("LC_MESSAGES", "C")
    monkeypatch.delenv("LC_ALL", raising=False)


@pytest.fixture(autouse=True)
def _machine_may_be_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a message holds, and which writers are flushed and when, would depend on how fast the machine is."""
    for name in ("MAX_FIRST_COMPOSING_S", "MAX_BLOBS_COMPOSING_S", "MAX_COMPOSING_S"):
        monkeypatch.setattr(f"tbwidget.wire.channel.{name}", 3600.0)
    monkeypatch.setattr("tbwidget.logs.engine.flushing._MAX_FLUSH_S", 3600.0)
    monkeypatch.setattr("tbwidget.logs.engine.flushing._REST_RATIO", 0)
