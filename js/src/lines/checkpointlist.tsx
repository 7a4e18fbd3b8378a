// The dialog with the checkpoints of a run, or of a mark of a chart: paths and lines of Python to copy, and the best by a tag.

import { type Signal, signal, untracked, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { formatCount, formatValue } from "../lib/format";
import { headlineTag, smallerIsBetter } from "../lib/headline";
import { formatMoment } from "../lib/times";
import { CloseButton, Dialog } from "../ui/dialog";
import { RunName } from "../ui/runname";
import { copyText } from "../ui/savefile";
import { cardTexts } from "../ui/texts";
import { useView, type View } from "../ui/view";
import { bestCheckpoint, type Checkpoint, checkpointsOf, restoringLine } from "./checkpoints";
import { scalars } from "./codec";
import { checkpointTexts } from "./texts";
import "./checkpointlist.css";

/** Runs that are shown. */
const MAX_SECTIONS = 20;
/** Checkpoints of one run that are shown. */
const MAX_ROWS = 500;
/** Tags that are offered. */
const MAX_TAGS = 300;
/** Milliseconds for which a message stays. */
const MESSAGE_MS = 2000;

interface Listed {
  readonly run: string;
  /** Null: all of the run. */
  readonly checkpoints: readonly Checkpoint[] | null;
}

const opened = new WeakMap<View, Signal<readonly Listed[] | null>>();

function openedIn(view: View): Signal<readonly Listed[] | null> {
  const held = opened.get(view) ?? signal(null);
  opened.set(view, held);
  return held;
}

/** Opens the dialog with some checkpoints. */
export function showCheckpoints(view: View, listed: readonly Listed[]): void {
  openedIn(view).value = listed;
}

/** The dialog, while it is open. */
export function CheckpointDialog() {
  const view = useView();
  const listed = openedIn(view);
  if (listed.value === null) {
    return null;
  }
  const close = () => {
    listed.value = null;
  };
  const held = checkpointsOf(view.channel.store);
  const more = listed.value.length - MAX_SECTIONS;
  return (
    <Dialog label={checkpointTexts().title} class="tbwidget-checkpoints" closed={close}>
      <header class="tbwidget-card-header">
        <h4>{checkpointTexts().title}</h4>
        <CloseButton close={close} />
      </header>
      <div class="tbwidget-checkpoint-lists">
        {listed.value.slice(0, MAX_SECTIONS).map(({ run, checkpoints }) => (
          <RunCheckpoints key={run} run={run} all={held.of(run)} some={checkpoints} />
        ))}
        {more > 0 && <p class="tbwidget-quiet">{cardTexts().moreRuns(more, formatCount(more))}</p>}
        {held.leftOut > 0 && <p class="tbwidget-quiet">{checkpointTexts().leftOut(formatCount(held.leftOut))}</p>}
      </div>
    </Dialog>
  );
}

interface RunProps {
  readonly run: string;
  readonly all: readonly Checkpoint[];
  readonly some: readonly Checkpoint[] | null;
}

function RunCheckpoints({ run, all, some }: RunProps) {
  const { options, theme } = useView();
  const shown = some ?? all;
  return (
    <section data-run={run}>
      <h5>
        <i class="tbwidget-swatch" style={{ "--tbwidget-run": options.colorOf.value(run, theme.value) }} />
        <RunName run={run} />
      </h5>
      <Best run={run} all={all} />
      <ul>
        {/* The last ones matter most. */}
        {shown.slice(-MAX_ROWS).map((checkpoint) => (
          <Row key={checkpoint.path} checkpoint={checkpoint} />
        ))}
      </ul>
      {shown.length > MAX_ROWS && (
        <p class="tbwidget-quiet">{checkpointTexts().leftOut(formatCount(shown.length - MAX_ROWS))}</p>
      )}
    </section>
  );
}

/** The checkpoint nearest to the best value of a tag, which the user may choose. */
function Best({ run, all }: { readonly run: string; readonly all: readonly Checkpoint[] }) {
  const { channel, options } = useView();
  const { store } = channel;
  const chosen = useSignal<string | null>(null);
  /** Null: what the name of the tag suggests. */
  const smallest = useSignal<boolean | null>(null);
  const held = store.series(scalars);
  const names = held.tags.value;
  // Each message changes the tags that it brings points for: only the chosen one is followed.
  const tags = useMemo(
    () => untracked(() => names.filter((tag) => held.tag(tag)?.byRun.has(run)).slice(0, MAX_TAGS)),
    [names, held, run],
  );
  const tag =
    chosen.value ?? headlineTag(tags, [options.runTable.headline_tag.value ?? "", ...options.board.pinned.value]);
  if (tag === null) {
    return null;
  }
  const isSmallest = smallest.value ?? smallerIsBetter(tag);
  const best = bestCheckpoint(all, isSmallest, held.tag(tag)?.byRun.get(run)?.series);
  return (
    <div class="tbwidget-checkpoint-best">
      <label>
        <span>{checkpointTexts().bestBy}</span>
        <select
          class="tbwidget-select"
          onChange={({ currentTarget }) => {
            chosen.value = tags[currentTarget.selectedIndex] ?? null;
            smallest.value = null;
          }}
        >
          {tags.map((one) => (
            <option key={one} selected={one === tag}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <select
        class="tbwidget-select"
        aria-label={checkpointTexts().bestValue}
        onChange={({ currentTarget }) => {
          smallest.value = currentTarget.selectedIndex === 0;
        }}
      >
        <option selected={isSmallest}>{checkpointTexts().lowest}</option>
        <option selected={!isSmallest}>{checkpointTexts().highest}</option>
      </select>{" "}
      {best === null ? (
        <span class="tbwidget-quiet">{checkpointTexts().noBest}</span>
      ) : (
        <>
          <span>{checkpointTexts().bestAt(formatValue(best.value), formatCount(best.step), best.approximate)}</span>
          <ul>
            <Row checkpoint={best.checkpoint} />
          </ul>
        </>
      )}
    </div>
  );
}

function Row({ checkpoint }: { readonly checkpoint: Checkpoint }) {
  const { name, path, step, epoch, time } = checkpoint;
  const message = useSignal<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      message.value = null;
    }, MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message.value, message]);
  const copy = async (text: string, button: Element) => {
    message.value = (await copyText(text, button.parentElement ?? button))
      ? checkpointTexts().copied
      : checkpointTexts().notCopied;
  };
  const line = restoringLine(checkpoint);
  return (
    <li data-step={step === null ? undefined : String(step)}>
      <b>
        {step !== null && checkpointTexts().step(formatCount(step))}
        {step === null && epoch !== null && checkpointTexts().epoch(formatCount(epoch))}
        {step === null && epoch === null && checkpointTexts().noStep}
      </b>
      <bdi title={path}>{name}</bdi>
      <span class="tbwidget-quiet">{Number.isNaN(time) ? "" : formatMoment(time, new Date())}</span>
      <span class="tbwidget-checkpoint-copies">
        <span role="status">{message.value}</span>
        <button
          type="button"
          class="tbwidget-button"
          title={path}
          onClick={({ currentTarget }) => void copy(path, currentTarget)}
        >
          {checkpointTexts().copyPath}
        </button>
        <button
          type="button"
          class="tbwidget-button"
          title={line}
          onClick={({ currentTarget }) => void copy(line, currentTarget)}
        >
          {checkpointTexts().copyLine}
        </button>
      </span>
    </li>
  );
}
