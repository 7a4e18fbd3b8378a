"""The language of texts that people read outside of a page: on a shell, and in files and pictures that are exported."""

from __future__ import annotations

import json
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tbwidget.reasons import reason_in
from tbwidget.texts import pluralize

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "ko")
"""Those of the interface, too; keep them equal to js/src/lib/texts.ts."""

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first one that is set names the language of a shell."""


def shell_language() -> str:
    """Return the language of the shell by its locale; English where there are no texts in it, or it cannot be shown."""
    locale = next(filter(None, map(os.environ.get, _VARIABLES)), "C")
    # As gettext has it: a list of languages, which counts where there is a locale.
    listed = os.environ.get("LANGUAGE", "") if _language(locale) not in ("c", "posix") else ""
    named = map(_language, listed.split(":") if listed else [locale])
    language = next((each for each in named if each in LANGUAGES), "en")
    return language if language == "en" or _shows("한글") else "en"


def _language(locale: str) -> str:
    return re.split(r"[._@-]", locale)[0].lower()


def _shows(text: str) -> bool:
    """Whether the standard output can encode a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@cache
def _table(language: str | None) -> Mapping[str, str]:
    """By the English text. English has none, and None is English."""
    path = Path(__file__).with_name(f"texts_{language}.json")
    table: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return table


def language_of(state: Mapping[str, object]) -> str | None:
    """Return the language in a dashboard's state, which may come from a notebook; None for the page's own."""
    language = state.get("language")
    return language if isinstance(language, str) and language in LANGUAGES else None


def worded(text: str, language: str | None, /, **values: object) -> str:
    """Return an English text in a language, with the values for the names in its braces."""
    return _table(language).get(text, text).format(**values)


def counted(count: int, noun: str, language: str | None) -> str:
    """Return a count and its noun, which is given in English: "2 runs"."""
    template = _table(language).get(f"{{count}} {noun}")
    return pluralize(count, noun) if template is None else template.format(count=count)


def say(text: str, /, **values: object) -> str:
    """Return a text in the language of the shell."""
    return worded(text, shell_language(), **values)


def say_count(count: int, noun: str) -> str:
    """Return a count and its noun in the language of the shell."""
    return counted(count, noun, shell_language())


def say_problem(path: str, offset: int | None, message: str) -> str:
    """Return a problem in one line, in the language of the shell."""
    place = path if offset is None else say("{path} at byte {offset}", path=path, offset=offset)
    return f"{place}: {reason_in(message, shell_language())}"
