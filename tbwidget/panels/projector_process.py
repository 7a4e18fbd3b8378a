"""The program of the process that computes UMAP or t-SNE. It imports nothing of tbwidget.

Its input is one line of JSON (`method`, `dimensions`, `parameters`, `shape`, `path`: where modules are imported from),
then float32[shape], row by row. The input stays open while the result is wanted. The process ends when it closes, in
whatever way its parent ended. The output is lines of JSON: `{"phase": "compiling"}`, `{"phase": "neighbors"}`,
`{"phase": "layout", "done": 3, "total": 500}`, or `{"error": "…"}`. The last one is `{"phase": "done"}`, and
float32[n, dimensions] follows.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Report = Callable[[dict[str, Any]], None]

SEED = 0
"""The same vectors and parameters give the same picture."""

_NICENESS = 10
_CHUNK = 1 << 20  # bytes read at once
_EARLY, _LATE = 250, 500  # gradient steps of t-SNE: with exaggeration, and then without
_STEPS_BETWEEN_REPORTS = 10
_APPROXIMATE = 4096  # points from which umap-learn searches neighbors approximately, by other code
_FEW = 64  # points that are enough for that code to be compiled


def umap(vectors: Any, dimensions: int, parameters: dict[str, Any], report: Report) -> Any:
    """Compute UMAP by umap-learn."""
    import umap as library  # noqa: PLC0415 (takes seconds)

    def model(neighbors: int, **given: Any) -> Any:
        return library.UMAP(
            n_components=dimensions,
            n_neighbors=neighbors,
            min_dist=parameters["min_dist"],
            metric=parameters["metric"],
            # The spectral start needs many more points than dimensions.
            init="spectral" if len(vectors) > _FEW else "random",
            random_state=SEED,
            n_jobs=1,
            **given,
        )

    report({"phase": "compiling"})
    few = vectors[:_FEW]
    is_approximate = len(vectors) >= _APPROXIMATE
    model(min(parameters["neighbors"], len(few) - 1), n_epochs=1, force_approximation_algorithm=is_approximate).fit(few)
    report({"phase": "neighbors"})
    # The bar is the only way to hear of the epochs.
    bar = {"disable": False, "file": _Epochs(report), "bar_format": "{n}/{total}", "mininterval": 0.2}
    return model(parameters["neighbors"], tqdm_kwds=bar).fit_transform(vectors)


class _Epochs:
    """Takes what a progress bar of tqdm writes, and reports it."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def write(self, text: str) -> int:
        found = re.search(r"(\d+)/(\d+)", text)
        if found:
            self._report({"phase": "layout", "done": int(found[1]), "total": int(found[2])})
        return len(text)

    def flush(self) -> None:
        """Do nothing: a file has this."""


def tsne(vectors: Any, dimensions: int, parameters: dict[str, Any], report: Report) -> Any:
    """Compute t-SNE by openTSNE."""
    import openTSNE as library  # noqa: N813, PLC0415 (takes seconds)

    report({"phase": "neighbors"})
    before = 0

    def step(number: int, _error: float, _embedding: Any) -> None:
        nonlocal before
        report({"phase": "layout", "done": before + number, "total": _EARLY + _LATE})
        if number == _EARLY and not before:
            before = _EARLY

    model = library.TSNE(
        n_components=dimensions,
        perplexity=parameters["perplexity"],
        metric=parameters["metric"],
        # Principal components need more dimensions, and a variance.
        initialization="pca" if vectors.shape[1] >= dimensions and vectors.std(axis=0).any() else "random",
        early_exaggeration_iter=_EARLY,
        n_iter=_LATE,
        # The faster method knows two dimensions only.
        negative_gradient_method="bh" if dimensions > 2 else "auto",  # noqa: PLR2004
        n_jobs=max(1, (os.cpu_count() or 1) // 2),
        random_state=SEED,
        callbacks=step,
        callbacks_every_iters=_STEPS_BETWEEN_REPORTS,
    )
    return model.fit(vectors)


METHODS = {"umap": umap, "tsne": tsne}


def _end_with_input() -> None:
    """End this process when its input closes, also while compiled code holds the lock of the interpreter."""
    try:
        import fcntl  # noqa: PLC0415 (not on Windows)

        # The signal's default action ends a process without the interpreter's help.
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):
        pass

    def wait() -> None:
        while os.read(0, _CHUNK):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _read(count: int) -> bytearray:
    data = bytearray()
    while len(data) < count:
        got = os.read(0, min(_CHUNK, count - len(data)))
        if not got:
            os._exit(1)
        data += got
    return data


def _read_line() -> bytes:
    line = bytearray()
    while (byte := _read(1)) != b"\n":
        line += byte
    return bytes(line)


def main() -> None:
    """Read the task, carry it out, and write the result."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no part of the output

    def report(line: dict[str, Any]) -> None:
        output.write(json.dumps(line).encode("ascii") + b"\n")
        output.flush()

    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    try:
        task = json.loads(_read_line())
        rows, columns = task["shape"]
        data = _read(rows * columns * 4)
        _end_with_input()
        sys.path[:] = task["path"]
        import numpy as np  # noqa: PLC0415 (found by the path)

        warnings.simplefilter("ignore")
        vectors = np.frombuffer(data, "<f4").reshape(rows, columns)
        made = METHODS[task["method"]](vectors, task["dimensions"], task["parameters"], report)
        placed = np.ascontiguousarray(made, "<f4")
        if placed.shape != (rows, task["dimensions"]):
            raise ValueError(f"the library made an array of shape {placed.shape}")  # noqa: TRY301
    except BaseException as error:  # noqa: BLE001 (whatever a library raises is shown)
        report({"error": f"{type(error).__name__}: {error}"[:1000]})
    else:
        report({"phase": "done"})
        output.write(placed.tobytes())
        output.flush()
    os._exit(0)  # no thread of a library keeps it


if __name__ == "__main__":
    main()
