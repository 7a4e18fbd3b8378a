"""How images, clips and texts show themselves as a cell's result: all content of a log is escaped, nothing runs."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tbwidget.media.showable import Showable, showable
from tbwidget.texts import shorten

if TYPE_CHECKING:
    from tbwidget.records.values.arrays import Array

MAX_PIXELS = 1024
"""Longer side of an image that is shown alone, in pixels: notebooks keep their results."""

STRIP_PIXELS = 320
"""Longer side of an image among several, in pixels."""

LEAST_PIXELS = 128
"""Longer side to which a smaller image is enlarged, about."""

MOST_AUDIO = 5_000_000
"""Bytes of a clip that can be played in a result."""

MOST_CELLS = 1000
"""Cells of the tables that show a text."""

MOST_CHARACTERS = 100_000

_OWN_TYPES = {"image/png", "image/jpeg", "image/gif"}  # that notebooks show as such
_AUDIO = re.compile(r"audio/[\w.+-]{1,64}", re.ASCII)


class Encoded(Protocol):
    """An encoded image of a step."""

    step: int
    sample: int

    @property
    def data(self) -> bytes:
        """Read when it is asked for: ValueError where it cannot be."""


def image_bundle(image: Encoded) -> dict[str, str]:
    """An image by MIME types: drawings and rarer formats as an `<img>`, what cannot be shown as words."""
    name = repr(image)
    try:
        shown = showable(image.data, MAX_PIXELS)
    except ValueError as error:
        return {"text/plain": f"{name}: {_plain(str(error))}"}
    if shown.mime in _OWN_TYPES:
        return {"text/plain": name, shown.mime: _base64(shown.data)}
    return {"text/plain": name, "text/html": _img(shown, name)}


def strip(name: str, images: Iterable[Encoded]) -> str:
    """Images side by side, each with its step, sample, size and format, or why it cannot be shown."""
    return f"<div><div>{_escaped(name)}</div>{''.join(map(_figure, images))}</div>"


def audio(name: str, label: str, content_type: str, data: bytes) -> str:
    """A player of a clip, where its type says that it is audio."""
    caption = f"<div>{_escaped(f'{name} {shorten(label)}'.strip())}</div>"
    if len(data) > MOST_AUDIO:
        return f"<div>{caption}{len(data):,} B: too large to be played here</div>"
    if not _AUDIO.fullmatch(content_type):
        return f"<div>{caption}not known to be audio</div>"
    return f'<div>{caption}<audio controls src="data:{content_type};base64,{_base64(data)}"></audio></div>'


def text(name: str, value: Array) -> str:
    """A text as it was written; of several, tables."""
    head = f"<div>{_escaped(name)}</div>"
    if value.size == 1:
        return f"<div>{head}{_pre(str(value.flat[0]), MOST_CHARACTERS)}</div>"
    if value.size == 0:
        return f"<div>{head}<div>empty, shape {list(value.shape)}</div></div>"
    if value.ndim == 1:
        value = value[:, np.newaxis]
    tables = value.reshape(math.prod(value.shape[:-2]), *value.shape[-2:])
    parts, left = [], MOST_CELLS
    for table in tables:
        rows = table[: max(1, left // max(1, table.shape[1])), :left]
        parts.append(_table(rows))
        left -= rows.size
        if left <= 0:
            break
    rest = value.size - (MOST_CELLS - left)
    more = f"<div>and {rest:,} more</div>" if rest > 0 else ""
    return f"<div>{head}{''.join(parts)}{more}</div>"


def _figure(image: Encoded) -> str:
    name = f"step {image.step}, sample {image.sample}"
    try:
        shown = showable(image.data, STRIP_PIXELS)
    except ValueError as error:
        inside, what = "", shorten(str(error))
    else:
        inside, what = _img(shown, name, LEAST_PIXELS), f"{shown.width} x {shown.height} {shown.format}"
    caption = f"<figcaption>{name}: {_escaped(what)}</figcaption>"
    return f'<figure style="display: inline-block; margin: 4px; vertical-align: top">{inside}{caption}</figure>'


def _img(shown: Showable, name: str, least: int = 0) -> str:
    """An `<img>`; a smaller one is enlarged by a whole factor, its pixels as squares."""
    source = f"data:{shown.mime};base64,{_base64(shown.data)}"
    factor = least // max(shown.width, shown.height)
    enlarged = f"; width: {factor * shown.width}px; image-rendering: pixelated" if factor > 1 else ""
    return f'<img style="max-width: 100%{enlarged}" alt="{_escaped(name)}" src="{source}">'


def _table(rows: Array) -> str:
    share = MOST_CHARACTERS // max(1, rows.size)
    body = "".join(f"<tr>{''.join(f'<td>{_pre(str(cell), share)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{body}</table>"


def _pre(content: str, most: int) -> str:
    cut = content if len(content) <= most else f"{content[:most]}…"
    return f'<pre style="white-space: pre-wrap; text-align: left; margin: 0">{_escaped(cut)}</pre>'


def _escaped(content: str) -> str:
    return escape(_plain(content), quote=True)


def _plain(content: str) -> str:
    """A text that can be encoded: bytes that are no UTF-8 (surrogates here) become visible escapes."""
    return content.encode("utf-8", "backslashreplace").decode("utf-8")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
