"""A pen does what a mouse does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.pointers import Pen
from tests.browser.test_gestures import opened, wait_for_steps

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer


def test_a_pen_points_and_draws_a_box(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "pen")
    left, top, width, height = notebook.area(notebook.plot("loss/train"))
    pen = Pen(notebook.page)
    pen.hover((left + 0.5 * width, top + 0.5 * height))
    notebook.page.get_by_role("tooltip").wait_for()
    pen.drag((left + 0.3 * width, top + 0.2 * height), (left + 0.6 * width, top + 0.8 * height))
    zoomed = wait_for_steps(notebook, lambda found: found is not None)
    assert zoomed == pytest.approx([0.3 * 59, 0.6 * 59], abs=3)
    assert notebook.errors == []
