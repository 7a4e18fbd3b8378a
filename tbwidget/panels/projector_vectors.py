"""Vectors of embeddings that were read, kept for the next question, for all dashboards of a log directory."""

from __future__ import annotations

import hashlib
import re
import threading
import weakref
from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tbwidget.logs.kinds.embeddings import EmbeddingError
from tbwidget.logs.vectors import Readers
from tbwidget.panels.projector_pca import Principal, principal
from tbwidget.reasons import Reason, reason_of
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding
    from tbwidget.logs.vectors import Vectors

MAX_KEPT_BYTES = 256_000_000
"""Vectors of a log directory, with their components, that are kept; those used last are, whatever their size."""

MAX_SUMMARIES = 10_000
"""Summaries of embeddings of a log directory that are kept, of some hundred bytes each."""

MAX_COMPONENTS = 50
"""Principal components in which the vectors of a large embedding travel."""

MAX_PAGE_POINTS = 10_000
"""Points up to which a page computes UMAP. Keep in step with js/src/panels/projector/umap/runner.ts."""


class Summary(NamedTuple):
    """The facts that name the projections of an embedding, kept longer than its vectors."""

    digest: str
    """Equal for equal vectors."""
    rows: int
    """All vectors."""
    points: int
    """Rows whose values are all finite."""
    directed_points: int
    """Rows whose values are all finite and not all zero."""


class KeptVectors:
    """The vectors of one embedding as they were read."""

    def __init__(self, vectors: Vectors, revision: Hashable) -> None:
        self.vectors = vectors
        """float32[n, d], read-only."""
        self.revision = revision

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors and of their computed components, which the cache counts at its next use."""
        made: Principal | None = self.__dict__.get("principal")
        return self.vectors.nbytes + (0 if made is None else made.nbytes)

    @cached_property
    def digest(self) -> str:
        """Equal for equal vectors, whatever their files are called."""
        found = hashlib.sha256(repr(self.vectors.shape).encode("ascii"))
        found.update(np.ascontiguousarray(self.vectors, "<f4").data)
        return found.hexdigest()

    @cached_property
    def principal(self) -> Principal:
        """Its principal components, as many as travel."""
        return principal(self.vectors, MAX_COMPONENTS)

    @cached_property
    def summary(self) -> Summary:
        """The facts that name its projections."""
        points, directed = (np.count_nonzero(comparable(self.vectors, metric)) for metric in ("euclidean", "cosine"))
        return Summary(self.digest, len(self.vectors), int(points), int(directed))


def comparable(vectors: Vectors, metric: str) -> NDArray[np.bool_]:
    """Return bool[n]: which rows have a distance to others by a metric, "euclidean" or "cosine"."""
    is_finite: NDArray[np.bool_] = np.isfinite(vectors).all(axis=1)
    return is_finite & vectors.any(axis=1) if metric == "cosine" else is_finite


class _Cache:
    """Vectors of one log directory, those that were used least recently first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Key, KeptVectors] = OrderedDict()
        self._summaries: OrderedDict[_Key, tuple[Hashable, Summary]] = OrderedDict()
        self._reading: dict[_Key, threading.Lock] = {}
        self._readers = Readers()
        self._is_closed = False

    def peek(self, run: str, embedding: Embedding) -> KeptVectors | None:
        with self._lock:
            kept = self._kept.get((run, embedding.name))
        return kept if kept is not None and kept.revision == embedding.revisions[0] else None

    def get(self, run: str, embedding: Embedding) -> KeptVectors:
        key = run, embedding.name
        with self._lock:
            reading = self._reading.setdefault(key, threading.Lock())
        with reading:  # another thread may be reading them
            revision = embedding.revisions[0]
            kept = self.peek(run, embedding)
            if kept is None:
                with self._readers.own():
                    kept = KeptVectors(embedding.vectors, revision)
            self._keep(key, kept)
        return kept

    def _keep(self, key: _Key, kept: KeptVectors) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._kept[key] = kept
            self._kept.move_to_end(key)
            size = sum(one.nbytes for one in self._kept.values())
            while size > MAX_KEPT_BYTES and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                size -= dropped.nbytes

    def summary(self, run: str, embedding: Embedding) -> Summary:
        known = self.peek_summary(run, embedding)
        if known is not None:
            return known
        kept = self.get(run, embedding)
        found = kept.summary
        with self._lock:
            self._summaries[run, embedding.name] = kept.revision, found
            while len(self._summaries) > MAX_SUMMARIES:
                self._summaries.popitem(last=False)
        return found

    def peek_summary(self, run: str, embedding: Embedding) -> Summary | None:
        with self._lock:
            revision, known = self._summaries.get((run, embedding.name), (None, None))
        return known if revision == embedding.revisions[0] else None

    def close(self) -> None:
        """Keep nothing more, and end the processes that read."""
        with self._lock:
            self._is_closed = True
            self._kept.clear()
        self._readers.close()


_Key = tuple[str, str]  # run, and name of the embedding

_caches: weakref.WeakKeyDictionary[Logs, _Cache] = weakref.WeakKeyDictionary()
_closed: weakref.WeakSet[Logs] = weakref.WeakSet()
"""Logs whose last dashboard was closed: a worker may still be reading for it."""
_lock = threading.Lock()


def _cache_of(logs: Logs) -> _Cache:
    with _lock:
        if logs in _closed:
            return _Cache()  # for this question alone
        return _caches.setdefault(logs, _Cache())


def kept_vectors(logs: Logs, run: str, embedding: Embedding) -> KeptVectors:
    """Return the vectors of an embedding; they are read unless they are kept. Raises what reading them raises."""
    return _cache_of(logs).get(run, embedding)


def peek_vectors(logs: Logs, run: str, embedding: Embedding) -> KeptVectors | None:
    """Return the vectors of an embedding if they are kept; nothing is read."""
    with _lock:
        cache = _caches.get(logs)
    return None if cache is None else cache.peek(run, embedding)


def peek_summary(logs: Logs, run: str, embedding: Embedding) -> Summary | None:
    """Return the summary of an embedding if it is kept; nothing is read."""
    with _lock:
        cache = _caches.get(logs)
    return None if cache is None else cache.peek_summary(run, embedding)


def keep_vectors(logs: Logs) -> None:
    """Keep the vectors of a log directory from now on, as before its first dashboard."""
    with _lock:
        _closed.discard(logs)


def drop_vectors(logs: Logs) -> None:
    """Keep the vectors of a log directory no longer, and end the processes that read them."""
    with _lock:
        _closed.add(logs)
        cache = _caches.pop(logs, None)
    if cache is not None:
        cache.close()


def embedding_named(logs: Logs, run: object, tag: object, step: object) -> tuple[str, Embedding]:
    """Return the run and the embedding that a browser calls so: by its name without the step, and by its step.

    The step is decimal text; "0" and None also mean the embedding whose name has no step. Raises Refusal where there is
    none.
    """
    if not isinstance(run, str) or not isinstance(tag, str) or not (step is None or _is_decimal(step)):
        raise Refusal(Reason("malformed-request", expected="an embedding"))
    number = int(step or 0)  # type: ignore[call-overload]  # a str, or None
    runs = [name for name in logs.tags().get("embeddings", {}) if escape_surrogates(name) == run]
    found = [
        (name, embedding)
        for name in runs
        for embedding in logs.embeddings(name)
        if escape_surrogates(embedding.tag) == tag and (embedding.step or 0) == number
    ]
    if not found:
        raise Refusal(Reason("no-such-embedding"))
    return found[-1]


def _is_decimal(step: object) -> bool:
    return isinstance(step, str) and re.fullmatch(r"-?[0-9]{1,19}", step) is not None


def readable_vectors(logs: Logs, run: str, embedding: Embedding) -> KeptVectors:
    """Return the vectors of an embedding. Raises Refusal where they cannot be read, with the reason."""
    try:
        return kept_vectors(logs, run, embedding)
    except EmbeddingError as error:
        raise Refusal(error.reason or reason_of(error)) from error


def readable_summary(logs: Logs, run: str, embedding: Embedding) -> Summary:
    """Return the summary of an embedding; its vectors are read unless it is kept. Raises Refusal as those do."""
    try:
        return _cache_of(logs).summary(run, embedding)
    except EmbeddingError as error:
        raise Refusal(error.reason or reason_of(error)) from error
