"""Options of the projector: projection, colors, labels and selected points."""

from __future__ import annotations

from typing import Any

import traitlets

from tbwidget.options.patterns import pattern_error
from tbwidget.options.traits import Number, Step, option
from tbwidget.texts import shorten

COMPONENTS = 10
"""Principal components that a projection can choose from."""

MAX_AXES = 3
"""Axes of a custom projection."""


class _Integers(traitlets.List):  # type: ignore[type-arg]
    """A list of integers; an array of them counts as one."""

    def __init__(self, default: list[int]) -> None:
        super().__init__(Step(), default)

    def validate(self, obj: Any, value: Any) -> list[int]:
        """The integers as int."""
        return super().validate(obj, value.tolist() if hasattr(value, "tolist") else value) or []


class ProjectorOptions(traitlets.HasTraits):
    """Options of the projector alone."""

    projector_method = option(
        traitlets.Enum(("pca", "umap", "tsne", "custom"), "pca"),
        """Projection of embeddings: principal components of all points, UMAP, t-SNE, or `projector_axes`. Type: "pca",
        "umap", "tsne" or "custom". Default: "pca".""",
    )
    projector_dimensions = option(
        traitlets.Enum((2, 3), 2),
        """Dimensions in which embeddings are drawn. Type: 2 or 3. Default: 2.""",
    )
    projector_components = option(
        _Integers([1, 2, 3]),
        """Principal components that are drawn along x, y and, in three dimensions, z. Type: list of 2 or 3 distinct int
        from 1 to 10. Default: [1, 2, 3].""",
    )
    projector_color = option(
        traitlets.Unicode(None, allow_none=True),
        """Column of the metadata that colors points; "" colors all alike. Type: str or None. Default: None, the first
        column with 2 to 50 different values, else one of more that repeat.""",
    )
    projector_label = option(
        traitlets.Unicode(None, allow_none=True),
        """Column of the metadata whose values are written beside points; "" writes none. Type: str or None. Default:
        None, chosen automatically.""",
    )
    projector_metric = option(
        traitlets.Enum(("cosine", "euclidean"), "cosine"),
        """Distance by which nearest neighbors are found. Type: "cosine" or "euclidean". Default: "cosine".""",
    )
    projector_neighbors = option(
        traitlets.Int(15, min=1, max=500),
        """Nearest neighbors that are shown of a point. Type: int from 1 to 500. Default: 15.""",
    )
    projector_umap_neighbors = option(
        traitlets.Int(15, min=2, max=200),
        """Neighbors of each point that UMAP takes into account: few keep local structure, many the overall one. Type:
        int from 2 to 200. Default: 15.""",
    )
    projector_umap_min_dist = option(
        Number(0.1, min=0.0, max=1.0),
        """Least distance of points in UMAP's projection. Type: float from 0 to 1. Default: 0.1.""",
    )
    projector_perplexity = option(
        Number(None, min=2.0, max=200.0, allow_none=True),
        """Perplexity of t-SNE, about the number of neighbors that a point has. Type: float from 2 to 200, or None.
        Default: None, chosen by the number of points.""",
    )
    projector_axes = option(
        traitlets.List(traitlets.Dict(key_trait=traitlets.Unicode(), value_trait=traitlets.Unicode())),
        """Axes of the custom projection: each runs from the mean of the points whose labels match one JavaScript
        regular expression to the mean of those whose labels match another. Type: list of up to three dicts such as
        {"from": "^man$", "to": "^woman$"}. Default: [].""",
    )
    projector_selected = option(
        _Integers([]),
        """Selected points by their row in the embedding, from 0 on. Type: list of int. Default: [].""",
        remembered=False,
    )

    @traitlets.validate("projector_components")
    def _check_projector_components(self, proposal: Any) -> list[int]:
        numbers: list[int] = proposal.value
        is_valid = 2 <= len(numbers) <= 3 and all(1 <= number <= COMPONENTS for number in numbers)  # noqa: PLR2004
        if not is_valid or len(set(numbers)) < len(numbers):
            expected = f"projector_components: 2 or 3 distinct numbers from 1 to {COMPONENTS}"
            raise traitlets.TraitError(f"{expected} are expected, not {shorten(repr(numbers))}")
        return numbers

    @traitlets.validate("projector_selected")
    def _check_projector_selected(self, proposal: Any) -> list[int]:
        rows: list[int] = proposal.value
        if any(row < 0 for row in rows):
            raise traitlets.TraitError("projector_selected: rows are counted from 0 on, none is negative")
        return rows

    @traitlets.validate("projector_axes")
    def _check_projector_axes(self, proposal: Any) -> list[dict[str, str]]:
        axes: list[dict[str, str]] = proposal.value
        from_browser = self.is_from_browser("projector_axes", axes)  # type: ignore[attr-defined]  # of the board
        if len(axes) > MAX_AXES:
            raise traitlets.TraitError(f"projector_axes: there are at most {MAX_AXES} axes, not {len(axes)}")
        for axis in axes:
            if axis.keys() != {"from", "to"}:
                raise traitlets.TraitError(
                    f"projector_axes: an axis is {{'from': …, 'to': …}}, not {shorten(repr(axis))}"
                )
            for text in () if from_browser else axis.values():
                if reason := pattern_error(text):
                    raise traitlets.TraitError(f"projector_axes: {text!r} is not a valid regular expression: {reason}")
        return axes
