"""The code of a host's notebook or app in these tests, and the expected contents of its page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.window import PATIENCE

WRITE = """
import numpy as np, tensorboardX, time
import tbwidget

def train(run, steps, pause=0):
    writer = tensorboardX.SummaryWriter(f"runs/{run}")
    for step in range(steps):
        writer.add_scalar("loss", 1 / (step + 1), step)
        writer.add_scalar("accuracy", step / steps, step)
        writer.flush()
        time.sleep(pause)
    writer.close()

train("first", 50)
writer = tensorboardX.SummaryWriter("runs/pictures")
writer.add_image("picture", np.random.default_rng(0).random((3, 32, 32)), 1)
writer.close()
"""

STEPS = 120
"""Number of steps of the run that is written while the page is open, one every 0.1 s."""


def follows_a_run(page: Page) -> Locator:
    """Wait for several successive points of a run; returns the dashboard."""
    board = page.locator(".tbwidget").first
    card = board.locator('[data-tag="loss"]')
    expect(card).to_have_attribute("data-last-step", re.compile("."), timeout=2000 * PATIENCE)
    seen = set()
    while True:
        step = int(card.get_attribute("data-last-step") or 0)
        seen.add(step)
        if step == STEPS - 1:
            break
        expect(card).not_to_have_attribute("data-last-step", str(step), timeout=1000 * PATIENCE)
    assert len(seen) > STEPS / 10
    return board


def answers(board: Locator) -> None:
    """Open another panel, whose content is requested from the kernel, and filter tags."""
    board.get_by_role("tab", name="Images").click()
    expect(board.locator(".tbwidget-tile")).to_have_attribute("data-state", "shown", timeout=1000 * PATIENCE)
    board.get_by_role("tab", name="Scalars").click()
    board.get_by_label("Filter tags").fill("acc")
    expect(board.locator("[data-last-step]")).to_have_count(1, timeout=1000 * PATIENCE)
    expect(board.locator("[data-last-step]")).to_have_attribute("data-tag", re.compile("accuracy"))
