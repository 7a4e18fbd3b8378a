"""The Python code in the documentation's pages, as cells of a notebook."""

from __future__ import annotations

import re
from pathlib import Path

_BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?```python\n(.*?)```", re.DOTALL)


def runnable(page: Path) -> list[str]:
    """Return the blocks that need nothing but tbwidget, numpy, pandas and tensorboardX."""
    return [code for skipped, code in _BLOCK.findall(page.read_text("utf-8")) if not skipped]


def everything(page: Path) -> list[str]:
    """Return all blocks, including those after `<!-- not run: reason -->`."""
    return [code for _, code in _BLOCK.findall(page.read_text("utf-8"))]
