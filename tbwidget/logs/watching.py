"""Reading while this thread shows how far that has come, and can be interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tbwidget.language import worded
from tbwidget.logs.threads import have_threads
from tbwidget.texts import format_size

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource, Progress

Show = Callable[["Progress"], None]

_INTERVAL_S = 0.1
_PATIENCE_S = 2.0  # to wait for a reading that was interrupted; a request that cannot be stopped takes longer


def refresh_watched(source: LogSource, show: Show) -> None:
    """Read as `refresh` does, in another thread, and call `show` ten times a second in this one.

    An interruption of this thread stops the reading, and is raised.
    """
    if not have_threads():
        source.refresh()
        show(source.progress)
        return
    errors: list[BaseException] = []

    def read() -> None:
        try:
            source.refresh()
        except BaseException as error:  # noqa: BLE001 (raised in the thread that waits)
            errors.append(error)

    thread = threading.Thread(target=read, name="tbwidget-loading", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            show(source.progress)
            thread.join(_INTERVAL_S)
        show(source.progress)
    except BaseException:
        source.stop()
        thread.join(_PATIENCE_S)
        raise
    if errors:
        raise errors[0]


def describe(progress: Progress, *, sizes: bool = True, language: str = "en") -> str:
    """Return a line for people: "listing: 12,000 entries", "reading: 3 of 12 files, 1.2 MB of 36 MB".

    Without `sizes`, leave the bytes read to a bar beside it.
    """
    if progress.phase == "listing":
        entries = "1 entry" if progress.entries == 1 else "{count:,} entries"
        return worded(f"listing: {entries}", language, count=progress.entries)
    files = "{read:,} of 1 file" if progress.files == 1 else "{read:,} of {count:,} files"
    parts = [worded(files, language, read=progress.files_read, count=progress.files)]
    if sizes:
        read, found = map(format_size, (progress.bytes_read, progress.bytes_found))
        parts.append(worded("{read} of {found}", language, read=read, found=found))
    if progress.bytes_fetched:
        parts.append(worded("{size} fetched", language, size=format_size(progress.bytes_fetched)))
    return f"{worded(progress.phase, language)}: {', '.join(parts)}"


@contextmanager
def progress_bar() -> Iterator[Show]:
    """Yield a function that shows progress in a bar of tqdm: the bytes read, and the present step in words.

    Raises ImportError, which says what to install.
    """
    try:
        from tqdm.auto import tqdm  # noqa: PLC0415 (an extra)
    except ImportError:
        raise ImportError('progress=True needs tqdm: pip install "tbwidget[remote]"') from None
    with tqdm(unit="B", unit_scale=True) as bar:

        def show(progress: Progress) -> None:
            bar.total = progress.bytes_found or None
            bar.n = progress.bytes_read
            # The bar stays when all is read.
            bar.set_description(describe(progress, sizes=False).replace("ready:", "read:"), refresh=False)
            bar.refresh()

        yield show
