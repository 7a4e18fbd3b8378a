"""Graphs on the wire with Python's results, for comparison with the browser's.

    python -m tests.support.graph_views                 writes tests/data/graphs/views/, for the graphs there
    python -m tests.support.graph_views LOGDIR FOLDER   the same for every graph of a log directory, with fewer views

A file is JSON: `structure` and `root` in base64; `views`, each with the paths `opened`, `ungrouped` and `grouped` that
define it, and whether it is `all`; `auxiliary`: the nodes taken out of some scopes; `revealed`: the boxes to open for
some nodes; `found`: nodes with a text or pattern in name, op or output shapes, by number.
"""

from __future__ import annotations

import base64
import json
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tbwidget.graph import GRAPH_DEF, KERAS, RUN_METADATA, Graph, read_graph
from tbwidget.graph.search import AttributeIndex, find_nodes
from tbwidget.graph.view import BoxKind, View, reveal
from tbwidget.logs import load
from tbwidget.panels.graph_columns import encode_root, encode_structure
from tests.support.graphs import DATA, definition, graph, node

VIEWS = DATA / "views"
FORMS = {".graph_def": GRAPH_DEF, ".run_metadata": RUN_METADATA, ".json": KERAS}

_ROUNDS, _MAX_SCOPES, _MAX_REVEALED, _MAX_FOUND = 3, 12, 12, 200
_TEXTS = ("mul", "4x", "/w", "[0-9]+$", "^(?=.*b).*a")


def fixtures() -> dict[str, Graph]:
    """Return the graphs of the tests by name: graphs that frameworks wrote, and some made by hand."""
    others = (".said.json", "torchscript.json")
    files = sorted(path for path in DATA.iterdir() if path.suffix in FORMS and not path.name.endswith(others))
    found = {path.name.replace(".", "_"): read_graph(path.read_bytes(), FORMS[path.suffix]) for path in files}
    library = found["library_graph_def"]
    body = library.function(library.functions[0])
    return {name: each for name, each in found.items() if each.node_count} | {
        "body": body,
        "layers": _layers(),
        "optimizer": _optimizer(),
        "names": _names(),
        "wide": _wide(),
        "interleaved": _interleaved(),
    }


def _layers() -> Graph:
    """Make layers that only their names reveal, all but one equal, in one scope."""
    nodes = [node("net/in", "Placeholder", shapes=[[-1, 8]])]
    before = "net/in"
    for number in range(1, 9):
        layer = f"net/block{number}"
        nodes += [
            node(f"{layer}_conv", "Conv2D", [before, f"{layer}_kernel"], shapes=[[4, 4, number]]),
            node(f"{layer}_kernel", "Const"),
            node(f"{layer}_bn", "BatchNorm", [f"{layer}_conv"], shapes=[[4, 4]]),
            node(f"{layer}_relu", "Relu", [f"{layer}_bn", before], shapes=[[4, 4]]),
        ]
        before = f"{layer}_relu"
        if number == 5:
            nodes.append(node(f"{layer}_drop", "Dropout", [before]))
    return graph(*nodes, node("net/out", "Identity", [before, "^net/in"]))


def _optimizer() -> Graph:
    """Make several nodes for each variable in one flat scope, with hubs among them."""
    nodes = [node("opt/rate", "Read"), node("opt/all", "NoOp", [f"^opt/assign_{n}" for n in range(24)])]
    for number in range(24):
        nodes += [
            node(f"opt/square_{number}", "Square", [f"grad_{number}"], shapes=[[number, 3]]),
            node(f"opt/scale_{number}", "Mul", [f"opt/square_{number}", "opt/rate"]),
            node(f"opt/assign_{number}", "AssignSub", [f"opt/scale_{number}"], device=f"/gpu:{number % 2}"),
            node(f"grad_{number}", "Gradient"),
        ]
    return graph(*nodes, node("opt/odd", "Odd", ["opt/rate"]), node("opt/odd_2", "Odd", ["opt/odd:1", "opt/odd:1"]))


def _names() -> Graph:
    """Use names that are scopes, too, missing, partly empty, not UTF-8, in any script, or similar to a fold's."""
    blocks = [node(f"m/b{n}/{op}", op, [f"m/b{n - 1}/Add"] if n else []) for n in range(4) for op in ("Mul", "Add")]
    data = definition(
        *blocks,
        node("m/b[0..3]", "Mul"),
        node("a", "A", ["a/b:1", "gone", "^a/gone", "a"], shapes=[[2], []]),
        node("a/b", "B", ["a", "a"], shapes=[[2, -1], [3]]),
        node("a/(a)", "C", ["a/b:1", "a/b:1", "^a/b"]),
        node("//x/", "D", ["__proto__/constructor:7"]),
        node("__proto__/constructor", "hasOwnProperty", ["層/ノード"]),
        node("層/ノード", "<script>", ["a\\b/\"q\" & 'r'"]),
        node("a\\b/\"q\" & 'r'", "Assign", ["//x/"]),
        node("no UTF8/one", "Relu", ["no UTF8/another:1"], device="no UTF8"),
        node("no UTF8/another", "no UTF8"),
    )
    return read_graph(data.replace(b"UTF8", b"\xff\xfe\xc3("), GRAPH_DEF)


def _wide() -> Graph:
    """Make many nodes in one scope, no two alike."""
    return graph(*(node(f"n{number}", f"Op{number}", [f"n{number * 7 % 60}"]) for number in range(60)))


def _interleaved() -> Graph:
    """Make scopes of three kinds in one row: siblings are alike but neither follow each other nor are parallel."""
    names = [f"net/{kind}{number}" for number, kind in enumerate("abcacbabc")]
    nodes = [node("net/x/in", "Placeholder"), node("net/x/out", "Relu", ["net/x/in"])]
    for number, name in enumerate(names):
        read = ["net/x", *names][max(0, number - 1) : number + 1]
        op = name[4].upper()
        nodes += [node(f"{name}/in", op, [f"{other}/out" for other in read]), node(f"{name}/out", op, [f"{name}/in"])]
    return graph(*nodes)


def recorded(made: Graph, seed: int, rounds: int = _ROUNDS) -> dict[str, Any]:
    """Return an encoded graph with Python's results."""
    chance = random.Random(seed)
    return {
        "structure": base64.b64encode(encode_structure(made)).decode("ascii"),
        "root": base64.b64encode(encode_root(made)).decode("ascii"),
        "views": _views(made, chance, rounds),
        "auxiliary": _auxiliary(made, chance),
        "revealed": _revealed(made, chance),
        "found": _found(made),
    }


def plain(view: View) -> dict[str, Any]:
    """Return the columns of a view for JSON."""
    edges = view.edges
    groups = ("source", "target", "data", "control", "reference", "size")
    return {
        **{name: getattr(view, name) for name in ("path", "label", "kind", "parent", "op", "nodes", "copies", "odd")},
        "alike": view.alike,
        "unordered": [int(each) for each in view.unordered],
        "role": [int(each) for each in view.role],
        "open": [int(each) for each in view.open],
        "edges": {**{name: getattr(edges, name).tolist() for name in groups}, "shape": view.shapes},
    }


def closed(view: View) -> list[str]:
    """Return the paths of the boxes that could be opened."""
    return [
        path
        for path, kind, is_open in zip(view.path, view.kind, view.open, strict=True)
        if kind not in (BoxKind.NODE, BoxKind.MISSING) and not is_open
    ]


def _views(made: Graph, chance: random.Random, rounds: int) -> list[dict[str, Any]]:
    found = [_view(made, [], []), _view(made, list(made.first_opened), [])]
    hierarchy = made.structure.hierarchy
    optional = [
        path for scope in range(hierarchy.root, hierarchy.size) for path in made.groupable(hierarchy.path(scope))
    ]
    for _ in range(rounds):
        opened, ungrouped = ["no such path"], ["no such/path"]
        grouped = [path for path in optional if chance.random() < 0.5]
        for _ in range(chance.randint(1, 4)):
            view = made.view(opened, ungrouped, grouped)
            folded = [path for path, item in zip(view.path, view.item, strict=True) if item < 0]
            ungrouped += [path for path in folded if chance.random() < 0.2]
            opened += [path for path in closed(view) if chance.random() < 0.6]
        found.append(_view(made, opened, ungrouped, grouped))
    opened = []
    while more := closed(made.view(opened)):
        opened += more
    return [*found, {"all": True, **_view(made, opened, [])}]


def _view(made: Graph, opened: list[str], ungrouped: list[str], grouped: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "opened": opened,
        "ungrouped": ungrouped,
        "grouped": list(grouped),
        "view": plain(made.view(opened, ungrouped, grouped)),
    }


def _auxiliary(made: Graph, chance: random.Random) -> list[dict[str, Any]]:
    """Return the nodes taken out of the widest and some other scopes, also with some children kept and some removed."""
    hierarchy = made.structure.hierarchy
    scopes = sorted(range(hierarchy.root, hierarchy.size), key=lambda scope: -len(made.structure.children(scope)))
    chosen = scopes[: _MAX_SCOPES // 2]
    chosen += chance.sample(scopes[_MAX_SCOPES // 2 :], min(_MAX_SCOPES // 2, max(0, len(scopes) - len(chosen))))
    found = []
    for scope in chosen:
        path = hierarchy.path(scope)
        children = [hierarchy.path(child) for child in made.structure.children(scope).tolist()]
        some = chance.sample(children, min(4, len(children)))
        for kept, removed in (([], []), (some[:2], some[2:])):
            areas = made.auxiliary(path, kept=kept, removed=removed)
            found.append({"scope": path, "kept": kept, "removed": removed, "areas": areas})
    return found


def _revealed(made: Graph, chance: random.Random) -> list[dict[str, Any]]:
    found = []
    for number in chance.sample(range(made.node_count), min(_MAX_REVEALED, made.node_count)):
        opened, ungrouped = reveal(made.structure, number)
        found.append({"node": number, "opened": opened, "ungrouped": ungrouped})
    return found


def _found(made: Graph) -> list[dict[str, Any]]:
    nodes, shapes = made.structure.nodes, made.structure.shapes.lists
    found = []
    for text in _TEXTS:
        for regex in (False, True):
            wanted = re.compile(text) if regex else text
            hits = find_nodes(nodes, shapes, AttributeIndex(), wanted).tolist()
            found.append({"text": text, "regex": regex, "count": len(hits), "nodes": hits[:_MAX_FOUND]})
    return found


def write(folder: Path, graphs: dict[str, Graph], rounds: int = _ROUNDS) -> None:
    """Write a file for each graph; equal graphs give equal files."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, made) in enumerate(graphs.items()):
        text = json.dumps(recorded(made, number, rounds), separators=(",", ":"))
        (folder / f"{name}.json").write_text(text + "\n", "ascii")


def of_logs(path: str) -> dict[str, Graph]:
    """Return every graph of a log directory, by number."""
    logs = load(path)
    listed = [(run, tag) for run, tags in logs.tags().get("graphs", {}).items() for tag in tags]
    return {str(number): logs.graph(run, tag) for number, (run, tag) in enumerate(listed)}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(Path(sys.argv[2]), of_logs(sys.argv[1]), rounds=1)
    else:
        write(VIEWS, fixtures())
