"""Embeddings with one error each, and some without an error."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

POINTS = 60
CONFIG = "projector_config.pbtxt"


def write_bad_embeddings(run: Path) -> None:
    """Write a run whose embeddings "a good one" and "z good one" are valid; the other names are errors."""
    run.mkdir(parents=True)
    good = np.random.default_rng(0).normal(0, 1, (POINTS, 5)) + np.eye(3, 5)[np.arange(POINTS) % 3] * 5
    tables = {
        "good": good,
        "one": good[:1],
        "constant": np.full((POINTS, 5), 2.5),
        "zeros": np.zeros((POINTS, 5)),
        "some": np.where(np.arange(POINTS)[:, None] % 20 == 7, np.nan, good),
        "none": np.full((POINTS, 5), np.inf),
        "flat": good[:, :1],
    }
    for name, vectors in tables.items():
        np.savetxt(run / f"{name}.tsv", vectors, delimiter="\t", fmt="%.6f")
    (run / "nothing.tsv").write_bytes(b"\n")
    (run / "ragged.tsv").write_text("1\t2\t3\n4\t5\n6\t7\t8\n")
    (run / "words.tsv").write_text("1\t2\nthree\tfour\n")
    (run / "raw.bytes").write_bytes(good.astype("<f4").tobytes())
    kinds = [f"{('bird', 'fish', 'tree')[i % 3]}\tpoint {i}" for i in range(POINTS)]
    (run / "kinds.tsv").write_text("\n".join(["kind\tname", *kinds]) + "\n")
    (run / "few.tsv").write_text("\n".join(["kind\tname", *kinds[:50]]) + "\n")
    (run / "cells.tsv").write_text("\n".join(["kind\tname", *kinds[:59], "bird"]) + "\n")
    (run / "huge.png").write_bytes(_png_header(60_000, 60_000))
    (run / "small.png").write_bytes(_png_header(20, 20))
    (run / "text.png").write_text("no image")
    image = 'sprite { image_path: "%s" single_image_dim: %d single_image_dim: %d }'
    kinds_path = 'metadata_path: "kinds.tsv"'
    shape = "tensor_shape: %d tensor_shape: %d"
    described = {
        "a good one": ("good.tsv", kinds_path),
        "cells": ("good.tsv", 'metadata_path: "cells.tsv"'),
        "constant": ("constant.tsv", kinds_path),
        "flat": ("flat.tsv", kinds_path),
        "missing metadata": ("good.tsv", 'metadata_path: "gone.tsv"'),
        "missing vectors": ("gone.tsv", kinds_path),
        "no numbers": ("words.tsv", kinds_path),
        "no points": ("nothing.tsv", ""),
        "none finite": ("none.tsv", kinds_path),
        "one point": ("one.tsv", ""),
        "outside metadata": ("good.tsv", 'metadata_path: "../../secret.tsv"'),
        "outside sprite": ("good.tsv", f"{kinds_path} {image % ('/etc/passwd', 4, 4)}"),
        "outside vectors": ("../../secret.tsv", kinds_path),
        "ragged": ("ragged.tsv", ""),
        "rows": ("good.tsv", 'metadata_path: "few.tsv"'),
        "shape of binary": ("raw.bytes", f"{kinds_path} {shape % (POINTS, 7)}"),
        "shape of table": ("good.tsv", f"{kinds_path} {shape % (POINTS, 7)}"),
        "some finite": ("some.tsv", kinds_path),
        "sprite too large": ("good.tsv", f"{kinds_path} {image % ('huge.png', 1000, 1000)}"),
        "sprite is text": ("good.tsv", f"{kinds_path} {image % ('text.png', 4, 4)}"),
        "sprite of other size": ("good.tsv", f"{kinds_path} {image % ('small.png', 64, 64)}"),
        "without shape": ("raw.bytes", kinds_path),
        "z good one": ("good.tsv", kinds_path),
        "zeros": ("zeros.tsv", kinds_path),
    }
    entry = 'embeddings {{ tensor_name: "{}" tensor_path: "{}" {} }}'
    entries = [entry.format(name, path, more) for name, (path, more) in described.items()]
    entries += ['embeddings { tensor_name: "checkpoint" }', 'model_checkpoint_path: "model.ckpt"']
    (run / CONFIG).write_text("\n".join(entries) + "\n")
    (run / "model.ckpt.index").write_bytes(b"not an index")


def _png_header(width: int, height: int) -> bytes:
    """Return the header of a PNG with its size; the file ends in its first pixels."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return head + struct.pack(">I", 1 << 20) + b"IDAT" + zlib.compress(bytes(100))
