// One text of a tag: whose it is and of which step, and its content while it is on the screen, or nearly.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ItemState, useItem } from "../../items/source";
import { itemTexts } from "../../items/texts";
import { formatCount } from "../../lib/format";
import { formatMoment } from "../../lib/times";
import { lineTexts } from "../../lines/texts";
import { copyText } from "../../ui/clipboard";
import { Elided } from "../../ui/elided";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import type { Visibility } from "../../ui/visibility";
import { TextBody } from "./body";
import { plainText, type TextRow, type TextValue } from "./codec";
import { textItems } from "./item";
import type { RunTexts } from "./runs";
import { isSame, searchOf } from "./search";
import { textPanelTexts } from "./texts";

/** Milliseconds for which the message stays that something was copied. */
const SAID = 1_500;

interface Props {
  readonly tag: string;
  readonly run: RunTexts;
  readonly row: TextRow;
  /** Which entries of the list are in sight; and whether the list itself is. */
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

  const state = found.state === "broken" ? "broken" : isDrawn ? "shown" : "waits";
  return (
    <article
      ref={element}
      class="tbwidget-text"
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
            <Elided text={run.run} />
          </span>
        )}
        <span class="tbwidget-text-step">
          {linked === null || linked === row.step
            ? lineTexts().stepName([formatCount(row.step)])
            : textPanelTexts().askedForStep(formatCount(row.step), formatCount(linked))}
        </span>
        <time>{formatMoment(row.wall, new Date(view.now.peek()))}</time>
        <span class="tbwidget-card-buttons">
          {compare && (
            <button
              type="button"
              class="tbwidget-word"
              title={textPanelTexts().compareHint}
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
      onClick={(event) => void copy(event.currentTarget.parentElement ?? event.currentTarget)}
    >
      <span aria-live="polite">{message.value || textPanelTexts().copy}</span>
    </button>
  );
}
