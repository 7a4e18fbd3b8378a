// The areas of all curves at a glance, above the cards: a row for each tag, such as a class, and a column for each run; of a single
// run, whose column would take half of the panel, a chip for each tag.

import { untracked } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { rgbOf } from "../../charts/theme";
import { cardStep } from "../../items/steps";
import { Arranger } from "../../lib/arrange";
import { scaleColor } from "../../lib/colors";
import { formatCount } from "../../lib/format";
import { escapedForPattern } from "../../lib/namematcher";
import { sharedStart, shortened } from "../../lib/names";
import { BLACK, type Theme, WHITE } from "../../lib/tokens";
import { cardOptions } from "../../options/cards";
import { Elided } from "../../ui/elided";
import { useRoving } from "../../ui/roving";
import { RunName } from "../../ui/runname";
import { MoreCards, Section } from "../../ui/section";
import { useRowWindow } from "../../ui/table/windowed";
import { shownName } from "../../ui/tagtitle";
import { uiTexts } from "../../ui/texts";
import { useEverySecond, useOptions, useView, type View } from "../../ui/view";
import { type CurveRow, curves } from "./codec";
import { formatArea } from "./legend";
import { meanOf } from "./measures";
import { prCurvesOptions } from "./options";
import { rowAt } from "./shown";
import { prCurveTexts } from "./texts";

/** With fewer tags the cards themselves are the overview. */
const MIN_TAGS = 4;

/** CSS pixels of a row. Keep in step with pr_curves.css. */
const ROW_PX = 22;

/** The areas of a tag's curves by run, at the step that its card shows. */
interface TagRow {
  readonly tag: string;
  readonly byRun: ReadonlyMap<string, CurveRow>;
}

/** Rows are ordered by the areas of a run, or by the names of the tags. */
interface Order {
  readonly run: string;
  readonly descending: boolean;
}

export function AreaMap() {
  const view = useView();
  const { tags } = view.channel.store.items(curves);
  return tags.value.length < MIN_TAGS ? null : <Foldable />;
}

function Foldable() {
  const view = useView();
  const count = useEverySecond(() => countTags(view));
  const state = view.groups.of("pr_curves", " map");
  const { open } = state.value;
  const measure = useOptions(prCurvesOptions).pr_curve.value === "roc" ? "rocAuc" : "averagePrecision";
  return count === 0 ? null : (
    <div class="tbwidget-pr-map">
      <Section
        name={measure === "rocAuc" ? prCurveTexts().mapOfAuc : prCurveTexts().mapOfAveragePrecision}
        titled
        open={open}
        count={count}
        toggle={() => {
          state.value = { ...state.peek(), open: !open };
        }}
      >
        <Areas measure={measure} />
      </Section>
    </div>
  );
}

interface AreasProps {
  readonly measure: "averagePrecision" | "rocAuc";
}

/** Only while the section is open: the rows take all curves. */
function Areas({ measure }: AreasProps) {
  const view = useView();
  const rows = useEverySecond(() => tagRows(view));
  const [order, setOrder] = useState<Order | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  useRoving(body);
  const ordered = order === null ? rows : inOrder(rows, order, measure);
  const { from, to, above, below, look } = useRowWindow(scroller, ordered.length, ROW_PX);
  const runs = view.channel.store.runs.value.filter((run) => rows.some(({ byRun }) => byRun.has(run)));
  const areas = rows.flatMap(({ byRun }) => [...byRun.values()].map((row) => row[measure])).filter(Number.isFinite);
  const range = areas.reduce<[number, number]>(
    ([low, high], area) => [Math.min(low, area), Math.max(high, area)],
    [1, 0],
  );
  const shared = sharedStart(rows.map(({ tag }) => tag));
  const nameOf = (tag: string) => shownName(view, tag) ?? shortened(tag, shared);
  const theme = view.theme.value;
  if (runs.length === 0) {
    return null;
  }
  const cell = (area: number | undefined) => (area === undefined ? {} : colorsOf(area, range, theme));
  const [only = "", ...otherRuns] = runs;
  if (otherRuns.length === 0) {
    return <Chips run={only} rows={rows} measure={measure} nameOf={nameOf} cell={cell} />;
  }
  return (
    <>
      <div ref={scroller} class="tbwidget-pr-areas" onScroll={look}>
        <table aria-rowcount={rows.length + 2}>
          <thead>
            <tr>
              <th>
                <Combine rows={rows} />
              </th>
              {runs.map((run) => {
                const isOrder = order?.run === run;
                return (
                  <th key={run} aria-sort={isOrder ? (order.descending ? "descending" : "ascending") : undefined}>
                    <button
                      type="button"
                      title={prCurveTexts().mapOrder(run)}
                      onClick={() => setOrder(nextOrder(order, run))}
                    >
                      <i style={{ background: view.options.colorOf.value(run, theme) }} />
                      <RunName run={run} />
                      {isOrder && <b>{order.descending ? "↓" : "↑"}</b>}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody ref={body}>
            {above > 0 && <tr key="above" style={{ height: `${above}px` }} />}
            {ordered.slice(from, to).map(({ tag, byRun }) => (
              <tr key={tag}>
                <th scope="row" title={tag}>
                  <button type="button" class="tbwidget-link" tabIndex={-1} onClick={() => goTo(tag, view)}>
                    <Elided text={nameOf(tag) || uiTexts().emptyTag} />
                  </button>
                </th>
                {runs.map((run) => {
                  const row = byRun.get(run);
                  return (
                    <td key={run}>
                      {row !== undefined && (
                        <button
                          type="button"
                          tabIndex={-1}
                          data-cell={JSON.stringify([tag, run])}
                          title={titleOf(tag, run, row, measure)}
                          style={cell(row[measure])}
                          onPointerEnter={() => {
                            view.highlightedRun.value = run;
                          }}
                          onPointerLeave={() => {
                            view.highlightedRun.value = null;
                          }}
                          onClick={() => goTo(tag, view)}
                        >
                          {formatArea(row[measure])}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
            {below > 0 && <tr key="below" style={{ height: `${below}px` }} />}
          </tbody>
          <tfoot>
            <tr>
              <th title={prCurveTexts().mapMeanHint}>{prCurveTexts().mapMean(formatCount(rows.length))}</th>
              {runs.map((run) => {
                const some = rows.flatMap(({ byRun }) => byRun.get(run)?.[measure] ?? []).filter(Number.isFinite);
                const isPartial = some.length < rows.length;
                return (
                  <td key={run} title={prCurveTexts().mapMeanOf(formatCount(some.length), formatCount(rows.length))}>
                    {some.length > 0 && formatArea(meanOf(some))}
                    {isPartial && some.length > 0 && <sup>*</sup>}
                  </td>
                );
              })}
            </tr>
          </tfoot>
        </table>
      </div>
      {areas.length > 0 && <Scale range={range} theme={theme} />}
    </>
  );
}

/** CSS pixels of a chip, at least, and of the space between two. Keep in step with pr_curves.css. */
const CHIP_PX = 128;
const CHIP_GAP_PX = 4;
/** Lines of chips until more are asked for. */
const MAX_LINES = 3;

interface ChipsProps {
  readonly run: string;
  readonly rows: readonly TagRow[];
  readonly measure: "averagePrecision" | "rocAuc";
  nameOf(tag: string): string;
  cell(area: number | undefined): ReturnType<typeof colorsOf>;
}

/** The areas of the only run, the worst first. */
function Chips({ run, rows, measure, nameOf, cell }: ChipsProps) {
  const view = useView();
  const [lines, setLines] = useState(MAX_LINES);
  const perLine = Math.max(1, Math.floor((view.width.value + CHIP_GAP_PX) / (CHIP_PX + CHIP_GAP_PX)));
  const most = perLine * lines;
  const areas = rows.flatMap(({ byRun }) => byRun.get(run)?.[measure] ?? []).filter(Number.isFinite);
  return (
    <>
      <div class="tbwidget-pr-chips">
        {inOrder(rows, { run, descending: false }, measure)
          .slice(0, most)
          .map(({ tag, byRun }) => {
            const row = byRun.get(run);
            return (
              row !== undefined && (
                <button
                  key={tag}
                  type="button"
                  data-cell={JSON.stringify([tag, run])}
                  title={titleOf(tag, run, row, measure)}
                  onClick={() => goTo(tag, view)}
                >
                  <Elided text={nameOf(tag) || uiTexts().emptyTag} />
                  <b style={cell(row[measure])}>{formatArea(row[measure])}</b>
                </button>
              )
            );
          })}
      </div>
      <p class="tbwidget-pr-scale">
        {areas.length > 0 && (
          <span title={prCurveTexts().mapMeanOf(formatCount(areas.length), formatCount(rows.length))}>
            {prCurveTexts().mapMeanArea(formatCount(areas.length), formatArea(meanOf(areas)))}
          </span>
        )}
        <Combine rows={rows} />
        <MoreCards left={rows.length - most} step={perLine * MORE_LINES} more={() => setLines(lines + MORE_LINES)} />
      </p>
    </>
  );
}

/** Lines of chips that are shown in addition at each press. */
const MORE_LINES = 20;

/** How many tags match the filter and have curves of a run that is shown. */
function countTags({ channel, options }: View): number {
  const of = channel.store.items(curves);
  const hasRun = (tag: string) =>
    untracked(() => [...(of.tag(tag)?.byRun.keys() ?? [])]).some((run) => options.shows(run));
  return of.tags.value.filter(options.tagFilter.matches.value).filter(hasRun).length;
}

/** Follows options; what arrives is read again a second later. */
function tagRows(view: View): readonly TagRow[] {
  const of = view.channel.store.items(curves);
  const { options } = view;
  return of.tags.value.filter(options.tagFilter.matches.value).flatMap((tag) => {
    const { at } = cardStep(view, "pr_curves", tag);
    const held = untracked(() => [...(of.tag(tag)?.byRun ?? [])]).filter(([run]) => options.shows(run));
    const found = held.flatMap(([run, items]) => {
      const row = untracked(() => rowAt(items, at));
      return row === null ? [] : [[run, row] as const];
    });
    return found.length === 0 ? [] : [{ tag, byRun: new Map(found) }];
  });
}

function goTo(tag: string, { grid }: View): void {
  grid.peek()?.go(tag);
}

/** The worst first, then the best, then by name. */
function nextOrder(order: Order | null, run: string): Order | null {
  return order?.run !== run ? { run, descending: false } : order.descending ? null : { run, descending: true };
}

function inOrder(
  rows: readonly TagRow[],
  { run, descending }: Order,
  measure: "averagePrecision" | "rocAuc",
): TagRow[] {
  const areaOf = ({ byRun }: TagRow) => byRun.get(run)?.[measure] ?? Number.NaN;
  const known = rows.filter((row) => Number.isFinite(areaOf(row)));
  const sign = descending ? -1 : 1;
  return [...known.sort((a, b) => sign * (areaOf(a) - areaOf(b))), ...rows.filter((row) => !known.includes(row))];
}

function titleOf(tag: string, run: string, row: CurveRow, measure: "averagePrecision" | "rocAuc"): string {
  const name = measure === "rocAuc" ? prCurveTexts().auc : prCurveTexts().averagePrecision;
  return prCurveTexts().mapCell(tag, run, prCurveTexts().value(name, formatArea(row[measure])), formatCount(row.step));
}

/** Colors go from the smallest area of the map to the largest. */
function colorsOf(area: number, [low, high]: readonly [number, number], theme: Theme) {
  if (!Number.isFinite(area)) {
    return {};
  }
  const background = scaleColor(high > low ? (area - low) / (high - low) : 1, theme);
  return { background, color: inkOn(background) };
}

/** Black or white, whichever has the better contrast. */
function inkOn(color: string): string {
  const [red, green, blue] = rgbOf(color).map((channel) => (channel / 255) ** 2.2) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? BLACK : WHITE;
}

function Scale({ range: [low, high], theme }: { readonly range: readonly [number, number]; readonly theme: Theme }) {
  const stops = [0, 0.25, 0.5, 0.75, 1].map((place) => scaleColor(place, theme));
  return (
    <p class="tbwidget-pr-scale">
      {formatArea(low)}
      <i class="tbwidget-pr-scale-bar" style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
      {formatArea(high)}
    </p>
  );
}

/** Adds a card of all tags of the map, which has their averages, or removes it. */
function Combine({ rows }: { readonly rows: readonly TagRow[] }) {
  const view = useView();
  const { card_layout } = useOptions(cardOptions);
  const filter = view.options.tagFilter.inEffect.value;
  const folder = sharedFolder(rows.map(({ tag }) => tag));
  const escaped = escapedForPattern(folder);
  const pattern = filter !== "" ? filter : escaped === "" ? "." : `^${escaped}`;
  const isThere = (card_layout.value?.sections ?? []).some(({ cards }) =>
    cards.some((card) => card.pattern === pattern),
  );
  const press = () => {
    const grid = view.grid.peek();
    const arranger = new Arranger(card_layout.peek(), grid?.tags.peek() ?? [], grid?.arrangeOptions());
    const title = filter === "" ? prCurveTexts().allTags : undefined;
    card_layout.set(isThere ? arranger.remove(pattern) : arranger.add(pattern, title));
  };
  return (
    <button
      type="button"
      class="tbwidget-link"
      title={isThere ? prCurveTexts().separateHint : prCurveTexts().combineHint(pattern)}
      data-action={isThere ? "pr_curves.separate" : "pr_curves.combine"}
      onClick={press}
    >
      {isThere ? prCurveTexts().separate : prCurveTexts().combine}
    </button>
  );
}

/** The longest folder that all tags share, with its slash. */
function sharedFolder([first = "", ...others]: readonly string[]): string {
  let length = first.lastIndexOf("/") + 1;
  while (length > 0 && !others.every((tag) => tag.startsWith(first.slice(0, length)))) {
    length = first.lastIndexOf("/", length - 2) + 1;
  }
  return first.slice(0, length);
}
