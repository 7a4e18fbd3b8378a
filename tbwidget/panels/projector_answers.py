"""Answers of the projector: projections that take long, and exact nearest neighbors.

All requests name an embedding: `run`, `tag` (its name without the step) and `step` (decimal text; "0" or null where it
has none).

| request | further arguments | answer |
|---|---|---|
| `projector.project` | `method`, `dimensions`, `parameters` | the state; data when done: float32[dimensions][n] |
| `projector.stop` | the same | the computation has ended |
| `projector.keep` | the same, `digest`, `held`, `coordinates` | value: `kept`; UMAP that the page computed is kept |
| `projector.neighbors` | `point`, `count`, `metric` | value: `points` and `distances`, the nearest first |

The state is `{"state": "running", "phase", "done", "total", "share", "text"}` (see `projector_jobs.Progress`), or
`{"state": "done", "used", "points", "parameters", "held"}`: how many of how many points have a place, the parameters
as computed, and how many numbers of each vector a page computed it from, null where this process did. The browser asks
again while it is running; equal arguments name one computation.

A page that sends a projection names the vectors by the `digest` that the kernel sent with them, and gives float32
[dimensions][n] in base64. It is kept unless there is a result already.
"""

from __future__ import annotations

import base64
import binascii
import math
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.panels.declare import SavedAnswer
from tbwidget.panels.projector_jobs import JOBS, NAMES, Floats, Result, Task, asked_parameters, task_for
from tbwidget.panels.projector_vectors import (
    MAX_PAGE_POINTS,
    Summary,
    comparable,
    drop_vectors,
    embedding_named,
    keep_vectors,
    peek_summary,
    readable_summary,
    readable_vectors,
)
from tbwidget.reasons import Reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding
    from tbwidget.logs.vectors import Vectors

METRICS = ("cosine", "euclidean")

MAX_NEIGHBORS = 500
"""Neighbors of an answer."""

_holding = threading.Lock()

_CHUNK = 1 << 18  # numbers compared at a time: some milliseconds


def hold(logs: Logs) -> Callable[[], None]:
    """Let projections be computed until the function that is returned is called, when a dashboard closes."""
    with _holding:
        release = JOBS.hold(logs)
        keep_vectors(logs)

    def end() -> None:
        with _holding:
            release()
            if not JOBS.is_held(logs):
                drop_vectors(logs)

    return end


def project(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Return a projection, or how far it is; the first to ask starts it."""
    asked = _asked(args)
    run, embedding = _embedding(logs, args)
    summary = readable_summary(logs, run, embedding)
    task = task_for(summary, *asked)
    found = JOBS.ask(task, lambda: readable_vectors(logs, run, embedding).vectors, logs)
    if isinstance(found, Result):
        return _answer(found, summary, task)
    head = {"state": "running", "phase": found.phase, "done": found.done, "total": found.total}
    return Answer({**head, "share": found.share, "text": found.text})


def _answer(result: Result, summary: Summary, task: Task) -> Answer:
    state = {"state": "done", "used": result.used, "points": summary.rows, "parameters": dict(task.parameters)}
    return Answer({**state, "held": result.held}, result.coordinates.astype("<f4", copy=False).tobytes())


def stop(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """End the computation of a projection."""
    asked = _asked(args)
    summary = peek_summary(logs, *_embedding(logs, args))
    if summary is not None:  # else none of its projections was asked for
        JOBS.stop(task_for(summary, *asked))
    return Answer({})


def keep(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Keep UMAP that a page computed, as if this process had. Raises Refusal unless it is one of these vectors."""
    method, dimensions, asked = _asked(args)
    held, (run, embedding) = args.get("held"), _embedding(logs, args)
    refusal = Refusal(Reason("malformed-request", expected="a projection"))
    if method != "umap" or type(held) is not int or not JOBS.is_held(logs):
        raise refusal  # before the vectors are read
    kept = readable_vectors(logs, run, embedding)
    rows, numbers = kept.vectors.shape
    # What is too large is refused before it is decoded, and before the vectors are hashed.
    if rows > MAX_PAGE_POINTS or not 1 <= held <= numbers:
        raise refusal
    coordinates = _coordinates(args.get("coordinates"), dimensions, rows)
    if args.get("digest") != kept.digest:
        raise Refusal(Reason("no-such-embedding"))  # it was written again
    # `saved` finds results by the summary.
    task = task_for(readable_summary(logs, run, embedding), method, dimensions, asked)
    has_place = np.isfinite(coordinates[0])
    if not has_place.any() or (has_place & ~comparable(kept.vectors, dict(task.parameters)["metric"])).any():
        raise Refusal(Reason("malformed-request", expected="coordinates"))
    return Answer({"kept": JOBS.keep(task, Result(coordinates, int(has_place.sum()), held))})


def _coordinates(text: object, dimensions: int, rows: int) -> Floats:
    """Return read-only float32[dimensions, rows], each column finite or all NaN. Raises Refusal for anything else."""
    refusal = Refusal(Reason("malformed-request", expected="coordinates"))
    size = 4 * dimensions * rows
    if not isinstance(text, str) or len(text) != 4 * math.ceil(size / 3):
        raise refusal
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise refusal from None
    if len(data) != size:
        raise refusal
    coordinates = np.frombuffer(data, "<f4").reshape(dimensions, rows).astype(np.float32)
    is_missing = np.isnan(coordinates)
    if np.isinf(coordinates).any() or not (is_missing == is_missing[0]).all():
        raise refusal
    coordinates.flags.writeable = False
    return coordinates


def saved(logs: Logs, options: Mapping[str, Any], _room: int) -> Iterator[SavedAnswer]:
    """Yield the finished projections of all embeddings by the chosen method, as the page asks for them."""
    method = options["projector_method"]
    parameters = asked_parameters(method, options.__getitem__)
    if parameters is None:
        return
    for run in logs.tags().get("embeddings", {}):
        for embedding in logs.embeddings(run):
            summary = peek_summary(logs, run, embedding)
            if summary is None:
                continue  # none of its projections was computed
            names = {"run": escape_surrogates(run), "tag": escape_surrogates(embedding.tag)}
            args = {**names, "step": str(embedding.step or 0), "method": method}
            args |= {"dimensions": options["projector_dimensions"], "parameters": parameters}
            with suppress(Refusal):
                task = task_for(summary, *_asked(args))
                if (result := JOBS.result(task)) is not None:
                    yield SavedAnswer("project", args, _answer(result, summary, task))


def _embedding(logs: Logs, args: Mapping[str, Any]) -> tuple[str, Embedding]:
    return embedding_named(logs, args.get("run"), args.get("tag"), args.get("step"))


def _asked(args: Mapping[str, Any]) -> tuple[str, int, dict[str, Any]]:
    """The method, dimensions and parameters of a projection. Raises Refusal where they are none."""
    method, dimensions, asked = args.get("method"), args.get("dimensions"), args.get("parameters")
    if not isinstance(method, str) or method not in NAMES or type(dimensions) is not int or dimensions not in (2, 3):
        raise Refusal(Reason("malformed-request", expected="a projection"))
    if not isinstance(asked, dict) or not all(_is_parameter(name, value) for name, value in asked.items()):
        raise Refusal(Reason("malformed-request", expected="the parameters of a projection"))
    return method, dimensions, asked


def _is_parameter(name: object, value: object) -> bool:
    match name:
        case "metric":
            return value in METRICS
        case "neighbors":
            return type(value) is int and 2 <= value <= 200  # noqa: PLR2004 (the bounds of the option)
        case "min_dist":
            return _is_number(value, 0, 1)
        case "perplexity":
            return value is None or _is_number(value, 2, 200)
    return False


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def neighbors(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Return the nearest neighbors of a point, by all of its dimensions."""
    point, count, metric = args.get("point"), args.get("count"), args.get("metric")
    if metric not in METRICS or type(count) is not int or not 1 <= count <= MAX_NEIGHBORS:
        raise Refusal(Reason("malformed-request", expected="a metric and a count"))
    kept = readable_vectors(logs, *_embedding(logs, args))
    if type(point) is not int or not 0 <= point < len(kept.vectors) or not np.isfinite(kept.vectors[point]).all():
        raise Refusal(Reason("no-such-point"))
    points, distances = nearest(kept.vectors, point, count, metric, is_cancelled)
    return Answer({"points": points.tolist(), "distances": distances.tolist()})


def nearest(
    vectors: Vectors, point: int, count: int, metric: str, is_cancelled: Callable[[], bool] = lambda: False
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the rows of the nearest neighbors of a row, and their distances, the nearest first.

    Rows with values that are not finite are no neighbors. Equally distant rows keep their order. The cosine distance
    from a vector of zeros is 1. Raises Refusal once it is canceled.
    """
    query = vectors[point].astype(np.float64)
    length = math.sqrt(float(query @ query))
    distances = np.empty(len(vectors))
    rows = max(1, _CHUNK // max(1, vectors.shape[1]))
    for start in range(0, len(vectors), rows):
        if is_cancelled():
            raise Refusal(Reason("canceled"))
        chunk = vectors[start : start + rows].astype(np.float64)
        with np.errstate(invalid="ignore"):  # infinities
            if metric == "euclidean":
                chunk -= query
                found = np.sqrt(np.einsum("ij,ij->i", chunk, chunk))
            else:
                lengths = np.sqrt(np.einsum("ij,ij->i", chunk, chunk)) * length
                found = 1 - np.divide(chunk @ query, lengths, out=np.zeros(len(chunk)), where=lengths != 0)
                found = np.where(np.isfinite(lengths), found, np.nan)
        distances[start : start + rows] = found
    distances[point] = np.nan
    candidates = np.flatnonzero(np.isfinite(distances))
    if len(candidates) > count:
        within = np.partition(distances[candidates], count - 1)[count - 1]
        candidates = candidates[distances[candidates] <= within]
    order = candidates[np.argsort(distances[candidates], kind="stable")][:count]
    return order, distances[order]
