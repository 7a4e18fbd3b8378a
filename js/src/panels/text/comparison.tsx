// Two texts of a tag compared: of one run, or of two.

import { useSignal } from "@preact/signals";
import { diffLines, diffWordsWithSpace } from "diff";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useItem } from "../../items/source";
import { formatCount } from "../../lib/format";
import { lineTexts } from "../../lines/texts";
import { Slider } from "../../ui/slider";
import { isCut, plainText, type TextRow, textItems } from "./codec";
import { breakLongWords } from "./content";
import { Absent } from "./entry";
import type { RunTexts } from "./runs";
import { textPanelTexts } from "./texts";

/** Lines that are shown. */
const MAX_LINES = 3_000;

/** One of two texts. */
interface Side {
  readonly run: string;
  readonly id: number;
}

export interface Pair {
  readonly before: Side;
  readonly after: Side;
}

/** A text and the one before it: of its run, else of another. */
export function pairWith(runs: readonly RunTexts[], run: string, row: TextRow): Pair | null {
  const own = runs.find((one) => one.run === run);
  const place = own?.rows.findIndex(({ id }) => id === row.id) ?? -1;
  const previous = own?.rows[place - 1];
  const this_ = { run, id: row.id };
  if (previous !== undefined) {
    return { before: { run, id: previous.id }, after: this_ };
  }
  const next = own?.rows[place + 1];
  if (next !== undefined) {
    return { before: this_, after: { run, id: next.id } };
  }
  const other = runs.find((one) => one.run !== run && one.rows.length > 0);
  const last = other?.rows.at(-1);
  return other === undefined || last === undefined ? null : { before: this_, after: { run: other.run, id: last.id } };
}

interface Props {
  readonly tag: string;
  readonly runs: readonly RunTexts[];
  readonly pair: Pair;
  choose(pair: Pair | null): void;
  shown(entry: object, step: bigint | null): void;
}

export function Comparison({ tag, runs, pair, choose, shown }: Props) {
  const before = rowOf(runs, pair.before);
  const after = rowOf(runs, pair.after);
  useEffect(() => {
    if (before === null || after === null) {
      choose(null);
    }
  });
  if (before === null || after === null) {
    return null;
  }
  const same = pair.before.run === pair.after.run && pair.before.id === pair.after.id;
  return (
    <div class="tbwidget-comparison">
      <header>
        <SidePicker
          label={textPanelTexts().before}
          runs={runs}
          at={before}
          choose={(side) => choose({ ...pair, before: side })}
        />
        <SidePicker
          label={textPanelTexts().after}
          runs={runs}
          at={after}
          choose={(side) => choose({ ...pair, after: side })}
        />
        <button
          type="button"
          class="tbwidget-word"
          title={textPanelTexts().endComparison}
          data-action="text.end_comparison"
          onClick={() => choose(null)}
        >
          {textPanelTexts().done}
        </button>
      </header>
      {same ? (
        <p class="tbwidget-text-waits">{textPanelTexts().sameText}</p>
      ) : (
        <Difference {...{ tag, before, after, shown }} />
      )}
    </div>
  );
}

interface Place {
  readonly run: RunTexts;
  readonly row: TextRow;
  /** In the run's rows. */
  readonly index: number;
}

function rowOf(runs: readonly RunTexts[], { run, id }: Side): Place | null {
  const of = runs.find((one) => one.run === run);
  const index = of?.rows.findIndex((row) => row.id === id) ?? -1;
  const row = of?.rows[index];
  return of === undefined || row === undefined ? null : { run: of, row, index };
}

interface PickerProps {
  readonly label: string;
  readonly runs: readonly RunTexts[];
  readonly at: Place;
  choose(side: Side): void;
}

/** Chooses the run and the step of a side. */
function SidePicker({ label, runs, at: { run, row, index }, choose }: PickerProps) {
  const go = (to: number) => {
    const found = run.rows[to];
    if (found !== undefined) {
      choose({ run: run.run, id: found.id });
    }
  };
  const step = lineTexts().stepName([formatCount(row.step)]);
  const last = run.rows.length - 1;
  return (
    <fieldset class="tbwidget-text-side">
      <legend>{label}</legend>
      <i style={{ background: run.color }} />
      {runs.length > 1 && (
        <select
          aria-label={lineTexts().runColumn}
          value={run.run}
          onChange={({ currentTarget }) => {
            const rows = runs.find((one) => one.run === currentTarget.value)?.rows ?? [];
            // The same step, or the last before it.
            const found = [...rows].reverse().find((one) => one.step <= row.step) ?? rows[0];
            if (found !== undefined) {
              choose({ run: currentTarget.value, id: found.id });
            }
          }}
        >
          {runs
            .filter(({ rows }) => rows.length > 0)
            .map((one) => (
              <option key={one.run} value={one.run}>
                {one.run}
              </option>
            ))}
        </select>
      )}
      {last > 0 && (
        <Slider
          min={0}
          max={last}
          value={index}
          aria-label={lineTexts().stepColumn}
          aria-valuetext={step}
          choose={go}
        />
      )}
      <span class="tbwidget-text-step">{step}</span>
    </fieldset>
  );
}

interface DifferenceProps {
  readonly tag: string;
  readonly before: Place;
  readonly after: Place;
  shown(entry: object, step: bigint | null): void;
}

function Difference({ tag, before, after, shown }: DifferenceProps) {
  const one = useItem(textItems, { tag, run: before.run.run, row: before.row });
  const other = useItem(textItems, { tag, run: after.run.run, row: after.row });
  const a = one.state === "held" ? one.value : null;
  const b = other.state === "held" ? other.value : null;
  const lines = useMemo(() => (a && b ? compareTexts(plainText(a), plainText(b)) : null), [a, b]);
  const step = before.row.step > after.row.step ? before.row.step : after.row.step;
  const entry = useRef({});
  useLayoutEffect(() => {
    if (a && b) {
      shown(entry.current, step);
    }
    const own = entry.current;
    return () => shown(own, null);
  }, [a, b, step, shown]);
  if (a === null || b === null) {
    return <Absent found={a === null ? one : other} />;
  }
  const differs = lines === null || lines.some(({ way }) => way !== "same");
  return (
    <>
      {lines === null && <p class="tbwidget-text-notes">{textPanelTexts().tooDifferent}</p>}
      {!differs && <p class="tbwidget-text-notes">{textPanelTexts().noDifference}</p>}
      {(isCut(a) || isCut(b)) && <p class="tbwidget-text-notes">{textPanelTexts().comparesBeginnings}</p>}
      {lines !== null && differs && <Lines lines={lines} />}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly DiffLine[] }) {
  const rows = useMemo(() => folded(lines.slice(0, MAX_LINES)), [lines]);
  const more = lines.length - MAX_LINES;
  return (
    <section
      class="tbwidget-diff"
      data-lm-suppress-shortcuts="true"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label={textPanelTexts().difference}
    >
      {rows.map((row, i) => ("way" in row ? <Line key={i} line={row} /> : <Folded key={i} fold={row} />))}
      {more > 0 && <p class="tbwidget-text-notes">{textPanelTexts().moreLines(more, formatCount(more))}</p>}
    </section>
  );
}

function Folded({ fold }: { readonly fold: Fold }) {
  const open = useSignal(false);
  const { lines } = fold;
  return open.value ? (
    <div>
      {lines.map((line, i) => (
        <Line key={i} line={line} />
      ))}
    </div>
  ) : (
    <button
      type="button"
      class="tbwidget-link tbwidget-fold"
      onClick={() => {
        open.value = true;
      }}
    >
      {textPanelTexts().equalLines(lines.length, formatCount(lines.length))}
    </button>
  );
}

function Line({ line: { way, parts } }: { readonly line: DiffLine }) {
  const Element = way === "removed" ? "del" : way === "added" ? "ins" : "span";
  return (
    <Element class="tbwidget-line" data-way={way}>
      {parts.map(({ text, changed }, i) => (changed ? <b key={i}>{breakLongWords(text)}</b> : breakLongWords(text)))}
    </Element>
  );
}

// Differences of two texts: of their lines first, then of the words within replaced lines.

/** Milliseconds for the lines, and for the words of each stretch. */
const LINES_TIMEOUT_MS = 400;
const WORDS_TIMEOUT_MS = 60;

/** Characters of a stretch whose words are compared. */
const MAX_WORDS = 20_000;

/** Smallest equal share of an edited passage; below it, the passage counts as replaced and its words are not compared. */
const MIN_EQUAL_SHARE = 0.3;

/** Equal lines that are shown on either side of what differs; and how many more are worth being left out. */
const CONTEXT = 3;
const WORTH_FOLDING = 4;

interface Part {
  readonly text: string;
  /** Another than in the line's counterpart. */
  readonly changed: boolean;
}

type Way = "same" | "removed" | "added";

export interface DiffLine {
  readonly way: Way;
  readonly parts: readonly Part[];
}

/** Equal lines that are not shown at first. */
interface Fold {
  readonly lines: readonly DiffLine[];
}

/** The lines of both texts; null where comparing them takes too long. */
export function compareTexts(before: string, after: string): DiffLine[] | null {
  const changes = diffLines(withEnd(before), withEnd(after), { timeout: LINES_TIMEOUT_MS });
  if (changes === undefined) {
    return null;
  }
  const lines: DiffLine[] = [];
  for (let i = 0; i < changes.length; i += 1) {
    const { value, removed, added } = changes[i] as (typeof changes)[number];
    const next = changes[i + 1];
    if (removed && next?.added) {
      lines.push(...replaced(value, next.value));
      i += 1;
    } else {
      lines.push(...linesOf([{ text: value, changed: false }], removed ? "removed" : added ? "added" : "same"));
    }
  }
  return lines;
}

/** The lines, with long stretches of equal ones folded. */
export function folded(lines: readonly DiffLine[]): (DiffLine | Fold)[] {
  const found: (DiffLine | Fold)[] = [];
  let begin = 0;
  while (begin < lines.length) {
    if (lines[begin]?.way !== "same") {
      found.push(lines[begin] as DiffLine);
      begin += 1;
      continue;
    }
    let end = begin;
    while (lines[end]?.way === "same") {
      end += 1;
    }
    const first = begin + (begin === 0 ? 0 : CONTEXT);
    const last = end - (end === lines.length ? 0 : CONTEXT);
    if (last - first >= WORTH_FOLDING) {
      found.push(...lines.slice(begin, first), { lines: lines.slice(first, last) }, ...lines.slice(last, end));
    } else {
      found.push(...lines.slice(begin, end));
    }
    begin = end;
  }
  return found;
}

/** The lines of a replaced passage, with the replaced words. */
function replaced(before: string, after: string): DiffLine[] {
  const words =
    before.length + after.length <= MAX_WORDS
      ? diffWordsWithSpace(before, after, { timeout: WORDS_TIMEOUT_MS })
      : undefined;
  const alike = (words ?? []).reduce(
    (sum, { value, removed, added }) => sum + (removed || added ? 0 : value.length),
    0,
  );
  const isEdited = words !== undefined && 2 * alike >= MIN_EQUAL_SHARE * (before.length + after.length);
  const of = (text: string, way: "removed" | "added") => {
    const other = way === "removed" ? "added" : "removed";
    const parts = words?.filter((part) => !part[other]).map((part) => ({ text: part.value, changed: part[way] }));
    return linesOf(isEdited && parts !== undefined ? parts : [{ text, changed: false }], way);
  };
  return [...of(before, "removed"), ...of(after, "added")];
}

/** Cuts parts into lines; each line ends with a break. */
function linesOf(parts: readonly Part[], way: Way): DiffLine[] {
  const lines: DiffLine[] = [];
  let line: Part[] = [];
  for (const { text, changed } of parts) {
    const pieces = text.split("\n");
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) {
        lines.push({ way, parts: line });
        line = [];
      }
      if (piece !== "") {
        line.push({ text: piece, changed });
      }
    }
  }
  return line.length > 0 ? [...lines, { way, parts: line }] : lines;
}

function withEnd(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}
