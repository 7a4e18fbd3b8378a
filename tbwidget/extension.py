"""`%load_ext tbwidget`: puts `show` at hand, and a magic for fingers that know `%tensorboard`."""

from __future__ import annotations

import argparse
import os
import shlex
from typing import TYPE_CHECKING, NoReturn

from tbwidget.dashboard import show

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

# Flags of %tensorboard that configure its server or its sampling: there is no server here, and nothing is sampled.
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


class _Parser(argparse.ArgumentParser):
    """Reports misuse as an error of the cell; argparse would exit the kernel."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}. Usage: %tbwidget --logdir DIR")


def load_ipython_extension(ip: InteractiveShell) -> None:
    """Called by `%load_ext tbwidget`. A `show` of the user's own is left alone."""
    taken = ip.user_ns.get("show", show)
    if taken is show:
        ip.user_ns["show"] = show
    else:
        print("tbwidget: the name show is taken here; use tbwidget.show(...)")  # noqa: T201 - the cell's own output
    ip.register_magic_function(tbwidget_magic, "line", "tbwidget")  # type: ignore[arg-type]


def tbwidget_magic(line: str) -> None:
    """`%tbwidget --logdir DIR`: the same as `show(DIR)`."""
    logdir, idle = parse(line)
    if idle:
        plural = "have" if len(idle) > 1 else "has"
        print(f"{', '.join(idle)} {plural} no effect: tbwidget runs no server and samples nothing.")  # noqa: T201
    show(logdir)


def parse(line: str) -> tuple[str, list[str]]:
    """The log directory named by the magic's arguments, and those flags given that do nothing here.

    Raises `ValueError`, worded for the user, for anything else.
    """
    parser = _Parser(prog="%tbwidget", add_help=False, allow_abbrev=False)
    parser.add_argument("--logdir", required=True)
    for flag in _WITH_VALUE:
        parser.add_argument(flag, action="append")
    for flag in _WITHOUT_VALUE:
        parser.add_argument(flag, action="append_const", const=True)
    given = vars(parser.parse_args(shlex.split(line, posix=os.name != "nt")))
    logdir = given.pop("logdir")
    return logdir, [f"--{name}" for name, value in given.items() if value]
