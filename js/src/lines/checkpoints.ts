// The checkpoints of all runs, as the kernel lists them: names, steps and times. Twin of tbwidget/panels/checkpoints.py.

import { formatCount } from "../lib/format";
import { smallerIsBetter } from "../lib/headline";
import { pythonLiteral } from "../lib/pythonliteral";
import { formatMoment } from "../lib/times";
import type { DocumentCodec } from "../wire/codec";
import { list, row } from "../wire/columns";
import type { Store } from "../wire/store";
import type { Series } from "./series";
import type { StepMark } from "./stepmarks";
import { checkpointTexts } from "./texts";
import { valuesWithin } from "./values";

export interface Checkpoint {
  /** Below the directory that was searched, or as a log names it. */
  readonly name: string;
  /** The path that restores it; in a saved page, without that of the directory. */
  readonly path: string;
  readonly format: string;
  readonly step: bigint | null;
  readonly epoch: number | null;
  /** Seconds since the epoch; NaN if unknown. */
  readonly time: number;
}

export interface Checkpoints {
  /** By run, in order of step; those without a step come last. */
  readonly byRun: ReadonlyMap<string, readonly Checkpoint[]>;
  /** Checkpoints that there was no room for. */
  readonly leftOut: number;
}

const NONE: Checkpoints = { byRun: new Map(), leftOut: 0 };

export const checkpointsDocument: DocumentCodec<Checkpoints> = {
  kind: "checkpoints",
  sort: "document",
  isOfDirectory: true,
  decode: (bytes) => decoded(JSON.parse(new TextDecoder().decode(bytes))),
  saved: (bytes) => {
    const document = JSON.parse(new TextDecoder().decode(bytes));
    const directory = list(document.directory);
    const saved = {
      ...document,
      directories: list(document.directories).map((one) => [list(one)[0], list(one)[0]]),
      names: list(document.names).map((name, i) => (directory[i] === -1 ? lastPart(String(name)) : name)),
    };
    return new TextEncoder().encode(JSON.stringify(saved));
  },
};

function decoded(document: unknown): Checkpoints {
  const { directories, runs, owners, owner, directory, names, formats, steps, epochs, times, left_out } = row(document);
  const [paths, runNames, groups] = [list(directories), list(runs).map(String), list(owners)];
  const byRun = new Map<string, Checkpoint[]>();
  for (const [i, of] of list(owner).entries()) {
    const name = String(list(names)[i]);
    const [, path = ""] = (paths[Number(list(directory)[i])] ?? []) as readonly string[];
    const [step, epoch, time] = [steps, epochs, times].map((column) => list(column)[i]);
    const checkpoint = {
      name,
      path: path === "" ? name : `${path.replace(/\/$/, "")}/${name}`,
      format: String(list(formats)[i]),
      step: step === null ? null : BigInt(String(step)),
      epoch: typeof epoch === "number" ? epoch : null,
      time: typeof time === "number" ? time : Number.NaN,
    };
    for (const run of list(groups[Number(of)])) {
      const one = runNames[Number(run)] ?? "";
      const known = byRun.get(one) ?? [];
      known.push(checkpoint);
      byRun.set(one, known);
    }
  }
  return { byRun, leftOut: Number(left_out) };
}

/** The last part of a path, whichever system wrote it. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** The checkpoints that the page holds. An effect or component that reads them follows them. */
export function checkpointsOf(store: Store): Checkpoints {
  return store.codecs.has(checkpointsDocument.kind)
    ? (store.documents(checkpointsDocument).get("", "").value?.value ?? NONE)
    : NONE;
}

const marks = new WeakMap<Checkpoints, readonly CheckpointMark[]>();

export interface CheckpointMark extends StepMark {
  readonly checkpoint: Checkpoint;
}

/** The checkpoints as marks of charts; the same objects as long as nothing has changed. */
export function checkpointMarks(store: Store): readonly CheckpointMark[] {
  const held = checkpointsOf(store);
  let made = marks.get(held);
  if (made === undefined) {
    made = [...held.byRun].flatMap(([run, all]) => all.map((checkpoint) => markOf(run, checkpoint)));
    marks.set(held, made);
  }
  return made;
}

function markOf(run: string, checkpoint: Checkpoint): CheckpointMark {
  const { step, time } = checkpoint;
  return {
    ...{ run, step, wallTime: time, kind: "checkpoint", checkpoint },
    get text() {
      return [run, shortText(checkpoint)].join("\n");
    },
  };
}

/** The step or epoch, the name, and the time of a checkpoint. */
export function shortText({ name, step, epoch, time }: Checkpoint): string {
  const at = [
    step === null ? "" : checkpointTexts().step(formatCount(step)),
    epoch === null ? "" : checkpointTexts().epoch(formatCount(epoch)),
    lastPart(name),
    Number.isNaN(time) ? "" : formatMoment(time, new Date()),
  ];
  return at.filter((text) => text !== "").join(" · ");
}

/** A line of Python that restores a checkpoint. */
export function restoringLine({ format, path }: Checkpoint): string {
  const text = pythonLiteral(path);
  switch (format) {
    case "tensorflow":
      return `tf.train.Checkpoint(model=model).restore(${text})`;
    case "keras":
      return path.endsWith(".weights.h5") ? `model.load_weights(${text})` : `model = keras.models.load_model(${text})`;
    case "lightning":
      return `model = Model.load_from_checkpoint(${text})`;
    case "huggingface":
      return `model = AutoModel.from_pretrained(${text})`;
    case "safetensors":
      return `state = safetensors.torch.load_file(${text})`;
    default:
      return `state = torch.load(${text}, weights_only=True)`;
  }
}

export interface BestCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The step at which the tag has its best value, and that value. */
  readonly step: bigint;
  readonly value: number;
  readonly isSmallest: boolean;
  /** The step belongs to a bucket of points. */
  readonly approximate: boolean;
}

/** The checkpoint nearest to the step at which a tag has its best value, by what its name says; null without any. */
export function bestCheckpoint(
  checkpoints: readonly Checkpoint[],
  tag: string,
  series: Series | undefined,
): BestCheckpoint | null {
  const facts = series === undefined ? null : valuesWithin(series, null);
  const isSmallest = smallerIsBetter(tag);
  const step = facts === null ? null : isSmallest ? facts.minStep : facts.maxStep;
  if (facts === null || step === null) {
    return null;
  }
  let [nearest, least]: [Checkpoint | null, bigint] = [null, 0n];
  for (const one of checkpoints) {
    const away = one.step === null ? null : one.step < step ? step - one.step : one.step - step;
    if (away !== null && (nearest === null || away < least)) {
      [nearest, least] = [one, away];
    }
  }
  const value = isSmallest ? facts.min : facts.max;
  return nearest && { checkpoint: nearest, step, value, isSmallest, approximate: facts.approximate };
}
