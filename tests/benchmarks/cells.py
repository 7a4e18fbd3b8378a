"""Cells of the notebooks that benchmarks run: they show, train, and measure the kernel's side."""

from __future__ import annotations

from pathlib import Path

TAGS = 4
"""Tags written at each flush."""

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("bench-logs")
display(board)
"""

CLOSE = "board.close()"

BUSY = """
import time
until = time.monotonic() + 60
while time.monotonic() < until:
    sum(range(1000))
"""
"""A cell that keeps the GIL as long as it can."""

_WRITER = """
import json, sys, threading, time
from pathlib import Path
import numpy as np
sys.path.append({root!r})
from tbwidget.proto.event_pb2 import Event
from tests.benchmarks import logs
from tests.support.eventfiles import record

path = Path("bench-logs/run") / logs.NAME
path.parent.mkdir(parents=True, exist_ok=True)
written = path.open("ab", buffering=0)
random = np.random.default_rng(0)
step = globals().get("step", 0)


def flush_next():
    "Append one event a tag in one write, as a writer does that flushes."
    global step
    events = []
    for number in range({tags}):
        event = Event(wall_time=time.time(), step=step)
        event.summary.value.append(logs.simple(number, 1 / (1 + step)))
        events.append(record(event.SerializeToString()))
    step += 1
    written.write(b"".join(events))
"""


def flushing(root: Path, count: int, interval: float) -> str:
    """Train and flush `count` times, about every `interval` seconds; prints [step, wall time just after] of each."""
    training = f"""
flushed = []
for _ in range({count}):
    until = time.monotonic() + {interval} * random.uniform(0.6, 1.4)
    while time.monotonic() < until:
        np.linalg.qr(random.normal(size=(100, 100)))
    flush_next()
    flushed.append([step - 1, time.time()])
written.close()
print(json.dumps(flushed))
"""
    return _WRITER.format(root=str(root), tags=TAGS) + training


_CLOCKS = """
def clocks():
    "Wall and CPU seconds so far: of all, of this thread, of tbwidget's two."
    def cpu(name):
        named = [thread.ident for thread in threading.enumerate() if thread.name.startswith(name)]
        return sum(time.clock_gettime(time.pthread_getcpuclockid(ident)) for ident in named)
    return (
        time.monotonic(),
        time.process_time(),
        time.thread_time(),
        cpu("tbwidget-follower"),
        cpu("tbwidget-sender"),
    )


def since(begin):
    wall, process, own, follower, push = (after - before for after, before in zip(clocks(), begin))
    return dict(wall=wall, own=own, follower=follower, push=push, others=process - own - follower - push)
"""


def growing(root: Path, tags: int, count: int, interval: float) -> str:
    """Flush a point of each of many tags `count` times; prints [step, wall time just after] of each, and its cost."""
    waiting = f"""
flushed, begin = [], clocks()
for _ in range({count}):
    time.sleep({interval})
    flush_next()
    flushed.append([step - 1, time.time()])
print(json.dumps(dict(flushed=flushed, **since(begin))))
"""
    return _WRITER.format(root=str(root), tags=tags) + _CLOCKS + waiting


def work(root: Path, seconds: float) -> str:
    """Define `train()`: fixed work of about `seconds`, with 100 points written a second; prints its cost."""
    training = f"""
matrix = random.normal(size=(100, 100))
rounds = 20


def measured(flushes):
    "Wall and CPU seconds of some training by thread: this one's, tbwidget's two, all others'."
    begin = clocks()
    for _ in range(flushes):
        for _ in range(rounds):
            np.linalg.qr(matrix)
        flush_next()
    return since(begin)


# As many rounds of work as let 100 points be written in a second.
while (pace := measured(25)["wall"]) < 0.95 or pace > 1.05:
    rounds = max(1, round(rounds / pace))


def train():
    print(json.dumps(measured(round(25 * {seconds}))))
"""
    return _WRITER.format(root=str(root), tags=TAGS) + _CLOCKS + training


def end_tensorboard(logdir: Path) -> str:
    """End the server that `%tensorboard` started for a log directory."""
    return f"""
import os, signal
from tensorboard import manager
for info in manager.get_all():
    if info.logdir == {str(logdir)!r}:
        os.kill(info.pid, signal.SIGTERM)
"""
