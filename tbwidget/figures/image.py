"""The images of several runs at one step, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import bqplot
import ipywidgets
import numpy as np
import traitlets

from tbwidget.figures.histogram import last_up_to
from tbwidget.figures.live import LiveFigure
from tbwidget.figures.parts import Part, Series, close_all, short_label
from tbwidget.media.showable import showable
from tbwidget.media.suppress_warnings import suppress_warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tbwidget.logs.kinds.images import Image

MAX_PIXELS = 1024
"""Longer side of an image in pixels; larger ones are reduced."""

_GAP = 0.06  # between two images, in heights of an image
_CAPTION = 0.12
_IMAGE, _NAME = "image", "name"


class Shown(NamedTuple):
    """An image as the page shows it."""

    step: int
    format: str
    data: bytes
    aspect: float
    """Its width over its height."""


class ImageFigure(LiveFigure):
    """The image of each run and tag at one step, in a row, each as high as the others."""

    kind = "images"
    most_series = 16
    own_options = (*LiveFigure.own_options, "step", "sample")

    step = traitlets.Int(None, allow_none=True, help="The last image up to this step; None for the newest.")
    sample = traitlets.Int(0, min=0, help="Which image of a step, where it has several.")

    def __init__(self, logs: Any, **options: Any) -> None:
        self._read: dict[Series, tuple[tuple[int, int], Shown | None]] = {}  # by step and sample
        defaults = bqplot.Figure.min_aspect_ratio.default_value, bqplot.Figure.max_aspect_ratio.default_value
        self._aspects: tuple[float, float] = defaults
        super().__init__(logs, **options)

    def _figure_options(self) -> dict[str, Any]:
        return {"fig_margin": {"top": 44, "bottom": 8, "left": 8, "right": 8}, "padding_y": 0.0}

    @traitlets.default("x_scale")
    def _x_scale(self) -> Any:
        return bqplot.LinearScale(allow_padding=False)

    @traitlets.default("y_scale")
    def _y_scale(self) -> Any:
        return bqplot.LinearScale(min=-_CAPTION, max=1.0, allow_padding=False)

    def _wire(self, options: Mapping[str, Any]) -> None:
        super()._wire(options)
        self.observe(self.redraw, ["step", "sample"])

    def _axes(self) -> list[Any]:
        return []

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        self._read = {series: held for series, held in self._read.items() if series in set(wanted)}
        shown = {series: one for series in wanted if (one := self._shown(series, afresh=changed(series)))}
        found: dict[Part, dict[str, Any] | None] = {}
        left = 0.0
        for series, (step, kind, data, aspect) in shown.items():
            found[Part(series, _IMAGE)] = {
                "image": (kind, data),
                "x": np.array([left, left + aspect]),
                "y": np.array([0.0, 1.0]),
            }
            words = [series.run, *([series.tag] if len({each.tag for each in shown}) > 1 else []), f"step {step}"]
            found[Part(series, _NAME)] = {
                "x": np.array([left + aspect / 2]),
                "y": np.array([-_CAPTION / 2]),
                "text": [short_label(" · ".join(words))],
            }
            left += aspect + _GAP
        self._reshape((left - _GAP) / (1 + _CAPTION) if shown else 1.0)
        return found

    def _shown(self, series: Series, *, afresh: bool) -> Shown | None:
        """The image at the step; None where there is none so early, or it cannot be shown."""
        try:
            images = self._logs.images(*series)
        except KeyError:
            return None
        places = np.flatnonzero(images.sample == self.sample)
        place = last_up_to(images.step[places], self.step)
        if place is None:
            return None
        step = int(images.step[places[place]])
        key = (step, self.sample)
        if afresh or self._read.get(series, (None, None))[0] != key:
            self._read[series] = key, _readable(images[int(places[place])], step)
        return self._read[series][1]

    def _reshape(self, aspect: float) -> None:
        """Give pixels their shape, unless the user has set the figure's proportions."""
        if (self.min_aspect_ratio, self.max_aspect_ratio) != self._aspects:
            return
        aspect = min(max(aspect, 0.02), 50.0)
        for name in ("max_aspect_ratio", "min_aspect_ratio")[:: 1 if aspect > self.max_aspect_ratio else -1]:
            setattr(self, name, aspect)
        self._aspects = (aspect, aspect)

    def _fill(self, mark: Any, contents: Mapping[str, Any]) -> None:
        if "image" not in contents:
            super()._fill(mark, contents)
            return
        before, (kind, data) = mark.image, contents["image"]
        if (before.format, before.value) == (kind, data):
            super()._fill(mark, {name: value for name, value in contents.items() if name != "image"})
            return
        super()._fill(mark, {**contents, "image": ipywidgets.Image(value=data, format=kind)})
        close_all([before])

    def _mark(self, part: Part, contents: Mapping[str, Any], _wanted: Sequence[Series]) -> Any:
        scales = {"x": self.x_scale, "y": self.y_scale}
        if part.name == _NAME:
            colors = [self.color_of(part.series.run)]
            return bqplot.Label(**contents, scales=scales, colors=colors, align="middle", default_size=12)
        kind, data = contents["image"]
        image = ipywidgets.Image(value=data, format=kind)
        return bqplot.Image(image=image, x=contents["x"], y=contents["y"], scales=scales)

    def _discard(self, mark: Any) -> None:
        image = getattr(mark, "image", None)
        super()._discard(mark)
        if image is not None:
            close_all([image])


def _readable(image: Image, step: int) -> Shown | None:
    """The image as browsers show it; one that cannot be is among the problems of the logs, or is no image."""
    try:
        with suppress_warnings():
            found = showable(image.data, MAX_PIXELS)
    except (ValueError, OSError):
        return None
    return Shown(step, found.mime.removeprefix("image/"), found.data, found.width / max(1, found.height))
