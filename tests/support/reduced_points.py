"""Points of an embedding, whole and reduced for a page with little room: js/tests/fixtures/reduced_points.json.

Both sides reduce the same blob: python -m tests.support.reduced_points > js/tests/fixtures/reduced_points.json
"""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

import tbwidget
from tbwidget.panels.projector_blobs import points_blob, reduced_points

COUNT = 300
GREEK = "\N{GREEK SMALL LETTER ALPHA}\N{GREEK SMALL LETTER BETA}"


def whole() -> bytes:
    """Return points with a column of each sort; one point has no place."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(COUNT, 6)) * (300, 40, 5, 1, 0.2, 0.01)
    vectors[17] = np.nan
    rows = [f"{'abc'[i % 3]}\tpoint {i}\t{i % 50 / 4 if i % 7 else ''}\t{i / 10}\t{GREEK[i % 2]}" for i in range(COUNT)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.savetxt(folder / "v.tsv", vectors, "%.4f", "\t")
        (folder / "m.tsv").write_text("\n".join(["kind\tname\tquarters\ttenths\tgreek", *rows]), "utf-8")
        (folder / "projector_config.pbtxt").write_text(
            'embeddings { tensor_name: "e" tensor_path: "v.tsv" metadata_path: "m.tsv" }'
        )
        logs = tbwidget.load(folder)
        return points_blob(logs, ".", logs.embeddings(".")[0])


def main() -> None:
    """Print both blobs in base64."""
    blob = whole()
    both = {"whole": blob, "reduced": reduced_points(blob) or b""}
    json.dump({name: base64.b64encode(data).decode("ascii") for name, data in both.items()}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
