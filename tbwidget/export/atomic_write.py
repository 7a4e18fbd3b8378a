"""Files that are written whole, or not at all."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


@contextmanager
def atomic_write(target: str | os.PathLike[str]) -> Iterator[Path]:
    """The path to write to: a new file, which takes the place of `target` at the end, unless something was raised.

    A path that is no regular file, such as a pipe or /dev/stdout, is written to directly.
    """
    path = Path(target)
    if path.exists() and not path.is_file():
        yield path
        return
    path = path.resolve()  # a link stays one
    written = path.with_name(f".tbwidget-{secrets.token_hex(8)}")
    written.touch(exist_ok=False)  # may be read by those who may read any other new file, unlike a `tempfile`
    try:
        yield written
        written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
