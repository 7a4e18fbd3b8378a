r"""The texts panel: an index of all texts of a tag, and what each says.

What lies behind a row, and in answers, is a *text*: UTF-8 JSON `{"shape": [...], "values": [...], "cut": n}`. `values`
are the strings in row-major order; bytes that are no UTF-8 are visible escapes such as `\udcff`. Of long texts the
beginning is sent: fewer values than the shape has, the last of which lacks `cut` bytes.

The request `text.texts` has the arguments `{"texts": [[run, tag, revision, place], ...], "whole": bool}`, where
`revision` is that of the index and `place` a column of it. The answer's value has an entry for each, in that order:
`{"size": n}`, the bytes of its text among the data, which follow one another; `{"reason": text}`, why there is none; or
`{"later": true}`: the answer has become too large, ask again. `whole` texts are cut only beyond 32 MB.

The request `text.search` has the arguments `{"words": text, "keys": [[run, tag], ...]}`. The answer's data are JSON, a
list with an entry for each key: `[revision, searched, places]`, the number of texts that were looked through from the
first written on, and the places of those that have the words. It ends after some seconds.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import traitlets

from tbwidget.options.common import TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.panels.step_index import StepIndex
from tbwidget.reasons import Reason, reason_of
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Answer, ItemsContent, Refusal
from tbwidget.wire.message import wire_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.text import Text, Texts
    from tbwidget.records.values.arrays import Array
    from tbwidget.wire.columns import Columns

MOST_BYTES = 1_000_000
"""UTF-8 of a text that is sent unless the whole is asked for, and how many values."""
MOST_VALUES = 20_000

WHOLE_BYTES = 32_000_000
"""Likewise of one that is sent whole: what a browser can show."""
WHOLE_VALUES = 1_000_000

ANSWER_BYTES = 8_000_000
"""An answer that has grown so large gets no more texts."""

MOST_TEXTS = 256
"""Texts of a request."""

SEARCH_TIME = 5.0
"""Seconds that a search may take: other requests wait behind it."""

MOST_FOUND = 10_000
"""Texts that a search finds."""


class TextContent(ItemsContent):
    """All texts."""

    kind = "text"
    prefetch_bytes = 4_000_000

    def read(self, logs: Logs, run: str, tag: str) -> StepIndex[Text]:
        """The index. Raises KeyError where it is gone."""
        return StepIndex(logs.text(run, tag))

    def entry(self, index: StepIndex[Text], rows: slice, columns: Columns) -> dict[str, Any]:
        """Of each row its place in the order written."""
        return {"place": columns.add_steps(index.places[rows])}

    def blob(self, index: StepIndex[Text], row: int) -> bytes:
        """The text, or its beginning."""
        return encoded(index[row].value)


def encoded(value: Array, most_bytes: int = MOST_BYTES, most_values: int = MOST_VALUES) -> bytes:
    """A text as it travels, up to so many bytes and values."""
    values: list[str] = []
    left, cut = most_bytes, 0
    # A shape may claim any number of values where one is repeated: they are never gone through to the end.
    for text in value.flat if value.size else ():
        data = text.encode("utf-8", "backslashreplace")
        cut = max(0, len(data) - left)
        values.append(data[: len(data) - cut].decode("utf-8", "ignore"))
        left -= len(data) + 1
        if left <= 0 or len(values) >= most_values:
            break
    content = {"shape": list(value.shape), "values": values, "cut": cut}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def texts(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Give texts that were not pushed, or were not pushed whole."""
    wanted = args.get("texts")
    if not isinstance(wanted, list) or len(wanted) > MOST_TEXTS:
        raise Refusal(Reason("malformed-request", expected="a list of texts"))
    most = (WHOLE_BYTES, WHOLE_VALUES) if args.get("whole") is True else (MOST_BYTES, MOST_VALUES)
    entries: list[dict[str, Any]] = []
    parts: list[bytes] = []
    size = 0
    for one in wanted:
        if is_cancelled():
            break
        if size >= ANSWER_BYTES:
            entries.append({"later": True})
            continue
        try:
            parts.append(encoded(_value_of(logs, one), *most))
        except Exception as error:  # noqa: BLE001 (one text that cannot be read takes no other with it)
            entries.append(wire_reason(reason_of(error)))
        else:
            entries.append({"size": len(parts[-1])})
            size += len(parts[-1])
    return Answer(entries, b"".join(parts))


def _texts(logs: Logs, run: str, tag: str) -> Texts:
    """The texts of a key. Names that are no UTF-8 came to the browser with escapes, and come back so."""
    try:
        return logs.text(run, tag)
    except KeyError:
        for one, tags in logs.tags().get("text", {}).items():
            for other in tags if escape_surrogates(one) == run else ():
                if escape_surrogates(other) == tag:
                    return logs.text(one, other)
        raise


def _value_of(logs: Logs, wanted: Any) -> Array:
    match wanted:
        case [str(run), str(tag), int(revision), int(place)]:
            found = _texts(logs, run, tag)
            if found.revision != revision or not 0 <= place < len(found):
                raise Refusal(Reason("text-replaced"))
            return found[place].value
    raise Refusal(Reason("malformed-request", expected="a text"))


def search(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Look for words in all texts of some keys, upper and lower case alike."""
    words, keys = args.get("words"), args.get("keys")
    if not isinstance(words, str) or not words or not isinstance(keys, list):
        raise Refusal(Reason("malformed-request", expected="words and keys"))
    pattern = re.compile(re.escape(words), re.IGNORECASE)
    end, left = time.monotonic() + SEARCH_TIME, MOST_FOUND
    entries: list[tuple[int, int, list[int]]] = []
    for key in keys:
        try:
            run, tag = key
            texts = _texts(logs, run, tag)
        except (KeyError, TypeError, ValueError):  # it is gone, or never was one
            entries.append((0, 0, []))
            continue
        places: list[int] = []
        searched = len(texts)
        for place, text in texts.readable():
            if is_cancelled() or left == 0 or time.monotonic() > end:
                searched = place
                break
            if any(map(pattern.search, text.value.flat if 0 not in text.value.strides else text.value.flat[:1])):
                places.append(place)
                left -= 1
        entries.append((texts.revision, searched, places))
    return Answer(data=json.dumps(entries, separators=(",", ":")).encode())


class TextOptions(traitlets.HasTraits):
    """What can be chosen for texts."""

    text_raw = option(
        traitlets.Bool(default_value=False),
        """Show texts as logged, not rendered as Markdown. Type: bool. Default: False.""",
    )
    text_search = option(
        traitlets.Unicode(""),
        """Text to search for and highlight in texts, case-insensitive. Type: str. Default: "".""",
        remembered=False,
    )


PANEL = Panel(
    name="text",
    contents=(TextContent(),),
    options=(TimeAxisOptions, TextOptions),
    view="TextView",
    view_doc="The texts of a log directory, and nothing else.",
    requests={"texts": texts, "search": search},
)
