"""Take the pictures of docs/panels/: each panel after some use of its controls and gestures, light and dark.

    python -m tools.panel_pictures                 writes docs/images/panels/*.webp
    python -m tools.panel_pictures scalars text    only these

They show exported pages of the logs that the site's live dashboards show. Needs Chromium, as the browser tests do.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from PIL import Image

import tbwidget
from tests.browser.chromium import Chromium
from tests.support import site_logs

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/images/panels"
WIDTH = 900
SCALE = 1.25
QUALITY = 60
MARGIN = 6
"""CSS pixels around a dashboard."""
_PLOT = "[role=group][aria-roledescription]"
"""CSS selector of the element that receives pointer events over a plot."""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def _plot(page: Page, tag: str) -> Locator:
    """Return the element that receives pointer events over the plot of a tag."""
    card = f"""[data-tag='{tag}'], [data-tags*='"{tag}"']"""
    return page.locator(f":is({card}) {_PLOT}").first


def _box(element: Locator) -> FloatRect:
    """Return the position and size of an element."""
    box = element.bounding_box()
    if box is None:
        raise LookupError("the element is not drawn")
    return box


def _point(page: Page, at: Locator, across: float, down: float) -> None:
    """Move the pointer to a position in an element, given in shares of its size."""
    box = _box(at)
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"], steps=4)


def _drag(page: Page, at: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    _point(page, at, *start)
    page.mouse.down()
    _point(page, at, *end)
    page.mouse.up()


def _scalars(page: Page) -> None:
    """Select steps, for the table of values, and point at a chart."""
    page.keyboard.down("Control")
    _drag(page, _plot(page, "loss/train"), (0.3, 0.4), (0.6, 0.6))
    page.keyboard.up("Control")
    page.wait_for_timeout(500)
    _point(page, _plot(page, "loss/validation"), 0.2, 0.35)


def _custom_scalars(page: Page) -> None:
    _point(page, page.locator(_PLOT).nth(1), 0.3, 0.5)


def _histograms(page: Page) -> None:
    _point(page, page.locator(_PLOT).first, 0.45, 0.6)


def _distributions(page: Page) -> None:
    _point(page, page.locator(_PLOT).nth(1), 0.55, 0.3)


def _pr_curves(page: Page) -> None:
    _point(page, _plot(page, "cat"), 0.7, 0.4)


def _parallel(page: Page) -> None:
    """Brush the best values of the goal."""
    _drag(page, page.locator("[data-plot=parallel] [data-axis-brush]").last, (0.5, 0.02), (0.5, 0.3))
    page.mouse.move(0, 0)


def _images(page: Page) -> None:
    """Swipe between two steps of one run."""
    page.locator(".tbwidget-tile").first.click()
    page.get_by_role("button", name="Swipe").click()
    page.get_by_role("checkbox", name="same step").uncheck()
    page.get_by_role("button", name="Step 100", exact=True).click()


def _audio(page: Page) -> None:
    """Change nothing."""
    page.mouse.move(0, 0)


def _text(page: Page) -> None:
    """Compare two steps."""
    card = page.locator("[data-panel=text][data-tag*=greedy]").first
    card.locator(".tbwidget-text").first.hover()
    card.get_by_role("button", name="compare").first.click()


def _projector(page: Page) -> None:
    """Select a point, for its nearest neighbors."""
    stage = page.locator("[data-stage]")
    _point(page, stage, 0.5, 0.5)
    stage.press(".")
    stage.press("Enter")


def _meshes(page: Page) -> None:
    """Turn all meshes."""
    _drag(page, page.locator(".tbwidget-tile canvas").first, (0.5, 0.5), (0.6, 0.35))


class _Picture(NamedTuple):
    """A picture: its logs, its panel, and the gestures made before it is taken."""

    logs: str
    """A directory that `site_logs` writes."""
    panel: str
    height: int
    act: Callable[[Page], None]
    options: Mapping[str, Any] = MappingProxyType({})


_TWO_RUNS = {"selected_runs": ["baseline", "cosine"]}
PICTURES = {
    "scalars": _Picture("runs", "scalars", 640, _scalars, {"smoothing": 0.6}),
    "custom_scalars": _Picture("layout", "custom_scalars", 640, _custom_scalars, {"card_height": 200}),
    "histograms": _Picture("runs", "histograms", 520, _histograms, _TWO_RUNS),
    "distributions": _Picture("runs", "distributions", 460, _distributions, _TWO_RUNS),
    "pr_curves": _Picture("runs", "pr_curves", 520, _pr_curves, {"pr_threshold": 0.5}),
    "parallel": _Picture("sweep", "hparams", 560, _parallel, {"hparams_goal": "metric:val/accuracy"}),
    "scatter": _Picture(
        "sweep", "hparams", 560, _audio, {"hparams_goal": "metric:val/accuracy", "hparams_plots": ["scatter"]}
    ),
    "images": _Picture("runs", "images", 520, _images),
    "audio": _Picture("runs", "audio", 480, _audio, {"spectrogram": True}),
    "text": _Picture("runs", "text", 380, _text),
    "projector": _Picture("shapes", "projector", 560, _projector, {"projector_dimensions": 3}),
    "meshes": _Picture("surface", "meshes", 520, _meshes, {"mesh_size": 280}),
}


def _framed(page: Page) -> bytes:
    """Return a picture of the dashboard with some margin."""
    box = _box(page.locator(".tbwidget").first)
    return page.screenshot(
        clip={
            "x": box["x"] - MARGIN,
            "y": box["y"] - MARGIN,
            "width": box["width"] + 2 * MARGIN,
            "height": box["height"] + 2 * MARGIN,
        }
    )


def picture(name: str, logs: Path, theme: Literal["light", "dark"], chromium: Chromium) -> bytes:
    """Return a panel as WebP."""
    wanted = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        tbwidget.export_html(logs / wanted.logs, file, panels=[wanted.panel], height=wanted.height, **wanted.options)
        context = chromium.context((WIDTH + 32, wanted.height + 60), SCALE)
        try:
            page = context.new_page()
            page.emulate_media(color_scheme=theme)
            page.goto(file.as_uri())
            page.locator(".tbwidget[data-state]").wait_for()
            page.wait_for_timeout(1500)
            wanted.act(page)
            page.wait_for_timeout(1500)
            # The viewer of images fills the window, unlike a dashboard.
            shot = page.screenshot() if page.get_by_role("dialog").count() else _framed(page)
        finally:
            context.close()
    out = io.BytesIO()
    with Image.open(io.BytesIO(shot)) as image:
        image.convert("RGB").save(out, "WEBP", quality=QUALITY, method=6)
    return out.getvalue()


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", choices=list(PICTURES))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Chromium() as chromium:
        site_logs.write_all(Path(folder))
        for name in parser.parse_args().names or PICTURES:
            for theme in THEMES:
                path = FOLDER / f"{name}-{theme}.webp"
                path.write_bytes(picture(name, Path(folder), theme, chromium))
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
