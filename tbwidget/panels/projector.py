"""The projector: embeddings as points, and what their files say of each."""

from __future__ import annotations

from tbwidget.options import TimeAxisOptions
from tbwidget.panels.declare import Panel
from tbwidget.panels.projector_options import ProjectorOptions

PANEL = Panel(
    name="projector",
    contents=(),
    options=(TimeAxisOptions, ProjectorOptions),
    view="ProjectorView",
    view_doc="The embeddings of a log directory, and nothing else.",
    view_options={
        "method": "projector_method",
        "dimensions": "projector_dimensions",
        "components": "projector_components",
        "color": "projector_color",
        "label": "projector_label",
        "metric": "projector_metric",
        "neighbors": "projector_neighbors",
        "umap_neighbors": "projector_umap_neighbors",
        "umap_min_dist": "projector_umap_min_dist",
        "perplexity": "projector_perplexity",
        "axes": "projector_axes",
        "selected": "projector_selected",
    },
)
