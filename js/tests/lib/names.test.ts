import { expect, test } from "vitest";
import { elisionsOf, fittedNames, sharedEnd, sharedStart, withEllipsis } from "../../src/lib/names";

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

test("short, single and different names stay whole", () => {
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

test("a short folder gives a tag its subject, but shortens no names of runs", () => {
  const losses = ["loss/train", "loss/validation_of_the_larger_set"];
  expect(cut(losses)).toEqual(losses);
  const sweep = ["sweep/lr=0.001,batch=32,seed=0", "sweep/lr=0.01,batch=64,seed=0"];
  expect(short(sweep)).toEqual(["…lr=0.001,batch=32…", "…lr=0.01,batch=64…"]);
  const a = ["a/lr=0.001,batch=32,seed=1", "a/lr=0.01,batch=64,seed=0"];
  expect(short(a)).toEqual(a);
});

test("a common end is left out from a separator on", () => {
  const uncut = (names: readonly string[]) => names.map((name) => name.slice(0, name.length - sharedEnd(names)));
  expect(uncut(["lr=0.001,batch=32,seed=0", "lr=0.01,batch=64,seed=0"])).toEqual([
    "lr=0.001,batch=32",
    "lr=0.01,batch=64",
  ]);
  expect(uncut(["lr=1e-05,seed=0,rank=0", "lr=3e-05,seed=0,rank=0"])).toEqual(["lr=1e-05", "lr=3e-05"]);
  for (const names of [
    ["lr=1e-2,seed=0", "lr=1e-3,seed=0"],
    ["experiment_number_11", "experiment_number_21"],
    ["one_of_its_own_kind"],
  ]) {
    expect(sharedEnd(names)).toBe(0);
  }
});

test("characters beyond 16 bits stay whole", () => {
  expect(cut(["a long name for an experiment 🙂", "a long name for an experiment 🙃"])).toEqual(["🙂", "🙃"]);
});

const elided = (names: readonly string[], folder?: string, room = Number.POSITIVE_INFINITY) =>
  elisionsOf(names, folder).within(room);

const short = (names: readonly string[], folder?: string, room?: number) =>
  names.map((name) => elided(names, folder, room).get(name)?.text);

test("runs lose what all share at the beginning, in the middle and at the end", () => {
  expect(short(["adam_resnet50-imagenet_bs64_lr0.1", "sgd_resnet50-imagenet_bs64_lr0.01"])).toEqual([
    "adam_…lr0.1",
    "sgd_…lr0.01",
  ]);
  expect(short(["sweep/lr=0.001,batch=32,seed=0", "sweep/lr=0.01,batch=64,seed=0"])).toEqual([
    "…lr=0.001,batch=32…",
    "…lr=0.01,batch=64…",
  ]);
  // The directory itself is a run that begins as no other does.
  expect(short([".", "experiments/first/train", "experiments/second/train"])).toEqual([
    ".",
    "…first/train",
    "…second/train",
  ]);
});

test("a run whose name is what all share keeps its last part", () => {
  expect(short(["sweep_of_rates_b_", "sweep_of_rates_b_/train", "sweep_of_rates_b_/test"])).toEqual([
    "…b_",
    "…b_/train",
    "…b_/test",
  ]);
  expect(short(["sweep_of_rates_a_seed=0", "sweep_of_rates__seed=0"])).toEqual(["…a_seed=0", "…_seed=0"]);
});

test("short names of runs, and names that share little, stay whole", () => {
  for (const names of [
    ["run1", "run2"],
    ["sweep/lr=0.001", "sweep/lr=0.01"],
    ["first_of_many_runs_x", "another_of_few_runs"],
  ]) {
    expect(short(names)).toEqual(names);
  }
});

test("below the name of its folder, a run loses that name and the common parts of the others there", () => {
  expect(short(["adam/seed1", "adam/seed2"], "adam")).toEqual(["seed1", "seed2"]);
  expect(short(["adam/lr0.1_seed1", "adam/lr0.1_seed2"], "adam")).toEqual(["lr0.1_seed1", "lr0.1_seed2"]);
  const long = ["adam/warm_up_lr0.1_seed1", "adam/warm_up_lr0.1_seed2"];
  expect(short(long, "adam")).toEqual(["…seed1", "…seed2"]);
  expect(short(["trial_00", "trial_01"], "")).toEqual(["trial_00", "trial_01"]);
});

test("names that do not fit lose the parts that all share, and keep those that differ", () => {
  const sweep = ["run_lr0.01_seed0", "run_lr0.01_seed1", "run_lr0.02_seed0"];
  expect(short(sweep)).toEqual(sweep);
  expect(short(sweep, "", 16)).toEqual(sweep);
  expect(short(sweep, "", 14)).toEqual(["…lr0.01_seed0", "…lr0.01_seed1", "…lr0.02_seed0"]);
  expect(short(["a/run_x_1_end", "a/run_x_2_end", "b/run_x_1_end"], "", 8)).toEqual(["a/…1…", "a/…2…", "b/…1…"]);
  expect(short(["logs/exp_1_v2", "logs/exp_2_v2"], "logs", 5)).toEqual(["…1_v2", "…2_v2"]);
});

test("names are elided once for all widths that give the same", () => {
  const elisions = elisionsOf(["run_lr0.01_seed0_end", "run_lr0.01_seed1_end", "run_lr0.02_seed0_end"]);
  expect(elisions.longest).toBe(20);
  const results = Array.from({ length: 25 }, (_, room) => elisions.within(room));
  expect(new Set(results).size).toBe(3);
  expect([0, 15, 16, 19, 20].map((room) => elisions.within(room).get("run_lr0.01_seed0_end")?.text)).toEqual([
    "…lr0.01_seed0…",
    "…lr0.01_seed0…",
    "…lr0.01_seed0_end",
    "…lr0.01_seed0_end",
    "run_lr0.01_seed0_end",
  ]);
});

test("a text that is cut twice at one place has one ellipsis there", () => {
  expect(withEllipsis("…", "seed0")).toBe("…seed0");
  expect(withEllipsis("adam", "…seed0")).toBe("adam…seed0");
  expect(withEllipsis("adam…", "…seed0")).toBe("adam…seed0");
  expect(withEllipsis("adam", "seed0")).toBe("adam…seed0");
});

test("matches of a filter are found in a shortened name, in an ellipsis as well", () => {
  const name = "adam_resnet50-imagenet_bs64_lr0.1";
  const found = elided([name, "sgd_resnet50-imagenet_bs64_lr0.01"]).get(name);
  const marked = (text: string) => {
    const at = name.indexOf(text);
    const [from, to] = found?.span(at, at + text.length) ?? [];
    return found?.text.slice(from, to);
  };
  expect(["adam", "lr", "resnet50", "m_res", "64_lr0", name].map(marked)).toEqual([
    "adam",
    "lr",
    "…",
    "m_…",
    "…lr0",
    found?.text,
  ]);
  const [, inner] = ["sweep/lr=0.001,batch=32,seed=0", "sweep/lr=0.01,batch=64,seed=0"];
  const cut = elided(["sweep/lr=0.001,batch=32,seed=0", inner as string]).get(inner as string);
  expect([cut?.span(0, 5), cut?.span(26, 29), cut?.span(6, 8)]).toEqual([
    [0, 1],
    [17, 18],
    [1, 3],
  ]);
});

const fitted = (names: readonly string[], room: number) => {
  const found = fittedNames(names, room, ({ length }) => length);
  return names.map((name) => found.get(name)?.text as string);
};

test("all names of a list are cut in one form that tells them apart", () => {
  const starts = ["Nov27_10-11-12_node-17", "Nov27_10-48-05_node-17", "Nov27_22-11-12_node-4"];
  expect(fitted(starts, 22)).toEqual(starts);
  expect(fitted(starts, 12)).toEqual(["Nov27_10-11…", "Nov27_10-48…", "Nov27_22-11…"]);
  expect(fitted(starts, 10)).toEqual(["…10-11-12…", "…10-48-05…", "…22-11-12…"]);
  expect(fitted(["adam_lr0.01_seed1", "adam_lr0.02_seed1", "adam_lr0.02_seed2"], 14)).toEqual([
    "adam_…01_seed1",
    "adam_…02_seed1",
    "adam_…02_seed2",
  ]);
});

test("a beginning and the longest end tell a sweep apart; a cut at a dot leaves it to the ellipsis", () => {
  const sweep = [
    "adam_lr0.0003_bs32",
    "adam_lr0.0003_bs128",
    "adam_lr0.03_bs32",
    "sgd_lr0.03_bs32",
    "sgd_lr0.03_bs128",
  ];
  expect(fitted(sweep, 12)).toEqual(["a…0003_bs32", "a…0003_bs128", "a…r0.03_bs32", "s…r0.03_bs32", "s…0.03_bs128"]);
  for (let room = 3; room < 20; room += 1) {
    expect(fitted(sweep, room).filter((text) => /\.…|…\./u.test(text))).toEqual([]);
  }
});

test("names that read alike in every form keep the part in which they differ", () => {
  const alike = ["trial_with_sgd", "trialwithlearningrate0.1anddecaying", "trialwithlearningrate0.3anddecaying"];
  expect(fitted(alike, 10)).toEqual(["trial_…sgd", "…te0.1and…", "…te0.3and…"]);
  // One is the beginning of the other.
  expect(fitted(["12_12_12_12", "12_12_12_12_12"], 7)).toEqual(["…_12_12", "…12_12…"]);
});

test.each([
  ["very many names", 100_000, 10],
  ["very long names", 2, 500_000],
  // The measure is the test's own duration: a few seconds, and minutes if the time were quadratic.
])("%s that begin and end alike come out different", (_, count, length) => {
  const names = Array.from({ length: count }, (_, i) => `${"a".repeat(length)}${i}${"z".repeat(length)}`);
  expect(new Set(fitted(names, 12)).size).toBe(count);
});

test("names without room for a difference get numbers", () => {
  const names = ["a0000z", "a0100z", "a0010z", "a0110z"];
  expect(new Set(fitted(names, 2)).size).toBe(4);
});

/** Names for one list, made of parts that most of them share, so that they may differ anywhere. */
function listOf(random: () => number): string[] {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string;
  const parts = Array.from({ length: 2 + Math.floor(random() * 6) }, () => {
    const [usual, ...others] = Array.from({ length: 3 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 8) }, () =>
        pick(["a", "b", "0", "1", "_", "-", "/", "🙂", "🙃"]),
      ).join(""),
    );
    return () => (random() < 0.7 ? (usual as string) : pick(others));
  });
  return [
    ...new Set(Array.from({ length: 2 + Math.floor(random() * 20) }, () => parts.map((part) => part()).join("_"))),
  ];
}

test("names that differ come out different, in any room and without half a character", () => {
  let count = 0;
  const random = () => {
    count += 1;
    return Math.abs(Math.sin(count * 12.9898) * 43758.5453) % 1;
  };
  for (let round = 0; round < 200; round += 1) {
    const names = listOf(random);
    for (const room of [6, 8, 11, 16, 30]) {
      const texts = fitted(names, room);
      expect(new Set(texts).size, JSON.stringify([names, room])).toBe(names.length);
      for (const text of texts) {
        expect(text.length, JSON.stringify([names, room])).toBeLessThanOrEqual(room);
        expect(text).not.toMatch(/[\uD800-\uDFFF]/u);
        expect(text).not.toContain("……");
      }
    }
  }
});
