// The controls of a card: its run, colors and labels, components, and the parameters of other projections.

import { formatCount, formatValue } from "../../lib/format";
import type { Option } from "../../options/declare";
import { shortName } from "../../ui/runname";
import { useOptions, useView } from "../../ui/view";
import type { Column, Points } from "./codec";
import { colorColumn, labelColumn } from "./coloring";
import { useDraft } from "./draft";
import { type CustomAxis, PERPLEXITY, projectorOptions, UMAP_DISTANCE, UMAP_NEIGHBORS } from "./options";
import { shortened } from "./pointcard";
import { axesOf, type Computation, chooseComponent, shownComponents } from "./projecting";
import { projectorTexts } from "./texts";

/** A share in percent, to three digits. */
export function percent(share: number): string {
  return projectorTexts().percent(formatValue(Number((100 * share).toPrecision(share < 0.0995 ? 2 : 3))));
}

interface RunsProps {
  readonly runs: readonly { readonly run: string; readonly color: string }[];
  readonly shown: string;
  choose(run: string): void;
}

/** The runs that have the embedding; one of them is shown. */
export function Runs({ runs, shown, choose }: RunsProps) {
  const view = useView();
  return (
    runs.length > 1 && (
      <fieldset class="tbwidget-projector-runs">
        <legend>{projectorTexts().runs}</legend>
        {runs.map(({ run, color }) => (
          <button
            key={run}
            type="button"
            aria-pressed={run === shown}
            data-run={run}
            title={projectorTexts().runHint(run)}
            onClick={() => choose(run)}
          >
            <i style={{ background: color }} />
            {shortened(shortName(run, view), 28)}
          </button>
        ))}
      </fieldset>
    )
  );
}

/** The columns that color and name the points. */
export function ColumnChoices({ columns }: { readonly columns: readonly Column[] }) {
  const { projector_color, projector_label } = useOptions(projectorOptions);
  return (
    columns.length > 0 && (
      <>
        <Choice
          option={projector_color}
          title={projectorTexts().color}
          columns={columns}
          automatic={colorColumn(columns, null)}
        />
        <Choice
          option={projector_label}
          title={projectorTexts().label}
          columns={columns}
          automatic={labelColumn(columns, null)}
        />
      </>
    )
  );
}

interface ChoiceProps {
  readonly option: Option<string | null>;
  readonly title: string;
  readonly columns: readonly Column[];
  /** The column that is chosen without an option. */
  readonly automatic: Column | null;
}

/** Values of the list that are no column. */
const [AUTOMATIC, NONE] = ["automatic", "none"];

function Choice({ option, title, columns, automatic }: ChoiceProps) {
  const { value } = option;
  const place = columns.findIndex(({ name }) => name === value);
  return (
    <label class="tbwidget-projector-choice">
      <span>{title}</span>
      <select
        class="tbwidget-select"
        value={value === "" ? NONE : place < 0 ? AUTOMATIC : String(place)}
        onChange={({ currentTarget: { value: chosen } }) =>
          option.set(chosen === AUTOMATIC ? null : chosen === NONE ? "" : (columns[Number(chosen)]?.name ?? null))
        }
      >
        <option value={AUTOMATIC}>
          {projectorTexts().automatic(automatic === null ? projectorTexts().none : shortened(automatic.name, 24))}
        </option>
        <option value={NONE}>{projectorTexts().none}</option>
        {columns.map(({ name }, i) => (
          <option key={name} value={String(i)}>
            {shortened(name, 40)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The components as bars of their variance: a press shows one. */
export function Components({ points }: { readonly points: Points }) {
  const { projector_components, projector_dimensions } = useOptions(projectorOptions);
  const { variance } = points;
  const shown = shownComponents(projector_components.value, projector_dimensions.value, variance.length);
  const most = Math.max(...variance, 1e-12);
  return (
    <fieldset class="tbwidget-projector-components">
      <legend>{projectorTexts().componentsTitle}</legend>
      {variance.map((share, i) => {
        const name = projectorTexts().component(i + 1);
        return (
          <button
            key={name}
            type="button"
            aria-pressed={shown.includes(i + 1)}
            data-component={i + 1}
            title={projectorTexts().chooseComponent(name, percent(share))}
            onClick={() => projector_components.set(chooseComponent(shown, i + 1))}
          >
            <i style={{ height: `${Math.max(4, (100 * share) / most)}%` }} />
            <span>{i + 1}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

interface NumberProps {
  readonly option: Option<number> | Option<number | null>;
  readonly name: string;
  readonly hint: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  /** An empty box means that the number is chosen automatically. */
  readonly isAutomatic?: boolean;
}

function NumberBox({ option, name, hint, least, most, step, isAutomatic = false }: NumberProps) {
  const draft = useDraft(String(option.value ?? ""), (typed) => {
    const value = Number(typed);
    if (typed === "") {
      if (isAutomatic) {
        (option as Option<number | null>).set(null);
      }
    } else if (value >= least && value <= most) {
      (option as Option<number>).set(step === 1 ? Math.round(value) : value);
    }
  });
  return (
    <label title={hint}>
      <span>{name}</span>
      <input
        type="number"
        {...{ min: least, max: most, step, ...draft }}
        placeholder={isAutomatic ? projectorTexts().automaticValue : undefined}
      />
    </label>
  );
}

/** The parameters of the chosen projection. */
export function Parameters({ points, labels }: { readonly points: Points; readonly labels: Column | null }) {
  const options = useOptions(projectorOptions);
  switch (options.projector_method.value) {
    case "umap":
      return (
        <div class="tbwidget-projector-parameters">
          <NumberBox
            {...{
              option: options.projector_umap_neighbors,
              name: projectorTexts().umapNeighbors,
              hint: projectorTexts().umapNeighborsHint,
            }}
            {...UMAP_NEIGHBORS}
          />
          <NumberBox
            {...{
              option: options.projector_umap_min_dist,
              name: projectorTexts().minDist,
              hint: projectorTexts().minDistHint,
            }}
            {...UMAP_DISTANCE}
            step={0.05}
          />
        </div>
      );
    case "tsne":
      return (
        <div class="tbwidget-projector-parameters">
          <NumberBox
            {...{
              option: options.projector_perplexity,
              name: projectorTexts().perplexity,
              hint: projectorTexts().perplexityHint,
            }}
            {...PERPLEXITY}
            step={0.5}
            isAutomatic
          />
        </div>
      );
    case "custom":
      return <Axes labels={labels} />;
    default:
      return points.variance.length > 1 ? <Components points={points} /> : null;
  }
}

function Axes({ labels }: { readonly labels: Column | null }) {
  const { projector_axes, projector_dimensions } = useOptions(projectorOptions);
  const axes = axesOf(projector_axes.value, labels, projector_dimensions.value);
  const set = (place: number, change: Partial<CustomAxis>) => {
    const all = Array.from({ length: Math.max(axes.length, place + 1) }, (_, i) => axes[i] ?? { from: "", to: "" });
    projector_axes.set(all.map((axis, i) => (i === place ? { ...axis, ...change } : axis)));
  };
  return (
    <div class="tbwidget-projector-parameters">
      {(["x", "y", "z"] as const).slice(0, projector_dimensions.value).map((name, i) => (
        <span key={name} class="tbwidget-projector-axis">
          {(["from", "to"] as const).map((end) => (
            <AxisEnd
              key={end}
              name={end === "from" ? projectorTexts().axisFrom(name) : projectorTexts().axisTo}
              hook={`${name}-${end}`}
              text={axes[i]?.[end] ?? ""}
              set={(text) => set(i, { [end]: text })}
            />
          ))}
        </span>
      ))}
    </div>
  );
}

interface AxisEndProps {
  readonly name: string;
  readonly hook: string;
  readonly text: string;
  set(text: string): void;
}

function AxisEnd({ name, hook, text, set }: AxisEndProps) {
  const draft = useDraft(text, set);
  return (
    <label title={projectorTexts().axisHint}>
      <span>{name}</span>
      <input class="tbwidget-filter" data-axis={hook} spellcheck={false} {...draft} />
    </label>
  );
}

/** How a computation is going, and its end or another beginning. */
export function Progress({
  computation,
  problem,
}: {
  readonly computation: Computation | null;
  readonly problem: string | null;
}) {
  const method = useOptions(projectorOptions).projector_method.value;
  const name = projectorTexts().methods[method];
  const isBusy = useView().channel.store.status.value?.cell === true;
  if (problem !== null) {
    return (
      <div class="tbwidget-projector-progress" role="alert">
        <p>
          {problem}. {projectorTexts().pcaInstead}
        </p>
        {computation?.state.state === "refused" && computation.restart && (
          <button type="button" class="tbwidget-button" onClick={computation.restart}>
            {projectorTexts().compute(name)}
          </button>
        )}
      </div>
    );
  }
  const state = computation?.state;
  if (computation === null || state === undefined || state.state === "done" || state.state === "refused") {
    return null;
  }
  if (state.state === "none") {
    return (
      <div class="tbwidget-projector-progress">
        {computation.restart && (
          <button type="button" class="tbwidget-button" onClick={computation.restart}>
            {projectorTexts().compute(name)}
          </button>
        )}
      </div>
    );
  }
  const share = state.share === null ? null : projectorTexts().percent(formatCount(Math.floor(100 * state.share)));
  const isWaiting = state.by === "kernel" && isBusy;
  return (
    <div class="tbwidget-projector-progress" role="status">
      <p>
        {projectorTexts().computing(
          name,
          state.by === "page" ? projectorTexts().inPage : null,
          share,
          isWaiting ? projectorTexts().busy : state.text,
        )}
      </p>
      <progress max={1} {...(state.share === null ? {} : { value: state.share })} />
      <small>{projectorTexts().pcaMeanwhile}</small>
      <button
        type="button"
        class="tbwidget-button"
        title={projectorTexts().stopHint}
        data-action="projector.stop"
        onClick={() => computation.stop()}
      >
        {projectorTexts().stop}
      </button>
    </div>
  );
}
