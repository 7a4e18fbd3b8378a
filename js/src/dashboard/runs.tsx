// The list of runs: the legend, and which of them are shown.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { sharedStart, shortened } from "../lib/names";
import { strings } from "../lib/strings";
import { MOST_SHOWN } from "./choices";
import { FilterBox } from "./filter";
import { useRoving } from "./roving";
import { toggled } from "./selection";
import { useView } from "./view";

/** Up to this many runs need no filter. */
const FEW = 7;

/** Runs listed at once; the filter finds the others. */
const MOST_LISTED = 1000;

export function Runs() {
  const view = useView();
  const { choices } = view;
  const { store } = view.session;
  const picker = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useRoving(list);
  const picked = useSignal("");
  const runs = store.runs.value;
  const filter = choices.runFilter.value;
  const pattern = choices.runPattern.value;
  const matching = useMemo(() => runs.filter((run) => pattern.matches(run)), [runs, pattern]);
  const shown = matching.filter((run) => choices.shows(run)).length;
  const actions = useMemo<RowActions>(
    () => ({
      show: (run, show) => choices.select(toggled(choices.selection.peek(), [run], show, store.runs.peek())),
      only: (run) => choices.select({ names: new Set([run]), only: true }),
      point: (run) => {
        view.pointedOut.value = run;
      },
      pick: (run, colour, at) => {
        const input = picker.current;
        if (input === null) {
          return;
        }
        picked.value = run;
        input.value = colour;
        // The browser opens its picker where the input is.
        const around = input.offsetParent?.getBoundingClientRect();
        input.style.top = `${at.getBoundingClientRect().bottom - (around?.top ?? 0)}px`;
        input.click();
      },
    }),
    [choices, store, view, picked],
  );
  const start = useMemo(() => sharedStart(runs), [runs]);
  // The same rows as before are not even looked at again.
  const rows = useMemo(
    () => matching.slice(0, MOST_LISTED).map((run) => <Row key={run} run={run} start={start} actions={actions} />),
    [matching, start, actions],
  );

  return (
    <aside class="tbwidget-runs" aria-label={strings.runs}>
      <div class="tbwidget-runs-head">
        <AllBox
          total={matching.length}
          checked={shown}
          onChange={() =>
            choices.select(toggled(choices.selection.peek(), matching, shown < matching.length, store.runs.peek()))
          }
        />
        {(runs.length > FEW || filter !== "") && (
          <FilterBox
            label={strings.filterRuns}
            short={strings.filterShort}
            text={filter}
            error={pattern.error}
            onText={(text) => choices.filterRuns(text)}
          />
        )}
      </div>
      {choices.tooMany.value && <p class="tbwidget-hint">{strings.tooManyRuns(formatCount(MOST_SHOWN))}</p>}
      <ul
        ref={list}
        data-lm-suppress-shortcuts="true"
        onMouseLeave={() => actions.point(null)}
        onFocusOut={() => actions.point(null)}
      >
        {rows}
      </ul>
      {matching.length > MOST_LISTED && <p class="tbwidget-hint">{strings.moreRuns(matching.length - MOST_LISTED)}</p>}
      {matching.length === 0 && <p class="tbwidget-hint">{strings.noRunMatches}</p>}
      <input
        ref={picker}
        class="tbwidget-picker"
        type="color"
        tabIndex={-1}
        aria-hidden="true"
        onInput={(event) => choices.colour(picked.value, event.currentTarget.value)}
      />
    </aside>
  );
}

interface RowActions {
  show(run: string, show: boolean): void;
  only(run: string): void;
  point(run: string | null): void;
  pick(run: string, colour: string, at: HTMLElement): void;
}

interface RowProps {
  readonly run: string;
  /** Characters of the name that all runs share. */
  readonly start: number;
  readonly actions: RowActions;
}

/** One run; drawn again only when something of its own changes, so that hundreds of them stay cheap. */
function Row({ run, start, actions }: RowProps) {
  const { choices, theme } = useView();
  const shown = useComputed(() => choices.shows(run)).value;
  const colour = useComputed(() => choices.colourOf.value(run, theme.value)).value;
  return (
    <li
      data-shown={shown ? "" : undefined}
      onMouseEnter={() => actions.point(run)}
      onFocusIn={(event) => (event.target as Element).matches(":focus-visible") && actions.point(run)}
    >
      <label title={`${run}\n${strings.onlyThisHint}`} onDblClick={() => actions.only(run)}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={shown}
          onChange={(event) => actions.show(run, event.currentTarget.checked)}
        />
        <span class="tbwidget-run-name">{breakable(shortened(run, start))}</span>
      </label>
      <button
        type="button"
        class="tbwidget-only"
        tabIndex={-1}
        aria-label={strings.onlyRun(run)}
        onClick={() => actions.only(run)}
      >
        {strings.only}
      </button>
      <button
        type="button"
        class="tbwidget-swatch"
        tabIndex={-1}
        title={strings.pickColour}
        aria-label={strings.colourOf(run)}
        style={{ "--tbwidget-run": colour }}
        onClick={(event) => actions.pick(run, colour, event.currentTarget)}
      />
    </li>
  );
}

/** The name, with places where a line may end: behind slashes, dashes and the like, but not within a number or a pair. */
function breakable(run: string) {
  return run.split(/(?<=[/_,]|-(?!\d))/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
}

interface AllBoxProps {
  readonly total: number;
  readonly checked: number;
  onChange(): void;
}

function AllBox({ total, checked, onChange }: AllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) {
      box.current.indeterminate = checked > 0 && checked < total;
    }
  }, [checked, total]);
  return (
    <label class="tbwidget-all" title={strings.allHint}>
      <input ref={box} type="checkbox" checked={total > 0 && checked === total} onChange={onChange} />
      <span>{strings.runs}</span>
      <span class="tbwidget-quiet">
        {checked === total ? formatCount(total) : `${formatCount(checked)}/${formatCount(total)}`}
      </span>
    </label>
  );
}
