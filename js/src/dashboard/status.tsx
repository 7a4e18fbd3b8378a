// The state of the dashboard in the header, and the list that it opens: the log directory, what it holds, the profile.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatCount, formatSpan } from "../lib/format";
import { listOf } from "../lib/texts";
import { Popover } from "../ui/popover";
import { useView } from "../ui/view";
import { FileOfOptions, ProfileItems } from "./profile";
import type { State } from "./state";
import { lackingIn, secondsBehind, stateWord, statusText, throttledHint } from "./statustext";
import { dashboardTexts } from "./texts";

/** States that need no words: nothing is to be done, and nothing lacks. */
const CALM: ReadonlySet<State> = new Set(["idle", "live", "waiting"]);

/** States in which the words are worth more than the tabs. */
const ENDED: ReadonlySet<State> = new Set(["disconnected", "error"]);

export function StatusMenu({ state }: { readonly state: State }) {
  const { channel, now, coarseAt, panel, widthClass } = useView();
  const { store } = channel;
  const [isSaved, isLastView] = [store.savedAt.value !== null, store.isLastView.value];
  const lacking = useMemo(() => (isSaved && !isLastView ? lackingIn(store) : ""), [store, isSaved, isLastView]);
  const isCoarse = coarseAt.value !== null && store.status.value?.ready === true;
  const text = statusText(state, channel, now.value, isCoarse);
  const word = stateWord(state, channel, now.value);
  const hint = isLastView ? dashboardTexts().lastViewHint : isSaved ? dashboardTexts().savedHint : undefined;
  // While nothing is the matter, the tabs may take its place.
  const isWhole = state === "busy" && !isCoarse && store.settled.value;
  const isCalm = (CALM.has(state) || isWhole) && secondsBehind(channel, now.value) === 0;
  const canSwitch = !isSaved && state !== "disconnected";
  const isStopped = canSwitch && store.status.value?.reading?.phase === "stopped";
  const cellAt = state === "busy" ? store.cellAt.value : null;
  return (
    <>
      <Announcement word={word} />
      <span class="tbwidget-state-menu">
        <Popover
          class="tbwidget-state"
          label={<span>{word}</span>}
          title={[hint ?? text, dashboardTexts().statusHint].join("\n")}
        >
          {(close) => (
            <>
              {cellAt !== null && <p>{dashboardTexts().cellRuns(formatSpan(now.value - cellAt))}</p>}
              <p>{text}</p>
              {lacking !== "" && <p title={dashboardTexts().savedLackingHint}>{lacking}</p>}
              {canSwitch && <ReadingSwitch isBusy={state === "busy"} />}
              <LogDirectory />
              <FileOfOptions />
              {store.runs.value.length > 0 && <ProfileItems close={close} />}
            </>
          )}
        </Popover>
      </span>
      <span
        class="tbwidget-news"
        data-calm={isCalm ? "" : undefined}
        data-ended={ENDED.has(state) ? "" : undefined}
        title={throttledHint(channel, now.value) ?? text}
      >
        {/* Without any data, the page says it in place of a panel. */}
        <span>
          {state === "error" && panel.value === undefined ? "" : listOf([text, ...(lacking === "" ? [] : [lacking])])}
        </span>
      </span>
      {isStopped && widthClass.value !== "narrow" && <ReadingSwitch isBusy={state === "busy"} />}
    </>
  );
}

/** Milliseconds for which a word can be read out. */
const SPOKEN_MS = 3000;

/**
 * Says the state when it changes. It is apart from the button, whose list would be read out as well, and empty afterwards, as
 * the button has the same word.
 */
function Announcement({ word }: { readonly word: string }) {
  const said = useSignal("");
  const before = useRef(word);
  useEffect(() => {
    if (before.current === word) {
      return;
    }
    before.current = word;
    said.value = word;
    const timer = setTimeout(() => {
      said.value = "";
    }, SPOKEN_MS);
    return () => clearTimeout(timer);
  }, [word, said]);
  return (
    <span class="tbwidget-spoken" role="status">
      {said.value}
    </span>
  );
}

/** Its path, and how much it holds. */
function LogDirectory() {
  const { channel, options, panel } = useView();
  const { store } = channel;
  const runs = store.runs.value.length;
  const tags = store.tags.value.length;
  const Count = options.onlyPanel === null ? undefined : panel.value?.Count;
  return (
    runs > 0 && (
      <>
        <p class="tbwidget-path">
          <bdi>{store.status.value?.path}</bdi>
        </p>
        <p class="tbwidget-counts">
          {Count === undefined ? (
            listOf([
              dashboardTexts().runCount(runs, formatCount(runs)),
              dashboardTexts().tagCount(tags, formatCount(tags)),
            ])
          ) : (
            <>
              {dashboardTexts().runCount(runs, formatCount(runs))}, <Count />
            </>
          )}
        </p>
      </>
    )
  );
}

/** The button that stops the first pass over the directory, and lets it go on. */
export function ReadingSwitch({ isBusy }: { readonly isBusy: boolean }) {
  const { channel } = useView();
  const reading = channel.store.status.value?.reading ?? null;
  if (reading === null) {
    return null;
  }
  const isStopped = reading.phase === "stopped";
  return (
    <button
      type="button"
      class="tbwidget-link tbwidget-reading-switch"
      disabled={isBusy}
      title={isBusy ? dashboardTexts().stopWaits : isStopped ? dashboardTexts().resumeHint : dashboardTexts().stopHint}
      onClick={() => channel.setReading(isStopped)}
    >
      {isStopped ? dashboardTexts().resume : dashboardTexts().stop}
    </button>
  );
}
