r"""The texts panel: an index of all texts of a tag, and what each says.

A blob is a *text*: UTF-8 JSON `{"shape": [...], "values": [...], "cut": n}`. `values` are the strings in row-major
order; bytes that are no UTF-8 are visible escapes such as `\udcff`. Only the beginning of a long text is sent: fewer
values than the shape has, and the last value lacks `cut` bytes.

The request `text.texts` has the arguments `{"texts": [[run, tag, revision, place], ...], "whole": bool}`, where the
index has the `revision`, and `place` as a column. The answer is a list of texts, see `answer_list`. `whole` texts are
cut only beyond 32 MB.

The request `text.search` has the arguments `{"words": text, "keys": [[run, tag], ...]}`. The answer's data are JSON, a
list with an entry for each key: `[revision, searched, places]`, the number of texts that were searched in the order
written, and the places of texts with the words. It ends after some seconds.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import traitlets

from tbwidget.options.common import NamedRangeOptions, TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.answer_list import answer_list, sized
from tbwidget.panels.declare import Panel
from tbwidget.panels.step_index import StepIndex
from tbwidget.reasons import Reason
from tbwidget.wire.content import Answer, ItemsContent, Refusal, from_wire_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.text import Text, Texts
    from tbwidget.records.values.arrays import Array
    from tbwidget.wire.columns import Columns

MAX_BYTES = 1_000_000
"""Upper bound for the UTF-8 of a text that is not requested whole."""
MAX_VALUES = 20_000
"""Upper bound for its values."""

MAX_WHOLE_BYTES = 32_000_000
"""Upper bound for the UTF-8 of a whole text, beyond which browsers cannot show it."""
MAX_WHOLE_VALUES = 1_000_000
"""Upper bound for its values."""

ANSWER_BYTES = 8_000_000
"""Size at which an answer is full; the browser asks again for the rest."""

MAX_TEXTS = 256
"""Upper bound for the texts of a request."""

SEARCH_TIME_S = 5.0
"""Time limit of a search, because other requests wait for it."""

MAX_FOUND = 10_000
"""Upper bound for the texts that a search finds."""


class TextContent(ItemsContent):
    """All texts."""

    kind = "text"
    prefetch_bytes = 4_000_000

    def read(self, logs: Logs, run: str, tag: str) -> StepIndex[Text]:
        """Return the index. Raises KeyError if it is gone."""
        return StepIndex(logs.text(run, tag))

    def entry(self, index: StepIndex[Text], rows: slice, columns: Columns) -> dict[str, Any]:
        """Add the index of each row in the order written."""
        return {"place": columns.add_steps(index.places[rows])}

    def blob(self, index: StepIndex[Text], row: int) -> bytes:
        """Encode the text, or its beginning."""
        return encoded(index[row].value)


def encoded(value: Array, most_bytes: int = MAX_BYTES, most_values: int = MAX_VALUES) -> bytes:
    """Encode a text, cut to a number of bytes and values."""
    values: list[str] = []
    left, cut = most_bytes, 0
    # A repeated value may have a shape of any size, so the loop must not visit all values.
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
    """Answer with texts that were not pushed, or not pushed whole."""
    wanted = args.get("texts")
    if not isinstance(wanted, list) or len(wanted) > MAX_TEXTS:
        raise Refusal(Reason("malformed-request", expected="a list of texts"))
    most = (MAX_WHOLE_BYTES, MAX_WHOLE_VALUES) if args.get("whole") is True else (MAX_BYTES, MAX_VALUES)
    return answer_list(
        wanted, lambda text, _room: sized(encoded(_value_of(logs, text), *most)), is_cancelled, ANSWER_BYTES
    )


def _texts(logs: Logs, run: str, tag: str) -> Texts:
    return logs.text(*from_wire_names(logs, "text", run, tag))


def _value_of(logs: Logs, wanted: Any) -> Array:
    match wanted:
        case [str(run), str(tag), int(revision), int(place)]:
            index = _texts(logs, run, tag)
            if index.revision != revision or not 0 <= place < len(index):
                raise ValueError(Reason("text-replaced"))
            return index[place].value
    raise ValueError(Reason("malformed-request", expected="a text"))


def search(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Search all texts of some keys, ignoring case."""
    words, keys = args.get("words"), args.get("keys")
    if not isinstance(words, str) or not words or not isinstance(keys, list):
        raise Refusal(Reason("malformed-request", expected="words and keys"))
    pattern = re.compile(re.escape(words), re.IGNORECASE)
    end, left = time.monotonic() + SEARCH_TIME_S, MAX_FOUND
    entries: list[tuple[int, int, list[int]]] = []
    for key in keys:
        try:
            run, tag = key
            texts = _texts(logs, str(run), str(tag))
        except (KeyError, TypeError, ValueError):  # gone, or malformed
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
    """Options of texts."""

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
    options=(TimeAxisOptions, NamedRangeOptions, TextOptions),
    view="TextView",
    view_doc="The texts of a log directory, and nothing else.",
    requests={"texts": texts, "search": search},
)
