"""A notebook becomes a page that shows its outputs and runs none of them."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools"))

from notebook_pages import as_page, with_outputs  # noqa: E402 (found from here on)

from tests.support.pictures import png  # noqa: E402
from tests.support.translations import originals  # noqa: E402

TUTORIALS = ROOT / "notebooks/tutorials"


def notebook(*outputs: dict[str, Any], source: str = "1 + 1") -> dict[str, Any]:
    title = {"cell_type": "markdown", "source": ["# Title"]}
    return {"cells": [title, {"cell_type": "code", "source": [source], "outputs": list(outputs)}]}


def test_outputs_stand_below_their_code() -> None:
    picture = png(30, 20, bytes(31 * 20), depth=8)
    encoded = base64.b64encode(picture).decode()
    made = as_page(
        notebook(
            {"output_type": "stream", "text": ["printed\n"]},
            {"data": {"image/png": encoded, "text/plain": ["View"]}, "metadata": {"image/png": {"alt": 'View("<a>")'}}},
            {
                "data": {
                    "text/html": ['<style scoped>p {}</style><table border="1" class="dataframe"></table>'],
                    "text/plain": [""],
                },
                "metadata": {},
            },
            {"data": {"text/plain": ["2"]}, "metadata": {}},
        ),
        "some",
    )
    assert made.pictures == {"some-1.png": picture}
    shown = made.markdown
    parts = ["# Title", "](some.ipynb)", "```python\n1 + 1\n```", "```text\nprinted\n```", '<img src="some-1.png"']
    places = [shown.index(part) for part in [*parts, "<table></table>", "```text\n2\n```"]]
    assert places == sorted(places)
    assert 'alt="View(&quot;&lt;a&gt;&quot;)"' in shown
    assert 'width="30" height="20"' in shown
    assert "<style" not in shown


def test_fences_inside_code_end_nothing() -> None:
    assert "````python\ntext = '```'\n````" in as_page(notebook(source="text = '```'"), "some").markdown


def test_a_notebook_without_outputs_says_so() -> None:
    assert "shows no outputs" in as_page(notebook(), "some").markdown


def test_a_translated_notebook_shows_the_outputs_of_the_original() -> None:
    translated = {"cells": [{"cell_type": "markdown", "source": ["# 제목"]}, notebook()["cells"][1]]}
    run = notebook({"output_type": "stream", "text": ["printed\n"]})
    made = as_page(with_outputs(translated, run), "some", "ko").markdown
    assert made.startswith(
        '# 제목\n\n!!! note "노트북으로 만든 페이지입니다"\n\n    이 페이지의 대시보드는 그림입니다.'
    )
    assert "](some.ipynb)" in made
    assert made.endswith("```text\nprinted\n```\n")
    with pytest.raises(ValueError, match="longer"):
        with_outputs({"cells": translated["cells"][:1]}, run)


def test_each_tutorial_shows_a_picture_of_every_dashboard() -> None:
    for path in originals(TUTORIALS, "ipynb"):
        made = as_page(json.loads(path.read_text("utf-8")), path.stem)
        assert made.pictures, path.stem
        assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())
        assert made.markdown.startswith("# ")
