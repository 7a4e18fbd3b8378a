"""Cases that atheris (libFuzzer for Python) finds by the code of the reading path that they reach.

The first byte of an input selects the target, the rest is its argument. The engine changes inputs byte by byte, or
half of the time with `mutations`, which keep a message parsable.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["tbwidget.records", "tbwidget.logs"]):
    from tbwidget.records.columnar.layouts import LayoutTable
    from tbwidget.records.values.summary import TagTable
    from tests.fuzz import targets
    from tests.fuzz.mutations import mutated, real_records
    from tests.support.eager import eager

_RECORDS = real_records()


def run(data: bytes) -> None:
    """Run one input."""
    if not data:
        return
    which, content = data[0] % targets.TARGETS, data[1:]
    if which == 0:
        targets.framing(content)
    elif which == 1:
        with eager():
            targets.layouts([content] * 20, LayoutTable(TagTable()))
    elif which == 2:
        targets.tensors(content)
    else:
        written = targets.Written()
        written.add(content)
        written.add(_RECORDS[data[0] % len(_RECORDS)])
        targets.directory(written, [0.5] if data[0] & 4 else [])


def change(data: bytes, longest: int, seed: int) -> bytes:
    """Change an input for the next run."""
    random = Random(seed)
    if random.random() < 0.5 or len(data) < 2:
        changed: bytes = atheris.Mutate(data, longest)
        return changed
    return (data[:1] + mutated(data[1:], random, _RECORDS))[:longest]


def main() -> None:
    """Run like libFuzzer; the first argument is the folder of inputs that reached new code."""
    corpus = Path(sys.argv[1])
    if not any(corpus.iterdir()):
        for number, payload in enumerate(_RECORDS):
            for which in range(targets.TARGETS):
                (corpus / f"{which}-{number}").write_bytes(bytes([which]) + payload)
    atheris.Setup(sys.argv, run, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
