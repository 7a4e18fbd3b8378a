"""The images of several runs at one step, side by side."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bqplot
import ipywidgets
import numpy as np
import traitlets

from tbwidget.figures.parts import Part, Series, close_all, short_label
from tbwidget.figures.timed import StepFigure, last_up_to
from tbwidget.media.showable import Showable, showable
from tbwidget.media.suppress_warnings import suppress_warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tbwidget.logs.kinds.images import Image

MAX_PIXELS = 1024
"""Longer side of an image in pixels; larger ones are reduced."""

_GAP = 0.06  # between two images, in heights of an image
_CAPTION = 0.12
_IMAGE, _NAME = "image", "name"


class ImageFigure(StepFigure):
    """The image of each run and tag at one step, in a row, each as high as the others."""

    kind = "images"
    most_series = 16
    redraws = ("step", "sample")

    sample = traitlets.Int(0, min=0, help="Which image of a step, where it has several.")

    def __init__(self, logs: Any, **options: Any) -> None:
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

    def _axes(self) -> list[Any]:
        return []

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        shown: dict[Series, tuple[int, Showable]] = self._read_once(wanted, changed)
        found: dict[Part, dict[str, Any] | None] = {}
        left = 0.0
        for series, (step, image) in shown.items():
            aspect = image.width / max(1, image.height)
            found[Part(series, _IMAGE)] = {
                "image": (image.mime.removeprefix("image/"), image.data),
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

    def _at_step(self, series: Series) -> tuple[object, Callable[[], Any]] | None:
        images = self._logs.images(*series)
        places = np.flatnonzero(images.sample == self.sample)
        place = last_up_to(images.step[places], self.step)
        if place is None:
            return None
        image = images[int(places[place])]
        return (image.step, self.sample), lambda: _readable(image)

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


def _readable(image: Image) -> tuple[int, Showable] | None:
    """The step and the image as browsers show it; one that cannot be is a problem of the logs, or no image."""
    with suppress(ValueError, OSError), suppress_warnings():
        return image.step, showable(image.data, MAX_PIXELS)
    return None
