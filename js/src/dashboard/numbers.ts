// The number of each run, from which its colour comes.
//
// A run keeps its number as long as it is there. One that comes gets the smallest that none of those has that are there; of
// several that come at once, the first in natural order. This browser remembers the numbers of a log directory's runs, so that
// all views of it agree, whenever they were opened. Until all runs are known that were there before, numbers may yet change.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { hash } from "../lib/hash";
import type { Store } from "../wire/store";

type Numbers = ReadonlyMap<string, number>;

const PREFIX = "tbwidget-runs:";

/** Characters of one directory's runs beyond which they are not remembered: the page's room is shared. */
const MOST = 200_000;

/** The numbers of the runs there are, as long as they are wanted. */
export function numbersOf(store: Store, until: AbortSignal): ReadonlySignal<Numbers> {
  const path = computed(() => store.status.value?.path);
  const numbers = signal<Numbers>(new Map());
  let own: Numbers = new Map();
  const end = effect(() => {
    const key = path.value === undefined ? null : PREFIX + hash(path.value);
    const remembered = key === null ? new Map<string, number>() : load(key);
    const found = numbered(store.runs.value, own, remembered);
    numbers.value = found;
    if (key !== null && store.listed.value) {
      own = found;
      save(key, found, remembered);
    }
  });
  until.addEventListener("abort", end, { once: true });
  return numbers;
}

/** Runs, in natural order, with the numbers that they have by the first of these that knows; the others get free ones. */
export function numbered(runs: readonly string[], ...known: readonly Numbers[]): Numbers {
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  const give = (run: string, number: number) => {
    numbers.set(run, number);
    taken.add(number);
  };
  for (const before of known) {
    for (const run of runs) {
      const number = before.get(run);
      if (number !== undefined && !numbers.has(run) && !taken.has(number)) {
        give(run, number);
      }
    }
  }
  let next = 0;
  for (const run of runs) {
    if (!numbers.has(run)) {
      while (taken.has(next)) {
        next += 1;
      }
      give(run, next);
    }
  }
  return numbers;
}

/** Those that are gone keep theirs too until another run has it: they may come again. */
function save(key: string, numbers: Numbers, remembered: Numbers): void {
  const taken = new Set(numbers.values());
  const gone = [...remembered].filter(([run, number]) => !numbers.has(run) && !taken.has(number));
  const text = JSON.stringify([...numbers, ...gone]);
  if (text.length > MOST || text === JSON.stringify([...remembered])) {
    return;
  }
  try {
    localStorage.setItem(key, text);
  } catch {
    // No memory here, or it is full: the numbers hold as long as the page.
  }
}

function load(key: string): Numbers {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Map((Array.isArray(held) ? held : []).filter(isNumbered));
  } catch {
    return new Map();
  }
}

function isNumbered(entry: unknown): entry is [string, number] {
  const [run, number] = Array.isArray(entry) ? entry : [];
  return typeof run === "string" && Number.isInteger(number) && number >= 0;
}
