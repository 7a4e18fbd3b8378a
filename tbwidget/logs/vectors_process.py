"""Reading vectors, here or in a process of its own, where it keeps no other thread of Python waiting.

This file is run as a script, with nothing of the package but itself: `table` reads a table of numbers from standard
input, `checkpoint PREFIX NAME` a tensor of a TensorFlow checkpoint. On standard output follows a line of JSON,
{"shape": [rows, columns]} or {"error": text}, then the numbers as little-endian float32, row by row.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

MAX_LINE_BYTES = 1 << 22
"""Bytes of a line that is parsed: numpy would take many times as much to split a longer one."""

MAX_NUMBERS = 1 << 28
"""Numbers of one embedding, which take 1.1 GB."""


def parse_table(lines: Iterable[bytes]) -> npt.NDArray[np.float32]:
    """Return float32[n, d] of tab-separated text, a row a line. Raises ValueError where it is no such table."""
    try:
        return np.loadtxt(_texts(lines), np.float32, comments=None, delimiter="\t", ndmin=2)
    except ValueError as error:
        raise ValueError(_plain(str(error))) from error


def _plain(text: str) -> str:
    """Return what numpy says without its advice to programmers; of its two texts, one counts rows from 0."""
    text = text.partition("; use `usecols`")[0].removesuffix(".")
    return re.sub(r"at row (\d+), column", lambda found: f"at row {int(found[1]) + 1}, column", text)


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    # A generator on purpose: numpy runs Python code for each line, which lets other threads run in between.
    numbers = 0
    for line in lines:
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(f"a line of {len(line)} bytes")
        numbers += line.count(b"\t") + 1
        if numbers > MAX_NUMBERS:
            raise ValueError(f"more than {MAX_NUMBERS:,} numbers")
        yield line.rstrip(b"\r\n").decode("utf-8")


def _checkpoint(prefix: str, name: str) -> npt.NDArray[np.float32]:
    import tensorflow  # noqa: ICN001, PLC0415 (takes seconds)

    if tensorflow.io.gfile.isdir(prefix):  # it would read another one, which a file in it names
        raise ValueError("it is a directory")
    reader = tensorflow.train.load_checkpoint(prefix)
    shapes = reader.get_variable_to_shape_map()
    found = name if name in shapes else name.removesuffix(":0")
    if found not in shapes:
        matrices = sorted(other for other, shape in shapes.items() if len(shape) == 2)  # noqa: PLR2004
        raise ValueError(f"it has no tensor {name!r}; its matrices are {', '.join(matrices[:10]) or 'none'}")
    shape = shapes[found]
    if len(shape) != 2 or shape[0] * shape[1] > MAX_NUMBERS:  # noqa: PLR2004 (rows and columns)
        raise ValueError(f"the tensor has shape {list(shape)}; a matrix of at most {MAX_NUMBERS:,} numbers is expected")
    return np.asarray(reader.get_tensor(found), np.float32)


def _main() -> None:
    out = sys.stdout.buffer
    head: dict[str, Any]
    try:
        task, *given = sys.argv[1:]
        vectors = parse_table(sys.stdin.buffer) if task == "table" else _checkpoint(*given)
        head = {"shape": list(vectors.shape)}
    except Exception as error:  # noqa: BLE001 (whatever is wrong is told in words)
        vectors = np.empty((0, 0), np.float32)
        head = {"error": str(error) or type(error).__name__}
    out.write(json.dumps(head).encode("ascii") + b"\n")
    out.write(np.ascontiguousarray(vectors, "<f4").data)
    out.flush()


if __name__ == "__main__":
    _main()
