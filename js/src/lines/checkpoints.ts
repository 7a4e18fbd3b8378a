// The checkpoints of all runs, as the kernel lists them: names, steps and times. Twin of tbwidget/panels/checkpoints.py.

import { formatCount } from "../lib/format";
import { pythonLiteral } from "../lib/pythonliteral";
import { formatMoment } from "../lib/times";
import { shortName } from "../ui/runname";
import type { View } from "../ui/view";
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
  /** The path that restores it; a saved page leaves out where the directory is. */
  readonly path: string;
  readonly format: string;
  readonly step: bigint | null;
  readonly epoch: number | null;
  /** Seconds since the epoch; NaN if unknown. */
  readonly time: number;
}

/** Runs that a checkpoint may belong to and still be marked: one that belongs to very many runs tells nothing of any. */
const MAX_OWNERS = 20;

/** Thousands of runs may share thousands of checkpoints: what a run has is put together when it is asked for. */
export class Checkpoints {
  /** How many each run has. */
  readonly counts: ReadonlyMap<string, number>;
  /** Checkpoints that there was no room for. */
  readonly leftOut: number;
  readonly #all: readonly Checkpoint[];
  /** The runs of each group. */
  readonly #owners: readonly (readonly string[])[];
  /** The places of the checkpoints of each group. */
  readonly #members: readonly (readonly number[])[];
  readonly #groupsOf = new Map<string, number[]>();
  /** By groups: runs of the same groups share one list. */
  readonly #known = new Map<string, readonly Checkpoint[]>();

  /** Each checkpoint belongs to a group of runs, `owner` is its place in `owners`. */
  constructor(
    all: readonly Checkpoint[],
    owner: readonly number[],
    owners: readonly (readonly string[])[],
    leftOut: number,
  ) {
    [this.#all, this.#owners, this.leftOut] = [all, owners, leftOut];
    const members = owners.map((): number[] => []);
    for (const [place, group] of owner.entries()) {
      members[group]?.push(place);
    }
    this.#members = members;
    const counts = new Map<string, number>();
    for (const [group, runs] of owners.entries()) {
      for (const run of runs) {
        counts.set(run, (counts.get(run) ?? 0) + (members[group]?.length ?? 0));
        const groups = this.#groupsOf.get(run) ?? [];
        groups.push(group);
        this.#groupsOf.set(run, groups);
      }
    }
    this.counts = counts;
  }

  /** The checkpoints of a run by step; checkpoints without a step come last. */
  of(run: string): readonly Checkpoint[] {
    return this.#within(this.#groupsOf.get(run) ?? []);
  }

  /** The checkpoints of a run that charts mark. */
  markedOf(run: string): readonly Checkpoint[] {
    const groups = this.#groupsOf.get(run) ?? [];
    return this.#within(groups.filter((group) => (this.#owners[group]?.length ?? 0) <= MAX_OWNERS));
  }

  #within(groups: readonly number[]): readonly Checkpoint[] {
    const key = groups.join(" ");
    let found = this.#known.get(key);
    if (found === undefined) {
      const places = groups.flatMap((group) => this.#members[group] ?? []).sort((one, other) => one - other);
      found = places.map((place) => this.#all[place] as Checkpoint);
      this.#known.set(key, found);
    }
    return found;
  }
}

const NONE = new Checkpoints([], [], [], 0);

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
  const all = list(owner).map((_, i): Checkpoint => {
    const name = String(list(names)[i]);
    const [, path = ""] = (paths[Number(list(directory)[i])] ?? []) as readonly string[];
    const [step, epoch, time] = [steps, epochs, times].map((column) => list(column)[i]);
    return {
      name,
      path: path === "" ? name : `${path.replace(/\/$/, "")}/${name}`,
      format: String(list(formats)[i]),
      step: step === null ? null : BigInt(String(step)),
      epoch: typeof epoch === "number" ? epoch : null,
      time: typeof time === "number" ? time : Number.NaN,
    };
  });
  const named = groups.map((runs) => list(runs).map((run) => runNames[Number(run)] ?? ""));
  return new Checkpoints(all, list(owner).map(Number), named, Number(left_out));
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

interface Marked {
  /** The shown name of the run. */
  readonly name: string;
  readonly marks: readonly CheckpointMark[];
}

const marked = new WeakMap<Checkpoints, Map<string, Marked>>();

export interface CheckpointMark extends StepMark {
  readonly checkpoint: Checkpoint;
}

/** The checkpoints of a run as marks of charts; the same objects as long as nothing has changed. */
export function checkpointMarks(run: string, view: View): readonly CheckpointMark[] {
  const held = checkpointsOf(view.channel.store);
  const name = shortName(run, view);
  const known = marked.get(held) ?? new Map<string, Marked>();
  marked.set(held, known);
  let made = known.get(run);
  if (made?.name !== name) {
    made = { name, marks: held.markedOf(run).map((checkpoint) => markOf(run, name, checkpoint)) };
    known.set(run, made);
  }
  return made.marks;
}

function markOf(run: string, name: string, checkpoint: Checkpoint): CheckpointMark {
  const { step, time } = checkpoint;
  return {
    ...{ run, step, wallTime: time, kind: "checkpoint" as const, checkpoint },
    get text() {
      return [name, shortText(checkpoint)].join("\n");
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
  /** The step belongs to a bucket of points. */
  readonly approximate: boolean;
}

/** The checkpoint nearest to the step at which a tag has its smallest or largest value; null without any. */
export function bestCheckpoint(
  checkpoints: readonly Checkpoint[],
  isSmallest: boolean,
  series: Series | undefined,
): BestCheckpoint | null {
  const facts = series === undefined ? null : valuesWithin(series, null);
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
  return nearest && { checkpoint: nearest, step, value, approximate: facts.approximate };
}
