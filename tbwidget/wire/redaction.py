"""Remove directories and the name of this machine from whatever is saved."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tbwidget.logs.roots import Root
from tbwidget.texts import escape_surrogates, shorten
from tbwidget.wire.message import MAX_NAME_BYTES, wire_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tbwidget.logs.accessors import Logs

_HOST = re.compile(r"(tfevents\.\d+)\.[^\s/'\",;]+")
"""Writers put the name of their machine into the name of a file, after the time."""

_HOME = "~"


class Redaction:
    """Replaces directories and names of machines in messages. Twin of js/src/wire/redaction.ts."""

    def __init__(self, places: Sequence[tuple[str, str]]) -> None:
        """Take the `places` that `places_of` returns."""
        self._shown = dict(places)
        self._pattern = re.compile("|".join(rf"{re.escape(place)}(?![\w-])" for place, _ in places) or r"(?!)")

    def header(self, header: dict[str, Any]) -> dict[str, Any]:
        """The header of a message, redacted."""
        status = {**header["status"], "path": self.text(header["status"]["path"])}
        if "directories" in status:
            status["directories"] = [[name, name or self.text(path)] for name, path in status["directories"]]
        if "problem_list" in status:
            status["problem_list"] = [
                [self.text(path), offset, self.text(message), code, wire_value(arguments, self.text)]
                for path, offset, message, code, arguments in status["problem_list"]
            ]
        changed = {
            name: [entry | self._reason(entry) if "reason" in entry else entry for entry in header[name]]
            for name in ("failed", "pieces")
        }
        return {**header, "status": status, **changed}

    def _reason(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {name: wire_value(entry[name], self.text) for name in ("reason", "arguments")}

    def text(self, text: str) -> str:
        """A text, redacted."""
        return without_machine(self._pattern.sub(lambda found: self._shown[found[0]], text))


def without_machine(text: str) -> str:
    """Return a text without the names of machines in the names of event files."""
    return _HOST.sub(r"\1", text)


def wire_title(logs: Logs) -> str:
    """Return the title of a log directory as it travels."""
    return escape_surrogates(logs.source.title)[-MAX_NAME_BYTES:]


def places_of(logs: Logs) -> list[tuple[str, str]]:
    """Texts to be replaced, and by what, as they travel; the longest first.

    The directories become their names, or the last parts of their paths, and so does the title that lists them.
    """
    roots = logs.source.roots
    places: dict[str, str] = {}
    for root in [*logs.source.checkpoint_roots, *roots]:
        places |= dict.fromkeys(_spellings(root), root.name or root.last_part)
    # As it travels it may be cut, and so be another than the only directory's path.
    names = ", ".join(root.name for root in roots)
    if title := f"{{{names}}}" if names else "".join(root.last_part for root in roots):
        places.setdefault(wire_title(logs), title)
    with suppress(RuntimeError):  # some users have no home
        places |= dict.fromkeys(_spellings(Root(_HOME, str(Path.home()))), _HOME)
    places = {**_cut(places), **places}
    sent = ((escape_surrogates(place), escape_surrogates(shown)[:MAX_NAME_BYTES]) for place, shown in places.items())
    return sorted(sent, key=lambda place: len(place[0]), reverse=True)


def _cut(places: Mapping[str, str]) -> dict[str, str]:
    """Texts to be replaced, and by what, where an argument of a reason begins with a place and was cut within it."""
    cut: dict[str, str] = {}
    for place, name in places.items():
        for spelled in (shorten(place), shorten(f"'{place}'")[1:]):
            if spelled.endswith("…"):
                # Several places may begin alike: it is not known which one this is.
                cut[spelled] = "…" if cut.get(spelled, f"{name}…") != f"{name}…" else f"{name}…"
    return cut


def _spellings(root: Root) -> set[str]:
    """Return the texts by which messages may name a directory, also as Python quotes them."""
    spelled = root.spellings()
    return spelled | {repr(path)[1:-1] for path in spelled}
