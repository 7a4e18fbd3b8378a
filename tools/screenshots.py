"""Take the screenshots of README.md, light and dark: a dashboard next to a cell that trains, and two tutorials.

    python -m tools.screenshots                    writes docs/images/*.png
    python -m tools.screenshots graphs             only these

The trainings are made up, and always the same. Needs Chromium, as the browser tests do.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer
from tests.browser.page import THEMES, NotebookPage

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/images"
SIZE = (1280, 920)
COLORS = 192
TUTORIAL_SIZE = (1000, 1000)
TUTORIALS = {
    # The cells to run, and the one whose dashboard is shown.
    "graphs": (("load", "tracer", "model", "show", "set"), "show"),
    "media": (("load", "show", "scenes", "figure", "train"), "show"),
}

SHOW = '%load_ext tbwidget\nshow("runs")'
TRAIN = """for step in trainer.steps(30_000):
    loss, accuracy = trainer.step()
    writer.add_scalar("loss/train", loss, step)
    writer.add_scalar("accuracy/train", accuracy, step)"""

# The code behind `trainer`: four runs; the last one is still training when the screenshot is taken.
SETUP = '''
import math, random, time
from tensorboardX import SummaryWriter

random.seed(4)
RUNS = {"baseline": 1.0, "dropout 0.2": 0.8, "wider": 0.62, "wider, cosine": 0.45}
COSINE = 0.45
DONE = 11_000


class Values:
    """Values of one run."""

    def __init__(self, level):
        self.level, self.drift = level, 0.0

    def at(self, step):
        self.drift += random.gauss(0, 0.004) - 0.02 * self.drift
        progress = 1 - math.exp(-step / 5_000)
        loss = 1.9 * math.exp(-step / 2_600) + 0.7 * self.level + 0.2 * self.drift
        over = 0.09 * self.level * progress
        accuracy = 0.99 - 0.25 * self.level - (0.88 - 0.25 * self.level) * math.exp(-step / 2_800)
        decay = 1e-3 * 0.5 ** (step // 6_000)
        cosine = 1e-3 * (1 + math.cos(math.pi * step / 30_000)) / 2
        return {
            "loss/train": loss * random.lognormvariate(0, 0.09),
            "accuracy/train": min(1, accuracy + random.gauss(0, 0.014)),
            "accuracy/top 5": min(1, 0.35 + 0.65 * accuracy + random.gauss(0, 0.006)),
            "loss/regularization": 0.31 * self.level * progress * random.lognormvariate(0, 0.02),
            "loss/validation": loss + over + random.gauss(0, 0.012),
            "accuracy/validation": accuracy - 0.3 * over + random.gauss(0, 0.004),
            "optimizer/gradient norm": random.lognormvariate(0.4 - 0.9 * progress, 0.22) * (0.6 + self.level),
            "optimizer/weight norm": 11 + 6 * self.level * progress**0.5 + random.gauss(0, 0.05),
            "optimizer/learning rate": cosine if self.level == COSINE else decay,
        }


def write(writer, values, step):
    for tag, value in values.at(step).items():
        if step % 200 == 0 or "validation" not in tag:
            writer.add_scalar(tag, value, step)


for name, level in RUNS.items():
    writer, values = SummaryWriter(f"runs/{name}"), Values(level)
    for step in range(0, DONE if level == COSINE else 16_000 + 400 * len(name), 40):
        write(writer, values, step)
    writer.flush()


class Trainer:
    """Takes its time; it writes as if the cell did."""

    def __init__(self, values, writer):
        self.values, self.writer = values, writer

    def steps(self, last):
        for step in range(DONE, last, 40):
            self.now = self.values.at(step)
            write(self.writer, self.values, step)
            self.writer.flush()
            time.sleep(0.12)
            yield step

    def step(self):
        return self.now["loss/train"], self.now["accuracy/train"]


class Quiet:
    def add_scalar(self, *given):
        pass


trainer, writer = Trainer(values, writer), Quiet()
'''

RUN_ASIDE = "return panel.sessionContext.session.kernel.requestExecute({ code: arg }).done.then(() => null)"


def settings(theme: str) -> dict[str, dict[str, str]]:
    """Return settings of JupyterLab."""
    return {"@jupyterlab/apputils-extension:themes": {"theme": THEMES[theme]}}


@contextlib.contextmanager
def jupyter(project: str, theme: str) -> Iterator[JupyterServer]:
    """Run a server in a directory of this name, which dashboards show; FileExistsError if the directory exists."""
    root = Path(tempfile.gettempdir()) / project
    root.mkdir()
    try:
        with JupyterServer(settings=settings(theme), root=root) as server:
            yield server
    finally:
        shutil.rmtree(root, ignore_errors=True)


def training(theme: str, chromium: Chromium) -> bytes:
    """Return a notebook with a training, as PNG."""
    with jupyter("digits", theme) as server:
        server.write_notebook("training.ipynb", [SHOW, TRAIN])
        with NotebookPage(server, "training.ipynb", chromium, SIZE, scale=2) as page:
            # Run without a cell, so that the picture begins with the reader's own code.
            page.js(RUN_ASIDE, SETUP)
            page.js("return app.commands.execute('application:toggle-left-area').then(() => null)")
            page.start_all()
            page.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length >= 4", 60)
            page.sleep(6)
            page.plot("loss/train").hover(position={"x": 110, "y": 60})
            page.sleep(1)
            picture = page.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)").screenshot()
            if page.errors:
                sys.exit(f"error: the page says {page.errors}")
    return picture


def tutorial(name: str, theme: str, chromium: Chromium) -> bytes:
    """Return the dashboard of a tutorial, as PNG."""
    run, shown = TUTORIALS[name]
    with jupyter("tutorials", theme) as server:
        notebook = json.loads((ROOT / f"notebooks/{name}.ipynb").read_text("utf-8"))
        code = {cell["id"]: index for index, cell in enumerate(notebook["cells"])}
        server.add_notebook(f"{name}.ipynb", notebook)
        with NotebookPage(server, f"{name}.ipynb", chromium, TUTORIAL_SIZE, scale=2) as page:
            page.js("return app.commands.execute('application:toggle-left-area').then(() => null)")
            for cell in run:
                page.run_cell(code[cell])
            page.js("cells[arg].outputArea.node.scrollIntoView()", code[shown])
            shown_in = page.page.locator(".tbwidget").first
            if full := shown_in.get_by_role("button", name="full window").all():
                full[0].click()
                shown_in = page.page.get_by_role("dialog", name="Graphs")
            page.sleep(3)
            picture = shown_in.screenshot()
            if page.errors:
                sys.exit(f"error: the page says {page.errors}")
    return picture


def reduced(picture: bytes) -> bytes:
    """Return the picture in few colors, a third of the size."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Take the screenshots."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", choices=["training", *TUTORIALS])
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Chromium() as chromium:
        for name in parser.parse_args().names or ["training", *TUTORIALS]:
            for theme in THEMES:
                picture = tutorial(name, theme, chromium) if name in TUTORIALS else training(theme, chromium)
                path = FOLDER / f"{name}-{theme}.png"
                path.write_bytes(reduced(picture))
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
