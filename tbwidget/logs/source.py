"""The protocol between reading logs and showing them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from tbwidget.graph import Graph
    from tbwidget.logs.checkpoints import Checkpoint
    from tbwidget.logs.items import Attachment, Items
    from tbwidget.logs.kinds.declare import OwnFile
    from tbwidget.logs.problems import Problem
    from tbwidget.logs.roots import Root
    from tbwidget.logs.series import DescribedTags, Scalars, TagMetadata


class Changes(NamedTuple):
    """Changes that a poll found, by name alone.

    They carry no rows: a subscriber finds the new ones of a series at a cost that does not depend on its length.
    A series is handed out as views of its columns. While its `revision` stays, the rows after those that a client has
    are the new ones, also where updates were skipped or joined.
    """

    series: frozenset[tuple[str, str, str]]
    """(kind, run, tag) of each series with other points than before."""
    catalog: bool
    """The list of runs, tags or problems has changed."""


class Progress(NamedTuple):
    """How far reading has come."""

    phase: str
    """One of "listing", "fetching" (waits for remote storage), "reading", "stopped" and "ready"."""
    entries: int = 0
    """Files and directories that the last listing has met so far."""
    files_read: int = 0
    files: int = 0
    """Event files found."""
    bytes_fetched: int = 0
    """From remote storage."""
    bytes_read: int = 0
    bytes_found: int = 0
    """In the event files found."""


class LogSource(Protocol):
    """Logs as accessors, the wire, panels, figures and exports see them. Any thread may use a source.

    Methods that read a run or a tag raise KeyError for one that does not exist.
    """

    @property
    def title(self) -> str:
        """Name for people, which may hold a path of this machine."""

    @property
    def paths(self) -> dict[str, Path | str]:
        """Directories by name, a `Path` or a URL; empty for logs in memory."""

    @property
    def roots(self) -> Sequence[Root]:
        """The same directories with the storage that each lies in."""

    @property
    def exists(self) -> bool:
        """Whether one of the directories exists."""

    @property
    def ready(self) -> bool:
        """Whether the initial scan has ended."""

    @property
    def progress(self) -> Progress:
        """How far reading has come."""

    @property
    def polled_at(self) -> float | None:
        """When all files were polled last, by `time.monotonic`; None before that, and where nothing is polled."""

    @property
    def poll_interval(self) -> float | None:
        """Seconds between polls of remote storage; None where nothing is remote."""

    @property
    def empty_files(self) -> int:
        """Number of event files without data and without problems: their writers may hold data back."""

    @property
    def runs(self) -> list[str]:
        """Names of the runs, in natural order."""

    @property
    def problems(self) -> list[Problem]:
        """Problems with what could not be read or shown, by path and offset."""

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """Return all tags that have data: {kind: {run: [tag, ...]}}, in natural order."""

    def tags_of(self, run: str) -> dict[str, list[str]]:
        """Return the tags of a run that have data: {kind: [tag, ...]}."""

    def kind(self, run: str, tag: str) -> str | None:
        """Return the kind of a tag; None for a tag that does not exist."""

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """Return what the writer declared about a tag."""

    def described_tags(self) -> DescribedTags:
        """Return the tags with a display name or a description of their own."""

    def run_numbers(self) -> dict[str, int]:
        """Return a number for each run, which sets its color and never changes."""

    def checkpoints(self, run: str) -> list[Checkpoint]:
        """Return the checkpoints of a run, by step."""

    @property
    def checkpoint_roots(self) -> Sequence[Root]:
        """The directories that are searched for checkpoints."""

    def every_checkpoint(self) -> list[tuple[Checkpoint, tuple[str, ...]]]:
        """Return the checkpoints of all runs by step, each once with its runs."""

    def checkpoints_revision(self) -> Hashable:
        """Return what is equal as long as `every_checkpoint` is, the times of files aside; no file is asked for."""

    def runs_with_checkpoints(self) -> list[str]:
        """Return the names of the runs that have checkpoints."""

    def directory_of(self, run: str) -> str:
        """Return the name of the directory that a run lies in; "" where there is only one."""

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> Scalars:
        """Return the points of a scalar tag; with `superseded` all of them, in the order written."""

    def items(self, run: str, tag: str, kind: str, *, superseded: bool = False) -> Items:
        """Return the values of a tag of this kind, which are read when asked for."""

    def graphs(self, run: str) -> dict[str, Graph]:
        """Return the graphs of a run that a program holds, by name; none of a run that was read from files."""

    def attachment(self, run: str, what: str, tag: str = "") -> Attachment | None:
        """Return the last graph or run metadata of a run, as `records.values.attachments` names it; None: none."""

    def own_files(self, run: str) -> list[OwnFile]:
        """Return the files of a run that only one kind reads."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Block the scanner while the context is held, so that a batch of reads waits for it only once."""

    def refresh(self) -> bool:
        """Read appended bytes; return whether something changed."""

    def stop(self) -> None:
        """End the reading that runs now, and read nothing until `resume` or `refresh`; data that were read stay."""

    def resume(self) -> None:
        """Let the background thread read on after `stop`."""

    def subscribe(self, callback: Callable[[Changes], None], *, held: bool = False) -> Callable[[], None]:
        """Call back after each poll that changed something, in its thread; return a function that ends that.

        Closing the logs ends it too, unless it is `held`: the subscriber called `hold`.
        """

    def hold(self) -> None:
        """Follow the logs until `release`, whatever their owner does."""

    def release(self) -> None:
        """End one `hold`."""

    def flush_writers(self) -> Callable[[], None]:
        """Flush this process's writers of these logs from now on; return a function that ends that."""

    def report_failure(self, kind: str, run: str, tag: str, reason: str) -> None:
        """List a problem until `clear_failure`, or until the run or tag is gone.

        A document of a run has no tag (""), one of the directory no run either.
        """

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        """Withdraw a problem; do nothing if there was none."""

    def report_problems(self, source: str, problems: list[Problem]) -> None:
        """List problems in place of those that the same `source` reported before."""
