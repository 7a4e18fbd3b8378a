// The steps of items, and the step that a card of them shows: that of all cards, or its own.

import type { ReadonlySignal } from "@preact/signals";
import { bisect, bisectRight } from "../lib/search";
import { isSameList } from "../lib/sortrows";
import { type AtStep, globalStep, type StepOption, stepMoves } from "../ui/globalstep";
import { KeyedSignals } from "../ui/keyed";
import { unfollowed } from "../ui/runs";
import type { View } from "../ui/view";
import type { TagContent } from "../wire/collection";

interface Stepped {
  readonly step: bigint;
}

interface Steps {
  /** Ascending, each once. */
  readonly steps: readonly bigint[];
  /** Whether the steps of the rows ascend or stay equal. */
  readonly ordered: boolean;
}

const known = new WeakMap<readonly Stepped[], Steps>();

function indexSteps(rows: readonly Stepped[]): Steps {
  let found = known.get(rows);
  if (found === undefined) {
    const steps: bigint[] = [];
    let ordered = true;
    for (const { step } of rows) {
      const last = steps.at(-1);
      ordered &&= last === undefined || last <= step;
      if (last !== step) {
        steps.push(step);
      }
    }
    found = { steps: ordered ? steps : [...new Set(steps)].sort(compare), ordered };
    known.set(rows, found);
  }
  return found;
}

/** The steps of an index of items, ascending, each once. */
export function stepsOf(rows: readonly Stepped[]): readonly bigint[] {
  return indexSteps(rows).steps;
}

/** The union of ascending lists of steps. */
export function unionOfSteps(lists: Iterable<readonly bigint[]>): readonly bigint[] {
  let union: readonly bigint[] = [];
  for (const list of lists) {
    // Runs and tags mostly have the same steps.
    if (list !== union && !isSameList(list, union)) {
      union = merge(union, list);
    }
  }
  return union;
}

function merge(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const merged: bigint[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    const least = other === undefined || (one !== undefined && one <= other) ? (one as bigint) : other;
    i += one === least ? 1 : 0;
    j += other === least ? 1 : 0;
    merged.push(least);
  }
  return merged;
}

interface HeldRows {
  readonly rows: readonly Stepped[];
}

interface ItemsOfKind {
  readonly tags: ReadonlySignal<readonly string[]>;
  tag(name: string): TagContent<HeldRows> | undefined;
}

const unions = new WeakMap<object, { lists: readonly (readonly bigint[])[]; union: readonly bigint[] }>();

/** The steps of the runs that are shown under one tag. */
export function stepsOfTag(data: Pick<TagContent<HeldRows>, "byRun">, { options }: View): readonly bigint[] {
  const shown = [...data.byRun].filter(([run]) => options.shows(run));
  return unionFor(
    data,
    shown.map(([, { rows }]) => stepsOf(rows)),
  );
}

/** The union of steps over all tags that match the filter. It does not follow their content. */
export function stepsUnderTags(of: ItemsOfKind, view: View): readonly bigint[] {
  const tags = of.tags.value.filter(view.options.tagFilter.matches.value);
  const lists = tags.flatMap((tag) => {
    const data = of.tag(tag);
    return data === undefined ? [] : [stepsOfTag(unfollowed(data), view)];
  });
  return unionFor(of, lists);
}

/** `all` with the steps of lists that may be ahead of it: the same list while it has the last step of each. */
export function stepsAhead(
  owner: object,
  all: readonly bigint[],
  lists: readonly (readonly bigint[])[],
): readonly bigint[] {
  const ahead = lists.filter((list) => list.length > 0 && all[placeOf(all, list.at(-1) as bigint)] !== list.at(-1));
  return ahead.length === 0 ? all : unionFor(owner, [all, ...ahead]);
}

/** The union of lists, computed again when one of the lists is another object. */
function unionFor(owner: object, lists: readonly (readonly bigint[])[]): readonly bigint[] {
  let known = unions.get(owner);
  if (known === undefined || known.lists.length !== lists.length || lists.some((one, i) => one !== known?.lists[i])) {
    known = { lists, union: unionOfSteps(lists) };
    unions.set(owner, known);
  }
  return known.union;
}

/** The place of the last step up to `at` in steps that ascend; -1 where all are behind it. */
export function placeOf(steps: readonly bigint[], at: AtStep): number {
  return at === "newest" ? steps.length - 1 : bisectRight(steps, at) - 1;
}

/** The rows of the last step up to `at`; none where all steps are behind it. */
export function rowsAt<R extends Stepped>(rows: readonly R[], at: AtStep): readonly R[] {
  const { steps, ordered } = indexSteps(rows);
  const step = steps[placeOf(steps, at)];
  if (step === undefined) {
    return [];
  }
  if (!ordered) {
    return rows.filter((row) => row.step === step);
  }
  const until = bisect(0, rows.length, (i) => (rows[i] as R).step <= step);
  const from = bisect(0, until, (i) => (rows[i] as R).step < step);
  return rows.slice(from, until);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Own {
  readonly at: AtStep;
  /** The step of all cards when it was chosen, and how often that had moved: once it moves, this has no effect. */
  readonly under: AtStep;
  readonly moves: number;
}

const ownSteps = new WeakMap<View, KeyedSignals<Own | null>>();

/** The step of one card. */
export interface CardStep extends StepOption {
  /** Whether it was chosen for this card. */
  readonly isOwn: boolean;
  /** Chooses the present step for this card alone, or lets it go with all cards again. */
  setOwn(isOwn: boolean): void;
}

/** The step of one card: its own once chosen, until the common step moves. */
export function cardStep(view: View, panel: string, tag: string): CardStep {
  const all = globalStep(view);
  const moves = stepMoves(view);
  const steps = ownSteps.get(view) ?? new KeyedSignals<Own | null>(null);
  ownSteps.set(view, steps);
  const own = steps.of(panel, tag);
  const chosen = () => {
    const last = own.value;
    return last !== null && last.under === all.at && last.moves === moves.value ? last : null;
  };
  const choose = (at: AtStep) => {
    own.value = { at, under: all.at, moves: moves.peek() };
  };
  return {
    get at(): AtStep {
      return chosen()?.at ?? all.at;
    },
    get isOwn() {
      return chosen() !== null;
    },
    set: (at) => {
      if (chosen() !== null || at !== all.at) {
        choose(at);
      }
    },
    setOwn: (isOwn) => {
      if (isOwn) {
        choose(all.at);
      } else {
        own.value = null;
      }
    },
  };
}
