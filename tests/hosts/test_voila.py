"""A dashboard on a page of Voila is live while a thread of the notebook trains."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.hosts.conftest import OpenPage, Serve
from tests.hosts.dashboards import STEPS, WRITE, answers, follows_a_run

# Voila serves a page when all cells have run.
TRAIN = f"import threading; threading.Thread(target=train, args=('second', {STEPS}, 0.1), daemon=True).start()"


def test_voila_shows_points_as_they_come(tmp_path: Path, serve: Serve, open_page: OpenPage) -> None:
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "source": s, "outputs": [], "execution_count": None}
        for i, s in enumerate([WRITE, "tbwidget.show('runs')", TRAIN])
    ]
    kernel = {"name": "python3", "display_name": "python3", "language": "python"}
    notebook = {"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
    (tmp_path / "page.ipynb").write_text(json.dumps(notebook), "utf-8")
    address = serve(["voila", "page.ipynb", "--no-browser", "--port={port}"])
    answers(follows_a_run(open_page(address)))
