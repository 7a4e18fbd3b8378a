// The panel beside the stage: search, the selected point with its nearest neighbors, the selection, and the columns.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { commonTexts } from "../../lib/commontexts";
import { formatCount, formatValue } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { Segments } from "../../ui/controls";
import { SearchInput } from "../../ui/searchinput";
import { useOptions, useView } from "../../ui/view";
import { cellText } from "./codec";
import { useDraft } from "./draft";
import type { ShownNeighbors } from "./nearest";
import { MAX_NEIGHBORS, METRICS, projectorOptions } from "./options";
import { PointCard, Sprite, shortened } from "./pointcard";
import type { Embedding } from "./projecting";
import { type Found, search } from "./search";
import type { Sheet } from "./sheet";
import { type CardState, viewState } from "./state";
import { projectorTexts } from "./texts";
import "./side.css";

/** Points that a list names. */
const MAX_LISTED = 50;

interface SideProps {
  readonly embedding: Embedding;
  readonly state: CardState;
  readonly selected: readonly number[];
  /** Selected points that are not drawn. */
  readonly hidden: number;
  readonly neighbors: ShownNeighbors | null;
  readonly sheet: Sheet | null;
  colored(point: number): Parameters<typeof PointCard>[0]["colored"];
  select(points: readonly number[]): void;
  /** Saves the selected points. */
  save(): void;
}

export function Side(props: SideProps) {
  const { embedding, state, selected, neighbors, sheet } = props;
  const { points, labels } = embedding;
  const [only] = selected;
  return (
    <>
      {points.columns.length > 0 && <Search {...props} />}
      {selected.length === 0 && state.isolated.value === null && (
        <p class="tbwidget-quiet">{projectorTexts().pickHint}</p>
      )}
      {selected.length === 1 && only !== undefined && (
        <section>
          <PointCard {...{ points, labels, sheet }} point={only} colored={props.colored(only)} />
        </section>
      )}
      <Selection {...props} />
      {neighbors !== null && <Nearest {...props} neighbors={neighbors} />}
    </>
  );
}

function nameOf({ points, labels }: Pick<Embedding, "points" | "labels">, point: number): string {
  const text = labels === null ? "" : cellText(labels, point);
  return text === "" || points.count <= point ? projectorTexts().pointAt(formatCount(point)) : shortened(text, 60);
}

function Search(props: SideProps) {
  const { embedding, state, select } = props;
  const view = useView();
  const { points } = embedding;
  const { text, column } = state.query.value;
  const waits = useSignal(false);
  /** JSON of the query whose result has arrived; null while a search runs. */
  const searched = useRef<string | null>(null);
  /** Whether Enter was pressed before the result had arrived. */
  const isEntered = useRef(false);
  const latest = useRef(select);
  latest.current = select;
  useEffect(() => {
    let isWanted = true;
    searched.current = null;
    if (text === "") {
      state.found.value = null;
      return;
    }
    waits.value = true;
    const columns = points.columns.filter(({ name }) => column === null || name === column);
    void search(text, columns, points.count, viewState(view).worker, () => isWanted).then((found) => {
      if (isWanted) {
        state.found.value = found;
        waits.value = false;
        searched.current = JSON.stringify([text, column]);
        if (isEntered.current) {
          isEntered.current = false;
          latest.current(pointsOf(found));
        }
      }
    });
    return () => {
      isWanted = false;
      waits.value = false;
    };
  }, [text, column, points, state, view, waits]);
  const found = state.found.value;
  const listed: number[] = [];
  for (let i = 0; found !== null && i < found.mask.length && listed.length < MAX_LISTED; i += 1) {
    if (found.mask[i] === 1) {
      listed.push(i);
    }
  }
  const all = () => select(pointsOf(found));
  return (
    <section class="tbwidget-projector-search">
      <div>
        <SearchInput
          name={projectorTexts().search}
          hint={projectorTexts().searchHint}
          text={text}
          busy={waits.value}
          action="projector.search"
          find={(next) => {
            isEntered.current = false;
            state.query.value = { text: next, column };
          }}
          go={() => {
            const next = state.query.peek();
            if (searched.current === JSON.stringify([next.text, next.column])) {
              all();
            } else {
              isEntered.current = next.text !== "";
            }
          }}
        />
        {points.columns.length > 1 && (
          <select
            class="tbwidget-select"
            aria-label={projectorTexts().searchColumn}
            title={projectorTexts().searchColumn}
            value={column ?? ""}
            onChange={({ currentTarget: { value } }) => {
              state.query.value = { text, column: value === "" ? null : value };
            }}
          >
            <option value="">{projectorTexts().allColumns}</option>
            {points.columns.map(({ name }) => (
              <option key={name} value={name}>
                {shortened(name, 30)}
              </option>
            ))}
          </select>
        )}
      </div>
      {found !== null && (
        <>
          <p role="status" data-found={found.count}>
            {listOf([
              projectorTexts().found(found.count, formatCount(found.count)),
              ...(found.isPlain ? [projectorTexts().foundPlain] : []),
            ])}
            {found.count > 0 && (
              <button type="button" class="tbwidget-link" onClick={all}>
                {projectorTexts().selectFound}
              </button>
            )}
          </p>
          <PointList {...props} points={listed} />
          {found.count > listed.length && (
            <small>{projectorTexts().more(formatCount(found.count - listed.length))}</small>
          )}
        </>
      )}
    </section>
  );
}

function pointsOf(found: Found | null): number[] {
  const points: number[] = [];
  for (const [i, one] of found?.mask.entries() ?? []) {
    if (one === 1) {
      points.push(i);
    }
  }
  return points;
}

interface ListProps extends Pick<SideProps, "embedding" | "state" | "sheet" | "colored" | "select"> {
  readonly points: readonly number[];
  /** At the end of each line. */
  readonly values?: readonly string[];
}

function PointList({ embedding, state, sheet, points, values, colored, select }: ListProps) {
  const names = points.map((point) => nameOf(embedding, point));
  // Names that are repeated do not tell points apart.
  const areRepeated = new Set(names).size < names.length;
  return (
    <ol class="tbwidget-projector-list">
      {points.map((point, i) => (
        <li key={point}>
          <button
            type="button"
            data-point={point}
            onClick={() => select([point])}
            onPointerEnter={() => {
              state.hovered.value = point;
            }}
            onPointerLeave={() => {
              state.hovered.value = null;
            }}
          >
            {sheet !== null && i < MAX_LISTED && <Sprite sheet={sheet} point={point} side={18} />}
            <i style={{ background: colored(point)?.color }} />
            <span>{names[i]}</span>
            {areRepeated && <small>{projectorTexts().pointAt(formatCount(point))}</small>}
            {values?.[i] !== undefined && <b>{values[i]}</b>}
          </button>
        </li>
      ))}
    </ol>
  );
}

function Selection({ selected, hidden, state, select, save }: SideProps) {
  const isolated = state.isolated.value;
  const isolate = (points: ReadonlySet<number> | null) => {
    state.isolated.value = points;
    state.camera.value = null;
  };
  if (selected.length === 0 && isolated === null) {
    return null;
  }
  return (
    <section class="tbwidget-projector-selection" data-selected={selected.length}>
      {selected.length > 0 && (
        <p>
          <b>{projectorTexts().selected(selected.length, formatCount(selected.length))}</b>
          <button
            type="button"
            class="tbwidget-link"
            title={projectorTexts().isolateHint}
            data-action="projector.isolate"
            onClick={() => isolate(new Set(selected))}
          >
            {projectorTexts().isolate}
          </button>
          <button
            type="button"
            class="tbwidget-link"
            title={projectorTexts().saveSelectionHint}
            data-action="projector.saveselection"
            onClick={save}
          >
            {projectorTexts().saveSelection}
          </button>
          <button
            type="button"
            class="tbwidget-link"
            title={projectorTexts().clearHint}
            data-action="projector.clear"
            onClick={() => select([])}
          >
            {projectorTexts().clear}
          </button>
        </p>
      )}
      {hidden > 0 && <p class="tbwidget-quiet">{projectorTexts().hiddenSelection(hidden, formatCount(hidden))}</p>}
      {isolated !== null && (
        <p>
          <b>{projectorTexts().isolated(isolated.size, formatCount(isolated.size))}</b>
          <button type="button" class="tbwidget-link" data-action="projector.show_all" onClick={() => isolate(null)}>
            {projectorTexts().showAll}
          </button>
        </p>
      )}
    </section>
  );
}

function Nearest(props: SideProps & { neighbors: ShownNeighbors }) {
  const { neighbors } = props;
  const { projector_metric, projector_neighbors } = useOptions(projectorOptions);
  const draft = useDraft(String(projector_neighbors.value), (typed) => {
    const count = Math.round(Number(typed));
    if (count >= 1 && count <= MAX_NEIGHBORS) {
      projector_neighbors.set(count);
    }
  });
  return (
    <section
      class="tbwidget-projector-nearest"
      data-neighbors={neighbors.points.length}
      aria-busy={neighbors.waits ? "true" : undefined}
    >
      <h5>
        {projectorTexts().neighbors}
        <input
          type="number"
          min={1}
          max={MAX_NEIGHBORS}
          aria-label={projectorTexts().neighborsCount}
          title={projectorTexts().neighborsCount}
          {...draft}
        />
        <Segments
          title={projectorTexts().metricTitle}
          options={METRICS}
          names={projectorTexts().metrics}
          hints={projectorTexts().metricHints}
          chosen={projector_metric.value}
          choose={(metric) => projector_metric.set(metric)}
        />
      </h5>
      <p class="tbwidget-quiet" role="status">
        {commonTexts().clauses([neighbors.note, ...(neighbors.waits ? [projectorTexts().exactWaits] : [])])}
      </p>
      <PointList {...props} points={neighbors.points} values={neighbors.distances.map(formatValue)} />
    </section>
  );
}
