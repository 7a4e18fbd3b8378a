import { expect, test } from "vitest";
import { directionOf, headlineTag, smallerIsBetter } from "../../src/lib/headline";
import directions from "../fixtures/directions.json";

test.each([
  [["accuracy", "loss/train", "rate"], "loss/train"],
  [["Accuracy", "glossary", "trainLoss"], "trainLoss"],
  [["epoch_losses", "val_loss"], "val_loss"],
  [["loss/regularization", "loss/train", "loss/validation"], "loss/validation"],
  [["loss/regularization", "weight_decay_loss", "total_loss"], "total_loss"],
  [["loss/actor", "loss/total"], "loss/total"],
  [["loss/actor", "loss/critic"], "loss/actor"],
  [["loss/train", "testAccuracy"], "testAccuracy"],
  [["eval/runtime", "eval/accuracy", "eval/loss", "train/loss"], "eval/loss"],
  [["epoch_learning_rate", "epoch_loss", "evaluation_loss_vs_iterations"], "epoch_loss"],
  [["grad_norm", "loss_time", "lr-Adam", "hp_metric"], "hp_metric"],
  [["epoch", "grad_norm", "hp_metric"], "hp_metric"],
  [["loss/l2_regularization", "lr"], "loss/l2_regularization"],
  [["lr", "rollout/ep_rew_mean", "time/fps", "train/loss", "train/entropy_loss"], "rollout/ep_rew_mean"],
  [["eval/loss", "eval/mean_reward", "rollout/ep_rew_mean"], "eval/mean_reward"],
  [["rewards/chosen", "train/loss"], "train/loss"],
  [["lr", "top1_acc"], "top1_acc"],
  [["accelerator", "lr"], "accelerator"],
  [["latest_loss", "loss"], "loss"],
  [["lr"], "lr"],
  [[], null],
])("the headline of %j is %j", (tags, found) => {
  expect(headlineTag(tags, [])).toBe(found);
  expect(headlineTag(["lr", ...tags], ["elsewhere", "lr"])).toBe("lr");
});

test("names tell which values are best as they tell the kernel", () => {
  expect(directions.map(([name]) => [name, directionOf(String(name)), smallerIsBetter(String(name))])).toEqual(
    directions,
  );
  expect([directionOf("loss ".repeat(40)), directionOf("loss ".repeat(41))]).toEqual([-1, 0]);
});
