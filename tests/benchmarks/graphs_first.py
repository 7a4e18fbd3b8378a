"""Figures of the first view for each graph of log directories, without a page.

    python -m tests.benchmarks.graphs_first LOGDIR...

`main`: boxes in the main drawing, without opened ones; `nodes`: share of the nodes in it; `connected`: share of those
boxes in their largest connected component; `in sight` and `stage`: share of them that the camera shows at first, and
share of the stage that they cover; `ms`: composing and layout. Kernel seconds are CPU time from the bytes to the first
message.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tbwidget.graph import Graph
from tbwidget.logs import load
from tbwidget.panels.graph_columns import encode_root, encode_structure

ROOT = Path(__file__).parents[2]
_COLUMNS = ("nodes", "boxes", "main", "aside", "in main", "connected", "in sight", "stage", "zoom", "cross", "ms", "s")


def graphs(logdir: Path) -> list[tuple[str, Graph]]:
    """Return the first graph of each run, unless it is empty."""
    logs = load(logdir)
    listed = logs.tags().get("graphs", {})
    named = [(logdir.name if run == "." else f"{logdir.name}/{run}", logs.graph(run)) for run in listed]
    return [(name, graph) for name, graph in named if graph.node_count]


def figures(made: list[Graph]) -> list[dict[str, Any]]:
    """Return the figures of each graph."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        esbuild = ROOT / "js/node_modules/.bin/esbuild"
        script = ROOT / "tests/benchmarks/graphs_first.ts"
        bundle = (
            "--bundle",
            "--platform=node",
            "--format=esm",
            f"--outfile={folder / 'first.mjs'}",
            "--log-level=error",
        )
        subprocess.run([esbuild, script, *bundle], check=True)
        files, seconds = [], []
        for number, graph in enumerate(made):
            begin = time.process_time()
            encode_root(graph)
            seconds.append(time.process_time() - begin)
            files.append(folder / str(number))
            files[-1].write_bytes(encode_structure(graph))
        done = subprocess.run(["node", folder / "first.mjs", *files], check=True, capture_output=True, text=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [{**one, "seconds": second} for one, second in zip(found, seconds, strict=True)]


def main() -> None:
    """Print the table."""
    named = [each for path in sys.argv[1:] for each in graphs(Path(path))]
    print(f"{'':34}" + "".join(f"{name:>10}" for name in _COLUMNS))
    for (name, graph), one in zip(named, figures([graph for _, graph in named]), strict=True):
        counts = f"{graph.node_count:10,}{one['boxes']:10}{one['main']:10}{one['aside']:10}"
        shares = "".join(f"{one[share]:10.0%}" for share in ("nodesInMain", "connected", "inSight", "stage"))
        rest = f"{one['zoom']:10.2f}{one['crossings']:10}{one['ms']:10.0f}{one['seconds']:10.2f}"
        print(f"{name[:33]:34}{counts}{shares}{rest}")


if __name__ == "__main__":
    main()
