"""Whether a text is a regular expression in JavaScript, as far as Python can judge.

What only JavaScript knows is replaced by something alike in Python, what only Python knows is refused, and Python
compiles the rest. In doubt a text is accepted: the browser explains what it cannot use.
"""

from __future__ import annotations

import re

_MAX_CHARACTERS = 1_000
"""Length of the patterns that are checked: time grows with its square, and others may have written them."""

_TOKEN = re.compile(
    r"""
    (?P<escape>  \\ (?: k<\w+> | u\{[^}]*\} | [pP]\{[^}]*\} | c[A-Za-z] | [\s\S] ) )
  | (?P<set>     \[ \^? (?: \\[\s\S] | [^\]\\] )* \] )
  | (?P<group>   \( \? (?: <?[=!] | <[\w$]+> | [ims]*(?:-[ims]+)?: ) )
  | (?P<unknown> \( \? )
  | (?P<repeat>  (?: [*+?] | \{\d+(?:,\d*)?\} ) \?? )
  | (?P<brace>   [{}\]] )
    """,
    re.VERBOSE,
)
_RANGE = re.compile(r"(\\[\s\S]|[^\\])-(?=([^\\]))")
_KEPT_ESCAPES = frozenset("\\" + letter for letter in "bBdDsSwW")


def pattern_error(text: str) -> str | None:
    """What is wrong with the text; None for nothing that can be seen here."""
    if len(text) > _MAX_CHARACTERS:
        return None
    parts: list[str] = []
    at, repeated = 0, False
    while at < len(text):
        found = _TOKEN.match(text, at)
        kind, token = (found.lastgroup, found[0]) if found else (None, text[at])
        at += len(token)
        if kind == "repeat" and repeated:
            return "multiple repeat"
        repeated = kind == "repeat"
        if kind == "unknown":
            return f"unknown group (?{text[at : at + 1]}"
        if kind == "set" and (disorder := _disorder(token)):
            return disorder
        parts.append(_in_python(kind, token))
    try:
        re.compile("".join(parts))
    except re.error as error:
        return error.msg
    except (OverflowError, RecursionError):
        return None  # a limit of Python's
    return None


def _in_python(kind: str | None, token: str) -> str:
    if kind == "escape":
        return token if token in _KEPT_ESCAPES else "x"
    if kind == "set":
        return "x"
    if kind == "group":
        return token if token in {"(?=", "(?!"} else "("  # Python's lookbehind has a fixed width
    if kind == "brace":
        return "\\" + token
    return token


def _disorder(token: str) -> str | None:
    """What is wrong with a set of characters; a `]` behind `[` or `[^` ends it, unlike in Python."""
    inside = token[1:-1].removeprefix("^")
    at = 0
    while found := _RANGE.search(inside, at):
        first, last = found.groups()
        if len(first) == 1 and first > last:
            return f"bad character range {first}-{last}"
        at = found.end() + 1
    return None
