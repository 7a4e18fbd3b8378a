"""Rules of alerts on made-up curves with known onsets, and on the corpus: false alarms, detections, delays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tbwidget
from tbwidget.logs.alerts import curve as module
from tbwidget.logs.alerts.curve import PERSISTENCE, WINDOW
from tbwidget.logs.alerts.rules import AlertRules, checked_rules, direction_of
from tests.support.corpus import CORPUS
from tests.support.examples import examples
from tests.support.training_curves import (
    POINTS,
    Made,
    alerts_of,
    detections,
    diverging,
    healthy,
    non_finite,
    scalars_of,
    stagnating,
)

MAX_DELAY_POINTS = {
    "grows by 20 % a point": 30,
    "grows by 5 % a point": 80,
    "grows by 5 % a point, much noise": 80,
    "jumps to where it began": WINDOW + PERSISTENCE,
    "swings more and more": 100,
    "accuracy falls to chance": WINDOW + PERSISTENCE,
    "reward collapses": 4 * (WINDOW + PERSISTENCE),
}
"""Upper bounds for the delay of an alert, by the name of a curve."""


def test_healthy_curves_raise_one_false_alarm_in_200_at_most() -> None:
    found = detections(healthy, range(16), "diverged", AlertRules(), chunk=20).values()
    curves, alarms = sum(one.curves for one in found), sum(one.early for one in found)
    assert curves >= 200
    assert alarms <= curves / 200


def test_the_corpus_raises_one_false_alarm_in_200_at_most() -> None:
    series, alerts = 0, []
    for directory in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
        with tbwidget.load(directory, cache=False) as logs:
            series += sum(map(len, logs.tags().get("scalars", {}).values()))
            alerts += [(directory.name, alert.tag, alert.rule) for alert in logs.alerts]
    assert series >= 200
    made_up = ("f64", "leading nan", "mixed", "only_nan", "single nan")  # written with NaN or infinity
    rises = ("aw_restart_overlap", "loss", "diverged")  # from 0.02 to 10 at step 60, after a restart
    assert sorted(alerts) == [*(("aw_nan_inf", tag, "non-finite") for tag in made_up), rises]


def test_divergence_is_detected_soon_after_its_onset() -> None:
    found = detections(diverging, range(4), "diverged", AlertRules(), chunk=2)
    for name, most in MAX_DELAY_POINTS.items():
        one = found[name]
        assert (one.detected, one.early) == (one.curves, 0), one
        assert max(one.delays) <= most, one
    assert found["grows by 1 % a point"].early == 0


def test_the_noise_of_a_curve_is_estimated_once_for_a_best_value(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = module._noise
    estimated: list[int] = []

    def counted(values: Any) -> float:
        estimated.append(len(values))
        return noise(values)

    monkeypatch.setattr(module, "_noise", counted)
    made = Made("", "loss", np.array([1.0] * 5 + [-1.0] * 5 + ([0.0] * 5 + [3.0] * 5) * 50))
    alerts_of(made, AlertRules(), chunk=len(made.value))
    assert len(estimated) == 1


def test_a_value_that_is_not_finite_is_detected_at_once() -> None:
    for one in detections(non_finite, range(5), "non-finite", AlertRules()).values():
        assert (one.detected, one.early, set(one.delays)) == (one.curves, 0, {0}), one


def test_a_plateau_is_detected_after_as_many_steps_as_asked_for() -> None:
    rules = AlertRules(plateau_steps=500)
    for one in detections(stagnating, range(3), "plateau", rules, chunk=10).values():
        assert (one.detected, one.early) == (one.curves, 0), one
        assert min(one.delays) >= 490, one
        assert max(one.delays) <= 1000, one


def test_a_plateau_may_be_given_in_minutes() -> None:
    made = Made("", "loss", np.concatenate((np.linspace(2, 1, 50), np.full(65, 1.0))))
    (alert,) = alerts_of(made, AlertRules(plateau_minutes=2))[1]
    assert (alert.rule, alert.step, alert.code) == ("plateau", 51, "alert-plateau-minutes")
    assert alerts_of(made, AlertRules(plateau_minutes=2.2))[1] == []
    assert alerts_of(made, AlertRules())[1] == []


def test_an_alert_names_the_first_point_of_a_divergence() -> None:
    value = np.concatenate((np.linspace(2, 0.1, 100), np.full(50, 3.0)))
    (alert,) = alerts_of(Made("", "loss", value), AlertRules())[1]
    assert (alert.rule, alert.step) == ("diverged", 102)  # three points dominate the median of five
    assert alert.message == "diverged: from 0.1384 at step 99 to 3"


def test_a_divergence_that_recovers_is_withdrawn_and_a_spike_is_none() -> None:
    def curve(length: int) -> Made:
        parts = (np.linspace(2, 0.1, 100), np.full(length, 5.0), np.full(50, 0.1))
        return Made("", "loss", np.concatenate(parts))

    seen, at_the_end = alerts_of(curve(20), AlertRules())
    assert [alert.rule for _, alert in seen] == ["diverged"]
    assert at_the_end == []
    assert alerts_of(curve(WINDOW - 1), AlertRules()) == ([], [])


@examples(5)
@given(st.integers(0, 1000), st.integers(5, 400))
def test_alerts_do_not_depend_on_how_the_points_arrive(seed: int, chunk: int) -> None:
    rules = AlertRules(plateau_steps=50)
    for make in (diverging, healthy, non_finite):
        for made in make(seed):
            assert alerts_of(made, rules, chunk)[1] == alerts_of(made, rules, POINTS)[1]


@pytest.mark.parametrize("value", [[], [np.nan], [1.0], [1e308, -1e308] * 9, [np.inf, -np.inf] * 9, [0.0] * 99])
def test_odd_series_raise_no_error(value: list[float]) -> None:
    made = Made("", "loss", np.array(value, float))
    found = alerts_of(made, AlertRules(plateau_steps=1000))[1]
    assert [alert.rule for alert in found] == (["non-finite"] if not np.isfinite(value).all() else [])
    assert len(scalars_of(made.value)) == len(value)


@pytest.mark.parametrize(
    ("tag", "direction"),
    [
        *((tag, -1) for tag in ("loss", "train/loss", "val_loss", "Loss/test", "epoch_loss", "eval/perplexity")),
        *((tag, -1) for tag in ("training loss", "evaluation_loss_vs_iterations", "trainLoss", "cross_entropy_1")),
        *((tag, 1) for tag in ("accuracy", "val_acc", "acc/top5", "rollout/ep_rew_mean", "episode_reward", "f1")),
        *((tag, 0) for tag in ("train/actor_loss", "d_loss", "reg_loss", "lr", "grad_norm", "loss_weight", "x", "")),
        *((tag, 0) for tag in ("time/loss", "accuracy_loss", "value_loss", "loss/margin", "glossary", "loss" * 99)),
    ],
)
def test_the_direction_of_a_measure_is_known_by_its_name(tag: str, direction: int) -> None:
    assert direction_of(tag) == direction


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"plateau_step": 5}, "did you mean 'plateau_steps'"),
        ({"plateau_steps": 0}, "plateau_steps is a number above 0, or None, not 0"),
        ({"stalled_seconds": None}, "stalled_seconds is a number, not None"),
        ({"stalled_intervals": True}, "stalled_intervals is a number"),
        ({"diverged": float("nan")}, "diverged is a number"),
        ({"non_finite": 1}, "non_finite is True or False"),
    ],
)
def test_wrong_thresholds_are_refused(rules: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checked_rules(rules)
