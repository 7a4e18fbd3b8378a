"""The documentation's translations: NAME.ko.md and NAME.ko.ipynb stand next to NAME.md and NAME.ipynb."""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r'\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"')
_COMMENT_OF_CODE = re.compile(r"\s*# .*")
_NOT_COMPARED = {tokenize.COMMENT, tokenize.NL}


class Shape(NamedTuple):
    """The structure that a page and its translation share: everything but words."""

    headings: list[int]
    """Levels of the headings."""
    blocks: list[tuple[str, list[str]]]
    """Language and code of each code block, as `code_of` returns it."""
    tables: list[int]
    """The separators in each row of a table."""
    lists: int
    """The number of list items."""
    links: Counter[str]
    """Targets of links and images, without anchors and without the language."""
    notes: list[str]
    """Comments, for the site and for tests."""


def originals(folder: Path, kind: str) -> list[Path]:
    """Return the files of a kind, such as "md", without translations."""
    return sorted(path for path in folder.glob(f"*.{kind}") if "." not in path.stem)


def original_of(path: Path) -> Path:
    """Return the original of a translated file."""
    return path.with_name(path.name.replace(".ko.", "."))


def code_of(code: str, language: str = "python") -> list[str]:
    """Return code without its comments: the tokens of Python, the lines of anything else."""
    if language != "python":
        return [_COMMENT_OF_CODE.sub("", line) for line in code.splitlines()]
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type not in _NOT_COMPARED]


def shape_of(page: str) -> Shape:
    """Return the shape of a page in Markdown."""
    blocks = [(found[2], code_of(found[3], found[2])) for found in _BLOCK.finditer(page)]
    text = _BLOCK.sub("", page)
    links = [next(filter(None, found.groups())) for found in _LINK.finditer(text)]
    return Shape(
        headings=[len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)],
        blocks=blocks,
        tables=[row.count("|") for row in re.findall(r"^\|.*", text, re.MULTILINE)],
        lists=len(re.findall(r"^\s*(?:-|\d+\.) ", text, re.MULTILINE)),
        links=Counter(link.partition("#")[0].replace(".ko.", ".") for link in links),
        notes=re.findall(r"<!--.*?-->", text, re.DOTALL),
    )
