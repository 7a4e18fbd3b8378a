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

    `logs` is a path, a URL with `storage_options` as for `load`, or a `LogDir`. `tags` and `runs` select series as in
    `LogDir.frame`: one exact name, a compiled `re.Pattern`, an iterable of both, or None for all. Names that are not
    there yet are waited for, with a warning. Both may be set later, as may `smoothing` and what belongs to it, `step`
    and `bins`. At most 300 series (16 images) are drawn; the title tells if there were more.

    | kind | content |
    |---|---|
    | "scalars" | a line a run and tag, at most 1,000 points that keep the extremes |
    | "histograms" | counts in even bins, at the last step |
    | "distributions" | percentiles along the steps |
    | "images" | the image of each run at the last step, side by side |

    "scalars" has the options `smoothing`, the weight of the past, 0 (default) to 0.999; `smoothing_kind`, "ema"
    (default), "mean", "gaussian" or "none"; and `smoothing_window`. They work as in `Dashboard`, which leaves the same
    short, monotone or rarely changing series unsmoothed. "scalars" and "distributions" have `x`: "step" (default),
    "relative" (seconds) or "wall", and `named_ranges` as in `Dashboard`: bands and their names, the first and the last
    of `marks`. "histograms" and "images" have `step`, to show another one than the last.
    "histograms" has `bins`, about how many (default 30), and "images" has `sample`, the index within a step (default
    0).

    All kinds have `run_colors`, a dict of run to color, and `palette`, the background that the colors suit: "light",
    "dark", or "auto" (default), which follows the theme of the page, while Python gives the colors for a light one.
    `x_scale` and `y_scale` replace the figure's own scales, for example by `bqplot.LogScale()` or by the scales of
    another figure. `flush_writers` works as in `Dashboard`. Every trait of `bqplot.Figure`, such as `title` or
    `layout`, is an option, too.

    Marks, labels, axes and scales are bqplot's. Your changes stay: only `x` and `y` (and `image`) of the figure's own
    marks are written, and a mark of its own that you take out of `marks` stays out. The page names the line near the
    pointer by its label.

    `selected` is what the brush spans: (first, last) on the x axis (seconds since the epoch if `x` is "wall"), or None.
    It can be observed and set. `figure.interaction = figure.panzoom` makes dragging pan and the wheel zoom, as the
    toolbar does; `figure.brush` is the other one.

    Raises `TypeError` for an unknown option, `ValueError` for an unknown kind, `TraitError` for a wrong value.
    """
    if kind not in KINDS:
        raise ValueError(f"no figure of kind {kind!r}{did_you_mean(str(kind), list(KINDS), 'kind')}")
    return KINDS[kind](logs, tags=tags, runs=runs, **options)
