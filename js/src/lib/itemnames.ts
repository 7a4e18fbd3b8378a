// Names of images and clips that are saved, of which no two are the same.

import { safeName } from "./filenames";

/** What a saved file is named after. */
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

/** Names of which no two are the same, in capitals or not: later ones are numbered. */
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
