"""The order of cards is the same in Python and in the page, and no card moves because others appear."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tbwidget.logs.natural import natural_key
from tbwidget.logs.tagorder import MAX_JOINED_TAGS, REWARD, SMALL, Group, arrange, in_order, place_of, sort_key
from tbwidget.wire.content import Key
from tbwidget.wire.keys import Keys
from tests.support.arrangements import arrangements, made_up

FIXTURES = Path(__file__).resolve().parents[2] / "js/tests/fixtures"

names = st.one_of(st.text(max_size=20), st.integers(0, 10_000).map(lambda seed: "".join(made_up(seed)[:1])))


def shown(groups: list[Group]) -> list[str]:
    """Return each group as a line: its cards, tags joined with +, small ones marked."""
    return [
        f"{group.name}: " + " ".join("+".join(card.tags) + "°" * card.is_small for card in group.cards)
        for group in groups
    ]


def test_both_sides_arrange_tags_alike() -> None:
    stored = json.loads((FIXTURES / "arrangements.json").read_text(encoding="utf-8"))
    assert arrangements() == stored, "run `make generated`"


def test_rewards_losses_and_scores_come_first_and_progress_metrics_last_and_small() -> None:
    tags = ["rollout/ep_rew_mean", "time/fps", "train/entropy_loss", "train/loss", "train/std", "a/b", "epoch"]
    assert shown(arrange([*tags, "train/learning_rate"])) == [
        "rollout: rollout/ep_rew_mean",
        "/headline: train/loss train/entropy_loss",
        "a: a/b",
        "train: train/std train/learning_rate°",
        "/small: epoch°",
        "time: time/fps°",
    ]


def test_the_reward_of_an_agent_comes_first() -> None:
    # The section of losses also contains rewards where evaluations are logged.
    assert shown(arrange(["rollout/ep_rew_mean", "rollout/ep_len_mean", "eval/mean_reward", "train/loss"])) == [
        "rollout: rollout/ep_rew_mean rollout/ep_len_mean",
        "/headline: eval/mean_reward train/loss",
    ]
    whole = "charts/episodic_return Metrics/AverageReturn train/reward episode_reward ray/tune/episode_reward_mean"
    assert {place_of(tag).rank for tag in whole.split(" ")} == {REWARD}
    # Parts of a reward matter less than a loss, and a reward model has its own losses.
    others = "reward/forward rewards/chosen reward_std reward_penalty reward_model/loss score accuracy returned"
    assert all(place_of(tag).rank > place_of("loss").rank for tag in others.split(" "))


def test_a_loss_is_no_small_card_because_a_word_of_it_would_be() -> None:
    losses = "duration_loss loss/gpu0 loss/lr=0.01 loss/eta=0.1 memory_loss time_series_loss timeLoss"
    assert {place_of(tag).rank for tag in losses.split(" ")} == {3}, "parts of a loss"
    others = "time/loss gpu0/reward loss_per_second loss/time reward_latency(ms) top_speed lr time"
    assert {place_of(tag).rank for tag in others.split(" ")} == {SMALL}


def test_tags_without_a_slash_stand_by_what_each_says() -> None:
    def order(tags: str) -> str:
        return " ".join(
            "+".join(card.tags) + "°" * card.is_small for group in arrange(tags.split()) for card in group.cards
        )

    assert order("loss lr grad/norm weights/mean") == "loss grad/norm weights/mean lr°"
    assert order("acc val_acc aa zz learning_rate Loss/train Loss/reg Accuracy/test") == (
        "acc+val_acc Loss/train Loss/reg Accuracy/test aa zz learning_rate°"
    )
    assert order("reward lr-Adam losses/value_loss") == "reward losses/value_loss lr-Adam°"
    assert order("loss/train loss/validation train_loss trainable_params") == (
        "train_loss loss/train+loss/validation trainable_params"
    )
    # Parts of scores wait for losses in sections.
    assert order("acc/top5/a loss/a/b accuracy_x Loss/train") == "Loss/train accuracy_x loss/a/b acc/top5/a"


def test_a_metric_beside_the_values_of_hyperparameters_is_no_small_card() -> None:
    tags = "hp/acc hp/val_loss hparam/accuracy hp/lr hp/dropout hp_metric"
    assert [place_of(tag).rank for tag in tags.split()] == [2, 1, 2, SMALL, SMALL, SMALL]


def test_training_and_validation_of_one_stem_share_a_card() -> None:
    assert shown(arrange(["train/loss", "eval/loss", "acc/val", "acc/train", "val_f1", "train_f1", "loss_a"])) == [
        "/headline: train/loss+eval/loss train_f1+val_f1 loss_a",
        "acc: acc/train+acc/val",
    ]
    # Neither small cards nor two spellings of one tag are joined.
    assert shown(arrange(["lr/train", "lr/val", "loss/train", "loss-train", "loss_train"])) == [
        "/headline: loss-train loss_train",
        "loss: loss/train",
        "lr: lr/train° lr/val°",
    ]
    assert shown(arrange(["train_loss_step", "train_loss_epoch", "val_loss"])) == [
        "/headline: train_loss_epoch+val_loss train_loss_step"
    ]
    # Tags of one stem that are not neighbors are not joined.
    assert shown(arrange(["loss", "step", "test", "total", "total_test", "total_train_epoch"])) == [
        "/headline: loss",
        "/ordinary: test total+total_test",
        "/small: step° total_train_epoch°",
    ]
    # Parts of a loss or score follow their stem; others in two groups stay apart.
    assert shown(arrange(["train/a/loss", "val/a/loss", "train/kl", "val/kl"])) == [
        "a: train/a/loss+val/a/loss",
        "val: val/kl",
        "train: train/kl",
    ]


@given(st.lists(names, unique=True, max_size=12), names)
def test_a_tag_that_comes_moves_no_other(tags: list[str], new: str) -> None:
    before = {tag: group.name for group in arrange(tags) for card in group.cards for tag in card.tags}
    after = arrange({*tags, new})
    for group in after:
        own = [tag for card in group.cards for tag in card.tags if tag in before]
        assert all(before[tag] == group.name for tag in own)
        assert own == in_order(own)
    order = [group.name for group in after if any(tag in before for card in group.cards for tag in card.tags)]
    kept = [group.name for group in arrange(tags)]
    changed = place_of(new).group
    assert [name for name in order if name != changed] == [name for name in kept if name != changed]


@given(st.lists(names, max_size=12))
def test_every_tag_has_one_card_in_any_order_of_arrival(tags: list[str]) -> None:
    groups = arrange(tags := sorted(set(tags)))
    cards = [card for group in groups for card in group.cards]
    assert sorted(tag for card in cards for tag in card.tags) == tags
    assert all(len(card.tags) <= MAX_JOINED_TAGS for card in cards)
    assert arrange(reversed(tags)) == groups


_CONTENT: Any = SimpleNamespace(kind="scalars", sources=("scalars",), first_tags=5)


@given(st.lists(names, unique=True, max_size=12), st.lists(names, unique=True, max_size=4))
def test_the_kernel_sends_tags_in_the_order_of_their_cards(first: list[str], gone: list[str]) -> None:
    keys = Keys([_CONTENT])
    keys.add(Key("scalars", "run", tag) for tag in first)
    keys.add(Key("scalars", "run", tag) for tag in gone if tag not in first)
    for tag in gone:
        keys.remove(Key("scalars", "run", tag))
    left = in_order(tag for tag in first if tag not in gone)
    assert [key.tag for key in keys.order()] == left
    assert [group.tag for group in keys.first_groups()] == left[:5]


def test_tags_that_were_in_order_once_are_soon_again() -> None:
    tags = [f"layer{i}/weight" for i in range(20_000)]
    in_order(tags)
    before = natural_key.cache_info().misses, sort_key.cache_info().misses
    in_order(tags)
    assert (natural_key.cache_info().misses, sort_key.cache_info().misses) == before


def test_layers_stand_in_natural_order() -> None:
    tags = [f"layer{i}/weight" for i in range(12)]
    assert in_order(reversed(tags)) == sorted(tags, key=natural_key)
