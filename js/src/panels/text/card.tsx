// The card of one tag's texts: a list of all runs together, newest first, or two of them compared.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { timeAxisOptions } from "../../options/shared";
import { CardFrame } from "../../ui/card";
import type { CardProps } from "../../ui/groups";
import { useLastStep } from "../../ui/laststep";
import { Marks, Superseded } from "../../ui/marks";
import { useOnScreen, useOptions, useView } from "../../ui/view";
import { Visibility } from "../../ui/visibility";
import type { TagTexts, TextRow } from "./codec";
import { Comparison, type Pair, pairWith } from "./comparison";
import { Differences, hasDifferences } from "./differences";
import { TextEntry } from "./entry";
import { type RunTexts, textsOf } from "./runs";
import { searchOf, useJumps } from "./search";
import { textPanelTexts } from "./texts";
import { countUpTo, entriesOf, held, NEWEST, PAGE, type TextWindow, withNewer, withOlder } from "./window";

/** Estimated height of a text on a card not yet seen, in CSS pixels. */
const ENTRY_HEIGHT_PX = 62;
/** Largest number of texts counted in the estimated height of a card. */
const MAX_ESTIMATED_ENTRIES = 5;

export function TextCard({ tag, label, data }: CardProps<TagTexts>) {
  const view = useView();
  const card = useRef<HTMLElement>(null);
  const onScreen = useOnScreen(card);
  const wide = useSignal(false);
  const pair = useSignal<Pair | null>(null);
  const differs = useSignal(false);
  const runs = textsOf(data, view);
  const shown = useLastStep<object>(card, true);
  useJumps(tag, () => {
    differs.value = false;
    pair.value = null;
  });
  const count = runs.reduce((sum, { held }) => sum + held.total, 0);
  const here = runs.reduce((sum, { rows }) => sum + rows.length, 0);
  const compare =
    here < 2
      ? null
      : (run: string, row: TextRow) => {
          pair.value = pairWith(runs, run, row);
        };
  const step = useOptions(timeAxisOptions).linked_step.value;
  const linked = step === null ? null : BigInt(step);
  const seen = useRef(false);
  seen.current ||= onScreen || searchOf(view).current.value?.tag === tag;
  const canDiffer = seen.current && (differs.value || hasDifferences(view, tag, runs, linked));
  const isWide = wide.value || pair.value !== null || differs.value;
  const hint = wide.value ? textPanelTexts().narrowCard : textPanelTexts().widenCard;
  return (
    <CardFrame
      panel="text"
      tag={tag}
      label={label}
      data={data}
      cardRef={card}
      wide={isWide}
      active={wide.value || differs.value}
      marks={
        <Marks>
          <Superseded series={runs.map(({ held }) => held)} />
          {count > 1 && <span>{textPanelTexts().textCount(count, formatCount(count))}</span>}
        </Marks>
      }
      buttons={
        <>
          {canDiffer && (
            <button
              type="button"
              class="tbwidget-word"
              title={textPanelTexts().differencesHint}
              data-action="text.differences"
              aria-pressed={differs.value}
              onClick={() => {
                differs.value = !differs.value;
                pair.value = null;
              }}
            >
              {textPanelTexts().differences}
            </button>
          )}
          <button
            type="button"
            class="tbwidget-word"
            title={hint}
            data-action="text.wide"
            aria-pressed={wide.value}
            onClick={() => {
              wide.value = !wide.value;
            }}
          >
            {textPanelTexts().wideCard}
          </button>
        </>
      }
    >
      {isWide && <span hidden data-stays="" />}
      {!seen.current ? (
        <div style={{ height: `${ENTRY_HEIGHT_PX * Math.min(MAX_ESTIMATED_ENTRIES, count)}px` }} />
      ) : differs.value ? (
        <Differences {...{ tag, runs, shown }} linked={linked} />
      ) : pair.value === null ? (
        <TextList {...{ tag, runs, onScreen, compare, shown }} />
      ) : (
        <Comparison
          {...{ tag, runs, shown }}
          pair={pair.value}
          choose={(chosen) => {
            pair.value = chosen;
          }}
        />
      )}
    </CardFrame>
  );
}

// The list of one tag's texts, newest first: some are on the page at once, and others come as one scrolls.

/** Pixels from an end of the list at which texts are added there. */
const NEAR_END = 300;

interface ListProps {
  readonly tag: string;
  readonly runs: readonly RunTexts[];
  readonly onScreen: boolean;
  readonly compare: ((run: string, row: TextRow) => void) | null;
  shown(entry: object, step: bigint | null): void;
}

function TextList({ tag, runs, onScreen, compare, shown }: ListProps) {
  const view = useView();
  const { linked_step } = useOptions(timeAxisOptions);
  const list = useRef<HTMLDivElement>(null);
  const near = useMemo(() => new Visibility(() => {}), []);
  const window = useSignal<TextWindow>(NEWEST);
  const anchor = useRef<ScrollAnchor | null>(null);
  const lastTop = useRef(0);
  // Unmounting the card would lose the place in the list and the unfolded texts.
  const isUsed = useSignal(false);
  useEffect(() => {
    const own = list.current;
    const content = own?.firstElementChild;
    if (own === null || !(content instanceof HTMLElement)) {
      return;
    }
    near.connect(own);
    const held = new ScrollAnchor(own, content);
    anchor.current = held;
    return () => {
      near.disconnect();
      held.disconnect();
    };
  }, [near]);
  /** Shows the newest of another window. */
  const go = useCallback(
    (to: TextWindow) => {
      anchor.current?.release();
      window.value = to;
      lastTop.current = 0;
      list.current?.scrollTo({ top: 0 });
    },
    [window],
  );

  const linked = linked_step.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (linked !== null || !isFirst.current) {
      go(linked === null ? NEWEST : { pivot: BigInt(linked), older: PAGE, newer: 0 });
    }
    isFirst.current = false;
  }, [linked, go]);

  const search = searchOf(view);
  const current = search.current.value;
  const found = entriesOf(runs, window.value);
  const { entries, newerLeft, olderLeft } = found;
  const lacksCurrent =
    current?.tag === tag && !entries.some(({ run, row }) => run === current.run && row.id === current.id);
  const latest = useRef(runs);
  latest.current = runs;
  useEffect(() => {
    if (current !== null && lacksCurrent && search.isOnTheWay(current)) {
      const all = latest.current.flatMap(({ rows }) => rows);
      const same = all.filter(({ step }) => step === current.step).length;
      go({ pivot: current.step, older: PAGE + same, newer: 0 });
    }
  }, [current, lacksCurrent, search, go]);

  useLayoutEffect(() => anchor.current?.hold());
  /** Adds a page above or below the visible one. */
  const move = (to: TextWindow) => {
    anchor.current?.note(true);
    window.value = to;
  };
  const onScroll = () => {
    const own = list.current;
    if (own === null) {
      return;
    }
    anchor.current?.note();
    isUsed.value ||= own.scrollTop > 0;
    const isUpwards = own.scrollTop < lastTop.current;
    lastTop.current = own.scrollTop;
    if (own.scrollTop > 0) {
      window.value = held(window.peek(), found);
    } else if (newerLeft === 0 && linked_step.peek() === null) {
      window.value = { ...window.peek(), pivot: null, newer: 0, older: Math.max(PAGE, entries.length) };
    }
    if (olderLeft > 0 && own.scrollHeight - own.scrollTop - own.clientHeight < NEAR_END) {
      move(withOlder(window.peek(), found));
    } else if (newerLeft > 0 && isUpwards && own.scrollTop < NEAR_END) {
      move(withNewer(window.peek(), found));
    }
  };
  const named = view.channel.store.runs.value.length > 1;
  const byRun = new Map(runs.map((run) => [run.run, run]));
  // Each run's last text up to the linked step.
  const linkedSteps = new Map(
    linked === null ? [] : runs.map(({ run, rows }) => [run, rows[countUpTo(rows, BigInt(linked)) - 1]?.step]),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list that scrolls is no <fieldset>
    <div
      ref={list}
      class="tbwidget-text-list"
      // JupyterLab would take the arrow keys for its own.
      data-lm-suppress-shortcuts="true"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      role="group"
      aria-label={tag}
      onScroll={onScroll}
      onFocusIn={() => {
        isUsed.value = true;
      }}
      data-stays={isUsed.value ? "" : undefined}
    >
      <div>
        {newerLeft > 0 && (
          <p class="tbwidget-text-ends">
            <button type="button" class="tbwidget-link" onClick={() => go(NEWEST)}>
              {textPanelTexts().newestText}
            </button>
            <button type="button" class="tbwidget-link" onClick={() => move(withNewer(window.peek(), found))}>
              {textPanelTexts().newerTexts(formatCount(newerLeft))}
            </button>
          </p>
        )}
        {entries.length + newerLeft === 0 && <p class="tbwidget-text-waits">{textPanelTexts().noTexts}</p>}
        {entries.map(({ run, row }) => {
          const of = byRun.get(run);
          const isLinked = row.step === linkedSteps.get(run);
          return (
            of !== undefined && (
              <TextEntry
                key={`${row.id} ${of.held.revision} ${run}`}
                {...{ tag, row, near, onScreen, named, compare, shown }}
                run={of}
                linked={isLinked && linked !== null ? BigInt(linked) : null}
              />
            )
          );
        })}
        {olderLeft > 0 && (
          <p class="tbwidget-text-ends">
            <button type="button" class="tbwidget-link" onClick={() => move(withOlder(window.peek(), found))}>
              {textPanelTexts().olderTexts(formatCount(olderLeft))}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

class ScrollAnchor {
  readonly #list: HTMLElement;
  readonly #sizes: ResizeObserver;
  /** The element held in place, and its offset in pixels from the top of the list's visible part. */
  #held: { readonly element: HTMLElement; readonly offset: number } | null = null;

  /** `content` is the element around all entries of the list. */
  constructor(list: HTMLElement, content: HTMLElement) {
    this.#list = list;
    this.#sizes = new ResizeObserver(() => this.hold());
    this.#sizes.observe(content);
  }

  /** The list was scrolled. At its very beginning nothing is held, unless `always`: then what comes above is shown. */
  note(always = false): void {
    const { scrollTop } = this.#list;
    const all = [...this.#list.querySelectorAll<HTMLElement>("article")];
    const element = all.find(({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > scrollTop);
    this.#held =
      element === undefined || (scrollTop <= 0 && !always) ? null : { element, offset: element.offsetTop - scrollTop };
  }

  /** The list may have changed. */
  hold(): void {
    if (this.#held?.element.isConnected) {
      const { element, offset } = this.#held;
      const moved = element.offsetTop - this.#list.scrollTop - offset;
      if (Math.abs(moved) >= 1) {
        this.#list.scrollTop += moved;
      }
    }
  }

  /** The list goes somewhere else. */
  release(): void {
    this.#held = null;
  }

  disconnect(): void {
    this.#sizes.disconnect();
  }
}
