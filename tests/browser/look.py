"""Take screenshots of a dashboard in JupyterLab: light and dark, with one run and with fifty, narrow and wide.

python -m tests.browser.look FOLDER                        all of them, as FOLDER/scalars-50-700-dark.png and so on
python -m tests.browser.look FOLDER --panels histograms --runs 50 --widths 700 --themes dark
python -m tests.browser.look FOLDER --logs DIRECTORY       of these logs; --busy: while a cell runs
python -m tests.browser.look FOLDER --language ko          in Korean, which needs a font for it, such as fonts-noto-cjk
python -m tests.browser.look FOLDER --states [STATE ...]   in each state, as FOLDER/behind-700-dark.png
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.cells import hold
from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer
from tests.browser.page import THEMES, NotebookPage
from tests.browser.states import STATES, state

HEIGHT = 1_000

WRITE = """
import numpy as np
from tensorboardX import SummaryWriter
rng = np.random.default_rng(0)
for number in range({runs}):
    with SummaryWriter(f"logs/run{{number + 1}}") as writer:
        for step in range(0, 400, 4):
            done = step / 400
            for tag in ("loss/train", "loss/validation", "accuracy/train", "accuracy/validation", "rate"):
                noise = rng.normal(0, 0.02)
                writer.add_scalar(tag, (1 + number / 10) * np.exp(-4 * done) + noise, step)
            if step % 40 == 0 and number < 12:
                writer.add_histogram("layer1/weights", rng.normal(number / 10, 1 + done, 2_000), step)
                writer.add_histogram("layer2/weights", rng.gamma(1 + done, 1, 2_000), step)
                waves = np.sin(np.add.outer(np.arange(60), np.arange(80)) * (0.05 + done / 10) + number)
                writer.add_image("validation/waves", np.stack([waves, -waves, waves**2]) / 2 + 0.5, step)
                writer.add_image("layer1/filter", rng.random((1, 7, 7)), step)
"""

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("logs", panel={panel!r}, language={language!r})
display(board)
"""


@contextmanager
def dashboard(
    chromium: Chromium,
    *,
    panel: str = "scalars",
    runs: int = 1,
    width: int = 1_400,
    logs: Path | None = None,
    language: str | None = None,
) -> Iterator[NotebookPage]:
    """Show a dashboard of `runs` made-up runs, or of the logs in a directory, in a window of `width` CSS pixels."""
    with JupyterServer() as server:
        if logs is not None:
            shutil.copytree(logs, server.root / "logs")
        cells = ["pass" if logs else WRITE.format(runs=runs), SHOW.format(panel=panel, language=language), hold("look")]
        server.write_notebook("look.ipynb", cells)
        with NotebookPage(server, "look.ipynb", chromium, (width, HEIGHT)) as page:
            page.js("return app.commands.execute('application:toggle-left-area').then(() => null)")
            page.run_cell(0)
            page.run_cell(1)
            page.wait(
                "return document.querySelector('.tbwidget :is([data-last-step], [data-node], .tbwidget-hparams td)') "
                "!== null"
            )
            page.wait_for_state("idle", "live")
            yield page


def look_at_states(chromium: Chromium, chosen: argparse.Namespace) -> None:
    """Take the screenshots of states."""
    for name in chosen.states or STATES:
        with state(chromium, name) as (page, again):
            for width in chosen.widths:
                page.resize(width, HEIGHT)
                for theme in chosen.themes:
                    page.theme(theme)
                    again()
                    path = chosen.folder / f"{name}-{width}-{theme}.png"
                    page.picture(path)
                    print(path)


def main() -> None:
    """Take the screenshots."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--panels", nargs="+", default=["scalars", "histograms", "distributions", "images"])
    parser.add_argument("--runs", nargs="+", type=int, default=[1, 50])
    parser.add_argument("--widths", nargs="+", type=int, default=[1_400, 700])
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=list(THEMES))
    parser.add_argument("--logs", type=Path)
    parser.add_argument("--language", choices=("en", "ko"))
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--states", nargs="*", choices=STATES)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with Chromium() as chromium:
        if chosen.states is not None:
            look_at_states(chromium, chosen)
            return
        for runs in chosen.runs if chosen.logs is None else [0]:
            for panel in chosen.panels:
                with dashboard(chromium, panel=panel, runs=runs, logs=chosen.logs, language=chosen.language) as page:
                    if chosen.busy:
                        page.start_cell(2)
                        page.wait("return running(cells[2])")
                    for width in chosen.widths:
                        page.resize(width, HEIGHT)
                        for theme in chosen.themes:
                            page.theme(theme)
                            page.steady("return document.querySelector('.tbwidget canvas')?.toDataURL() ?? ''")
                            path = chosen.folder / f"{panel}-{runs or 'logs'}-{width}-{theme}.png"
                            page.picture(path)
                            print(path)
                    for error in page.errors:
                        print(f"the page says: {error}")


if __name__ == "__main__":
    main()
