"""Measurements that `--against` compares between two revisions: for each section, cases of one fresh process each.

    python -m tests.benchmarks.compared MEASUREMENT [ARGUMENT ...]

runs in the checkout that is measured and prints its figures as JSON. Every figure is a cost: less is better.
"""

# ruff: noqa: PLC0415 (a measurement imports what it needs: another revision may not have what others need)

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

Figures = dict[str, float]
"""Figures by name and unit: "wall s"."""


class Case(NamedTuple):
    """One measurement and its arguments, and a function that writes the log directory to measure."""

    name: str
    measurement: Callable[..., Figures]
    """One of the functions below."""
    arguments: tuple[str, ...] = ()
    write: Callable[[Path], object] | None = None
    """Writes the log directory, whose path becomes the first argument. It does not exist before."""


class Sizes(NamedTuple):
    """Sizes of the measurements, from the command line."""

    points: int
    runs: int
    seconds: float
    flushes: int
    pairs: int


def read(logdir: str) -> Figures:
    """Read a log directory cold."""
    from tests.benchmarks import measures

    cost = measures.read_with("tbwidget", Path(logdir), 1)
    return {"CPU s": cost.cpu, "wall s": cost.wall, "peak MB": cost.peak / 1e6}


def memory(logdir: str, points: str) -> Figures:
    """Memory of the points of a log directory."""
    from tests.benchmarks import measures

    cost = measures.read_with("tbwidget", Path(logdir), 1)
    return {"bytes a value, kept": cost.kept / int(points), "bytes a value, peak": cost.peak / int(points)}


def following_idle_runs(count: str, seconds: str) -> Figures:
    """Follow runs without changes."""
    from tests.benchmarks import measures

    return {"% of a core": 100 * measures.following_idle_runs(int(count), float(seconds))}


def following_a_writer(rate: str, seconds: str) -> Figures:
    """Follow a file that a process writes points to."""
    from tests.benchmarks import measures

    return {"% of a core": 100 * measures.following_a_writer(float(rate), float(seconds))}


def imports() -> Figures:
    """Import the package, and the widget."""
    from tests.benchmarks import measures

    return {f"{name}, CPU s": cpu for name, (cpu, _) in measures.import_times(1).items()}


def graph(folder: str) -> Figures:
    """Parse a graph: from its bytes to columns, structure and views."""
    from tests.benchmarks import graphs

    stages, growth = graphs.measured("tbwidget", graphs.file_in(Path(folder)))
    return {"CPU s": sum(stages.values()), "peak MB": growth / 1e6}


def delays(flushes: str, interval: str) -> Figures:
    """Time until the flushes of a training cell are painted."""
    from tests.benchmarks import browser

    found = browser.delays(int(flushes), float(interval))
    return {"median ms": found.median, "p95 ms": found.p95}


def training_cost(pairs: str) -> Figures:
    """Cost of a dashboard for the cell that trains."""
    from tests.benchmarks import browser

    threads = browser.cost(seconds=6, pairs=int(pairs)).threads
    return {f"{name}, % of the time": 100 * share for name, share in threads.items()}


def first_chart(logdir: str) -> Figures:
    """Show a log directory in an idle kernel."""
    from tests.benchmarks import browser

    chart = browser.first_chart_of_ours(Path(logdir))
    return {"first chart s": chart.seconds, "MB": chart.bytes / 1e6}


def all_runs(logdir: str) -> Figures:
    """Show a log directory while a cell is busy."""
    from tests.benchmarks import browser

    return {"s": browser.all_runs_beside_a_busy_cell(Path(logdir))}


def frames(logdir: str) -> Figures:
    """Move a screen of charts."""
    from tests.benchmarks import frames as measured

    found = measured.measure(Path(logdir), 3)
    return {
        "pan, median ms": found.pan,
        "pan, p95 ms": found.slowest,
        "smoothing, all cards ms": found.smoothing_all,
        "heap MB": found.heap / 1e6,
    }


def board(logdir: str, runs: str, tags: str) -> Figures:
    """Show many runs and tags, and change options."""
    from tests.benchmarks import charts

    found = charts.board(Path(logdir), int(runs), int(tags))
    figures = {
        "first chart s": found.first,
        "every series s": found.coarse,
        "settled s": found.settled,
        "MB": found.received / 1e6,
        "heap MB": found.heap / 1e6,
        "kernel CPU s": found.kernel,
        "pan, median ms": statistics.median(found.pan),
        "hover, median ms": statistics.median(found.hover),
    }
    changes = {"smoothing": found.smooth, "toggled run": found.toggle, "filter": found.filter}
    return figures | {f"{name}, all cards ms": times[1] for name, times in changes.items() if times is not None}


def histograms(logdir: str) -> Figures:
    """Show histograms."""
    from tests.benchmarks import histograms as measured

    found = measured.ours(Path(logdir))
    return {"first ridge s": found.seconds, "heap MB": found.heap / 1e6}


def images(logdir: str) -> Figures:
    """Show images, and move through their steps."""
    from tests.benchmarks import images as measured

    found, _ = measured.ours(Path(logdir))
    return {
        "first image s": found.seconds,
        "slider, median ms": statistics.median(found.moves),
        "slider again, median ms": statistics.median(found.again),
        "Chromium MB": found.memory / 1e6,
    }


def image_delays(flushes: str, tags: str) -> Figures:
    """Time until flushed images are on the screen."""
    from tests.benchmarks import images as measured

    found = measured.delays(int(flushes), 0.5, int(tags))
    return {"median ms": found.median, "p95 ms": found.p95}


def hostile(name: str) -> Figures:
    """Show a log that is made to freeze a page."""
    from tests.benchmarks import hostile as measured

    found = measured.measure_log(name)
    return {"longest gap s": found.gap, "peak MB": found.peak / 1e6}


def graph_page(logdir: str) -> Figures:
    """Show a large graph, and open its scopes."""
    import tbwidget
    from tests.benchmarks import graphs_pages

    with tbwidget.load(logdir) as logs:
        wanted = graphs_pages.scopes(logs.graph(logs.runs[0]))
    found = graphs_pages.ours(Path(logdir), wanted)
    return {
        "first boxes s": found.paint,
        "all scopes s": found.whole,
        "MB": found.received / 1e6,
        "widest scope ms": found.opening[wanted.widest].first,
    }


def load(seconds: str) -> Figures:
    """Show 10,000 points a second on a busy machine."""
    from tests.benchmarks import load as measured

    samples = [sample for _, sample in measured.measure(float(seconds))]
    return {
        "behind, median s": statistics.median(sample.lag for sample in samples),
        "page MB": samples[-1].renderer_rss / 1e6,
        "kernel MB": samples[-1].kernel_rss / 1e6,
    }


def _reading(sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import logs

    for shape in logs.SHAPES:
        yield Case(shape, read, (), partial(logs.write_shape, shape=shape, points=sizes.points))


def _breadth(sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import breadth

    for shape in breadth.shapes(sizes.points):
        yield Case(shape.name, read, (), shape.write)


def _memory(sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import logs

    points = 10 * sizes.points
    yield Case(f"{points:,} values", memory, (str(points),), partial(logs.write_copies, points=points))


def _following(sizes: Sizes) -> Iterator[Case]:
    yield Case(f"{sizes.runs:,} runs at rest", following_idle_runs, (str(sizes.runs), str(sizes.seconds)))
    yield Case("100 points/s in one file", following_a_writer, ("100", str(sizes.seconds)))


def _imports(_sizes: Sizes) -> Iterator[Case]:
    yield Case("fresh process", imports)


def _graphs(_sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import graphs, graphs_shown

    for name, made in graphs.cases():
        yield Case(name, graph, (), partial(graphs.write, graph=made))
    yield Case("on the screen", graph_page, (), graphs_shown.write)


def _browser(sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import browser, logs

    for interval in (0.25, 0.04):
        name = f"from flush to paint, {1 / interval:.0f} flushes/s"
        yield Case(name, delays, (str(sizes.flushes), str(interval)))
    yield Case("cost to a cell that trains", training_cost, (str(sizes.pairs),))
    for size in browser.SIZES:
        name = "{} runs of {} tags of {:,} steps".format(*size)
        write = partial(logs.write_runs, runs=size[0], tags=size[1], steps=size[2])
        yield Case(name, first_chart, (), write)
        yield Case(f"{name}, all runs, a cell busy", all_runs, (), write)


def _frames(_sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import frames as measured
    from tests.benchmarks import logs

    write = partial(logs.write_runs, runs=measured.RUNS, tags=measured.TAGS, steps=measured.STEPS, groups=1)
    yield Case(f"{measured.TAGS} cards of {measured.RUNS} runs", frames, (), write)


def _charts(_sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import charts, logs

    for runs, tags, steps in charts.SIZES:
        write = partial(logs.write_board, runs=runs, tags=tags, steps=steps)
        yield Case(f"{runs:,} runs of {tags:,} tags of {steps:,} steps", board, (str(runs), str(tags)), write)


def _histograms(_sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import histograms as measured

    yield Case(f"{measured.TAGS} tags of {measured.STEPS:,} histograms", histograms, (), measured.write)


def _images(sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import images as measured

    yield Case(f"{measured.TAGS} tags of {measured.STEPS} images", images, (), measured.write)
    for tags in ("1", "4"):
        yield Case(f"from flush to paint, {tags} at once", image_delays, (str(sizes.flushes // 2), tags))


def _hostile(_sizes: Sizes) -> Iterator[Case]:
    from tests.benchmarks import hostile as measured

    for name in measured.LOGS:
        yield Case(name, hostile, (name,))


def _load(_sizes: Sizes) -> Iterator[Case]:
    yield Case("10,000 points/s for 120 s", load, ("120",))


SECTIONS: dict[str, Callable[[Sizes], Iterator[Case]]] = {
    "reading": _reading,
    "breadth": _breadth,
    "memory": _memory,
    "following": _following,
    "imports": _imports,
    "graphs": _graphs,
    "browser": _browser,
    "frames": _frames,
    "charts": _charts,
    "histograms": _histograms,
    "images": _images,
    "hostile": _hostile,
    "load": _load,
}
"""All except "ways", which disables internals of this revision."""

IN_THE_BROWSER = {"graphs", "browser", "frames", "charts", "histograms", "images", "hostile", "load"}
"""Sections that need a bundle."""


def main() -> None:
    """Measure once, and print the figures."""
    import tbwidget

    package, root = Path(tbwidget.__file__), Path(__file__).parents[2]
    if not package.is_relative_to(root):
        raise ImportError(f"the package comes from {package}, which is not the checkout that is measured")
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))


if __name__ == "__main__":
    main()
