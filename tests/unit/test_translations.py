"""A Korean page or notebook keeps up with the English one: a change of one without the other fails here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.translations import code_of, original_of, originals, shape_of

ROOT = Path(__file__).parents[2]
TUTORIALS = ROOT / "notebooks/tutorials"
OF_ITS_OWN = {"glossary.ko.md"}
"""Pages that are no translations: the terms of a language."""
PAGES = [
    page for page in [ROOT / "README.ko.md", *sorted((ROOT / "docs").rglob("*.ko.md"))] if page.name not in OF_ITS_OWN
]
NOTEBOOKS = sorted(TUTORIALS.glob("*.ko.ipynb"))

_HANGUL = re.compile("[가-힣]")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def cells_of(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def test_pages_that_are_translated() -> None:
    """Beginners and users of a dashboard can stay in Korean."""
    quickstart = originals(ROOT / "docs/quickstart", "md")
    panels = originals(ROOT / "docs/panels", "md")
    begin = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("index", "dashboard", "tutorials"))]
    assert set(map(original_of, PAGES)) >= {*begin, *quickstart, *panels}
    assert [original_of(path) for path in NOTEBOOKS] == originals(TUTORIALS, "ipynb")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_has_all_that_the_english_one_has(page: Path) -> None:
    text = page.read_text("utf-8")
    assert shape_of(text) == shape_of(original_of(page).read_text("utf-8"))
    assert _HANGUL.search(text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_has_the_cells_of_the_english_one(path: Path) -> None:
    translated, original = cells_of(path), cells_of(original_of(path))
    kinds = [[(cell["id"], cell["cell_type"]) for cell in cells] for cells in (translated, original)]
    assert kinds[0] == kinds[1]
    for cell, other in zip(translated, original, strict=True):
        source, english = "".join(cell["source"]), "".join(other["source"])
        if cell["cell_type"] == "code":
            assert code_of(source) == code_of(english)
            assert (cell["outputs"], cell["execution_count"]) == ([], None), "the site takes those of the English one"
        else:
            assert shape_of(source) == shape_of(english), cell["id"]
            assert _HANGUL.search(source)


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ("# A\n\n## B", "headings"),
        ("# A\n\n```python\nx = 2  # one\n```", "blocks"),
        ("# A\n\n```sh\nls -l  # one\n```", "blocks"),
        ("# A\n\n| a |\n|---|\n| b |\n| c |", "tables"),
        ("# A\n\n| a | b |\n|---|\n| b |", "tables"),
        ("# A\n\n- a\n- b", "lists"),
        ("# A\n\n[a](c.md)", "links"),
        ('# A\n\n<img src="c.png">', "links"),
        ("# A\n\n<!-- dashboard: b -->", "notes"),
    ],
)
def test_a_change_is_seen(changed: str, part: str) -> None:
    blocks = "```python\nx = 1  # one\n```\n\n```sh\nls  # one\n```"
    page = f'# A\n\n{blocks}\n\n| a |\n|---|\n| b |\n\n- a\n\n[a](b.md) <img src="b.png">\n\n<!-- dashboard: a -->\n'
    assert getattr(shape_of(changed), part) != getattr(shape_of(page), part)
    translated = page.replace("# one", "# 하나").replace("(b.md)", "(b.ko.md#가)").replace("| b |", "| 나 |")
    assert shape_of(translated) == shape_of(page)
