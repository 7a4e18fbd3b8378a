"""Runs, tags and values of a source: what users and panels call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tbwidget.logs.alerts.watch import AlertWatch
from tbwidget.logs.kinds.registry import Accessors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tbwidget.logs.alerts.rules import Alert
    from tbwidget.logs.checkpoints import Checkpoint
    from tbwidget.logs.problems import Problem
    from tbwidget.logs.series import TagMetadata
    from tbwidget.logs.source import LogSource


class Logs(Accessors):
    """Runs, tags and values of a source. All methods may be called from any thread."""

    def __init__(self, source: LogSource) -> None:
        self.source = source
        self.alert_watch = AlertWatch(source)
        """The alerts as programs that show the logs need them."""

    @property
    def paths(self) -> dict[str, Path | str]:
        """Directories by name: a `Path`, or a URL as a str.

        A run of a named directory is called "name/run". The only directory has the name "".
        """
        return self.source.paths

    @property
    def exists(self) -> bool:
        """Whether one of the directories exists."""
        return self.source.exists

    @property
    def runs(self) -> list[str]:
        """Names of the runs, in natural order: paths relative to the log directory; "." is the directory itself."""
        return self.source.runs

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """All tags that have data: {kind: {run: [tag, ...]}}, runs and tags in natural order."""
        return self.source.tags()

    def checkpoints(self, run: str) -> list[Checkpoint]:
        """Return the checkpoints of a run by step, those without one last: names and times, nothing is opened.

        They lie below the run, or up to two levels above it inside the log directory, or below the directories given
        as `checkpoints` to `load`; logs of TensorFlow 1 name some, too. Raises KeyError for a run that does not exist.

        Example:
            >>> logs.checkpoints("train")[-1].path
        """
        return self.source.checkpoints(run)

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """Return what the writer declared about a tag. Raises KeyError for a run or tag that does not exist."""
        return self.source.metadata(run, tag)

    @property
    def problems(self) -> list[Problem]:
        """Problems with the files: what could not be read, by path and offset."""
        return self.source.problems

    @property
    def alerts(self) -> list[Alert]:
        """Runs that need attention in the data read so far; the earliest first, 1,000 at most.

        Non-finite values, curves that diverged, runs that stalled, and plateaus once `alert_rules` says how long one
        is: docs/alerts.md.
        """
        return list(self.alert_watch.update())

    @property
    def alert_rules(self) -> dict[str, Any]:
        """Thresholds of alerts by name. Set some of them; the others get their defaults back.

        `non_finite`, `diverged`, `diverged_noise`, `plateau_steps`, `plateau_minutes`, `stalled_intervals` and
        `stalled_seconds`; docs/alerts.md explains them. Raises ValueError for an unknown name or a wrong value.
        """
        return self.alert_watch.rules

    @alert_rules.setter
    def alert_rules(self, rules: Mapping[str, Any]) -> None:
        self.alert_watch.set_rules(rules)

    def on_alert(self, function: Callable[[Alert], object]) -> Callable[[], None]:
        """Call a function with each new `Alert`, and with those that there are; return a function that ends that.

        The function runs in a thread of its own, one alert after the other, until `close()`. An exception in it is a
        problem, listed once. New data are read by `follow()`, by a dashboard, or by `refresh()`.

        Example:
            >>> logs.follow()
            >>> stop = logs.on_alert(lambda alert: print(alert))
        """
        return self.alert_watch.on_alert(function)

    def refresh(self) -> bool:
        """Read appended bytes; return whether something changed. The result always equals a fresh load."""
        return self.source.refresh()
