"""A context without warnings, of one thread: what a decoder thinks of damaged bytes is not for the notebook's output.

`warnings.catch_warnings` changes the filters of all threads, unless they follow contexts (an option since Python 3.14).
So there is one more filter, which holds while a thread is in such a context, and only for that thread.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class _ThisThread(threading.local):
    """As the pattern of a filter that modules are matched with."""

    depth = 0

    def match(self, _module: str) -> bool:
        return self.depth > 0


_this_thread = _ThisThread()
_FILTER = ("ignore", None, Warning, _this_thread, 0)


@contextmanager
def suppress_warnings() -> Iterator[None]:
    """Ignore all warnings of this thread inside the context."""
    if getattr(sys.flags, "context_aware_warnings", False):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
        return
    filters = warnings.filters
    # A filter that other code has added in between stands before ours.
    if isinstance(filters, list) and (not filters or filters[0] is not _FILTER):
        if _FILTER in filters:
            filters.remove(_FILTER)
        filters.insert(0, _FILTER)
    _this_thread.depth += 1
    try:
        yield
    finally:
        _this_thread.depth -= 1
