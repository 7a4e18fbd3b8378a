"""Checks regular expressions of JavaScript, as far as Python can judge.

Syntax that only JavaScript knows is replaced by something alike in Python, syntax that only Python knows is refused,
and Python compiles the rest. In doubt a text is accepted: the browser explains errors that it finds.
"""

from __future__ import annotations

import re

_MAX_CHARACTERS = 1_000
"""Length of the patterns that are checked: time grows with its square, and others may have written them."""

_TOKEN = re.compile(
    r"""
    (?P<escape>  \\ (?: k<\w+> | u\{[^}]*\} | [pP]\{[^}]*\} | c[A-Za-z] | [\s\S] ) )
  | \[ \^? (?P<set> (?: \\[\s\S] | [^\]\\] )* ) \]
  | \( \? (?: (?P<ahead> [=!] ) | (?P<group> <[=!] | <[\w$]+> | [ims]*(?:-[ims]+)?: ) | (?P<unknown> .? ) )
  | (?P<repeat>  (?: [*+?] | \{\d+(?:,\d*)?\} ) \?? ) (?P<again> [*+?] | \{\d )?
  | (?P<brace>   [{}\]] )
    """,
    re.VERBOSE | re.DOTALL,
)
_RANGE = re.compile(r"\\[\s\S]|([^\\])-([^\\])", re.DOTALL)
_KEPT_ESCAPES = frozenset("\\" + letter for letter in "bBdDsSwW")


def pattern_error(text: str) -> str | None:
    """Return the error in a pattern; None if Python finds none."""
    try:
        re.compile(_TOKEN.sub(_in_python, text) if len(text) <= _MAX_CHARACTERS else "")
    except re.error as error:
        return error.msg
    except (OverflowError, RecursionError):
        return None  # a limit of Python's
    return None


def _in_python(token: re.Match[str]) -> str:
    """Return what Python takes in place of a token."""
    kind, text = token.lastgroup, token[0]
    if kind == "unknown":
        raise re.error(f"unknown group (?{token['unknown']}")
    if kind == "again":
        raise re.error("multiple repeat")
    if kind == "set":
        for one in _RANGE.finditer(token["set"]):
            if one[1] and one[1] > one[2]:
                raise re.error(f"bad character range {one[0]}")
    if kind == "set" or (kind == "escape" and text not in _KEPT_ESCAPES):
        return "x"
    if kind == "group":
        return "("  # Python's lookbehind has a fixed width
    return f"\\{text}" if kind == "brace" else text
