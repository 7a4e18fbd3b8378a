// Names of files that are saved: from names in logs, which may be anything, to names that every file system takes.

/** Bytes of UTF-8 that a run or a tag has of a name: with the rest, it stays below the 255 that there may be. */
const MAX_BYTES = 96;

/**
 * A name of letters, digits and two signs: no path, nothing hidden, nothing that turns the direction of writing, and, without
 * dots, no name that Windows keeps for a device. A long name keeps its end, which tells apart names that begin alike.
 */
export function safeName(name: string): string {
  const letters = [...name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")];
  const encoder = new TextEncoder();
  let bytes = 0;
  let first = letters.length;
  while (first > 0 && bytes <= MAX_BYTES) {
    first -= 1;
    bytes += encoder.encode(letters[first]).length;
  }
  const end = letters.slice(bytes > MAX_BYTES ? first + 1 : first).join("");
  return end.replace(/^[-\p{M}]+|-+$/gu, "");
}

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
