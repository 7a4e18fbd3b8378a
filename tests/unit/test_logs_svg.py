"""The cost of drawing an SVG: bombs are refused wherever images are shown, ordinary drawings are drawn."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import tbwidget
from tbwidget.media.showable import SVG_BYTES, showable
from tests.support.drawings import BOMBS, ORDINARY, svg, uses
from tests.support.eventfiles import NAME, event, plugin, strings, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_never_drawn(name: str) -> None:
    with pytest.raises(ValueError, match="SVG too complex to draw: ") as caught:
        showable(BOMBS[name], 320)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_drawing_is_drawn(name: str) -> None:
    assert showable(ORDINARY[name], 320).data == ORDINARY[name]


def test_the_limit_counts_elements_that_references_repeat() -> None:
    showable(uses(4, 7, "href"), 320)
    with pytest.raises(ValueError, match="more than 20,000 elements"):
        showable(uses(4, 8, "href"), 320)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f'<path d="M0 0{"h1" * 29_000}"/>', "a path of 29,001 vertices"),
        ('<mask id="m"/><g mask="url(#m)"/>' * 900, "it takes as long as more than 20,000 elements"),
        ("<g/>" * 21_000, "more than 20,000 elements"),
    ],
)
def test_a_refusal_names_the_exceeded_limit(body: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^SVG too complex to draw: {reason}$"):
        showable(svg(body), 320)


@pytest.mark.parametrize("cut", [300, 1_000, -1])
def test_a_damaged_drawing_is_broken(cut: int) -> None:
    with pytest.raises(ValueError, match="broken: not a well-formed SVG"):
        showable(uses(6)[:cut], 320)


def test_a_drawing_in_an_unknown_encoding_is_broken() -> None:
    with pytest.raises(ValueError, match="broken: "):
        showable(svg("<rect/>", '<?xml version="1.0" encoding="utf-7"?>'), 320)


REPEATED = [
    *("{", "}", "a{", "[", "[a", ":a(", "::", "(", "url(", "url( ", 'url("', "url('", "url(url(#a)", '"', "'", "'\n"),
    *(
        "\\",
        "/*",
        "*/",
        ";",
        "a:url(",
        "a:url(;",
        "--a:",
        "#a",
        ".a",
        ".a>",
        "a,",
        "@import ",
        "@a{",
        "filter",
        "e",
        " ",
    ),
    *("a", "0", "a-", "scale(1)", "filter :", "*{fill:url(#a)}", ".a{filter:url(#b)}"),
]


@pytest.mark.parametrize(
    "where",
    [
        *("<style>{}</style>", '<rect style="{}"/>', '<rect style="fill:{}"/>', '<rect fill="{}"/>', '<path d="{}"/>'),
        '<g transform="{}"/>',
    ],
)
def test_the_estimate_takes_time_in_proportion_to_the_bytes(where: str) -> None:
    """Quadratic time would be hours."""
    for unit in REPEATED:
        plain = unit.replace('"', "&quot;")
        text = plain * ((SVG_BYTES - 1_000) // len(plain))
        with suppress(ValueError):
            showable(svg(where.format(text)), 320)


def test_a_bomb_says_so_in_a_result_and_its_bytes_are_there(tmp_path: Path) -> None:
    data = BOMBS["use"]
    shown = svg("<rect/>")
    log = strings("t", plugin("images"), b"100", b"100", data, shown)
    write(tmp_path / "run" / NAME, event(1.7e9, version="brain.Event:2"), event(1.7e9, 1, log))
    images = tbwidget.load(tmp_path).images("run", "t")
    assert (images[0].data, images[0].format) == (data, "SVG")
    assert images[0]._repr_mimebundle_() == {
        "text/plain": "Image(step 1, sample 0): SVG too complex to draw: more than 20,000 elements"
    }
    result = images._repr_html_()
    assert "SVG too complex to draw: more than 20,000 elements" in result
    assert result.count("<img") == 1
