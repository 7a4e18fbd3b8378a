"""A large graph on the screen, compared with TensorBoard: `make bench ARGS="--only graphs"`."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import tbwidget
from tbwidget.proto.event_pb2 import Event
from tests.benchmarks import graphs
from tests.benchmarks.graphs_moved import moving
from tests.benchmarks.graphs_pages import ours, scopes, unfolded
from tests.benchmarks.graphs_theirs import theirs
from tests.support.eventfiles import NAME, event, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.graphs_pages import Opening, Ours, Scopes
    from tests.benchmarks.graphs_theirs import Theirs

ROOT = Path(__file__).parents[2]


def bundle_part() -> dict[str, int]:
    """Return the compressed bytes of the panel in the bundle, by kind of file."""
    command = [sys.executable, str(ROOT / "tools/javascript.py"), "run", "sizes"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    panels = json.loads(done.stdout.splitlines()[-1])["panels"]
    return {kind: sizes["graphs"] for kind, sizes in panels.items()}


def section(repeats: int, *, slow: bool) -> None:
    """Measure and print all figures. `slow`: TensorBoard opens the widest scope, too."""
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        write(logdir)
        with tbwidget.load(logdir) as logs:
            graph = logs.graph(logs.runs[0])
        wanted = scopes(graph)
        pairs = [(ours(logdir, wanted), theirs(logdir, wanted.ordinary)) for _ in range(repeats)]
        widest = [unfolded(logdir, wanted) for _ in range(repeats)]
        moved = moving(logdir, graph)
        longest = theirs(logdir, [wanted.widest]) if slow else None
    _print_first([pair[0] for pair in pairs], [pair[1] for pair in pairs], wanted)
    _print_opening([pair[0] for pair in pairs], [pair[1] for pair in pairs], widest, wanted)
    if longest is not None:
        took = longest.opening[wanted.widest] / 1e3
        print(f"  {'%tensorboard, once':32}{took:9.0f} s; its page has {longest.elements:,} elements then")
    print(f"\n{moved.boxes:,} boxes on the screen and {moved.elements:,} elements in the page: CPU ms a frame")
    print(f"{'':34}{'main thread':>12}{'all processes':>15}")
    for name, (own, all_of_it) in {"pan": moved.pan, "zoom": moved.zoom}.items():
        print(f"  {name:32}{own:12.1f}{all_of_it:15.1f}")
    part = bundle_part()
    print(
        f"\nThe panel's part of the bundle, compressed: {part['js'] / 1e3:.1f} kB of JavaScript, "
        f"{part['css'] / 1e3:.1f} kB of CSS"
    )


def write(folder: Path) -> None:
    """Write a log directory with only the large graph."""
    folder.mkdir()
    graph = Event(wall_time=1.7e9, graph_def=graphs.large_graph().SerializeToString())
    (folder / NAME).write_bytes(event(1.7e9, version="brain.Event:2") + record(graph.SerializeToString()))


def _print_first(shown: list[Ours], other: list[Theirs], wanted: Scopes) -> None:
    print(f"\nA graph of {wanted.nodes:,} nodes on the screen, medians of {len(shown)}")
    print(f"{'':34}{'first s':>9}{'all s':>9}{'MB':>9}{'of it the graph':>17}{'elements':>10}")
    mine, found = _median(shown), _median(other)
    print(
        f"  {'tbwidget':32}{mine['paint']:9.2f}{mine['whole']:9.2f}{mine['received'] / 1e6:9.2f}"
        f"{mine['graph'] / 1e6:17.2f}{mine['elements']:10,.0f}"
    )
    print(
        f"  {'%tensorboard':32}{found['paint']:9.2f}{'':9}{found['received'] / 1e6:9.2f}"
        f"{found['graph'] / 1e6:17.2f}{found['elements']:10,.0f}   ({found['text'] / 1e6:.1f} MB of text)"
    )


def _median(shown: Sequence[Ours] | Sequence[Theirs]) -> dict[str, float]:
    """Return the median of each figure."""
    names = [name for name in shown[0]._fields if name != "opening"]
    return {name: statistics.median(getattr(one, name) for one in shown) for name in names}


def _print_opening(shown: list[Ours], other: list[Theirs], widest: list[Opening], wanted: Scopes) -> None:
    print(
        f"\nOpening a scope, ms to its inside and to the end of the animation, medians of {len(shown)}; "
        "held: the page's longest task"
    )
    print(f"{'':34}{'first':>9}{'at rest':>9}{'held':>9}{'%tensorboard':>15}")
    for path in wanted.ordinary:
        took = statistics.median(one.opening[path] for one in other)
        _print_one(path, [one.opening[path] for one in shown], f"{took:15.0f}")
    _print_one(f"{wanted.widest}, folded", [one.opening[wanted.widest] for one in shown])
    _print_one(f"{wanted.widest}, {wanted.boxes:,} boxes", widest)


def _print_one(name: str, openings: list[Opening], other: str = "") -> None:
    first, rest, held = (statistics.median(column) for column in zip(*openings, strict=True))
    print(f"  {name:32}{first:9.0f}{rest:9.0f}{held:9.0f}{other}")
