import { expect, test } from "vitest";
import { sharedStart } from "../../src/lib/names";

const cut = (names: readonly string[]) => names.map((name) => name.slice(sharedStart(names)));

test("long names lose what all begin with, up to a separator", () => {
  expect(cut(["experiments/resnet_on_imagenet/lr=0.1", "experiments/resnet_on_imagenet/lr=0.01"])).toEqual([
    "lr=0.1",
    "lr=0.01",
  ]);
  expect(cut(["a_rather_long_experiment_name_batch=16", "a_rather_long_experiment_name_batch=128"])).toEqual([
    "batch=16",
    "batch=128",
  ]);
});

test("what is short, alone or not alike stays whole", () => {
  for (const names of [
    [],
    ["a_rather_long_experiment_name_batch=16"],
    ["experiment_one", "experiment_two"],
    ["first_of_many_long_experiments", "second_of_many_long_experiments"],
    ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2"],
  ]) {
    expect(sharedStart(names)).toBe(0);
  }
});

test("a name that is the beginning of others keeps its last part", () => {
  const names = ["experiments/resnet_on_imagenet", "experiments/resnet_on_imagenet/evaluation"];
  expect(cut(names)).toEqual(["resnet_on_imagenet", "resnet_on_imagenet/evaluation"]);
});

test("parts of a path stay whole, where leaving out those before them is worth it", () => {
  const norms = ["block/attention/layer_0/gradient_norm", "block/attention/layer_1/gradient_norm"];
  expect(cut(norms)).toEqual(["layer_0/gradient_norm", "layer_1/gradient_norm"]);
  expect(cut(["logs/experiment_with_dropout_a", "logs/experiment_with_dropout_b"])).toEqual(["a", "b"]);
});

test("characters beyond 16 bits stay whole", () => {
  expect(cut(["a long name for an experiment 🙂", "a long name for an experiment 🙃"])).toEqual(["🙂", "🙃"]);
});
