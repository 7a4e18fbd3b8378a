"""Threads of Python: shorter turns while one of them computes, and hosts that may have none.

In Pyodide (JupyterLite) no thread can be started, and none has a clock.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
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


_TURN = 0.0001  # s

_lock = threading.Lock()
_users = 0
_before = 0.0  # s, the length of a turn before the first user came
_short = 0.0  # s, what the first user made of it: whole microseconds, as the interpreter keeps them


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """A context in which a thread waits 0.1 ms instead of 5 for Python's lock, where another computes all the time.

    A file costs tens of such waits, so that beside a busy cell they, not the reading, are what a first look takes. The
    length of a turn (`sys.setswitchinterval`) belongs to the whole process. It is restored when the last user has left,
    unless other code has set it in between.
    """
    global _users, _before, _short  # noqa: PLW0603 (there is one interpreter, and so one length of a turn)
    with _lock:
        if not _users:
            _before = sys.getswitchinterval()
        _users += 1  # first, for a child that is forked here puts back what is used
        if _users == 1 and _before > _TURN:
            sys.setswitchinterval(_TURN)
            _short = sys.getswitchinterval()
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                _put_back()


def _put_back() -> None:
    if sys.getswitchinterval() == _short:
        sys.setswitchinterval(_before)


def _after_fork() -> None:
    """The users were threads, which a child does not have; one may have held the lock."""
    global _lock, _users  # noqa: PLW0603
    _lock = threading.Lock()
    if _users:
        _users = 0
        _put_back()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
