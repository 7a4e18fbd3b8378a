"""Live figures that their user owns: what a log directory holds, as `bqplot.Figure`s that are composed in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tbwidget.figures.distribution import DistributionFigure
from tbwidget.figures.histogram import HistogramFigure
from tbwidget.figures.image import ImageFigure
from tbwidget.figures.scalar import ScalarFigure
from tbwidget.logs.unknown import did_you_mean

if TYPE_CHECKING:
    from tbwidget.figures.live import LiveFigure
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.roots import Paths
    from tbwidget.logs.unknown import Names

KINDS: dict[str, type[LiveFigure]] = {
    "scalars": ScalarFigure,
    "histograms": HistogramFigure,
    "distributions": DistributionFigure,
    "images": ImageFigure,
}


def figure(
    logs: Logs | Paths, tags: Names = None, *, runs: Names = None, kind: str = "scalars", **options: Any
) -> LiveFigure:
    """A live `bqplot.Figure` of some tags, which is fed while cells run until `close()`.

    `logs` is a path, a URL with `storage_options` as those of `load`, or a `LogDir`. `tags` and `runs` choose what
    is drawn as those of `LogDir.frame` do: one exact name, a compiled `re.Pattern`, an iterable of both, or None
    for all. Names that are not there yet are waited for, with a warning. Both may be set later, as may `smoothing`
    and what belongs to it, `step` and `bins`. Of more than 300 series (16 images) the first are drawn, and the
    title says so.

    | kind | what is drawn |
    |---|---|
    | "scalars" | a line a run and tag, of at most 1,000 points that keep the extremes |
    | "histograms" | counts in even bins, at the last step |
    | "distributions" | percentiles along the steps |
    | "images" | the image of each run at the last step, side by side |

    Options of "scalars": `smoothing`, the weight of the past, 0 (default) to 0.999; `smoothing_kind`, "ema" (default),
    "mean", "gaussian" or "none", and `smoothing_window`, as those of `Dashboard`, which leave the same series as they
    are. Of "scalars" and "distributions": `x`, "step" (default), "relative" (seconds) or "wall". Of "histograms" and
    "images": `step`, another one than the last. Of "histograms": `bins`, about how many (default 30). Of "images":
    `sample`, which one of a step (default 0).

    Further options of all: `run_colors`, a dict of run to color; `palette`, on which background the colors shall be
    told apart: "light", "dark", or "auto" (default), in which the page paints in those of its theme, and Python says
    those of a light one; `x_scale`, `y_scale`: scales in place of its own, such as `bqplot.LogScale()` or those of
    another figure; `flush_writers`, as that of `Dashboard`; and every trait of `bqplot.Figure`, such as `title` or
    `layout`.

    Marks, labels, axes and scales are bqplot's. What is added or changed stays: only `x` and `y` (and `image`) of the
    figure's own marks are written, and a mark of its own that is taken out of `marks` stays out. The page names the
    line near the pointer by its label.

    `selected` is what the brush spans: (first, last) on the x axis (seconds since the epoch if `x` is "wall"), or None.
    It can be observed and set. `figure.interaction = figure.panzoom` makes dragging pan and the wheel zoom, as the
    toolbar does; `figure.brush` is the other one.

    Raises `TypeError` for an unknown option, `ValueError` for an unknown kind, `TraitError` for a wrong value.
    """
    if kind not in KINDS:
        raise ValueError(f"no figure of kind {kind!r}{did_you_mean(str(kind), list(KINDS), 'kind')}")
    return KINDS[kind](logs, tags=tags, runs=runs, **options)
