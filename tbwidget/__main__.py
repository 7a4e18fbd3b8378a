"""The command `tbwidget`, also `python -m tbwidget`: what a log directory holds, on a shell."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from tbwidget._version import __version__
from tbwidget.argument_parser import ArgumentParser, RawFormatter
from tbwidget.export.atomic_write import atomic_write
from tbwidget.language import say, say_count, say_problem, shell_language
from tbwidget.logs import load
from tbwidget.logs.cachefiles import cached_directories, clear
from tbwidget.logs.kinds.registry import TABLES
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.roots import parsed_options, roots_of
from tbwidget.logs.source import Progress
from tbwidget.logs.unknown import Names, UnknownNameError, chosen
from tbwidget.logs.watching import describe
from tbwidget.reasons import Reason, reason_in
from tbwidget.texts import escape_surrogates, format_size

if TYPE_CHECKING:
    import pandas as pd

_TABLES = (*TABLES, "hparams")

_WITH_STEPS = frozenset({*TABLES, "meshes"})
_MAX_PROBLEMS = 5
_MAX_COLUMN_CHARACTERS = 60  # so that one long name does not push the numbers of all rows off the screen
_PROGRESS_DELAY_S = 0.3  # most directories are read sooner
_WRONG = 2  # exit code for invalid arguments, as argparse has it


_EXAMPLES = """examples:
  tbwidget ls runs                                 runs, tags, numbers of points
  tbwidget export runs --filter loss -o loss.csv   every point of these tags
  tbwidget html runs -o report.html                a page that opens anywhere
  tbwidget doctor runs                             versions, extension, writers, contents
  tbwidget cache clear                             remove what was kept of all log directories

Several directories are read together. Their runs are then named directory/run, such as baseline/run1."""


class WrongError(Exception):
    """The command cannot be carried out. The message is a sentence for people."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # names may have characters that it cannot encode
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 0
    try:
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reading end of the pipe was closed, as by `head`
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except (WrongError, UnknownNameError, KeyError, ValueError, OSError) as error:
        print(f"tbwidget: {visible(_error_text(error))}", file=sys.stderr)  # noqa: T201 (a command's own output, as below)
        return _WRONG
    return 0


def _error_text(error: Exception) -> str:
    """Return the text of an error, in the language of the shell where there is one."""
    if isinstance(error, UnknownNameError):
        return error.text(shell_language())
    said: object = error.args[0] if error.args else ""
    is_text = isinstance(said, Reason) or type(error) is KeyError
    return reason_in(said if isinstance(said, str) and is_text else str(error), shell_language())


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="tbwidget",
        description=say("List and export the contents of TensorBoard event files."),
        epilog=say(_EXAMPLES),
        formatter_class=RawFormatter,
    )
    parser.set_defaults(run=None)
    parser.add_argument(
        "--version", action="version", version=f"tbwidget {__version__}", help=say("show the version and exit")
    )
    commands = parser.add_subparsers(title=say("commands"), metavar="COMMAND")

    listing = commands.add_parser(
        "ls",
        help=say("list runs, tags and kinds with their number of points and last step"),
        description=say("List each tag of each run with its kind, number of points and last step."),
    )
    _common(listing)
    listing.add_argument("--kind", help=say("only tags of this kind, such as scalars or images"))
    listing.set_defaults(run=_list)

    export = commands.add_parser(
        "export",
        help=say("write points as CSV, JSON or Parquet"),
        description=say(
            "Write every point of a kind as one row: run, tag, step, wall_time (seconds since the epoch), and the"
            " values of the kind. Numbers keep full precision."
        ),
    )
    _common(export)
    export.set_defaults(write=_write_csv)
    form = export.add_mutually_exclusive_group()
    form.add_argument(
        "--csv", dest="write", action="store_const", const=_write_csv, help=say("comma-separated values (default)")
    )
    form.add_argument("--json", dest="write", action="store_const", const=_write_json, help=say("an array of objects"))
    form.add_argument(
        "--parquet",
        dest="write",
        action="store_const",
        const=_write_parquet,
        help=say("needs pyarrow: tbwidget[parquet]"),
    )
    export.add_argument(
        "--kind", default="scalars", choices=_TABLES, help=say("kind of data to write (default: scalars)")
    )
    export.add_argument("--hparams", action="store_true", help=say("add a column for each hyperparameter"))
    export.add_argument("--superseded", action="store_true", help=say("include points that a later restart overwrote"))
    export.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=say("output file (default: standard output; required for Parquet)"),
    )
    export.set_defaults(run=_export)

    page = commands.add_parser(
        "html",
        help=say("write one HTML page that opens without a kernel or network"),
        description=say("Write the dashboard and its data as one HTML page."),
    )
    _directories(page, "+")
    page.add_argument("--panels", metavar="NAME", nargs="+", help=say("only these panels, such as scalars"))
    page.add_argument("--max-bytes", metavar="N", type=int, help=say("maximum size of the page"))
    page.add_argument("-o", "--output", metavar="FILE", required=True, help=say("output file"))
    page.set_defaults(run=_page)

    doctor = commands.add_parser(
        "doctor",
        help=say("describe this installation: versions, extension, writers, contents of a directory"),
        description=say("Describe this installation and, if given, log directories. Nothing is changed."),
    )
    _directories(doctor, "*")
    doctor.set_defaults(run=_doctor)

    cache = commands.add_parser(
        "cache",
        help=say("list or remove what was kept of log directories to open them sooner"),
        description=say(
            "What was read of large log directories is kept in the user's cache directory, or in the one that"
            " TBWIDGET_CACHE names. Nothing in the log directories themselves is changed."
        ),
    )
    actions = cache.add_subparsers(title=say("actions"), metavar="ACTION", required=True)
    actions.add_parser("ls", help=say("list the log directories that are kept")).set_defaults(run=_list_cache)
    clear = actions.add_parser("clear", help=say("remove what is kept of some log directories, or of all"))
    clear.add_argument(
        "directories", metavar="DIR", nargs="*", help=say("a log directory or URL; all if none is given")
    )
    clear.set_defaults(run=_clear_cache)
    return parser


def _directories(parser: ArgumentParser, count: str) -> None:
    parser.add_argument("directories", metavar="DIR", nargs=count, help=say("a log directory, or a URL such as s3://…"))
    parser.add_argument(
        "--storage-option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help=say("an option of the storage that URLs lead to, as fsspec names it; VALUE may be JSON; may be repeated"),
    )


def _common(parser: ArgumentParser) -> None:
    _directories(parser, "+")
    for option, metavar, what in (
        ("--run", "NAME", say("only the run with exactly this name; may be repeated")),
        ("--tag", "NAME", say("only the tag with exactly this name; may be repeated")),
        ("--run-filter", "REGEX", say("only runs whose names match this regular expression; may be repeated")),
        ("--filter", "REGEX", say("only tags whose names match this regular expression; may be repeated")),
    ):
        dest = {"--run": "run_name"}.get(option)  # `run` is the command's function
        parser.add_argument(option, metavar=metavar, action="append", default=[], help=what, dest=dest)


def _names(options: argparse.Namespace, name: str, pattern: str) -> Names:
    """Return the names that an option gives, and the patterns that another does; None where neither is given."""
    given = vars(options)
    names: list[str | re.Pattern[str]] = list(given[name])
    for text in given[pattern]:
        try:
            names.append(re.compile(text))
        except re.error as error:
            option = pattern.replace("_", "-")
            message = say(
                "--{option}: {text!r} is not a valid regular expression: {error}", option=option, text=text, error=error
            )
            raise WrongError(message) from None
    return names or None


@contextlib.contextmanager
def _progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """Yield what shows progress in a line of the terminal, which is empty again in the end; None: no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown_from = time.monotonic() + _PROGRESS_DELAY_S
    width = 0

    def show(progress: Progress) -> None:
        nonlocal width
        if time.monotonic() < shown_from:
            return
        line = describe(progress, language=shell_language())
        while line and _columns(line) >= shutil.get_terminal_size().columns:
            line = line[:-1]
        sys.stderr.write(f"\r{line}{' ' * (width - _columns(line))}")
        sys.stderr.flush()
        width = _columns(line)

    try:
        yield show
    finally:
        if width:
            sys.stderr.write(f"\r{' ' * width}\r")
            sys.stderr.flush()


@contextlib.contextmanager
def _opened(options: argparse.Namespace) -> Iterator[LogDir]:
    """The logs; what could not be read of them is printed afterwards, on the standard error."""
    with _progress_line() as show:
        logs = load(
            *options.directories, storage_options=parsed_options(options.storage_option), progress=show or False
        )
    with logs:
        yield logs
        problems = logs.problems
    if problems:
        head = say("tbwidget: {problems}, skipped:", problems=say_count(len(problems), "problem"))
        print(head, file=sys.stderr)  # noqa: T201
        for problem in problems[:_MAX_PROBLEMS]:
            print(f"  {visible(say_problem(*problem))}", file=sys.stderr)  # noqa: T201


def _chosen(logs: LogDir, options: argparse.Namespace, kinds: Sequence[str]) -> list[tuple[str, str, list[str]]]:
    """Return kind, run and tags of the selected data."""
    listed = {kind: runs for kind, runs in logs.tags().items() if kind in kinds}

    def no_run(name: str) -> str:
        return say("no run {name!r}", name=name)

    def no_tag(name: str) -> str:
        return say("no tag {name!r} of these runs and kinds", name=name)

    runs = chosen(_names(options, "run_name", "run_filter"), logs.runs, no_run, "run")
    there = list(dict.fromkeys(tag for of in listed.values() for run in runs for tag in of.get(run, [])))
    wanted = set(chosen(_names(options, "tag", "filter"), there, no_tag, "tag"))
    return [
        (kind, run, tags)
        for run in runs
        for kind, of in listed.items()
        if (tags := [tag for tag in of.get(run, []) if tag in wanted])
    ]


def _list(options: argparse.Namespace) -> None:
    with _opened(options) as logs:
        kinds = list(logs.tags())
        if options.kind is not None and options.kind not in kinds:
            found = ", ".join(kinds) or say("nothing")
            raise WrongError(say("no data of kind {kind!r}; found: {found}", kind=options.kind, found=found))
        rows = [
            (run, kind, tag, *_extent(logs, kind, run, tag))
            for kind, run, tags in _chosen(logs, options, [options.kind] if options.kind else kinds)
            for tag in tags
        ]
        _print_table((say("run"), say("kind"), say("tag"), say("points"), say("last step")), rows)


def _extent(logs: LogDir, kind: str, run: str, tag: str) -> tuple[str, str]:
    """How many values a tag has, and the greatest of their steps; "-" where a kind has no such."""
    if kind not in _WITH_STEPS:
        return "-", "-"
    step = getattr(logs, kind)(run, tag).step
    return str(len(step)), str(step.max()) if len(step) else "-"


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns; a longer name is printed in full and moves only what follows it in its own row."""
    table = [head, *([visible(cell) for cell in row] for row in rows)]
    widths = [min(_MAX_COLUMN_CHARACTERS, max(map(_columns, column))) for column in zip(*table, strict=True)]
    numbers = len(head) - 2  # the last two columns
    for row in table:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            spaces = " " * (width - _columns(cell))
            cells.append(cell + spaces if place < numbers else spaces + cell)
        print("  ".join(cells).rstrip())  # noqa: T201


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: Hangul and other wide characters take two."""
    return len(text) + sum(unicodedata.east_asian_width(each) in "WF" for each in text)


def visible(text: str) -> str:
    """The text without what would steer a terminal: such characters, and bytes that are no UTF-8, as escapes."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape", "surrogatepass").decode("ascii") for each in text
    )


def _export(options: argparse.Namespace) -> None:
    with _opened(options) as logs:
        options.write(_tables(logs, options), options)


def _tables(logs: LogDir, options: argparse.Namespace) -> Iterator[pd.DataFrame]:
    """One without rows, but with the columns of all; then one a run, so that no more than one is in memory."""
    if options.kind == "hparams":
        if options.tag or options.filter:
            raise WrongError(
                say("the table of hparams has one row for each session: --tag and --filter have no effect")
            )
        yield logs.frame("hparams", runs=_names(options, "run_name", "run_filter"))
        return
    parts: list[tuple[list[str], list[str]]] = [
        ([run], tags) for _, run, tags in _chosen(logs, options, [options.kind])
    ]
    all_runs = [run for runs, _ in parts for run in runs]
    yield logs.frame(options.kind, runs=all_runs, tags=[], hparams=options.hparams)
    for runs, tags in parts:
        yield logs.frame(options.kind, runs=runs, tags=tags, superseded=options.superseded, hparams=options.hparams)


class _Terminal(io.TextIOWrapper):
    """A terminal, which nothing in a name or text of the logs controls: such characters become escapes."""

    def write(self, text: str) -> int:
        """Write the text. Line feeds stay: each row ends with one."""
        super().write("\n".join(map(visible, text.split("\n"))))
        return len(text)


@contextlib.contextmanager
def _output(options: argparse.Namespace) -> Iterator[TextIO]:
    """Yield the file or the standard output. Names that are no UTF-8 keep their bytes, except on a terminal."""
    sys.stdout.flush()
    with contextlib.ExitStack() as ending:
        target = ending.enter_context(atomic_write(options.output)) if options.output else os.dup(sys.stdout.fileno())
        if isinstance(target, int) and os.isatty(target):
            yield ending.enter_context(_Terminal(os.fdopen(target, "wb"), encoding="utf-8", newline=""))
            return
        with open(target, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:  # noqa: PTH123 (or a number)
            yield file


def _write_csv(tables: Iterator[pd.DataFrame], options: argparse.Namespace) -> None:
    first = next(tables)
    with _output(options) as file:
        first.to_csv(file, index=False, na_rep="NaN", lineterminator="\n")
        for table in tables:
            table.reindex(columns=first.columns).to_csv(
                file, index=False, na_rep="NaN", lineterminator="\n", header=False
            )


def _write_json(tables: Iterator[pd.DataFrame], options: argparse.Namespace) -> None:
    """Write one JSON array. Numbers that JSON lacks become text: "NaN", "Infinity", "-Infinity"."""
    first = next(tables)
    with _output(options) as file:
        end = "["
        for table in (first, *tables):
            for row in table.astype(object).to_dict("records"):
                plain = {name: _plain(value) for name, value in row.items()}
                file.write(f"{end}\n{json.dumps(plain, allow_nan=False)}")
                end = ","
        file.write("[]\n" if end == "[" else "\n]\n")


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, (str, bool, int, float)) else _of_array(value)


def _of_array(value: Any) -> Any:
    """A scalar of numpy as Python's own; what pandas says of a missing one, and all else, as null or text."""
    if hasattr(value, "item"):
        return _plain(value.item())
    return None if str(value) in {"<NA>", "NaT"} else str(value)


def _write_parquet(tables: Iterator[pd.DataFrame], options: argparse.Namespace) -> None:
    if options.output is None:
        raise WrongError(say("--parquet needs a file: -o FILE"))
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        message = say("--parquet needs pyarrow: pip install 'tbwidget[parquet]' ({error})", error=error)
        raise WrongError(message) from None
    import pandas as pd  # noqa: PLC0415 (imported when used)

    def writable(column: pd.Series[Any]) -> pd.Series[Any]:
        """As texts, where Arrow has no type for all values, or they have bytes that are no UTF-8."""
        try:
            pa.array(column, from_pandas=True)
        except (pa.ArrowException, UnicodeEncodeError):
            texts = [None if pd.isna(value) else escape_surrogates(str(value)) for value in column]
            return pd.Series(texts, column.index, dtype=object)
        return column

    first, *others = (_with_texts(table) for table in tables)
    table = pd.concat(others or [first], ignore_index=True).reindex(columns=first.columns)
    try:
        names = [escape_surrogates(str(name)) for name in table.columns]
        table = pd.DataFrame({place: writable(column) for place, (_, column) in enumerate(table.items())})
        table.columns = pd.Index(names, dtype=object)
        with atomic_write(options.output) as path:
            parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), path)
    except pa.ArrowException as error:
        raise WrongError(say("cannot write this as Parquet: {error}", error=error)) from None


def _with_texts(table: pd.DataFrame) -> pd.DataFrame:
    """Names as texts: tables of several runs have other categories each."""
    return table.assign(**{name: table[name].astype(object) for name in ("run", "tag") if name in table})


def _doctor(options: argparse.Namespace) -> None:
    from tbwidget.doctor import report  # noqa: PLC0415 (nothing else needs it)

    for line in report(options.directories, parsed_options(options.storage_option)):
        print(visible(line))  # noqa: T201


def _list_cache(_options: argparse.Namespace) -> None:
    rows = []
    for each in cached_directories():
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.used))
        rows.append((each.root or say("(unknown)"), used, format_size(each.size)))
    _print_table((say("log directory"), say("last used"), say("size")), rows)


def _clear_cache(options: argparse.Namespace) -> None:
    kept = cached_directories()
    if options.directories:
        roots = [root for given in options.directories for root in roots_of(given)]
        wanted = {root.storage.canonical(root.path) for root in roots}
        missing = wanted - {each.root for each in kept}
        if missing:
            raise WrongError(say("nothing is kept of {directories}", directories=", ".join(sorted(missing))))
        kept = [each for each in kept if each.root in wanted]
    clear(kept)
    left = {each.path for each in cached_directories()}
    removed = [each for each in kept if each.path not in left]
    size = format_size(sum(each.size for each in removed))
    print(say("removed {caches}, {size}", caches=say_count(len(removed), "cache"), size=size))  # noqa: T201
    if len(removed) < len(kept):
        paths = ", ".join(str(each.path) for each in kept if each.path in left)
        raise WrongError(say("not removed: {paths}", paths=paths))


def _page(options: argparse.Namespace) -> None:
    from tbwidget.dashboard.exporting import export_html  # noqa: PLC0415 (needs the widgets, which take a second)

    given = {"panels": options.panels, "max_bytes": options.max_bytes}
    with _opened(options) as logs:
        export_html(logs, Path(options.output), **{name: value for name, value in given.items() if value is not None})


if __name__ == "__main__":
    sys.exit(main())
