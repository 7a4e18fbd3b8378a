"""`%load_ext tbwidget`: `show` in the namespace, and a magic with the flags of `%tensorboard`."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from typing import TYPE_CHECKING, Any, NoReturn

from IPython.core.error import UsageError

from tbwidget.dashboard import show
from tbwidget.dashboard.inputs import given_logs
from tbwidget.logs.roots import exists, parsed_options, roots_of
from tbwidget.records.files.urls import hidden

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from tbwidget.logs.roots import Paths

# Flags of %tensorboard that configure its server or its sampling. They have no effect without a server and sampling.
_COMMENT = re.compile(r"""("[^"]*"|'[^']*')|(?:^|(?<=\s))#.*""")
"""A comment behind the arguments, or (as group 1) a quotation, in which there is none."""

_WITH_VALUE = (
    "--host",
    "--port",
    "--path_prefix",
    "--window_title",
    "--max_reload_threads",
    "--reload_interval",
    "--reload_task",
    "--reload_multifile",
    "--reload_multifile_inactive_secs",
    "--samples_per_plugin",
    "--load_fast",
    "--purge_orphaned_data",
    "--generic_data",
    "--grpc_data_provider",
    "--detect_file_replacement",
    "--reuse_port",
    "--verbosity",
)
_WITHOUT_VALUE = ("--bind_all",)


_QUOTED = re.compile(r"""\A(["'])(.*)\1\Z""", re.DOTALL)


class _Parser(argparse.ArgumentParser):
    """Reports misuse as a magic does, in one line; argparse would exit the kernel."""

    def error(self, message: str) -> NoReturn:
        if message.startswith("unrecognized arguments"):  # it repeats them, and they may be credentials
            message = hidden(re.sub("=.*", "=…", message, flags=re.DOTALL), [])
        usage = "Usage: %tbwidget DIR, or --logdir DIR, or --logdir_spec NAME:DIR,NAME:DIR"
        raise UsageError(f"%tbwidget: {message}. {usage}")


def load_ipython_extension(ip: InteractiveShell) -> None:
    """Called by `%load_ext tbwidget`. A `show` of the user's own is left alone."""
    if ip.user_ns.get("show", show) is show:
        ip.user_ns["show"] = show
    else:
        print("tbwidget: the notebook already defines show; use tbwidget.show(...) instead")  # noqa: T201 - the cell's own output
    ip.register_magic_function(tbwidget_magic, "line", "tbwidget")  # type: ignore[arg-type]


def tbwidget_magic(line: str) -> None:
    """`%tbwidget --logdir DIR` or `%tbwidget DIR`: the same as `show(DIR)`.

    `DIR,DIR` or `--logdir_spec NAME:DIR,NAME:DIR` show several.

    A directory may be a URL; `--storage-option KEY=VALUE`, which may be repeated, is for its storage.
    """
    logdir, ignored, storage_options = parse(line)
    if ignored:
        verb = "have" if len(ignored) > 1 else "has"
        print(f"{', '.join(ignored)} {verb} no effect: tbwidget runs no server and samples nothing.")  # noqa: T201
    show(logdir, storage_options=storage_options or None)


def parse(line: str) -> tuple[Paths, list[str], dict[str, Any]]:
    """The log directories named by the magic's arguments, flags given that do nothing here, and storage options.

    Raises `UsageError` for anything else.
    """
    parser = _Parser(prog="%tbwidget", add_help=False, allow_abbrev=False)
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("--logdir")
    either.add_argument("--logdir_spec")
    parser.add_argument("--storage-option", "--storage_option", action="append", default=[])
    for flag in _WITH_VALUE:
        parser.add_argument(flag, action="append")
    for flag in _WITHOUT_VALUE:
        parser.add_argument(flag, action="append_const", const=True)
    try:
        words = _words(_COMMENT.sub(lambda found: found[1] or "", line), is_windows=os.name == "nt")
        if words and not words[0].startswith("-") and not any(word.startswith("--logdir") for word in words):
            words.insert(0, "--logdir")
        given = vars(parser.parse_args(words))
    except ValueError as error:  # a quotation that does not end
        parser.error(str(error))
    stated = given.pop("storage_option")
    logdir, spec = given.pop("logdir"), given.pop("logdir_spec")
    try:
        places = _several(logdir) if spec is None else _named(spec)
        storage_options = parsed_options(stated)
        given_logs(places, (), storage_options)
    except ValueError as error:
        parser.error(str(error))
    return places, [f"--{name}" for name, value in given.items() if value], storage_options


def _words(line: str, *, is_windows: bool) -> list[str]:
    """The words of a line, without their quotation marks; on Windows a backslash is a part of a path."""
    words = shlex.split(line, posix=not is_windows)
    return [_QUOTED.sub(r"\2", word) for word in words] if is_windows else words


def _several(logdir: str) -> Paths:
    """The directory, or several with commas between them; a directory may have one in its name."""
    paths = [path for path in logdir.split(",") if path]
    return logdir if len(paths) < 2 or exists(logdir) else paths  # noqa: PLR2004


def _named(spec: str) -> Paths:
    """Parse the value of TensorBoard's flag: `NAME:DIR` or `DIR`, separated by commas."""
    named = [_entry(part) for part in spec.split(",") if part]
    if not any(name for name, _ in named):
        return [path for _, path in named]
    found = {name or roots_of(path)[0].last_part: path for name, path in named}
    if len(found) < len(named):
        raise ValueError("two log directories have the same name")
    return found


def _entry(part: str) -> tuple[str, str]:
    name, _, path = part.partition(":")
    is_drive = os.name == "nt" and len(name) == 1
    is_address = path.startswith("//")
    return (name, path) if path and not (name[:1] in ("/", "\\") or is_drive or is_address) else ("", part)
