"""Cards for tags of many writers and made-up tags: js/tests/fixtures/arrangements.json.

make generated does: python -m tests.support.arrangements > js/tests/fixtures/arrangements.json
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from tbwidget.logs.natural import natural_key
from tbwidget.logs.tagorder import arrange

WRITERS = {
    "huggingface": "train/loss eval/loss eval/accuracy eval/runtime eval/samples_per_second eval/steps_per_second"
    " train/learning_rate train/epoch train/global_step train/grad_norm train/train_loss train/train_runtime"
    " train/total_flos train/train_samples_per_second",
    "lightning": "epoch lr-Adam lr-Adam/pg1 hp_metric train_loss_step train_loss_epoch val_loss val_acc train_acc"
    " train_acc_step grad_2.0_norm_total val_loss/dataloader_idx_0",
    "keras": "epoch_loss epoch_accuracy epoch_learning_rate evaluation_loss_vs_iterations"
    " evaluation_accuracy_vs_iterations batch_loss batch_acc keras",
    "keras1": "loss val_loss acc val_acc lr",
    "stable-baselines3": "rollout/ep_rew_mean rollout/ep_len_mean time/fps time/iterations time/time_elapsed"
    " time/total_timesteps train/entropy_loss train/value_loss train/loss train/policy_gradient_loss train/approx_kl"
    " train/clip_fraction train/clip_range train/explained_variance train/learning_rate train/n_updates train/std"
    " eval/mean_reward eval/mean_ep_length",
    "cleanrl": "charts/episodic_return charts/episodic_length charts/learning_rate charts/SPS losses/value_loss"
    " losses/policy_loss losses/entropy losses/approx_kl losses/clipfrac losses/explained_variance",
    "tf-agents": "Metrics/AverageReturn Metrics/AverageEpisodeLength Metrics/NumberOfEpisodes Metrics/EnvironmentSteps"
    " Losses/TotalLoss loss train_step",
    "rllib": "ray/tune/env_runners/episode_return_mean ray/tune/env_runners/episode_return_max"
    " ray/tune/episode_reward_mean ray/tune/time_total_s ray/tune/info/learner/default_policy/total_loss",
    "trl": "train/reward train/reward_std train/rewards/format_reward/mean train/loss train/kl"
    " train/completions/mean_length train/learning_rate eval/reward eval/loss train/rewards/chosen"
    " train/rewards/accuracies",
    "rsl_rl": "Train/mean_reward Train/mean_reward/time Train/mean_episode_length Loss/value_function Loss/surrogate"
    " Loss/learning_rate Episode_Reward/track_lin_vel Perf/total_fps",
    "timm": "train_loss eval_loss eval_top1 eval_top5 lr epoch",
    "yolo": "train/box_loss train/cls_loss train/dfl_loss val/box_loss val/cls_loss val/dfl_loss metrics/mAP50(B)"
    " metrics/mAP50-95(B) metrics/precision(B) metrics/recall(B) lr/pg0 lr/pg1 lr/pg2",
    "tf1": "losses/total_loss losses/clone_0/softmax_cross_entropy_loss/value losses/clone_loss learning_rate"
    " global_step/sec layer1/sparsity layer10/sparsity layer2/sparsity regularization_loss_1 loss_1",
    "torch": "loss/train loss/validation Accuracy/Train Accuracy/Val Loss/test layer1.weight/grad layer10.weight/grad"
    " layer2.weight/grad system/gpu.0.memory system/cpu",
    "gan": "Loss_G Loss_D D(x) D(G(z)) fid lossG lossD",
    "folds": "fold_1/train/loss fold_1/val/loss fold_2/train/loss fold_2/val/loss fold_10/val/loss fold_2/lr",
    "many splits": "loss loss/train loss/val loss/valid loss/test loss/eval train_loss val_loss",
    "one stem, several ranks": "loss step test total total_test total_train_epoch total_val_epoch tokens x/n"
    " x/train_n_epoch",
    "small words of losses": "duration_loss loss/gpu0 loss/lr=0.01 loss/learning_rate=0.01 memory_loss"
    " time_series_loss timeLoss loss/eta=0.1 loss time/loss gpu0/reward system/top"
    " loss_per_second loss/time reward_latency_(ms)"
    " top_speed systemLoss/x lossTime time_reward_penalty learning_rate memory",
    "odd": "train val /train train/ a/train/b learningRate trainLoss lossTrain mIoU mAP50 map50 top1_acc"
    " train/f1 val/f1 train/kl val/kl 검증/손실 손실/train 손실/val Éval/loss __proto__/a toString 0 1.5 10/2",
}

_PIECES = (
    "train training val Val validation VALID test eval dev loss Loss dloss losses acc accuracy reward top1 f1 map lr"
    " learning rate learningRate time fps gpu.0 step epoch count n total mean grad norm weight layer1 layer10 layer2"
    " entropy kl 0 7 12 0.5 a B fooBar valLoss 손실 é x² __proto__ constructor"
)
_BETWEEN = ("/", "/", "/", "_", "_", ".", "-", " ", "", "//", " (", ")", ":", "[")


def made_up(seed: int) -> list[str]:
    """Return names composed of parts of names."""
    chance, words = random.Random(seed), _PIECES.split()
    tags = []
    for _ in range(chance.randrange(40)):
        pieces = [chance.choice(words) for _ in range(chance.randint(1, 4))]
        tags.append("".join(piece + chance.choice(_BETWEEN) for piece in pieces[:-1]) + pieces[-1])
    return tags


_OF_ONE_STEM = "train val test loss acc epoch total n kl per second seconds ms time gpu0 lr memory step"


def of_few_words(seed: int) -> list[str]:
    """Return names that often share a stem, with various other words."""
    chance = random.Random(seed)
    words = chance.sample(_OF_ONE_STEM.split(), 4)
    return [
        "".join(chance.choice("/__") + chance.choice(words) for _ in range(chance.randint(1, 4)))[1:] for _ in range(30)
    ]


def arrangements() -> list[dict[str, Any]]:
    """Return the tags of each writer, in natural order, and their cards by group, small ones apart."""
    named = [(name, tags.split(" ")) for name, tags in WRITERS.items()]
    return [
        {
            "name": name,
            "tags": sorted(set(tags), key=natural_key),
            "groups": [
                [
                    group.name,
                    [list(card.tags) for card in group.cards if not card.is_small],
                    [list(card.tags) for card in group.cards if card.is_small],
                ]
                for group in arrange(set(tags))
            ],
        }
        for name, tags in [
            *named,
            *((f"made up {seed}", made_up(seed)) for seed in range(30)),
            *((f"of few words {seed}", of_few_words(seed)) for seed in range(20)),
        ]
    ]


if __name__ == "__main__":
    json.dump(arrangements(), sys.stdout, indent=1, ensure_ascii=False)
    print()
