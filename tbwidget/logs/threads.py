"""Threads, where a host may have none: in Pyodide (JupyterLite) none can be started, and none has a clock."""

from __future__ import annotations

import sys
import threading
import time
from functools import cache

thread_time = getattr(time, "thread_time", time.process_time)
"""CPU seconds of this thread; of the process where threads do not exist."""

_MAY_HAVE_NONE = sys.platform in ("emscripten", "wasi")


@cache
def have_threads() -> bool:
    """Whether threads can be started. Where not, nothing is followed, and work is done where it is asked for.

    Raises `RuntimeError` where there are threads, but no further one may be started now: that can pass.
    """
    trial = threading.Thread(target=int, name="tbwidget-trial", daemon=True)
    try:
        trial.start()
    except RuntimeError:  # "can't start new thread"
        if not _MAY_HAVE_NONE:
            raise
        return False
    trial.join()
    return True
