// One text of a tag: its run and step, and its content while it is on the screen, or nearly.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type ItemState, itemSource, useItem } from "../../items/source";
import { itemTexts } from "../../items/texts";
import { formatBytes, formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { formatMoment } from "../../lib/times";
import { lineTexts } from "../../lines/texts";
import { useMarkdown } from "../../ui/markdown/nodes";
import { RunName } from "../../ui/runname";
import { copyText } from "../../ui/savefile";
import { uiTexts } from "../../ui/texts";
import { useOptions, useView } from "../../ui/view";
import type { Visibility } from "../../ui/visibility";
import { isCut, plainText, type TextPlace, type TextRow, type TextValue, textItems, wholeText } from "./codec";
import { buildText, shownPart } from "./content";
import { dataIn } from "./data";
import { countHits, markHits, patternOf } from "./marks";
import { textOptions } from "./options";
import type { RunTexts } from "./runs";
import { type Hit, isSame, searchOf } from "./search";
import { textPanelTexts } from "./texts";
import { openAround, treeOf } from "./tree";

/** Milliseconds for which the message stays that something was copied. */
const SAID = 1_500;

interface Props {
  readonly tag: string;
  readonly run: RunTexts;
  readonly row: TextRow;
  /** Visibility of the list's entries, and of the list itself. */
  readonly near: Visibility;
  readonly onScreen: boolean;
  /** The step that is pointed out in all panels, where this is the last text up to it; else null. */
  readonly linked: bigint | null;
  /** Without a name where there is but one run. */
  readonly named: boolean;
  /** Null where there is nothing to compare it with. */
  readonly compare: ((run: string, row: TextRow) => void) | null;
  /** It shows this step from now on, or shows none any more. */
  shown(entry: object, step: bigint | null): void;
}

export function TextEntry(props: Props) {
  const { tag, run, row, near, onScreen, linked, named, compare, shown } = props;
  const view = useView();
  const element = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  const height = useRef<number | undefined>(undefined);
  const looked = onScreen && isNear;
  const wasLooked = useRef(false);
  if (wasLooked.current && !looked) {
    // Its text is still there: its place stays as high.
    height.current = element.current?.offsetHeight;
  }
  wasLooked.current = looked;
  useEffect(() => {
    const own = element.current;
    return own === null ? undefined : near.watch(own, setNear);
  }, [near]);

  const place = { tag, run: run.run, row };
  const found = useItem(textItems, looked ? place : null, { pushed: true });
  const text = found.state === "held" ? found.value : null;

  const drawnText = useSignal<TextValue | null>(null);
  const drawn = useCallback(() => {
    drawnText.value = text;
  }, [drawnText, text]);
  const key = useRef({}).current;
  const isDrawn = text !== null && drawnText.value === text;
  useLayoutEffect(() => {
    if (!isDrawn) {
      return;
    }
    shown(key, row.step);
    return () => shown(key, null);
  }, [isDrawn, key, row.step, shown]);

  const search = searchOf(view);
  const current = search.current.value;
  const isCurrent = current !== null && isSame(current, { ...row, tag, run: run.run });
  useEffect(() => {
    if (isCurrent && current !== null && search.isOnTheWay(current)) {
      element.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isCurrent, current, search]);

  const moment = formatMoment(row.wall, new Date(view.now.peek()));
  const state = found.state === "broken" ? "broken" : isDrawn ? "shown" : "waits";
  return (
    <article
      ref={element}
      class="tbwidget-text"
      aria-label={listOf([run.run, lineTexts().stepName([formatCount(row.step)])])}
      data-run={run.run}
      data-tag={tag}
      data-step={row.step.toString()}
      data-state={looked ? state : undefined}
      data-linked={linked === null ? undefined : ""}
      data-current={isCurrent ? "" : undefined}
      data-faded={run.faded ? "" : undefined}
      style={(looked && isDrawn) || height.current === undefined ? undefined : { minHeight: `${height.current}px` }}
    >
      <header>
        <i style={{ background: run.color }} />
        {named && (
          <span class="tbwidget-text-run" title={run.run}>
            <RunName run={run.run} />
          </span>
        )}
        <span class="tbwidget-text-step">
          {linked === null || linked === row.step
            ? lineTexts().stepName([formatCount(row.step)])
            : textPanelTexts().askedForStep(formatCount(row.step), formatCount(linked))}
        </span>
        <time title={moment}>{moment}</time>
        <span class="tbwidget-card-buttons">
          {compare && (
            <button
              type="button"
              class="tbwidget-word"
              title={textPanelTexts().compareHint}
              data-action="text.compare"
              onClick={() => compare(run.run, row)}
            >
              {textPanelTexts().compare}
            </button>
          )}
          {text && <CopyButton value={text} />}
        </span>
      </header>
      {text && <TextBody value={text} place={place} current={isCurrent ? current : null} drawn={drawn} />}
      {looked && <Absent found={found} />}
    </article>
  );
}

/** In the place of a text that is not here. */
export function Absent({ found }: { readonly found: ItemState<TextValue> }) {
  const { store } = useView().channel;
  if (found.state === "broken") {
    return <p class="tbwidget-text-broken">{found.reason}</p>;
  }
  if (found.state === "held") {
    return null;
  }
  if (store.savedAt.value !== null) {
    return <p class="tbwidget-text-waits">{itemTexts().notSaved}</p>;
  }
  return (
    <p class="tbwidget-text-waits" title={uiTexts().waitsForKernelHint}>
      {found.share === null ? uiTexts().waitsForKernel : textPanelTexts().partOf(Math.floor(100 * found.share))}
    </p>
  );
}

function CopyButton({ value }: { readonly value: TextValue }) {
  const message = useSignal("");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (beside: Element) => {
    const done = await copyText(plainText(value), beside);
    message.value = done ? textPanelTexts().copied : textPanelTexts().notCopied;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      message.value = "";
    }, SAID);
  };
  return (
    <button
      type="button"
      class="tbwidget-word"
      title={textPanelTexts().copyHint}
      data-action="text.copy"
      onClick={(event) => void copy(event.currentTarget.parentElement ?? event.currentTarget)}
    >
      <span aria-live="polite">{message.value || textPanelTexts().copy}</span>
    </button>
  );
}

/** Milliseconds for which nothing is shown of a text that is being rendered; then it is shown as it was written. */
const RENDER_TIMEOUT_MS = 150;

interface TextBodyProps {
  readonly value: TextValue;
  readonly place: TextPlace;
  /** The match jumped to, if it is in this text: another object each time. */
  readonly current: Hit | null;
  /** Something of the text is on the page. */
  drawn(): void;
}

export function TextBody({ value: first, place, current, drawn }: TextBodyProps) {
  const host = useRef<HTMLDivElement>(null);
  const { text_raw, text_search } = useOptions(textOptions);
  const whole = useSignal<TextValue | null>(null);
  const value = whole.value ?? first;
  const all = useSignal(false);
  const raw = text_raw.value;
  const words = text_search.value;
  const part = useMemo(() => shownPart(value, all.value), [value, all.value]);
  const data = raw || !part.whole ? null : dataIn(value);
  const isMarkdown = !raw && part.whole && (data === null || data.isTable);
  const rendered = useMarkdown(isMarkdown ? part.values : null);
  const markdown = useMemo(
    () => (isMarkdown || !data?.root?.entries.length ? rendered : [treeOf(data.root, place.tag)]),
    [isMarkdown, data, rendered, place.tag],
  );
  const isEmpty = data?.root?.entries.length === 0;
  const isLate = usePatience(markdown === undefined ? part : null);
  const built = useMemo(
    () =>
      markdown === undefined && !isLate
        ? null
        : buildText(value, part, markdown ?? null, raw || isEmpty || markdown === undefined),
    [value, part, raw, isEmpty, markdown, isLate],
  );
  useLayoutEffect(() => {
    if (built !== null) {
      host.current?.replaceChildren(built.nodes);
    }
  }, [built]);
  useLayoutEffect(() => {
    if (built !== null) {
      drawn();
    }
  }, [built, drawn]);
  const isHidden = useSignal(false);
  useLayoutEffect(() => {
    const pattern = patternOf(words);
    const marks = host.current === null ? [] : markHits(host.current, pattern);
    for (const mark of marks) {
      openAround(mark);
    }
    isHidden.value =
      built !== null &&
      pattern !== null &&
      marks.length === 0 &&
      value.values.some((text) => countHits(text, pattern) > 0);
  }, [built, words, value, isHidden]);
  const search = searchOf(useView());
  useEffect(() => {
    if (current !== null && markdown !== undefined && search.isOnTheWay(current)) {
      (host.current?.querySelector("mark") ?? host.current)?.scrollIntoView({ block: "nearest" });
      search.arrive(current);
    }
  }, [current, markdown, search]);
  const more = part.more || (isCut(value) && whole.value === null);
  return (
    <div class="tbwidget-text-body">
      <div ref={host} />
      {isHidden.value && <p class="tbwidget-text-notes">{textPanelTexts().foundInHidden}</p>}
      {built !== null && (built.notes.length > 0 || more || value.cut > 0) && (
        <p class="tbwidget-text-notes">
          {built.notes.join(" ")} {value.cut > 0 && textPanelTexts().textCut(formatBytes(value.cut))}{" "}
          {more && (
            <ShowAll
              isHere={!isCut(value) || whole.value !== null}
              place={place}
              show={(found) => {
                whole.value = found ?? whole.value;
                all.value = true;
              }}
            />
          )}
        </p>
      )}
    </div>
  );
}

/** Whether an awaited object has not arrived in time; null awaits nothing. */
function usePatience(awaited: object | null): boolean {
  const late = useSignal<object | null>(null);
  useEffect(() => {
    if (awaited === null) {
      return;
    }
    const timer = setTimeout(() => {
      late.value = awaited;
    }, RENDER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [awaited, late]);
  return awaited !== null && late.value === awaited;
}

interface ShowAllProps {
  readonly isHere: boolean;
  readonly place: TextPlace;
  /** All of the text; null: that which is here. */
  show(whole: TextValue | null): void;
}

/** Shows all of a long text; what has not arrived is requested. */
function ShowAll({ isHere, place, show }: ShowAllProps) {
  const { channel } = useView();
  const message = useSignal<string | null>(null);
  const end = useMemo(() => new AbortController(), []);
  useEffect(() => () => end.abort(), [end]);
  const ask = () => {
    if (isHere) {
      show(null);
      return;
    }
    message.value = uiTexts().waitsForKernel;
    const revision = itemSource(channel, textItems).revisionOf(place);
    wholeText(channel.requests, { ...place, revision }, end.signal).then(
      (found) => {
        message.value = null;
        show(found);
      },
      (error: Error) => {
        message.value = error.message;
      },
    );
  };
  return message.value === null ? (
    <button type="button" class="tbwidget-link" onClick={ask}>
      {uiTexts().showAll}
    </button>
  ) : (
    <span role="status">{message.value}</span>
  );
}
