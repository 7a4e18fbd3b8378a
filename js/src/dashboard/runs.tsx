// The list of runs: the legend, and which of them are shown.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { runColour } from "../lib/colours";
import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import { useView } from "./view";

/** Up to this many runs need no filter. */
const FEW = 7;

/** Runs listed at once; the filter finds the others. */
const MOST_LISTED = 500;

export function Runs() {
  const view = useView();
  const { store, choices } = view.session;
  const filter = useSignal("");
  const runs = store.runs.value;
  const wanted = filter.value.toLowerCase();
  const matching = wanted === "" ? runs : runs.filter((run) => run.toLowerCase().includes(wanted));
  const shown = new Set(runs.filter((run) => choices.shows(run)));
  const matchingShown = matching.filter((run) => shown.has(run)).length;

  const setShown = (changed: readonly string[], show: boolean) => {
    const next = new Set(shown);
    for (const run of changed) {
      if (show) {
        next.add(run);
      } else {
        next.delete(run);
      }
    }
    choices.select(next, runs);
  };

  return (
    <aside class="tbwidget-runs" data-few={runs.length <= FEW ? "" : undefined}>
      <div class="tbwidget-runs-head">
        <AllBox
          total={matching.length}
          checked={matchingShown}
          onChange={() => setShown(matching, matchingShown < matching.length)}
        />
        {runs.length > FEW && (
          <input
            type="search"
            class="tbwidget-filter"
            placeholder={strings.filterRuns}
            aria-label={strings.filterRuns}
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
            }}
          />
        )}
      </div>
      <ul
        onMouseLeave={() => {
          view.pointedOut.value = null;
        }}
      >
        {matching.slice(0, MOST_LISTED).map((run) => (
          <li
            key={run}
            onMouseEnter={() => {
              view.pointedOut.value = run;
            }}
          >
            <label
              title={`${run}\n${strings.onlyThis}`}
              style={{ "--tbwidget-run": runColour(store.place(run), view.theme.value) }}
              onDblClick={() => choices.select(new Set([run]), runs)}
            >
              <input
                type="checkbox"
                checked={shown.has(run)}
                onChange={(event) => setShown([run], event.currentTarget.checked)}
              />
              <span class="tbwidget-run-name">{breakable(run)}</span>
            </label>
          </li>
        ))}
        {matching.length > MOST_LISTED && (
          <li class="tbwidget-quiet">{strings.moreRuns(matching.length - MOST_LISTED)}</li>
        )}
      </ul>
    </aside>
  );
}

/** The name, with places where a line may end: behind slashes, dashes and the like. */
function breakable(run: string) {
  return run.split(/(?<=[/_.,=-])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
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
    <label class="tbwidget-all">
      <input ref={box} type="checkbox" checked={total > 0 && checked === total} onChange={onChange} />
      <span>{strings.runs}</span>
      <span class="tbwidget-quiet">
        {checked === total ? formatCount(total) : `${formatCount(checked)}/${formatCount(total)}`}
      </span>
    </label>
  );
}
