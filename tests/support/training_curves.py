"""Made-up training curves: healthy ones, and ones with a known onset of trouble. The seed sets all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.alerts.curve import Curve
from tbwidget.logs.alerts.rules import Alert, AlertRules, direction_of
from tbwidget.logs.series import Scalars

if TYPE_CHECKING:
    from collections.abc import Callable

POINTS = 1000
INTERVAL_S = 2.0
"""Seconds between two points."""

Floats = npt.NDArray[np.float64]


class Made(NamedTuple):
    """A curve."""

    name: str
    """Description of its shape."""
    tag: str
    value: Floats
    onset: int | None = None
    """The first point in trouble; None for a healthy curve."""


class Detection(NamedTuple):
    """Statistics of the detections for curves of one name."""

    name: str
    curves: int
    detected: int
    early: int
    """Alerts before the onset."""
    delays: list[int]
    """Points from the onset to the alert."""


def scalars_of(value: Floats) -> Scalars:
    """Return a series of these values, one for each step."""
    count = len(value)
    return Scalars(np.arange(count), 1.7e9 + INTERVAL_S * np.arange(count, dtype=np.float64), value, revision=1)


def healthy(seed: int) -> Iterator[Made]:
    """Yield healthy curves of each sort."""
    random = np.random.default_rng(seed)
    x = np.arange(POINTS)
    normal = random.standard_normal
    decay = 2.3 * np.exp(-x / 150) + 0.1
    yield Made("smooth loss", "loss", decay)
    yield Made("loss of single batches", "train/loss", decay * np.exp(0.4 * normal(POINTS)))
    yield Made("loss of a language model", "train/loss", 2.8 + 8 * (1 + x) ** -0.4 + 0.08 * normal(POINTS))
    spiky = decay + 0.05 * np.abs(normal(POINTS))
    spiky[random.integers(50, POINTS, 12)] *= 20
    yield Made("loss with spikes", "loss", spiky)
    yield Made("loss with heavy tails", "loss", 0.5 * decay + 0.05 * np.abs(random.standard_t(1.5, POINTS)))
    restarts = (x % 250) / 250
    cyclic = 0.2 + 1.5 * np.exp(-x / 200) + 0.3 * (1 - restarts) * np.exp(-x / 500)
    yield Made("loss with warm restarts", "loss", cyclic + 0.03 * normal(POINTS))
    overfit = 0.4 + 1.9 * np.exp(-x / 80) + 0.35 * np.maximum(x - 300, 0) / 700
    yield Made("validation loss that overfits", "val_loss", overfit + 0.02 * normal(POINTS))
    yield Made("validation loss of 30 epochs", "val_loss", (overfit + 0.05 * normal(POINTS))[::33])
    yield Made("loss that stays", "loss", np.log(10) + 0.05 * normal(POINTS))
    yield Made("accuracy", "accuracy", np.clip(0.95 - 0.85 * np.exp(-x / 200) + 0.03 * normal(POINTS), 0, 1))
    reward = 200 / (1 + np.exp(-(x - 400) / 80))
    yield Made("reward of episodes", "episode_reward", reward + (10 + 0.3 * reward) * normal(POINTS))
    yield Made("mean reward of 100 episodes", "rollout/ep_rew_mean", _mean(reward + 40 * normal(POINTS), 100))
    yield Made("reward of 0 or 1", "reward", (random.random(POINTS) < reward / 220).astype(float))


def diverging(seed: int) -> Iterator[Made]:
    """Yield curves that diverge somewhere in their second half."""
    random = np.random.default_rng(seed)
    x = np.arange(POINTS)
    onset = int(random.integers(400, 800))
    after = np.maximum(x - onset, 0)
    normal = random.standard_normal
    decay = (2.3 * np.exp(-x / 150) + 0.1) * np.exp(0.1 * normal(POINTS))
    yield Made("grows by 20 % a point", "loss", decay * 1.2**after, onset)
    yield Made("grows by 5 % a point", "loss", decay * 1.05**after, onset)
    yield Made("grows by 1 % a point", "loss", decay * 1.01**after, onset)
    noisy = decay * np.exp(0.4 * normal(POINTS))
    yield Made("grows by 5 % a point, much noise", "train/loss", noisy * 1.05**after, onset)
    yield Made("jumps to where it began", "loss", np.where(after > 0, 2.4 + 0.2 * normal(POINTS), decay), onset)
    swings = decay + np.where(after > 0, np.abs(normal(POINTS)) * 0.2 * 1.05**after, 0)
    yield Made("swings more and more", "loss", swings, onset)
    accuracy = 0.95 - 0.85 * np.exp(-x / 200) + 0.03 * normal(POINTS)
    yield Made("accuracy falls to chance", "val_accuracy", np.where(after > 0, 0.1, accuracy), onset)
    reward = 200 / (1 + np.exp(-(x - 200) / 40))
    fallen = np.where(after > 0, 20.0, reward)
    yield Made("reward collapses", "episode_reward", fallen + (5 + 0.1 * fallen) * normal(POINTS), onset)


def non_finite(seed: int) -> Iterator[Made]:
    """Yield curves with a value that is not finite."""
    random = np.random.default_rng(seed)
    onset = int(random.integers(1, POINTS))
    for name, value in (("NaN", np.nan), ("infinity", np.inf)):
        curve = 1 + 0.1 * random.standard_normal(POINTS)
        curve[onset] = value
        yield Made(f"one {name}", "loss", curve, onset)
        curve = curve.copy()
        curve[onset:] = value
        yield Made(f"{name} to the end", "anything", curve, onset)


def stagnating(seed: int) -> Iterator[Made]:
    """Yield curves that stop improving."""
    random = np.random.default_rng(seed)
    x = np.arange(2 * POINTS)
    onset = int(random.integers(300, 700))
    still = np.minimum(x, onset)
    for noise in (0.01, 0.05):
        loss = 2.4 - 2 * still / onset + noise * random.standard_normal(len(x))
        yield Made(f"loss stands still, noise {noise}", "loss", loss, onset)


def alerts_of(made: Made, rules: AlertRules, chunk: int = 1) -> tuple[list[tuple[int, Alert]], list[Alert]]:
    """Evaluate a curve while it grows; return each alert with the point that it came at, and those at the end."""
    scalars = scalars_of(made.value)
    curve = Curve(direction_of(made.tag))
    seen: dict[str, tuple[int, Alert]] = {}
    now: list[Alert] = []
    for end in range(chunk, len(scalars) + chunk, chunk):
        part = Scalars(scalars.step[:end], scalars.wall_time[:end], scalars.value[:end], revision=1)
        curve.update(part, rules)
        now = list(curve.alerts("run", made.tag, part, rules))
        for alert in now:
            seen.setdefault(alert.rule, (len(part) - 1, alert))
    return list(seen.values()), now


def detections(
    make: Callable[[int], Iterator[Made]], seeds: range, rule: str, rules: AlertRules, chunk: int = 1
) -> dict[str, Detection]:
    """Evaluate the curves of all seeds by one rule, after each `chunk` points."""
    found: dict[str, Detection] = {}
    for seed in seeds:
        for made in make(seed):
            counted = found.get(made.name, Detection(made.name, 0, 0, 0, []))
            alerts = [at for at, alert in alerts_of(made, rules, chunk)[0] if alert.rule == rule]
            onset = len(made.value) if made.onset is None else made.onset
            early = [at for at in alerts if at < onset]
            delays = [at - onset for at in alerts if at >= onset]
            found[made.name] = Detection(
                made.name,
                counted.curves + 1,
                counted.detected + len(delays),
                counted.early + len(early),
                counted.delays + delays,
            )
    return found


def _mean(values: Floats, count: int) -> Floats:
    """Return the mean of the last values at each point."""
    sums = np.cumsum(np.concatenate((np.zeros(1), values)))
    ends = np.arange(1, len(values) + 1)
    begins = np.maximum(ends - count, 0)
    return np.asarray((sums[ends] - sums[begins]) / (ends - begins))


def _print_table() -> None:
    """Print the detections as in docs/alerts.md."""
    rules = AlertRules(plateau_steps=500)
    for title, make, rule in (
        ("healthy", healthy, "diverged"),
        ("diverging", diverging, "diverged"),
        ("not finite", non_finite, "non-finite"),
        ("stagnating", stagnating, "plateau"),
    ):
        print(title)
        for one in detections(make, range(40), rule, rules).values():
            delays = f"{np.median(one.delays):.0f} | {np.max(one.delays)}" if one.delays else "- | -"
            print(f"| {one.name} | {one.detected} of {one.curves} | {one.early} | {delays} |")


if __name__ == "__main__":
    _print_table()
