"""Logs of real writers with what an independent reader found in them, and large graphs: unpacked once, into build/.

`corpus/INDEX.json` describes each directory. TensorBoard's own reader computed the `expected.json` next to its `logs`.
"""

from __future__ import annotations

import hashlib
import os
import tarfile
import tempfile
from pathlib import Path

_ARCHIVE = Path(__file__).parents[1] / "data/corpus.tar.xz"
_BUILD = Path(__file__).parents[2] / "build"


def _unpacked() -> Path:
    """The folder of the archive as it is now. Several processes may come at once."""
    folder = _BUILD / f"corpus-{hashlib.sha256(_ARCHIVE.read_bytes()).hexdigest()[:12]}"
    if not folder.is_dir():
        _BUILD.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_BUILD) as made:
            with tarfile.open(_ARCHIVE) as archive:
                if hasattr(tarfile, "data_filter"):  # not in Python before 3.11.4
                    archive.extraction_filter = tarfile.data_filter
                archive.extractall(Path(made) / "all")  # noqa: S202 (our own archive)
            try:
                os.rename(Path(made) / "all", folder)  # noqa: PTH104 (as one step, or not at all)
            except OSError:
                if not folder.is_dir():
                    raise
    return folder


CORPUS = _unpacked() / "corpus"
LARGE_GRAPHS = _unpacked() / "graphs"
