"""An argument parser whose own words are in the language of the shell."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, NoReturn

from tbwidget.language import say

ERRORS = (
    (
        r"argument COMMAND: invalid choice: 'show' .*",
        "there is no command 'show'; in a notebook: show(DIR); here: tbwidget html DIR -o page.html",
    ),
    (r"the following arguments are required: (?P<names>.*)", "the following arguments are required: {names}"),
    (r"unrecognized arguments: (?P<names>.*)", "unrecognized arguments: {names}"),
    (r"argument (?P<name>.*?): expected one argument", "argument {name}: expected one argument"),
    (r"argument (?P<name>.*?): expected at least one argument", "argument {name}: expected at least one argument"),
    (
        r"argument (?P<name>.*?): not allowed with argument (?P<other>.*)",
        "argument {name}: not allowed with argument {other}",
    ),
    (r"argument (?P<name>.*?): invalid int value: (?P<value>.*)", "argument {name}: invalid int value: {value}"),
    (
        r"argument (?P<name>.*?): invalid choice: (?P<value>.*) \(choose from (?P<values>.*)\)",
        "argument {name}: invalid choice: {value} (choose from {values})",
    ),
)
"""The English texts of argparse; others of its texts stay as they are."""


class Formatter(argparse.HelpFormatter):
    """A formatter of help."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Add the usage, behind a word for it."""
        super().add_usage(usage, actions, groups, say("usage: ") if prefix is None else prefix)


class RawFormatter(Formatter, argparse.RawDescriptionHelpFormatter):
    """A formatter of help that leaves the lines of descriptions as they are."""


class ArgumentParser(argparse.ArgumentParser):
    """A parser of arguments, as argparse has it; so are those of its commands."""

    def __init__(self, **given: Any) -> None:
        """Take what `argparse.ArgumentParser` takes, by name."""
        super().__init__(**{"formatter_class": Formatter, **given}, add_help=False)
        self._positionals.title = say("positional arguments")
        self._optionals.title = say("options")
        self.add_argument("-h", "--help", action="help", help=say("show this help message and exit"))

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and end the process."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {say('error: {message}', message=_error(message))}\n")


def _error(message: str) -> str:
    for pattern, text in ERRORS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return say(text, **found.groupdict())
    return message
