import { signal } from "@preact/signals";
import { describe, expect, test } from "vitest";
import {
  bestCheckpoint,
  type Checkpoint,
  type Checkpoints,
  checkpointMarks,
  checkpointsDocument,
  checkpointsOf,
  restoringLine,
} from "../../src/lines/checkpoints";
import { scalars } from "../../src/lines/codec";
import type { View } from "../../src/ui/view";
import { Store } from "../../src/wire/store";
import { message, points } from "../wire/made";

const DOCUMENT = {
  directories: [
    ["logs", "/home/me/logs"],
    ["root", "/"],
  ],
  runs: ["train", "<img>\n'"],
  owners: [[0, 1], [0]],
  owner: [0, 1, 1],
  directory: [0, -1, 1],
  names: ["checkpoints/ckpt-2", "/far/model.ckpt-3", "x\udcff.keras"],
  formats: ["tensorflow", "tensorflow", "keras"],
  steps: ["2", "9223372036854775807", null],
  epochs: [null, null, 4],
  times: [5, null, 6],
  left_out: 1,
};

const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const decoded = (value: unknown) => checkpointsDocument.decode(encoded(value)) as Checkpoints;

test("a document has the checkpoints of each run, with their whole paths", () => {
  const all = decoded(DOCUMENT);
  expect(all.leftOut).toBe(1);
  expect([...all.counts]).toEqual([
    ["train", 3],
    ["<img>\n'", 1],
  ]);
  expect(all.of("gone")).toEqual([]);
  expect(all.of("<img>\n'")).toEqual([
    {
      ...{ name: "checkpoints/ckpt-2", path: "/home/me/logs/checkpoints/ckpt-2", format: "tensorflow" },
      ...{ step: 2n, epoch: null, time: 5 },
    },
  ]);
  expect(all.of("train").map(({ path, step, time }) => [path, step, time])).toEqual([
    ["/home/me/logs/checkpoints/ckpt-2", 2n, 5],
    ["/far/model.ckpt-3", 2n ** 63n - 1n, Number.NaN],
    ["/x\udcff.keras", null, 6],
  ]);
});

test("runs that share all checkpoints share one list, and a checkpoint of very many runs is not marked", () => {
  const runs = Array.from({ length: 1000 }, (_, i) => `run ${i}`);
  const names = Array.from({ length: 10_000 }, (_, i) => `ckpt-${i}`);
  const column = (value: unknown) => names.map(() => value);
  const all = decoded({
    ...{ directories: [["logs", "/logs"]], runs, owners: [runs.map((_, i) => i), [0, 1]] },
    ...{ owner: names.map((_, i) => Number(i === 7)), directory: column(0), names, formats: column("tensorflow") },
    ...{ steps: names.map((_, i) => String(i)), epochs: column(null), times: column(null), left_out: 0 },
  });
  expect([all.counts.get("run 0"), all.counts.get("run 999")]).toEqual([10_000, 9999]);
  expect(all.of("run 999")).toBe(all.of("run 2"));
  expect(all.of("run 0").map(({ step }) => Number(step))).toEqual(names.map((_, i) => i));
  expect(all.markedOf("run 1").map(({ name }) => name)).toEqual(["ckpt-7"]);
  expect(all.markedOf("run 2")).toEqual([]);
});

test("a saved page holds no directory of this machine", () => {
  const saved = JSON.parse(new TextDecoder().decode(checkpointsDocument.saved?.(encoded(DOCUMENT))));
  expect(saved.directories).toEqual([
    ["logs", "logs"],
    ["root", "root"],
  ]);
  expect(saved.names).toEqual(["checkpoints/ckpt-2", "model.ckpt-3", "x\udcff.keras"]);
  expect(saved.steps).toEqual(DOCUMENT.steps);
});

test("a store without them has none", () => {
  const store = new Store([scalars, checkpointsDocument]);
  store.apply(message(1, [], { begins: true, ends: true }), 0);
  expect(checkpointsOf(store).counts.size).toBe(0);
  expect(checkpointsOf(new Store([scalars])).counts.size).toBe(0);
});

test("marks stay the same objects, and have the shown name of their run", () => {
  const document = { value: { value: decoded(DOCUMENT) } };
  const store = {
    codecs: new Map([[checkpointsDocument.kind, checkpointsDocument]]),
    documents: () => ({ get: () => document }),
    runs: signal(["train", "other"]),
  };
  const names = signal(new Map<string, string>());
  const view = { channel: { store }, options: { runTable: { run_names: names } } } as unknown as View;
  const before = checkpointMarks("train", view);
  expect(before[0]?.text).toMatch(/^train\nstep 2/);
  expect(checkpointMarks("train", view)).toBe(before);
  names.value = new Map([["train", "My run"]]);
  expect(checkpointMarks("train", view)[0]?.text).toMatch(/^My run\nstep 2/);
});

function checkpoint(step: bigint | null, more: Partial<Checkpoint> = {}): Checkpoint {
  return { name: "n", path: "/p/n", format: "torch", step, epoch: null, time: 0, ...more };
}

test.each([
  ["tensorflow", "/p/ckpt-1", "tf.train.Checkpoint(model=model).restore('/p/ckpt-1')"],
  ["keras", "/p/a.keras", "model = keras.models.load_model('/p/a.keras')"],
  ["keras", "/p/a.weights.h5", "model.load_weights('/p/a.weights.h5')"],
  ["lightning", "/p/a.ckpt", "model = Model.load_from_checkpoint('/p/a.ckpt')"],
  ["huggingface", "/p/checkpoint-5", "model = AutoModel.from_pretrained('/p/checkpoint-5')"],
  ["safetensors", "/p/a_1.safetensors", "state = safetensors.torch.load_file('/p/a_1.safetensors')"],
  ["torch", "/p/it's_1.pt", 'state = torch.load("/p/it\'s_1.pt", weights_only=True)'],
  ["torch", "/p/'\n\"_1.pt", "state = torch.load('/p/\\'\\n\"_1.pt', weights_only=True)"],
])("%s is restored by a line of its library", (format, path, line) => {
  expect(restoringLine(checkpoint(1n, { format, path }))).toBe(line);
});

describe("the best checkpoint", () => {
  const all = [checkpoint(0n), checkpoint(10n), checkpoint(20n), checkpoint(null)];
  const series = points([0, 4, 12, 30], [5, 1, 9, 3]);

  test("is the nearest to the smallest value or to the largest", () => {
    expect(bestCheckpoint(all, true, series)).toMatchObject({ step: 4n, value: 1 });
    expect(bestCheckpoint(all, true, series)?.checkpoint.step).toBe(0n);
    expect(bestCheckpoint(all, false, series)?.checkpoint.step).toBe(10n);
    expect(bestCheckpoint(all, false, series)).toMatchObject({ step: 12n, value: 9, approximate: false });
  });

  test("is none without values or steps", () => {
    expect(bestCheckpoint([checkpoint(null)], true, series)).toBeNull();
    expect(bestCheckpoint(all, true, undefined)).toBeNull();
    expect(bestCheckpoint(all, true, points([0], [Number.NaN]))).toBeNull();
  });
});
