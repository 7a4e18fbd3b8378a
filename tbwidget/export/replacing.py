"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(target: str | os.PathLike[str]) -> Iterator[Path]:
    """The path to write to: a new file, which takes the place of `target` at the end, unless something was raised.

    What is there and no regular file, such as a pipe or /dev/stdout, is written to as it is.
    """
    path = Path(target)
    if path.exists() and not path.is_file():
        yield path
        return
    path = path.resolve()  # a link stays one
    number, name = mkstemp(dir=path.parent, prefix=".tbwidget-")
    os.close(number)
    written = Path(name)
    try:
        yield written
        written.chmod(0o666 & ~_umask())  # as any other file, not as a temporary one
        written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
