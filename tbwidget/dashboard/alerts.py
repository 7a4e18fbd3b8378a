"""The alerts of the logs: one document that every dashboard gets, for its header and its charts.

It is JSON in ASCII: `{"count": …, "alerts": [...]}`. The newest alerts that fit are listed, by time. Each is

    {"run", "tag", "step", "rule", "wall_time", "reason", "code", "arguments"}

The step is a text, because it has 64 bits; a wall time that is no number is null.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from tbwidget.logs.alerts.rules import KINDS
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import DocumentContent
from tbwidget.wire.message import wire_reason

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.alerts.rules import Alert

MAX_DOCUMENT_BYTES = 200_000
"""Upper bound for the document; alerts beyond that are only counted."""

ALERTS_KIND = "alerts"


class AlertsDocument(NamedTuple):
    """All alerts."""

    revision: tuple[Alert, ...]
    """The alerts themselves."""

    def encode(self) -> bytes:
        """Return the JSON."""
        rows, size = [], 0
        for alert in reversed(self.revision):
            row = json.dumps(_row(alert), separators=(",", ":"), allow_nan=False)
            size += len(row) + 1
            if size > MAX_DOCUMENT_BYTES:
                break
            rows.append(row)
        return f'{{"count":{len(self.revision)},"alerts":[{",".join(reversed(rows))}]}}'.encode("ascii")


class AlertsContent(DocumentContent):
    """One document: the alerts of all runs, as they were evaluated last."""

    kind = ALERTS_KIND
    prefetch_bytes = MAX_DOCUMENT_BYTES
    is_derived = True

    @property
    def sources(self) -> tuple[str, ...]:
        """The data without which there are no alerts; and itself, for each evaluation that finds others."""
        return *KINDS, ALERTS_KIND

    def key_of(self, _run: str, _tag: str) -> tuple[str, str]:
        """Return the one key of all runs."""
        return "", ""

    def read(self, logs: Logs, _run: str, _tag: str) -> AlertsDocument:
        """Return the alerts, without evaluating any: the thread that sends may hold the reader."""
        return AlertsDocument(logs.alert_watch.listed)


def _row(alert: Alert) -> dict[str, Any]:
    return {
        "run": escape_surrogates(alert.run),
        "tag": escape_surrogates(alert.tag),
        "step": str(alert.step),
        "rule": alert.rule,
        "wall_time": alert.wall_time if math.isfinite(alert.wall_time) else None,
        **wire_reason(alert.message),
    }


ALERTS = AlertsContent()
