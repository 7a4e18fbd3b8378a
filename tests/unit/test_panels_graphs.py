"""The graph panel on real logs: its documents and answers; no graph that it reads blocks other data."""

from __future__ import annotations

import gc
import inspect
import json
import shutil
import threading
import weakref
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.graph import Graph
from tbwidget.graph.shapes import TIMES
from tbwidget.logs.accessors import Logs
from tbwidget.logs.logdir import LogDir
from tbwidget.panels import graph_answers, graph_cache, graphs
from tbwidget.panels.graph_answers import matching_lines
from tbwidget.panels.graph_cache import kept_graph
from tbwidget.panels.graph_columns import encode_root, encode_structure
from tbwidget.proto.event_pb2 import Event
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, Refusal
from tbwidget.wire.snapshot import snapshot
from tests.support.boards import Listener
from tests.support.boards import write as write_scalars
from tests.support.containers import read_container
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, record, write
from tests.support.graphs import DATA, definition, node
from tests.support.waiting import PATIENCE, wait_for
from tests.unit.test_graph_logs import meta_graph, run_graph, string, tagged, trace

CONTENTS: Any = graphs.PANEL.contents
ROOTS, STRUCTURES, STEPS = CONTENTS
RUN = "__run_graph__"
TRAIN = record(Event(graph_def=(DATA / "train.graph_def").read_bytes()).SerializeToString())
STEP = (DATA / "train.run_metadata").read_bytes()


def ask(request: str, logs: LogDir, **args: Any) -> Answer:
    """Return the answer to a request, with arguments that passed through JSON."""
    said: Mapping[str, Any] = json.loads(json.dumps({"run": "a", "tag": RUN, **args}))
    answer = graphs.PANEL.requests[request](logs, said, lambda: False)
    json.dumps(answer.value)
    return answer


@pytest.fixture
def trained(tmp_path: Path) -> LogDir:
    write(tmp_path / "a" / NAME, TRAIN, tagged("step1", STEP), tagged("step10", STEP), tagged("step2", STEP))
    return tbwidget.load(tmp_path)


def test_a_page_is_saved_while_another_thread_encodes_the_graph(trained: LogDir) -> None:
    is_encoding, is_saving = threading.Event(), threading.Event()

    class Roots(graphs.GraphRootsContent):
        def read(self, logs: Logs, run: str, tag: str) -> graphs.GraphDocument:
            is_saving.set()
            return super().read(logs, run, tag)

    def encode(graph: Graph) -> bytes:
        is_encoding.set()
        assert is_saving.wait(PATIENCE)
        assert trained.runs == ["a"]  # waits for the reader
        return encode_root(graph)

    saved: list[dict[str, Any]] = []
    threads = [
        threading.Thread(target=lambda: kept_graph(trained, "a", RUN).encoded(encode), daemon=True),
        threading.Thread(target=lambda: saved.append(snapshot(trained, (Roots(),))), daemon=True),
    ]
    threads[0].start()
    assert is_encoding.wait(PATIENCE)
    threads[1].start()
    for thread in threads:
        thread.join(PATIENCE)
    assert "graph_roots" in str(saved)


def test_each_graph_of_a_run_has_its_documents(tmp_path: Path) -> None:
    model = (DATA / "keras3_sequential.json").read_bytes()
    parts = [string("keras", "graph_keras_model", model), string("traced", "graph_run_metadata_graph", trace("t"))]
    write(tmp_path / "a" / NAME, *parts, string("both", "graph_run_metadata", trace("b")), meta_graph("m"))
    write(tmp_path / "b" / NAME, run_graph("r"), meta_graph("m"))
    logs = tbwidget.load(tmp_path)
    listed = logs.tags()["graphs"]
    assert listed == {"a": ["__meta_graph__", "both", "keras", "traced"], "b": [RUN]}
    for run, tags in listed.items():
        for tag in tags:
            graph = logs.graph(run, tag)
            assert ROOTS.read(logs, run, tag).encode() == encode_root(graph)
            assert STRUCTURES.read(logs, run, tag).encode() == encode_structure(graph)
    assert json.loads(STEPS.read(logs, "a", "").encode()) == {"steps": ["both"]}


def test_recorded_steps_are_a_document_of_their_run(trained: LogDir) -> None:
    assert json.loads(STEPS.read(trained, "a", "").encode()) == {"steps": ["step1", "step2", "step10"]}
    with pytest.raises(KeyError):
        STEPS.read(trained, "b", "")
    with pytest.raises(KeyError, match="no graph 'x' in run 'a'"):
        ROOTS.read(trained, "a", "x")


def test_a_graph_is_read_once_for_all(trained: LogDir, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = LogDir.graph

    def counted(logs: LogDir, run: str, name: str | None = None) -> Graph:
        read.append(run)
        return plain(logs, run, name)

    monkeypatch.setattr(LogDir, "graph", counted)
    documents = [content.read(trained, "a", RUN) for content in (ROOTS, STRUCTURES) * 2]
    threads = [threading.Thread(target=document.encode) for document in documents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ask("node", trained, node="loss/mean")
    assert read == ["a"]
    assert documents[0].revision == documents[2].revision


def test_the_cache_is_bounded_and_ends_with_the_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for run in "abc":
        write(tmp_path / run / NAME, run_graph(*(f"{run}{number}" for number in range(10))))
    logs = tbwidget.load(tmp_path)
    monkeypatch.setattr(graph_cache, "MAX_NODES", 25)
    kept = {run: kept_graph(logs, run, RUN) for run in "abc"}
    for run in "abc":
        kept[run].encoded(encode_structure)
    assert [kept[run].nodes for run in "abc"] == [0, 10, 10]
    monkeypatch.setattr(graph_cache, "MAX_ENCODED_BYTES", kept["c"].size)
    kept["b"].encoded(encode_root)
    assert kept_graph(logs, "b", RUN) is kept["b"]
    assert kept_graph(logs, "a", RUN) is not kept["a"]
    assert kept_graph(logs, "a", RUN).encoded(encode_structure) == kept["a"].encoded(encode_structure)
    gone = weakref.ref(logs)
    del logs
    gc.collect()
    assert gone() is None


def test_a_graph_that_is_written_again_is_another_document(tmp_path: Path) -> None:
    file = tmp_path / "a" / NAME
    write(file, run_graph("first"), string("t", "graph_run_metadata", trace("t")))
    logs = tbwidget.load(tmp_path)
    before = {tag: ROOTS.read(logs, "a", tag).revision for tag in (RUN, "t")}
    told: set[tuple[str, str, str]] = set()
    logs.source.subscribe(lambda changes: told.update(changes.series))
    with file.open("ab") as end:
        end.write(run_graph("second", "third") + string("t", "graph_run_metadata", trace("u"), 1))
    logs.refresh()
    assert {("graphs", "a", RUN), ("graphs", "a", "t"), ("run_metadata", "a", "t")} <= told
    for tag, path in ((RUN, ["second", "third"]), ("t", ["u"])):
        after = ROOTS.read(logs, "a", tag)
        assert after.revision != before[tag]
        assert read_container(after.encode()).header["path"] == path


def test_an_answer_about_a_node_has_its_attributes_and_neighbors(trained: LogDir) -> None:
    graph = trained.graph("a")
    name = "layer1/activation"
    said = ask("node", trained, node=name).value
    (number,) = [place for place, each in enumerate(graph.names) if each == name]
    assert ask("node", trained, node=number).value == said
    assert (said["name"], said["op"], said["device"], said["more"]) == (name, "Relu", "", {})
    assert ["T", "DT_FLOAT", 0] in said["attributes"]
    assert [(path, slot, control) for path, slot, control, _, _ in said["inputs"]] == [("layer1/MatMul", 0, False)]
    for row in said["inputs"] + said["outputs"]:
        assert graph.structure.hierarchy.path(row[4]) == row[0]
    assert said["inputs"][0][3] == f"?{TIMES}3"
    loss = ask("node", trained, node="loss/mean").value
    assert [kind for _, kind, _ in loss["annotations"]] == ["constant", "summary"]
    assert loss["annotations"][0][0] == "loss/Const"


def test_a_node_that_is_a_scope_too_and_one_that_is_missing_are_found(tmp_path: Path) -> None:
    nodes = [node("a", "A", ["a/b", "gone:2", "^a/b"]), node("a/b", "B"), node("//x/", "C", ["a"])]
    write(tmp_path / "a" / NAME, record(Event(graph_def=definition(*nodes)).SerializeToString()))
    logs = tbwidget.load(tmp_path)
    said = ask("node", logs, node="a/(a)").value
    assert said["name"] == "a"
    assert said["inputs"] == [["a/b", 0, False, "", 1], ["gone", 2, False, "", 3], ["a/b", -1, True, "", 1]]
    assert ask("node", logs, node="gone").value["outputs"] == [["a/(a)", 2, False, "", 0]]
    assert ask("node", logs, node="//x/").value["op"] == "C"
    for wrong in ("a", "b", "", -1, 4, True, None, 0.0):
        with pytest.raises(Refusal, match="no such node"):
            ask("node", logs, node=wrong)


def test_long_texts_and_lists_are_cut(tmp_path: Path) -> None:
    hub = node("hub", "Op", [f"n{number}" for number in range(1000)])
    hub.attr["long"].s = b"x" * 1_000_000
    others = [node(f"n{number}", "é" * 400, ["hub"]) for number in range(1000)]
    write(tmp_path / "a" / NAME, record(Event(graph_def=definition(hub, *others)).SerializeToString()))
    logs = tbwidget.load(tmp_path)
    said = ask("node", logs, node="hub").value
    assert {key: (len(text), more) for key, text, more in said["attributes"]}["long"] == (2_000, 998_000)
    assert len(said["inputs"]) + said["more"]["inputs"] == 1000
    assert len(said["outputs"]) + said["more"]["outputs"] == 1000
    assert len(json.dumps(said)) < 100_000


def test_attributes_are_found_by_text_and_by_pattern(trained: LogDir, monkeypatch: pytest.MonkeyPatch) -> None:
    # The process that searches for a pattern may start late on a busy machine.
    monkeypatch.setattr(graph_answers, "matching_lines", partial(matching_lines, seconds=PATIENCE))
    graph = trained.graph("a")
    floats = [name for name in graph.names if graph.attributes(name).get("T") == "DT_FLOAT"]
    for args, found in (
        ({"text": "t=dt_FLOAT"}, graph.find("t=dt_FLOAT")),
        ({"text": "^t=dt_float$", "regex": True}, floats),
        ({"text": "nowhere"}, []),
    ):
        answer = ask("find", trained, **args)
        numbers = np.frombuffer(answer.data, "<i4").tolist()
        assert [graph.names[number] for number in numbers] == found
        assert answer.value == {"count": len(found)}


@pytest.mark.parametrize(
    ("pattern", "said", "seconds"),
    [
        ("(", "not a regular expression", PATIENCE),
        (r"\p{L}", "only browsers", PATIENCE),
        ("(a+)+$", "the pattern takes too long", 2.0),
    ],
)
def test_patterns_that_are_none_or_never_end_are_refused(pattern: str, said: str, seconds: float) -> None:
    with pytest.raises(Refusal, match=said):
        matching_lines(pattern, ["b", "a" * 64 + "b"], seconds)


def test_patterns_are_read_as_the_browser_writes_them() -> None:
    assert matching_lines(r"(?<digit>\d)x", ["1X", "x", "2x\udcff"], PATIENCE) == [0, 2]


def test_statistics_of_a_step_are_columns(trained: LogDir) -> None:
    graph = trained.graph("a")
    expected = graph.statistics(STEP)
    header, columns = read_container(ask("statistics", trained, step="step1", devices=None).data)
    assert header["devices"] == expected.devices
    root = graph.structure.hierarchy.root
    np.testing.assert_array_equal(columns["time"], expected.time[:root])
    np.testing.assert_array_equal(columns["memory"], expected.memory[:root])
    assert np.isfinite(columns["time"]).any()
    none = read_container(ask("statistics", trained, step="step1", devices=[]).data)
    assert none.header["devices"] == expected.devices
    assert np.isnan(none.columns["time"]).all()
    # The devices were chosen for another step: this one ran on none of them, so that all count.
    other = read_container(ask("statistics", trained, step="step1", devices=["/device:TPU:7"]).data)
    np.testing.assert_array_equal(other.columns["time"], columns["time"])
    for wrong, said in (
        ({"step": "step3"}, "step3"),
        ({}, "a step expected"),
        ({"step": "step1", "devices": 1}, "devices"),
    ):
        with pytest.raises(Refusal, match=said):
            ask("statistics", trained, **wrong)


def test_bodies_of_functions_are_structures_and_answer_too(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, record(Event(graph_def=(DATA / "library.graph_def").read_bytes()).SerializeToString()))
    logs = tbwidget.load(tmp_path)
    name = logs.graph("a").functions[0]
    body = logs.graph("a").function(name)
    assert ask("function", logs, name=name).data == encode_structure(body)
    said = ask("node", logs, function=name, node=body.names[-1]).value
    assert said["op"] == body.op(body.names[-1])
    for wrong in ({"name": "none"}, {}):
        with pytest.raises(Refusal, match="function"):
            ask("function", logs, **wrong)


def test_questions_about_nothing_are_refused(trained: LogDir) -> None:
    for name in graphs.PANEL.requests:
        with pytest.raises(Refusal, match="no run 'b'"):
            ask(name, trained, run="b", text="x", node="x", step="x", name="x")
        with pytest.raises(Refusal, match="a graph expected"):
            ask(name, trained, run=None, text="x", node="x", step="x", name="x")


def test_names_that_are_no_utf_8_are_found_as_they_traveled(tmp_path: Path) -> None:
    model = string("t???", "graph_keras_model", (DATA / "keras3_sequential.json").read_bytes())
    write(tmp_path / "a" / NAME, tagged("s", STEP), record(model[12:-4].replace(b"t???", b"t\xff\xfe\xc3")))
    logs = tbwidget.load(tmp_path)
    (tag,) = logs.tags()["graphs"]["a"]
    assert tag == "t\udcff\udcfe\udcc3"
    assert ask("node", logs, tag=escape_surrogates(tag), node="plain/a").value["op"] == "Dense"


# On a dashboard.


@pytest.fixture(autouse=True)
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


def complete(listener: Listener, kind: str) -> bool:
    """Return whether a document of this kind has arrived."""
    return any(piece["kind"] == kind for piece in listener.entries("pieces"))


def run_of(listener: Listener, part: str, entry: dict[str, Any]) -> str:
    """Return the run of an entry."""
    header = next(header for header in listener.headers if entry in header.get(part, ()))
    run: str = header["runs"][entry["run"]]
    return run


def test_a_dashboard_sends_root_structure_and_steps(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path / "a" / NAME, TRAIN, tagged("step1", STEP))
    view = tbwidget.GraphView(tmp_path)
    try:
        wait_for(lambda: all(complete(listener, kind) for kind in ("graph_roots", "graph_structures", "graph_steps")))
        kinds = [entry["kind"] for entry in listener.entries("pieces")]
        assert kinds.index("graph_roots") < kinds.index("graph_structures")
    finally:
        view.close()


def test_scalars_move_while_a_graph_is_read(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = threading.Event()
    plain = LogDir.graph

    def waiting(logs: LogDir, run: str, name: str | None = None) -> Graph:
        may_read.wait()
        return plain(logs, run, name)

    monkeypatch.setattr(LogDir, "graph", waiting)
    write(tmp_path / "a" / NAME, TRAIN)
    board = tbwidget.Dashboard(tmp_path)
    try:
        wait_for(lambda: any(entry["kind"] == "graph_roots" for entry in listener.entries("documents")))
        write_scalars(tmp_path / "b", range(5))
        wait_for(lambda: listener.total() == 5)
        assert not complete(listener, "graph_roots")
        may_read.set()
        wait_for(lambda: complete(listener, "graph_structures"))
    finally:
        may_read.set()
        board.close()


def test_a_graph_that_cannot_be_read_fails_alone(tmp_path: Path, listener: Listener) -> None:
    large = run_graph(*(f"node{number:0>60}" for number in range(2000)))
    write(tmp_path / "a" / NAME, TRAIN)
    write(tmp_path / "b" / NAME, large)
    logs = tbwidget.load(tmp_path)
    # The data of large records are verified when they are used.
    write(tmp_path / "b" / NAME, large[:50_000] + b"?" + large[50_001:])
    board = tbwidget.Dashboard(logs)
    try:
        wait_for(lambda: complete(listener, "graph_structures") and len(listener.entries("failed")) > 1)
        assert {(entry["kind"], run_of(listener, "failed", entry)) for entry in listener.entries("failed")} == {
            ("graph_roots", "b"),
            ("graph_structures", "b"),
        }
    finally:
        board.close()
        logs.close()


def test_options_have_short_names_on_the_view_alone(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, TRAIN)
    options: Any = {"expanded": ["layer0"], "hidden_ops": ["NoOp"], "color_by": "time", "keep": ["loss"], "step": "s"}
    view = tbwidget.GraphView(tmp_path, run="a", **options)
    try:
        assert (view.graph_run, view.graph_expanded, view.graph_color_by) == ("a", ["layer0"], "time")
        view.selected = "loss/mean"
        assert view.graph_selected == "loss/mean"
        view.graph_ungrouped = ["x"]
        assert view.ungrouped == ["x"]
        assert "graph_run='a'" in repr(view)
        parameters = inspect.signature(tbwidget.GraphView).parameters
        assert {*graphs.PANEL.view_options, "height"} <= parameters.keys()
        assert not {"graph_run", "smoothing", "panel"} & parameters.keys()
        assert "- `expanded`: Paths of the open scopes" in str(tbwidget.GraphView.__doc__)
        with pytest.raises(AttributeError, match="did you mean 'expanded'"):
            view.expandet = []  # type: ignore[attr-defined]  # type checkers find it, too
    finally:
        view.close()
    with pytest.raises(TypeError, match="no option 'color_bye': did you mean 'color_by'"):
        tbwidget.GraphView(tmp_path, color_bye="time")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'graph_run' twice"):
        tbwidget.GraphView(tmp_path, run="a", graph_run="b")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no option 'expanded'"):
        tbwidget.Dashboard(tmp_path, expanded=[])  # type: ignore[call-arg]


def test_a_run_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    write(tmp_path / "train" / NAME, TRAIN)
    logs = tbwidget.load(tmp_path)
    view = tbwidget.GraphView(logs)
    try:
        with pytest.warns(UserWarning, match="graph_run: there is no run 'trian' yet.*Did you mean 'train'"):
            view.run = "trian"
        assert view.run == "trian"
    finally:
        view.close()


HOSTILE = CORPUS / "aw_graphs/logs"


def test_hostile_graphs_are_read_or_fail_alone(tmp_path: Path, listener: Listener) -> None:
    shutil.copytree(HOSTILE, tmp_path / "logs")
    logs = tbwidget.load(tmp_path / "logs")
    runs = set(logs.tags()["graphs"])
    assert len(runs) > 3
    board = tbwidget.GraphView(logs)

    def settled() -> set[str]:
        sent = [("pieces", entry) for entry in listener.entries("pieces") if entry["kind"] == "graph_structures"]
        failed = [("failed", entry) for entry in listener.entries("failed")]
        return {run_of(listener, part, entry) for part, entry in sent + failed}

    try:
        wait_for(lambda: settled() == runs)
    finally:
        board.close()
        logs.close()
