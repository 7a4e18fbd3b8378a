// Unique names for saved images and clips.

import { safeName } from "./filenames";

/** The parts of a saved file's name. */
export interface Named {
  readonly run: string;
  readonly tag: string;
  readonly step: bigint;
  /** Null where the step has only one. */
  readonly sample: number | null;
}

/** A name such as `train_a-b_step40_sample1.png`. */
export function fileName({ run, tag, step, sample }: Named, extension: string): string {
  const parts = [run === "." ? "" : run, tag].map(safeName).filter((part) => part !== "");
  const stem = [...parts, `step${step}`, ...(sample === null ? [] : [`sample${sample}`])].join("_");
  return `${stem}.${extension}`;
}

/** Makes the names unique, whatever their case: later ones get a number. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    let count = counts.get(name.toLowerCase()) ?? 1;
    let found = name;
    while (taken.has(found.toLowerCase())) {
      count += 1;
      found = `${name.slice(0, dot)} (${count})${name.slice(dot)}`;
    }
    counts.set(name.toLowerCase(), count);
    taken.add(found.toLowerCase());
    return found;
  });
}
