"""Answers of the projector: exact neighbors, projections and their states, refusals."""

from __future__ import annotations

import base64
import math
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import tbwidget
from tbwidget.logs.kinds.embeddings import Embedding, EmbeddingError
from tbwidget.panels import projector_answers, projector_jobs, projector_vectors
from tbwidget.panels.projector_answers import hold, keep, nearest, neighbors, project, saved, stop
from tbwidget.panels.projector_jobs import JOBS, Floats
from tbwidget.wire.content import Answer, Refusal
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for

CONFIG = "projector_config.pbtxt"


def never() -> bool:
    return False


def brute_force(vectors: Floats, point: int, count: int, metric: str) -> list[tuple[float, int]]:
    """Return distances and rows, nearest first."""
    found = []
    here = [float(value) for value in vectors[point]]
    for row, values in enumerate(vectors.astype(float).tolist()):
        if row == point or not all(map(math.isfinite, values)):
            continue
        if metric == "euclidean":
            distance = math.dist(here, values)
        else:
            lengths = math.hypot(*here) * math.hypot(*values)
            product = math.fsum(one * other for one, other in zip(here, values, strict=True))
            distance = 1 - product / lengths if lengths else 1.0
        found.append((distance, row))
    return sorted(found)[:count]


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("shape", [(500, 30), (7, 3), (2, 1), (300, 2000)])
def test_neighbors_are_those_of_brute_force(
    metric: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector_answers, "_CHUNK", 1000)
    vectors = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    for point in (0, shape[0] - 1):
        points, distances = nearest(vectors, point, 15, metric)
        expected = brute_force(vectors, point, 15, metric)
        assert points.tolist() == [row for _, row in expected]
        np.testing.assert_allclose(distances, [distance for distance, _ in expected], rtol=1e-9, atol=1e-12)


@given(
    arrays.arrays(np.float32, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.integers(-3, 3)),
    st.integers(1, 12),
    st.sampled_from(["cosine", "euclidean"]),
)
def test_ties_zeros_and_duplicates(vectors: Floats, count: int, metric: str) -> None:
    points, distances = nearest(vectors, 0, count, metric)
    expected = brute_force(vectors, 0, count, metric)
    np.testing.assert_allclose(distances, [distance for distance, _ in expected], atol=1e-12)
    assert len(set(points.tolist())) == len(expected)
    by_row = {row: distance for distance, row in brute_force(vectors, 0, 12, metric)}
    np.testing.assert_allclose([by_row[point] for point in points.tolist()], distances, atol=1e-12)
    if metric == "euclidean":
        assert points.tolist() == [row for _, row in expected], "the first of equals come first"


def test_rows_that_are_not_finite_are_no_neighbors() -> None:
    vectors = np.ones((6, 2), np.float32)
    vectors[1], vectors[2, 0], vectors[3] = np.nan, np.inf, 3e38
    for metric in ("cosine", "euclidean"):
        points, distances = nearest(vectors, 0, 10, metric)
        assert sorted(points.tolist()) == [3, 4, 5]
        assert np.isfinite(distances).all()


def test_neighbors_can_be_canceled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_answers, "_CHUNK", 10)
    asked: list[int] = []

    def is_cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Refusal, match="canceled"):
        nearest(np.ones((1000, 10), np.float32), 0, 5, "cosine", is_cancelled)
    assert len(asked) == 4


VECTORS = np.random.default_rng(2).normal(size=(9, 4)).astype(np.float32)


def table(vectors: Floats) -> str:
    return "\n".join("\t".join(map(repr, row)) for row in vectors.tolist()) + "\n"


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[tbwidget.LogDir]:
    """Write embeddings with and without steps, of few points, and one whose file is no table."""
    folder = tmp_path / "logs"
    files = {"a3": VECTORS, "a7": VECTORS + 1, "plain": VECTORS * 2, "few": VECTORS[:3]}
    names = {"a3": "a:00003", "a7": "a:00007", "plain": "plain", "few": "few", "bad": "bad"}
    described = [f'embeddings {{ tensor_name: "{name}" tensor_path: "{file}.tsv" }}\n' for file, name in names.items()]
    write(folder / "run" / NAME, event(1, 0, simple("s", 1)))
    write(folder / "run" / CONFIG, "".join(described).encode())
    for name, vectors in files.items():
        (folder / "run" / f"{name}.tsv").write_text(table(vectors))
    (folder / "run" / "bad.tsv").write_text("no\tnumbers\n")
    with tbwidget.load(folder) as loaded:
        yield loaded


def named(tag: str, step: str | None) -> dict[str, Any]:
    return {"run": "run", "tag": tag, "step": step}


@pytest.mark.parametrize(
    ("tag", "step", "vectors"), [("a", "3", VECTORS), ("a", "7", VECTORS + 1), ("plain", "0", VECTORS * 2)]
)
def test_neighbors_of_an_embedding(logs: tbwidget.LogDir, tag: str, step: str, vectors: Floats) -> None:
    asked = {**named(tag, step), "point": 4, "count": 3, "metric": "euclidean"}
    answer = neighbors(logs, asked, never)
    expected = brute_force(vectors, 4, 3, "euclidean")
    assert answer.value["points"] == [row for _, row in expected]
    assert answer.value["distances"] == pytest.approx([distance for distance, _ in expected])
    assert answer == neighbors(logs, asked, never)


def test_a_file_is_read_once(logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch) -> None:
    run, embedding = projector_vectors.embedding_named(logs, "run", "a", "3")
    first = projector_vectors.kept_vectors(logs, run, embedding)
    again = projector_vectors.kept_vectors(logs, *projector_vectors.embedding_named(logs, "run", "a", "3"))
    assert again is first
    other = projector_vectors.kept_vectors(logs, *projector_vectors.embedding_named(logs, "run", "plain", None))
    assert (first.summary.points, first.digest != other.digest) == (9, True)
    monkeypatch.setattr(projector_vectors, "MAX_KEPT_BYTES", 200)
    projector_vectors.kept_vectors(logs, *projector_vectors.embedding_named(logs, "run", "a", "7"))
    assert projector_vectors.kept_vectors(logs, run, embedding) is not first


def test_a_file_that_was_written_again_is_read_again(logs: tbwidget.LogDir, tmp_path: Path) -> None:
    asked = {**named("plain", None), "point": 0, "count": 1, "metric": "euclidean"}
    before = neighbors(logs, asked, never)
    (tmp_path / "logs/run/plain.tsv").write_text(table(VECTORS * 300))
    logs.refresh()
    after = neighbors(logs, asked, never)
    assert after.value["distances"][0] == pytest.approx(150 * before.value["distances"][0])


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"point": 99}, "no such point"),
        ({"point": -1}, "no such point"),
        ({"point": True}, "no such point"),
        ({"point": 1.0}, "no such point"),
        ({"count": 0}, "malformed request"),
        ({"count": 501}, "malformed request"),
        ({"metric": "manhattan"}, "malformed request"),
        ({"metric": ["cosine"]}, "malformed request"),
        ({"step": "4"}, "this embedding is gone"),
        ({"step": 3}, "malformed request"),
        ({"step": "x"}, "malformed request"),
        ({"step": "9" * 30}, "malformed request"),
        ({"run": "gone"}, "this embedding is gone"),
        ({"run": None}, "malformed request"),
        ({"tag": "bad", "step": None}, "not a table of numbers"),
    ],
)
def test_refused_neighbors(logs: tbwidget.LogDir, args: Mapping[str, Any], text: str) -> None:
    asked = {**named("a", "3"), "point": 0, "count": 3, "metric": "cosine", **args}
    with pytest.raises(Refusal, match=text):
        neighbors(logs, asked, never)


PROJECTION = {**named("a", "3"), "method": "umap", "dimensions": 2, "parameters": {"neighbors": 4}}


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"method": "pca"}, "malformed request"),
        ({"method": []}, "malformed request"),
        ({"dimensions": 4}, "malformed request"),
        ({"dimensions": True}, "malformed request"),
        ({"parameters": None}, "malformed request"),
        ({"parameters": {"neighbors": 1}}, "malformed request"),
        ({"parameters": {"neighbors": 10**9}}, "malformed request"),
        ({"parameters": {"min_dist": math.nan}}, "malformed request"),
        ({"parameters": {"perplexity": "5"}}, "malformed request"),
        ({"parameters": {"metric": "__import__"}}, "malformed request"),
        ({"parameters": {"random_state": 1}}, "malformed request"),
        ({"tag": "few", "step": "0"}, "3 points with a place; UMAP needs 4 at least"),
        ({"tag": "bad", "step": "0"}, "not a table of numbers"),
    ],
)
def test_refused_projections(logs: tbwidget.LogDir, args: Mapping[str, Any], text: str) -> None:
    release = hold(logs)
    with pytest.raises(Refusal, match=text):
        project(logs, {**PROJECTION, **args}, never)
    release()
    assert JOBS.running() == []


PLACES = np.random.default_rng(4).normal(size=(2, 9)).astype(np.float32)


def encoded(coordinates: Floats) -> str:
    return base64.b64encode(coordinates.astype("<f4").tobytes()).decode("ascii")


def kept_by_page(logs: tbwidget.LogDir, **args: Any) -> dict[str, Any]:
    """Return the arguments with which a page sends its own result for the embedding "a" at step 3."""
    (embedding,) = [one for one in logs.embeddings("run") if one.step == 3]
    digest = projector_vectors.kept_vectors(logs, "run", embedding).digest
    return {**PROJECTION, "digest": digest, "held": 4, "coordinates": encoded(PLACES), **args}


def test_results_of_a_page_are_kept_for_python_and_other_pages(logs: tbwidget.LogDir) -> None:
    parameters = {"neighbors": 5, "min_dist": 0.3, "metric": "euclidean"}
    view = tbwidget.ProjectorView(logs, method="umap", umap_neighbors=5, umap_min_dist=0.3, metric="euclidean")
    view.linked_step = 3
    args = kept_by_page(logs, parameters=parameters)
    places = PLACES.copy()
    places[:, 4] = np.nan
    answer = keep(logs, {**args, "coordinates": encoded(places), "held": 3}, never)
    assert answer.value == {"kept": True}
    found = view.projection
    assert found is not None
    assert (found.method, found.name, found.step) == ("umap", "a:00003", 3)
    assert found.parameters == {**parameters, "page_dimensions": 3}
    np.testing.assert_array_equal(found.coordinates, places.T)
    assert not found.coordinates.flags.writeable
    answer = project(logs, {**PROJECTION, "parameters": parameters}, never)
    assert answer.value == {"state": "done", "used": 8, "points": 9, "parameters": parameters, "held": 3}
    assert bytes(answer.data) == places.tobytes()
    assert keep(logs, args, never).value == {"kept": False}, "there is one already"
    assert view.projection is not None
    np.testing.assert_array_equal(view.projection.coordinates, places.T)
    view.close()


INFINITE, HALF, NOWHERE = PLACES.copy(), PLACES.copy(), np.full_like(PLACES, np.nan)
INFINITE[0, 0], HALF[1, 2] = np.inf, np.nan


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"method": "tsne", "parameters": {}}, "malformed request"),
        ({"dimensions": 3}, "malformed request"),
        ({"held": 0}, "malformed request"),
        ({"held": 5}, "malformed request"),
        ({"held": True}, "malformed request"),
        ({"digest": "0" * 64}, "this embedding is gone"),
        ({"digest": None}, "this embedding is gone"),
        ({"step": "7"}, "this embedding is gone"),
        ({"coordinates": None}, "malformed request"),
        ({"coordinates": PLACES.tolist()}, "malformed request"),
        ({"coordinates": ""}, "malformed request"),
        ({"coordinates": "A" * 10**7}, "malformed request"),
        ({"coordinates": encoded(PLACES)[:-1] + "é"}, "malformed request"),
        ({"coordinates": encoded(PLACES)[:-4] + "===="}, "malformed request"),
        ({"coordinates": encoded(PLACES[:, :8])}, "malformed request"),
        ({"coordinates": encoded(INFINITE)}, "malformed request"),
        ({"coordinates": encoded(HALF)}, "malformed request"),
        ({"coordinates": encoded(NOWHERE)}, "malformed request"),
    ],
)
def test_results_that_are_no_projection_of_these_vectors_are_not_kept(
    logs: tbwidget.LogDir, args: Mapping[str, Any], text: str
) -> None:
    before, release = JOBS.kept_bytes, hold(logs)
    with pytest.raises(Refusal, match=text):
        keep(logs, kept_by_page(logs, **args), never)
    release()
    assert JOBS.kept_bytes == before


def test_a_page_keeps_places_only_of_points_that_have_one(logs: tbwidget.LogDir, tmp_path: Path) -> None:
    vectors = VECTORS.copy()
    vectors[2] = 0
    (tmp_path / "logs/run/a3.tsv").write_text(table(vectors))
    logs.refresh()
    release = hold(logs)
    parameters = {"neighbors": 4, "min_dist": 0.4, "metric": "cosine"}
    places = PLACES.copy()
    with pytest.raises(Refusal, match="malformed request"):
        keep(logs, kept_by_page(logs, parameters=parameters), never)
    places[:, 2] = np.nan  # a zero vector has no direction
    args = kept_by_page(logs, parameters=parameters, coordinates=encoded(places))
    assert keep(logs, args, never).value == {"kept": True}
    release()


def test_a_page_of_closed_dashboards_keeps_nothing(logs: tbwidget.LogDir) -> None:
    with pytest.raises(Refusal, match="malformed request"):
        keep(logs, kept_by_page(logs), never)


def test_a_projection_that_is_computed_here_is_not_taken_from_a_page(logs: tbwidget.LogDir, go: Path) -> None:
    assert not go.exists()
    release = hold(logs)
    parameters = {"neighbors": 7, "min_dist": 0.5, "metric": "euclidean"}
    project(logs, {**PROJECTION, "parameters": parameters}, never)
    assert keep(logs, kept_by_page(logs, parameters=parameters), never).value == {"kept": False}
    release()


def test_a_page_that_computed_while_the_kernel_was_busy_is_saved_with_its_result(logs: tbwidget.LogDir) -> None:
    release = hold(logs)
    parameters = {"neighbors": 6, "min_dist": 0.2, "metric": "euclidean"}
    assert keep(logs, kept_by_page(logs, parameters=parameters), never).value == {"kept": True}
    options = {"projector_method": "umap", "projector_dimensions": 2, "projector_metric": "euclidean"}
    chosen = {**options, "projector_umap_neighbors": 6, "projector_umap_min_dist": 0.2}
    answers = list(saved(logs, chosen, 10**6))
    assert [answer.args["step"] for answer in answers] == ["3"]
    release()


def test_tiny_results_of_pages_are_bounded_in_number(logs: tbwidget.LogDir) -> None:
    release = hold(logs)
    for i in range(projector_jobs.MAX_RESULTS + 20):
        parameters = {"neighbors": 8, "min_dist": i / 1000, "metric": "euclidean"}
        keep(logs, kept_by_page(logs, parameters=parameters), never)
    assert len(JOBS._results) == projector_jobs.MAX_RESULTS
    release()


def test_pages_keep_projections_of_few_points_only(logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_answers, "MAX_PAGE_POINTS", 8)
    release = hold(logs)
    with pytest.raises(Refusal, match="malformed request"):
        keep(logs, kept_by_page(logs), never)
    release()


LIBRARY = """
import os, time
class UMAP:
    def __init__(self, **options): self.options = options
    def fit(self, vectors): return self
    def fit_transform(self, vectors):
        while not os.path.exists({go!r}): time.sleep(0.01)
        return vectors[:, :self.options["n_components"]] * self.options["n_neighbors"]
"""


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path for which a stand-in for umap-learn waits."""
    (tmp_path / "umap.py").write_text(LIBRARY.format(go=str(tmp_path / "go")))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "go"


def test_a_projection_from_beginning_to_end(logs: tbwidget.LogDir, go: Path) -> None:
    release = hold(logs)
    first = project(logs, PROJECTION, never)
    assert first.value["state"] == "running"
    assert first.value.keys() == {"state", "phase", "done", "total", "share", "text"}
    assert first.value["share"] is None
    assert len(JOBS.running()) == 1
    go.touch()
    found: list[Answer] = []

    def is_done() -> bool:
        found.append(project(logs, PROJECTION, never))
        return bool(found[-1].value["state"] == "done")

    wait_for(is_done)
    parameters = {"metric": "euclidean", "min_dist": 0.1, "neighbors": 4}
    assert found[-1].value == {"state": "done", "used": 9, "points": 9, "parameters": parameters, "held": None}
    np.testing.assert_array_equal(np.frombuffer(found[-1].data, "<f4").reshape(2, 9), VECTORS.T[:2] * 4)
    release()


def test_a_projection_is_stopped(logs: tbwidget.LogDir, go: Path) -> None:
    assert not go.exists()
    asked = {**PROJECTION, "parameters": {"neighbors": 5}}
    release = hold(logs)
    project(logs, asked, never)
    (job,) = JOBS.running()
    assert stop(logs, asked, never) == Answer({})
    job.thread.join(10)
    assert not job.thread.is_alive()
    assert JOBS.running() == []
    release()
    with pytest.raises(Refusal, match="canceled"):
        project(logs, asked, never)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the names of the embeddings whose vectors are read from now on."""
    read: list[str] = []
    vectors = Embedding._vectors

    def noted(embedding: Embedding) -> Any:
        read.append(embedding.name)
        time.sleep(0.05)
        return vectors(embedding)

    monkeypatch.setattr(Embedding, "_vectors", noted)
    return read


def test_a_projection_of_dropped_vectors_is_asked_for_without_reading_them(
    logs: tbwidget.LogDir, go: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = hold(logs)
    monkeypatch.setattr(projector_vectors, "MAX_KEPT_BYTES", 1)
    asked = {**PROJECTION, "parameters": {"neighbors": 6}}
    project(logs, asked, never)
    (job,) = JOBS.running()
    projector_vectors.kept_vectors(logs, *projector_vectors.embedding_named(logs, "run", "few", None))
    read = counted(monkeypatch)
    project(logs, asked, never)
    go.touch()
    job.thread.join(10)
    options = {"projector_method": "umap", "projector_dimensions": 2, "projector_umap_neighbors": 6}
    options |= {"projector_umap_min_dist": 0.1, "projector_metric": "euclidean"}
    assert len(list(saved(logs, options, 0))) == 1
    stop(logs, asked, never)
    assert read == []
    release()


def test_a_table_is_read_by_one_thread_at_a_time(logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch) -> None:
    read = counted(monkeypatch)
    named_so = projector_vectors.embedding_named(logs, "run", "plain", None)
    threads = [threading.Thread(target=projector_vectors.kept_vectors, args=(logs, *named_so)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert read == ["plain"]


def test_nothing_is_kept_for_closed_dashboards(logs: tbwidget.LogDir) -> None:
    named_so = projector_vectors.embedding_named(logs, "run", "plain", None)
    release = hold(logs)
    release()
    projector_vectors.kept_vectors(logs, *named_so)
    assert projector_vectors.peek_vectors(logs, *named_so) is None
    release = hold(logs)
    projector_vectors.kept_vectors(logs, *named_so)
    assert projector_vectors.peek_vectors(logs, *named_so) is not None
    release()


def test_the_last_dashboard_ends_the_processes_that_read(
    logs: tbwidget.LogDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import time; open({str(tmp_path / 'began')!r}, 'w').close(); time.sleep(60)")
    monkeypatch.setattr("tbwidget.logs.vectors.NUMBERS_HERE", 5)
    monkeypatch.setattr("tbwidget.logs.vectors_process.__file__", str(program))
    failed: list[BaseException] = []

    def read() -> None:
        try:
            projector_vectors.kept_vectors(logs, *projector_vectors.embedding_named(logs, "run", "plain", None))
        except EmbeddingError as error:
            failed.append(error)

    releases = [hold(logs), hold(logs)]
    thread = threading.Thread(target=read)
    thread.start()
    wait_for((tmp_path / "began").exists)
    releases[0]()
    assert thread.is_alive()
    releases[1]()
    thread.join(10)
    assert not thread.is_alive()
    assert "ended with code -9" in str(failed[0])
