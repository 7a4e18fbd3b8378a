// Sessions that go on: nothing says how they ended, and data of their runs came lately.

import { computed, type ReadonlySignal, untracked } from "@preact/signals";
import type { View } from "../../ui/view";
import { isLive, joinFacts, type RunFacts } from "../../wire/runfacts";
import type { HParamsDocument } from "./codec";
import { joinedRun, type Metric, sessionAbove } from "./columns";

/** Milliseconds between two polls of the runs. */
const POLL_MS = 5000;

/** Points from which a run has a pace. */
const MIN_POINTS = 2;

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
  const looked = computed(() => Math.floor(now.value / POLL_MS));
  let last: ReadonlySet<string> = new Set();
  return computed(() => {
    const seconds = (looked.value * POLL_MS) / 1000;
    const hasKernel = store.savedAt.value === null && loss.value === null;
    const open = document.value.sessions.filter(({ status, end }) => status === "UNKNOWN" && end === null);
    const next = new Set(hasKernel && open.length > 0 ? untracked(() => found(seconds, open)) : []);
    last = next.size === last.size && [...next].every((run) => last.has(run)) ? last : next;
    return last;
  });

  function found(seconds: number, open: HParamsDocument["sessions"]): string[] {
    const { sessions, directories } = document.value;
    const runs = new Set(sessions.map(({ run }) => run));
    const facts = new Map<string, RunFacts>();
    for (const [run, own] of store.runFacts()) {
      const session = sessionAbove(run, runs);
      if (session !== undefined) {
        facts.set(session, joinFacts(facts.get(session), own));
      }
    }
    const sources = metrics.value.flatMap((metric) => metric.sources);
    return open.flatMap(({ run, start }) => {
      const began = start ?? Number.POSITIVE_INFINITY;
      const written = { began, ended: start ?? Number.NEGATIVE_INFINITY, step: null };
      const all = joinFacts(facts.get(run), written);
      // Most sessions need no count of their points: data came in the last minutes, or too long ago for any pace.
      if (isLive(all, 0, seconds)) {
        return [run];
      }
      if (!isLive(all, MIN_POINTS, seconds)) {
        return [];
      }
      let points = 0;
      for (const { group, tag } of sources) {
        points = Math.max(points, store.outline(joinedRun(run, group, directories), tag)?.total ?? 0);
        // More points only shorten the interval between them.
        if (points >= MIN_POINTS && !isLive(all, points, seconds)) {
          return [];
        }
      }
      return isLive(all, points, seconds) ? [run] : [];
    });
  }
}
