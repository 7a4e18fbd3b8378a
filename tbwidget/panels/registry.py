"""All panels, in the order of their tabs; the twin of js/src/panels/registry.ts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.panels import (
    audio,
    checkpoints,
    custom_scalars,
    descriptions,
    distributions,
    graphs,
    histograms,
    hparams,
    images,
    meshes,
    pr_curves,
    projector,
    scalars,
    text,
)

if TYPE_CHECKING:
    from tbwidget.panels.declare import Panel
    from tbwidget.wire.content import Content

PANELS: list[Panel] = [
    scalars.PANEL,
    custom_scalars.PANEL,
    histograms.PANEL,
    distributions.PANEL,
    pr_curves.PANEL,
    hparams.PANEL,
    images.PANEL,
    audio.PANEL,
    text.PANEL,
    meshes.PANEL,
    projector.PANEL,
    graphs.PANEL,
]


ALWAYS_SENT: tuple[Content, ...] = (hparams.HPARAMS, descriptions.DESCRIPTIONS, checkpoints.CONTENT)
"""Contents that are sent whichever panel is shown: for the list of runs, and the titles of cards."""


def register(panel: Panel) -> None:
    """Add a panel for `tbwidget.dashboard.compose`. The browser needs its twin."""
    if any(panel.name == other.name or panel.view == other.view for other in PANELS):
        raise ValueError(f"there is a panel {panel.name!r} or a view {panel.view!r} already")
    PANELS.append(panel)
