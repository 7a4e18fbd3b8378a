// Sessions that go on: nothing says how they ended, and data of their runs came lately.

import { computed, type ReadonlySignal, untracked } from "@preact/signals";
import type { View } from "../../ui/view";
import { isLive, joinFacts, type RunFacts } from "../../wire/runfacts";
import type { HParamsDocument } from "./codec";
import { type Metric, sessionAbove } from "./columns";

/** Milliseconds between two looks at the runs. */
const LOOK_MS = 5000;

interface Props {
  readonly document: ReadonlySignal<HParamsDocument>;
  readonly metrics: ReadonlySignal<readonly Metric[]>;
}

/** The runs of sessions that go on; none where no kernel says what came. The same set as long as it holds the same. */
export function runningSessions(
  { channel, now }: View,
  { document, metrics }: Props,
): ReadonlySignal<ReadonlySet<string>> {
  const { store, loss } = channel;
  const looked = computed(() => Math.floor(now.value / LOOK_MS));
  let last: ReadonlySet<string> = new Set();
  return computed(() => {
    const seconds = (looked.value * LOOK_MS) / 1000;
    const hasKernel = store.savedAt.value === null && loss.value === null;
    const open = document.value.sessions.filter(({ status, end }) => status === "UNKNOWN" && end === null);
    const next = new Set(hasKernel && open.length > 0 ? untracked(() => found(seconds, open)) : []);
    last = next.size === last.size && [...next].every((run) => last.has(run)) ? last : next;
    return last;
  });

  function found(seconds: number, open: HParamsDocument["sessions"]): string[] {
    const sessions = new Set(document.value.sessions.map(({ run }) => run));
    const facts = new Map<string, { readonly all: RunFacts; readonly runs: readonly string[] }>();
    for (const [run, own] of store.runFacts()) {
      const session = sessionAbove(run, sessions);
      if (session !== undefined) {
        const before = facts.get(session);
        facts.set(session, { all: joinFacts(before?.all, own), runs: [...(before?.runs ?? []), run] });
      }
    }
    return open.flatMap(({ run, start }) => {
      const began = start ?? Number.POSITIVE_INFINITY;
      const written = { began, ended: start ?? Number.NEGATIVE_INFINITY, step: null };
      const { all, runs } = facts.get(run) ?? { all: written, runs: [] };
      const counts = runs.flatMap((one) =>
        metrics.value.flatMap(({ sources }) => sources.map(({ tag }) => store.outline(one, tag)?.total ?? 0)),
      );
      const points = counts.reduce((a, b) => Math.max(a, b), 0);
      return isLive(joinFacts(all, written), points, seconds) ? [run] : [];
    });
  }
}
