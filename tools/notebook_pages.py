"""Turn a notebook into a page of the site, with its outputs."""

from __future__ import annotations

import base64
import html
import re
import struct
from typing import Any, NamedTuple

_BACKTICKS = re.compile("`{3,}")
_HTML_STYLE = re.compile(r"<style.*?</style>\s*", re.DOTALL)
_PANDAS_TABLE = '<table border="1" class="dataframe">'
"""The site styles only tables without a class."""
_PNG_SIZE_OFFSET = 16
"""Width and height follow the signature and the header of the first chunk."""


class _Words(NamedTuple):
    """The note at the top of a page, with the notebook's name for `{file}`."""

    title: str
    pictures: str
    no_outputs: str
    download: str


_WORDS = {
    "en": _Words(
        "This page is a notebook",
        "Dashboards are pictures on this page.",
        "This page shows no outputs.",
        "[Download the notebook]({file}), and run it in JupyterLab.",
    ),
    "ko": _Words(
        "노트북으로 만든 페이지입니다",
        "이 페이지의 대시보드는 그림입니다.",
        "이 페이지에는 실행 결과가 없습니다.",
        "[노트북을 내려받아]({file}) JupyterLab에서 실행해 보세요.",
    ),
}


class NotebookPage(NamedTuple):
    """A page in Markdown, and its pictures."""

    markdown: str
    pictures: dict[str, bytes]
    """Contents by file name; the files are saved next to the page."""


def with_outputs(notebook: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs of another one, which has the same cells in another language."""
    pairs = zip(notebook["cells"], other["cells"], strict=True)
    cells = [cell | {"outputs": run["outputs"]} if "outputs" in run else cell for cell, run in pairs]
    return notebook | {"cells": cells}


def as_page(notebook: dict[str, Any], name: str, language: str = "en") -> NotebookPage:
    """Return the page of a notebook whose file has this name, without suffix, beside the page."""
    cells, pictures = notebook["cells"], dict[str, bytes]()
    parts: list[str] = []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(_fenced(source, "python"))
        parts += [_output(output, name, pictures) for output in cell["outputs"]]
    parts.insert(1, _about(f"{name}.ipynb", _WORDS[language], has_outputs=any(cell.get("outputs") for cell in cells)))
    return NotebookPage("\n\n".join(part for part in parts if part) + "\n", pictures)


def _about(file: str, words: _Words, *, has_outputs: bool) -> str:
    """Return the note at the top of a page."""
    seen = words.pictures if has_outputs else words.no_outputs
    return f'!!! note "{words.title}"\n\n    {seen} {words.download.format(file=file)}'


def _output(output: dict[str, Any], name: str, pictures: dict[str, bytes]) -> str:
    """Return one output in Markdown; add its picture, if it has one."""
    if "text" in output:
        return _fenced("".join(output["text"]), "text")
    data = output["data"]
    if "image/png" in data:
        picture = f"{name}-{len(pictures) + 1}.png"
        pictures[picture] = png = base64.b64decode("".join(data["image/png"]))
        width, height = struct.unpack_from(">II", png, _PNG_SIZE_OFFSET)
        described = output["metadata"].get("image/png", {}).get("alt") or "".join(data["text/plain"])
        size = f'width="{width}" height="{height}"'
        return f'<img src="{picture}" alt="{html.escape(described)}" {size} loading="lazy">'
    if "text/html" in data:
        table = _HTML_STYLE.sub("", "".join(data["text/html"])).replace(_PANDAS_TABLE, "<table>")
        return f'<div class="tbwidget-table">{table}</div>'
    return _fenced("".join(data["text/plain"]), "text")


def _fenced(text: str, language: str) -> str:
    """Return text as a code block, between fences that are longer than any inside."""
    fence = "`" * max([3, *(len(found) + 1 for found in _BACKTICKS.findall(text))])
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
