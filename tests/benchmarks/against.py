"""`make bench ARGS="--against REVISION"`: measures this checkout and another revision alternately.

This checkout's benchmarks and interpreter measure the other revision's library, because that revision may lack the
benchmark. Both read the same files. Measurements that it cannot run are named and left out.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.compared import IN_THE_BROWSER, SECTIONS, Case, Figures, Sizes

ROOT = Path(__file__).parents[2]
WORST_RATIO = 1.1
"""A figure is no worse if the median of its pairs' ratios is at most this."""
_TIMEOUT_S = 1800


class NotMeasuredError(Exception):
    """A revision cannot run a measurement; the message says why."""


class Comparison(NamedTuple):
    """One figure of both revisions, in pairs measured one after the other."""

    section: str
    name: str
    old: list[float]
    new: list[float]

    @property
    def ratio(self) -> float:
        """Median of the pairs' ratios, new to old: a temporary slowdown of the machine affects both."""
        return statistics.median(map(_ratio, self.new, self.old))

    @property
    def is_no_worse(self) -> bool:
        """Whether the ratio is at most `WORST_RATIO`."""
        return self.ratio <= WORST_RATIO

    def row(self) -> str:
        """Return a line of the table."""
        medians = "".join(f"{statistics.median(figures):11.4g}" for figures in (self.old, self.new))
        return f"  {self.name:66}{medians}{self.ratio:8.2f}  {'no worse' if self.is_no_worse else 'WORSE'}"


def _ratio(new: float, old: float) -> float:
    """Return the ratio; two zeros, and two infinities, are equal."""
    if new == old:
        return 1.0
    return new / old if old else math.inf


def in_turn(
    case: Case, pairs: int, measure_old: Callable[[], Figures], measure_new: Callable[[], Figures]
) -> tuple[list[tuple[str, list[float], list[float]]], list[str]]:
    """Measure old, new, old, new …; return name, old and new figures if both have them, and the other names."""
    old: list[Figures] = []
    new: list[Figures] = []
    for _ in range(pairs):
        old.append(measure_old())
        new.append(measure_new())
    # A figure may be missing, such as the one of a button that a revision lacks.
    names = dict.fromkeys(name for figures in (*new, *old) for name in figures)
    lacking = [name for name in names if not all(name in figures for figures in (*old, *new))]
    found = [
        (f"{case.name}, {name}", [one[name] for one in old], [one[name] for one in new])
        for name in names
        if name not in lacking
    ]
    return found, [f"{case.name}, {name}" for name in lacking]


def summary(compared: Sequence[Comparison], left_out: Sequence[str]) -> str:
    """Return one line with the number of figures that are no worse, the worse ones, and those not compared."""
    worse = [f"{one.section}: {one.name} {one.ratio:.2f}" for one in compared if not one.is_no_worse]
    parts = [f"{len(compared) - len(worse)} of {len(compared)} figures no worse (ratio at most {WORST_RATIO})"]
    if worse:
        parts.append(f"{len(worse)} worse: {'; '.join(worse)}")
    if left_out:
        parts.append(f"not compared: {', '.join(left_out)}")
    return ". ".join(parts)


def measured(root: Path, case: Case, logdir: Path | None) -> Figures:
    """Measure a case in a fresh process that imports everything from one checkout."""
    arguments = [*([str(logdir)] if logdir else []), *case.arguments]
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.compared", case.measurement.__name__, *arguments],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},  # before the editable installation of this checkout
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotMeasuredError(f"it takes more than {_TIMEOUT_S:g} s") from None
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise NotMeasuredError(next((line for line in reversed(lines) if "Error" in line), (lines or ["no word"])[-1]))
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Unpack a revision's library with this checkout's benchmarks, as a context."""
    with tempfile.TemporaryDirectory(prefix="tbwidget-against-") as folder:
        root, archive = Path(folder) / "checkout", Path(folder) / "archive.tar"
        _git("archive", "--output", str(archive), revision)
        with tarfile.open(archive) as files:
            files.extractall(root, filter="data")
        archive.unlink()
        shutil.rmtree(root / "tests", ignore_errors=True)
        shutil.copytree(ROOT / "tests", root / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        yield root


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"error: `git {' '.join(arguments)}`: {done.stderr.strip()}")
    return done.stdout.strip()


def build_bundle(root: Path) -> None:
    """Build a checkout's bundle with this checkout's npm packages, or with its own if it needs others."""
    shutil.copytree(ROOT / "js/node_modules", root / "js/node_modules", symlinks=True)
    command = [sys.executable, str(root / "tools/javascript.py"), "bundle"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotMeasuredError(f"its bundle cannot be built: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")


class _Against:
    """A comparison with one revision, printed as it goes."""

    def __init__(self, name: str, root: Path, pairs: int) -> None:
        self._name, self._root, self._pairs = name, root, pairs
        self._compared: list[Comparison] = []
        self._left_out: list[str] = []
        self._bundle_refused: str | None = None
        self._bundle_built = False

    def section(self, section: str, sizes: Sizes) -> None:
        """Compare the cases of a section."""
        print(section, flush=True)
        if section not in SECTIONS:
            self._leave_out(section, "it measures internals of this revision")
            return
        if section in IN_THE_BROWSER and (refused := self._bundle()):
            self._leave_out(section, refused)
            return
        for case in SECTIONS[section](sizes):
            try:
                self._compare(section, case)
            except NotMeasuredError as error:
                self._leave_out(f"{section}: {case.name}", str(error))

    def _compare(self, section: str, case: Case) -> None:
        with tempfile.TemporaryDirectory() as folder:
            logdir = Path(folder) / "logs" if case.write else None
            if case.write and logdir:
                case.write(logdir)
            found, lacking = in_turn(
                case,
                self._pairs,
                lambda: self._measured(self._root, case, logdir),
                lambda: self._measured(ROOT, case, logdir),
            )
        for name, old, new in found:
            comparison = Comparison(section, name, old, new)
            print(comparison.row(), flush=True)
            self._compared.append(comparison)
        for name in lacking:
            self._leave_out(f"{section}: {name}", "it is not in every measurement of both revisions")

    def _measured(self, root: Path, case: Case, logdir: Path | None) -> Figures:
        try:
            return measured(root, case, logdir)
        except NotMeasuredError as error:
            raise NotMeasuredError(
                f"{'this checkout' if root == ROOT else self._name} cannot run it: {error}"
            ) from None

    def _bundle(self) -> str | None:
        """Build the other revision's bundle before its first use; return the reason if that fails."""
        if not self._bundle_built:
            self._bundle_built = True
            try:
                build_bundle(self._root)
            except NotMeasuredError as error:
                self._bundle_refused = f"{self._name}: {error}"
        return self._bundle_refused

    def _leave_out(self, what: str, why: str) -> None:
        print(f"  {what}: not compared: {why}", flush=True)
        self._left_out.append(what)

    def end(self) -> None:
        """Print the summary."""
        print(f"\nAgainst {self._name}: {summary(self._compared, self._left_out)}")


def compare(revision: str, sections: Sequence[str], sizes: Sizes, pairs: int) -> None:
    """Measure the sections of both revisions and print both medians, their ratio and a verdict for each figure."""
    name = _git("rev-parse", "--short", f"{revision}^{{commit}}")
    subject = _git("log", "-1", "--format=%s", revision)
    print(f"\nAgainst {name} ({subject}): medians of {pairs} pairs, and the median of their ratios, new / old")
    print(f"  {'':66}{name[:10]:>11}{'this':>11}{'ratio':>8}")
    with checkout(revision) as root:
        for tree in (root, ROOT):
            subprocess.run([sys.executable, "-m", "compileall", "-q", "tbwidget", "tests"], cwd=tree, check=False)
        against = _Against(name, root, pairs)
        for section in sections:
            against.section(section, sizes)
        against.end()
