"""`make bench`: the cost of reading, following and showing, compared with TensorBoard, in one run on one machine.

    make bench ARGS="--points 1000000 --repeats 3 --only reading,memory"
    make bench ARGS="--against HEAD~20 --only reading,memory"

Figures are the best of some repeats, each in a fresh process; in the browser, what their tables say. Ratios are what
counts.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks import (
    against,
    breadth,
    browser,
    cached,
    charts,
    compared,
    executors,
    frames,
    graphs,
    graphs_shown,
    histograms,
    hostile,
    hparams,
    images,
    images_viewed,
    load,
    logs,
    measures,
    meshes,
    pr_curves,
    projector,
    remote,
    ways,
)

LONG_SECTIONS = ("load",)
"""Sections that run only when they are named: they take minutes."""
SECTIONS = (
    *(name for name in compared.SECTIONS if name not in LONG_SECTIONS),
    *("ways", "hparams", "pr_curves", "projector", "meshes", "remote", "cache", "executors"),
)


def reading(points: int, repeats: int) -> None:
    """Measure cold reading of scalars in each form; all points kept and checksums verified, except where noted."""
    print(f"\nCold reading of {points:,} scalar values in {logs.RUNS} runs of {logs.TAGS} tags (imports not counted)")
    print(f"{'':34}{'CPU s':>9}{'wall s':>9}{'peak MB':>9}{'CPU':>12}{'wall':>9}")
    for shape in logs.SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            logdir = Path(folder)
            logs.write_shape(logdir, shape, points)
            size = sum(path.stat().st_size for path in logdir.glob("*/*")) / 1e6
            print(f"{shape}, {size:.0f} MB")
            costs = {
                "tbwidget": measures.read_with("tbwidget", logdir, repeats),
                "Rust, checksums, 1,000 a tag": measures.read_with_server(logdir, repeats),
                "Rust, checksums, all points": measures.read_with_server(logdir, repeats, everything=True),
                "Rust, no checksums, all points": measures.read_with_server(
                    logdir, repeats, checksums=False, everything=True
                ),
                "plain protobuf loop": measures.read_with("protobuf", logdir, 1),
                "EventAccumulator": measures.read_with("accumulator", logdir, 1),
                "tbparse": measures.read_with("tbparse", logdir, 1),
            }
        ours = costs["tbwidget"]
        for name, cost in costs.items():
            if cost.checked is not None and ours.checked is not None:
                assert abs(cost.checked - ours.checked) <= 1e-9 * abs(ours.checked), f"{name} read other values"
            ratios = "" if cost is ours else f"{cost.cpu / ours.cpu:11.1f}x{cost.wall / ours.wall:8.1f}x"
            print(f"  {name:32}{cost.cpu:9.3f}{cost.wall:9.3f}{cost.peak / 1e6:9.0f}{ratios}")


def memory(points: int) -> None:
    """Measure memory for the points of many runs, while they are read and afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        logs.write_copies(Path(folder), points)
        print(f"\nMemory of {points:,} scalar values, bytes a value")
        costs = {
            "tbwidget": measures.read_with("tbwidget", Path(folder), 1),
            "Rust server, all points": measures.read_with_server(Path(folder), 1, everything=True),
        }
        for name, cost in costs.items():
            print(f"  {name:32}{cost.kept / points:9.1f} kept{cost.peak / points:9.1f} at the peak")


def following(runs: int, seconds: float) -> None:
    """Measure the follower's share of a core, for the whole process."""
    print(f"\nFollowing for {seconds:.0f} s, share of one core")
    print(f"  {runs:,} runs at rest {measures.following_idle_runs(runs, seconds):14.2%}")
    print(f"  100 points/s in one file {measures.following_a_writer(100, seconds):8.2%}")


def imports(repeats: int) -> None:
    """Measure imports in a fresh process."""
    print("\nImporting")
    for name, (cpu, wall) in measures.import_times(repeats).items():
        print(f"  {name:32}{cpu:9.3f} CPU s{wall:9.3f} s")


def _sections(text: str) -> list[str]:
    """Split the value of --only."""
    names = text.split(",")
    if unknown := [name for name in names if name not in (*SECTIONS, *LONG_SECTIONS)]:
        raise argparse.ArgumentTypeError(f"there is no section {unknown[0]!r}")
    return names


def main() -> None:
    """Run the measurements that the command line selects."""
    parser = argparse.ArgumentParser(description="Benchmarks, side by side with TensorBoard.")
    parser.add_argument("--points", type=int, default=1_000_000, help="scalar values in each shape")
    parser.add_argument("--repeats", type=int, help="3; with --against, pairs of measurements: 5")
    parser.add_argument("--runs", type=int, default=1_000, help="runs at rest to follow, and on remote storage")
    parser.add_argument("--seconds", type=float, default=15, help="how long to follow")
    parser.add_argument("--flushes", type=int, default=120, help="points to watch from file to screen")
    parser.add_argument("--pairs", type=int, default=6, help="trainings with a dashboard, and without one")
    parser.add_argument(
        "--only",
        type=_sections,
        default=list(SECTIONS),
        metavar="SECTION,…",
        help=f"these sections instead of all ({', '.join(SECTIONS)}), or load, which takes 2.5 minutes, with --slow 11",
    )
    parser.add_argument(
        "--against", metavar="REVISION", help="measure this checkout and a revision of git in turn, and print ratios"
    )
    parser.add_argument("--slow", action="store_true", help="also what takes TensorBoard minutes; load for ten minutes")
    options = parser.parse_args()
    wanted = options.only
    os.environ["TBWIDGET_CACHE"] = "0"  # each reading is a cold one, except where the cache is measured
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    if options.against:
        sizes = compared.Sizes(options.points, options.runs, options.seconds, options.flushes, options.pairs)
        against.compare(options.against, wanted, sizes, options.repeats or 5)
        return
    options.repeats = options.repeats or 3
    if "reading" in wanted:
        reading(options.points, options.repeats)
    if "breadth" in wanted:
        breadth.section(options.points, options.repeats)
    if "ways" in wanted:
        ways.section(options.points // 2, options.repeats)
    if "memory" in wanted:
        memory(10 * options.points)
    if "following" in wanted:
        following(options.runs, options.seconds)
    if "imports" in wanted:
        imports(options.repeats)
    elsewhere(options, wanted)
    if "graphs" in wanted:
        graphs.section(options.repeats)
    in_the_browser(options, wanted)


def elsewhere(options: argparse.Namespace, wanted: Sequence[str]) -> None:
    """Measure logs on remote storage and in the cache, and reading by workers."""
    if "remote" in wanted:
        remote.section(options.runs, options.repeats)
    if "cache" in wanted:
        cached.section(options.repeats)
    if "executors" in wanted:
        executors.section(options.repeats)


def in_the_browser(options: argparse.Namespace, wanted: Sequence[str]) -> None:
    """Run the sections that need a browser."""
    if "browser" in wanted:
        browser.section(options.flushes, options.pairs, options.repeats)
    if "frames" in wanted:
        frames.section(options.repeats)
    if "charts" in wanted:
        charts.section(options.repeats)
    if "histograms" in wanted:
        histograms.section(options.repeats)
    if "images" in wanted:
        images.section(options.flushes // 2, options.repeats)
        images_viewed.section()
    other_panels(options, wanted)
    if "hostile" in wanted:
        hostile.section()
    if "graphs" in wanted:
        graphs_shown.section(options.repeats, slow=options.slow)
    if "load" in wanted:
        load.section(600 if options.slow else 120)


def other_panels(options: argparse.Namespace, wanted: Sequence[str]) -> None:
    """Measure hyperparameters, PR curves, embeddings and meshes."""
    if "hparams" in wanted:
        hparams.section()
    if "pr_curves" in wanted:
        pr_curves.section(options.repeats)
    if "projector" in wanted:
        projector.section(options.repeats)
    if "meshes" in wanted:
        meshes.section()


if __name__ == "__main__":
    main()
