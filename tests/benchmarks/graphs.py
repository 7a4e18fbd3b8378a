"""Cost of a graph from its bytes to the first boxes, compared with networkx; arguments are file and reader."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.graph_pb2 import GraphDef, NodeDef
from tests.support.corpus import LARGE_GRAPHS

ROOT = Path(__file__).parents[2]
LARGE = LARGE_GRAPHS / "resnet152_kerastrain"
_LARGEST = 200_000

Stages = dict[str, float]


def replicated(graph: GraphDef, nodes: int) -> GraphDef:
    """Return copies of a graph, each in its own scope, with at least `nodes` nodes in all."""
    made = GraphDef()
    copy = 0
    while len(made.node) < nodes:
        for node in graph.node:
            other = made.node.add()
            other.CopyFrom(node)
            other.name = f"replica_{copy}/{node.name}"
            other.input[:] = [
                f"^replica_{copy}/{text[1:]}" if text[0] == "^" else f"replica_{copy}/{text}" for text in node.input
            ]
        copy += 1
    return made


def large_graph() -> GraphDef:
    """The largest graph of the corpus: 41,987 nodes."""
    (path,) = LARGE.glob("*tfevents*")
    data = path.read_bytes()
    position = 0
    while not (graph := event_at(data, position).graph_def):
        position += 16 + int.from_bytes(data[position : position + 8], "little")
    return GraphDef.FromString(graph)


def event_at(data: bytes, position: int) -> Event:
    """Return the record at this position, without verifying its checksums."""
    length = int.from_bytes(data[position : position + 8], "little")
    return Event.FromString(data[position + 12 : position + 12 + length])


def _timed(stages: Stages, name: str, do: Callable[[], object]) -> object:
    begin = time.process_time()
    done = do()
    stages[name] = time.process_time() - begin
    return done


def ours(data: bytes) -> tuple[Stages, object]:
    """Measure the root's boxes, then folding, then opening the widest scope."""
    from tbwidget.graph import GRAPH_DEF, Graph, read_graph  # noqa: PLC0415 (each reader in a process of its own)

    stages: Stages = {}
    graph = _timed(stages, "bytes to columns", lambda: read_graph(data, GRAPH_DEF))
    assert isinstance(graph, Graph)
    structure = graph.structure
    _timed(stages, "scopes, embedding", lambda: structure.children(structure.hierarchy.root))
    _timed(stages, "shapes, meta-edges", lambda: structure.meta)
    _timed(stages, "structure, root folded", graph.view)
    children = structure.hierarchy.children
    widest = structure.hierarchy.path(int((children.start[1:] - children.start[:-1]).argmax()))
    _timed(stages, "widest scope opened", lambda: graph.view([*graph.reveal(widest).opened, widest]))
    return stages, graph


def with_networkx(data: bytes) -> tuple[Stages, object]:
    """Store nodes and edges with attributes in a MultiDiGraph, and the tree of scopes in a DiGraph."""
    import networkx as nx  # noqa: PLC0415

    stages: Stages = {}
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    tree: nx.DiGraph[str] = nx.DiGraph()

    def read() -> None:
        for node in GraphDef.FromString(data).node:
            graph.add_node(node.name, op=node.op, device=node.device, shapes=node.attr["_output_shapes"].list.shape[:])
            for text in node.input:
                name, _, slot = text.removeprefix("^").partition(":")
                graph.add_edge(name, node.name, slot=int(slot or 0), control=text.startswith("^"))

    def nest() -> None:
        for name in graph:
            while name:
                above = name.rpartition("/")[0]
                tree.add_edge(above, name)
                name = above  # noqa: PLW2901

    _timed(stages, "bytes to graph", read)
    _timed(stages, "tree of scopes", nest)
    return stages, (graph, tree)


READERS = {"tbwidget": ours, "networkx": with_networkx}


def cases() -> Iterator[tuple[str, GraphDef]]:
    """Yield graphs with their names."""
    graph = large_graph()
    yield "one training graph", graph
    yield "replicas of it", replicated(graph, _LARGEST)


def section(repeats: int) -> None:
    """Print the table."""
    for name, graph in cases():
        print(f"\nGraph: {name}, {len(graph.node):,} nodes; CPU seconds, best of {repeats} fresh processes")
        with tempfile.TemporaryDirectory() as folder:
            path = file_in(Path(folder) / "logs")
            write(path.parent, graph)
            for reader in READERS:
                results = [measured(reader, path) for _ in range(repeats)]
                stages, growth = min(results, key=lambda result: sum(result[0].values()))
                print(f"  {reader:32}{sum(stages.values()):9.3f}{growth / 1e6:9.0f} MB more memory at the peak")
                for stage, seconds in stages.items():
                    print(f"    {stage:30}{seconds:9.3f}")


def file_in(folder: Path) -> Path:
    """Return the path of the file that `write` writes."""
    return folder / "graph"


def write(folder: Path, graph: GraphDef) -> None:
    """Write only a graph's bytes, without an event around them."""
    folder.mkdir()
    file_in(folder).write_bytes(graph.SerializeToString())


def measured(reader: str, path: Path) -> tuple[Stages, float]:
    """Return CPU seconds of each stage and peak memory in bytes, in a fresh process."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.graphs", str(path), reader]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    result = json.loads(done.stdout)
    return result["stages"], result["growth"]


def main() -> None:
    """Read once, and print the cost as JSON."""
    data = Path(sys.argv[1]).read_bytes()
    read = READERS[sys.argv[2]]
    read(GraphDef(node=[NodeDef(name="a")]).SerializeToString())  # imports
    before = _peak()
    stages, kept = read(data)
    print(json.dumps({"stages": stages, "growth": _peak() - before}))
    del kept


def _peak() -> int:
    """Return this program's peak memory in bytes; `getrusage` would include its parent's."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main()
