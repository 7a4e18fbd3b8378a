import { describe, expect, test } from "vitest";
import {
  bestCheckpoint,
  type Checkpoint,
  checkpointMarks,
  checkpointsDocument,
  checkpointsOf,
  restoringLine,
} from "../../src/lines/checkpoints";
import { scalars } from "../../src/lines/codec";
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

test("a document has the checkpoints of each run, with their whole paths", () => {
  const { byRun, leftOut } = checkpointsDocument.decode(encoded(DOCUMENT)) as Exclude<
    ReturnType<typeof checkpointsDocument.decode>,
    Promise<unknown>
  >;
  expect(leftOut).toBe(1);
  expect(byRun.get("<img>\n'")).toEqual([
    {
      ...{ name: "checkpoints/ckpt-2", path: "/home/me/logs/checkpoints/ckpt-2", format: "tensorflow" },
      ...{ step: 2n, epoch: null, time: 5 },
    },
  ]);
  expect(byRun.get("train")?.map(({ path, step, time }) => [path, step, time])).toEqual([
    ["/home/me/logs/checkpoints/ckpt-2", 2n, 5],
    ["/far/model.ckpt-3", 2n ** 63n - 1n, Number.NaN],
    ["/x\udcff.keras", null, 6],
  ]);
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

test("a store without them has none; marks stay the same objects", () => {
  const store = new Store([scalars, checkpointsDocument]);
  store.apply(message(1, [], { begins: true, ends: true }), 0);
  expect(checkpointsOf(store).byRun.size).toBe(0);
  expect(checkpointMarks(store)).toBe(checkpointMarks(store));
  expect(checkpointMarks(new Store([scalars]))).toEqual([]);
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

  test("is the nearest to the least value of a loss, and to the greatest of anything else", () => {
    expect(bestCheckpoint(all, "val_loss", series)).toMatchObject({ step: 4n, value: 1, isSmallest: true });
    expect(bestCheckpoint(all, "val_loss", series)?.checkpoint.step).toBe(0n);
    expect(bestCheckpoint(all, "accuracy", series)?.checkpoint.step).toBe(10n);
    expect(bestCheckpoint(all, "accuracy", series)).toMatchObject({ step: 12n, value: 9, approximate: false });
  });

  test("is none without values or steps", () => {
    expect(bestCheckpoint([checkpoint(null)], "loss", series)).toBeNull();
    expect(bestCheckpoint(all, "loss", undefined)).toBeNull();
    expect(bestCheckpoint(all, "loss", points([0], [Number.NaN]))).toBeNull();
  });
});
